"""Records of options: their fields are the command's options, and the command gets the records."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from maxcode.cli.groups import made_command
from maxcode.cli.help import UsageError, sections_of
from maxcode.cli.options import Instead
from maxcode.system.options import CommandOption


@dataclass(frozen=True)
class Limits:
    most: Annotated[int, CommandOption(least=1)] = 3
    """How many, at the
    most."""


@dataclass(frozen=True)
class Asked:
    path: Annotated[Path, CommandOption(argument=True)]
    """Where."""
    kind: Literal["a", "b"] = "a"
    """Which."""
    limits: Limits = field(default_factory=Limits)
    quiet: Annotated[bool, CommandOption(names=("-q", "--quiet"))] = False
    """Say nothing."""


FEW = Limits(most=1)
GOT: list[Any] = []


def plain(asked: Asked, times: int = 1) -> None:
    """Says what it got."""
    GOT.append((asked, times))


def varied(limits: Annotated[Limits, Instead(most=CommandOption(help="Another text."))] = FEW) -> None:
    """Describes and starts a field otherwise."""
    GOT.append(limits)


def without(own: Asked, limits: Annotated[Limits, Instead(most=None)] = FEW) -> None:
    """Takes a field once, for the first record."""
    GOT.append((own.limits, limits))


def called(function: Any, *words: str) -> Any:
    GOT.clear()
    made_command("x", function).main(list(words), standalone_mode=False)
    return GOT[0]


def texts(function: Any) -> dict[str, str]:
    made = made_command("x", function)
    return {entry.names: entry.text for section in sections_of(made) for entry in section.entries}


def test_the_command_gets_its_records_filled_and_what_it_takes_besides() -> None:
    got = called(plain, "here", "--most", "5", "-q", "--times", "2")
    assert got == (Asked(Path("here"), "a", Limits(5), quiet=True), 2)


def test_docstrings_of_fields_are_help() -> None:
    assert texts(plain) == {
        "PATH": "Where.",
        "--kind KIND": "Which. One of: a, b.",
        "--most N": "How many, at the most.",
        "-q, --quiet": "Say nothing.",
        "--times N": "",
    }


def test_a_field_without_a_default_must_be_given() -> None:
    with pytest.raises(UsageError, match=r"(?i)missing"):
        called(plain)


def test_limits_hold() -> None:
    with pytest.raises(UsageError, match="greater than or equal to 1"):
        called(plain, "here", "--most", "0")


def test_a_command_describes_fields_otherwise_and_has_other_defaults() -> None:
    assert texts(varied) == {"--most N": "Another text."}
    assert called(varied) == Limits(1)


def test_a_field_that_is_left_out_has_its_default_whatever_another_of_its_name_is_given() -> None:
    assert called(without, "here", "--most", "7") == (Limits(7), Limits(1))
