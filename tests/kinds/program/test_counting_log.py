"""What valgrind says is believed when it is whole, alone, and borne out by the clock."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from maxcode.core import Status
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.measure.pairs import Timing
from maxcode.evaluate.profile.valgrind import _found, without_requests
from maxcode.kinds.program import counting
from maxcode.kinds.program.counting import borne_out
from maxcode.kinds.program.counting_log import PREAMBLES, makes_requests, read_log, valgrind_log

BEGUN = b"==7== Cachegrind, a cache profiler\n==7== Command: /box/program I refs\n==7== Parent PID: 1\n==7== \n"
COUNTED = b"==7== \n==7== I   refs:      60,104,220\n"


def test_a_whole_log_has_one_count() -> None:
    assert read_log(BEGUN + COUNTED) == [60104220]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        BEGUN,
        COUNTED,
        BEGUN + b"==1== I   refs:      5\n",
        BEGUN + COUNTED + b"==7== \n",
        BEGUN + b"I   refs:      5\n" + COUNTED,
        BEGUN + BEGUN + COUNTED,
        BEGUN + b"\n" + COUNTED,
        BEGUN + b"==8== a word\n" + COUNTED,
    ],
    ids=[
        *("nothing", "no ending", "no beginning", "of another", "something after it", "a second one", "begun twice"),
        *("an empty line", "a stranger"),
    ],
)
def test_anything_else_is_not_believed(text: bytes) -> None:
    assert read_log(text) is None


def test_child_processes_have_counts_of_their_own() -> None:
    assert read_log(BEGUN + b"==9== I   refs:      5\n" + COUNTED) == [5, 60104220]


def test_what_is_written_to_the_log_stays_there() -> None:
    with valgrind_log() as log:
        writer = os.open(log.folder / Path(log.inside).name, os.O_WRONLY)
        os.write(writer, BEGUN + COUNTED)
        for forget in (lambda: os.lseek(writer, 0, os.SEEK_SET), lambda: os.ftruncate(writer, 0)):
            with pytest.raises(OSError, match=r"seek|Invalid"):
                forget()
        os.close(writer)
        assert log.instructions("here", several=False) == 60104220


def test_a_second_count_is_the_candidates_fault() -> None:
    with valgrind_log() as log:
        (log.folder / Path(log.inside).name).write_bytes(BEGUN + b"==9== I   refs:      5\n" + COUNTED)
        with pytest.raises(Failure, match="valgrind's own ending") as failure:
            log.instructions("here", several=False)
    assert failure.value.status is Status.REJECTED


def test_a_count_that_hides_the_one_behind_it_is_not_believed() -> None:
    forged = b"==7== I   refs:      5\n"
    with valgrind_log() as log:
        padding = b"==7== \n" * ((1 << 16) // 7)
        (log.folder / Path(log.inside).name).write_bytes(BEGUN + padding + forged + COUNTED)
        with pytest.raises(Failure, match="valgrind's own ending"):
            log.instructions("here", several=False)


def test_a_pipe_without_room_for_valgrinds_count_is_not_believed() -> None:
    with valgrind_log() as log:
        writer = os.open(log.folder / Path(log.inside).name, os.O_WRONLY | os.O_NONBLOCK)
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 1 << 12)
        os.write(writer, BEGUN + b"==7== I   refs:      5\n")
        with pytest.raises(BlockingIOError):
            os.write(writer, b" " * 4096)
        os.close(writer)
        with pytest.raises(Failure, match="valgrind's own ending"):
            log.instructions("here", several=False)


@pytest.mark.parametrize("preamble", PREAMBLES)
def test_requests_are_found_at_any_place(preamble: bytes, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"x" * 1001 + preamble + b"y")
    assert makes_requests(program)
    program.write_bytes(b"x" * 1001 + preamble[:8] + b"y" + preamble[8:])
    assert not makes_requests(program)


def comparison(jump: bytes) -> bytes:
    """As a compiler has it: each byte compared, and a jump away where it differs."""
    values = bytes.fromhex("48c1c70348c1c70d48c1c73d48c1c733")
    return b"".join(b"\x80\x78" + bytes([place, value]) + jump for place, value in enumerate(values))


@pytest.mark.parametrize(
    ("jump", "always"), [(b"\x0f\x85\x11\x22\x33\x44", b"\x90\xe9\x11\x22\x33\x44"), (b"\x75\x20", b"\xeb\x20")]
)
def test_a_tool_is_made_deaf_by_its_last_jump(jump: bytes, always: bytes) -> None:
    code = b"before" + comparison(jump) + b"after"
    assert without_requests(code) == code.replace(jump + b"after", always + b"after")


def test_a_tool_that_is_not_understood_is_left_alone() -> None:
    assert without_requests(b"nothing of the kind") is None
    assert without_requests(comparison(b"\x75\x20") * 2) is None


@pytest.mark.skipif(shutil.which("valgrind") is None or os.uname().machine != "x86_64", reason="needs valgrind")
def test_the_tool_of_this_machine_is_made_deaf() -> None:
    tool = _found()[1].read_bytes()
    deaf = without_requests(tool)
    assert deaf is not None
    assert sum(one != other for one, other in zip(tool, deaf, strict=True)) <= 2


class Clock:
    """Pairs that always take as long."""

    def __init__(self, before: float, after: float) -> None:
        self._pair = (Timing(before, before), Timing(after, after))

    def exclusive(self, candidate_first: bool) -> tuple[Timing, Timing]:  # noqa: ARG002
        return self._pair


@pytest.mark.parametrize(
    ("before", "after", "ratio", "believed"),
    [
        (0.101, 0.101, 2.9, 2.9),
        (0.101, 0.051, 5.0, 5.0),
        (0.0065, 0.0020, 13.0, 13.0),
        (0.0065, 0.0020, 9175.0, 14.25),
        (0.101, 0.001, 100000.0, 1503.0),
        (0.0009, 0.0024, 2.0, 1.0),
    ],
    ids=["within reason", "half the time", "short and honest", "short and forged", "nothing left", "no time at all"],
)
def test_a_ratio_is_believed_as_far_as_the_clock_bears_it_out(
    before: float, after: float, ratio: float, believed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "_seconds_to_start", lambda *_: 0.0008)
    given: Any = None
    clock: Any = Clock(before, after)
    assert borne_out(given, given, clock, ratio) == pytest.approx(believed)


@pytest.mark.parametrize(
    ("before", "after", "ratio"),
    [(0.101, 0.101, 58.0), (0.101, 0.051, 12.0), (0.0065, 0.0065, 24.6), (0.101, 0.120, 1.2), (0.011, 0.1, 2.23)],
    ids=["native", "twelve times", "short", "a little slower", "by the kernel"],
)
def test_a_ratio_that_the_clock_contradicts_is_refused(
    before: float, after: float, ratio: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "_seconds_to_start", lambda *_: 0.0008)
    given: Any = None
    clock: Any = Clock(before, after)
    with pytest.raises(Failure, match="counts and the clock disagree"):
        borne_out(given, given, clock, ratio)
