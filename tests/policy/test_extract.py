"""From answers as models write them to programs."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from maxcode.policy.extract import apply_edit, extract, fenced

MAIN = "main.cpp"
PROGRAM = """#include <cstdio>

int square(int x) {
    return x * x;
}

int main() {
    int n = 0;
    scanf("%d", &n);
    printf("%d\\n", square(n));
}
"""
OTHER = "int main() { return 0; }\n"
CURRENT = {MAIN: PROGRAM}


def code_of(answer: str, current: dict[str, str] | None = None) -> dict[str, str]:
    found = extract(answer, current or CURRENT, MAIN)
    assert found.files is not None, found.problem
    assert found.problem is None
    return found.files


def problem_of(answer: str) -> str:
    found = extract(answer, CURRENT, MAIN)
    assert found.files is None
    assert found.problem
    return found.problem


def edit(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    "answer",
    [
        f"```cpp\n{OTHER}```",
        f"```c++\n{OTHER}```\n",
        f"```\n{OTHER}```",
        f"I use less.\n\n```cpp\n{OTHER}```\n\nThat is all.",
        f"~~~cpp\n{OTHER}~~~",
        f"````cpp\n{OTHER}````",
        f"  ```cpp\n{OTHER}  ```",
        f"```C++\n{OTHER}```",
        f"```cpp title=x\n{OTHER}```",
        f"```cpp\n{OTHER}",
        OTHER,
    ],
    ids=[
        "cpp",
        "c++",
        "bare",
        "prose",
        "tildes",
        "four",
        "indented",
        "upper case",
        "attributes",
        "cut off",
        "no fence",
    ],
)
def test_a_whole_program_is_found(answer: str) -> None:
    assert code_of(answer) == {MAIN: OTHER}


def test_of_several_blocks_the_longest_code_is_the_program() -> None:
    answer = f"Instead of\n```cpp\nint x;\n```\nrun it as\n```sh\n{'echo 1; ' * 50}\n```\nwith\n```cpp\n{OTHER}```"
    assert code_of(answer) == {MAIN: OTHER}


def test_a_block_that_names_the_main_file_is_the_program() -> None:
    longer = "// an example of use\n" * 20 + OTHER
    assert code_of(f"```cpp\n{longer}```\nmain.cpp:\n```cpp\n{OTHER}```") == {MAIN: OTHER}


TWO = {MAIN: PROGRAM, "lib/sum.h": "int sum();\n"}


@pytest.mark.parametrize(
    "answer",
    [
        f"main.cpp:\n```cpp\n{OTHER}```\nlib/sum.h:\n```cpp\nint sum(int);\n```",
        f"```cpp main.cpp\n{OTHER}```\n```cpp sum.h\nint sum(int);\n```",
        f"**`main.cpp`**\n```\n{OTHER}```\n### lib/sum.h\n```\nint sum(int);\n```",
    ],
    ids=["before", "on the fence", "in markdown"],
)
def test_several_files_are_told_apart_by_name(answer: str) -> None:
    assert code_of(answer, TWO) == {MAIN: OTHER, "lib/sum.h": "int sum(int);\n"}


def test_a_name_in_the_first_line_is_enough() -> None:
    answer = f"```cpp\n// lib/sum.h\nint sum(int);\n```\n```cpp\n// main.cpp\n{OTHER}```"
    assert code_of(answer, TWO) == {MAIN: f"// main.cpp\n{OTHER}", "lib/sum.h": "// lib/sum.h\nint sum(int);\n"}


def test_a_file_that_is_not_named_stays_as_it_is() -> None:
    assert code_of("lib/sum.h:\n```cpp\nint sum(int);\n```", TWO) == {**TWO, "lib/sum.h": "int sum(int);\n"}


@pytest.mark.parametrize(
    "answer", ["", "  \n", "I cannot help.", "```\nsome words\n```", "```text\nx\n```", "```cpp\n```"]
)
def test_an_answer_without_code_has_a_problem(answer: str) -> None:
    assert problem_of(answer)


def test_an_empty_answer_is_called_empty() -> None:
    assert "empty" in problem_of("\n")


def test_an_edit_that_matches_to_the_letter() -> None:
    found = code_of(edit("    return x * x;\n", "    return x + x;\n"))
    assert found == {MAIN: PROGRAM.replace("x * x", "x + x")}


def test_an_edit_within_a_fence() -> None:
    found = code_of("```\n" + edit("    return x * x;\n", "    return x + x;\n") + "```")
    assert found == {MAIN: PROGRAM.replace("x * x", "x + x")}


def test_several_edits_apply_in_order() -> None:
    first, second = edit("    int n = 0;\n", "    int n = 1;\n"), edit("    int n = 1;\n", "    int n = 2;\n")
    assert code_of(f"First\n{first}then\n{second}") == {MAIN: PROGRAM.replace("n = 0", "n = 2")}


def test_an_edit_that_removes() -> None:
    assert code_of(edit("    int n = 0;\n", "")) == {MAIN: PROGRAM.replace("    int n = 0;\n", "")}


def test_an_edit_that_differs_in_white_space() -> None:
    found = code_of(edit("int square(int  x) {\n  return x*x;\n}\n".replace("x*x", "x * x"), "int square(int x);\n"))
    assert found == {MAIN: PROGRAM.replace("int square(int x) {\n    return x * x;\n}\n", "int square(int x);\n")}


def test_an_edit_that_is_similar_enough() -> None:
    found = code_of(edit('    printf("%d \\n", square( n ));\n', "    puts(square(n));\n"))
    assert found == {MAIN: PROGRAM.replace('    printf("%d\\n", square(n));\n', "    puts(square(n));\n")}


def test_an_edit_that_is_not_there_is_named() -> None:
    good = edit("    int n = 0;\n", "    int n = 1;\n")
    problem = problem_of(good + edit("    while (completely(different)) launch();\n", "x\n"))
    assert "edit 2 of 2" in problem
    assert "while (completely(different)) launch();" in problem


def test_an_edit_finds_its_file() -> None:
    assert code_of(edit("int sum();\n", "int sum(int);\n"), TWO) == {**TWO, "lib/sum.h": "int sum(int);\n"}


def test_edits_that_change_nothing_are_a_problem() -> None:
    assert "nothing" in problem_of(edit("    int n = 0;\n", "    int n = 0;\n"))


def test_an_edit_matches_whole_lines_before_parts_of_lines() -> None:
    text = "int ai = 0;\ni = 0;\n"
    assert apply_edit(text, "i = 0;\n", "i = 1;\n") == "int ai = 0;\ni = 1;\n"


def test_an_edit_to_an_empty_file_fills_it() -> None:
    assert apply_edit("", "", OTHER) == OTHER


def diff(before: str, after: str, context: int = 3) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{MAIN}", f"b/{MAIN}", n=context
    )
    return "".join(lines)


FASTER = PROGRAM.replace("x * x", "x + x").replace("int n = 0", "long n = 0")


@pytest.mark.parametrize("wrap", ["```diff\n{}```", "```\n{}```", "Here:\n\n{}", "```patch\n{}```"])
def test_a_unified_diff_applies(wrap: str) -> None:
    assert code_of(wrap.format(diff(PROGRAM, FASTER))) == {MAIN: FASTER}


def test_a_diff_with_several_hunks_applies() -> None:
    text = diff(PROGRAM, FASTER, context=1)
    assert text.count("\n@@ ") == 2
    assert code_of(f"```diff\n{text}```") == {MAIN: FASTER}


def test_wrong_line_numbers_do_not_matter() -> None:
    text = diff(PROGRAM, FASTER).replace("@@ -1", "@@ -900")
    lines = [("@@ -911,3 +70,9 @@\n" if line.startswith("@@") else line) for line in text.splitlines(keepends=True)]
    assert code_of(f"```diff\n{''.join(lines)}```") == {MAIN: FASTER}


def test_prose_after_a_bare_diff_does_not_matter() -> None:
    assert code_of(f"{diff(PROGRAM, FASTER)}\nThat halves the work.\n") == {MAIN: FASTER}


def test_right_line_numbers_decide_between_equal_places() -> None:
    body = "    for (int i = 0; i < n; ++i)\n        a[i] += 1;\n"
    before = f"void f() {{\n{body}}}\nint between;\nvoid g() {{\n{body}}}\n"
    at = before.rindex("a[i] += 1;")
    after = before[:at] + "a[i] += 2;" + before[at + len("a[i] += 1;") :]
    assert code_of(f"```diff\n{diff(before, after, context=1)}```", {MAIN: before}) == {MAIN: after}


def test_a_diff_that_does_not_apply_is_named() -> None:
    text = "--- a\n+++ b\n@@ -1,1 +1,1 @@\n-completely_different();\n+x();\n"
    assert "completely_different();" in problem_of(f"```diff\n{text}```")


def test_fences_are_told_with_the_line_before() -> None:
    (found,) = fenced("Look:\nmain.cpp\n\n```cpp\nint x;\n```\n")
    assert (found.info, found.text, found.before) == ("cpp", "int x;\n", "main.cpp")


sources = st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1).map(lambda text: text + "\n")


@given(sources)
def test_any_text_in_a_fence_comes_back_as_it_was(text: str) -> None:
    assume(text.strip())
    assume(not any(line.lstrip(" \t").startswith(("```", "~~~")) for line in text.split("\n")))
    assert code_of(f"Faster:\n\n```cpp\n{text}```\n") == {MAIN: text}


code_lines = st.lists(st.sampled_from(["i", "x", "1", "=", ";"]), min_size=1, max_size=5).map(" ".join)
programs = st.lists(code_lines, min_size=1, max_size=12, unique=True)


@st.composite
def changes(draw: st.DrawFn) -> tuple[list[str], int, int, list[str]]:
    """Lines that are all different, and a stretch of them to be replaced by others."""
    before = draw(programs)
    start = draw(st.integers(0, len(before) - 1))
    stop = draw(st.integers(start + 1, len(before)))
    return before, start, stop, draw(st.lists(code_lines.map(lambda line: f"new {line}"), max_size=5, unique=True))


def joined(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)


@given(changes())
def test_an_edit_made_from_a_change_gives_the_changed_program(change: tuple[list[str], int, int, list[str]]) -> None:
    before, start, stop, new = change
    wanted = joined(before[:start] + new + before[stop:])
    assert code_of(edit(joined(before[start:stop]), joined(new)), {MAIN: joined(before)}) == {MAIN: wanted}


@given(changes())
def test_a_diff_made_from_a_change_gives_the_changed_program(change: tuple[list[str], int, int, list[str]]) -> None:
    before, start, stop, new = change
    wanted = joined(before[:start] + new + before[stop:])
    text = diff(joined(before), wanted)
    assert code_of(f"```diff\n{text}```", {MAIN: joined(before)}) == {MAIN: wanted}


pieces = st.sampled_from(
    [
        "```",
        "```cpp\n",
        "~~~\n",
        "\n",
        "<<<<<<< SEARCH\n",
        "=======\n",
        ">>>>>>> REPLACE\n",
        "@@ -1,2 +1,2 @@\n",
        "--- a/main.cpp\n",
        "+++ b/main.cpp\n",
        "-    int n = 0;\n",
        "+    long n;\n",
        "main.cpp",
        "int main() {}\n",
        "\\ No newline at end of file",
        "    int n = 0;\n",
    ]
)


@given(st.lists(pieces | st.text(max_size=8), max_size=14).map("".join) | st.text())
def test_any_answer_gives_files_or_a_problem(answer: str) -> None:
    found = extract(answer, TWO, MAIN)
    assert (found.files is None) == (found.problem is not None)
    if found.files is not None:
        assert set(found.files) == set(TWO)
