"""Policies by name: those of the table, or a mixture of some: `0.7*openai:a + 0.3*rewrite`.

Around any of these, `record:FILE,POLICY`; in place of one, or before it, `replay:FILE` and `replay:FILE,POLICY`.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

from maxcode.config import Config
from maxcode.core import InputError
from maxcode.plugins import Choice, chosen
from maxcode.policy.mixture import mixture
from maxcode.policy.recording import read_recording, record_policy, refuse_existing, replay_policy
from maxcode.policy.table import POLICIES
from maxcode.search.parts import Policy

COMBINED = ("replay:RUN", "record:FILE,POLICY", "a mixture '0.7*openai:a + 0.3*rewrite'")
"""Forms that are made of other policies, or of their answers."""


def choose_policy(spec: str, config: Config) -> Policy:
    kind, name, rest = _wrapped(spec)
    if kind == "record":
        return record_policy(Path(name), choose_policy(rest, config))
    if kind == "replay":
        return replay_policy(read_recording(name), choose_policy(rest, config) if rest else None)
    parts = _parts(spec)
    if len(parts) == 1 and "*" not in spec:
        return _single(spec, config)
    return mixture([_weighted(part, config) for part in parts])


def settled(spec: str) -> str:
    """The policy with names that mean the same later and in other folders: absolute paths, and no `replay:last`.

    For a run that begins: InputError if it would be recorded into a file that exists.
    """
    kind, name, rest = _wrapped(spec)
    if kind == "record":
        refuse_existing(Path(name))
        return f"record:{Path(name).absolute()},{settled(rest)}"
    if kind == "replay":
        source = f"replay:{Path(name).absolute()}" if Path(name).is_file() else read_recording(name).source
        return f"{source},{settled(rest)}" if rest else source
    if "*" in spec or len(_parts(spec)) > 1:
        return spec
    choice, argument = _chosen(spec)
    return f"{spec.partition(':')[0]}:{choice.settled(argument)}" if argument else spec


def programs_recorded(spec: str) -> int | None:
    """Number of programs in the recording that is replayed, if no policy goes on after it; else None."""
    kind, name, rest = _wrapped(spec)
    if kind == "record" or (kind == "replay" and rest):
        return programs_recorded(rest) if kind == "record" else None
    return len(read_recording(name).answers) if kind == "replay" else None


def models_of(spec: str) -> list[str]:
    """The models behind endpoints that may be asked."""
    kind, _, rest = _wrapped(spec)
    if kind:
        return models_of(rest) if rest else []
    singles = [part.partition("*")[2].strip() if "*" in part else part for part in _parts(spec)]
    return [single for single in singles if _chosen(single)[0].endpoint]


def _wrapped(spec: str) -> tuple[str | None, str, str]:
    """`record` or `replay`, its file or run, and the policy after the comma; None and nothing for all others."""
    kind, _, rest = spec.partition(":")
    if kind not in ("record", "replay"):
        return None, "", ""
    name, _, policy = (part.strip() for part in rest.partition(","))
    if not name or (kind == "record" and not policy):
        raise InputError(f"--policy {spec}: use record:FILE,POLICY, replay:FILE, replay:RUN or replay:RUN,POLICY.")
    return kind, name, policy


def _parts(spec: str) -> list[str]:
    return [part.strip() for part in re.split(r"\s\+\s", spec)]


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
    choice, argument = _chosen(spec)
    return choice.make(argument, config)


def _chosen(spec: str) -> tuple[Choice[Policy], str]:
    return chosen("--policy", spec, POLICIES, COMBINED)
