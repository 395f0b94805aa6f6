"""What nothing uses any more goes; what the program may need stays."""

from __future__ import annotations

import pytest

from maxcode.core import Language
from maxcode.optimize.unused import trimmed

BEFORE = """\
#include <iostream>

// Doubles a number.
int twice(int x) {
    return 2 * x;
}

int helper(int x) { return x; }

int main() {
    int n;
    std::cin >> n;
    std::cout << twice(n) << " of " << n << std::endl;
}
"""
INSERTED = """\
struct Writer {
    Writer() {}
    ~Writer() { end(); }
    void end() {}
    void never() {}
    Writer &operator<<(int value) { return *this; }
    Writer &operator<<(char value) { return *this; }
    Writer &operator<<(bool value) { return *this; }
    Writer &operator<<(const char *value) { return *this; }
    template <class T>
    typename std::enable_if<std::is_floating_point<T>::value, Writer &>::type operator<<(T value) {
        return *this;
    }
};

"""


def after(body: str) -> str:
    head, _ = BEFORE.split("// Doubles")
    rest = BEFORE[len(head) :].replace('std::cout << twice(n) << " of " << n << std::endl;', body)
    return head + INSERTED + rest


def test_a_function_that_is_not_called_any_more_goes_with_its_comment() -> None:
    text = trimmed(BEFORE, after("Writer() << 2 * n << 'x';"), Language.CPP)
    assert "twice" not in text and "Doubles" not in text
    assert "int helper" in text, "it was not called before either"


@pytest.mark.parametrize("word", ["bool", "is_floating_point", "never"])
def test_members_for_what_the_program_lacks_go(word: str) -> None:
    assert word not in trimmed(BEFORE, after("Writer() << twice(n) << \" of \" << n << '\\n';"), Language.CPP)


@pytest.mark.parametrize(
    "member", ["Writer() {}", "~Writer()", "void end()", "(int value)", "(char value)", "(const char"]
)
def test_members_that_may_be_needed_stay(member: str) -> None:
    assert member in trimmed(BEFORE, after("Writer() << twice(n) << \" of \" << n << '\\n';"), Language.CPP)


def test_classes_of_the_original_stay_as_they_are() -> None:
    text = INSERTED + BEFORE
    assert trimmed(text, text.replace("2 * x", "x + x"), Language.CPP) == text.replace("2 * x", "x + x")


def test_inserted_definitions_that_nothing_names_go_one_after_the_other() -> None:
    unused = INSERTED.replace("    Writer() {}\n", "") + "static Writer writer;\n\n"
    assert trimmed(BEFORE, unused + BEFORE, Language.CPP) == BEFORE


@pytest.mark.parametrize(
    "text",
    [
        "struct Fast {\n    Fast() { std::ios::sync_with_stdio(false); }\n};\n\nstatic Fast fast;\n\n",
        "__attribute__((destructor)) static void flush(void) {\n    fwrite(block, 1, used, stdout);\n}\n\n",
    ],
)
def test_what_runs_though_nothing_names_it_stays(text: str) -> None:
    assert trimmed(BEFORE, text + BEFORE, Language.CPP) == text + BEFORE
