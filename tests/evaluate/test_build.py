"""Building: each exact source once, with errors that name the line, and precompiled headers that change nothing."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.core import Candidate, Language
from maxcode.evaluate.build import LOG_LIMIT, SIGHTINGS_BEFORE_PRECOMPILING, Builder, clip_log, leading_headers
from maxcode.evaluate.sandbox.protections import Isolation, protections
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.system.home import cache_folder
from maxcode.task import Task, load_task

SMOOTH = Path(__file__).parents[1] / "adversarial" / "tasks" / "smooth"


@pytest.fixture(scope="module")
def builder() -> Iterator[Builder]:
    with Sandbox() as sandbox:
        yield Builder(sandbox, (0,))


def make_task(name: str = "main.c", language: Language = Language.C, **build: Any) -> Task:
    return Task.model_validate(
        {
            "name": "t",
            "kind": "program",
            "language": language,
            "baseline": name,
            "folder": "/",
            "tests": {"public": "tests"},
            "workloads": [{"name": "w", "input": "i"}],
            "build": {"flags": ["-O1"], **build},
        }
    )


def candidate(text: str, name: str = "main.c") -> Candidate:
    return Candidate(files={name: text})


def test_program_is_built_and_runs(builder: Builder) -> None:
    built = builder.build(make_task(), candidate("int main(void) { return 7; }\n"))
    assert built.error is None
    assert built.program is not None
    assert subprocess.run([built.program], check=False).returncode == 7


def test_kernel_is_built_by_another_user_where_the_cache_is_closed_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without namespaces a compiler finds files by their own paths, and a home is often closed to other users."""
    tmp_path.chmod(0o700)
    monkeypatch.setenv("MAXCODE_HOME", str(tmp_path / "home"))
    weaker = protections().model_copy(update={"isolation": Isolation.LANDLOCK})
    task = load_task(SMOOTH)
    with Sandbox(slot=1, using=weaker) as sandbox:
        for number in range(SIGHTINGS_BEFORE_PRECOMPILING + 1):
            text = task.baseline_candidate.files[task.main_file] + f"// {number}\n"
            assert Builder(sandbox, (0,)).build(task, task.candidate(text)).error is None


def test_second_build_of_the_same_source_is_cached(builder: Builder) -> None:
    source = candidate("int main(void) { return 8; }\n")
    first, second = builder.build(make_task(), source), builder.build(make_task(), source)
    assert (first.cached, second.cached) == (False, True)
    assert first.program == second.program


def test_build_with_other_flags_is_another_build(builder: Builder) -> None:
    source = candidate("int main(void) { return VALUE; }\n")
    programs = [builder.build(make_task(flags=[f"-DVALUE={n}"]), source).program for n in (3, 4)]
    assert [subprocess.run([str(p)], check=False).returncode for p in programs] == [3, 4]


@pytest.mark.parametrize("name", ["main.c", "main.cpp"])
def test_error_names_the_file_and_the_line(builder: Builder, name: str) -> None:
    language = Language.C if name == "main.c" else Language.CPP
    built = builder.build(make_task(name, language), candidate("int main() {\n\n    return missing;\n}\n", name))
    assert built.program is None
    assert built.error is not None
    assert f"{name}:3:12: error" in built.error
    assert "missing" in built.error
    assert "/box" not in built.error


def test_linker_error_is_told(builder: Builder) -> None:
    built = builder.build(make_task(), candidate("int nowhere(void);\nint main(void) { return nowhere(); }\n"))
    assert "undefined reference to `nowhere'" in (built.error or "")


def test_python_syntax_error_names_the_line(builder: Builder) -> None:
    built = builder.build(make_task("main.py", Language.PYTHON), candidate("x = 1\nif x print(x)\n", "main.py"))
    assert "line 2" in (built.error or "")
    assert "SyntaxError" in (built.error or "")
    assert "Traceback" not in (built.error or "")


def test_build_error_is_cached_too(builder: Builder) -> None:
    source = candidate("int main(void) { error }\n")
    first, second = builder.build(make_task(), source), builder.build(make_task(), source)
    assert (first.cached, second.cached) == (False, True)
    assert first.error == second.error


def test_running_out_of_time_is_told_and_not_kept(builder: Builder) -> None:
    bomb = "#define A(x) x+x+x+x+x+x+x+x+x+x\n#define B(x) A(A(A(x)))\nint main(void) { return B(B(1)); }\n"
    task = make_task(seconds=0.3)
    for _ in range(2):
        built = builder.build(task, candidate(bomb))
        assert built.error == "the compiler ran past its time limit of 0.3 s"
        assert not built.cached


def headers_made(headers: str) -> list[Path]:
    return [p for p in cache_folder("headers").glob("*/prefix.h") if p.read_text() == headers]


def test_precompiled_header_is_used_after_a_few_sightings(builder: Builder) -> None:
    task = make_task("main.cpp", Language.CPP)
    prefix = "#include <deque>\n#include <cstdio>\n"
    made = []
    for number in range(SIGHTINGS_BEFORE_PRECOMPILING + 1):
        text = prefix + f"int main() {{ std::deque<int> d({number}); return d.size(); }}\n"
        built = builder.build(task, candidate(text, "main.cpp"))
        assert subprocess.run([str(built.program)], check=False).returncode == number
        made.append(len(headers_made("#include <cstdio>\n#include <deque>\n")))
    assert made == [0, 0, 1, 1]


@pytest.mark.parametrize(
    "body", ["int main() { return missing; }\n", "int main() { std::string s; return s.size(); }\n"]
)
def test_precompiled_header_gives_the_same_verdict(builder: Builder, body: str) -> None:
    """A candidate that was judged before the headers were precompiled is judged the same after."""
    task = make_task("main.cpp", Language.CPP, flags=["-O0"])
    prefix = "#include <string>\n"
    texts = [prefix + f"// {number}\n" + body for number in range(SIGHTINGS_BEFORE_PRECOMPILING + 1)]
    errors = [builder.build(task, candidate(text, "main.cpp")).error for text in texts]
    assert headers_made(prefix)
    assert len(set(errors)) == 1
    if errors[0]:
        assert "main.cpp:3:21: error" in errors[0]


def test_sanitized_build_stops_at_an_error_that_the_plain_one_passes(builder: Builder) -> None:
    text = "#include <stdlib.h>\nint main(void) { volatile char *p = malloc(8); free((void *)p); p[0]; return 0; }\n"
    task = make_task(flags=["-O0"])
    plain = builder.build(task, candidate(text))
    checked = builder.build(task, candidate(text), "sanitize")
    assert subprocess.run([str(plain.program)], check=False).returncode == 0
    done = subprocess.run([str(checked.program)], capture_output=True, check=False)
    assert done.returncode != 0
    assert b"heap-use-after-free" in done.stderr


def test_sanitized_build_stops_at_undefined_arithmetic(builder: Builder) -> None:
    text = "#include <limits.h>\nint main(int n, char **a) { int x = INT_MAX - 1; x += n; x += n; return x > 0; }\n"
    checked = builder.build(make_task(flags=["-O3"]), candidate(text), "sanitize")
    done = subprocess.run([str(checked.program)], capture_output=True, check=False)
    assert done.returncode != 0
    assert b"signed integer overflow" in done.stderr


def test_remarks_tell_which_loops_were_vectorised(builder: Builder) -> None:
    loop = "for (int i = 0; i < 4096; i++)\na[i] += b[i];\n"
    text = "void f(float *restrict a, float *restrict b) {\n" + loop + "}\nint main(void) {}\n"
    built = builder.build(make_task(flags=["-O3"]), candidate(text), "valgrind")
    assert "main.c:2" in built.remarks
    assert "vectorized" in built.remarks


def test_compiler_sees_no_files_of_ours(builder: Builder, open_folder: Path) -> None:
    (open_folder / "secret.h").write_text("int secret;\n")
    built = builder.build(
        make_task(), candidate(f'#include "{open_folder}/secret.h"\nint main(void) {{ return 0; }}\n')
    )
    assert "No such file" in (built.error or "")


def test_tool_of_a_task_is_built_by_its_suffix(builder: Builder, tmp_path: Path) -> None:
    (tmp_path / "tool.cpp").write_text("#include <string>\nint main() { return std::string(5, 'x').size(); }\n")
    built = builder.build_tool(tmp_path / "tool.cpp")
    assert subprocess.run([str(built.program)], check=False).returncode == 5


@pytest.mark.parametrize(
    ("text", "headers"),
    [
        ("#include <b>\n#include <a>\nint x;\n#include <c>\n", ["a", "b"]),
        ("// note\n/* more\n * lines */\n#include <a>  // why\n\n  #  include <sys/b.h>\n", ["a", "sys/b.h"]),
        ('#include "own.h"\n#include <a>\n', []),
        ("#define NDEBUG\n#include <cassert>\n", []),
        ('#pragma GCC optimize("O3")\n#include <vector>\n', []),
        ("#include <a>\n#include <a>\n", ["a"]),
        ("#include <../secret>\n", []),
        ("#include </etc/passwd>\n", []),
        ("#ifdef X\n#include <a>\n#endif\n", []),
        ("// /*\n#define NDEBUG\n// */\n#include <cassert>\n", []),
        ("// goes on \\\n#include <a>\n#include <b>\n", ["b"]),
        ("", []),
    ],
)
def test_leading_headers_end_where_their_meaning_could_change(text: str, headers: list[str]) -> None:
    assert leading_headers(text) == headers


@given(st.text())
def test_leading_headers_are_sorted_unique_system_names(text: str) -> None:
    found = leading_headers(text)
    assert found == sorted(set(found))
    assert all(f"<{name}>" in text and ".." not in name for name in found)


@given(st.permutations(["vector", "map", "bits/stdc++.h", "sys/mman.h"]))
def test_order_of_headers_does_not_matter(names: list[str]) -> None:
    assert leading_headers("".join(f"#include <{name}>\n" for name in names)) == sorted(names)


@given(st.text(max_size=20_000))
def test_log_is_clipped_to_what_fits_a_prompt(log: str) -> None:
    assert len(clip_log(log)) <= LOG_LIMIT + 4


def test_clipped_log_begins_with_the_first_error() -> None:
    log = "".join(f"main.c:{n}:1: warning: idle\n" for n in range(500)) + "main.c:501:1: error: real\n"
    assert clip_log(log) == "main.c:501:1: error: real"
