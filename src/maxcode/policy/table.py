"""Policies by name: ours, and what installed packages offer under `maxcode.policies`.

A policy of ours is a file of this folder and an entry here. It is imported when it is chosen.
Each provider of models is a policy too.
"""

from __future__ import annotations

from pathlib import Path

from maxcode.config import Config
from maxcode.plugins import Choice, PluginTable, WithOthers, late, table
from maxcode.policy.providers import ADDRESSED, PROVIDERS, settings_of
from maxcode.search.parts import Policy

_REWRITE = late("maxcode.policy.rewrite.policy:rewrite_policy")
_SCRIPTED = late("maxcode.policy.scripted:scripted_policy")
_TARGET = late("maxcode.policy.target:target_policy")


def _asking(provider: str) -> Choice[Policy]:
    """The choice of a provider's models."""

    def make(model: str, config: Config) -> Policy:
        from maxcode.policy.openai import chat_policy
        from maxcode.search.observe.render import Prompts

        spec = f"{provider}:{model}"
        return chat_policy(spec, settings_of(spec, config), Prompts(config.prompts))

    argument = "URL" if provider == ADDRESSED else "MODEL"
    return Choice(f"asks a chat model: {PROVIDERS[provider].about}", make, argument=argument, endpoint=True)


OURS: dict[str, Choice[Policy]] = {
    "rewrite": Choice("transforms the syntax tree of a program; needs no model", lambda _, __: _REWRITE()),
    "scripted": Choice("gives the answers in a file", lambda file, _: _SCRIPTED(Path(file)), argument="FILE"),
    "target": Choice("gives the faster program that came with a task", lambda _, __: _TARGET()),
}
POLICIES: PluginTable[Choice[Policy]] = table("maxcode.policies", WithOthers(OURS, PROVIDERS, _asking), Choice)
