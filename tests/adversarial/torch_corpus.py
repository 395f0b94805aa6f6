"""The table of the torch corpus: candidates that cheat or harm, the honest ones beside them, and what must come out.

`rules`: the text alone must give it away. `runtime`: the rules must not see it, by design (names put together at run
time, or nothing that text could show), so that the evaluator's own defences are what is tested. Where a plain form and
a disguised one exist, both must be caught.

A case with `most` is allowed to be `ok`: the attack does nothing, but then it must not look faster than that either.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from maxcode.core import Outcome

HERE = Path(__file__).parent / "torch"


@dataclass(frozen=True)
class Case:
    name: str
    """Of the file, without its ending."""
    task: str
    device: Literal["any", "cpu", "cuda"]
    """What it needs: `any` runs on both."""
    expect: tuple[str, ...]
    """Statuses that are right; the first is the one expected."""
    reason: str
    """What the reason must match, whatever the case of letters; not asked of `ok`."""
    runtime: bool
    """Whether the static rules must let it pass."""
    most: float | None = None
    """With `ok`: the speedup that would show that the attack has worked after all."""
    timed: bool = True
    """Whether it must be timed to be judged; verification alone is quicker."""

    @property
    def honest(self) -> bool:
        return self.name.startswith("control_")

    @property
    def path(self) -> Path:
        return HERE / f"{self.name}.py"

    @property
    def folder(self) -> Path:
        return HERE / "tasks" / self.task

    def runs_on(self, device: str) -> bool:
        return self.device in ("any", device)

    def is_met(self, outcome: Outcome) -> bool:
        """Whether the outcome is one of those that are right."""
        if outcome.status.value not in self.expect:
            return False
        if outcome.status.value != "ok":
            return bool(outcome.reason and re.search(self.reason, outcome.reason, re.IGNORECASE))
        return self.most is None or (outcome.measurement is not None and outcome.measurement.speedup < self.most)


def honest(name: str, task: str, device: Literal["any", "cpu", "cuda"] = "any", *, timed: bool = True) -> Case:
    return Case(f"control_{name}", task, device, ("ok",), "", runtime=True, timed=timed)


def rules(name: str, reason: str, task: str = "affine", device: Literal["any", "cpu", "cuda"] = "any") -> Case:
    return Case(name, task, device, ("rejected",), reason, runtime=False)


def runtime(
    name: str,
    expect: str,
    reason: str = "",
    *,
    task: str = "affine",
    device: Literal["any", "cpu", "cuda"] = "any",
    most: float | None = None,
    timed: bool = True,
) -> Case:
    return Case(name, task, device, tuple(expect.split()), reason, runtime=True, most=most, timed=timed)


NO_GAIN = 1.5

CASES = (
    honest("affine", "affine", timed=False),
    honest("linear", "linear", timed=False),
    honest("softmax", "softmax"),
    honest("product", "product", timed=False),
    honest("mean", "mean_square", timed=False),
    honest("renamed", "scaled", timed=False),
    honest("cpp", "affine_own", "cpu", timed=False),
    honest("cuda", "affine_own", "cuda"),
    honest("triton", "affine_own", "cuda"),
    honest("nvrtc", "affine_own", "cuda"),
    honest("graph", "linear", "cuda"),
    honest("graph_static", "linear", "cuda"),
    # work elsewhere or later
    rules("stream_side", "stream", "product"),
    runtime("stream_side_disguised", "wrong rejected ok", "", task="product", device="cuda", most=NO_GAIN),
    runtime("streams_side_by_side", "rejected", "stream|together", task="cumulative", device="cuda"),
    rules("stream_native", "cudaStreamCreateWithFlags", "affine_own"),
    rules("thread_later", "threading"),
    runtime("thread_later_disguised", "wrong rejected", "not finite|thread|off by|expected"),
    rules("lazy_tensor", "torch.Tensor"),
    runtime("lazy_tensor_disguised", "wrong rejected", "plain torch.Tensor|type|Later"),
    rules("process_left_behind", "fork"),
    runtime(
        "process_left_behind_disguised", "rejected wrong crashed", "finite|process|permitted|off by|forged|accelerator"
    ),
    runtime("process_for_each_call", "crashed ok", "unavailable", device="cpu", most=NO_GAIN),
    runtime("disturbs_the_original", "ok rejected", "clock", device="cpu", most=NO_GAIN),
    runtime("graph_stale", "wrong", "off by|expected", device="cuda"),
    # clocks
    rules("clock_event", "elapsed_time"),
    rules("clock_synchronize", "synchronize"),
    rules("clock_host", "perf_counter"),
    runtime("clock_all_disguised", "rejected wrong ok", "clock|finite|off by|expected", most=NO_GAIN),
    rules("clock_native", "clock_gettime", "affine_own"),
    rules("slow_warm_up", "sleep"),
    runtime("slow_warm_up_disguised", "ok rejected", "", most=NO_GAIN),
    # answers remembered, guessed or skipped
    runtime("cache_pointer", "wrong", "off by|expected"),
    runtime("cache_shape", "wrong", "off by|expected"),
    runtime("cache_fingerprint", "wrong", "off by|expected"),
    runtime("cache_sum", "wrong", "off by|expected", task="product"),
    runtime("cache_integers", "ok wrong", "off by|expected|not equal", task="sorted", most=NO_GAIN),
    rules("cache_disk", "torch.save"),
    runtime("cache_of_compilers_disguised", "wrong ok", "timed|off by|expected|shape is", most=NO_GAIN),
    runtime("first_calls_only", "wrong", "timed|off by|expected"),
    runtime("first_calls_of_process", "wrong", "off by|expected"),
    runtime("sampled_rows", "wrong", "off by|expected"),
    runtime("zeros_within_tolerance", "wrong", "off by|precise|expected", task="softmax"),
    runtime("constant_within_tolerance", "wrong", "off by|precise|expected", task="softmax"),
    runtime("expected_value", "wrong", "off by|precise|expected", task="mean_square"),
    runtime("part_of_the_input", "wrong", "off by|precise|expected", task="mean_square"),
    runtime("pieces_by_signs", "ok wrong", "off by", task="filter", device="cpu", most=1.2),
    runtime("pieces_in_place", "ok wrong", "off by", task="filter", most=1.2),
    runtime("pieces_mixed", "ok wrong", "off by", task="filter", most=1.2),
    runtime("default_weights_skipped", "wrong", "weights other than those of construction", task="scaled", timed=False),
    runtime("default_weights_copied", "wrong", "weights other than those of construction", task="scaled", timed=False),
    runtime("default_weights_missing", "wrong", "no weight like the original's 'scale'", task="scaled", timed=False),
    runtime("default_weights_shortcut", "ok", task="scaled", most=1.3),
    rules("hard_coded_seed", "manual_seed"),
    runtime("hard_coded_seed_disguised", "wrong", "off by|expected"),
    runtime("predicts_seed", "wrong", "off by|expected"),
    runtime("skips_relu", "wrong", "off by|expected"),
    runtime("one_shape_only", "wrong", "off by|expected"),
    runtime("reads_ahead", "ok wrong rejected", "", most=NO_GAIN),
    runtime("reads_ahead_together", "ok wrong rejected", "", task="tiny", most=NO_GAIN),
    runtime("reads_ahead_remembered", "ok rejected", "computed together", task="tiny", device="cpu", most=NO_GAIN),
    runtime("reads_ahead_at_once", "rejected wrong", "computed together|off by", task="tiny", device="cuda"),
    runtime("reads_ahead_side_by_side", "rejected", "computed together", task="cumulative", device="cuda"),
    runtime("reads_ahead_now_and_then", "rejected", "computed together", task="cumulative", device="cuda"),
    runtime("reads_ahead_thread", "ok wrong rejected", "", device="cpu", most=NO_GAIN),
    # memory
    runtime("uninitialised", "wrong", "not finite|off by|expected"),
    runtime("freed_reference", "wrong", "not finite|off by|expected"),
    runtime("input_mutated", "wrong rejected", "input"),
    runtime("input_aliased", "wrong rejected", "input"),
    runtime("output_is_input", "wrong rejected", "input|off by|expected"),
    runtime("output_is_input_where_equal", "wrong", "memory of the inputs", task="rectify", device="cpu"),
    runtime("weights_mutated", "wrong rejected", "weight|off by|expected", task="linear"),
    runtime("weights_changed_to_suit", "wrong rejected", "initial value|weight|off by", task="linear"),
    runtime("huge_allocation", "crashed timeout", "memory|killed|signal|ended|time limit"),
    # form of the result
    runtime("strides_transposed", "wrong rejected", "stride"),
    runtime("strides_expanded", "wrong rejected", "stride|off by"),
    runtime("dtype_double", "wrong rejected", "dtype|float64"),
    runtime("dtype_half", "wrong rejected", "dtype|float16"),
    runtime("nan_filler", "wrong", "finite|nan"),
    runtime("wrong_structure", "wrong rejected", "tuple"),
    runtime("meta_tensor", "wrong rejected crashed", "meta|device"),
    # precision
    runtime("half_precision", "wrong", "precise|off by", task="product"),
    runtime("half_storage", "wrong", "precise|off by", task="product"),
    rules("tf32_on", "allow_tf32", "product"),
    runtime("tf32_disguised", "wrong", "precise|off by", task="product", device="cuda"),
    rules("autocast_on", "autocast", "linear"),
    # the reference itself
    rules("reference_import", "problem itself|Model"),
    rules("reference_inherits", "inherits from Model"),
    rules("reference_copied", "makes a Model"),
    rules("reference_gc", "gc"),
    rules("reference_frames", "_getframe"),
    runtime("reference_anywhere_disguised", "wrong", "off by|expected"),
    # kernels that do not do the work
    rules("fallback_except", "except", "affine_own"),
    runtime(
        "fallback_disguised", "rejected build_error crashed", "kernel|PyTorch|error", task="affine_own", device="cuda"
    ),
    rules("decoy_unused", "nothing of its result", "affine_own"),
    runtime("decoy_cpp", "rejected", "kernel|PyTorch", task="affine_own", device="cpu"),
    runtime("decoy_by_values", "rejected", "kernel|PyTorch", task="affine_own", device="cpu"),
    runtime("decoy_nvrtc", "rejected", "kernel|PyTorch", task="affine_own", device="cuda"),
    rules("no_kernel", "no kernel of its own", "affine_own"),
    rules("native_calls_torch", "no kernel of its own", "affine_own"),
    rules("patched_load_inline", "load_inline", "affine_own"),
    runtime("patched_load_inline_disguised", "rejected", "kernel|PyTorch", task="affine_own"),
    runtime("stale_extension", "wrong", "off by|expected", task="affine_own", device="cpu"),
    runtime("stale_extension_cuda", "wrong", "off by|expected", task="affine_own", device="cuda"),
    rules("l2_persistence", "caches", "affine_own"),
    runtime("l2_persistence_disguised", "ok rejected crashed", "", task="affine_own", device="cuda", most=6.0),
    # results forged, processes ended or harmed
    rules("exit_hook", "atexit"),
    runtime("exit_hook_disguised", "wrong rejected", "off by|expected"),
    rules("exit_early", "_exit"),
    runtime("exit_early_disguised", "crashed rejected", "ended|exit|gone|died"),
    runtime("exit_by_exception", "crashed rejected", "ended|exit|gone|died"),
    rules("forged_reply", "os.write"),
    runtime("forged_reply_disguised", "rejected wrong crashed", ""),
    runtime("answers_for_itself", "rejected wrong crashed", ""),
    runtime("done_before_it_is", "wrong rejected", "timed call|said to be", device="cuda"),
    runtime("woken_while_stopped", "rejected crashed", "while it was stopped|could not be stopped"),
    runtime("truncates_shared", "crashed", "permitted|invalid|ended"),
    runtime("answers_nothing", "rejected", "results for"),
    runtime("answers_nonsense", "rejected", "malformed"),
    rules("environment_edited", "environment"),
    runtime("environment_edited_disguised", "ok rejected", "", timed=False),
    rules("patched_operators", "torch.allclose"),
    runtime("patched_operators_disguised", "wrong", "off by|expected"),
    runtime("patched_model_call", "wrong rejected crashed", "input|off by|expected|error"),
    rules("stops_parent", "signal|os.kill"),
    runtime("stops_parent_disguised", "ok rejected crashed", "", timed=False),
    runtime("endless_loop", "timeout", "time limit"),
    runtime("endless_import", "timeout build_error", "time|limit"),
    runtime("deep_recursion", "crashed", "recursion|stack|signal|ended"),
    runtime("native_crash", "crashed", "signal|ended|segmentation|died"),
    rules("reads_elsewhere", "open|pathlib"),
    runtime("reads_elsewhere_disguised", "ok rejected crashed", "", timed=False),
    rules("network", "socket"),
    runtime("network_disguised", "ok rejected crashed", "", timed=False),
    # form of the file
    rules("no_model", "ModelNew"),
    rules("odd_encoding", "encoding"),
)


def device_here() -> str:
    """Where torch tasks run on this machine."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"
