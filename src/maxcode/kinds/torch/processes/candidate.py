"""The candidate's process: constructs its model and runs it on inputs that the harness has put into shared memory.

This code shares a process with foreign code, so nothing rests on its honesty: what it says is checked by the harness,
which reads the outputs itself and holds the clock.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import resource
import sys
import tempfile
import time
import traceback
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import torch

from maxcode.kinds.torch.harness import sharing
from maxcode.kinds.torch.harness.shared_flags import Place, Say, SharedFlags
from maxcode.kinds.torch.harness.sharing import DeviceArena, open_arena, placed
from maxcode.kinds.torch.harness.values import Unsupported, at, from_words, like_the_first
from maxcode.kinds.torch.harness.weights import give
from maxcode.kinds.torch.processes.channel import Channel, Gone
from maxcode.kinds.torch.processes.confine import BUILDS

FILE = "candidate.py"
TOLD = 5000
MOST_FRAMES = 5


def main(descriptors: list[int], arguments: dict[str, Any]) -> None:
    channel = Channel(descriptors[0], takes=True)
    process = _Process(channel, arguments)
    commands = {
        "open": process.open,
        "load": process.load,
        "give": process.give,
        "state": process.state,
        "weights": process.weights,
        "slots": process.slots,
        "forget": process.forget,
        "run": process.run,
        "one_by_one": process.one_by_one,
        "profile": process.profile,
        "seal": process.seal,
    }
    while True:
        try:
            message = channel.receive()
        except Gone:
            return
        try:
            answer = commands[message["command"]](message)
        except Exception as error:
            answer = {"error": told(error), "kind": type(error).__name__}
        channel.send({**answer, "nonce": message["nonce"]})


class _Process:
    def __init__(self, channel: Channel, arguments: dict[str, Any]) -> None:
        self._channel = channel
        self._device: str = arguments["device"]
        self._builds = bool(arguments["builds"])
        torch.set_num_threads(arguments["threads"])
        _keep_freed_memory()
        set_precision(arguments["tf32"])
        self._inputs: Any = None
        self._flags: Any = None
        self._low, self._high = 0, sys.maxsize
        """Range of addresses at which the harness can read results."""
        self._pool: Any = None
        self._arguments: list[Any] = []
        self._kept: list[Any] = []
        self._copies = False
        self._module: Any = None
        self._model: Any = None

    def open(self, message: dict[str, Any]) -> dict[str, Any]:
        """Maps the memory for inputs and, on a GPU, the memory that outputs are allocated from."""
        self._inputs = open_arena(self._device, message["inputs"], self._channel.descriptor())
        found = {"inputs": self._inputs.base}
        if self._device == "cuda":
            outputs = DeviceArena(message["outputs"], self._channel.descriptor())
            self._pool = _pool(message["allocator"], outputs)
            self._low, self._high = outputs.base, outputs.base + outputs.size
            found["outputs"] = outputs.base
        self._flags = SharedFlags(self._channel.descriptor())
        return found

    def load(self, message: dict[str, Any]) -> dict[str, Any]:
        """Executes the candidate's file, once per process, and constructs its model with weights from a seed."""
        self._kept, self._model = [], None
        if self._module is None:
            if self._builds:
                use_finished_builds()
            self._module = execute(message["text"])
        wanted = message["class"]
        if not hasattr(self._module, wanted):
            return {"error": f"the file defines no class {wanted}", "kind": "NameError"}
        initial = from_words(message["init"], lambda words: at(self._inputs.memory, words).clone())
        torch.manual_seed(message["seed"])
        self._model = getattr(self._module, wanted)(*initial).to(self._device)
        if message["compile"]:
            self._model.compile()
        self._synchronize()
        return {"state": self._state()}

    def give(self, message: dict[str, Any]) -> dict[str, Any]:
        """Copies values into parameters and buffers, which stay where they are."""
        values = from_words(message["values"], lambda words: at(self._inputs.memory, words))
        give(self._model, dict(zip(message["names"], values, strict=True)))
        self._synchronize()
        return {"state": self._state()}

    def state(self, message: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        return {"state": self._state()}

    def slots(self, message: dict[str, Any]) -> dict[str, Any]:
        """Notes where the arguments of calls will be."""
        self._arguments = [from_words(each, self._inputs.alone) for each in message["slots"]]
        return {}

    def forget(self, message: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Frees the outputs of the last run; the harness has overwritten them."""
        self._kept = []
        self._synchronize()
        return {}

    def run(self, message: dict[str, Any]) -> dict[str, Any]:
        arguments = self._arguments[message["first"] : message["first"] + message["count"]]
        by_flags = message["flags"]
        if by_flags:
            with torch.no_grad(), self._memory():
                self._keep_warm(self._model, self._arguments[0], 1)
            self._wait_for_inputs(1)
        events = _Events() if self._device == "cuda" else None
        began = time.perf_counter()
        with torch.no_grad():
            while (places := self._calls(arguments)) is None:
                self._copies = True
        if events:
            events.end()
        if by_flags:
            self._flags.place(places)  # while a GPU is still at work
        self._synchronize()
        inner = time.perf_counter() - began
        if by_flags:
            self._flags.say(Say.DONE, 1)
        results = like_the_first(self._kept, self._described)
        return {"results": results, "inner": inner, "events": events.seconds() if events else inner}

    def one_by_one(self, message: dict[str, Any]) -> dict[str, Any]:
        """Makes each call when the harness says that its inputs are there, and waits for its end.

        `idle`: calls of almost nothing.
        """
        kept: list[Any] = []
        self._kept = kept
        model = self._almost_nothing if message["idle"] else self._model
        before: Any = None
        with torch.no_grad(), self._memory():
            for number, each in enumerate(self._arguments[: message["count"]], 1):
                self._keep_warm(model, before, number)
                self._wait_for_inputs(number)
                result = model(*each)
                copies = self._copies or not self._readable(self._extents(result))
                kept.append(_copy(result) if copies else result)
                self._synchronize()
                self._flags.place(self._extents(kept[-1]))
                self._flags.say(Say.DONE, number)
                self._flags.wait_for(Say.TAKEN, number)
                before = each
        return {"results": like_the_first(kept, self._described)}

    def _almost_nothing(self, *_: Any) -> Any:
        return torch.zeros(1, device=self._device)

    def _keep_warm(self, model: Any, arguments: Any, number: int) -> None:
        """Makes calls on old inputs until call `number` is due, so that it does not find all caches cold."""
        if arguments is None:
            self._flags.wait_for(Say.SETTLE, number)
        while not self._flags.is_said(Say.SETTLE, number):
            model(*arguments)
            self._synchronize()

    def _wait_for_inputs(self, number: int) -> None:
        self._flags.say(Say.SETTLED, number)
        self._flags.wait_for(Say.BEGIN, number)

    def seal(self, message: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Gives up starting processes and threads. Those that calls need have been started by now."""
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
        return {}

    def profile(self, message: dict[str, Any]) -> dict[str, Any]:
        from maxcode.kinds.torch.profile.tracing import traced

        model, arguments = self._model, self._arguments[: message["count"]]
        return traced(lambda: [model(*each) for each in arguments], self._device)

    def _calls(self, arguments: list[Any]) -> list[Place] | None:
        """Places of the results; None if the harness could not read them all, and each must be copied after its call.

        As little as possible is done between calls: on a GPU it delays the launch of the next kernel.
        """
        kept: list[Any] = []
        self._kept = kept
        model, copies = self._model, self._copies
        with self._memory():
            for each in arguments:
                result = model(*each)
                if not kept and not copies:
                    copies = not self._readable(self._extents(result))
                kept.append(_copy(result) if copies else result)
        extents = [self._extents(result) for result in kept]
        places = [place for each in extents for place in each]
        if copies and not self._readable(places):
            size = self._high - self._low
            raise MemoryError(f"calls may take {size >> 20} MiB, results included, and these take more")
        return places if copies or (self._readable(places) and _are_apart(extents)) else None

    def _memory(self) -> AbstractContextManager[Any]:
        """Context in which results are allocated, on a GPU, in the memory that the harness sees."""
        return nullcontext() if self._pool is None else torch.cuda.use_mem_pool(self._pool)

    def _extents(self, result: Any) -> list[Place]:
        """Places of the plain tensors of a result. Anything else is refused when it is described."""
        return [_extent(each) for each in _tensors(result) if self._is_plain(each)]

    def _readable(self, places: list[Place]) -> bool:
        return all(self._low <= each < self._high for each, _ in places)

    def _is_plain(self, tensor: Any) -> bool:
        here = type(tensor) is torch.Tensor and tensor.device.type == self._device
        return here and tensor.layout is torch.strided and tensor.numel() > 0

    def _described(self, tensor: Any) -> dict[str, Any]:
        if type(tensor) is not torch.Tensor:
            raise Unsupported(f"a {type(tensor).__name__} instead of a plain torch.Tensor")
        if tensor.device.type != self._device or tensor.layout is not torch.strided:
            raise Unsupported(f"a tensor on {tensor.device} with layout {tensor.layout}")
        if tensor.dtype not in sharing.DTYPES.values():
            raise Unsupported(f"a tensor of {tensor.dtype}, which cannot be compared here")
        return placed(tensor).in_words()

    def weights(self, message: dict[str, Any]) -> dict[str, Any]:
        """Copies pieces of parameters and buffers to where the harness can read them."""
        state, self._kept = self._readable_state(), []
        with self._memory():
            self._kept = [state[name].reshape(-1)[at : at + count].clone() for name, at, count in message["parts"]]
        self._synchronize()
        return {"weights": [placed(each).in_words() for each in self._kept]}

    def _state(self) -> dict[str, Any]:
        """Descriptions of parameters and buffers. Results of earlier calls are freed."""
        self._kept = []
        return {name: placed(each).in_words() for name, each in self._readable_state().items()}

    def _readable_state(self) -> dict[str, Any]:
        state = dict(self._model.named_parameters()) | dict(self._model.named_buffers())
        return {name: each.detach() for name, each in state.items() if _can_be_read(each)}

    def _synchronize(self) -> None:
        if self._device == "cuda":
            torch.cuda.synchronize()


class _Events:
    """Clock of the GPU, in the stream that calls are made in."""

    def __init__(self) -> None:
        self._first, self._last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        self._first.record()

    def end(self) -> None:
        self._last.record()

    def seconds(self) -> float:
        """Seconds between the two events; 0 if the second was not waited for, which is for the harness to notice."""
        try:
            return float(self._first.elapsed_time(self._last)) / 1e3
        except RuntimeError:
            return 0.0


def _keep_freed_memory() -> None:
    """Makes malloc reuse freed memory, without new pages. Else what a process did before would show in its times."""
    library = ctypes.CDLL(None)
    map_threshold, trim_threshold, top_pad = -3, -1, -2
    if hasattr(library, "mallopt"):
        for option, value in ((map_threshold, 32 << 20), (trim_threshold, 2**31 - 1), (top_pad, 64 << 20)):
            library.mallopt(option, value)


def set_precision(tf32: bool) -> None:
    torch.backends.cuda.matmul.allow_tf32 = tf32
    torch.backends.cudnn.allow_tf32 = tf32


def execute(text: str) -> Any:
    """The candidate's file as a module; in a real file, since compilers of kernels read their source."""
    file = Path(tempfile.gettempdir()) / FILE
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("candidate", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["candidate"] = module
    spec.loader.exec_module(module)
    return module


def use_finished_builds() -> None:
    from maxcode import extension

    extension.install(Path(os.environ[BUILDS]))


def _pool(allocator: str, outputs: DeviceArena) -> Any:
    ctypes.CDLL(allocator).arena_use(ctypes.c_void_p(outputs.base), ctypes.c_size_t(outputs.size))
    plugged = torch.cuda.memory.CUDAPluggableAllocator(allocator, "arena_malloc", "arena_free")
    return torch.cuda.MemPool(plugged.allocator())


def _can_be_read(tensor: Any) -> bool:
    return tensor.layout is torch.strided and tensor.dtype in sharing.DTYPES.values()


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [each for item in value for each in _tensors(item)] if isinstance(value, list | tuple) else []


def _extent(tensor: Any) -> Place:
    """Place of a tensor. Must be quick: it runs while a round is timed."""
    if tensor.is_conj() or tensor.is_neg():  # its memory does not hold its values
        return -1, 0
    return tensor.data_ptr(), tensor.nbytes if tensor.is_contiguous() else placed(tensor).extent


def _are_apart(results: list[list[Place]]) -> bool:
    """True if no two results begin at the same address. Views of one tensor within a result may."""
    places = [place for each in results for place in {start for start, _ in each}]
    return len(set(places)) == len(places)


def _copy(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        if type(value) is not torch.Tensor:
            return value
        if any(n > 1 and not stride for n, stride in zip(value.shape, value.stride(), strict=True)):
            return _copy_of_expanded(value)
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=value.device).copy_(value)
    if isinstance(value, dict):
        return {key: _copy(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        copies = [_copy(each) for each in value]
        return tuple(copies) if isinstance(value, tuple) else copies
    return value


def _copy_of_expanded(value: Any) -> Any:
    """Copy of an expanded tensor that stays expanded: elements that share memory cannot be written one by one."""
    count = placed(value).extent // value.itemsize
    return value.as_strided((count,), (1,)).clone().as_strided(value.shape, value.stride(), 0)


def told(error: Exception) -> str:
    """An exception as its author wants to see it: where in the candidate's file, and what."""
    if isinstance(error, Unsupported | sharing.MalformedTensor):
        return str(error)
    own = str(Path(tempfile.gettempdir()) / FILE)
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename == own]
    places = "".join(f"  line {each.lineno}, in {each.name}: {each.line}\n" for each in frames[-MOST_FRAMES:])
    what = "".join(traceback.format_exception_only(error)).strip()
    return f"{what[:TOLD]}\n{places}".strip()
