"""Harness's end of one candidate process: sends commands, holds the clock, and reads outputs right after the reply."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from math import inf
from statistics import median
from typing import Any

import torch

from maxcode.core import Status
from maxcode.evaluate.failure import Failure
from maxcode.kinds.torch.harness.cores import apart
from maxcode.kinds.torch.harness.frozen_process import Stoppable
from maxcode.kinds.torch.harness.late_input import LateInput
from maxcode.kinds.torch.harness.reading import Memory, Reader, ResultCopies, wait_for
from maxcode.kinds.torch.harness.rounds import NOTHING_AFTERWARDS, Afterwards, Singly, TimedRound
from maxcode.kinds.torch.harness.shared_flags import Say, SharedFlags
from maxcode.kinds.torch.harness.sharing import DTYPES, MalformedTensor, read_placed
from maxcode.kinds.torch.harness.state_parts import Part, batches, contiguous
from maxcode.kinds.torch.harness.values import Layout
from maxcode.kinds.torch.processes.answers import MALFORMED, Profile, failure_told, malformed, number, read_profile
from maxcode.kinds.torch.processes.channel import Channel, Gone, Nonsense, Silence
from maxcode.kinds.torch.processes.settings import HarnessSettings

WARM_SECONDS = 2e-3
CACHES = 2
"""Multiple of the GPU's last cache that is written before the clock runs, so that no input is in it."""


class RemoteModel:
    def __init__(self, channel: Channel, pid: int, settings: HarnessSettings, memory: Memory) -> None:
        self._channel, self.pid = channel, pid
        self._device, self._seconds = settings.device, settings.seconds
        self._process = Stoppable(pid)
        self._inputs, self._outputs = memory
        self._reader = Reader(pid, settings.device, memory, settings.most_bytes)
        self._opening, self._held, self._sealed = False, False, False
        self.until = inf
        """Deadline of the worker's request on the monotonic clock, for all answers together."""
        self._mark = torch.zeros(1, device=self._device)
        unused = CACHES * _cache_size(self._device)
        self._more_than_caches = torch.zeros(unused, dtype=torch.uint8, device=self._device)
        self._flags = SharedFlags()

    def open(self, allocator: str) -> None:
        """Shares memory for inputs, and on a GPU the memory that outputs will be in.

        The answer is read at the next command. On a GPU it takes a while, and other processes can be started meanwhile.
        """
        shared = tuple(each.descriptor for each in (self._inputs, self._outputs, self._flags) if each)
        sizes = {"inputs": self._inputs.size, "outputs": self._outputs.size if self._outputs else 0}
        self._nonce = self._refuse_pending()
        self._send({"command": "open", "nonce": self._nonce, "allocator": allocator, **sizes}, shared)
        self._opening = True

    def _finish_opening(self) -> None:
        if self._opening:
            self._go_on()
            self._opening = False
            found = self._answer()
            bases = self._reader.bases
            bases |= {key: int(found[key]) for key in bases if key in found}

    @property
    def memory(self) -> Any:
        return self._inputs.memory

    def load(self, text: str, name: str, init: Any, seed: int) -> dict[str, Any]:
        """Constructs the model. Returns its parameters and buffers by name."""
        self.start_loading(text, name, init, seed)
        return self.loaded()

    def start_loading(self, text: str, name: str, init: Any, seed: int, *, compiled: bool = False) -> None:
        """Makes the process construct the model, under torch.compile if `compiled`. `loaded` waits for it."""
        layout = Layout(init)
        layout.write(self.memory, 0, init)
        wait_for(self._device)
        self._nonce = self._refuse_pending()
        message = {"text": text, "class": name, "seed": seed, "compile": compiled, "init": layout.words(0)}
        self._send({"command": "load", "nonce": self._nonce, **message})

    def loaded(self) -> dict[str, Any]:
        return self._read_state(self._answer())

    def give(self, weights: dict[str, Any]) -> dict[str, Any]:
        """Loads the weights into parameters and buffers, by name. Returns all parameters and buffers."""
        values = list(weights.values())
        layout = Layout(values)
        layout.write(self.memory, 0, values)
        wait_for(self._device)
        return self._read_state(self.ask("give", names=list(weights), values=layout.words(0)))

    def state(self) -> dict[str, Any]:
        return self._read_state(self.ask("state"))

    def hold(self) -> None:
        """Stops the process until the next command, so that it cannot work unseen on what is written meanwhile.

        Failure if it has processes of its own: they could do that, or keep the other side from working.
        """
        if not self._held:
            self._process.stop()
            self._held = True
            self._process.refuse_helpers()

    def lay_out(self, layout: Layout, slots: int) -> None:
        self.ask("slots", slots=[layout.words(slot) for slot in range(slots)])

    def seal(self) -> None:
        """Forbids the process, on a CPU, to start others: only its own CPU time is counted. Failure if it still may."""
        if self._device == "cuda" or self._sealed:
            return
        self.ask("seal")
        if not self._process.may_start_no_other():
            raise Failure(Status.REJECTED, "its process says that it starts no other, and still may: forged")
        self._sealed = True

    def run(self, first: int, count: int) -> TimedRound:
        self.begin(first, count)
        return self.finish()

    def forget(self) -> None:
        self.ask("forget")

    def profile(self) -> Profile:
        """Profile of one call, as the process itself sees it."""
        return read_profile(self.ask("profile", count=1))

    def begin(self, first: int, count: int) -> None:
        self._calls = count
        self._more_than_caches.fill_(1)
        wait_for(self._device)
        self._nonce = self._refuse_pending()
        self._cpu = self._process.cpu_seconds()
        self._began = time.perf_counter()
        self._send({"command": "run", "first": first, "count": count, "flags": False, "nonce": self._nonce})

    def finish(self) -> TimedRound:
        answer = self._answer()
        return self._finished(answer, self._ended() - self._began)

    def run_by_flags(self, first: int, count: int, write: Callable[[], None], *, warm: bool = True) -> TimedRound:
        """Runs a round like `run`, but starts and ends it by shared flags: a message may take longer than many a call.

        The process waits at a flag and is stopped there while `write` writes its inputs. It goes on when the clock
        runs. With `warm`, it first makes calls on old inputs.
        """
        self._calls = count
        self._flags.reset()
        self._flags.say(Say.SETTLE, 0 if warm else 1)
        self._nonce = self._refuse_pending()
        self._send({"command": "run", "first": first, "count": count, "flags": True, "nonce": self._nonce})
        try:
            time.sleep(WARM_SECONDS if warm else 0)
            self._flags.say(Say.SETTLE, 1)
            self._wait_until(Say.SETTLED, 1)
            self.hold()
            write()
            self._more_than_caches.fill_(1)
            wait_for(self._device)
            self._refuse_done(1)
            self._process.refuse_moved()
            self._flags.say(Say.BEGIN, 1)
            self._cpu, began = self._process.cpu_seconds(), time.perf_counter()
            self._go_on()
            self._wait_until(Say.DONE, 1)
            done = time.perf_counter()
            after = self._stopped(done)
            copies = self._taken()
            self._go_on()
            return self._finished(self._answer(), done - began, after, copies)
        except MALFORMED as error:
            raise malformed(error) from None
        finally:
            self._release()

    def _stopped(self, done: float) -> Afterwards:
        """Stops a process that says that its round is done, and measures how long it could still compute.

        The GPU is checked again once all threads are stopped: a thread that stops late could start work after the first
        check.
        """
        self._process.begin_to_stop()
        gpu = self._idle() - done
        self._process.refuse_helpers()
        self._process.stop()
        stood = time.perf_counter()
        self._process.refuse_helpers()
        return Afterwards(gpu + self._idle() - stood, stood - done)

    def _taken(self) -> ResultCopies:
        """Copies of a round's results, made while the process is stopped and cannot compute any of them."""
        copies = ResultCopies(self._reader, self._device)
        copies.take(self._flags.places())
        self._process.refuse_moved()
        return copies

    def _release(self) -> None:
        """Sets every flag that the process may be waiting for, and lets it go on."""
        for each in (Say.SETTLE, Say.BEGIN, Say.TAKEN):
            self._flags.say(each, self._calls)
        self._go_on()

    def _refuse_done(self, which: int) -> None:
        if self._flags.is_said(Say.DONE, which):
            raise Failure(Status.REJECTED, "its process says that it is done with a call that has not begun: forged")

    def _finished(
        self,
        answer: dict[str, Any],
        wall: float,
        after: Afterwards = NOTHING_AFTERWARDS,
        copies: ResultCopies | None = None,
    ) -> TimedRound:
        self._process.stop()
        cpu = self._process.cpu_seconds() - self._cpu  # work until it is stopped gets into the results
        try:
            self._process.refuse_helpers()
            results, aliases = self._reader.snapshot(answer["results"], self._calls, copies)
            self._process.refuse_moved()
            inner, events = number(answer["inner"]), number(answer["events"])
        except MALFORMED as error:
            raise malformed(error) from None
        finally:
            self._go_on()
        return TimedRound(results, aliases, wall, cpu, inner, events, after)

    def one_by_one(
        self, late_inputs: list[LateInput], sizes: list[list[int]] | None = None, *, idle: bool = False
    ) -> Singly:
        """Makes calls one at a time. The inputs of a call are written when the call before is done, not earlier.

        A result is copied as soon as it is said to be done, so that work that still goes on does not get into the copy.
        """
        self._calls = len(late_inputs)
        self._flags.reset()
        self._nonce = self._refuse_pending()
        self._send({"command": "one_by_one", "count": self._calls, "idle": idle, "nonce": self._nonce})
        copies = ResultCopies(self._reader, self._device)
        try:
            with apart(self.pid):
                taken = [
                    self._one(which, late_input, copies, sizes[which - 1] if sizes else None)
                    for which, late_input in enumerate(late_inputs, 1)
                ]
            answer = self._answer()
            self._process.stop()
            results, aliases = self._reader.snapshot(answer["results"], self._calls, copies)
        except MALFORMED as error:
            raise malformed(error) from None
        finally:
            self._release()
        return Singly(results, aliases, median(taken[1:] or taken))  # the first waited for the message

    def _one(self, which: int, late_input: LateInput, copies: ResultCopies, sizes: list[int] | None) -> float:
        late_input.put(self.memory)
        wait_for(self._device)
        self._flags.say(Say.SETTLE, which)
        self._wait_until(Say.SETTLED, which)
        late_input.put_last()
        wait_for(self._device)
        self._refuse_done(which)
        began = time.perf_counter()
        self._flags.say(Say.BEGIN, which)
        self._wait_until(Say.DONE, which)
        seconds = time.perf_counter() - began
        copies.take(self._flags.places(), sizes, at_once=True)
        self._flags.say(Say.TAKEN, which)
        return seconds

    def _wait_until(self, what: Say, which: int) -> None:
        began = time.monotonic()
        until = min(began + self._seconds, self.until)
        while not self._flags.is_said(what, which):
            if self._channel.pending and not self._flags.is_said(what, which):  # else it is the final answer
                self._answer()
                raise Failure(Status.REJECTED, "its process says that it is done with calls that it was not asked for")
            if time.monotonic() > until:
                raise Failure(Status.TIMEOUT, self._too_slow(self.until - began))

    def ask(self, command: str, **message: Any) -> dict[str, Any]:
        self._nonce = self._refuse_pending()
        self._send({"command": command, "nonce": self._nonce, **message})
        return self._answer()

    def close(self) -> None:
        self._channel.close()
        self._flags.close()

    def _send(self, message: dict[str, Any], descriptors: tuple[int, ...] = ()) -> None:
        try:
            self._channel.send(message, descriptors)
        except Gone:
            raise Failure(Status.CRASHED, "its process ended") from None
        if self._held:
            self._process.refuse_moved()
            self._go_on()

    def _answer(self) -> dict[str, Any]:
        left = self.until - time.monotonic()
        try:
            answer = self._channel.receive(max(min(self._seconds, left), 0.0))
        except Silence:
            raise Failure(Status.TIMEOUT, self._too_slow(left)) from None
        except Gone:
            raise Failure(Status.CRASHED, "its process ended before it answered") from None
        except Nonsense as error:
            raise Failure(Status.REJECTED, f"its process sent {error}: forged answers are not accepted") from None
        if answer.get("nonce") != self._nonce:
            raise Failure(Status.REJECTED, "its process sent an answer that was not asked for: forged")
        if "error" in answer:
            raise failure_told(str(answer.get("kind")), str(answer["error"]))
        return answer

    def _too_slow(self, left: float) -> str:
        if left < self._seconds:
            return "took too long in all, although each answer came within the time limit"
        limit = f"{self._seconds:g} s (seconds under [limits])"
        return f"gave no answer within the time limit of {limit}; what it compiles when it runs counts too"

    def _ended(self) -> float:
        """Time at which the calls were done.

        On a GPU the reply does not tell: the process may not have waited for its kernels. So a kernel of ours is run.
        It ends once the GPU is idle. Or the GPU switches to it from kernels that still run, which takes longer than
        most rounds; then outputs are read before they are written.
        """
        return self._channel.arrived if self._device != "cuda" else self._idle()

    def _idle(self) -> float:
        """Time at which the device had finished all work."""
        if self._device == "cuda":
            self._mark.fill_(1)
            torch.cuda.synchronize()
        return time.perf_counter()

    def _refuse_pending(self) -> str:
        self._finish_opening()
        if self._channel.pending:
            if self._has_ended():
                raise Failure(Status.CRASHED, "its process ended")
            raise Failure(Status.REJECTED, "its process sent an answer before it was asked: forged")
        return secrets.token_hex(8)

    def _has_ended(self) -> bool:
        try:
            return self._channel.receive(0.01) is None
        except (Gone, Silence):
            return True
        except Nonsense:
            return False

    def _read_state(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Parameters and buffers, read in pieces of WEIGHTS_AT_ONCE bytes: they may be larger than the shared
        memory."""
        try:
            told = {str(name): read_placed(words) for name, words in answer["state"].items()}
            self._reader.refuse_too_much([contiguous(each) for each in told.values()])
            state = {
                name: torch.empty(each.shape, dtype=DTYPES[each.dtype], device=self._device)
                for name, each in told.items()
            }
        except MALFORMED as error:
            raise malformed(error) from None
        except torch.OutOfMemoryError:
            raise Failure(Status.CRASHED, "out of memory: the GPU has no room for its weights") from None
        for parts in batches({name: each for name, each in state.items() if each.numel()}):
            self._read_weights(parts, state)
        return state

    def _read_weights(self, parts: list[Part], state: dict[str, Any]) -> None:
        answer = self.ask("weights", parts=parts)
        self._process.stop()
        try:
            for (name, first, count), words in zip(parts, answer["weights"], strict=True):
                found = read_placed(words)
                if found.shape != (count,) or DTYPES[found.dtype] != state[name].dtype:
                    raise MalformedTensor(f"a piece of '{name}' is not what was asked for")
                state[name].view(-1)[first : first + count] = self._reader.copy(found)
        except MALFORMED as error:
            raise malformed(error) from None
        finally:
            self._go_on()

    def _go_on(self) -> None:
        self._held = False
        self._process.go_on()


def _cache_size(device: str) -> int:
    """Bytes of a GPU's last cache; 0 on a CPU, where new inputs are in the caches of both sides alike."""
    return int(torch.cuda.get_device_properties(device).L2_cache_size) if device == "cuda" else 0
