"""Runs nvcc's phases, host side and device side at once, and reads what its assembler says about each kernel."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from maxcode.extension.commands import CompilerRunner
from maxcode.extension.plan import Unusual

ASSIGNED = re.compile(r"^(\w+)=(.*)$")
DEPENDENCIES = re.compile(r"(?<=\s)(?:-MD -MF|--generate-dependencies-with-compile --dependency-output) \S+")
COMPILER = re.compile(r"(?:s?ccache )?(?P<nvcc>\S*nvcc) (?P<rest>.*)", re.S)
GENERATE_ID = "--gen_module_id_file"
ID_FILE = re.compile(r'--module_id_file_name "([^"]+)"')


@dataclass(frozen=True)
class Phases:
    host: tuple[str, ...]
    """Commands of the preprocessor and cudafe++, which write out the launches in the host's code."""
    device: tuple[str, ...]
    """Commands that compile the kernels down to one binary, and make the launch stubs that the host's code includes."""
    last: str
    """Command of the host compiler, over the results of both."""
    module_id: Path


def compile_cuda(commands: CompilerRunner, line: str, source: Path) -> str:
    """Does what the nvcc command `line` does, in less time. Returns what ptxas said."""
    phases = plan_phases(commands, line)
    text = hashlib.sha256(source.read_bytes()).hexdigest()
    mangled = re.sub(r"\W", "_", source.name)
    # cudafe++ would make this name of the module's internal symbols up first; given, the device side need not wait.
    phases.module_id.write_text(f"_{text[:8]}_{len(mangled)}_{mangled}_{text[8:16]}")
    with ThreadPoolExecutor(2) as lanes:
        host = lanes.submit(in_order, commands.run, phases.host)
        device = lanes.submit(in_order, commands.run, phases.device)
        host.result()
        said = device.result()
    commands.run(phases.last)
    return said


def in_order(run: Callable[[str], str], lines: tuple[str, ...]) -> str:
    return "".join(run(line) for line in lines)


def plan_phases(commands: CompilerRunner, line: str) -> Phases:
    folder = commands.folder / "phases"
    folder.mkdir(exist_ok=True)
    called = COMPILER.fullmatch(DEPENDENCIES.sub("", line))
    if called is None:
        raise Unusual("another compiler than nvcc")
    said = commands.run(f"{called['nvcc']} --dryrun --keep --keep-dir {folder} {called['rest']}")
    values: dict[str, str] = {}
    lines: list[str] = []
    for told in said.splitlines():
        if not told.startswith("#$ "):
            continue  # a warning
        if assigned := ASSIGNED.match(told[3:]):
            values[assigned[1]] = assigned[2].strip()
        else:
            lines.append(_expanded(told[3:], values))
    for name in ("PATH", "LD_LIBRARY_PATH"):
        if name in values:
            commands.environment[name] = values[name]
    return _sorted_out(lines)


def _expanded(line: str, values: dict[str, str]) -> str:
    return re.sub(r"\$(\w+)", lambda found: values.get(found[1], found[0]), line)


def _sorted_out(lines: list[str]) -> Phases:
    host = [line for line in lines if ".cpp4.ii" in line]
    if len(host) != 2 or not host[1].startswith("cudafe++ ") or GENERATE_ID not in host[1]:
        raise Unusual("nvcc with other phases on the host side")
    named = ID_FILE.search(host[1])
    last = lines[-1]
    if named is None or " -c " not in last or ".cudafe1.cpp" not in last:
        raise Unusual("nvcc with another last phase")
    device = [_verbose(line) for line in lines[:-1] if line not in host and not line.startswith("rm ")]
    if not any("cicc" in line for line in device):
        raise Unusual("nvcc without device code")
    return Phases((host[0], host[1].replace(f"{GENERATE_ID} ", "")), tuple(device), last, Path(named[1]))


def _verbose(line: str) -> str:
    return line.replace("ptxas ", "ptxas -v ", 1) if line.startswith("ptxas ") else line


COMPILED = re.compile(r"Compiling entry function '([^']+)' for '([^']+)'")
SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")
SHARED = re.compile(r"(\d+) bytes smem")


def kernels(said: str) -> list[dict[str, str | int]]:
    """Registers, shared memory and spills of each kernel, from the text of `ptxas -v`."""
    found: list[dict[str, str | int]] = []
    for part in re.split(r"(?=ptxas info\s+: Compiling entry function)", said):
        if entry := COMPILED.search(part):
            found.append({"kernel": entry[1], "arch": entry[2], **_resources(part)})
    return found


def _resources(part: str) -> dict[str, int]:
    registers, shared, spills = REGISTERS.search(part), SHARED.search(part), SPILLS.search(part)
    return {
        "registers": int(registers[1]) if registers else 0,
        "shared": int(shared[1]) if shared else 0,
        "stack": int(spills[1]) if spills else 0,
        "spill_stores": int(spills[2]) if spills else 0,
        "spill_loads": int(spills[3]) if spills else 0,
    }
