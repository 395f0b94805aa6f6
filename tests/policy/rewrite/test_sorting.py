"""Sorting: the same order, whatever the type of the key."""

from __future__ import annotations

from maxcode.core import Language

from .programs import output, rewrites, rewritten

CODE = """
#include <bits/stdc++.h>
using namespace std;
using ll = long long;
int signs[3000];
vector<ll> wide;
vector<unsigned> plain;

int main() {
    for (int i = 0; i < 3000; i++) {
        signs[i] = i * 104729 - 70000 * i;
        wide.push_back(i * 1000003LL * 1000033 * (i % 2 ? 1 : -1));
        plain.push_back(i * 2654435761u);
    }
    sort(signs, signs + 3000);
    sort(begin(wide), end(wide));
    sort(plain.begin(), plain.end());
    for (int i = 0; i < 3000; i++) cout << signs[i] << ' ' << wide[i] << ' ' << plain[i] << '\\n';
}
"""


def test_integers_of_all_kinds() -> None:
    changed = CODE
    for _ in range(3):
        changed = rewritten("radix-sort", changed)
    assert rewrites("radix-sort", changed) == []
    assert output(changed, Language.CPP) == output(CODE, Language.CPP)


def test_a_comparator_that_takes_references_it_may_change() -> None:
    compare = "bool f(int &a, int &b) { return a < b; }\n"
    code = f"#include <algorithm>\n{compare}int main() {{ int v[3] = {{}}; std::sort(v, v + 3, f); }}\n"
    assert rewrites("inlined-comparator", code) == []


KEYED = """
#include <bits/stdc++.h>
using namespace std;
struct Player {
    string name;
    vector<int> rounds;
    int season() const {
        vector<int> sorted = rounds;
        sort(sorted.begin(), sorted.end());
        return accumulate(sorted.begin() + 1, sorted.end(), 0);
    }
};
map<string, int> fees;
bool ranks(const Player &a, const Player &b) {
    if (a.season() != b.season()) return a.season() > b.season();
    return fees[a.name] < fees[b.name];
}
int main() {
    vector<Player> all;
    for (int i = 0; i < 60; i++) all.push_back({"p" + to_string(i * 7 % 60), {i * 5 % 7, i % 3, i * i % 11}});
    for (auto &each : all) fees[each.name] = each.name.size() * 3 + each.rounds[0];
    sort(all.begin(), all.end(), ranks);
    auto later = [](const Player &a, const Player &b) { return a.season() + 1 < b.season() + 1; };
    stable_sort(all.begin(), all.end(), later);
    for (auto &each : all) cout << each.name << ' ';
}
"""


def test_keys_of_functions_lambdas_and_methods_are_worked_out_once() -> None:
    changed = rewritten("keyed-sort", rewritten("keyed-sort", KEYED))
    assert "stable_sort_by_keys(all" in changed and " sort_by_keys(all" in changed
    assert rewrites("keyed-sort", changed) == []
    assert output(changed, Language.CPP) == output(KEYED, Language.CPP)


def test_a_key_that_hangs_on_the_sorted_row_is_left_alone() -> None:
    code = KEYED.replace("int season() const {", "int season() const {\n        extern int calls;\n        calls++;")
    assert rewrites("keyed-sort", code) == []
    hidden = KEYED.replace("int main() {", "int main() {\n    map<string, int> fees;")
    assert len(rewrites("keyed-sort", hidden)) == 1
