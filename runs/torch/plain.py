"""Candidates for the torch examples beside their originals, by a plain and careful script to compare verdicts with.

    python runs/torch/plain.py [PROBLEM | PROBLEM/SOLUTION ...] [--out FILE.json] [--build-jobs 8] [--repeats 100]

Needs torch alone (and triton or cupy for the candidates that use them). On a GPU: CUDA events, the L2 cache flushed
before each call, original and candidate in turn, the median of the paired ratios. Without one: a CPU, its clock and the
problems' smaller sizes. There is no isolation: candidates are trusted.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import importlib.util
import json
import statistics
import subprocess
import sys
import time
import tomllib
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples" / "torch"
GPU_ONLY = ("cuda_sources", "import triton", "import cupy", "_compile_kernel")
SEEDS = (11, 12, 13)


def load_module(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def load_problem(task: Path, device: str) -> tuple[ModuleType, list[dict[str, Any]]]:
    """The problem with the sizes for this device, and the other sizes it must be right at."""
    settings = tomllib.loads((task / "task.toml").read_text()).get("torch", {})
    problem = load_module(task / "model.py", f"problem_{task.name}")
    vars(problem).update(settings.get("constants", {}) | (settings.get("constants_cpu", {}) if device == "cpu" else {}))
    return problem, settings.get("shapes", [])


def set_up(device: str) -> None:
    """Single precision means single precision, on both sides."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    if device == "cpu":
        torch.set_num_threads(1)


def make_model(problem: ModuleType, kind: Any, seed: int, device: str) -> Any:
    """The same weights for the same seed, whichever the class."""
    import torch

    torch.manual_seed(seed)
    with torch.device(device):
        return kind(*problem.get_init_inputs()).to(device).eval()


def make_inputs(problem: ModuleType, seed: int, device: str) -> list[Any]:
    import torch

    torch.manual_seed(seed + 1000)
    with torch.device(device):
        return [x.to(device) if torch.is_tensor(x) else x for x in problem.get_inputs()]


def difference(want: Any, got: Any) -> str | None:
    import torch

    if isinstance(want, (tuple, list)):
        if not isinstance(got, (tuple, list)) or len(want) != len(got):
            return "not as many outputs"
        return next((d for d in map(difference, want, got) if d), None)
    if not torch.is_tensor(got) or (want.shape, want.dtype, want.device) != (got.shape, got.dtype, got.device):
        return "another shape, type or device"
    if not want.is_floating_point():
        return None if torch.equal(want, got) else "other integers"
    tolerance = 1e-4 if want.dtype == torch.float32 else 1e-2
    if torch.allclose(want, got, rtol=tolerance, atol=tolerance):
        return None
    return f"largest error {(want.double() - got.double()).abs().max().item():.2g}"


def check(problem: ModuleType, candidate: ModuleType, seeds: tuple[int, ...], device: str) -> str | None:
    for seed in seeds:
        model = make_model(problem, problem.Model, seed, device)
        new = make_model(problem, candidate.ModelNew, seed, device)
        inputs = make_inputs(problem, seed, device)
        if found := difference(model(*inputs), new(*inputs)):
            return found
    return None


def check_shapes(problem: ModuleType, shapes: list[dict[str, Any]], candidate: ModuleType, device: str) -> str | None:
    usual = dict(vars(problem))
    for shape in shapes:
        vars(problem).update(shape)
        found = check(problem, candidate, SEEDS[:1], device)
        vars(problem).update(usual)
        if found:
            return f"at {shape}: {found}"
    return None


def cpu_clock() -> Callable[[Callable[[], Any]], float]:
    def milliseconds(call: Callable[[], Any]) -> float:
        start = time.perf_counter()
        call()
        return 1e3 * (time.perf_counter() - start)

    return milliseconds


def gpu_clock() -> Callable[[Callable[[], Any]], float]:
    import torch

    cache = torch.cuda.get_device_properties(0).L2_cache_size
    flush = torch.empty(max(4 * cache, 1 << 28), dtype=torch.int8, device="cuda")

    def milliseconds(call: Callable[[], Any]) -> float:
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        flush.zero_()
        start.record()
        call()
        end.record()
        torch.cuda.synchronize()
        return float(start.elapsed_time(end))

    return milliseconds


def measure(problem: ModuleType, candidate: ModuleType, repeats: int, device: str) -> dict[str, float]:
    model = make_model(problem, problem.Model, SEEDS[0], device)
    new = make_model(problem, candidate.ModelNew, SEEDS[0], device)
    inputs = make_inputs(problem, SEEDS[0], device)
    clock = gpu_clock() if device == "cuda" else cpu_clock()
    for _ in range(10):
        clock(lambda: model(*inputs))
        clock(lambda: new(*inputs))
    pairs = []
    for turn in range(repeats):
        if turn % 2:
            candidate_time, original_time = clock(lambda: new(*inputs)), clock(lambda: model(*inputs))
        else:
            original_time, candidate_time = clock(lambda: model(*inputs)), clock(lambda: new(*inputs))
        pairs.append((original_time, candidate_time))
    return {
        "speedup": statistics.median(a / b for a, b in pairs),
        "original_ms": statistics.median(a for a, _ in pairs),
        "candidate_ms": statistics.median(b for _, b in pairs),
    }


def compare(task: Path, solution: Path, repeats: int, device: str) -> dict[str, Any]:
    import torch

    row: dict[str, Any] = {"problem": task.name, "solution": solution.stem, "correct": False, "speedup": None}
    try:
        problem, shapes = load_problem(task, device)
        start = time.perf_counter()
        candidate = load_module(solution, f"candidate_{task.name}_{solution.stem}")
        row["seconds_build"] = time.perf_counter() - start
        with torch.no_grad():
            row["reason"] = check(problem, candidate, SEEDS, device) or check_shapes(problem, shapes, candidate, device)
            row["correct"] = row["reason"] is None
            if row["correct"]:
                row |= measure(problem, candidate, repeats, device)
    except Exception as error:
        row["reason"] = f"{type(error).__name__}: {error}"[:2000]
        traceback.print_exc()
    return row


def work(pairs: list[tuple[Path, Path]], repeats: int, device: str) -> None:
    """Compares one pair after the other, each result on a line of its own; ends early when the GPU is unusable."""
    import torch

    set_up(device)
    for task, solution in pairs:
        print(json.dumps(compare(task, solution, repeats, device)), flush=True)
        if device == "cuda":
            torch.cuda.synchronize()  # raises after an illegal access: the rest is for a new process
            torch.cuda.empty_cache()


def build(solution: Path) -> float:
    start = time.perf_counter()
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import plain; from pathlib import Path; "
    code += f"plain.load_module(Path({str(solution)!r}), 'candidate')"
    subprocess.run([sys.executable, "-c", code], capture_output=True)
    return time.perf_counter() - start


def results(pairs: list[tuple[Path, Path]], repeats: int, device: str) -> Iterator[dict[str, Any]]:
    """Results of a worker process; of another one for the rest when it ends before its time."""
    while pairs:
        listed = json.dumps([(str(task), str(solution)) for task, solution in pairs])
        command = [sys.executable, __file__, "--worker", listed, "--repeats", str(repeats), "--device", device]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
            assert worker.stdout
            rows = (json.loads(line) for line in worker.stdout if line.startswith('{"problem"'))
            done = 0
            for row in rows:
                done += 1
                yield row
        if not done:
            task, solution = pairs[0]
            row = {"problem": task.name, "solution": solution.stem, "correct": False, "speedup": None}
            yield row | {"reason": f"the process ended with {worker.returncode}"}
        pairs = pairs[max(done, 1) :]


def wanted(names: list[str], device: str) -> Iterator[tuple[Path, Path]]:
    for solution in sorted(EXAMPLES.glob("*/solutions/*.py")):
        task = solution.parents[1]
        if names and task.name not in names and f"{task.name}/{solution.stem}" not in names:
            continue
        gpu_only = any(sign in solution.read_text() for sign in GPU_ONLY)
        if (gpu_only and device == "cpu") or (solution.stem == "cpp" and device == "cuda"):
            print(f"{task.name}/{solution.stem}: not for this device", file=sys.stderr)
        else:
            yield task, solution


def show(row: dict[str, Any]) -> None:
    end = " ".join(str(row.get("reason") or "").split())[:80]
    if row["speedup"] is not None:
        end = f"{row['speedup']:8.3f}x  {row['original_ms']:9.4f} ms {row['candidate_ms']:9.4f} ms"
    verdict = "right" if row["correct"] else "WRONG"
    print(
        f"{row['problem']:18} {row['solution']:18} {verdict:6} {row.get('seconds_build', 0):6.1f} s {end}", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="PROBLEM or PROBLEM/SOLUTION; all when none is given")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--build-jobs", type=int, default=1, help="build that many at a time before anything is timed")
    parser.add_argument("--device", choices=("cuda", "cpu"))
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        work([(Path(a), Path(b)) for a, b in json.loads(given.worker)], given.repeats, given.device)
        return
    import torch

    device = given.device or ("cuda" if torch.cuda.is_available() else "cpu")
    pairs = list(wanted(given.names, device))
    seconds = {}
    if given.build_jobs > 1:
        with concurrent.futures.ThreadPoolExecutor(given.build_jobs) as pool:
            seconds = dict(zip(pairs, pool.map(lambda pair: build(pair[1]), pairs), strict=True))
    rows = []
    for pair, row in zip(pairs, results(pairs, given.repeats, device), strict=True):
        rows.append(row | ({"seconds_build": seconds[pair]} if seconds else {}))
        show(rows[-1])
        if given.out:
            given.out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
