"""Puts prompts into docs/prompts.md: what stands after `<!-- prompt: NAME -->` is that prompt as the code makes it.

The searches that they are from are in prompts.json: programs, answers and outcomes, as they were measured once.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from maxcode.core import Candidate, Outcome
from maxcode.critic.rules import criticise
from maxcode.search.mdp import reward
from maxcode.search.observe.observation import observe
from maxcode.search.observe.render import Message, Prompts, render, render_for_critic
from maxcode.search.strategies import strategy
from maxcode.search.tree import Tree
from maxcode.task import load_task

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/prompts.md"
RECORDED = json.loads((ROOT / "runs/docs/prompts.json").read_text())
QUOTE = re.compile(r"(<!-- prompt: (\w+) -->\n).*?(<!-- end of prompt -->\n)", re.DOTALL)


def tree_of(name: str) -> Tree:
    """The recorded search of an example, with the rules' critiques of what was expanded."""
    task = load_task(ROOT / "examples" / name)
    root, *others = RECORDED[name]
    tree = Tree(task, _outcome(root, task.hash))
    for each in others:
        outcome, candidate = _outcome(each, task.hash), Candidate(files=each["files"], origin=each["origin"])
        parent = tree.nodes[each["parent"]]
        tree.add(parent, candidate, outcome, reward(outcome), step=each["step"], answer=each["answer"])
    for node in tree:
        if node.outcome.facts:
            tree.critiques[node.id] = criticise("\n".join(node.candidate.files.values()), node.outcome)
    return tree


def _outcome(recorded: dict[str, Any], task: str) -> Outcome:
    return Outcome.model_validate({"candidate": "", "task": task, **recorded["outcome"]})


def prompt(name: str) -> list[Message]:
    """One of the prompts of the page."""
    if name == "faster":
        tree = tree_of("matmul")
        return render(observe(tree, tree.nodes[9], strategy("cuda-llm+maxcode").blocks), Prompts())
    if name == "repair":
        tree = tree_of("hashmap")
        return render(observe(tree, tree.nodes[1], strategy("cuda-llm").blocks), Prompts(), form="edits")
    tree = tree_of("matmul")
    return render_for_critic(observe(tree, tree.nodes[-1], frozenset({"best"})), Prompts())


def page(text: str) -> str:
    """The page with the prompts of today."""
    return QUOTE.sub(lambda found: f"{found[1]}\n{_shown(prompt(found[2]))}\n\n{found[3]}", text)


def _shown(messages: list[Message]) -> str:
    return "\n\n".join(f"{each['role'].capitalize()}:\n\n~~~~~text\n{each['content']}\n~~~~~" for each in messages)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
