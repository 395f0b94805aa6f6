"""Reading through streams: every form of a read gives the same values."""

from __future__ import annotations

import pytest

from maxcode.core import Language

from .programs import output, rewrites, rewritten

READS = r"""
#include <bits/stdc++.h>
using namespace std;
#define int long long
#define READ(x) cin >> x

signed main() {
    cin.tie(0);
    int n, big;
    unsigned small;
    double real;
    char letter, word[20];
    string text, line;
    if (!(cin >> n)) return 1;
    READ(big);
    cin >> small >> real >> letter >> word >> text;
    getline(cin, line);
    cout << '[' << line << ']';
    getline(cin, line);
    cout << n << big << small << real << letter << word << text << line << '\n';
    vector<int> values(n);
    for (auto &value : values) cin >> value;
    int sum = 0, next;
    while (cin >> next) sum += next;
    cout << values[0] + values[n - 1] << ' ' << sum << ' ' << next << '\n';
}
"""
STDIN = "3 -9000000000000000000\n+7 2.5e1 x word\n\ttext rest\na whole line\r\n1 2 -3\n4 5\n6"


@pytest.mark.long
def test_all_kinds_of_reads() -> None:
    changed = rewritten("block-reader", READS)
    assert "cin" not in changed.split("static Input input;")[1]
    assert output(changed, Language.CPP, STDIN) == output(READS, Language.CPP, STDIN)


def test_input_longer_than_a_block() -> None:
    code = """
#include <iostream>
#include <string>
int main() {
    std::string word;
    long long count = 0, sum = 0;
    while (std::cin >> word) sum += ++count * (long long)(word.size() + word[0]);
    std::cout << sum;
}
"""
    stdin = " ".join(str(7**40)[: i % 30 + 1] for i in range(20000))
    assert output(rewritten("block-reader", code), Language.CPP, stdin) == output(code, Language.CPP, stdin)


def test_only_what_is_missing_is_added() -> None:
    statements = ("ios::sync_with_stdio(0);", "int n;", "cin >> n;", "cout << n;")
    body = "\n\t".join(statements)
    code = f"#include <iostream>\nusing namespace std;\nint main() {{\n\t{body}\n}}\n"
    assert "{\n\tcin.tie(nullptr);\n\tios" in rewritten("streams-without-stdio", code)


def test_a_name_that_is_taken() -> None:
    code = "#include <iostream>\nint main() { int input; std::cin >> input; std::cout << input; }\n"
    assert "input2 >> input" in rewritten("block-reader", code)


def test_other_uses_of_the_stream() -> None:
    for use in ("std::cin.get()", "std::cin.eof()", "std::getline(std::cin, s, ';')", "scanf(s.data())"):
        code = f"#include <cstdio>\n#include <iostream>\nint main() {{ std::string s; std::cin >> s; {use}; }}\n"
        assert rewrites("block-reader", code) == []
