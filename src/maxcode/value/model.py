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
from typing import Any, Literal, Protocol

from maxcode.core import Cost, InputError, Proposal, content_hash
from maxcode.observe.observation import Block
from maxcode.observe.render import Prompts, tokens
from maxcode.tree import Node, Tree
from maxcode.value import Scored, Screen, Value
from maxcode.value.light import read_light
from maxcode.value.state import State, proposed, state_of

SHIPPED = "light"
NEVER = -1e9
"""Score of what cannot come to anything: an answer without a program, or a program that the tree has."""


class Model(Protocol):
    """Predicts the logarithm of the best reward to come, for many states at once."""

    @property
    def reads(self) -> Literal["features", "text"]: ...

    def scores(self, rows: Sequence[State]) -> list[float]: ...


@dataclass(frozen=True)
class Models:
    """What one file holds."""

    state: Model
    screen: Model
    trained_on: frozenset[str]
    """Names of the tasks: a report card on these would be worth nothing."""


READERS: dict[str, Callable[[dict[str, Any], Path], tuple[Model, Model]]] = {"light": read_light}
"""Who reads the file of a kind."""


def load_models(name: str) -> Models:
    """The models of a file or folder; `light` are those that ship. InputError for anything else."""
    path = Path(__file__).parent / "light.json" if name == SHIPPED else Path(name)
    path = path / "model.json" if path.is_dir() else path
    try:
        content = json.loads(path.read_text())
        read = READERS[content["kind"]]
        state, screen = read(content, path)
        return Models(state, screen, frozenset(content["trained_on"]))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}). `maxcode value train` makes models.") from None
    except (ValueError, KeyError, TypeError) as error:
        known = ", ".join(READERS)
        raise InputError(f"{path}: not a value model ({error!r}); its 'kind' must be one of: {known}.") from None


def model_value(models: Models, blocks: frozenset[Block]) -> Value:
    """Values states by a model, all of a round in one batch."""
    known: dict[str, float] = {}
    prompts = Prompts() if models.state.reads == "text" else None

    async def value(tree: Tree, nodes: list[Node]) -> Scored:
        started = time.perf_counter()
        return await _scored(models.state, [state_of(tree, node, blocks, prompts) for node in nodes], known, started)

    return value


def model_screen(models: Models, blocks: frozenset[Block]) -> Screen:
    """Ranks proposals by a model; what the tree has already, and what is no program, comes last."""
    known: dict[str, float] = {}
    prompts = Prompts() if models.screen.reads == "text" else None

    async def screen(tree: Tree, node: Node, proposals: list[Proposal]) -> Scored:
        started, tried = time.perf_counter(), {each.candidate.id for each in tree}
        fresh = {
            i: proposed(tree, node, each.candidate, blocks, prompts)
            for i, each in enumerate(proposals)
            if each.candidate is not None and each.candidate.id not in tried
        }
        found = await _scored(models.screen, list(fresh.values()), known, started)
        scores = dict(zip(fresh, found.scores, strict=True))
        return found.model_copy(update={"scores": tuple(scores.get(i, NEVER) for i in range(len(proposals)))})

    return screen


async def _scored(model: Model, states: list[State], known: dict[str, float], started: float) -> Scored:
    """Scores of states, equal ones once; a model that reads text is charged for what it reads."""
    keys = [content_hash(state.model_dump_json()) for state in states]
    fresh = {key: state for key, state in zip(keys, states, strict=True) if key not in known}
    if fresh:
        known |= dict(zip(fresh, await asyncio.to_thread(model.scores, list(fresh.values())), strict=True))
    read = sum(tokens(state.text) for state in fresh.values()) if model.reads == "text" else 0
    cost = Cost(prompt_tokens=read, seconds=time.perf_counter() - started)
    return Scored(scores=tuple(known[key] for key in keys), cost=cost)
