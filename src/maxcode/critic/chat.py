"""`openai:MODEL` as a critic: diagnosis and steps, structured where the model can, text where it cannot."""

from __future__ import annotations

import json
import re

from pydantic import ValidationError

from maxcode.config import ModelSettings
from maxcode.core import Critique, Diagnosis
from maxcode.critic import Critic
from maxcode.observe.feedback import feedback
from maxcode.observe.render import Message, Prompts
from maxcode.policy.chat import Chat
from maxcode.tree import Node, Tree


def chat_critic(name: str, settings: ModelSettings, prompts: Prompts) -> Critic:
    chat = Chat(name, settings)

    async def criticise(tree: Tree, node: Node) -> Critique:
        (reply,) = await chat.ask(_messages(tree, node, prompts), 1, node.id)
        return read_critique(reply.text, f"openai:{name}").model_copy(update={"cost": reply.cost})

    return criticise


def _messages(tree: Tree, node: Node, prompts: Prompts) -> list[Message]:
    files = "\n".join(f"{name}:\n```\n{text.rstrip()}\n```" for name, text in node.candidate.files.items())
    task = f"# {tree.task.name}\n{tree.task.description}"
    best = f"Best so far: {tree.best.reward:.3g}x the baseline's speed."
    content = "\n\n".join([task, files, feedback(node.outcome), best])
    return [{"role": "system", "content": prompts.text("critic")}, {"role": "user", "content": content}]


def read_critique(text: str, source: str) -> Critique:
    """The diagnoses in an answer; the plain text where it is not the JSON that was asked for."""
    match = re.search(r"\{.*\}", text, re.DOTALL)
    try:
        data = json.loads(match[0]) if match else None
        found = tuple(Diagnosis.model_validate(each) for each in data["diagnoses"][:4]) if data else ()
        summary = str(data.get("summary", "")) if data else ""
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError):
        found, summary = (), ""
    if not found:
        return Critique(text=text.strip()[:4000], source=source)
    words = [f"{i}. {d.what}{f' ({d.evidence})' if d.evidence else ''}. {d.advice}" for i, d in enumerate(found, 1)]
    return Critique(text="\n".join([summary, *words]).strip(), diagnoses=found, source=source)
