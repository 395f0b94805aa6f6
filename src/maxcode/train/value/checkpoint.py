"""Checkpoint that a killed training resumes from: adapter, optimizer, random numbers and losses, in one file."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maxcode.core import InputError
from maxcode.system.home import write_atomically


@dataclass(frozen=True)
class Checkpoint:
    """Checkpoint of one adapter in a folder. It is resumed only with settings and data of the same fingerprint."""

    folder: Path
    name: str
    fingerprint: str
    every: int

    @property
    def _file(self) -> Path:
        return self.folder / f"{self.name}.checkpoint.pt"

    @property
    def _log(self) -> Path:
        return self.folder / f"{self.name}.log.jsonl"

    @property
    def _done(self) -> Path:
        return self.folder / self.name / "part.json"

    def finished(self) -> str | None:
        """Text given to `finish`; None if the adapter is not finished. InputError if it has other settings or data."""
        if not self._done.is_file():
            return None
        known = json.loads(self._done.read_text())
        self._check(known["fingerprint"])
        return str(known["part"])

    def finish(self, part: str) -> None:
        write_atomically(self._done, json.dumps({"fingerprint": self.fingerprint, "part": part}).encode())
        self._file.unlink(missing_ok=True)

    def resume(self, model: Any, optimizer: Any) -> tuple[list[float], float]:
        """Restores model, optimizer and random numbers; returns the losses so far and the seconds they took."""
        import torch
        from peft import set_peft_model_state_dict

        if not self._file.is_file():
            self._keep_log(0)
            return [], 0.0
        known = torch.load(self._file, map_location="cpu", weights_only=True)
        self._check(known["fingerprint"])
        set_peft_model_state_dict(model, known["adapter"], adapter_name=self.name)
        optimizer.load_state_dict(known["optimizer"])
        torch.set_rng_state(known["random"])
        self._keep_log(len(known["losses"]))
        return list(known["losses"]), float(known["seconds"])

    def keep(self, model: Any, optimizer: Any, losses: list[float], seconds: float) -> None:
        """Writes a checkpoint where one is due; a reader finds the old one or the new one, never a part."""
        import torch
        from peft import get_peft_model_state_dict

        if len(losses) % self.every:
            return
        adapter = get_peft_model_state_dict(model, adapter_name=self.name, save_embedding_layers=False)
        content = {
            "fingerprint": self.fingerprint,
            "adapter": {name: weights.detach().cpu() for name, weights in adapter.items()},
            "optimizer": optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "losses": losses,
            "seconds": seconds,
        }
        partial = self._file.with_suffix(f".{os.getpid()}.partial")
        torch.save(content, partial)
        partial.replace(self._file)

    def note(self, line: str) -> None:
        with self._log.open("a") as file:
            file.write(line + "\n")

    def _keep_log(self, steps: int) -> None:
        """Cuts the log to the first `steps` steps; later ones are made again."""
        lines = self._log.read_text().splitlines(keepends=True) if self._log.is_file() else []
        write_atomically(self._log, "".join(lines[:steps]).encode())

    def _check(self, found: str) -> None:
        if found != self.fingerprint:
            raise InputError(
                f"{self.folder}: holds a training with other settings or data; give another folder, or remove it."
            )
