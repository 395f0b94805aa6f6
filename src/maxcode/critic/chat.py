"""`PROVIDER:MODEL` as a critic: diagnosis and steps, structured where the model can, text where it cannot."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Any

from pydantic import ValidationError

from maxcode.config import ModelSettings
from maxcode.core import Critique, Diagnosis
from maxcode.policy.chat import Chat
from maxcode.search.observe.observation import observe
from maxcode.search.observe.render import Prompts, render_for_critic
from maxcode.search.parts import Critic
from maxcode.search.tree import Node, Tree

LONGEST, MOST_TRIES = 100_000, 200
"""Characters of an answer that are searched for an object of diagnoses, and how many candidates are tried."""


def chat_critic(name: str, settings: ModelSettings, prompts: Prompts) -> Critic:
    chat = Chat(name, settings)

    async def criticise(tree: Tree, node: Node) -> Critique:
        seen = observe(tree, node, frozenset({"best"}))
        messages = render_for_critic(seen, prompts, budget=settings.prompt_budget)
        (reply,) = await chat.ask(messages, 1, node.id)
        return read_critique(reply.text, name).model_copy(update={"cost": reply.cost})

    return criticise


def read_critique(text: str, source: str) -> Critique:
    """The diagnoses in an answer; the plain text where it is not the JSON that was asked for."""
    data = _first_object(text)
    try:
        found = tuple(Diagnosis.model_validate(each) for each in data["diagnoses"][:4])
        summary = str(data.get("summary", ""))
    except (KeyError, TypeError, ValidationError):
        found, summary = (), ""
    if not found:
        return Critique(text=text.strip()[:4000], source=source)
    words = [f"{i}. {d.what}{f' ({d.evidence})' if d.evidence else ''}. {d.advice}" for i, d in enumerate(found, 1)]
    return Critique(text="\n".join([summary, *words]).strip(), diagnoses=found, source=source)


def _first_object(text: str) -> dict[str, Any]:
    """The first JSON object with diagnoses in a text, whatever stands around it."""
    decoder = json.JSONDecoder()
    for match in islice(re.finditer(r'\{\s*"', text[:LONGEST]), MOST_TRIES):
        try:
            value, _ = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and "diagnoses" in value:
            return value
    return {}
