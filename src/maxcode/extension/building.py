"""Runs the plan that torch wrote: the fast way where it can be had, as it stands otherwise."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path

from maxcode.extension import slim
from maxcode.extension.commands import CommandFailed, CompilerRunner
from maxcode.extension.errors import clipped
from maxcode.extension.headers import Headers, prepared
from maxcode.extension.nvcc import compile_cuda, kernels
from maxcode.extension.plan import BuildPlan, BuildStep, Unusual, read_plan

TORCH_INCLUDE = re.compile(r"-isystem (\S+/torch/include)(?=\s)")
MISSING_METHOD = re.compile(r"^\s+U (_ZNK?2at6Tensor\w+)$", re.M)


@dataclass(frozen=True)
class How:
    """Way in which a build was made; kept beside it."""

    path: str
    """Name of the way: fast, or plain."""
    reason: str
    """Reason why it was not the fast way."""
    precompiled: bool
    seconds: float


def build(folder: Path, error_prefix: str) -> None:
    """Makes the library that `folder`/build.ninja describes; RuntimeError with the clipped log when it cannot be."""
    start = time.perf_counter()
    reason, said, headers = "", "", prepared()
    try:
        plan = read_plan(folder / "build.ninja")
        said = fast(folder, plan, headers)
    except (Unusual, CommandFailed, OSError, UnicodeError) as error:
        reason = _in_short(error)
        if isinstance(error, CommandFailed) and headers is not None and headers.is_decisive(error.log, folder):
            raise RuntimeError(f"{error_prefix}: {_readable(error.log, folder)}") from None
        said = plain(folder, error_prefix)
    how = How("plain" if reason else "fast", reason, headers is not None, round(time.perf_counter() - start, 3))
    (folder / "how.json").write_text(json.dumps(asdict(how), indent=1))
    (folder / "ptxas.json").write_text(json.dumps(kernels(said), indent=1))


def fast(folder: Path, plan: BuildPlan, headers: Headers | None) -> str:
    """Compiles all sources at once and links; returns what ptxas said."""
    commands = CompilerRunner(folder)
    compiled = [step for step in plan.steps if step.rule != "link"]
    with ThreadPoolExecutor(len(compiled)) as pool:
        running = [pool.submit(_compile, commands, step, headers) for step in compiled]
        said = _all_or_none(commands, running)
    _check_methods(commands, [step.output for step in compiled])
    commands.run(plan.link.command())
    return said


def plain(folder: Path, error_prefix: str) -> str:
    """Runs the plan as torch wrote it, with kernel resources reported. Ends at the first error."""
    file = folder / "build.ninja"
    file.write_text(re.sub(r"^cuda_cflags = ", "cuda_cflags = -Xptxas -v ", file.read_text(), flags=re.M))
    try:
        return _as_written(folder, read_plan(file))
    except CommandFailed as error:
        raise RuntimeError(f"{error_prefix}: {_readable(error.log, folder)}") from None
    except Unusual:
        return _by_ninja(folder, error_prefix)


def _as_written(folder: Path, plan: BuildPlan) -> str:
    commands = CompilerRunner(folder)
    compiled = [step.command() for step in plan.steps if step.rule != "link"]
    with ThreadPoolExecutor(_jobs() or len(compiled)) as pool:
        said = _all_or_none(commands, [pool.submit(commands.run, line) for line in compiled])
    return said + commands.run(plan.link.command())


def _by_ninja(folder: Path, error_prefix: str) -> str:
    command = ["ninja", "-v", *(["-j", str(_jobs())] if _jobs() else [])]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    said = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        raise RuntimeError(f"{error_prefix}: {_readable(said, folder)}")
    return said


def _jobs() -> int | None:
    told = os.environ.get("MAX_JOBS", "")
    return int(told) if told.isdigit() and int(told) > 0 else None


def _all_or_none(commands: CompilerRunner, running: list[Future[str]]) -> str:
    """Output of all commands. The first failure stops the others and is raised."""
    done, _ = wait(running, return_when=FIRST_EXCEPTION)
    for failure in filter(None, (one.exception() for one in done)):
        raise commands.stop(failure)
    return "".join(one.result() for one in running)


def _compile(commands: CompilerRunner, step: BuildStep, headers: Headers | None) -> str:
    if step.rule not in ("compile", "cuda_compile") or len(step.inputs) != 1:
        raise Unusual(f"a step of kind {step.rule}")
    source = Path(step.inputs[0])
    if step.rule == "cuda_compile":
        flags = f"{_overlay(commands.folder, step, 'cuda_cflags', None)} {step.variables['cuda_cflags']}"
        return compile_cuda(commands, step.command(cuda_cflags=flags), source)
    flags = f"{_overlay(commands.folder, step, 'cflags', headers)} {step.variables['cflags']}"
    commands.run(step.command(cflags=flags))
    return ""


def _overlay(folder: Path, step: BuildStep, flags: str, headers: Headers | None) -> str:
    """Writes slim headers for this step; returns the flags that put them first."""
    include = TORCH_INCLUDE.search(step.variables[flags])
    if include is None:
        raise Unusual("torch's headers not where they are expected")
    source = Path(step.inputs[0])
    text = slim.scan(source.read_text())
    files = slim.overlay(Path(include[1]), text, precompiled=headers.read if headers else None)
    root = folder / f"slim-{source.name}"
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
    first = f"-include {headers.file} " if headers else ""
    return f"{first}-isystem {root}"


def _check_methods(commands: CompilerRunner, objects: list[str]) -> None:
    """Raises Unusual if objects need a method of Tensor that the slim headers left out, which would show only at load
    time."""
    said = commands.run(f"nm -u {' '.join(objects)}")
    if missing := MISSING_METHOD.search(said):
        raise Unusual(f"method {missing[1]} left out")


def _readable(log: str, folder: Path) -> str:
    return clipped(log.replace(f"{folder}/", ""))


def _in_short(error: Exception) -> str:
    if not isinstance(error, CommandFailed):
        return str(error) or type(error).__name__
    first = next((line for line in clipped(error.log).splitlines() if "error" in line.lower()), "")
    return first.strip()[:300] or f"failed: {error.command[:80]}"
