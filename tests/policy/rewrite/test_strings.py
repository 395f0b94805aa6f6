"""Strings are built, compared and cut up without copies, and what they hold stays the same."""

from __future__ import annotations

from maxcode.core import Language

from .programs import output, rewrites, rewritten

PROGRAM = """
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
using namespace std;
vector<string> split(const string &line, char separator) {
    vector<string> fields;
    stringstream stream(line);
    string field;
    while (getline(stream, field, separator)) {
        fields.push_back(field);
    }
    return fields;
}
string backwards(string word) {
    string result;
    for (int i = 0; i < (int)word.size(); i++)
        result = word[i] + result;
    return result;
}
int main() {
    string s = "";
    for (string line : {string(""), string(","), string("a,b,c"), string(",1,-22,"), string("+3, 4.5")}) {
        vector<string> fields = split(line, ',');
        s = s + to_string(fields.size()) + ":";
        if (s != "") s = s + backwards(line) + ";";
        if (line.substr(0, 2) == "+3") cout << stoi(fields[0]) + stod(fields[1]) << endl;
    }
    int a = 1, b = 2;
    a = a + b;
    cout << s << a << endl;
}
"""
EACH = ("append-in-place", "append-then-reverse", "compare-for-substr", "words-without-stream",
        "numbers-with-from-chars")  # fmt: skip


def test_they_compose_and_print_the_same() -> None:
    changed = PROGRAM
    for name in EACH:
        changed = rewritten(name, changed)
    assert output(changed, Language.CPP) == output(PROGRAM, Language.CPP)
    assert "stringstream stream" not in changed and "substr" not in changed and "a = a + b" in changed
    assert '{ s += backwards(line); s += ";"; }' in changed


def test_a_prefix_of_more_than_one_character_keeps_its_order() -> None:
    code = "#include <string>\nstd::string f(std::string w) {\n    std::string r;\n    for (int i = 0; i < 3; i++)" \
           " r = w + r;\n    return r;\n}\n"  # fmt: skip
    assert rewrites("append-then-reverse", code) == []


def test_a_stream_that_is_read_in_other_ways_stays() -> None:
    code = PROGRAM.replace("    return fields;", "    stream.clear();\n    return fields;")
    assert rewrites("words-without-stream", code) == []


def test_numbers_that_may_throw_stay() -> None:
    code = "#include <string>\nint f(std::string s) { try { return std::stoi(s); } catch (...) { return -1; } }\n"
    assert rewrites("numbers-with-from-chars", code) == []
