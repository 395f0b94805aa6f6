"""`--help` in two columns that fit 80 characters, options in groups; and errors of usage like any other error.

What a command takes is read off the command itself (`sections_of`); the reference in docs/ is made of the same.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import typer
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from maxcode.cli.choices import filled
from maxcode.cli.console import err, out, print_error
from maxcode.cli.late import LateCommand, LateCommands

WIDEST = 100
"""Longer lines are hard to read, however wide the terminal."""
LEFT = 24
"""Width of the first column; what is longer gets a line of its own."""
UsageError: Any = typer.BadParameter.__base__
"""typer's own class; it has no public name."""


@dataclass(frozen=True)
class HelpEntry:
    """An argument, an option or a command, as a person reads it."""

    names: str
    text: str
    default: str | None = None


@dataclass(frozen=True)
class HelpSection:
    title: str
    entries: tuple[HelpEntry, ...]


def sections_of(command: Any) -> list[HelpSection]:
    """What a command takes, in its groups: arguments, options by panel, commands by panel."""
    found: dict[str, list[HelpEntry]] = {}
    for param in command.params:
        if param.param_type_name == "argument":
            found.setdefault("Arguments", []).append(_argument(param))
    for panel, name, text in command.commands.listed() if isinstance(command, Group) else ():
        found.setdefault(panel, []).append(HelpEntry(name, first_sentence(text)))
    options = [param for param in command.params if param.param_type_name == "option" and not param.hidden]
    for param in sorted(options, key=lambda each: each.rich_help_panel is not None):
        found.setdefault(param.rich_help_panel or "Options", []).append(_option(param))
    return [HelpSection(title, tuple(entries)) for title, entries in _options_last(found)]


def _options_last(found: dict[str, list[HelpEntry]]) -> Iterator[tuple[str, list[HelpEntry]]]:
    """Puts options of named groups first, and the others last."""
    yield from ((title, entries) for title, entries in found.items() if title != "Options")
    if "Options" in found:
        yield "Options", found["Options"]


def first_sentence(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split())


def placeholder(param: Any) -> str:
    """Word that stands for a value in a help text and says its type."""
    if param.metavar:
        return str(param.metavar).strip("{}")
    if param.param_type_name == "argument":
        return str(param.name).upper()
    kind = param.type_descriptor
    if kind.is_choice:
        return str(param.opts[0]).lstrip("-").upper()
    if kind.is_path or kind.is_file or "Path" in str(kind.annotation):
        return "PATH"
    return "N" if kind.is_ranged or kind.annotation in (int, float) else "TEXT"


def usage(command: Any, path: str) -> str:
    words = [path]
    if any(param.param_type_name == "option" for param in command.params):
        words.append("[OPTIONS]")
    if getattr(command, "commands", None):
        words.append("COMMAND ...")
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    return " ".join([*words, *(_in_usage(param) for param in arguments)])


def _in_usage(param: Any) -> str:
    word = placeholder(param)
    if param.nargs == -1 and not word.endswith("..."):
        word += "..."
    return word if param.required else f"[{word}]"


def _argument(param: Any) -> HelpEntry:
    return HelpEntry(_in_usage(param).strip("[]"), _text(param), _default(param))


def _option(param: Any) -> HelpEntry:
    if param.is_flag:
        both = param.default is not False and param.secondary_opts
        names = "/".join([*param.opts, *param.secondary_opts]) if both else ", ".join(param.opts)
        return HelpEntry(names, _text(param), _default(param))
    return HelpEntry(f"{', '.join(sorted(param.opts, key=len))} {placeholder(param)}", _text(param), _default(param))


def _text(param: Any) -> str:
    text = filled(first_sentence(param.help or ""))
    if getattr(param, "multiple", False):
        text += " May be given several times." if "several" not in text else ""
    choices = param.type_descriptor.choices
    if choices and param.show_choices:
        text += f" One of: {', '.join(str(getattr(each, 'value', each)) for each in choices)}."
    return text + (" Required." if param.required and param.param_type_name == "option" else "")


def _default(param: Any) -> str | None:
    if isinstance(param.show_default, str):
        return str(param.show_default)
    if not param.show_default or param.default is None or param.default is False or param.required:
        return None
    if param.default is True:
        return str(param.opts[0]).lstrip("-")
    return str(getattr(param.default, "value", param.default))


def _lines(section: HelpSection, width: int) -> Iterator[str]:
    longest = max((len(entry.names) for entry in section.entries), default=0)
    left = min(longest, LEFT, max(width // 3, 8)) + 2
    for entry in section.entries:
        text = entry.text + (f" [{entry.default}]" if entry.default else "")
        body = textwrap.wrap(text, max(width - left - 2, 20), break_on_hyphens=False) or [""]
        if len(entry.names) > left - 2:
            yield f"  {entry.names}"
        else:
            yield f"  {entry.names:<{left}}{body.pop(0)}".rstrip()
        yield from (f"  {'':<{left}}{line}" for line in body)


def help_text(command: Any, path: str) -> str:
    """The whole of it, in bold where the terminal can."""
    width = min(out.width, WIDEST)
    parts = [Text.assemble(("Usage: ", "bold"), usage(command, path)), Text()]
    for paragraph in (command.help or "").split("\n\n"):
        parts += [*map(Text, textwrap.wrap(" ".join(paragraph.split()), width)), Text()]
    for section in sections_of(command):
        parts += [Text(section.title, "bold"), *map(Text, _lines(section, width)), Text()]
    with out.capture() as captured:
        for part in parts[:-1]:
            out.print(part, soft_wrap=True)
    return captured.get()


class HelpCommand(TyperCommand):
    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(help_text(self, ctx.command_path))


class Group(TyperGroup):
    """A group of commands that are made when they are looked up in a table, which is asked for then."""

    commands: Any

    def __init__(self, *, table: Callable[[], Mapping[str, LateCommand]], **settings: Any) -> None:
        super().__init__(**{**settings, "commands": LateCommands(table)})

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of the commands, without making them as typer does."""
        del ctx
        return list(self.commands)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(help_text(self, ctx.command_path))

    def main(self, *given: Any, **settings: Any) -> Any:
        """Runs the command as typer does, but prints usage errors like all others."""
        if not settings.get("standalone_mode", True):
            return super().main(*given, **settings)
        try:
            code = super().main(*given, **{**settings, "standalone_mode": False})
        except UsageError as error:
            _tell(error)
            sys.exit(error.exit_code)
        except typer.Abort:
            err.print("stopped.")
            sys.exit(1)
        sys.exit(code if isinstance(code, int) else 0)


def _tell(error: Any) -> None:
    if type(error).__name__ == "NoArgsIsHelpError":
        err.print(Text(error.format_message()), soft_wrap=True)
        return
    message = error.format_message().replace("\n\t", " ").strip()
    path = error.ctx.command_path if error.ctx else "maxcode"
    end = "" if message.endswith((".", "?")) else "."
    print_error("error", f"{message[:1].lower()}{message[1:]}{end} `{path} --help` says what it takes.")
    if error.ctx:
        err.print(Text(f"Usage: {usage(error.ctx.command, path)}"), soft_wrap=True)
