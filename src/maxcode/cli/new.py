"""`maxcode new`."""

from __future__ import annotations

import re
import shlex
from dataclasses import asdict
from pathlib import Path

from rich.markup import escape

from maxcode.authoring.scaffold import scaffold, slug
from maxcode.cli.console import out, print_json, working
from maxcode.core import InputError
from maxcode.kinds.torch.scaffold import is_torch_problem, scaffold_torch
from maxcode.task.load import load_format


def run(
    folder: Path,
    source: Path,
    inputs: list[Path],
    *,
    name: str | None,
    flags: str | None,
    generator: str | None,
    tests: Path | None,
    format_file: Path | None,
    as_json: bool,
) -> None:
    if name is not None and not re.fullmatch(r"[\w.-]+", name):
        raise InputError(f"--name {name}: may have letters, digits, '_', '.' and '-' only; such as {slug(name)}.")
    if is_torch_problem(source):
        if flags is not None:
            raise InputError(f"--flags: {source} is not compiled. Leave --flags out.")
        _torch(folder, source, inputs, name=name, as_json=as_json)
        return
    with working("building, running and deriving tests ..."):
        made = scaffold(
            folder,
            source,
            inputs,
            name=name,
            flags=shlex.split(flags) if flags is not None else None,
            generator=generator,
            tests=tests,
            known=load_format(format_file) if format_file else None,
        )
    if as_json:
        print_json(
            {
                "folder": str(made.folder),
                "public": made.public,
                "hidden": made.hidden,
                "refused": made.refused,
                "seconds": made.seconds,
                "words": made.words,
                "variants": made.variants,
            }
        )
        return
    out.print(f"[bold]{escape(str(made.folder))}[/]: {made.public} public and {made.hidden} hidden tests.")
    out.print(f"  {escape(made.words)}", soft_wrap=True)
    for workload, seconds in made.seconds.items():
        variants = made.variants.get(workload, 0)
        many = f"{variants} variants to time it on" if variants else "no variants: it is timed on this one input"
        out.print(f"  workload {escape(workload)}: {seconds * 1000:.3g} ms, {many}")
    if made.remark:
        out.print(f"  {escape(made.remark)}")
    out.print(
        f"Next: describe it in {escape(str(made.folder))}/task.toml, then `maxcode check {escape(str(made.folder))}`.",
    )


def _torch(folder: Path, source: Path, inputs: list[Path], *, name: str | None, as_json: bool) -> None:
    with working("trying the problem out ..."):
        made = scaffold_torch(folder, source, inputs, name)
    if as_json:
        print_json({**asdict(made), "folder": str(made.folder)})
        return
    out.print(
        f"[bold]{escape(str(made.folder))}[/]: a torch problem; one call takes {made.seconds * 1000:.3g} ms "
        f"on {made.device}.",
    )
    for remark in made.remarks:
        out.print(f"  {escape(remark)}")
    out.print(
        f"Next: describe it in {escape(str(made.folder))}/task.toml, then `maxcode check {escape(str(made.folder))}`.",
    )
