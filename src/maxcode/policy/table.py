"""Policies by name: ours, and what installed packages offer under `maxcode.policies`.

A policy of ours is a file of this folder and an entry here. It is imported when it is chosen.
"""

from __future__ import annotations

from pathlib import Path

from maxcode.config import Config
from maxcode.plugins import Choice, PluginTable, late, table
from maxcode.search.parts import Policy

_REWRITE = late("maxcode.policy.rewrite.policy:rewrite_policy")
_SCRIPTED = late("maxcode.policy.scripted:scripted_policy")
_TARGET = late("maxcode.policy.target:target_policy")


def _openai(model: str, config: Config) -> Policy:
    from maxcode.policy.openai import chat_policy
    from maxcode.search.observe.render import Prompts

    return chat_policy(model, config.model(model), Prompts(config.prompts))


OURS: dict[str, Choice[Policy]] = {
    "rewrite": Choice("transforms the syntax tree of a program; needs no model", lambda _, __: _REWRITE()),
    "openai": Choice("asks a chat model", _openai, argument="MODEL", endpoint=True),
    "scripted": Choice("gives the answers in a file", lambda file, _: _SCRIPTED(Path(file)), argument="FILE"),
    "target": Choice("gives the faster program that came with a task", lambda _, __: _TARGET()),
}
POLICIES: PluginTable[Choice[Policy]] = table("maxcode.policies", OURS, Choice)
