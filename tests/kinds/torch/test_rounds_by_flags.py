"""Rounds that begin and end by shared memory, of a real process: what can be gained by forging them, and what not."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.core import Status  # noqa: E402
from maxcode.evaluate.failure import Failure  # noqa: E402
from maxcode.kinds.torch.harness.cores import apart, can_be_apart  # noqa: E402
from maxcode.kinds.torch.harness.model_process import ModelProcess  # noqa: E402
from maxcode.kinds.torch.harness.reading import Reader  # noqa: E402
from maxcode.kinds.torch.harness.rounds import TimedRound  # noqa: E402
from maxcode.kinds.torch.harness.values import Layout  # noqa: E402
from tests.kinds.torch.processes import called, inputs, process_with  # noqa: E402

pytestmark = pytest.mark.long


def in_a_row(
    model_process: ModelProcess,
    *values: float,
    warm: bool = True,
    meanwhile: Callable[[], object] = lambda: None,
) -> TimedRound:
    """A round; something is done while the process is stopped for its inputs."""
    layout = Layout(inputs(0))

    def write() -> None:
        model_process.write(layout, [inputs(value) for value in values])
        meanwhile()

    return model_process.remote.run_by_flags(0, len(values), write, warm=warm)


def state_of(model_process: ModelProcess) -> str:
    return Path(f"/proc/{model_process.remote.pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_a_round_begins_and_ends_by_flags() -> None:
    with process_with("return x * 2") as model_process:
        for values in ([1, 2, 3], [4, 5]):
            found = in_a_row(model_process, *values)
            assert [each[0, 0].item() for each in found.results] == [2 * each for each in values]
            model_process.remote.forget()


def test_the_process_stands_still_while_the_inputs_of_a_round_are_written() -> None:
    state: list[str] = []
    with process_with("return x * 2") as model_process:
        in_a_row(model_process, 1, 2, meanwhile=lambda: state.append(state_of(model_process)))
    assert state == ["T"]


def test_the_seconds_of_a_round_are_those_of_its_calls() -> None:
    with process_with("time.sleep(0.02 if x[0, 0] else 0.001)\nreturn x * 2") as model_process:
        found = in_a_row(model_process, 1, 2, 3)
    assert 0.06 <= found.wall < 0.12
    assert found.wall == pytest.approx(found.inner, abs=0.02)


def test_what_goes_wrong_in_a_round_is_told_and_the_process_waits_for_nobody() -> None:
    with process_with("if x[0, 0] == 2:\n    raise ValueError('no such row')\nreturn x * 2") as model_process:
        with pytest.raises(Failure, match="no such row"):
            in_a_row(model_process, 1, 2, 3)
        assert called(model_process, 3, 4) == [6, 8]


FORGED = """
import gc
from maxcode.kinds.torch.harness.shared_flags import SharedFlags, Say
if x[0, 0]:
    (flags,) = (each for each in gc.get_objects() if isinstance(each, SharedFlags))
    {forged}
    flags.say(Say.DONE, 1)
    time.sleep(0.05)
return x * 2
"""


@pytest.mark.parametrize("forged", ["pass", "flags.place([(x.data_ptr(), 128)])", "flags.place([(-8, 128)])"])
def test_what_is_computed_after_a_round_is_said_to_be_done_does_not_count(forged: str) -> None:
    with process_with(FORGED.format(forged=forged)) as model_process, pytest.raises(Failure) as failure:
        in_a_row(model_process, 1, 2)
    assert failure.value.status is Status.REJECTED


def test_a_result_that_is_made_after_its_round_is_said_to_be_done_is_not_read() -> None:
    early = "out = torch.zeros_like(x)\nself.kept[len(self.kept)] = out\n"
    early += FORGED.format(forged="flags.place([(out.data_ptr(), 128)])").replace("return x * 2", "return out.copy_(x)")
    with process_with(early) as model_process:
        assert in_a_row(model_process, 3).results[0][0, 0] == 0


LATE = """
import ctypes, gc
from maxcode.kinds.torch.harness.shared_flags import SharedFlags, Say
if not self.kept:
    (flags,) = (each for each in gc.get_objects() if isinstance(each, SharedFlags))
    def work():
        self.kept['go'].wait()
        self.kept['go'].clear()
        flags.say(Say.DONE, 1)
        until = time.perf_counter() + 0.01
        while time.perf_counter() < until: pass
        self.kept['job'][1].copy_(self.kept['job'][0] * 2)
    self.kept |= {'go': threading.Event(), 'flags': flags, 'libc': ctypes.CDLL(None)}
    threading.Thread(target=work, daemon=True).start()
flags, libc = self.kept['flags'], self.kept['libc']
if not flags.is_said(Say.BEGIN, 1):
    return x * 2
out = torch.zeros_like(x)
flags.place([(out.data_ptr(), out.nbytes)])
self.kept['job'] = x, out
size = ctypes.c_size_t(256 << 20)
libc.mmap.restype = ctypes.c_void_p
memory = ctypes.c_void_p(libc.mmap(None, size, 1, 0x4022, -1, ctypes.c_long(0)))
self.kept['go'].set()
libc.madvise(memory, size, 22)  # reads all of it; a signal waits until that is done
libc.munmap(memory, size)
return out
"""


def test_what_is_computed_before_a_process_stands_still_is_seen() -> None:
    with process_with("return x * 2") as honest, process_with(LATE) as late:
        usual, found = in_a_row(honest, 3).after, in_a_row(late, 3)
    if found.results[0][0, 0] == 6:  # it was late to stop, and came to its end meanwhile
        assert found.after.still - usual.still > 0.005


def test_a_helper_that_is_there_when_a_round_is_said_to_be_done_is_seen() -> None:
    helped = FORGED.format(forged="if not os.fork(): time.sleep(0.2); os._exit(0)").replace("0.05", "1")
    with process_with(helped) as model_process, pytest.raises(Failure, match="1 processes that it started"):
        in_a_row(model_process, 3)


def test_a_helper_that_was_started_between_rounds_is_seen_before_others_are_timed() -> None:
    later = "if x[0, 0] and not self.kept:\n    self.kept[0] = threading.Timer(0.3, lambda: os.fork() or time.sleep(9))"
    with process_with(later + "\n    self.kept[0].start()\nreturn x * 2") as model_process:
        in_a_row(model_process, 3)
        time.sleep(1)
        with pytest.raises(Failure, match="1 processes that it started"):
            model_process.remote.hold()


def test_results_of_any_kind_are_read_after_a_round() -> None:
    several = "y = x * 2\nconjugate = torch.complex(x, x).conj()\n"
    several += "return {'views': [y, y[0], y.T], 'none': x[:0], 'conjugate': conjugate, 'n': 3}"
    with process_with(several) as model_process:
        a, b = in_a_row(model_process, 1, 2).results
    for each, value in ((a, 1), (b, 2)):
        assert [view.shape for view in each["views"]] == [(4, 8), (8,), (8, 4)]
        assert {view.flatten()[0].item() for view in each["views"]} == {2 * value}
        assert each["conjugate"][0, 0].item() == complex(value, -value)
        assert (each["none"].shape, each["n"]) == ((0, 8), 3)


TABLE = """
import gc
from maxcode.kinds.torch.harness.shared_flags import SharedFlags, Say
made = [x * 0 + i for i in range(9)]
self.kept[len(self.kept)] = made
if x[0, 0] and len(self.kept) > 1:
    (flags,) = (each for each in gc.get_objects() if isinstance(each, SharedFlags))
    flags.place([(each.data_ptr(), each.nbytes) for each in made])
    flags.say(Say.DONE, 1)
    time.sleep(0.02)
return made[int(x[0, 0]) * 2]
"""


def test_results_are_not_chosen_after_the_round_is_said_to_be_done() -> None:
    """From all that could come out, told before anything is computed."""
    with process_with(TABLE) as model_process, pytest.raises(Failure, match="not where they were said to be"):
        in_a_row(model_process, 3)


def test_results_may_not_change_places_after_the_round_is_said_to_be_done() -> None:
    swapped = "from maxcode.kinds.torch.harness.shared_flags import SharedFlags\n"
    swapped += "honest = self.kept.setdefault('place', SharedFlags.place)\n"
    swapped += "SharedFlags.place = lambda flags, places: honest(flags, places[::-1])\nreturn x * 2"
    with process_with(swapped) as model_process, pytest.raises(Failure, match="not where they were said to be"):
        in_a_row(model_process, 1, 2)


WOKEN = """
import ctypes, signal
if 'timer' not in self.kept:
    signal.signal(signal.SIGCONT, lambda *_: None)
    class Event(ctypes.Structure):
        _fields_ = [("value", ctypes.c_void_p), ("signal", ctypes.c_int), ("rest", ctypes.c_byte * 52)]
    libc, timer = ctypes.CDLL(None), ctypes.c_void_p()
    assert libc.timer_create(1, ctypes.byref(Event(None, signal.SIGCONT)), ctypes.byref(timer)) == 0
    self.kept['timer'] = libc
    libc.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 50_000_000, 0, 50_000_000), None)
return x * 2
"""


def test_a_process_that_has_itself_woken_while_its_inputs_are_written_is_refused() -> None:
    with process_with(WOKEN) as model_process, pytest.raises(Failure, match="went on while it was stopped"):
        in_a_row(model_process, 1, 2, meanwhile=lambda: time.sleep(0.2))


CHILD = """
if not self.kept:
    self.kept[0] = os.fork()
    if not self.kept[0]:
        time.sleep(30)
        os._exit(0)
return x * 2
"""


def test_a_helper_that_was_started_in_a_warm_call_is_seen_before_inputs_are_written() -> None:
    written: list[bool] = []
    with process_with(CHILD) as model_process, pytest.raises(Failure, match="1 processes that it started"):
        in_a_row(model_process, 1, 2, meanwhile=lambda: written.append(True))
    assert not written


def test_no_call_is_made_before_a_round_that_is_not_to_be_warm() -> None:
    with process_with("self.kept[len(self.kept)] = x\nreturn x * 0 + len(self.kept)") as model_process:
        first = in_a_row(model_process, 1, 2, warm=False).results
        model_process.remote.forget()
        later = in_a_row(model_process, 1, 2).results
    assert [each[0, 0].item() for each in first] == [1, 2]
    assert later[0][0, 0] > 3


def test_a_process_that_has_ended_is_told_as_such() -> None:
    with process_with("return x * 2") as model_process:
        os.kill(model_process.remote.pid, signal.SIGKILL)
        os.waitpid(model_process.remote.pid, 0)
        assert can_be_apart(model_process.remote.pid)
        with apart(model_process.remote.pid), pytest.raises(Failure, match="ended") as failure:
            in_a_row(model_process, 1, 2)
    assert failure.value.status is Status.CRASHED


def test_a_process_that_ends_while_it_is_stopped_is_told_as_such() -> None:
    with process_with("return x * 2") as model_process, pytest.raises(Failure, match="ended") as failure:
        in_a_row(model_process, 1, 2, meanwhile=lambda: os.kill(model_process.remote.pid, signal.SIGKILL))
    assert failure.value.status is Status.CRASHED


def test_each_byte_of_views_is_copied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[int] = []
    honest = Reader.copy
    monkeypatch.setattr(Reader, "copy", lambda self, each: copied.append(each.extent) or honest(self, each))  # type: ignore[func-returns-value]
    with process_with("y = x * 2\nreturn y.unbind(-1)") as model_process:
        a, b = in_a_row(model_process, 1, 2).results
    assert [each.tolist() for each in a] == [[2.0] * 4] * 8 and b[7][0] == 4
    assert sum(copied) <= 2 * 4 * 8 * 4
