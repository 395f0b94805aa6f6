"""What the rest of the code asks about functions of Python packages."""

from __future__ import annotations

from pathlib import Path

from maxcode.kinds.function.table import PackageFunction, check_settings, with_defaults
from maxcode.plugins import late
from maxcode.task.kind import Kind, Scaffold


def _recognises(source: Path) -> bool:
    """True for src/file.py::name and package.module:name."""
    path, separator, name = str(source).rpartition(":")
    return bool(separator) and name.replace(".", "").isidentifier() and not Path(source).exists() and bool(path)


KIND = Kind(
    name="function",
    judge=late("maxcode.kinds.function.judge:FunctionJudge"),
    check=late("maxcode.kinds.function.check:check"),
    prompts=Path(__file__).parent / "prompts",
    table=PackageFunction,
    absent=("kernel", "torch"),
    defaults=with_defaults,
    complete=check_settings,
    check_files=late("maxcode.kinds.function.files:check_files"),
    named=lambda task: [
        ("function.calls", task.table(PackageFunction).calls),
        ("function.held_out", task.table(PackageFunction).held_out),
    ],
    content=late("maxcode.kinds.function.files:content"),
    environment=late("maxcode.kinds.function.files:environment"),
    carried=late("maxcode.kinds.function.files:carried"),
    same_on_nodes=False,  # each has Python packages of its own
    scaffold=Scaffold(
        recognises=_recognises,
        doing="recording calls of the function ...",
        make=late("maxcode.kinds.function.scaffold:make"),
        depends=late("maxcode.kinds.function.scaffold:depends"),
        from_file=False,
    ),
    diff=late("maxcode.kinds.function.results:diff"),
    results=late("maxcode.kinds.function.results:results"),
    claim=late("maxcode.kinds.function.results:claim"),
    against=late("maxcode.kinds.function.results:against"),
    words=late("maxcode.kinds.function.words:words"),
)
