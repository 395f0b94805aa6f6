"""What there is to choose from by name: a table of ours, and what installed packages add to it by entry points.

A package adds a strategy, a policy, a critic or an engine by naming it in its `pyproject.toml`, with no change here:

    [project.entry-points."maxcode.strategies"]
    greedy = "their_package.search:GREEDY"

Names are read from the packages' metadata. A package is imported when one of its names is used, not before. Our own
package adds in this way what lower layers must not import: policies and value models that need training's libraries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from maxcode.core import InputError

if TYPE_CHECKING:
    from maxcode.config import Config

T = TypeVar("T")


@dataclass(frozen=True)
class Choice(Generic[T]):
    """Something that is chosen as NAME or NAME:ARGUMENT, such as `rules` or `openai:MODEL`."""

    about: str
    make: Callable[[str, Config], T]
    """Makes it from what follows the colon, which is empty where `argument` is, and the configuration."""
    argument: str = ""
    """The word for what follows the colon, in capitals; empty where nothing does."""
    endpoint: bool = False
    """Whether the argument names a model behind an endpoint, which may cost money."""
    settled: Callable[[str], str] = str
    """Argument that means the same later and in other folders; for runs that are resumed elsewhere."""


class PluginTable(Mapping[str, T]):
    """Records by name, ours first. Those of other packages are loaded one by one, when they are looked up."""

    def __init__(self, group: str, ours: Mapping[str, T], record: type[T]) -> None:
        self._group, self._ours, self._record = group, ours, record

    @cached_property
    def _others(self) -> dict[str, list[EntryPoint]]:
        found: dict[str, list[EntryPoint]] = {}
        for each in entry_points(group=self._group):
            if each.name not in self._ours:
                found.setdefault(each.name, []).append(each)
        return dict(sorted(found.items()))

    def __iter__(self) -> Iterator[str]:
        yield from self._ours
        yield from self._others

    def __len__(self) -> int:
        return len(self._ours) + len(self._others)

    def __contains__(self, name: object) -> bool:
        return name in self._ours or name in self._others

    def __getitem__(self, name: str) -> T:
        return self._ours[name] if name in self._ours else self._loaded(self._others[name])

    def _loaded(self, found: list[EntryPoint]) -> T:
        entry, *more = found
        if more:
            raise InputError(f"{_where(entry)}: {_package(more[0])} has the same name; uninstall one of them.")
        try:
            record = entry.load()
        except Exception as error:  # whatever the code of a stranger raises
            problem = f"{type(error).__name__}: {error}"
            raise InputError(f"{_where(entry)}: cannot be loaded ({problem}).") from error
        if not isinstance(record, self._record):
            wanted, given = self._record.__name__, type(record).__name__
            raise InputError(f"{_where(entry)}: {entry.value} is of type {given}; it must be a {wanted}.")
        return record


class WithOthers(Mapping[str, T]):
    """A table of ours, and a record for each name of another table, made when it is looked up."""

    def __init__(self, ours: Mapping[str, T], others: Mapping[str, Any], make: Callable[[str], T]) -> None:
        self._ours, self._others, self._make = ours, others, make

    def __iter__(self) -> Iterator[str]:
        yield from self._ours
        yield from self._others

    def __len__(self) -> int:
        return len(self._ours) + len(self._others)

    def __contains__(self, name: object) -> bool:
        return name in self._ours or name in self._others

    def __getitem__(self, name: str) -> T:
        if name not in self._ours and name not in self._others:
            raise KeyError(name)
        return self._ours[name] if name in self._ours else self._make(name)


def table(group: str, ours: Mapping[str, T], record: type[T]) -> PluginTable[T]:
    """Our records and those that installed packages offer under the group, all of the type `record`."""
    return PluginTable(group, ours, record)


def late(place: str) -> Any:
    """Stand-in for the function or class at `module:name`, which is imported when it is called."""
    module, _, name = place.partition(":")

    def call(*given: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*given, **named)

    call.__qualname__ = place
    return call


def _package(entry: EntryPoint) -> str:
    return f"package {entry.dist.name}" if entry.dist else "a package"


def _where(entry: EntryPoint) -> str:
    return f"{entry.group} '{entry.name}' of {_package(entry)}"


def forms(choices: Mapping[str, Choice[T]]) -> list[str]:
    """Forms in which the choices are written: `rules`, `openai:MODEL`; the bare name of one that cannot be loaded."""
    return [_form(choices, name) for name in choices]


def _form(choices: Mapping[str, Choice[T]], name: str) -> str:
    try:
        argument = choices[name].argument
    except InputError:
        return name
    return f"{name}:{argument}" if argument else name


def chosen(
    option: str, spec: str, choices: Mapping[str, Choice[T]], others: tuple[str, ...] = ()
) -> tuple[Choice[T], str]:
    """The choice that `spec` names, and its argument. InputError for an unknown one lists the forms to use.

    `others`: forms that the caller reads itself.
    """
    name, colon, argument = spec.partition(":")
    if name in choices:
        choice = choices[name]
        if bool(argument) == bool(choice.argument) and bool(colon) == bool(argument):
            return choice, argument
    *most, last = (*forms(choices), *others)
    raise InputError(f"{option} {spec}: not known; use {', '.join(most)} or {last}.")
