"""Builds programs from source in a sandbox, each exact build once: cached by content, with precompiled headers."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from maxcode.core import Candidate, EvaluatorError, Language, content_hash
from maxcode.evaluate.bounded_cache import trim, used
from maxcode.evaluate.machine import cpu_flags
from maxcode.evaluate.once import made_once
from maxcode.evaluate.rules import normalise, without_comments
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.sandbox.view import BOX, Caps, View
from maxcode.evaluate.toolchain import toolchain, tools_view
from maxcode.system.home import cache_folder
from maxcode.system.places import LEAST_FREE, free_bytes
from maxcode.task.model import Build, Task

Variant = Literal["plain", "sanitize", "valgrind", "zeroed", "traced"]
SOURCES = (".c", ".cc", ".cpp", ".cxx")
SIGHTINGS_BEFORE_PRECOMPILING = 3
PRECOMPILED_KEPT = 12
LOG_LIMIT = 4000
TRACED_FILE = f"{BOX}/out/reached"
TRACED_SECONDS = 1
TRACER = f"""\
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#ifdef __cplusplus
extern "C"
#endif
void __sanitizer_cov_trace_pc(void);
static unsigned char seen[1 << 21];
void __sanitizer_cov_trace_pc(void) {{ seen[(unsigned long)__builtin_return_address(0) & ((1 << 21) - 1)] = 1; }}
static void write_seen(int signal) {{
    FILE *file = fopen("{TRACED_FILE}", "w");
    (void)signal;
    if (!file) return;
    for (int i = 0; i < 1 << 21; i++) if (seen[i]) fprintf(file, "%x\\n", i);
    fclose(file);
}}
__attribute__((constructor)) static void start(void) {{ signal(SIGALRM, write_seen); alarm({TRACED_SECONDS}); }}
__attribute__((destructor)) static void end(void) {{ write_seen(0); }}
"""
"""Source that records which blocks of a traced program are reached, and writes them after some seconds and at the
end."""
ROOM, BUILDS_MB = "MAXCODE_BUILDS_MB", 2000.0
"""Environment variable for the megabytes of programs that are kept, and their number when it is not set."""


@dataclass(frozen=True)
class Built:
    """A program ready to run, or the reason why there is none."""

    program: Path | None
    error: str | None
    cached: bool
    remarks: str = ""
    key: str = ""


@dataclass(frozen=True)
class Invocation:
    """A command, the files that must be visible for it, and its environment."""

    command: list[str]
    files: dict[str, Path]
    environment: dict[str, str]


class Builder:
    def __init__(self, sandbox: Sandbox, cpus: tuple[int, ...]) -> None:
        self._sandbox = sandbox
        self._cpus = cpus
        self._tools = toolchain()

    def build(self, task: Task, candidate: Candidate, variant: Variant = "plain") -> Built:
        """Compiles (or, for Python, checks the syntax of) a candidate of a task."""
        files = dict(candidate.files)
        if task.language is Language.PYTHON:
            return self._make(files, [], task, variant)
        if variant == "traced":
            return self._make(files, [TRACER], task, variant)
        driver = task.kind.driver(task, on_heap=variant == "sanitize")
        return self._make(files, [driver] if driver else [], task, variant)

    def build_tool(self, source: Path) -> Built:
        """Compiles a checker or generator that comes with a task."""
        language = Language.PYTHON if source.suffix == ".py" else Language.C if source.suffix == ".c" else Language.CPP
        tool = _Tool(language, Build(flags=("-O2",)))
        return self._make({source.name: source.read_text()}, [], tool, "plain")

    def invocation(self, language: Language, built: Built) -> Invocation:
        """Command that runs what was built, with the files and environment it needs."""
        assert built.program is not None
        files = {f"{BOX}/program": built.program}
        if language is Language.PYTHON:  # a fixed hash seed: the order of a set must not differ between runs
            settings = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
            return Invocation([str(self._tools.python), "-sP", f"{BOX}/program"], files, settings)
        return Invocation([f"{BOX}/program"], files, {})

    def _make(self, files: dict[str, str], extra: list[str], task: Task | _Tool, variant: Variant) -> Built:
        flags = _flags(task, variant)
        parts = [part for name in sorted(files) for part in (name, files[name])]
        key = content_hash(self._tools.id, task.language, variant, *flags, *task.build.link, *extra, "--", *parts)
        builds = cache_folder("builds")
        target = builds / key[:2] / key
        used(target)
        try:
            cached = made_once(target, lambda folder: self._fill(folder, files, extra, task, flags))
        except _OutOfResources as error:
            return Built(None, str(error), cached=False, key=key)
        result = json.loads((target / "result.json").read_text())
        if not cached:
            trim(builds, float(os.environ.get(ROOM, BUILDS_MB)))
        program = target / "program" if result["ok"] else None
        return Built(program, result["error"], cached, result["remarks"], key)

    def _fill(
        self, folder: Path, files: dict[str, str], extra: list[str], task: Task | _Tool, flags: list[str]
    ) -> None:
        with tempfile.TemporaryDirectory(prefix="maxcode-build-") as scratch:
            sources, output = Path(scratch) / "src", Path(scratch) / "out"
            for name, text in files.items():
                path = sources / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            output.mkdir()
            for path in (Path(scratch), sources, *sources.rglob("*")):
                path.chmod(0o755)
            self._sandbox.give(output)
            if task.language is Language.PYTHON:
                ended = self._check_syntax(sources, sorted(files), task.build)
                made = sources / min(files)
            else:
                ended = self._compile(sources, output, files, extra, task, flags)
                made = output / "program"
            result = _judge(ended, made, task.build)
            if not result["ok"] and free_bytes(output) < LEAST_FREE:
                raise EvaluatorError(
                    f"{output.parent.parent} is full: a build has no room for its result. Free some space, or "
                    "export TMPDIR=/path/on/a/larger/disk."
                )
            if result["ok"]:
                shutil.copyfile(made, folder / "program", follow_symlinks=False)
                (folder / "program").chmod(0o755)
            remarks = output / "remarks"
            result["remarks"] = remarks.read_text(errors="replace") if remarks.is_file() else ""
            (folder / "result.json").write_text(json.dumps(result))

    def _compile(
        self, sources: Path, output: Path, files: dict[str, str], extra: list[str], task: Task | _Tool, flags: list[str]
    ) -> Ended:
        compiler = str(self._tools.compiler(task.language))
        view = tools_view(self._tools)
        read = {**view.read, f"{BOX}/src": sources}
        prefix: list[str] = []
        mains = [name for name in files if name.endswith(SOURCES)]
        header = self._precompiled(files[mains[0]], task, flags) if len(mains) == 1 else None
        if header:
            read[f"{BOX}/pch"] = header
            prefix = ["-include", f"{BOX}/pch/prefix.h"]
        inputs = [f"{BOX}/src/{name}" for name in mains]
        for number, source in enumerate(extra):
            driver = sources.parent / f"extra{number}.o"  # beside the sources: other users may not get to the cache
            shutil.copyfile(self._object(source, task), driver)
            read[f"{BOX}/extra{number}.o"] = driver
            inputs.append(f"{BOX}/extra{number}.o")
        command = [compiler, *flags, *prefix, "-o", f"{BOX}/out/program", *inputs, *task.build.link]
        return self._run(command, replace(view, read=read, write={f"{BOX}/out": output}), task.build)

    def _run(self, command: list[str], view: View, build: Build) -> Ended:
        caps = Caps(
            build.seconds,
            build.memory_mb,
            output_mb=512,
            scratch_mb=512,
            cpus=self._cpus,
            processes=True,
            bound_address_space=False,
        )
        return self._sandbox.run(command, view, caps)

    def _check_syntax(self, sources: Path, names: list[str], build: Build) -> Ended:
        program = (
            "import sys\nsys.tracebacklimit = 0\n"
            "for name in sys.argv[1:]: compile(open(name, 'rb').read(), name.rsplit('/', 1)[1], 'exec')"
        )
        view = tools_view(self._tools)
        inputs = [f"{BOX}/src/{name}" for name in names]
        command = [str(self._tools.python), "-I", "-c", program, *inputs]
        return self._run(command, replace(view, read={**view.read, f"{BOX}/src": sources}), build)

    def _object(self, source: str, task: Task | _Tool) -> Path:
        """Object file of a trusted source of ours, compiled apart from the candidate: neither sees the other's text."""
        suffix = "c" if task.language is Language.C else "cpp"
        key = content_hash(self._tools.id, source, suffix)
        target = cache_folder("objects") / key

        def fill(folder: Path) -> None:
            with self._open_folder() as scratch:
                (scratch / f"extra.{suffix}").write_text(source)
                command = [str(self._tools.compiler(task.language)), "-O2", "-c", "-o", f"{BOX}/out/extra.o"]
                view = replace(tools_view(self._tools), write={f"{BOX}/out": scratch})
                ended = self._run([*command, f"{BOX}/out/extra.{suffix}"], view, task.build)
                if not ended.clean:
                    raise RuntimeError(f"the kernel driver does not compile:\n{ended.stderr.decode(errors='replace')}")
                shutil.copyfile(scratch / "extra.o", folder / "extra.o", follow_symlinks=False)

        made_once(target, fill)
        return target / "extra.o"

    @contextmanager
    def _open_folder(self) -> Iterator[Path]:
        """Temporary folder that programs of the sandbox can reach and write to, whichever user they run as."""
        with tempfile.TemporaryDirectory(prefix="maxcode-build-") as scratch:
            folder = Path(scratch)
            folder.chmod(0o755)
            self._sandbox.give(folder)
            yield folder

    def _precompiled(self, text: str, task: Task | _Tool, flags: list[str]) -> Path | None:
        """Folder with the precompiled headers of this text; None until the same set was seen a few times, or if
        unusable."""
        headers = leading_headers(text)
        if not headers or not self._sandbox.reaches(cache_folder("headers")):
            return None
        key = content_hash(self._tools.id, task.language, *flags, "--", *headers)
        folder = cache_folder("headers")
        target, seen = folder / key, folder / f"{key}.seen"
        if not target.exists():
            with seen.open("a") as file:
                file.write(".")
            if seen.stat().st_size < SIGHTINGS_BEFORE_PRECOMPILING:
                return None
        made_once(target, lambda new: self._precompile(new, headers, task, flags))
        _forget_oldest(folder, keep=PRECOMPILED_KEPT)
        return target if (target / "prefix.h.gch").exists() else None

    def _precompile(self, folder: Path, headers: list[str], task: Task | _Tool, flags: list[str]) -> None:
        (folder / "prefix.h").write_text("".join(f"#include <{name}>\n" for name in headers))
        self._sandbox.give(folder)
        kind = "c-header" if task.language is Language.C else "c++-header"
        compiler = str(self._tools.compiler(task.language))
        command = [compiler, *flags, "-x", kind, "-o", f"{BOX}/pch/prefix.h.gch", f"{BOX}/pch/prefix.h"]
        self._run(command, replace(tools_view(self._tools), write={f"{BOX}/pch": folder}), task.build)


class _OutOfResources(Exception):
    """A build that ran out of time or memory. It depends on load and limits, so it is not kept with the results."""


@dataclass(frozen=True)
class _Tool:
    """The part of a task that a build needs, for a task's own checkers and generators."""

    language: Language
    build: Build

    @property
    def standard(self) -> str:
        return "c17" if self.language is Language.C else "c++17"


def leading_headers(text: str) -> list[str]:
    """System headers included at the top of a file before anything that could change their meaning; sorted."""
    headers: set[str] = set()
    for line in without_comments(normalise(text)).splitlines():
        line = line.strip()
        match = re.fullmatch(r"#\s*include\s*<([\w./+-]+)>", line)
        if match and ".." not in match[1] and not match[1].startswith("/"):
            headers.add(match[1])
        elif line:
            break
    return sorted(headers)


def _flags(task: Task | _Tool, variant: Variant) -> list[str]:
    if task.language is Language.PYTHON:
        return []
    flags = [f"-std={task.standard}", *task.build.flags]
    if variant in ("valgrind", "traced") and "avx512f" in cpu_flags():  # valgrind knows no AVX-512
        flags = ["-march=x86-64-v3" if flag == "-march=native" else flag for flag in flags]
    if variant == "sanitize":
        flags = [flag for flag in flags if not re.fullmatch(r"-O(fast|\w?)", flag)]
        flags += ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
        flags += ["-U__SANITIZE_ADDRESS__"]  # the same text as in other builds, for the compiler too
    elif variant == "valgrind":
        flags += ["-g", f"-fopt-info-vec-optimized-missed={BOX}/out/remarks"]
    elif variant == "zeroed":
        flags += ["-ftrivial-auto-var-init=zero"]
    elif variant == "traced":
        flags = [flag for flag in flags if not re.fullmatch(r"-O(fast|\w?)", flag)]
        flags += ["-O0", "-ftrivial-auto-var-init=pattern", "-fsanitize-coverage=trace-pc", "-no-pie"]
    return [*flags, "-pthread"] if "-pthread" not in flags else flags


def _judge(ended: Ended, made: Path, build: Build) -> dict[str, object]:
    """The result of a build as it is kept."""
    log = ended.stderr.decode(errors="replace").replace(f"{BOX}/src/", "").replace(f"{BOX}/out/", "")
    error: str | None = None
    if ended.timed_out:
        raise _OutOfResources(f"the compiler ran past its time limit of {build.seconds:g} s")
    if ended.out_of_memory or "out of memory" in log or "cannot allocate memory" in log.lower():
        raise _OutOfResources(f"the compiler ran past its memory limit of {build.memory_mb} MB")
    if ended.output_exceeded:
        error = "the compiler's output ran past its size limit"
    elif not ended.clean or not made.is_file() or made.is_symlink():
        error = clip_log(log) or f"the compiler failed with exit code {ended.exit_code}"
    return {"ok": error is None, "error": error}


def clip_log(log: str) -> str:
    """A compiler's messages, the errors first, clipped to what fits a prompt."""
    lines = log.strip().splitlines()
    errors = [i for i, line in enumerate(lines) if "error" in line.lower()]
    if errors and len(log) > LOG_LIMIT:
        lines = lines[errors[0] : errors[0] + 40]
    text = "\n".join(line[:300] for line in lines)
    return text if len(text) <= LOG_LIMIT else text[:LOG_LIMIT] + " ..."


def _forget_oldest(folder: Path, keep: int) -> None:
    made = sorted(
        (p for p in folder.iterdir() if p.is_dir() and not p.name.startswith(".")), key=lambda p: p.stat().st_mtime
    )
    for path in made[:-keep]:
        shutil.rmtree(path, ignore_errors=True)
