"""Critics by name: `rules`, `none`, `PROVIDER:MODEL`, and what installed packages offer under `maxcode.critics`."""

from __future__ import annotations

from maxcode.config import Config
from maxcode.plugins import Choice, PluginTable, WithOthers, chosen, table
from maxcode.policy.providers import ADDRESSED, PROVIDERS, settings_of
from maxcode.search.parts import Critic


def _rules(_: str, __: Config) -> Critic:
    from maxcode.critic.rules import rule_critic

    return rule_critic


def _asking(provider: str) -> Choice[Critic | None]:
    """The choice of a provider's models."""

    def make(model: str, config: Config) -> Critic:
        from maxcode.critic.chat import chat_critic
        from maxcode.search.observe.render import Prompts

        spec = f"{provider}:{model}"
        return chat_critic(spec, settings_of(spec, config), Prompts(config.prompts))

    argument = "URL" if provider == ADDRESSED else "MODEL"
    return Choice("asks a model; its cost is counted apart", make, argument=argument, endpoint=True)


OURS: dict[str, Choice[Critic | None]] = {
    "rules": Choice("reads compiler remarks, counters and the text; needs no model", _rules),
    "none": Choice("no critiques", lambda _, __: None),
}
CRITICS: PluginTable[Choice[Critic | None]] = table("maxcode.critics", WithOthers(OURS, PROVIDERS, _asking), Choice)


def choose_critic(spec: str, config: Config) -> Critic | None:
    choice, argument = chosen("--critic", spec, CRITICS)
    return choice.make(argument, config)


def paid_critics(spec: str) -> list[str]:
    """The models behind endpoints that the critic asks."""
    choice, _ = chosen("--critic", spec, CRITICS)
    return [spec] if choice.endpoint else []
