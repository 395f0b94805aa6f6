"""Description of a torch task for policies: the contract of `ModelNew` as the evaluator enforces it."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

from maxcode.core import Outcome
from maxcode.evaluate.gpu import gpus, torch_version
from maxcode.kinds.torch.device import device_of
from maxcode.kinds.torch.table import Constants, Torch
from maxcode.task.model import Task
from maxcode.task.units import duration

MOST_SHAPES = 6
WEIGHTS = {
    "derived-once": "and may be kept from the first call on",
    "every-call": "and are computed in every call, since weights change between calls",
}
FIGURES = {
    "H200": "132 SMs, 141 GB at 4.8 TB/s, 50 MB of L2; float32 67, TF32 495, bfloat16 990 TFLOP/s",
    "H100": "132 SMs, 80 GB at 3.35 TB/s, 50 MB of L2; float32 67, TF32 495, bfloat16 990 TFLOP/s",
    "A100": "108 SMs, 1.6 to 2.0 TB/s, 40 MB of L2; float32 19.5, TF32 156, bfloat16 312 TFLOP/s",
    "L40S": "142 SMs, 48 GB at 0.86 TB/s, 96 MB of L2; float32 92, TF32 183, bfloat16 362 TFLOP/s",
}
"""Data-sheet figures by a word of the GPU's name, dense and without sparsity."""


def contract(task: Task) -> dict[str, str]:
    """Values for the prompt of a torch task, by name."""
    settings = task.table(Torch)
    on_gpu = device_of(task) == "cuda"
    usual = settings.constants | ({} if on_gpu else settings.constants_cpu)
    return {
        "file": task.main_file,
        "device": f"a GPU ({gpus()[0].partition(',')[0]})" if on_gpu else _processor(task),
        "torch": torch_version() or "(not installed here)",
        "allowed": _allowed(settings, on_gpu=on_gpu),
        "sizes": f"It is timed with {_in_words(usual)}." if usual else "It is timed at the sizes of the file.",
        "values": ", also where values have both signs, are small or mostly zero" if settings.distributions else "",
        "shapes": _shapes(settings),
        "precision": _precision(settings),
        "weights": WEIGHTS[settings.weights],
        "figures": _figures() if on_gpu else "",
    }


def _figures() -> str:
    """Figures of this GPU in brackets; empty where its name is not known."""
    name = gpus()[0].partition(",")[0]
    return next((f" ({figures})" for known, figures in FIGURES.items() if known in name), "")


def _processor(task: Task) -> str:
    cpus = task.limits.cpus
    return f"a CPU, with {cpus} thread{'s' * (cpus > 1)} and no GPU"


def _allowed(settings: Torch, *, on_gpu: bool) -> str:
    kernels = _kernels(on_gpu=on_gpu)
    if settings.rule == "custom-kernel-required":
        return f"The work must be done by kernels of your own, called in `forward`: {kernels}."
    return f"Anything that is faster will do: {kernels}, `torch.compile`, plain PyTorch."


def _kernels(*, on_gpu: bool) -> str:
    """Ways to write a kernel that this machine offers, in words."""
    if not on_gpu:
        return "C++ by `torch.utils.cpp_extension.load_inline`"
    ways = {
        "CUDA by `torch.utils.cpp_extension.load_inline`": shutil.which("nvcc") is not None,
        "Triton": find_spec("triton") is not None,
        "CuPy's RawKernel": find_spec("cupy") is not None,
        "CUDA by `torch.cuda._compile_kernel`": True,
    }
    return ", ".join(way for way, there in ways.items() if there)


def _shapes(settings: Torch) -> str:
    if not settings.shapes:
        return ""
    shown = "; ".join(_in_words(each) for each in settings.shapes[:MOST_SHAPES])
    left = len(settings.shapes) - MOST_SHAPES
    return f", and at other sizes too: {shown}" + (f"; and {left} more" if left > 0 else "")


def _precision(settings: Torch) -> str:
    tolerance = "each element within 1e-4 (half: 1e-2) of the result in float64"
    tf32 = "TF32 is on for both." if settings.tf32 else "TF32 is off for both, and too coarse for float32."
    if settings.precision == "kernelbench":
        return f"{tolerance}. {tf32}"
    overall = "relative to the output's size, at most 16 times that of `Model`, or 3e-5 for float32 if that is more"
    return f"{tolerance}, and the root mean square of all errors, {overall}. {tf32}"


def _in_words(constants: Constants) -> str:
    return ", ".join(f"{name} = {value}" for name, value in constants.items())


def floor(task: Task, outcome: Outcome) -> str:
    """Least time of a call by the profile of the original: data moved once at the speed of a copy."""
    del task
    m = outcome.measurement
    shares = {name: _share(outcome, words) for name, words in FLOORS.items()}
    busy = _share(outcome, "the GPU computes") or 1.0
    if m is None or not m.seconds_baseline:
        return ""
    told = [f"{name} about {duration(share * busy * m.seconds_baseline)}" for name, share in shares.items() if share]
    return f"Least time of a call on this device: {'; '.join(told)}." if told else ""


FLOORS = {
    "moving inputs, weights and outputs once, as fast as a copy, takes": "of what this device copies",
    "the products and convolutions, as fast as a large float32 product, take": "of what a float32 product reaches",
}
"""What a call takes at least, and the words of the fact that says which share of it the original reaches."""


def _share(outcome: Outcome, words: str) -> float | None:
    return next((fact.value for fact in outcome.facts if words in fact.text), None)
