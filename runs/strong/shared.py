"""Answers of a model by prompt and number, so that arms that ask the same get the same; policy and critic by it."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from pathlib import Path

from maxcode.config import ModelSettings
from maxcode.core import Candidate, Critique, Fact, Frozen, InputError, Proposal, content_hash
from maxcode.critic.chat import read_critique
from maxcode.policy.chat import Chat, ChatReply
from maxcode.policy.openai import read_answer
from maxcode.search.observe.observation import Observation, observe
from maxcode.search.observe.render import Message, Prompts, render, render_for_critic
from maxcode.search.parts import Critic, Policy, Profile
from maxcode.search.tree import Node, Tree
from maxcode.task import Task


class KeptReply(Frozen):
    prompt: str
    """Hash of the messages."""
    number: int
    """Number in its run of the program that was asked for, or of the program that a critic was asked about."""
    reply: ChatReply


class SharedModel:
    """A model each of whose replies is in a file before it is used. Equal questions of equal number are asked once."""

    def __init__(self, name: str, settings: ModelSettings, file: Path) -> None:
        self.name, self.settings = name, settings
        self._chat, self._file = Chat(name, settings), file
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        lines = file.read_text().splitlines() if file.is_file() else []
        kept = [KeptReply.model_validate_json(line) for line in lines]
        self._known = {(each.prompt, each.number): each.reply for each in kept}

    async def replies(self, messages: list[Message], numbers: range, seed: int) -> list[ChatReply]:
        prompt = content_hash(json.dumps(messages))
        async with self._asking[prompt]:
            missing = [number for number in numbers if (prompt, number) not in self._known]
            given = await self._chat.ask(messages, len(missing), seed) if missing else []
            for number, reply in zip(missing, given, strict=True):
                self._keep(KeptReply(prompt=prompt, number=number, reply=reply))
        return [self._known[prompt, number] for number in numbers]

    def _keep(self, kept: KeptReply) -> None:
        with self._file.open("a") as file:
            file.write(kept.model_dump_json() + "\n")
        self._known[kept.prompt, kept.number] = kept.reply


class _KeptFacts(Frozen):
    program: str
    facts: tuple[Fact, ...]


class SharedProfiles:
    """Profiles of a task's programs, each taken once and kept in a file.

    Small counts differ from run to run, and arms that profile the same program are to ask the same.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        lines = file.read_text().splitlines() if file.is_file() else []
        self._known = {each.program: each.facts for each in map(_KeptFacts.model_validate_json, lines)}

    def of(self, profile: Profile) -> Profile:
        async def known(task: Task, candidate: Candidate) -> tuple[Fact, ...]:
            async with self._asking[candidate.id]:
                if candidate.id not in self._known:
                    self._known[candidate.id] = facts = await profile(task, candidate)
                    with self._file.open("a") as file:
                        file.write(_KeptFacts(program=candidate.id, facts=facts).model_dump_json() + "\n")
            return self._known[candidate.id]

        return known


def policy_of(model: SharedModel, prompts: Prompts) -> Policy:
    settings = model.settings

    async def propose(observation: Observation, n: int, seed: int) -> list[Proposal]:
        messages = render(observation, prompts, form=settings.answer, budget=settings.prompt_budget)
        numbers = range(observation.program, observation.program + n)
        replies = await model.replies(messages, numbers, seed)
        return [
            read_answer(each.text, observation, model.name).model_copy(update={"cost": each.cost}) for each in replies
        ]

    return propose


def critic_of(model: SharedModel, prompts: Prompts) -> Critic:
    async def criticise(tree: Tree, node: Node) -> Critique:
        seen = observe(tree, node, frozenset({"best"}))
        messages = render_for_critic(seen, prompts, budget=model.settings.prompt_budget)
        (reply,) = await model.replies(messages, range(node.id, node.id + 1), node.id)
        return read_critique(reply.text, model.name).model_copy(update={"cost": reply.cost})

    return criticise


class _Recorded(Frozen):
    node: int
    critique: Critique


def recorded_critic(file: Path, critic: Critic | None) -> Critic:
    """Critiques from a file by the number of the node; `critic` gives those that are missing, which are added to it."""
    lines = file.read_text().splitlines() if file.is_file() else []
    known = {each.node: each.critique for each in map(_Recorded.model_validate_json, lines)}

    async def criticise(tree: Tree, node: Node) -> Critique:
        if node.id not in known:
            if critic is None:
                raise InputError(f"{file}: has no critique of program {node.id}.")
            known[node.id] = await critic(tree, node)
            with file.open("a") as opened:
                opened.write(_Recorded(node=node.id, critique=known[node.id]).model_dump_json() + "\n")
        return known[node.id]

    return criticise
