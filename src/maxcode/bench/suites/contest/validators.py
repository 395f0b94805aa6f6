"""Kattis output validators behind our checkers' interface.

Theirs: `validator INPUT ANSWER FEEDBACK_FOLDER FLAGS... < OUTPUT`, exit code 42 accepts. Ours: `checker INPUT OUTPUT
ANSWER`, exit code 0 accepts.
"""

from __future__ import annotations

import json

from maxcode.bench.suites.making.problem import Checker

_CPP_HEAD = """#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>
#include <sys/stat.h>
[[noreturn]] void validator_exit(int code) { std::fflush(nullptr); std::_Exit(code == 42 ? 0 : code ? code : 1); }
namespace std { using ::validator_exit; }
#define exit validator_exit
#define main validator_main
"""
_CPP_TAIL = """
#undef main
#undef exit
template <class Main> int call_validator(Main start, int count, char **words) {
    if constexpr (std::is_invocable_v<Main, int, char **>) return start(count, words);
    else return start();
}
int main(int, char **given) {
    static char folder[] = "/tmp/feedback/";
    mkdir(folder, 0755);
    if (!std::freopen(given[2], "r", stdin)) return 1;
    static char flags[][200] = {FLAGS};
    std::vector<char *> words{given[0], given[1], given[3], folder};
    for (auto &flag : flags) if (flag[0]) words.push_back(flag);
    int count = words.size();
    words.push_back(nullptr);
    validator_exit(call_validator(validator_main, count, words.data()));
}
"""
_PYTHON = """import os
import sys

name, given, output, answer = sys.argv
os.makedirs("/tmp/feedback", exist_ok=True)
os.dup2(os.open(output, os.O_RDONLY), 0)
sys.stdin = open(0)
sys.argv = [name, given, answer, "/tmp/feedback/", *FLAGS]
try:
    exec(compile(VALIDATOR, name, "exec"), {"__name__": "__main__"})
    code = 0
except SystemExit as end:
    code = end.code
sys.stdout.flush()
os._exit(0 if code == 42 else 1)
"""


def as_checker(validator: Checker, flags: list[str]) -> Checker:
    if validator.suffix == ".py":
        text = _PYTHON.replace("FLAGS", repr(flags)).replace("VALIDATOR", repr(validator.text))
        return Checker(suffix=".py", text=text)
    quoted = ", ".join(json.dumps(flag) for flag in [*flags, ""])
    return Checker(suffix=".cpp", text=_CPP_HEAD + validator.text + _CPP_TAIL.replace("FLAGS", quoted))
