"""What a candidate may not contain: seen in its text, and in the symbols of the linked program."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maxcode.core import Candidate, Language
from maxcode.evaluate.rules import (
    FORBIDDEN_MODULES,
    LARGEST_TEXT,
    check_symbols,
    check_text,
    read_symbols,
    strip_comments_and_strings,
)
from maxcode.task import Task
from maxcode.task.kind import kind_named

BASELINES = {Language.C: "main.c", Language.CPP: "main.cpp", Language.PYTHON: "main.py"}


def make_task(folder: Path, language: Language = Language.CPP, **rules: Any) -> Task:
    name = BASELINES[language]
    (folder / name).write_text("")
    return Task.model_validate(
        {
            "name": "t",
            "kind": "program",
            "language": language,
            "baseline": name,
            "folder": folder,
            "tests": {"public": "tests"},
            "workloads": [{"name": "w", "input": "i"}],
            "rules": rules,
        }
    )


def make_kernel(folder: Path) -> Task:
    """A task whose programs share their process with our driver."""
    (folder / "main.c").write_text("")
    return Task.model_validate(
        {
            "name": "k",
            "kind": "kernel",
            "language": "c",
            "baseline": "main.c",
            "folder": folder,
            "kernel": {
                "function": "f",
                "arguments": [{"name": "n", "type": "int"}, {"name": "y", "type": "int", "role": "out", "shape": "n"}],
                "shapes": {"public": [{"n": 1}], "hidden": [{"n": 2}], "timed": [{"n": 3}]},
            },
        }
    )


DRIVER = """
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    struct timespec t;
    clock_gettime(0, &t);
    return !mmap(0, 1, 0, 0, 3, 0) + read(3, &t, 1) + write(4, &t, 1);
}
"""


def kernel(folder: Path, text: str) -> bytes:
    """A kernel's program, driver and candidate compiled apart."""
    (folder / "driver.c").write_text(DRIVER)
    return compiled(folder, text, "-fno-builtin", str(folder / "driver.c"))


def broken(folder: Path, text: str, language: Language = Language.CPP, **rules: Any) -> str | None:
    task = make_task(folder, language, **rules)
    return check_text(task, task.candidate(text))


@pytest.mark.parametrize(
    "text",
    [
        "int main() { return 0; }",
        "#include <vector>\n#include <bits/stdc++.h>\n  #  include <immintrin.h>\n",
        '#include "helper.h"\n',
        '#pragma GCC optimize("O3")\n',
        'const char *s = "#include </etc/passwd>";',
    ],
)
def test_honest_text_breaks_no_rule(tmp_path: Path, text: str) -> None:
    assert broken(tmp_path, text) is None


@pytest.mark.parametrize(
    "text",
    [
        "#include </etc/passwd>",
        '#include "/etc/passwd"',
        '#include "../tests/hidden/input.0.txt"',
        "#include <a/../../b>",
        '#include "~/.ssh/id"',
        '  #\tinclude "/etc/passwd"',
        '#include/**/"/etc/passwd"',
        '/**/#/**/include "/etc/passwd"',
        '#include_next "/etc/passwd"',
        '#inc\\\nlude "/etc/passwd"',
        'int x;\n#include "/etc/passwd"\nint y;',
    ],
)
def test_include_from_outside_is_refused(tmp_path: Path, text: str) -> None:
    assert "#include of" in (broken(tmp_path, text) or "")


@pytest.mark.parametrize(
    "text",
    [
        '#import "/etc/passwd"',
        '%:include "/etc/passwd"',
        '\f#include "/etc/passwd"',
        '\v#include "/etc/passwd"',
        '#\finclude "/etc/passwd"',
        '#inc\\\r\nlude "/etc/passwd"',
        '#inc\\ \nlude "/etc/passwd"',
    ],
    ids=[
        "import",
        "digraph",
        "form feed",
        "vertical tab",
        "form feed inside",
        "joined by crlf",
        "joined after a space",
    ],
)
def test_include_in_another_spelling_is_refused_too(tmp_path: Path, text: str) -> None:
    assert broken(tmp_path, text) is not None


@pytest.mark.parametrize("target", ["HEADER", "MACRO(x)", "__FILE__", ""])
def test_computed_include_is_refused(tmp_path: Path, target: str) -> None:
    assert "computed #include" in (broken(tmp_path, f"#define HEADER <x>\n#include {target}\n") or "")


@pytest.mark.parametrize(
    "text",
    [
        'asm(".incbin \\"/etc/passwd\\"");',
        '__asm__ volatile(".section .data\\n.incbin \\"x\\"");',
        'asm(R"(.incbin "/etc/passwd")");',
        'asm(".include \\"x\\"");',
        'asm(". incbin \\"x\\"");',
        'int million = 1\'000; char q = \'"\'; asm(".incbin \\"x\\"");',
    ],
    ids=["plain", "in a section", "raw string", "include", "space", "after a digit separator"],
)
def test_assembler_that_reads_files_is_refused(tmp_path: Path, text: str) -> None:
    assert ".incbin" in (broken(tmp_path, text) or "")


def test_comment_about_the_assembler_is_allowed(tmp_path: Path) -> None:
    assert broken(tmp_path, "// no .incbin here\n/* nor .incbin there */\nint main() {}") is None


@pytest.mark.parametrize(
    "text",
    [
        "// system(1)",
        "/* system(1)\n system(2) */",
        'puts("system");',
        "// a comment that goes on \\\n system(1);\n",
        'auto s = R"x(system)" system(1))x";',
        "char c = '\"'; /* system */ char d = '\"';",
        "int mysystem = 0; int system_time = 0;",
    ],
)
def test_call_in_comments_and_strings_is_ignored(tmp_path: Path, text: str) -> None:
    assert broken(tmp_path, text, calls=["system"]) is None


@pytest.mark.parametrize(
    "text",
    [
        "system(1);",
        "auto f = &system;",
        '/* "*/ system(1); /* " */',
        '"//"; system(1);',
        "'\\''; system(1); '\\'';",
        "sys\\\ntem(1);",
        "a();// note\nsystem(1);",
    ],
)
def test_call_in_code_is_refused(tmp_path: Path, text: str) -> None:
    assert broken(tmp_path, text, calls=["system"]) == "main.cpp: uses 'system', which this task's rules do not allow"


@given(st.lists(st.sampled_from(["/*", "*/", "//", "\n", "x", " ", "\\\n"]), max_size=30))
def test_stripping_comments_keeps_the_line_numbers(parts: list[str]) -> None:
    text = "".join(parts)
    assert strip_comments_and_strings(text).count("\n") == text.count("\n")


@given(st.text(max_size=300))
def test_checking_never_crashes_on_text(text: str) -> None:
    for language in BASELINES:
        candidate = Candidate(files={BASELINES[language]: text})
        found = check_text(TASKS[language], candidate)
        assert found is None or isinstance(found, str)


TASKS = {
    language: Task.model_construct(
        **{
            **{name: field.get_default() for name, field in Task.model_fields.items() if not field.is_required()},
            "name": "t",
            "kind": kind_named("program"),
            "language": language,
            "baseline": name,
            "folder": Path("/"),
        }
    )
    for language, name in BASELINES.items()
}


@pytest.mark.parametrize("text", ["#pragma omp parallel for", "# pragma   omp simd", '_Pragma("omp parallel")'])
def test_forbidden_pragma_is_refused(tmp_path: Path, text: str) -> None:
    assert "(omp)" in (broken(tmp_path, text, pragmas=["omp"]) or "")
    assert broken(tmp_path, text) is None


@pytest.mark.parametrize("text", ["%:pragma omp parallel", "\f#pragma omp parallel", '_Pragma(L"omp parallel")'])
def test_forbidden_pragma_in_another_spelling_is_refused_too(tmp_path: Path, text: str) -> None:
    assert broken(tmp_path, text, pragmas=["omp"]) is not None


@pytest.mark.parametrize(
    "text",
    [
        "#ifndef __SANITIZE_ADDRESS__\n#endif",
        "#if __has_feature( address_sanitizer)\n#endif",
        "void __asan_init();",
        "#include <sanitizer/asan_interface.h>",
        'char *s = getenv("ASAN_OPTIONS");',
    ],
)
def test_text_that_asks_whether_sanitizers_watch_is_refused(tmp_path: Path, text: str) -> None:
    assert "sanitizers watch" in (broken(tmp_path, text) or "")


@pytest.mark.parametrize(
    "text", ["// not under __SANITIZE_ADDRESS__", "int input_sanitizer;", "__attribute__((no_sanitize(1)))"]
)
def test_text_that_only_sounds_like_it_is_accepted(tmp_path: Path, text: str) -> None:
    assert broken(tmp_path, text) is None


@pytest.mark.parametrize("part", ["/*a ", 'R"a(', '\\"', "\\'", '"\\"', "//\\", "'\"", 'R"', "(* "])
def test_time_to_check_text_grows_with_its_length_only(tmp_path: Path, part: str) -> None:
    start = time.process_time()
    broken(tmp_path, "int main() {}\n\"' " + part * (LARGEST_TEXT // len(part) // 2))
    assert time.process_time() - start < 5  # a pass that reads the rest at every beginning takes minutes


@pytest.mark.parametrize("language", [Language.CPP, Language.PYTHON])
def test_text_beyond_measure_is_refused(tmp_path: Path, language: Language) -> None:
    assert "characters" in (broken(tmp_path, " " * (LARGEST_TEXT + 1), language) or "")
    assert broken(tmp_path, " " * LARGEST_TEXT, language) is None


def test_pragma_in_a_comment_is_ignored(tmp_path: Path) -> None:
    assert broken(tmp_path, "/*\n#pragma omp parallel\n*/", pragmas=["omp"]) is None


def test_forbidden_header_is_refused(tmp_path: Path) -> None:
    assert "omp.h" in (broken(tmp_path, "#include <omp.h>", includes=["omp.h"]) or "")
    assert "Eigen" in (broken(tmp_path, "#include <Eigen/Dense>", libraries=["eigen"]) or "")


def test_file_that_the_task_does_not_have_is_refused(tmp_path: Path) -> None:
    candidate = Candidate(files={"main.cpp": "", "extra.h": ""})
    assert "extra.h" in (check_text(make_task(tmp_path), candidate) or "")


def test_file_that_may_not_be_changed_is_refused_when_it_is(tmp_path: Path) -> None:
    (tmp_path / "fixed.h").write_text("int x;\n")
    task = make_task(tmp_path).model_copy(update={"baseline": ("main.cpp", "fixed.h"), "editable": ("main.cpp",)})
    assert check_text(task, Candidate(files={"main.cpp": "int y;", "fixed.h": "int x;\n"})) is None
    assert "fixed.h may not be changed" in (check_text(task, Candidate(files={"main.cpp": "", "fixed.h": ""})) or "")


def test_nul_byte_is_refused(tmp_path: Path) -> None:
    assert "NUL" in (broken(tmp_path, "int main() {}\0") or "")


@pytest.mark.parametrize("module", sorted(FORBIDDEN_MODULES))
def test_forbidden_python_module_is_refused(tmp_path: Path, module: str) -> None:
    assert module in (broken(tmp_path, f"import {module}\n", Language.PYTHON) or "")


@pytest.mark.parametrize(
    "text",
    [
        "import sys, socket as s",
        "from socket import x",
        "  import socket.sub",
        "if True: import socket",
        "x = 1; import socket",
        'x = "#"; import socket',
        "try:\n    pass\nfinally: from socket import *",
        "import \\\n socket",
        "from \\\n socket import x",
        "import\fsocket",
    ],
)
def test_python_import_is_refused_however_it_is_written(tmp_path: Path, text: str) -> None:
    compile(text.strip(), "candidate", "exec")
    assert "socket" in (broken(tmp_path, text, Language.PYTHON) or "")


@pytest.mark.parametrize(
    "text",
    [
        "import os\nos.system('ls')",
        "import os\nos . popen('ls')",
        "import os\nos.execv('x', [])",
        "__import__('socket')",
        "().__class__.__base__.__subclasses__()",
    ],
)
def test_python_that_starts_processes_or_hides_imports_is_refused(tmp_path: Path, text: str) -> None:
    assert "not allowed" in (broken(tmp_path, text, Language.PYTHON) or "")


@pytest.mark.parametrize("text", ["import sys, heapq\nprint(sys.stdin.read())", "# import socket\nx = 1", "socket = 3"])
def test_honest_python_breaks_no_rule(tmp_path: Path, text: str) -> None:
    assert broken(tmp_path, text, Language.PYTHON) is None


def test_forbidden_library_of_python_is_refused(tmp_path: Path) -> None:
    assert "numpy" in (broken(tmp_path, "import numpy as np", Language.PYTHON, libraries=["numpy"]) or "")


def compiled(folder: Path, text: str, *flags: str) -> bytes:
    (folder / "p.c").write_text(text)
    subprocess.run(["cc", "-O1", "-w", "-o", folder / "p", folder / "p.c", *flags], check=True)
    return (folder / "p").read_bytes()


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    text = "#include <stdio.h>\n#include <math.h>\nint own(int x) { return x; }\n"
    return compiled(
        tmp_path_factory.mktemp("c"), text + 'int main(int n, char **a) { printf("%f", sin(own(n))); }', "-lm"
    )


def test_symbols_of_a_real_program_are_read(honest: bytes) -> None:
    imported, defined, libraries = read_symbols(honest)
    assert {"printf", "sin", "__libc_start_main"} <= imported
    assert {"main", "own"} <= defined
    assert "libm.so.6" in libraries


def test_honest_program_breaks_no_rule(tmp_path: Path, honest: bytes) -> None:
    assert check_symbols(make_task(tmp_path), honest) is None


@pytest.mark.parametrize("call", ["system", "fork", "socket", "dlopen", "ptrace", "execve"])
def test_program_that_links_to_a_forbidden_call_is_refused(tmp_path: Path, call: str) -> None:
    program = compiled(tmp_path, f"int {call}();\nint main(int n, char **a) {{ if (n > 9) {call}(); }}")
    assert check_symbols(make_task(tmp_path), program) == f"calls {call}, which is not allowed"


@pytest.mark.parametrize("use", ["syscall(39);", "long (*call)(long, ...) = syscall;", "sys\\\ncall (39);"])
def test_text_that_names_the_generic_system_call_is_refused(tmp_path: Path, use: str) -> None:
    task = make_task(tmp_path)
    found = check_text(task, task.candidate(f"#include <unistd.h>\nint main() {{ {use} }}"))
    assert found and "calls syscall, which is not allowed" in found


def test_system_call_that_a_header_of_the_library_makes_is_not_the_candidates(tmp_path: Path) -> None:
    text = '#include <sys/syscall.h>\nlong hidden(long, ...) __asm__("syscall");\nint main() { hidden(SYS_getpid); }'
    task, program = make_task(tmp_path), compiled(tmp_path, text)
    assert "syscall" in read_symbols(program)[0]
    assert check_text(task, task.candidate(text)) is None
    assert check_symbols(task, program) is None


def test_call_that_the_text_hides_is_seen_in_the_program(tmp_path: Path) -> None:
    text = "#define PASTE(a, b) a##b\nint sysconf();\nint main(int n, char **a) { return PASTE(sys, tem)(a[0]); }"
    task = make_task(tmp_path, calls=["system"])
    assert check_text(task, task.candidate(text)) is None
    assert "system" in (check_symbols(task, compiled(tmp_path, text)) or "")


def test_call_forbidden_by_the_task_is_seen_in_the_program(tmp_path: Path, honest: bytes) -> None:
    assert "sin" in (check_symbols(make_task(tmp_path, calls=["sin"]), honest) or "")


def test_library_forbidden_by_the_task_is_seen_in_the_program(tmp_path: Path, honest: bytes) -> None:
    assert "libm.so.6" in (check_symbols(make_task(tmp_path, libraries=["libm"]), honest) or "")


@pytest.mark.parametrize("name", ["clock_gettime", "write", "exit"])
@pytest.mark.parametrize("hidden", ["", '__attribute__((visibility("hidden"))) '], ids=["plain", "hidden"])
def test_kernel_that_replaces_a_function_of_the_c_library_is_refused(tmp_path: Path, name: str, hidden: str) -> None:
    program = kernel(tmp_path, f"{hidden}int {name}() {{ return 0; }}")
    assert f"defines {name}" in (check_symbols(make_kernel(tmp_path), program) or "")


def test_kernel_with_a_static_function_of_such_a_name_is_accepted(tmp_path: Path) -> None:
    program = kernel(tmp_path, "static __attribute__((noinline)) int read() { return 1; }\nint f() { return read(); }")
    assert check_symbols(make_kernel(tmp_path), program) is None


@pytest.mark.parametrize("name", ["read", "accept", "clock", "write"])
def test_program_of_its_own_may_have_functions_of_any_name(tmp_path: Path, name: str) -> None:
    program = compiled(tmp_path, f"int {name}() {{ return 0; }}\nint main() {{ return {name}(); }}", "-fno-builtin")
    assert check_symbols(make_task(tmp_path), program) is None


@pytest.mark.parametrize("name", ["accept", "connect", "times", "clock"])
def test_variable_named_like_a_function_of_the_c_library_replaces_nothing(tmp_path: Path, name: str) -> None:
    program = kernel(tmp_path, f"int {name}[9] = {{1}};\nint f() {{ return {name}[3]; }}")
    assert check_symbols(make_kernel(tmp_path), program) is None


@pytest.mark.parametrize(
    "text",
    [
        "int write[9] = {1};",
        "int clock_gettime[9] = {1};",
        '__asm__(".text; .globl times; .type times, @object; .size times, 1; times: ret; .previous");',
        '__asm__(".section own, \\"awx\\"; .globl times; .type times, @object; times: ret; .previous");',
    ],
)
def test_data_that_could_be_called_in_place_of_a_function_is_refused(tmp_path: Path, text: str) -> None:
    assert "defines" in (check_symbols(make_kernel(tmp_path), kernel(tmp_path, text)) or "")


def test_program_that_asks_for_a_sanitizer_by_its_symbols_is_refused(tmp_path: Path) -> None:
    text = 'extern char asked __asm__("__as" "an_init") __attribute__((weak));\nint main() { return &asked != 0; }'
    assert "sanitizers" in (check_symbols(make_task(tmp_path), compiled(tmp_path, text)) or "")


@given(st.binary(max_size=200))
def test_what_is_no_program_is_refused(content: bytes) -> None:
    assert check_symbols(TASKS[Language.C], content) == "the program is not a valid ELF file"


@given(st.binary(max_size=300))
def test_what_only_begins_like_a_program_never_crashes_the_check(content: bytes) -> None:
    found = check_symbols(TASKS[Language.C], b"\x7fELF\x02\x01" + content)
    assert found is None or isinstance(found, str)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 0.999))
def test_truncated_program_is_refused(honest: bytes, share: float) -> None:
    assert check_symbols(TASKS[Language.C], honest[: int(len(honest) * share)]) is not None


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_program_with_altered_bytes_never_crashes_the_check(honest: bytes, data: st.DataObject) -> None:
    changed = bytearray(honest)
    table = int.from_bytes(honest[40:48], "little")
    places = st.one_of(st.integers(6, 63), st.integers(table, len(honest) - 1), st.integers(0, len(honest) - 1))
    for at in data.draw(st.lists(places, min_size=1, max_size=4)):
        changed[at] = data.draw(st.sampled_from([0, 1, 2, 11, 6, 0x7F, 0x80, 0xFF]))
    found = check_symbols(TASKS[Language.C], bytes(changed))
    assert found is None or isinstance(found, str)


@pytest.mark.parametrize("at", [40, 48, 58], ids=["section table", "flags", "entry size"])
def test_program_with_an_impossible_address_is_read_without_a_crash(honest: bytes, at: int) -> None:
    changed = honest[:at] + b"\xff" * 8 + honest[at + 8 :]
    found = check_symbols(TASKS[Language.C], changed)
    assert found is None or isinstance(found, str)
