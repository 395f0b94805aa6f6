"""Steps that torch wrote into `build.ninja`: which command makes which file from which."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+)|(.))")


class Unusual(Exception):
    """Something the fast way does not handle; the text says what."""


@dataclass(frozen=True)
class BuildStep:
    rule: str
    output: str
    inputs: tuple[str, ...]
    template: str
    variables: Mapping[str, str]

    def command(self, **changed: str) -> str:
        """The command line, with some variables replaced."""
        values = {**self.variables, "in": " ".join(self.inputs), "out": self.output, **changed}
        return VARIABLE.sub(lambda found: _value(found, values), self.template)


@dataclass(frozen=True)
class BuildPlan:
    steps: tuple[BuildStep, ...]

    def of(self, rule: str) -> tuple[BuildStep, ...]:
        return tuple(step for step in self.steps if step.rule == rule)

    @property
    def link(self) -> BuildStep:
        links = self.of("link")
        if len(links) != 1:
            raise Unusual(f"{len(links)} link steps")
        return links[0]


def read_plan(file: Path) -> BuildPlan:
    variables: dict[str, str] = {}
    templates: dict[str, str] = {}
    builds: list[tuple[str, str, tuple[str, ...]]] = []
    rule = ""
    for line in file.read_text().splitlines():
        if line.startswith("rule "):
            rule = line.removeprefix("rule ").strip()
        elif line.startswith("build "):
            builds.append(_build_line(line))
        elif line[:1] == " " and line.strip().startswith("command = "):
            templates[rule] = line.strip().removeprefix("command = ")
        elif line[:1] not in ("", " ") and " =" in line:
            name, _, value = line.partition(" =")
            variables[name] = value.strip()
    if any(made_by not in templates for _, made_by, _ in builds):
        raise Unusual("a build plan of another form")
    return BuildPlan(tuple(BuildStep(by, out, ins, templates[by], variables) for out, by, ins in builds))


def _build_line(line: str) -> tuple[str, str, tuple[str, ...]]:
    if "$" in line:
        raise Unusual("paths with special characters")
    output, _, rest = line.removeprefix("build ").partition(": ")
    rule, *inputs = rest.split()
    return output.strip(), rule, tuple(inputs)


def _value(found: re.Match[str], values: Mapping[str, str]) -> str:
    name = found.group(1) or found.group(2)
    if name is not None:
        return values.get(name, "")
    return found.group(3)  # an escaped character
