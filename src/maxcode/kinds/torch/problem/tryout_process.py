"""The process behind `tryout`: reads questions, one JSON object per line, forks for each, and answers in kind."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from maxcode.kinds.torch.problem.memory import Footprint, too_large
from maxcode.system.children import die_with_parent

LONGEST_REPLY = 1 << 16
FILE = "problem.py"
HELLO_SECONDS = 60.0
BRIEF, FURTHER_CALLS = 1.0, 3
"""A call of less than this many seconds is repeated so many times, for its time: the first calls find caches cold."""
ASKED_FOR_A_GPU = ("Torch not compiled with CUDA", "Found no NVIDIA driver", "No CUDA GPUs are available")
NO_GPU = '; there is no GPU here. Leave device="cuda" out: a problem is moved to where it runs'


def main() -> None:
    try:
        import torch
    except Exception as error:
        _answer({"problem": _in_words(error)})
        return
    torch.set_num_threads(1)  # as a task has by default
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the asker gets the signal too, and ends this process
    for line in sys.stdin.buffer:
        _answer(_forked({"seconds": HELLO_SECONDS, **json.loads(line)}))


def _answer(answer: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
    sys.stdout.buffer.flush()


def _forked(question: dict[str, Any]) -> dict[str, Any]:
    """Answers a question in a process group of its own, which is killed at the end, also when the asker closes its
    end."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        _child(question, writable)
    os.close(writable)
    reply = _read(readable, question["seconds"])
    os.close(readable)
    for target in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            target(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if reply is None:
        return {"problem": f"takes more than {question['seconds']:g} s"}
    with contextlib.suppress(ValueError):
        return dict(json.loads(reply))
    return {"problem": f"its process died ({_end(status)})"}


def _read(readable: int, seconds: float) -> bytes | None:
    """Everything that is written; None if that takes too long or the asker does not wait any more."""
    data, deadline = b"", time.monotonic() + seconds
    while len(data) < LONGEST_REPLY:
        ready, _, _ = select.select([readable, sys.stdin], [], [], max(deadline - time.monotonic(), 0))
        if readable not in ready:  # too late, or the asker closed its end
            return None
        part = os.read(readable, LONGEST_REPLY)
        if not part:
            break
        data += part
    return data


def _end(status: int) -> str:
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"exit code {os.WEXITSTATUS(status)}"


def _child(question: dict[str, Any], writable: int) -> None:
    die_with_parent()
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    try:
        reply = _tried(question) if "text" in question else _hello()
    except BaseException as error:  # SystemExit too: it is the problem's answer
        reply = {"problem": _in_words(error)}
    os.write(writable, json.dumps(reply).encode())
    os._exit(0)


def _hello() -> dict[str, Any]:
    """Version of torch, and the device. Asked in a fork too: CUDA started before a fork is useless after it."""
    import torch

    return {"torch": torch.__version__, "device": "cuda" if torch.cuda.is_available() else "cpu"}


def _in_words(error: BaseException) -> str:
    """Description of an error, with the last line of the problem that was reached."""
    text = " ".join(str(error).split())
    lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == FILE]
    words = f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__
    words = f"{words} (line {lines[-1]})" if lines else words
    return words + NO_GPU if any(each in text for each in ASKED_FOR_A_GPU) else words


def _tried(question: dict[str, Any]) -> dict[str, Any]:
    import torch

    from maxcode.kinds.torch.harness.memory_use import allocated
    from maxcode.kinds.torch.harness.trials import LoadedProblem

    device = question["device"]
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu":
        _bound_memory(question["memory_mb"])
    names: dict[str, Any] = {"__name__": "problem"}
    exec(compile(question["text"], FILE, "exec"), names)
    torch.manual_seed(1)
    model = names["Model"](*_listed(names, "get_init_inputs"))
    model = model.to(device) if hasattr(model, "to") else model
    first, second = (_drawn(names, device) for _ in range(2))
    with torch.no_grad():
        given = _cloned(first)
        before = allocated(device)
        result = _tensors(_called(model, given))
        peak = allocated(device, most=True) - before
        copies = [each.clone() for each in result]
        del result
        again, seconds = _timed(model, first)
        further = FURTHER_CALLS if seconds < BRIEF else 0
        seconds = min([seconds, *(_timed(model, first)[1] for _ in range(further))])
        other = _tensors(_called(model, _cloned(second)))
    own = [*model.parameters(), *model.buffers()] if isinstance(model, torch.nn.Module) else []
    if not copies:
        return {"problem": "its model returns no tensor"}
    if not _close(_tensors(first), _tensors(given), 0.0):
        return {"problem": "its model changes its inputs; let forward work on new tensors instead"}
    if device == "cuda":
        call = Footprint(_bytes(_tensors(first)), _bytes(copies), _bytes(own), peak)
        if reason := too_large(call, torch.cuda.mem_get_info()[1]):
            return {"problem": reason}
    problem = LoadedProblem(question["text"], FILE, device)
    return {
        "device": device,
        "fixed": len(problem.fixed) if own else 0,
        "varied": not own or bool(problem.varied) or not problem.fixed,
        "inputs": sum(each.numel() for each in _tensors(first)),
        "outputs": sum(each.numel() for each in copies),
        "parameters": sum(each.numel() for each in own),
        "megabytes": _bytes([*_tensors(first), *copies, *own]) >> 20,
        "seconds": seconds,
        "steady": _close(copies, again, 1e-2),
        "draws": "same" if _close(_tensors(first), _tensors(second), 0.0) else "differ",
        "answers": "same" if _close(copies, other, 1e-7) else "alike" if _close(copies, other, 1e-4) else "differ",
    }


def _bytes(tensors: list[Any]) -> int:
    return sum(each.numel() * each.element_size() for each in tensors)


def _bound_memory(megabytes: int) -> None:
    """Limits the address space, on top of what torch has mapped already."""
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    limit = mapped + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _listed(names: dict[str, Any], function: str) -> Any:
    found = names[function]()
    if not isinstance(found, list | tuple):
        raise TypeError(f"{function} returns a {type(found).__name__}; let it return a list of arguments")
    return found


def _drawn(names: dict[str, Any], device: str) -> list[Any]:
    """Inputs, drawn on the device itself where the problem allows it: gigabytes take half a minute on a CPU."""
    import torch

    if device != "cpu":
        with contextlib.suppress(RuntimeError), torch.device(device):
            return _moved(_listed(names, "get_inputs"), device)
    return _moved(_listed(names, "get_inputs"), device)


def _timed(model: Any, inputs: list[Any]) -> tuple[list[Any], float]:
    given = _cloned(inputs)
    start = time.perf_counter()
    outputs = _tensors(_called(model, given))
    return outputs, time.perf_counter() - start


def _called(model: Any, inputs: list[Any]) -> Any:
    import torch

    result = model(*inputs)
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return result


def _cloned(inputs: list[Any]) -> list[Any]:
    import torch

    return [each.clone() if isinstance(each, torch.Tensor) else each for each in inputs]


def _moved(inputs: Any, device: str) -> list[Any]:
    import torch

    return [each.to(device) if isinstance(each, torch.Tensor) else each for each in inputs]


def _tensors(value: Any) -> list[Any]:
    import torch

    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [found for each in value for found in _tensors(each)] if isinstance(value, list | tuple) else []


def _close(first: list[Any], second: list[Any], tolerance: float) -> bool:
    return len(first) == len(second) and all(_alike(a, b, tolerance) for a, b in zip(first, second, strict=True))


def _alike(a: Any, b: Any, tolerance: float) -> bool:
    import torch

    if a.shape != b.shape or not (a.is_floating_point() or a.is_complex()):
        return bool(torch.equal(a, b))
    return bool(torch.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True))


if __name__ == "__main__":
    main()
