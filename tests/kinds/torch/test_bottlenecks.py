"""The critic of torch candidates: each rule fires on its evidence, and its tags are those that rewrites answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from maxcode.core import Diagnosis, Fact, Outcome, Status
from maxcode.critic.rules import MOST, rule_critic
from maxcode.kinds.torch.diagnosis.bottlenecks import torch_bottlenecks
from maxcode.kinds.torch.diagnosis.failures import torch_failure
from maxcode.kinds.torch.profile.occupancy import block_size, occupancy
from maxcode.kinds.torch.table import Torch
from maxcode.policy.rewrite import TRANSFORMATIONS
from maxcode.search.tree import Tree
from maxcode.task import load_task
from tests.search.fakes import measured, outcome

EXAMPLES = Path(__file__).parents[3] / "examples" / "torch"
PLAIN = "class ModelNew(nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\n"
CUDA = """
__global__ void __launch_bounds__(256) scale(const float* x, float* y, int n) {}
void run() { scale<<<blocks, 256>>>(x, y, n); }
"""


def hot(name: str, share: float, calls: int = 1) -> Fact:
    text = f"{name}: {share:.0%} of the kernel time, {calls} calls"
    return Fact(kind="hot_function", source="torch profiler", text=text, value=share)


def resource(text: str, value: float | None = None, source: str = "torch profiler") -> Fact:
    return Fact(kind="resource", source=source, text=text, value=value)


def bandwidth(share: float) -> Fact:
    return resource(f"inputs, weights and outputs are 9.0 MB: 8.0 GB/s, {share:.0%} of what this device copies", share)


def found(text: str, *facts: Fact, settings: Torch | None = None) -> list[Diagnosis]:
    good = outcome(measurement=measured(1.5)).model_copy(update={"facts": facts})
    return list(torch_bottlenecks(text, good, settings or Torch()))[:MOST]


def tags(text: str, *facts: Fact) -> set[str]:
    return {tag for each in found(text, *facts) for tag in each.tags}


def failed(status: Status, reason: str, settings: Torch | None = None) -> Diagnosis:
    bad = Outcome(candidate="c", task="t", status=status, reason=reason)
    (diagnosis,) = torch_failure(bad, settings or Torch())
    return diagnosis


CHAIN = [hot(f"aten::{name}", 0.2) for name in ("add", "mul", "tanh", "exp", "div")]


@pytest.mark.parametrize(
    ("facts", "tag"),
    [
        ([*CHAIN, bandwidth(0.1)], "many-kernels"),
        ([*CHAIN, bandwidth(0.1)], "memory-bound"),
        ([hot("void at::native::elementwise_kernel<128, 2>", 0.5), bandwidth(0.2)], "memory-bound"),
        ([hot("aten::copy_", 0.2), hot("aten::mm", 0.8)], "layout"),
        ([hot("aten::mkldnn_convolution", 0.7)], "convolution"),
        ([hot("ampere_sgemm_128x64_tn", 0.7)], "compute-bound"),
        ([hot("k", 0.6, 4), hot("l", 0.4, 3), resource("the GPU computes 20% of the time", 0.2)], "eager-overhead"),
    ],
)
def test_a_profile_is_understood(facts: list[Fact], tag: str) -> None:
    assert tag in tags(PLAIN, *facts)


def test_a_profile_that_shows_one_busy_kernel_gives_no_tag() -> None:
    assert tags(PLAIN, hot("scale", 1.0), bandwidth(0.9), resource("the GPU computes 99% of the time", 0.99)) == set()


def test_little_is_left_where_data_moves_as_fast_as_the_device_can() -> None:
    (only,) = found(PLAIN, hot("aten::relu", 1.0), bandwidth(0.9))
    assert "nearly as fast" in only.what
    assert only.tags == ()


def test_attention_is_seen_in_the_text() -> None:
    written_out = "a = torch.softmax(q @ k.transpose(-2, -1), dim=-1)\nreturn a @ v\n"
    assert "attention" in tags(written_out)
    assert tags("return F.scaled_dot_product_attention(q, k, v)  # softmax(q @ k) @ v") == set()


def test_loops_and_reads_of_single_values_in_forward_are_seen() -> None:
    loop = (
        "    def forward(self, x):\n        for i in range(9):\n            x = x * x.sum().item()\n        return x\n"
    )
    assert tags(loop) == {"many-kernels", "eager-overhead"}
    assert tags("    def forward(self, x):\n        return x\n\n    def other(self):\n        y.item()\n") == set()


def test_every_tag_is_answered_by_a_transformation() -> None:
    answered = {tag for each in TRANSFORMATIONS if each.family == "torch" for tag in each.answers}
    facts = [*CHAIN, hot("aten::copy_", 0.2), hot("conv", 0.5), hot("sgemm", 0.5), bandwidth(0.1)]
    attention = "a = torch.softmax(q @ k, dim=-1)\nb = a @ v\n    def forward(self):\n        for i in range(3):\n"
    assert tags(PLAIN, *facts) | tags(attention) <= answered


def test_tf32_is_spoken_of_as_the_task_has_it() -> None:
    (without,) = found(PLAIN, hot("sgemm", 0.9))
    (allowed,) = found(PLAIN, hot("sgemm", 0.9), settings=Torch(tf32=True))
    assert "two or three bfloat16 parts" in without.advice
    assert "TF32" not in allowed.advice


def test_spilled_registers_are_told() -> None:
    said = "_Z5scalePKfPfi: 255 registers, 0 bytes of shared memory, 320 bytes spilled to local memory"
    assert any("spills" in each.what for each in found(CUDA, resource(said, source="ptxas")))


def test_low_occupancy_is_told_with_what_limits_it() -> None:
    said = "_Z5scalePKfPfi: 200 registers, 0 bytes of shared memory, compiled for sm_90"
    (only,) = found(CUDA, resource(said, source="ptxas"))
    assert "blocks of 256 threads" in only.evidence
    assert "limited by registers" in only.evidence
    assert found(CUDA, resource(said.replace("200 registers", "32 registers"), source="ptxas")) == []


@pytest.mark.parametrize(
    ("arch", "registers", "shared", "threads", "share", "limit"),
    [
        ("sm_90", 32, 0, 256, 1.0, "the size of its blocks"),
        ("sm_90", 64, 0, 256, 0.5, "registers"),
        ("sm_90", 255, 0, 256, 0.125, "registers"),
        ("sm_90", 32, 100 << 10, 256, 0.25, "shared memory"),
        ("sm_86", 32, 0, 1024, 32 / 48, "the size of its blocks"),
        ("sm_90", 16, 0, 32, 0.5, "the size of its blocks"),
        ("sm_90a", 32, 0, 256, 1.0, "the size of its blocks"),
    ],
)
def test_occupancy_is_as_the_calculator_has_it(
    arch: str, registers: int, shared: int, threads: int, share: float, limit: str
) -> None:
    held = occupancy(arch, registers, shared, threads)
    assert held is not None
    assert held.share == pytest.approx(share)
    assert held.limited_by == limit


def test_occupancy_of_unknown_devices_and_blocks_is_not_guessed() -> None:
    assert occupancy("gfx90a", 32, 0, 256) is None
    assert occupancy("sm_90", 32, 0, 2048) is None


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("k<<<grid, 128>>>(x);", 128),
        ("const int threads = 512; k<<<(n + threads - 1) / threads, threads, 0, stream>>>(x);", 512),
        ("k<<<dim3(4, 4), dim3(16, 16)>>>(x);", 256),
        ("dim3 block(32, 8); k<float, 4><<<grid, block>>>(x);", 256),
        ("#define WARPS 4\nk<<<grid, 32 * WARPS>>>(x);", 128),
        ("__global__ void __launch_bounds__(64) k(float* x) {}", 64),
        ("k<<<grid, threads>>>(x);", None),
        ("k<<<grid, n / 4>>>(x);", None),
    ],
)
def test_the_size_of_blocks_is_read_where_it_is_a_number(text: str, size: int | None) -> None:
    assert block_size(text, "k") == size


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("trial with inputs as the problem makes them at rows = 3: off by more than 0.0001 at [0]: 1 where 2", "edges"),
        ("trial with values of both signs: off by more than 0.0001 at [0]: 0 where -1 is expected", "activation"),
        ("trial with many zeros: off by more than 0.0001 at [0, 3]: 1 where 2 is expected", "distribution"),
        ("trial with inputs as the problem makes them: less precise than float32 should be", "TF32"),
        ("trial with inputs as the problem makes them: strides is (1, 4), not (4, 1)", "strides"),
        ("trial with inputs as the problem makes them: input 0 was changed by the call", "in-place"),
        ("the initial value of 'weight' differs from the original's at the same seed", "same order"),
        ("timed call: off by more than 0.0001 at [2]: 0 where 1 is expected; 100.0% of the elements", "earlier calls"),
        ("trial: off by more than 0.0001 at [2]: 0 where 1 is expected; 3.1% of the elements are wrong", "syncthreads"),
        ("trial: off by more than 0.0001 at [2]: 0 where 1 is expected; 100.0% of the elements are wrong", "eps"),
        ("trial: not finite, or not where the original's is at [0]: nan where 1 is expected", "maximum"),
    ],
)
def test_wrong_results_get_advice_that_fits(reason: str, words: str) -> None:
    assert words in failed(Status.WRONG, reason).advice


def test_a_compiler_log_is_reduced_to_its_first_error() -> None:
    log = (
        "RuntimeError: Error building extension 'k'\nnvcc warning : something\n"
        'k.cu(12): error: identifier "lenght" is undefined\n    for (i < lenght)\n1 error detected in the compilation\n'
    )
    found = failed(Status.BUILD_ERROR, log)
    assert found.evidence == 'k.cu(12): error: identifier "lenght" is undefined'
    assert found.what == "A name is not known"


@pytest.mark.parametrize(
    ("status", "reason", "words"),
    [
        (Status.BUILD_ERROR, "ImportError: k.so: undefined symbol: _Z3runN2at6TensorE", "Declare in cpp_sources"),
        (Status.BUILD_ERROR, "ModuleNotFoundError: No module named 'triton'", "load_inline"),
        (Status.CRASHED, "torch.AcceleratorError: CUDA error: an illegal memory access was encountered", "Guard"),
        (Status.CRASHED, "CUDA error: invalid configuration argument", "1024 threads"),
        (Status.CRASHED, "CUDA error: misaligned address", "float4"),
        (Status.CRASHED, "out of memory: CUDA out of memory. Tried to allocate", "buffers"),
        (Status.REJECTED, "its own kernels do 2% of the work and PyTorch's the rest", "load_inline"),
        (Status.TIMEOUT, "gave no answer within the time limit of 60 s", "__syncthreads"),
    ],
)
def test_failures_get_advice_that_fits(status: Status, reason: str, words: str) -> None:
    assert words in failed(status, reason).advice


def test_a_failure_without_a_reason_has_a_diagnosis_too() -> None:
    assert failed(Status.CRASHED, "").evidence == ""


def test_the_critic_knows_a_torch_task_by_its_settings() -> None:
    task = load_task(EXAMPLES / "softmax")
    facts = (hot("aten::max", 0.4), hot("aten::exp", 0.35), hot("aten::div", 0.25), bandwidth(0.3))
    tree = Tree(task, outcome(measurement=measured(1.0)).model_copy(update={"facts": facts}))
    critique = asyncio.run(rule_critic(tree, tree.root))
    assert "memory-bound" in {tag for each in critique.diagnoses for tag in each.tags}


def test_launches_are_not_blamed_where_data_moves_as_fast_as_the_device_can() -> None:
    facts = [hot("k", 0.6, 4), hot("l", 0.4, 3), resource("the GPU computes 50% of the time", 0.5)]
    assert any("waits for kernels" in each.what for each in found(PLAIN, *facts, bandwidth(0.3)))
    assert not any("waits for kernels" in each.what for each in found(PLAIN, *facts, bandwidth(0.92)))


def test_a_library_s_kernel_is_not_taken_for_the_candidate_s_own() -> None:
    facts = (hot("void at::native::layer_norm<float>", 0.9), bandwidth(0.2))
    wrapper = "def layer_norm(x):\n    return F.layer_norm(x, x.shape)\n"
    triton = "@triton.jit\ndef layer_norm(x):\n    pass\n"
    assert not any("own kernel" in each.what for each in found(wrapper, *facts))
    assert any("own kernel" in each.what for each in found(triton, *facts))
