"""What somebody else needs to see the same: the command, and everything that a figure depends on."""

from __future__ import annotations

import platform
import shlex
import time
from typing import Any

from maxcode import __version__
from maxcode.core import Outcome
from maxcode.optimize.recorded import Recorded
from maxcode.optimize.run import SearchSettings


def command_of(settings: SearchSettings) -> str:
    """The `maxcode optimize` that starts such a run."""
    plain = SearchSettings(task=settings.task, policy="rewrite")
    options: dict[str, Any] = {
        name: getattr(settings, name)
        for name in ("policy", "strategy", "critic", "observe", "screen", "value", "seed")
        if getattr(settings, name) != getattr(plain, name)
    }
    budget = settings.budget
    limits = {"evals": budget.evals, "max-tokens": budget.tokens, "max-usd": budget.usd, "max-seconds": budget.seconds}
    options |= {name: limit for name, limit in limits.items() if limit is not None}
    usual = plain.budget
    own = {"race": (budget.race, usual.race), "confirm-seconds": (budget.confirm_seconds, usual.confirm_seconds)}
    options |= {name: value for name, (value, default) in own.items() if value != default}
    words = (word for name, value in options.items() for word in (f"--{name}", str(value)))
    return shlex.join(["maxcode", "optimize", settings.task, *words])


def reproduce(run: Recorded, outcome: Outcome) -> list[tuple[str, str]]:
    """Labels and values of everything that a figure depends on; empty values are left out."""
    settings, m = run.settings, outcome.measurement
    recorded = run.tree.root.outcome.task
    changed = "" if recorded == run.task.hash else " (the folder has changed since: it is now " + run.task.hash + ")"
    build = run.task.build
    rows = [
        ("run", run.info.id),
        ("started", time.strftime("%Y-%m-%d %H:%M:%S %Z", time.localtime(run.info.started))),
        ("task", f"{run.task.name} ({run.task.kind.name}, {run.task.language.value})"),
        ("task hash", recorded + changed),
        ("baseline", run.task.baseline_candidate.id),
        ("finalist", outcome.candidate),
        ("compiler flags", " ".join([*build.flags, *build.link])),
        ("objective", run.task.objective.metric),
        ("policy", settings.policy),
        ("strategy", settings.strategy),
        ("critic", settings.critic),
        ("prompts", settings.prompts),
        ("seed of the search", str(settings.seed)),
        ("seeds of the measurement", "secret, and fresh for what is claimed"),
        ("machine", m.machine if m else ""),
        ("protections", outcome.protections),
        ("evaluator", outcome.evaluator),
        ("report by", f"maxcode {__version__}, Python {platform.python_version()}"),
    ]
    return [(label, value) for label, value in rows if value]
