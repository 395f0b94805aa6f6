"""The packages lie in layers: a module imports only from its own package and from those above it in one list.

Imports inside functions count, and so do names of modules in strings: places given to `late()`, and programs that a
process is started with. Imports under `if TYPE_CHECKING:` never run and do not count: a record may name the types that
its functions take. Since the list is one order, there is no cycle between packages, except through the one look-up
below.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import maxcode

LAYERS = {
    "core": "records that everything else speaks of: candidates, outcomes, measurements, critiques",
    "system": "files, processes and folders of this machine",
    "config": "settings of models and clusters",
    "plugins": "tables of choices by name, with what installed packages add",
    "format": "the model of an input's format",
    "task": "task.toml, and what a kind of task is",
    "evaluate": "sandbox, build, verify, measure, profile; engines",
    "compare": "is one command, or one commit, faster than another? no task needed",
    "authoring": "what `maxcode new` and `maxcode check` do for every kind",
    "extension": "C++ and CUDA sources that Python programs compile",
    "kinds": "a folder for each kind of task: all that is special about it",
    "store": "the journal of runs",
    "search": "the max-reward theory, trees, strategies, observations, the loop",
    "policy": "who proposes programs",
    "critic": "who diagnoses them",
    "value": "how promising a state is",
    "optimize": "a run from its task to its claim",
    "bench": "tasks x methods x seeds, and their tables",
    "train": "value models and policies from recorded and measured rewards",
    "report": "one run as a page, a summary, a table",
    "view": "the live page",
    "cli": "commands",
}
ALLOWED = {("task.kind", "kinds.known")}
"""The one look-up against the order: a task is read by its kind, and kinds are made of what tasks are."""
MOST_AT_THE_ROOT = 8
SOURCE = Path(maxcode.__file__).parent
PLACE = re.compile(r"\bmaxcode((?:\.\w+)+)")


def modules() -> dict[str, Path]:
    """Files by the name of their module, without `maxcode.`."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(text: str, known: frozenset[str]) -> set[str]:
    """Our modules that a text imports or names in strings."""
    names = {match for name in named(ast.parse(text)) for match in PLACE.findall(name)}
    return {module for name in names if (module := longest(name.removeprefix("."), known))}


def longest(name: str, known: frozenset[str]) -> str:
    """Module that a dotted name leads to; what follows is a name in it."""
    while name not in known:
        name = name.rpartition(".")[0]
    return name


def named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
        return
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute here"
        yield from (f"{node.module}.{each.name}" for each in node.names)
    elif isinstance(node, ast.Import):
        yield from (each.name for each in node.names)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):  # a docstring
        return
    for child in ast.iter_child_nodes(node):
        yield from named(child)


def against_the_order(module: str, used: str) -> bool:
    layers = [*LAYERS, "__main__"]
    ours, theirs = (name.partition(".")[0] for name in (module, used))
    return ours != theirs and layers.index(theirs) > layers.index(ours)


def test_every_package_has_its_layer() -> None:
    found = {path.name.removesuffix(".py") for path in SOURCE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert found - {"__pycache__", "__init__", "__main__"} == set(LAYERS)


def test_a_module_imports_only_from_layers_above() -> None:
    files = modules()
    known = frozenset(files)
    edges = {(module, used) for module, path in files.items() for used in imported(path.read_text(), known) if module}
    assert {edge for edge in edges if against_the_order(*edge)} == ALLOWED


def test_the_package_itself_imports_nothing_of_ours() -> None:
    assert imported((SOURCE / "__init__.py").read_text(), frozenset(modules())) == set()


def test_few_modules_lie_at_the_root() -> None:
    assert len(list(SOURCE.glob("*.py"))) <= MOST_AT_THE_ROOT


@pytest.mark.parametrize(
    "text",
    [
        "import maxcode.train.base",
        "from maxcode.train import base",
        "def f():\n    from maxcode.train.base import load_base",
        "make = late('maxcode.train.base:load_base')",
        "words = ['-c', 'from maxcode.train.base import main; main()']",
        "if x:\n    pass\nelse:\n    import maxcode.train.base",
    ],
)
def test_an_import_is_noticed(text: str) -> None:
    assert imported(text, frozenset({"", "train", "train.base"})) >= {"train.base"}
    assert against_the_order("policy.openai", "train.base")


@pytest.mark.parametrize(
    "text", ['"""As maxcode.train.base does."""', "if TYPE_CHECKING:\n    from maxcode.train.base import load_base"]
)
def test_what_never_runs_is_left_alone(text: str) -> None:
    assert not imported(text, frozenset({"", "train", "train.base"}))
