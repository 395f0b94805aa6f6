"""Which claims of critiques agree with what was measured."""

from __future__ import annotations

import re
from typing import Literal

from maxcode.core import Critique, Diagnosis, Fact, Frozen, Outcome
from maxcode.critic.counters import waiting_for_memory
from maxcode.critic.rules import WORTH_A_WORD

Agreement = Literal["agrees", "contradicted", "not measured"]

TOPICS: dict[str, str] = {
    "vectorisation": r"vectori[sz]|simd|\bavx|\bsse\b|alias|restrict",
    "cache": r"cache|stride|locality|\btil(e|ing)|memory access|bandwidth",
    "allocation": r"alloc|\bnew\b|malloc|push_back|reserve|copy|copies",
    "input and output": r"\bi/?o\b|cin|cout|endl|stream|flush|input|output|scanf|printf",
    "containers": r"\bmap\b|hash|tree|look-?up|container|\bset\b",
    "failure": r"wrong|incorrect|bug|crash|compile|error|overflow|out of bounds",
}


class AuditedClaim(Frozen):
    node: int
    claim: str
    topic: str | None
    agreement: Agreement
    evidence: str


def audit(node: int, critique: Critique, outcome: Outcome) -> list[AuditedClaim]:
    """One finding per claim; a critique without structure counts as one claim."""
    claims = critique.diagnoses or (Diagnosis(kind="bottleneck", what=critique.text[:300]),)
    return [_check(node, claim, outcome) for claim in claims]


def _check(node: int, claim: Diagnosis, outcome: Outcome) -> AuditedClaim:
    text = f"{claim.what} {claim.evidence} {claim.advice} {' '.join(claim.tags)}".lower()
    topic = "failure" if claim.kind == "bug" else next((t for t, p in TOPICS.items() if re.search(p, text)), None)
    agreement, evidence = _measured(topic, outcome) if topic else ("not measured", "")
    return AuditedClaim(node=node, claim=claim.what, topic=topic, agreement=agreement, evidence=evidence)


def _measured(topic: str, outcome: Outcome) -> tuple[Agreement, str]:
    """Finding of the counters and remarks about a topic."""
    if topic == "failure":
        failed = outcome.status.value != "ok"
        return ("agrees" if failed else "contradicted"), outcome.status.value
    if topic == "vectorisation":
        missed, done = (_kind(outcome, kind) for kind in ("not_vectorized", "vectorized"))
        return _judged(bool(missed), bool(done), missed or done)
    if topic == "cache":
        counts = [f for f in _kind(outcome, "count") if "cache misses" in f.text]
        waiting = waiting_for_memory(outcome)
        heavy = [f for f in counts if (f.value or 0) > 10_000 and (waiting is None or waiting >= WORTH_A_WORD)]
        return _judged(bool(heavy), bool(counts), heavy or counts)
    if topic == "allocation":
        counts = [f for f in _kind(outcome, "count") if f.source == "allocation counter"]
        heavy = [f for f in counts if (f.value or 0) > 1_000]
        return _judged(bool(heavy), bool(counts), heavy or counts)
    pattern = (
        r"stream|scanf|printf|getline|write|flush|sentry"
        if topic == "input and output"
        else r"_Rb_tree|map|_Hash|memcmp|set"
    )
    functions = _kind(outcome, "hot_function")
    hits = [f for f in functions if re.search(pattern, f.text)]
    shown = sum(f.value or 0 for f in hits) >= WORTH_A_WORD
    return _judged(shown, bool(functions), hits or functions)


def _judged(shown: bool, measured: bool, facts: list[Fact]) -> tuple[Agreement, str]:
    evidence = facts[0].text if facts else ""
    return ("agrees", evidence) if shown else ("contradicted", evidence) if measured else ("not measured", "")


def _kind(outcome: Outcome, kind: str) -> list[Fact]:
    return [fact for fact in outcome.facts if fact.kind == kind]
