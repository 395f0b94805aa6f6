"""docs/security.md: lists and numbers are those of the code."""

from __future__ import annotations

import re

import pytest

from maxcode.evaluate.sandbox.protections import Isolation
from maxcode.evaluate.sandbox.sandbox import FIRST_UID
from tests.docs.walk import DOCS, ROOT

PAGE = (DOCS / "security.md").read_text()
EVALUATE = ROOT / "src/maxcode/evaluate"
WORDS = {
    "tracing": "ptrace",
    "reading other processes": "process_vm_readv",
    "sockets": "socket",
    "mounts": "mount",
    "namespaces": "unshare",
    "bpf": "bpf",
    "perf events": "perf_event_open",
    "userfaultfd": "userfaultfd",
    "keyrings": "keyctl",
    "io_uring": "io_uring_setup",
    "modules": "init_module",
    "changing clocks": "clock_settime",
}


def called(name: str) -> set[str]:
    (found,) = re.findall(rf"{name}\[\] = \{{(.*?)\}};", (EVALUATE / "native/filter.h").read_text(), re.DOTALL)
    return set(re.findall(r"__NR_(\w+)", found))


@pytest.mark.parametrize(("word", "call"), WORDS.items())
def test_what_is_said_to_be_forbidden_is(word: str, call: str) -> None:
    (said,) = re.findall(r"verdict \(`system call socket is not allowed`\):(.*?); also", PAGE, re.DOTALL)
    assert word in " ".join(said.split())
    assert call in called("forbidden_calls")


def test_what_is_said_to_be_refused_is() -> None:
    assert {"sched_setaffinity", "setpriority", "sched_setscheduler"} <= called("refused_calls")


def test_numbers_of_the_sandbox_are_right() -> None:
    sandbox = (EVALUATE / "sandbox/sandbox.py").read_text()
    assert f"({FIRST_UID} and up)" in PAGE
    assert "memory_mb + files + 16" in sandbox and "`memory_mb` + 16" in PAGE
    assert "64 + 8 * len" in sandbox and "64 + 8 per CPU" in PAGE
    (names,) = re.findall(r"basic = \{(.*?)\}", (EVALUATE / "sandbox/running.py").read_text())
    for name in (*re.findall(r'"([A-Z]+)":', names), "OMP_NUM_THREADS"):
        assert f"`{name}`" in PAGE


def test_every_isolation_has_its_line() -> None:
    assert [each.value for each in Isolation if f"| `{each.value}` |" not in PAGE] == []


def test_the_corpus_is_as_large_as_said() -> None:
    programs = [path.name for path in (ROOT / "tests/adversarial/programs").iterdir() if path.is_file()]
    controls = [name for name in programs if name.startswith("control_")]
    assert f"holds {len(programs) - len(controls)} programs" in PAGE
    assert len(controls) == 5 and "five honest ones" in PAGE
