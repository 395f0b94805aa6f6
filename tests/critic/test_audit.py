"""Claims of critiques against what was measured."""

from __future__ import annotations

import pytest

from maxcode.core import Critique, Diagnosis, Fact, FactKind, Outcome, Status
from maxcode.critic.audit import AuditedClaim, audit


def judged(claim: str, *facts: Fact, status: Status = Status.OK, bug: bool = False) -> AuditedClaim:
    critique = Critique(text=claim, diagnoses=(Diagnosis(kind="bug" if bug else "bottleneck", what=claim),))
    (finding,) = audit(3, critique, Outcome(candidate="c", task="t", status=status, facts=facts))
    return finding


def fact(kind: FactKind, text: str, value: float = 0.0, source: str = "compiler") -> Fact:
    return Fact(kind=kind, text=text, source=source, value=value)


ALLOCATIONS = "allocation counter"


@pytest.mark.parametrize(
    ("claim", "shown", "denied"),
    [
        ("The loop is not vectorised", fact("not_vectorized", "control flow"), fact("vectorized", "32 byte vectors")),
        (
            "Too many allocations",
            fact("count", "50,000 heap allocations", 50_000, ALLOCATIONS),
            fact("count", "3 heap allocations", 3, ALLOCATIONS),
        ),
        (
            "Cache misses in the inner loop",
            fact("count", "90,000 last-level cache misses", 90_000, "cachegrind"),
            fact("count", "0 last-level cache misses", 0, "cachegrind"),
        ),
        (
            "Input is read slowly through cin",
            fact("hot_function", "40% in std::istream::sentry", 0.4, "cachegrind"),
            fact("hot_function", "99% in multiply", 0.99, "cachegrind"),
        ),
    ],
)
def test_claim_agrees_or_is_contradicted_or_was_not_measured(claim: str, shown: Fact, denied: Fact) -> None:
    assert judged(claim, shown).agreement == "agrees"
    assert judged(claim, denied).agreement == "contradicted"
    assert judged(claim).agreement == "not measured"


def test_a_bug_is_claimed_rightly_of_a_program_that_failed() -> None:
    assert judged("The result is wrong", status=Status.WRONG, bug=True).agreement == "agrees"
    assert judged("The result is wrong", status=Status.OK, bug=True).agreement == "contradicted"


def test_a_claim_about_nothing_measurable_is_not_judged() -> None:
    finding = judged("The code is ugly", fact("vectorized", "32 byte vectors"))
    assert (finding.topic, finding.agreement) == (None, "not measured")


def test_a_critique_without_structure_is_one_claim() -> None:
    critique = Critique(text="It allocates in the loop.")
    found = audit(0, critique, Outcome(candidate="c", task="t", status=Status.OK))
    assert [finding.topic for finding in found] == ["allocation"]
