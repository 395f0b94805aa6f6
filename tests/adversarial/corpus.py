"""Reads the corpus: programs that cheat or harm, each with a header that says what must catch it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Attack:
    path: Path
    attack: str
    task: Path
    expect: tuple[str, ...]
    reason: str | None
    max_speedup: float | None
    sanitize: bool

    @property
    def name(self) -> str:
        return self.path.stem


def read_attack(path: Path) -> Attack:
    fields = dict(re.findall(r"^(?://|#) (\w+): (.*)$", path.read_text().split("\n\n", 1)[0], re.MULTILINE))
    return Attack(
        path=path,
        attack=fields["attack"],
        task=HERE / "tasks" / fields["task"].strip(),
        expect=tuple(part.strip() for part in fields["expect"].split(",")),
        reason=fields.get("reason"),
        max_speedup=float(fields["max_speedup"]) if "max_speedup" in fields else None,
        sanitize="sanitize" in fields.get("options", ""),
    )


def read_corpus() -> list[Attack]:
    return [read_attack(path) for path in sorted((HERE / "programs").iterdir()) if path.suffix in (".cpp", ".py")]
