"""A state in words: what is known when it is judged, what matters most at the end."""

from __future__ import annotations

import asyncio

from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.strategies import strategy
from maxcode.search.tree import Tree
from maxcode.value.text import MOST_CHANGES, TEXT_BUDGET, proposal_text, state_text
from tests.search.fakes import TASK, instant_parts


def tree_of(name: str) -> Tree:
    return asyncio.run(search(TASK, strategy(name), instant_parts(), budget=Budget(evals=24), seed=3)).tree


def test_it_has_the_program_the_change_the_parents_review_the_path_and_the_outcome_in_this_order() -> None:
    tree = tree_of("cuda-llm+maxcode")
    node = next(node for node in tree if node.depth == 2 and node.correct)
    parent = tree.parent(node)
    assert parent is not None
    text = state_text(tree, node)
    titles = [line for line in text.splitlines() if line.startswith("## ")]
    assert titles == [
        "## Program",
        "## What was changed",
        "## What it was made from",
        "## Speedups on the path",
        "## What became of it",
    ]
    assert next(iter(node.candidate.files.values())).rstrip() in text
    review = tree.critique(parent)
    assert review is not None
    assert f"Review: {review.text}" in text
    assert f"1.00 > {parent.reward:.2f} > {node.reward:.2f}" in text or "crashed" in text


def test_a_proposal_says_nothing_of_its_own_outcome() -> None:
    tree = tree_of("cuda-llm+maxcode")
    node = next(node for node in tree if node.depth == 2 and node.candidate.files)
    parent = tree.parent(node)
    assert parent is not None
    text = proposal_text(tree, parent, node.candidate)
    assert "## What became of it" not in text
    assert text.split("## Speedups on the path\n")[1].splitlines()[0].count(" > ") == 1


def test_only_what_differs_is_shown_as_changed() -> None:
    tree = tree_of("flat")
    same = proposal_text(tree, tree.root, tree.root.candidate)
    assert "\nnothing\n## What it was made from\n" in same
    text = next(iter(tree.root.candidate.files.values()))
    other = TASK.candidate(text + "// more\n")
    assert "\n+// more\n## What it was made from\n" in proposal_text(tree, tree.root, other)


def test_of_a_long_change_the_ends_are_shown() -> None:
    tree = tree_of("flat")
    text = proposal_text(tree, tree.root, TASK.candidate("".join(f"// line {i}\n" for i in range(500))))
    shown = text.split("## What was changed\n")[1].split("\n## ")[0].splitlines()
    assert len(shown) == MOST_CHANGES + 1
    assert shown[-1] == "+// line 499"


def test_facts_are_shown_where_no_review_says_what_they_come_to() -> None:
    tree = tree_of("cuda-llm+maxcode")
    parent = next(node for node in tree if node.outcome.facts and tree.critique(node))
    text = proposal_text(tree, parent, tree.root.candidate)
    assert "What the compiler and the profiler say" not in text
    del tree.critiques[parent.id]
    assert "What the compiler and the profiler say" in proposal_text(tree, parent, tree.root.candidate)


def test_a_huge_program_loses_its_beginning() -> None:
    tree = tree_of("flat")
    text = proposal_text(tree, tree.root, TASK.candidate("// line\n" * 20_000))
    assert len(text) <= TEXT_BUDGET * 3.5
    assert "## Speedups on the path" in text
