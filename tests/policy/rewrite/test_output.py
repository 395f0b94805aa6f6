"""Writing through streams: every value looks the same."""

from __future__ import annotations

from maxcode.core import Language

from .programs import output, rewrites, rewritten

WRITES = r"""
#include <bits/stdc++.h>
using namespace std;
#define SHOW(x) cout << (x) << endl
enum Colour { RED, GREEN = 7 };

int main() {
    vector<bool> flags = {true, false};
    const char *name = "name";
    char letters[] = "letters";
    string text(100000, 'z');
    short small = -3;
    SHOW(text);
    cout << flags[0] << flags[1] << true << GREEN << name << letters << small << 'c' << text.size() << endl;
    cout << LLONG_MIN << ' ' << ULLONG_MAX << ' ' << 0 << ' ' << -1 << ' ' << 1.0 / 3 << ' ' << 1e20 << ' ' << 2.5f;
    small < 0 ? cout << "negative\n" : cout << "positive\n";
    if (small < 0) return cout << "early" << endl, 0;
    exit(1);
}
"""


def test_all_kinds_of_values() -> None:
    changed = rewritten("block-writer", WRITES)
    assert "cout" not in changed and "endl" not in changed
    assert output(changed, Language.CPP) == output(WRITES, Language.CPP)


def test_reader_and_writer_go_together() -> None:
    code = "#include <iostream>\nint main() { int n = 5; std::cin >> n; std::cout << n << std::endl; }\n"
    for first, second in (("block-reader", "block-writer"), ("block-writer", "block-reader")):
        changed = rewritten(second, rewritten(first, code))
        assert "cin" not in changed and "cout" not in changed
    assert output(changed, Language.CPP, "12") == "12\n"


def test_formats_and_other_writers() -> None:
    for use in (
        "std::cout << std::hex << 1",
        "std::cout << 1 << std::flush",
        'std::cout << 1; puts("")',
        "std::cout.put('c')",
    ):
        assert rewrites("block-writer", f"#include <cstdio>\n#include <iostream>\nint main() {{ {use}; }}\n") == []
