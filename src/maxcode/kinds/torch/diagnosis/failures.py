"""Diagnoses of failed torch candidates from the evaluator's reason: what it means, and what to do.

The first pattern that matches counts, so particular ones come before general ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.core import Diagnosis, Outcome, Status
from maxcode.kinds.torch.diagnosis.bottlenecks import torch_bottlenecks
from maxcode.kinds.torch.table import Torch
from maxcode.task.model import Task

Case = tuple[str, str, str]
"""Pattern of the reason, its meaning, and advice."""

WRONG: tuple[Case, ...] = (
    (
        r"less precise than",
        "It computes in lower precision than the original",
        "Accumulate in float32 (a half model too); do without half, TF32, intrinsics like __expf and fast-math flags.",
    ),
    (
        r"the initial value of",
        "Its weights are not those of the original",
        "Create the same parameters in the same order as Model.__init__; derive others from those, not at random.",
    ),
    (
        r"input \d+ was changed",
        "It writes to its inputs",
        "Write to a tensor of its own: no in-place operators on inputs.",
    ),
    (
        r"the weight '.*' was changed",
        "It changes its weights while it runs",
        "Leave parameters as they are in forward.",
    ),
    (r"memory of the inputs", "It returns an input instead of a result of its own", "Return a new tensor."),
    (
        r"(?:dtype|shape|strides) is|the result is|the result has",
        "The result has another form than the original's",
        "Return tensors of exactly the original's shape, dtype and strides: .contiguous() or the same memory format, "
        "and the same tuples and lists.",
    ),
    (
        r"\bat \w+ = [^:]*:",
        "It is right at the usual sizes and wrong at others",
        "Guard every load and store at the edges, take sizes from the tensors instead of constants, and handle the "
        "remainders of vectors, tiles and warps.",
    ),
    (
        r"values of both signs|mirrored values",
        "It is wrong where inputs are negative",
        "A step for negative values is missing or assumed away: an activation, a maximum that starts at 0 instead of "
        "-infinity, an absolute value, a logarithm.",
    ),
    (
        r"many zeros|small values|shifted values",
        "It is right on the usual inputs and wrong on other values",
        "Something was tuned to the inputs' distribution: do the whole computation, with the original's constants.",
    ),
    (
        r"not finite",
        "It gives infinities or NaN, or misses the original's",
        "Subtract the maximum before exponentials, start sums and maxima from the right value, and write every element "
        "of the output: memory from empty() is not zero.",
    ),
    (
        r"timed call",
        "It is right when it is first called and wrong later",
        "Results depend on earlier calls: kept buffers or graphs that are not refilled, accumulators that are not set "
        "to zero, or a race between threads. Compute everything from the inputs of this call.",
    ),
    (
        r"(?<![\d.])[1-4]?\d(?:\.\d+)?% of the elements",
        "Some of the elements are wrong",
        "Look at the edges of blocks, a missing __syncthreads() between writing and reading shared memory, and threads "
        "that write the same element.",
    ),
    (
        r"",
        "It computes something else than the original",
        "Compare step by step with the original: order and axes of operators, eps, scaling, bias, broadcasting.",
    ),
)

BUILD: tuple[Case, ...] = (
    (
        r"undefined symbol|undefined reference",
        "A function is declared and not defined",
        "Declare in cpp_sources the function that cuda_sources defines, with the same types, and list it in functions.",
    ),
    (
        r"calling a __host__ function|is undefined in device code",
        "A kernel calls a function of the host",
        "Use CUDA's own functions in kernels (expf, fmaxf, __float2half), not std:: or ATen.",
    ),
    (
        r"uses too much shared data|too much shared",
        "A kernel has more shared memory than a block may have",
        "Use smaller tiles, or dynamic shared memory with cudaFuncSetAttribute.",
    ),
    (
        r"no instance of|no matching function|cannot convert|no suitable",
        "A call has arguments of the wrong types",
        "Use data_ptr<float>() of contiguous tensors, and the exact types of the function's parameters.",
    ),
    (
        r"is undefined|was not declared|has no member|not a member",
        "A name is not known",
        "Include what declares it (<torch/extension.h>, <ATen/cuda/CUDAContext.h>), or spell it as this torch does.",
    ),
    (
        r"ModuleNotFoundError|ImportError|No module named",
        "It imports what is not installed here",
        "Use torch, and what comes with it; CUDA through load_inline where Triton or CuPy is missing.",
    ),
    (
        r"triton.*(?:CompilationError|error)|CompilationError",
        "Triton does not compile the kernel",
        "Shapes within a kernel are powers of two and tl.constexpr; masks guard the rest.",
    ),
    (
        r"longer than .* to build",
        "It takes too long to build",
        "Include less: <torch/extension.h> alone, and no CUTLASS.",
    ),
    (
        r"defines no class",
        "There is no ModelNew",
        "Define class ModelNew(nn.Module) with Model's constructor and forward.",
    ),
    (r"", "It does not build", "Mend the first error; the rest often follow from it."),
)

CRASHED: tuple[Case, ...] = (
    (
        r"illegal memory access|SIGSEGV|segmentation|Invalid __(?:global|shared|local)__",
        "It reads or writes beyond its tensors",
        "Guard every index with the size, take sizes from the tensor, and call .contiguous() before data_ptr().",
    ),
    (
        r"misaligned address",
        "It reads vectors at addresses that are not multiples of their size",
        "Use float4 and the like only where address and row length are multiples of it, and scalars for the rest.",
    ),
    (
        r"invalid configuration|invalid argument",
        "A kernel is launched with a grid or block that cannot be",
        "At most 1024 threads in a block, no size of 0, and y and z of the grid at most 65535; mind small tensors.",
    ),
    (
        r"too many resources",
        "A block needs more registers than there are",
        "Launch fewer threads per block, or give __launch_bounds__.",
    ),
    (
        r"out of memory|memory limit",
        "It needs too much memory",
        "Keep fewer intermediate tensors; free or reuse buffers.",
    ),
    (
        r"[Ee]xpected all tensors to be on the same device|device-side assert|is not on",
        "Tensors are on the wrong device",
        "Make tensors on the device of the input: device=x.device, or as buffers of the model.",
    ),
    (
        r"is not contiguous|view size is not compatible",
        "A tensor is not contiguous where that is needed",
        "Call .contiguous(), or reshape() instead of view().",
    ),
    (
        r"shape|size|dimension",
        "Shapes do not fit together",
        "Check the shapes step by step, at every size of the task.",
    ),
    (r"", "It fails while it runs", "The last line of its own in the message says where."),
)

REJECTED: tuple[Case, ...] = (
    (
        r"own kernels do|kernel of its own|custom-kernel|own kernel",
        "PyTorch's operators do the work",
        "Write the dominating operators as kernels (load_inline, Triton, NVRTC) and call them in forward.",
    ),
    (
        r"needs .* to write the output",
        "The output was not written in the time it claims",
        "Compute every call anew, on the current stream, and return what was computed.",
    ),
    (
        r"clock|forged|answer",
        "It interferes with the evaluator",
        "Leave clocks, streams and messages alone; compute in forward.",
    ),
    (r"", "It breaks a rule of the task", "Do what the reason says; the rest of the program can stay."),
)

TIMEOUT: tuple[Case, ...] = (
    (
        r"",
        "It takes too long",
        "Look for a loop that does not end, threads that wait for each other at a __syncthreads() "
        "that not all reach, and compilation that is repeated for each call.",
    ),
)

CASES = {
    Status.WRONG: WRONG,
    Status.BUILD_ERROR: BUILD,
    Status.CRASHED: CRASHED,
    Status.REJECTED: REJECTED,
    Status.TIMEOUT: TIMEOUT,
}


def diagnose(task: Task, text: str, outcome: Outcome) -> Iterator[Diagnosis]:
    """Diagnoses from the profile of a correct candidate, or from the reason why another failed."""
    settings = task.table(Torch)
    if outcome.status is Status.OK:
        return torch_bottlenecks(text, outcome, settings)
    return torch_failure(outcome, settings)


def torch_failure(outcome: Outcome, settings: Torch) -> Iterator[Diagnosis]:
    reason = outcome.reason or ""
    _, what, advice = next(case for case in CASES[outcome.status] if re.search(case[0], reason))
    if "less precise" in reason and settings.tf32:
        advice = advice.replace("half, TF32, ", "half, ")
    yield Diagnosis(kind="bug", what=what, evidence=telling_line(reason), advice=advice)


def telling_line(reason: str) -> str:
    """First error of a compiler's log; else the last line that names an exception, or the first line."""
    lines = [line.strip() for line in reason.splitlines() if line.strip()]
    if not lines:
        return ""
    patterns = (r"\berror\s*[:#]|: error|undefined (?:symbol|reference)", r"^\w*(?:Error|Exception)\b")
    found = (line for pattern in patterns for line in lines if re.search(pattern, line))
    return next(found, lines[0])[:240]
