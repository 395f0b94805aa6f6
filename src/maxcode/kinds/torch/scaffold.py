"""`maxcode new` from a PyTorch problem: a file with Model, get_inputs and get_init_inputs."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from maxcode.authoring.new import check_arguments, slug
from maxcode.core import InputError
from maxcode.kinds.torch.problem.problem import as_toml, check_problem, looks_like_problem
from maxcode.kinds.torch.problem.sizing import DoesNotRun, Sized, brought_to_size, further_shapes
from maxcode.kinds.torch.problem.tryout import Tryouts
from maxcode.kinds.torch.table import Constants
from maxcode.task.kind import NewOptions, NewTask
from maxcode.task.load import load_task
from maxcode.task.ordinary import FILE_NAME

LEAST_MEMORY_MB = 8192


@dataclass(frozen=True)
class ScaffoldedProblem:
    folder: Path
    device: str
    seconds: float
    """Seconds of one call of the model, at the sizes used on this machine."""
    constants_cpu: Constants
    shapes: list[Constants]
    remarks: tuple[str, ...]


def is_torch_problem(source: Path) -> bool:
    try:
        return source.suffix == ".py" and looks_like_problem(source.read_text())
    except (OSError, UnicodeDecodeError):
        return False


def make(folder: Path, source: Path, wanted: NewOptions) -> NewTask:
    given = {"--flags": wanted.flags, "--link": wanted.link, "--std": wanted.standard}
    given |= {"--args": wanted.arguments, "--allow": wanted.allowed}
    for option in (option for option, value in given.items() if value):
        raise InputError(f"{option}: {source} is a model, which has none. Leave {option} out.")
    made = scaffold_torch(folder, source, list(wanted.inputs), wanted.name)
    head = f"a torch problem; one call takes {made.seconds * 1000:.3g} ms on {made.device}."
    return NewTask({**asdict(made), "folder": str(made.folder)}, head, made.remarks)


def scaffold_torch(folder: Path, source: Path, inputs: list[Path], name: str | None = None) -> ScaffoldedProblem:
    """Makes the folder. InputError when the problem does not run, or has nothing in it to check."""
    check_arguments(folder, source, inputs)
    if inputs:
        raise InputError(f"--input: {source} makes its own inputs, in get_inputs. Leave --input out.")
    text = source.read_text()
    check_problem(text, str(source))
    here, on_cpu, shapes = _tried_out(text, source)
    megabytes = max(here.tried.megabytes, on_cpu.tried.megabytes)
    with tempfile.TemporaryDirectory(prefix="maxcode-new-") as scratch:
        staged = Path(scratch) / "task"
        staged.mkdir()
        shutil.copyfile(source, staged / source.name)
        settings = _settings(name or slug(folder.name), source.name, on_cpu.changed, shapes, megabytes)
        (staged / FILE_NAME).write_text(settings)
        load_task(staged)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(staged, folder, dirs_exist_ok=True)
    remarks = tuple(f"On a CPU: {each}." for each in on_cpu.remarks(text, None))
    return ScaffoldedProblem(folder, here.tried.device, here.tried.seconds, on_cpu.changed, shapes, remarks)


def _tried_out(text: str, source: Path) -> tuple[Sized, Sized, list[Constants]]:
    """The problem at the sizes for this machine and for one without a GPU, and further shapes for both."""
    with Tryouts() as tryouts:
        here = _sized(text, source, tryouts)
        if tryouts.device == "cpu":
            return here, here, further_shapes(here.text, tryouts)
    with Tryouts("cpu") as tryouts:
        on_cpu = _sized(text, source, tryouts)
        return here, on_cpu, further_shapes(on_cpu.text, tryouts)


def _sized(text: str, source: Path, tryouts: Tryouts) -> Sized:
    try:
        return brought_to_size(text, tryouts)
    except DoesNotRun as reason:
        raise InputError(f"{source}: {reason}.") from None


def _settings(name: str, source: str, constants_cpu: Constants, shapes: list[Constants], megabytes: int) -> str:
    lines = [
        f"name = {json.dumps(name)}",
        'kind = "torch"',
        'description = "What does the model compute? This is shown to the optimizer."',
        f"baseline = {json.dumps(source)}",
        "",
        "[torch]",
        'rule = "anything-faster"   # anything-faster | custom-kernel-required',
        'device = "auto"            # auto | cuda | cpu',
        'precision = "strict"       # strict | kernelbench',
    ]
    if constants_cpu:
        lines.append(f"constants_cpu = {as_toml(constants_cpu)}   # sizes where there is no GPU")
    if shapes:
        lines += ["shapes = [   # at which candidates must be right too"]
        lines += [f"    {as_toml(each)}," for each in shapes] + ["]"]
    lines += ["", "[limits]", f"memory_mb = {max(LEAST_MEMORY_MB, 4096 + 6 * megabytes)}", ""]
    return "\n".join(lines)
