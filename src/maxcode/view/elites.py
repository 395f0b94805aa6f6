"""The archive of a training as a map: the best program of each problem and each set of techniques."""

from __future__ import annotations

from typing import Any

from maxcode.core import InputError
from maxcode.report.nodes import figure
from maxcode.train.archive import TECHNIQUE_SETS, Elite
from maxcode.train.archive_record import RecordedArchive
from maxcode.view.node import file_data

COLOURED_AS = "kernel.cpp"
"""The language that all texts of elites are written in, or a part of it."""


def elite_map(archive: RecordedArchive | None) -> dict[str, Any]:
    """The archive as data for the page, without the texts of programs; only sets of techniques that some elite has."""
    if archive is None:
        return {"recorded": False}
    places = {cell: divmod(cell, len(TECHNIQUE_SETS)) for cell in archive.elites}
    sets = {places[cell][1]: elite.model_dump(mode="json")["techniques"] for cell, elite in archive.elites.items()}
    return {
        "recorded": True,
        "tasks": list(archive.tasks),
        "sets": [{"set": number, "techniques": names} for number, names in sorted(sets.items())],
        "cells": [
            {"cell": cell, "task": places[cell][0], "set": places[cell][1], **_figures(elite)}
            for cell, elite in sorted(archive.elites.items())
        ],
        "possible": archive.cells,
        "coverage": figure(archive.coverage),
        "qd_score": figure(archive.qd_score),
    }


def elite_data(archive: RecordedArchive | None, cell: int) -> dict[str, Any]:
    elite = archive.elites.get(cell) if archive else None
    if elite is None:
        raise InputError(f"cell {cell}: the archive has no program there.")
    return {"cell": cell, "task": elite.task, **_figures(elite), **file_data(COLOURED_AS, elite.candidate)}


def _figures(elite: Elite) -> dict[str, Any]:
    return {"reward": figure(elite.reward), "gflops": figure(elite.gflops), "mask": elite.mask}
