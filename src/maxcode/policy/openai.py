"""`PROVIDER:MODEL`: a chat model proposes whole programs or edits."""

from __future__ import annotations

from collections.abc import AsyncIterator

from maxcode.config import ModelSettings
from maxcode.core import Candidate, Proposal
from maxcode.policy.chat import Chat
from maxcode.policy.extract import extract
from maxcode.search.observe.observation import Observation
from maxcode.search.observe.render import Prompts, render
from maxcode.search.parts import Policy


def chat_policy(name: str, settings: ModelSettings, prompts: Prompts) -> Policy:
    chat = Chat(name, settings)

    async def propose(observation: Observation, n: int, seed: int) -> AsyncIterator[Proposal]:
        messages = render(observation, prompts, form=settings.answer, budget=settings.prompt_budget)
        async for reply in chat.each(messages, n, seed):
            yield read_answer(reply.text, observation, name).model_copy(update={"cost": reply.cost})

    return propose


def read_answer(text: str, observation: Observation, model: str) -> Proposal:
    """The proposal in an answer's text."""
    current = observation.current
    before = observation.before.files if observation.before else {}
    files = current.files or before or observation.task.baseline_candidate.files
    found = extract(text, files, observation.task.main_file)
    if found.files is None:
        return Proposal(text=text, problem=found.problem, model=model)
    return Proposal(text=text, candidate=Candidate(files=found.files, origin=model), model=model)
