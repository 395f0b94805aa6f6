"""Small contest problems in the layouts of others, made where a test wants them."""

from __future__ import annotations

import random
from pathlib import Path

HEAD = "#include <algorithm>\n#include <iostream>\n#include <vector>\nusing namespace std;\n"
READ = "long n, t; cin >> n >> t; vector<long> v(n); for (long &x : v) cin >> x;"
SLOW_PAIR = (
    HEAD + f"int main() {{ {READ} for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) "
    'if (i != j && v.at(i) + v.at(j) == t) { cout << i << " " << j << endl; return 0; } return 1; }\n'
)
FAST_PAIR = (
    HEAD
    + f"int main() {{ ios::sync_with_stdio(false); {READ} vector<int> at(n); for (int i = 0; i < n; i++) at[i] = i; "
    "sort(at.begin(), at.end(), [&](int a, int b) { return v[a] < v[b]; }); int i = 0, j = n - 1; "
    "while (i < j) { long s = v[at[i]] + v[at[j]]; if (s == t) break; if (s < t) i++; else j--; } "
    'cout << at[j] << " " << at[i] << "\\n"; }\n'
)
WRONG_PAIR = HEAD + 'int main() { cout << "0 0\\n"; }\n'
JUDGE_PAIR = (
    "long n, t; input >> n >> t; vector<long> v(n); for (long &x : v) input >> x; int i, j; "
    "bool right = bool(output >> i >> j) && i >= 0 && j >= 0 && i < n && j < n && i != j && v[i] + v[j] == t;"
)
PYTHON_JUDGE = """import sys
n, t, *v = map(int, open(sys.argv[1]).read().split())
words = sys.stdin.read().split()
open(sys.argv[3] + "judgemessage.txt", "w").write("seen")
right = len(words) == 2 and words[0] != words[1] and sum(v[int(w)] for w in words) == t
sys.exit(42 if right else 43)
"""
TESTLIB = """// a few lines in the manner of testlib, for checkers in tests
#include <fstream>
#include <cstdlib>
enum TResult { _ok = 0, _wa = 1 };
static std::ifstream inf, ouf, ans;
inline void registerTestlibCmd(int, char **names) { inf.open(names[1]); ouf.open(names[2]); ans.open(names[3]); }
[[noreturn]] inline void quitf(TResult result, const char *) { std::exit(result); }
"""
TESTLIB_CHECKER = (
    f'#include "testlib.h"\n#include "params.h"\n{HEAD}int main(int c, char **names) {{ registerTestlibCmd(c, names); '
    "auto &input = inf; auto &output = ouf; "
    f'{JUDGE_PAIR} quitf(right && n <= N_MAX ? _ok : _wa, "checked"); }}\n'
)


def pair_input(n: int, seed: int = 0) -> str:
    rng = random.Random(seed)
    values = [2 * rng.randrange(10**6) for _ in range(n - 2)] + [1, 3 + 2 * rng.randrange(10**6) * 2]
    return f"{n} {values[-1] + 1}\n{' '.join(map(str, values))}\n"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def tests_of_pairs() -> dict[str, tuple[str, str]]:
    """Inputs and answers: the last two values add up to the target."""
    return {name: (pair_input(n, n), f"{n - 2} {n - 1}\n") for name, n in (("1", 2), ("2", 6), ("3", 2500))}


def kattis(folder: Path, *, python: bool = False) -> Path:
    write(folder / "problem.yaml", "name: A Pair\nlimits:\n  memory: 512  # MB\nvalidation: custom\n")
    for name, (given, answer) in tests_of_pairs().items():
        place = folder / "data" / ("sample" if name == "1" else "secret")
        write(place / f"{name}.in", given)
        write(place / f"{name}.ans", answer)
    write(folder / "submissions" / "accepted" / "sorted.cpp", FAST_PAIR)
    write(folder / "submissions" / "time_limit_exceeded" / "all.cpp", SLOW_PAIR)
    write(folder / "submissions" / "wrong_answer" / "zero.cpp", WRONG_PAIR)
    judge = f"ifstream input(files[1]); istream &output = cin; {JUDGE_PAIR} if (!right) exit(43); return 42;"
    text = f"#include <fstream>\n{HEAD}int main(int, char **files) {{ {judge} }}\n"
    place = folder / "output_validators"
    write(place / ("validate.py" if python else "validate/validate.cpp"), PYTHON_JUDGE if python else text)
    return folder


def library_checker(folder: Path, *, testlib: bool = True) -> Path:
    solutions = '[[solutions]]\n    name = "wrong.cpp"\n    wrong = true\n'
    write(folder / "info.toml", f"title = 'A Pair'\ntimelimit = 2.0\n{solutions}[params]\n    N_MAX = 100000\n")
    for name, (given, answer) in tests_of_pairs().items():
        write(folder / "in" / f"example_0{name}.in", given)
        write(folder / "out" / f"example_0{name}.out", answer)
    for name, text in (("correct", FAST_PAIR), ("naive", SLOW_PAIR), ("wrong", WRONG_PAIR)):
        write(folder / "sol" / f"{name}.cpp", text)
    write(folder / "checker.cpp", TESTLIB_CHECKER)
    if testlib:
        write(folder.parent / "common" / "testlib.h", TESTLIB)
    return folder


def polygon(folder: Path) -> Path:
    tagged = (("fast", "main"), ("slow", "time-limit-exceeded-or-accepted"), ("bad", "wrong-answer"))
    solutions = "".join(
        f'<solution tag="{tag}"><source path="solutions/{name}.cpp"/></solution>' for name, tag in tagged
    )
    write(folder / "problem.xml", f'<problem><assets><checker name="std::wcmp.cpp"/>{solutions}</assets></problem>')
    write(folder / "files" / "check.cpp", '#include "testlib.h"\n')
    for number, n in ((1, 1), (2, 20), (3, 60000)):
        write(folder / "tests" / f"0{number}", f"{n}\n")
        write(folder / "tests" / f"0{number}.a", f"{sum(i % 7 * i for i in range(1, n + 1)) % 1000}\n")
    total = "int main() { long n, s = 0; cin >> n; for (long i = 1; i <= n; i++) %s cout << s %% 1000 << endl; }\n"
    write(folder / "solutions" / "fast.cpp", HEAD + total % "s += i % 7 * i;")
    write(
        folder / "solutions" / "slow.cpp",
        HEAD + total % "{ for (long j = 0; j < i % 7; j++) { vector<int> w(9, j); s += i * (w[3] == j); } }",
    )
    write(folder / "solutions" / "bad.cpp", HEAD + "int main() { cout << 0; }\n")
    return folder


def plain(folder: Path) -> Path:
    for name, n in (("a", 3), ("b", 50), ("c", 3000)):
        values = random.Random(n).choices(range(1000), k=n)
        write(folder / f"{name}.in", f"{n}\n{' '.join(map(str, values))}\n")
        write(folder / f"{name}.out", f"{len(set(values))}\n")
    read = "int n; cin >> n; vector<int> v(n); for (int &x : v) cin >> x;"
    find = "if (!count(seen.begin(), seen.end(), x)) seen.push_back(x);"
    slow = f"vector<int> seen; for (int x : v) {find} cout << seen.size();"
    fast = "sort(v.begin(), v.end()); cout << unique(v.begin(), v.end()) - v.begin();"
    write(folder / "distinct.cpp", f"{HEAD}int main() {{ {read} {slow} }}\n")
    write(folder / "target.cpp", f"{HEAD}int main() {{ {read} {fast} }}\n")
    return folder
