"""Commands that are made when they are looked up: `maxcode --help` reads no more than their names and help texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class LateCommand:
    """Command that is imported when it is used; until then, its name and its help."""

    make: Callable[[], Any]
    help: str | None = None
    """Help text; that of the command itself when absent, which is then made to be listed."""
    panel: str = "Commands"
    """Title of the group in which help lists it."""


class LateCommands(Mapping[str, Any]):
    """Commands by name. The table is asked for when the first is looked up, and a command is made when it is."""

    def __init__(self, table: Callable[[], Mapping[str, LateCommand]]) -> None:
        self._ask, self._made = table, dict[str, Any]()

    @cached_property
    def _table(self) -> Mapping[str, LateCommand]:
        return self._ask()

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = self._table[name].make()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._table

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def listed(self) -> Iterator[tuple[str, str, str]]:
        """Panel, name and help text of each."""
        for name, each in self._table.items():
            yield each.panel, name, each.help if each.help is not None else self[name].help or ""
