"""A generative value model behind an OpenAI-compatible endpoint (vLLM, for one): a request per state, one token each.

The endpoint's log probabilities of the five label tokens give the expected class. Where it gives none, a few answers
are sampled and averaged. `--value openai:STATE+SCREEN` names the models for states and for proposals; with one name
it is asked for both. A `served.json`, which training writes, also knows what the classes are worth.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from maxcode.config import Config, ModelSettings
from maxcode.core import Cost, Frozen, InputError, PolicyError
from maxcode.policy.chat import Chat, NotAccepted
from maxcode.search.values import Scored
from maxcode.value.classes import LABELS, PLAIN, Classes, expected_class
from maxcode.value.prompt import prompt_within
from maxcode.value.state import State

LOGPROBS = (20, 5)
"""Numbers of log probabilities to ask for, tried in turn: vLLM's limit, then OpenAI's."""
SAMPLES, TEMPERATURE = 8, 0.7
MAX_TOKENS = 2048


class ServedPart(Frozen):
    """One of the two models, as an endpoint has it."""

    model: str
    classes: Classes = PLAIN


class ServedDescription(Frozen):
    """Content of a `served.json`."""

    kind: Literal["served"] = "served"
    state: ServedPart
    screen: ServedPart
    max_tokens: int = MAX_TOKENS
    trained_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class ServedModel:
    part: ServedPart
    settings: ModelSettings
    max_tokens: int

    @property
    def reads(self) -> Literal["text"]:
        return "text"

    def scores(self, rows: Sequence[State]) -> list[float]:
        return list(asyncio.run(self.scored(rows)).scores)

    async def scored(self, rows: Sequence[State]) -> Scored:
        """All states at once, as many requests abreast as the settings allow."""
        chat = Chat(self.part.model, self.settings)
        found = await asyncio.gather(*(self._expected(chat, row) for row in rows))
        scores = tuple(self.part.classes.value(expected) for expected, _ in found)
        return Scored(scores=scores, cost=sum((cost for _, cost in found), Cost()))

    async def _expected(self, chat: Chat, row: State) -> tuple[float, Cost]:
        prompt, paid = prompt_within(row, self.max_tokens), Cost()
        for count in LOGPROBS:
            try:
                answer, cost = await chat.complete(prompt, 0, max_tokens=1, temperature=0.0, logprobs=count)
            except NotAccepted:
                continue
            listed = _listed(answer.choices[0])
            if listed:
                return expected_class(label_shares(listed)), cost
            paid = cost
            break
        expected, cost = await self._sampled(chat, prompt)
        return expected, cost + paid

    async def _sampled(self, chat: Chat, prompt: str) -> tuple[float, Cost]:
        """The mean of a few answers, from an endpoint that does not say how likely each was."""
        asked = [chat.complete(prompt, seed, max_tokens=1, temperature=TEMPERATURE) for seed in range(SAMPLES)]
        answers = await asyncio.gather(*asked)
        said = [text for answer, _ in answers if (text := str(answer.choices[0].text or "").strip()) in LABELS]
        if not said:
            raise PolicyError(
                f"{chat.name}: says no class (0 to 4) about a state; is it a value model, trained by "
                "`maxcode value train --base`?"
            )
        return sum(map(LABELS.index, said)) / len(said), sum((cost for _, cost in answers), Cost())


def _listed(choice: Any) -> list[tuple[str, float]]:
    """Tokens and log probabilities at the one place, in the form of completions or that of chats; [] without any."""
    found = getattr(choice, "logprobs", None)
    if found is None:
        return []
    try:
        pairs = _pairs(found)
    except (AttributeError, LookupError, TypeError):  # whatever an endpoint sends in their place
        return []
    return [(token, logprob) for token, logprob in pairs if isinstance(token, str) and _is_logprob(logprob)]


def _pairs(found: Any) -> list[tuple[Any, Any]]:
    if top := getattr(found, "top_logprobs", None):
        return list((top[0] or {}).items())
    content = getattr(found, "content", None) or []
    listed = _field(content[0], "top_logprobs") if content else []
    return [(_field(each, "token"), _field(each, "logprob")) for each in listed or []]


def _is_logprob(value: Any) -> bool:
    return isinstance(value, int | float) and value < 1.0


def _field(record: Any, name: str) -> Any:
    return record.get(name) if isinstance(record, dict) else getattr(record, name, None)


def label_shares(listed: Iterable[tuple[str, float]]) -> list[float]:
    """Probabilities of the labels among themselves; one that is not listed is less likely than any that is."""
    shares = dict.fromkeys(LABELS, 0.0)
    for token, logprob in listed:
        if token.strip() in shares:
            shares[token.strip()] += math.exp(logprob)
    total = sum(shares.values())
    if not total:
        raise PolicyError("the endpoint lists no class (0 to 4) among the likely tokens; is it a value model?")
    return [share / total for share in shares.values()]


def named_models(names: str, config: Config) -> tuple[ServedModel, ServedModel]:
    """Models of `STATE+SCREEN`, or of one name for both."""
    state, plus, screen = names.partition("+")
    if not state or (plus and not screen):
        raise InputError(f"--value openai:{names}: use openai:MODEL, or openai:STATE+SCREEN for two.")
    parts = ServedDescription(state=ServedPart(model=state), screen=ServedPart(model=screen or state))
    return read_served(parts.model_dump(), config)


def read_served(content: dict[str, Any], config: Config) -> tuple[ServedModel, ServedModel]:
    served = ServedDescription.model_validate(content)
    state, screen = (
        ServedModel(part, config.model(part.model), served.max_tokens) for part in (served.state, served.screen)
    )
    return state, screen
