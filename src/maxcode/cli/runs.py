"""`maxcode show`, `best` and `diff`: views of a run."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.markup import escape

from maxcode.cli.compare import print_result
from maxcode.cli.console import out, print_json, print_source
from maxcode.core import Candidate, InputError, Outcome
from maxcode.critic.audit import audit
from maxcode.evaluate.measure.words import speed_in_words
from maxcode.optimize.comparing import comparison_of
from maxcode.optimize.recorded import finished, recorded_tree, settings_and_task, winner_of
from maxcode.search.tree import Node
from maxcode.store.journal import Store, is_comparison
from maxcode.task.model import Task


def show(run_id: str, *, as_json: bool) -> None:
    with Store() as store:
        journal = store.open(run_id)
        if is_comparison(store.info(journal.run)):
            _show_comparison(store, journal.run, as_json)
            return
        tree = recorded_tree(store, run_id)
        marked = winner_of(tree, finished(store, journal.run)).id
        again = journal.asked_again()
    if as_json:
        print_json(
            {"run": journal.run, "winner": marked, "nodes": [_node(node) for node in tree], "asked_again": again}
        )
        return
    for node in tree:
        m = node.outcome.measurement
        figures = speed_in_words(m) if m else ""
        mark = "[green]*[/] " if node.id == marked else "  "
        status = f"[{'green' if node.correct else 'red'}]{node.outcome.status.value}[/]"
        words = filter(None, (figures, _cost(node), _told(node)))
        out.print(f"{mark}{'  ' * node.depth}{node.id} {status} {' '.join(words)}", soft_wrap=True)
    if again:
        out.print(f"{len(again)} calls were in flight when a session ended, and were sent once more.")


def _show_comparison(store: Store, run: str, as_json: bool) -> None:
    found = comparison_of(store, run)
    if found is None:
        raise InputError(f"run {run}: was stopped before it found anything. `maxcode compare` starts another.")
    print_result(found, "json" if as_json else "text")


def _told(node: Node) -> str:
    """Origin of the program, and the first line of what is wrong with it."""
    told = (node.candidate.origin or "", node.outcome.first_line)
    return " ".join(f"[dim]{escape(each)}[/]" for each in told if each)


def _cost(node: Node) -> str:
    """What the answer took, if it came from a model."""
    if node.cost is None or not node.cost.tokens:
        return ""
    usd = f", {node.cost.usd:.4f} USD" if node.cost.usd is not None else ""
    return f"[dim]({node.cost.tokens} tokens{usd})[/]"


def best(run_id: str, *, as_json: bool) -> None:
    with Store() as store:
        candidate, outcome, _ = _best(store, run_id)
    if as_json:
        print_json({**outcome.summary(), "files": candidate.files})
        return
    for text in candidate.files.values():
        print_source(text)


def diff(run_id: str) -> None:
    with Store() as store:
        candidate, _, task = _best(store, run_id)
    print_source(task.kind.diff(task, candidate))


def audit_critiques(run_id: str, *, as_json: bool) -> None:
    with Store() as store:
        tree = recorded_tree(store, run_id)
    findings = [f for i, critique in tree.critiques.items() for f in audit(i, critique, tree.nodes[i].outcome)]
    if as_json:
        for finding in findings:
            print_json(finding.model_dump())
        return
    for finding in findings:
        colour = {"agrees": "green", "contradicted": "red"}.get(finding.agreement, "dim")
        evidence = f" [dim]({escape(finding.evidence[:80])})[/]" if finding.evidence else ""
        out.print(
            f"node {finding.node}: [{colour}]{finding.agreement}[/] {escape(finding.claim[:90])}{evidence}",
            highlight=False,
        )
    counts = Counter(finding.agreement for finding in findings)
    out.print(", ".join(f"{n} {name}" for name, n in counts.most_common()) or "this run has no critiques")


def _best(store: Store, run_id: str) -> tuple[Candidate, Outcome, Task]:
    """The confirmed winner of a finished run; else the best of its tree so far."""
    _, task = settings_and_task(store, run_id)
    result = finished(store, store.info(run_id).id)
    if result and result.confirmed:
        return result.best, result.confirmed, task
    node = recorded_tree(store, run_id).best
    return node.candidate, node.outcome, task


def _node(node: Node) -> dict[str, Any]:
    return {
        "id": node.id,
        "parent": node.parent,
        "depth": node.depth,
        "step": node.step,
        "reward": node.reward,
        "u": node.u,
        "tokens": node.cost.tokens if node.cost else 0,
        "usd": node.cost.usd if node.cost else None,
        **node.outcome.summary(),
    }
