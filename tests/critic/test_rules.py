"""Each rule of the critic fires on its evidence, and not without it."""

from __future__ import annotations

import asyncio

import pytest

from maxcode.core import Fact, Outcome, Status
from maxcode.critic.rules import MOST, criticise, rule_critic
from tests.search.fakes import add, grown, measured, outcome

QUIET = "int main() { return 0; }\n"


def good(*facts: Fact) -> Outcome:
    return outcome(measurement=measured(1.5)).model_copy(update={"facts": facts})


def remark(text: str, line: int = 3) -> Fact:
    return Fact(kind="not_vectorized", text=text, source="gcc", file="main.cpp", line=line)


def hot(text: str, line: int = 3) -> Fact:
    return Fact(kind="hot_line", text=text, source="cachegrind", file="main.cpp", line=line)


def busy(text: str) -> Fact:
    return Fact(kind="hot_function", text=text, source="callgrind")


def allocations(count: float) -> Fact:
    return Fact(kind="count", text=f"{count:.0f} allocations", source="allocation counter", value=count)


def tags(text: str, *facts: Fact) -> set[str]:
    return {tag for each in criticise(text, good(*facts)).diagnoses for tag in each.tags}


def test_nothing_to_see_gives_no_diagnosis_and_says_so() -> None:
    found = criticise(QUIET, good())
    assert found.diagnoses == ()
    assert "Nothing stands out" in found.text


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("possible aliasing problem between data-refs", "aliasing"),
        ("strided load is not supported", "strided-access"),
        ("not vectorized: gather not supported", "strided-access"),
        ("control flow in loop", "control-flow"),
        ("loop has multiple exits", "control-flow"),
        ("unsupported float reduction", "reduction"),
        ("number of iterations cannot be computed", "trip-count"),
        ("statement clobbers memory: foo();", "call-in-loop"),
    ],
)
def test_a_compiler_remark_is_understood(text: str, tag: str) -> None:
    assert tags(QUIET, remark(text)) == {tag}


def test_a_remark_that_says_nothing_known_is_left_alone() -> None:
    assert tags(QUIET, remark("bad data alignment")) == set()


def test_a_remark_of_a_vectorised_loop_is_no_problem() -> None:
    assert tags(QUIET, remark("possible aliasing").model_copy(update={"kind": "vectorized"})) == set()


def test_the_same_remark_twice_is_one_diagnosis() -> None:
    found = criticise(QUIET, good(remark("aliasing", 3), remark("aliasing", 9)))
    assert len(found.diagnoses) == 1


def test_a_remark_on_a_hot_line_is_the_one_that_is_shown() -> None:
    (found,) = criticise(QUIET, good(remark("aliasing", 3), remark("aliasing", 9), hot("30% of time", 9))).diagnoses
    assert found.evidence.startswith("main.cpp:9")


@pytest.mark.parametrize(("share", "fires"), [(39, False), (40, True), (95, True)])
def test_cache_misses_count_when_most_come_from_one_line(share: int, fires: bool) -> None:
    assert ("cache-misses" in tags(QUIET, hot(f"{share}% of the last-level cache misses"))) == fires


@pytest.mark.parametrize(("misses", "work", "fires"), [(100, 0.01, False), (100_000, 0.01, True), (100, 0.8, True)])
def test_few_misses_on_a_line_that_does_little_are_no_bottleneck(misses: int, work: float, fires: bool) -> None:
    counts = [
        Fact(kind="count", text="1,000,000 instructions, 9% of them on your own lines", source="cachegrind", value=1e6),
        Fact(kind="count", text=f"{misses:,} last-level cache misses in your files", source="cachegrind", value=misses),
    ]
    line = hot("90% of the last-level cache misses").model_copy(update={"value": work})
    assert ("cache-misses" in tags(QUIET, line, *counts)) == fires


def test_other_facts_of_a_line_are_no_cache_misses() -> None:
    assert tags(QUIET, hot("95% of the instructions")) == set()


@pytest.mark.parametrize(("count", "fires"), [(10_000, False), (10_001, True)])
def test_many_allocations_are_seen(count: float, fires: bool) -> None:
    assert ("allocation" in tags(QUIET, allocations(count))) == fires


def test_another_counter_is_not_taken_for_allocations() -> None:
    other = Fact(kind="count", text="many branches", source="cachegrind", value=1e9)
    assert tags(QUIET, other) == set()


@pytest.mark.parametrize(
    ("fires", "not_fires", "tag"),
    [
        ("int n; std::cin >> n;", "std::ios::sync_with_stdio(false); int n; std::cin >> n;", "slow-input"),
        ("int n; std::cin >> n;", 'int n; scanf("%d", &n);', "slow-input"),
        ("std::cout << n << std::endl;", "std::cout << n << '\\n'; // vendless", "endl"),
        ("std::map<int, int> m;", "std::unordered_map<int, int> m;", "tree-map"),
        ("std::vector<std::vector<int>> a;", "std::vector<int> a;", "nested-vectors"),
        ("vector< vector <int> > a;", "vector<pair<int, int>> a;", "nested-vectors"),
        ("y = pow(x, 2);", "y = power(x, 2); z = x * x;", "pow"),
        ("int f(std::vector<int> v) {", "int f(const std::vector<int>& v) {", "by-value"),
        ("int f(string s, int n) {", "int f(const string &s, int n) {", "by-value"),
        ("int f(Matrix m) {", "int f(const Matrix &m) {", "by-value"),
    ],
)
def test_a_pattern_in_the_text_is_seen_and_its_better_form_is_not(fires: str, not_fires: str, tag: str) -> None:
    assert tag in tags(fires)
    assert tag not in tags(not_fires)


def test_a_busy_function_is_evidence_for_what_the_text_shows() -> None:
    (found,) = criticise("int n; cin >> n;", good(busy("40% in std::istream::operator>>"))).diagnoses
    assert found.evidence == "40% in std::istream::operator>>"
    (found,) = criticise("std::map<int, int> m;", good(busy("60% in std::_Rb_tree<int>::find"))).diagnoses
    assert found.evidence == "60% in std::_Rb_tree<int>::find"


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.OK])
def test_a_failure_is_a_bug_with_its_first_line_as_evidence(status: Status) -> None:
    found = criticise("std::endl pow(x) std::map<int>", outcome(status, reason="first line\nsecond line"))
    (diagnosis,) = found.diagnoses
    assert diagnosis.kind == "bug"
    assert status.value in diagnosis.what
    assert diagnosis.evidence == "first line"
    assert diagnosis.advice


@pytest.mark.parametrize("reason", [None, "", "\n", "\n\nlate"])
def test_a_failure_without_a_reason_is_still_told(reason: str | None) -> None:
    assert criticise(QUIET, outcome(Status.CRASHED, reason=reason)).diagnoses


def test_no_more_is_said_than_can_be_acted_on() -> None:
    text = "cin >> n; endl; map<int, int> m; vector<vector<int>> v; pow(x, 2); int f(string s)"
    found = criticise(text, good(allocations(1e6), remark("aliasing"), remark("control flow")))
    assert len(found.diagnoses) == MOST


def test_the_text_tells_every_diagnosis_in_order() -> None:
    found = criticise("endl; pow(x, 2);", good())
    assert [line[:2] for line in found.text.splitlines()] == ["1.", "2."]
    assert all(each.what in found.text and each.advice in found.text for each in found.diagnoses)


def test_the_critic_reads_program_and_outcome_of_the_node() -> None:
    tree = grown()
    node = add(tree, tree.root, 2.0, 1, text="int main() { pow(x, 2); }\n")
    found = asyncio.run(rule_critic(tree, node))
    assert [each.tags for each in found.diagnoses] == [("pow",)]
    assert (found.source, found.cost.tokens) == ("rules", 0)
