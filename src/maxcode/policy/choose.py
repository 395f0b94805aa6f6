"""Policies by name: `rewrite`, `openai:MODEL`, `scripted:FILE`, or a mixture `0.7*openai:a + 0.3*rewrite`."""

from __future__ import annotations

import math
import re
from pathlib import Path

from maxcode.config import Config
from maxcode.core import InputError
from maxcode.observe.render import Prompts
from maxcode.policy import Policy
from maxcode.policy.mixture import mixture
from maxcode.policy.openai import chat_policy
from maxcode.policy.rewrite.policy import rewrite_policy
from maxcode.policy.scripted import scripted_policy


def choose_policy(spec: str, config: Config) -> Policy:
    parts = [part.strip() for part in re.split(r"\s\+\s", spec)]
    if len(parts) == 1 and "*" not in spec:
        return _single(spec, config)
    return mixture([_weighted(part, config) for part in parts])


def _weighted(part: str, config: Config) -> tuple[float, Policy]:
    weight, star, name = part.partition("*")
    if not star:
        return 1.0, _single(part, config)
    try:
        value = float(weight)
    except ValueError:
        value = 0.0
    if not 0 < value < math.inf:
        raise InputError(f"--policy: the weight '{weight}' in '{part}' must be a number above 0.")
    return value, _single(name.strip(), config)


def _single(spec: str, config: Config) -> Policy:
    kind, _, name = spec.partition(":")
    if spec == "rewrite":
        return rewrite_policy()
    if kind == "openai" and name:
        return chat_policy(name, config.model(name), Prompts(config.prompts))
    if kind == "scripted" and name:
        return scripted_policy(Path(name))
    raise InputError(
        f"--policy {spec}: not known; use rewrite, openai:MODEL, scripted:FILE, "
        "or a mixture '0.7*openai:a + 0.3*rewrite'."
    )
