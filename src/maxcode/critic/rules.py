"""A critic without a model: reads status, compiler remarks, counters and text, and names what it sees.

Each rule looks for one thing and says what shows it. Its tags let the rewriter act on it without reading English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from maxcode.core import Critique, Diagnosis, Fact, Language, Outcome, Status
from maxcode.critic.counters import waiting_for_memory
from maxcode.critic.python_rules import PYTHON_RULES
from maxcode.search.tree import Node, Tree

Rule = Callable[[str, Outcome], Iterator[Diagnosis]]
MOST = 5
WORTH_A_WORD = 0.1
"""Share of the time below which something is no bottleneck."""


async def rule_critic(tree: Tree, node: Node) -> Critique:
    task, text = tree.task, "\n".join(node.candidate.files.values())
    found = task.kind.diagnose(task, text, node.outcome)
    return criticise(text, node.outcome, task.language) if found is None else _critique(list(found))


def criticise(text: str, outcome: Outcome, language: Language = Language.CPP) -> Critique:
    """Critique from the program's text and its outcome alone, by the rules for its language."""
    of_language = PYTHON_RULES if language is Language.PYTHON else PERFORMANCE_RULES
    rules = of_language if outcome.status is Status.OK else (_failure,)
    return _critique([diagnosis for rule in rules for diagnosis in rule(text, outcome)])


def _critique(found: list[Diagnosis]) -> Critique:
    found = found[:MOST]
    return Critique(text=_in_words(found), diagnoses=tuple(found), source="rules")


def _in_words(found: list[Diagnosis]) -> str:
    if not found:
        return "Nothing stands out in the compiler's remarks and the counters."
    lines = []
    for i, each in enumerate(found, 1):
        evidence = f" ({each.evidence})" if each.evidence else ""
        lines.append(f"{i}. {each.what}{evidence}. {each.advice}")
    return "\n".join(lines)


def _failure(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del text
    advice = {
        Status.REJECTED: "Remove what the rules forbid.",
        Status.BUILD_ERROR: "Fix the first error; the rest often follow from it.",
        Status.TIMEOUT: "Look for a loop that does not end, or work that grows too fast with the input.",
        Status.CRASHED: "Check indices against sizes, also for the smallest input, and the depth of recursion.",
        Status.WRONG: "Compare with the baseline on the smallest failing case: remainders of unrolled or tiled loops, "
        "order of operations, overflow of narrower types.",
    }[outcome.status]
    what = f"The program ends as {outcome.status.value}"
    yield Diagnosis(kind="bug", what=what, evidence=outcome.first_line[:200], advice=advice)


def _facts(outcome: Outcome, kind: str) -> list[Fact]:
    return [fact for fact in outcome.facts if fact.kind == kind]


def _place(fact: Fact) -> str:
    return f"{fact.file}:{fact.line}" if fact.file else fact.source


def _vectorisation(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del text
    hot = {(fact.file, fact.line) for fact in _facts(outcome, "hot_line")}
    reasons = (
        (r"alias", "aliasing", "Pointers may overlap", "Mark them restrict."),
        (
            r"strided|gather",
            "strided-access",
            "The inner loop walks memory in strides",
            "Interchange loops, or transpose or pack the operand.",
        ),
        (
            r"control flow|multiple exits",
            "control-flow",
            "Control flow inside the loop stops vectorisation",
            "Make it straight-line: hoist, select or split.",
        ),
        (
            r"reduction|unsupported.*(?:float|reduc)|associat",
            "reduction",
            "A floating-point sum keeps its order",
            "Use several accumulators.",
        ),
        (
            r"number of iterations",
            "trip-count",
            "The number of iterations is not known",
            "Compute the bound before the loop.",
        ),
        (r"call|clobber|throw", "call-in-loop", "A call inside the loop stops vectorisation", "Inline or hoist it."),
    )
    seen = set()
    for fact in sorted(_facts(outcome, "not_vectorized"), key=lambda f: (f.file, f.line) not in hot):
        for pattern, tag, what, advice in reasons:
            if tag not in seen and re.search(pattern, fact.text):
                seen.add(tag)
                evidence = f"{_place(fact)}: {fact.text[:120]}"
                yield Diagnosis(kind="bottleneck", what=what, evidence=evidence, advice=advice, tags=(tag,))


def _cache_misses(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del text
    waiting = waiting_for_memory(outcome)
    for fact in _facts(outcome, "hot_line"):
        share = re.search(r"(\d+)% of the last-level cache misses", fact.text)
        matters = waiting is None or max(waiting, fact.value or 1.0) >= WORTH_A_WORD
        if share and int(share[1]) >= 40 and matters:
            yield Diagnosis(
                kind="bottleneck",
                what="Most cache misses come from one line",
                evidence=f"{_place(fact)}: {fact.text}",
                advice="Tile the loops, or change the order so that memory is walked in sequence.",
                tags=("cache-misses", "strided-access"),
            )
            return


def _allocation(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del text
    for fact in _facts(outcome, "count"):
        if fact.source == "allocation counter" and (fact.value or 0) > 10_000:
            yield Diagnosis(
                kind="bottleneck",
                what="Many small heap allocations",
                evidence=fact.text,
                advice="Reserve, reuse buffers, hoist containers out of loops, avoid copies.",
                tags=("allocation",),
            )


def _input_output(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    busy = [
        f
        for f in _facts(outcome, "hot_function")
        if re.search(r"istream|ostream|scanf|getline|num_get|sentry|flush|write", f.text)
    ]
    evidence = busy[0].text if busy else ""
    if re.search(r"\bcin\s*>>", text) and "sync_with_stdio(false)" not in text.replace(" ", ""):
        yield Diagnosis(
            kind="bottleneck",
            what="Input goes through unbuffered streams",
            evidence=evidence or "cin without sync_with_stdio(false)",
            advice="Switch off synchronisation and tie, or read all of the input at once.",
            tags=("slow-input",),
        )
    if re.search(r"\bendl\b", text):
        yield Diagnosis(
            kind="bottleneck",
            what="Every endl flushes",
            evidence="endl in the program",
            advice="Write '\\n' instead.",
            tags=("endl", "slow-output"),
        )


def _containers(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    tree_share = [f for f in _facts(outcome, "hot_function") if "_Rb_tree" in f.text]
    if re.search(r"\bmap\s*<", text) and not re.search(r"unordered_map", text):
        yield Diagnosis(
            kind="bottleneck",
            what="Look-ups go through a balanced tree",
            evidence=tree_share[0].text if tree_share else "std::map",
            advice="Use a hash table or a sorted vector where order is not needed.",
            tags=("tree-map",),
        )
    if re.search(r"vector\s*<\s*(?:std::)?vector", text):
        yield Diagnosis(
            kind="bottleneck",
            what="A vector of vectors scatters its rows",
            evidence="vector<vector<...>>",
            advice="Use one flat array.",
            tags=("nested-vectors",),
        )


def _arithmetic(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del outcome
    if re.search(r"\bpow\s*\(", text):
        yield Diagnosis(
            kind="bottleneck",
            what="pow() for small powers",
            evidence="pow( in the program",
            advice="Multiply instead.",
            tags=("pow",),
        )


def _by_value(text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    del outcome
    match = re.search(r"\(\s*(?:std::)?(?:vector<[^()]*?>|string|[A-Z]\w+)\s+\w+\s*[,)]", text)
    if match:
        yield Diagnosis(
            kind="bottleneck",
            what="Large arguments are passed by value",
            evidence=match[0].strip(),
            advice="Pass a const reference.",
            tags=("by-value",),
        )


PERFORMANCE_RULES: tuple[Rule, ...] = (
    _cache_misses,
    _vectorisation,
    _input_output,
    _allocation,
    _containers,
    _arithmetic,
    _by_value,
)
