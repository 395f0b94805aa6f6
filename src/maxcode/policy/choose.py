"""Policies by name: `rewrite`, `openai:MODEL`, `hf:CHECKPOINT`, `scripted:FILE`, `target`, or a mixture of some:
`0.7*openai:a + 0.3*rewrite`.

Around any of these, `record:FILE,POLICY`; in place of one, or before it, `replay:FILE` and `replay:FILE,POLICY`.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

from maxcode.config import Config
from maxcode.core import InputError
from maxcode.policy.hf import hf_policy
from maxcode.policy.mixture import mixture
from maxcode.policy.openai import chat_policy
from maxcode.policy.recording import read_recording, record_policy, refuse_existing, replay_policy
from maxcode.policy.rewrite.policy import rewrite_policy
from maxcode.policy.scripted import scripted_policy
from maxcode.policy.target import target_policy
from maxcode.search.observe.render import Prompts
from maxcode.search.parts import Policy


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
    checkpoint = Path(spec.removeprefix("hf:"))
    return f"hf:{checkpoint.absolute()}" if spec.startswith("hf:") and checkpoint.is_dir() else spec


def programs_recorded(spec: str) -> int | None:
    """Number of programs in the recording that is replayed, if no policy goes on after it; else None."""
    kind, name, rest = _wrapped(spec)
    if kind == "record" or (kind == "replay" and rest):
        return programs_recorded(rest) if kind == "record" else None
    return len(read_recording(name).answers) if kind == "replay" else None


def models_of(spec: str) -> list[str]:
    """The chat models that may be asked."""
    kind, _, rest = _wrapped(spec)
    if kind:
        return models_of(rest)
    singles = (part.rpartition("*")[2].strip() for part in _parts(spec))
    return [single.removeprefix("openai:") for single in singles if single.startswith("openai:")]


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
    kind, _, name = spec.partition(":")
    if spec == "rewrite":
        return rewrite_policy()
    if kind == "openai" and name:
        return chat_policy(name, config.model(name), Prompts(config.prompts))
    if kind == "hf" and name:
        return hf_policy(name, Prompts(config.prompts))
    if kind == "scripted" and name:
        return scripted_policy(Path(name))
    if spec == "target":
        return target_policy()
    raise InputError(
        f"--policy {spec}: not known; use rewrite, openai:MODEL, hf:CHECKPOINT, scripted:FILE, target, replay:RUN, "
        "record:FILE,POLICY, or a mixture '0.7*openai:a + 0.3*rewrite'."
    )
