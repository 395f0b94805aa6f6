"""Findings of the rule-based critic on torch candidates, from the shares of operators and kernels and from the text.

Tags are those that the rewriter's transformations of models answer. What only a person or a language model can act on
(registers, occupancy) has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from maxcode.core import Diagnosis, Fact, Outcome
from maxcode.kinds.torch.profile.occupancy import block_size, occupancy
from maxcode.kinds.torch.table import Torch

MANY = 5
"""Number of calls of operators or kernels in one call of the model that counts as many."""
MUCH = 0.3
"""Share of the time that is worth doing something about."""
SOME = 0.15
IDLE = 0.6
"""Share of a call below which a GPU that computes is mostly waiting for launches."""
NEAR_THE_ROOF = 0.8
"""Share of the device's bandwidth above which little can be gained without reading and writing less."""
LITTLE = 0.5
TOO_COARSE = (
    " A single product in TF32, bfloat16 or half is too coarse here; a sum of products of two or three bfloat16 parts "
    "of each operand can be precise enough, and faster than float32."
)
COPIES = r"copy|contiguous|clone|transpose|Memcpy|permute|CatArray|aten::cat"
PRODUCT = re.compile(r" @ |matmul\(|bmm\(|einsum\(")
PASSES = (
    r"elementwise|reduce|softmax|norm|_poi_|_red_|_per_|"
    r"aten::(?:add|mul|div|sub|relu|gelu|silu|tanh|sigmoid|exp|log|sqrt|rsqrt|pow|clamp|where|sum|mean|max|min|var|amax|"
    r"hardtanh|hardswish|leaky_relu|elu|neg|abs|addcmul|lerp|cumsum|fill|zero)_?$"
)
CONVOLUTIONS = r"conv|implicit_gemm|wgrad|dgrad|cudnn.*fprop"
PRODUCTS = r"gemm|matmul|aten::(?:mm|bmm|addmm|baddbmm|linear|mkldnn_linear)|cutlass|sgemm|cublas|nvjet"


@dataclass(frozen=True)
class Seen:
    """A correct candidate: its text, its outcome with the profile, and what the task allows."""

    text: str
    outcome: Outcome
    settings: Torch

    @cached_property
    def shares(self) -> list[tuple[str, float, int]]:
        """Operators or kernels of the profile: name, share of the time, number of calls."""
        return [
            (fact.text.rpartition(": ")[0], fact.value, int(calls[1]) if (calls := _CALLS.search(fact.text)) else 1)
            for fact in self.outcome.facts
            if fact.kind == "hot_function" and fact.source == "torch profiler" and fact.value is not None
        ]

    def share(self, pattern: str) -> float:
        return sum(share for name, share, _ in self.shares if re.search(pattern, name, re.IGNORECASE))

    def named(self, pattern: str) -> str:
        """Names and shares of up to three operators or kernels that match, as evidence."""
        found = [(name, share) for name, share, _ in self.shares if re.search(pattern, name, re.IGNORECASE)]
        return ", ".join(f"{_short(name)} {share:.0%}" for name, share in found[:3])

    def figure(self, words: str) -> float | None:
        """Value of the first fact whose text contains the words; None if there is none."""
        return next((fact.value for fact in self.outcome.facts if words in fact.text), None)

    def ptxas(self) -> Iterator[Fact]:
        return (fact for fact in self.outcome.facts if fact.source == "ptxas")


_CALLS = re.compile(r"(\d+) calls")
TorchRule = Callable[[Seen], Iterator[Diagnosis]]


def _short(name: str) -> str:
    """A kernel's name without its template's arguments."""
    plain = re.sub(r"^void\s+", "", name).partition("<")[0].partition("(")[0]
    return plain.rpartition("::")[2] if plain.startswith("at::") else plain


def _slow(what: str, evidence: str, advice: str, *tags: str) -> Diagnosis:
    return Diagnosis(kind="bottleneck", what=what, evidence=evidence.strip()[:200], advice=advice, tags=tags)


def _attention(seen: Seen) -> Iterator[Diagnosis]:
    if re.search(r"scaled_dot_product_attention|load_inline|triton", seen.text):
        return
    for softmax in re.finditer(r"softmax\(", seen.text):
        end = _closing(seen.text, softmax.end())
        if PRODUCT.search(seen.text[:end]) and PRODUCT.search(seen.text[end:]):
            evidence = f"softmax between two products: {seen.text[softmax.start() : end]}"
            advice = "Use F.scaled_dot_product_attention, which never writes the matrix of scores, or a kernel like it."
            yield _slow("Attention is written out step by step", evidence, advice, "attention", "many-kernels")
            return


def _closing(text: str, start: int) -> int:
    """Position at which the bracket opened before `start` is closed."""
    depth = 1
    for place in range(start, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place
    return len(text)


def _loops(seen: Seen) -> Iterator[Diagnosis]:
    forward = re.search(r"^( *)def forward\b.*?(?=^\1(?:def|class)\b|\Z)", seen.text, re.DOTALL | re.MULTILINE)
    loop = re.search(r"^\s+for \w+ in range\([^\n]*", forward[0], re.MULTILINE) if forward else None
    if loop:
        advice = "Do all steps at once with batched operators; where each needs the one before, in one kernel."
        yield _slow("forward launches operators in a loop", loop[0], advice, "many-kernels", "eager-overhead")
    waits = re.search(r"\.(?:item|tolist|cpu|numpy)\(\)", forward[0]) if forward else None
    if waits:
        advice = "Keep values on the device: each look at one waits for everything before it."
        yield _slow("forward waits for the device to read a value", waits[0], advice, "eager-overhead")


def _launches(seen: Seen) -> Iterator[Diagnosis]:
    busy = seen.figure("the GPU computes")
    calls = sum(count for _, _, count in seen.shares)
    largest = max((share for _, share, _ in seen.shares), default=1.0)
    advice = "Fuse operators into fewer kernels (torch.compile, or one of your own); a CUDA graph launches all at once."
    if busy is not None and busy < IDLE and calls > 1 and _bandwidth(seen) < NEAR_THE_ROOF:
        evidence = f"the GPU computes {busy:.0%} of the time of a call, in {calls} kernels"
        yield _slow("The GPU waits for kernels to be launched", evidence, advice, "many-kernels", "eager-overhead")
    elif calls >= MANY and largest < 1 - MUCH and _bandwidth(seen) < NEAR_THE_ROOF:
        evidence = f"{calls} calls, the largest {largest:.0%} of the time"
        yield _slow("Many small operators, each with its own pass over memory", evidence, advice, "many-kernels")


def _passes(seen: Seen) -> Iterator[Diagnosis]:
    share, moved = seen.share(PASSES), _bandwidth(seen)
    if share <= MUCH:
        return
    if moved >= NEAR_THE_ROOF:
        evidence = f"{moved:.0%} of the bandwidth that a copy reaches"
        advice = "Only moving fewer bytes helps: no further intermediate tensors, and none read twice."
        yield _slow("It moves data nearly as fast as the device can", evidence, advice)
        return
    advice = "Compute the chain in one pass: read each input once, keep intermediate values in registers, write once."
    evidence = f"{seen.named(PASSES)}; inputs, weights and outputs move at {moved:.0%} of the device's bandwidth"
    yield _slow(
        "Elementwise operators and reductions pass over memory again and again", evidence, advice, "memory-bound"
    )


def _bandwidth(seen: Seen) -> float:
    return seen.figure("of what this device copies") or 0.0


def _copies(seen: Seen) -> Iterator[Diagnosis]:
    if seen.share(COPIES) > SOME:
        advice = "Read with strides instead of copying, drop needless contiguous() and clone(); transpose weights once."
        yield _slow("Copies and changes of layout take time", seen.named(COPIES), advice, "memory-bound", "layout")


def _products(seen: Seen) -> Iterator[Diagnosis]:
    reached = seen.figure("of what a float32 product reaches")
    rate = f"; {reached:.0%} of what a float32 product reaches here" if reached else ""
    if seen.share(CONVOLUTIONS) > MUCH:
        advice = (
            "Try channels_last for images and weights, fold scales and biases into the weights, and fuse what follows."
        )
        evidence = seen.named(CONVOLUTIONS) + rate
        yield _slow("Convolutions take most of the time", evidence, advice, "convolution", "layout", "compute-bound")
    if seen.share(PRODUCTS) > MUCH:
        tf32 = "" if seen.settings.tf32 else TOO_COARSE
        advice = (
            f"Multiply less (reorder, use structure), keep weights as the product reads them, fuse what follows.{tf32}"
        )
        yield _slow(
            "Matrix products take most of the time", seen.named(PRODUCTS) + rate, advice, "compute-bound", "layout"
        )


def _own_kernel(seen: Seen) -> Iterator[Diagnosis]:
    """Diagnoses for a candidate's own kernel that does the work, far from the device's bandwidth."""
    own = next(((name, share) for name, share, _ in seen.shares if _is_own(seen.text, name)), None)
    moved, product = _bandwidth(seen), seen.figure("of what a float32 product reaches")
    if own and own[1] > MUCH and moved < LITTLE and not (product or 0) > LITTLE:
        advice = (
            "Let neighbouring threads read neighbouring addresses, four floats at a time; give each thread more work; "
            "reduce within warps; tile through shared memory what is read more than once."
        )
        evidence = f"{_short(own[0])} {own[1]:.0%} of the time, at {moved:.0%} of the device's bandwidth"
        yield _slow("The candidate's own kernel is far from what the device can do", evidence, advice)


def _is_own(text: str, name: str) -> bool:
    """Whether the text defines a CUDA or Triton kernel of that name. Python functions may have a library's names."""
    short = _short(name)
    return bool(re.search(rf"(?:__global__|@triton\.jit\s+def)[^;{{]*?\b{re.escape(short)}\s*\(", text))


def _registers(seen: Seen) -> Iterator[Diagnosis]:
    for fact in seen.ptxas():
        if re.search(r"bytes spilled", fact.text):
            advice = "Hold fewer values per thread, unroll less, or launch fewer threads per block (__launch_bounds__)."
            yield _slow("A kernel spills registers to memory", fact.text, advice)
            return
    for fact in seen.ptxas():
        found = re.match(r"(\S+): (\d+) registers, (\d+) bytes of shared memory.*compiled for (\w+)", fact.text)
        name = _plain_name(seen.text, found[1]) if found else None
        size = block_size(seen.text, name) if name else None
        held = occupancy(found[4], int(found[2]), int(found[3]), size) if found and size else None
        if held and held.share < LITTLE:
            advice = "Use less of it per block, or let each thread have several loads in flight: few warps hide little."
            evidence = f"{name}: blocks of {size} threads, {held.share:.0%} occupancy, limited by {held.limited_by}"
            yield _slow("Few warps fit onto a multiprocessor", evidence, advice)
            return


def _plain_name(text: str, mangled: str) -> str | None:
    """Name in the text of the kernel that a mangled name stands for."""
    names = re.findall(r"__global__[^;{(]*?\b(\w+)\s*\(", re.sub(r"__launch_bounds__\s*\([^)]*\)", "", text))
    return next((name for name in names if f"{len(name)}{name}" in mangled or name == mangled), None)


TORCH_RULES: tuple[TorchRule, ...] = (
    _attention,
    _loops,
    _launches,
    _copies,
    _products,
    _passes,
    _registers,
    _own_kernel,
)


def torch_bottlenecks(text: str, outcome: Outcome, settings: Torch) -> Iterator[Diagnosis]:
    seen = Seen(text, outcome, settings)
    return (diagnosis for rule in TORCH_RULES for diagnosis in rule(seen))
