"""Reward-to-go models: what one is, how it is loaded, and how it serves a search.

A model's file is JSON with a `kind`, which says who reads it; a folder holds such a file as `model.json`. One file has
two models: for states that have been run, and for proposals that have not.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from maxcode.config import Config
from maxcode.core import Cost, InputError, Proposal, content_hash
from maxcode.plugins import table
from maxcode.search.observe.fitting import tokens
from maxcode.search.parts import Screen, Value
from maxcode.search.tree import Node, Tree
from maxcode.search.values import Scored
from maxcode.value.endpoint import ServedModel, named_models, read_served
from maxcode.value.light import read_light
from maxcode.value.state import State, proposed, state_of

SHIPPED = "light"
NEVER = -1e9
"""Score of proposals that are not worth running: no program, or one that the tree already has."""


class Model(Protocol):
    """Predicts the logarithm of the best reward to come, for many states at once."""

    @property
    def reads(self) -> Literal["features", "text"]: ...

    def scores(self, rows: Sequence[State]) -> list[float]: ...


@runtime_checkable
class Charging(Protocol):
    """A model that knows what its scores cost."""

    async def scored(self, rows: Sequence[State]) -> Scored: ...


@dataclass(frozen=True)
class Models:
    """Models that one file holds."""

    state: Model
    screen: Model
    trained_on: frozenset[str]
    """Original programs, or names of tasks: a report card on these would be worth nothing. Empty where not known."""


@dataclass(frozen=True)
class ModelReader:
    """Reads the files of one kind of model."""

    read: Callable[[dict[str, Any], Path, Config], tuple[Model, Model]]
    """Makes both models of a file's content; the file's path is given too, for what lies beside it."""


OURS = {
    "light": ModelReader(lambda content, _, __: read_light(content)),
    "served": ModelReader(lambda content, _, config: read_served(content, config)),
}
READERS = table("maxcode.values", OURS, ModelReader)
"""Readers by the `kind` in a model's file: ours, and those that installed packages add."""


def load_models(name: str, config: Config | None = None) -> Models:
    """The models of a file or folder; `light` are those that ship, openai:MODEL one behind an endpoint.

    InputError for anything else.
    """
    config = config or Config()
    if name.startswith("openai:"):
        return Models(*named_models(name.removeprefix("openai:"), config), frozenset())
    path = Path(__file__).parent / "light.json" if name == SHIPPED else Path(name)
    path = path / "model.json" if path.is_dir() else path
    try:
        content = json.loads(path.read_text())
        state, screen = READERS[content["kind"]].read(content, path, config)
        return Models(state, screen, frozenset(content["trained_on"]))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}). `maxcode value train` makes models.") from None
    except (ValueError, KeyError, TypeError) as error:
        known = ", ".join(READERS)
        raise InputError(f"{path}: not a value model ({error!r}); its 'kind' must be one of: {known}.") from None


def endpoints_of(models: Models) -> list[str]:
    """Names of the models that are asked over the network and may cost money."""
    return [f"openai:{each.part.model}" for each in (models.state, models.screen) if isinstance(each, ServedModel)]


def model_value(models: Models) -> Value:
    """Values states by a model, all of a round in one batch."""
    known: dict[str, float] = {}
    text = models.state.reads == "text"

    async def value(tree: Tree, nodes: list[Node]) -> Scored:
        started = time.perf_counter()
        return await _scored(models.state, [state_of(tree, node, text=text) for node in nodes], known, started)

    return value


def model_screen(models: Models) -> Screen:
    """Screen by a model; proposals without a program, or with one that the tree already has, come last."""
    known: dict[str, float] = {}
    text = models.screen.reads == "text"

    async def screen(tree: Tree, node: Node, proposals: list[Proposal]) -> Scored:
        started, tried = time.perf_counter(), {each.candidate.id for each in tree}
        fresh = {
            i: proposed(tree, node, each.candidate, text=text)
            for i, each in enumerate(proposals)
            if each.candidate is not None and each.candidate.id not in tried
        }
        found = await _scored(models.screen, list(fresh.values()), known, started)
        scores = dict(zip(fresh, found.scores, strict=True))
        return found.model_copy(update={"scores": tuple(scores.get(i, NEVER) for i in range(len(proposals)))})

    return screen


async def _scored(model: Model, states: list[State], known: dict[str, float], started: float) -> Scored:
    """Scores of states in one batch. Equal states, and those in `known`, are not scored again."""
    keys = [content_hash(state.model_dump_json()) for state in states]
    fresh = {key: state for key, state in zip(keys, states, strict=True) if key not in known}
    cost = Cost()
    if fresh:
        found = await _asked(model, list(fresh.values()))
        known |= dict(zip(fresh, found.scores, strict=True))
        cost = found.cost
    cost = cost.model_copy(update={"seconds": time.perf_counter() - started})
    return Scored(scores=tuple(known[key] for key in keys), cost=cost)


async def _asked(model: Model, states: list[State]) -> Scored:
    """Scores and their cost. A model that does not state its cost is charged the tokens that it reads."""
    if isinstance(model, Charging):
        return await model.scored(states)
    scores = await asyncio.to_thread(model.scores, states)
    read = sum(tokens(state.text) for state in states) if model.reads == "text" else 0
    return Scored(scores=tuple(scores), cost=Cost(prompt_tokens=read))
