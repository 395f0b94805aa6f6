"""Critics by name: `rules`, `none`, `openai:MODEL`, and what installed packages offer under `maxcode.critics`."""

from __future__ import annotations

from maxcode.config import Config
from maxcode.plugins import Choice, PluginTable, chosen, table
from maxcode.search.parts import Critic


def _rules(_: str, __: Config) -> Critic:
    from maxcode.critic.rules import rule_critic

    return rule_critic


def _openai(model: str, config: Config) -> Critic:
    from maxcode.critic.chat import chat_critic
    from maxcode.search.observe.render import Prompts

    return chat_critic(model, config.model(model), Prompts(config.prompts))


OURS: dict[str, Choice[Critic | None]] = {
    "rules": Choice("reads compiler remarks, counters and the text; needs no model", _rules),
    "none": Choice("no critiques", lambda _, __: None),
    "openai": Choice("asks a model; its cost is counted apart", _openai, argument="MODEL", endpoint=True),
}
CRITICS: PluginTable[Choice[Critic | None]] = table("maxcode.critics", OURS, Choice)


def choose_critic(spec: str, config: Config) -> Critic | None:
    choice, argument = chosen("--critic", spec, CRITICS)
    return choice.make(argument, config)


def paid_critics(spec: str) -> list[str]:
    """The models behind endpoints that the critic asks."""
    choice, argument = chosen("--critic", spec, CRITICS)
    return [argument] if choice.endpoint else []
