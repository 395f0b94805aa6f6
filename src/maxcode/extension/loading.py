"""`load_inline` and `load` with finished builds found by content."""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import inspect
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from maxcode.core import content_hash
from maxcode.evaluate.once import made_once
from maxcode.extension.building import build
from maxcode.extension.original import ORIGINAL, torchs_own
from maxcode.extension.toolchain import toolchain

ARCHITECTURE = "MAXCODE_CUDA_ARCH"
WITHOUT_MEANING = frozenset({"build_directory", "verbose", "keep_intermediates", "use_pch"})
HEADER_SUFFIXES = frozenset({".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc", ".ipp"})
MOST_HEADERS = 500
LEFT_OVER = ("phases", "slim-*", "*.o", "*.o.d", ".ninja_*", "lock")
NO_COMPILER = "this machine has no nvcc, no GPU to build for, or a torch without CUDA; see `maxcode doctor`"
_one_at_a_time = threading.RLock()

Load = Callable[..., Any]


def install(folder: Path) -> None:
    """Makes load_inline and load of this process build into `folder` and find finished builds there."""
    from torch.utils import cpp_extension

    for name in ("load_inline", "load"):
        setattr(cpp_extension, name, _replacement(torchs_own(name), folder.absolute()))


def _replacement(original: Load, folder: Path) -> Load:
    signature = inspect.signature(original)

    @functools.wraps(original)
    def load(*positional: Any, **named: Any) -> Any:
        arguments = signature.bind(*positional, **named)
        arguments.apply_defaults()
        given = {key: list(value) if isinstance(value, list) else value for key, value in arguments.arguments.items()}
        if given.get("is_standalone"):
            return original(**given)
        with _one_at_a_time:
            return _load(original, given, folder)

    setattr(load, ORIGINAL, original)
    return load


def _load(original: Load, given: dict[str, Any], folder: Path) -> Any:
    no_compiler = RuntimeError(f"extension {given['name']!r} has CUDA sources: {NO_COMPILER}")
    if uses_cuda(given) and not architecture():
        raise no_compiler
    target = folder / key(given)
    try:
        made_once(target, lambda partial: _make(original, given, partial))
    except OSError as error:
        if error.errno is None and "CUDA_HOME" in str(error):
            raise no_compiler from None
        if error.errno is None:  # torch's own words
            raise
        raise RuntimeError(f"extension {given['name']!r} was not built ahead, and cannot be now: {error}") from error
    return _imported(given["name"], target, given.get("is_python_module", True))


def key(given: dict[str, Any]) -> str:
    """Key of everything that a build depends on, never its name alone."""
    meaning = sorted((name, repr(value)) for name, value in given.items() if name not in WITHOUT_MEANING)
    parts = [text for pair in meaning for text in pair]
    if uses_cuda(given):
        parts.append(architecture())
    return content_hash(toolchain(), *parts, *_files(given))


def uses_cuda(given: dict[str, Any]) -> bool:
    sources = given.get("sources") or []
    files = [sources] if isinstance(sources, str) else sources
    return bool(given.get("cuda_sources") or given.get("with_cuda") or any(str(file).endswith(".cu") for file in files))


def architecture() -> str:
    """GPU architectures to build for, as torch writes them. Of a list that names the GPU here, only that one."""
    here = os.environ.get(ARCHITECTURE) or _devices()
    told = re.split(r"[; ]+", os.environ.get("TORCH_CUDA_ARCH_LIST", "").strip())
    own = [name.removesuffix("+PTX") for name in told if name.removesuffix("+PTX") in (here, f"{here}a")]
    return ";".join(own) or ";".join(filter(None, told)) or here


def _devices() -> str:
    import torch

    count = torch.cuda.device_count()
    return ";".join(sorted({"{}.{}".format(*torch.cuda.get_device_capability(at)) for at in range(count)}))


def _files(given: dict[str, Any]) -> Iterator[str | bytes]:
    """Source files, and the headers beside them and in the given include folders."""
    sources = given.get("sources") or []
    paths = [Path(file) for file in ([sources] if isinstance(sources, str) else sources)]
    folders = {path.absolute().parent for path in paths} | {Path(at) for at in given.get("extra_include_paths") or []}
    headers = [path for at in sorted(folders) for path in sorted(at.rglob("*")) if path.suffix in HEADER_SUFFIXES]
    if len(headers) > MOST_HEADERS:
        yield os.urandom(16)  # too many to read each time: never the same build twice
        headers = []
    for path in (*paths, *headers):
        yield str(path)
        yield path.read_bytes()


def _make(original: Load, given: dict[str, Any], folder: Path) -> None:
    """Runs torch's own function, but runs its build plan ourselves and does not load the library."""
    from torch.utils import cpp_extension

    given = {**given, "build_directory": str(folder), "verbose": False}
    if "use_pch" in given:
        given["use_pch"] = False
    _forget_versions(cpp_extension, given["name"])
    with _architecture_set(uses_cuda(given)), _hooked(cpp_extension):
        original(**given)
    for pattern in LEFT_OVER:
        for path in folder.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def _forget_versions(cpp_extension: Any, name: str) -> None:
    """Makes torch forget a name.

    It would build a second source of that name as name_v1; here each has its own folder.
    """
    entries = getattr(getattr(cpp_extension, "JIT_EXTENSION_VERSIONER", None), "entries", None)
    if isinstance(entries, dict):
        entries.pop(name, None)


@contextmanager
def _architecture_set(cuda: bool) -> Iterator[None]:
    """Sets the architecture to that of the GPU here meanwhile, which is what torch would build for it."""
    before = os.environ.get("TORCH_CUDA_ARCH_LIST")
    if cuda and (told := architecture()):
        os.environ["TORCH_CUDA_ARCH_LIST"] = told
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("TORCH_CUDA_ARCH_LIST", None)
        else:
            os.environ["TORCH_CUDA_ARCH_LIST"] = before


@contextmanager
def _hooked(cpp_extension: Any) -> Iterator[None]:
    """Replaces torch's two steps of building and loading meanwhile.

    Where it has other names for them, torch does both itself.
    """
    hooks = {"_run_ninja_build": _run_ninja_build, "_import_module_from_library": lambda *_, **__: None}
    if not all(hasattr(cpp_extension, name) for name in hooks):
        yield
        return
    before = {name: getattr(cpp_extension, name) for name in hooks}
    for name, hook in hooks.items():
        setattr(cpp_extension, name, hook)
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(cpp_extension, name, function)


def _run_ninja_build(build_directory: str, verbose: bool = False, error_prefix: str = "", **_: Any) -> None:
    del verbose
    build(Path(build_directory), error_prefix)


def _imported(name: str, folder: Path, is_python_module: bool) -> Any:
    library = folder / f"{name}.so"
    if not is_python_module:
        import torch

        torch.ops.load_library(str(library))
        return str(library)
    loader = importlib.machinery.ExtensionFileLoader(name, str(library))
    spec = importlib.util.spec_from_file_location(name, library, loader=loader)
    if spec is None:
        raise ImportError(f"{library} is no module")
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module
