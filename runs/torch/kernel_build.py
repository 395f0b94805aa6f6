"""Seconds to build new extensions: torch's load_inline as it is, and ours; see ../kernel_build.sh.

Every build runs in a process of its own, forked from this one, which has torch imported and never asks for a GPU (its
children could not use one afterwards): as candidates are built by the evaluator. No two sources are the same, so
nothing was built before.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import statistics
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from kernel_cases import CASES, FALLS_BACK, Case, cpu_arguments

BUILD_LIMIT = 200
CHECK_LIMIT = 60
PLAIN = (CASES[0], CASES[2], CASES[6])  # elementwise, dispatched over types, matrix product
FORK = multiprocessing.get_context("fork")
_forking = threading.Lock()
Result = dict[str, Any]


def in_child(work: Callable[..., Any], *arguments: Any, limit: float) -> Result:
    """What `work` returns in a forked process, or the reason there is nothing."""
    with _forking:  # no child inherits another's channel
        receive, send = FORK.Pipe(duplex=False)
        child = FORK.Process(target=_child, args=(send, work, arguments))
        child.start()
        send.close()
    try:
        answer: Result = receive.recv() if receive.poll(limit) else {"error": f"no answer in {limit} s"}
    except EOFError:
        answer = {"error": "died"}
    child.join(5)
    if child.is_alive():
        child.kill()
    return answer


def _child(send: Any, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    try:
        send.send(work(*arguments))
    except BaseException as error:
        send.send({"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()})


def prepare(folder: Path) -> Result:
    from maxcode import extension

    extension.prepare_headers(folder)
    return {}


def build_plain(arguments: dict[str, Any], folder: Path) -> Result:
    from torch.utils import cpp_extension

    folder.mkdir(parents=True)
    start = time.perf_counter()
    cpp_extension.load_inline(**arguments, build_directory=str(folder))
    return {"seconds": time.perf_counter() - start, "cpu": compilers_seconds()}


def build_ours(arguments: dict[str, Any], folder: Path) -> Result:
    from torch.utils import cpp_extension

    from maxcode import extension

    extension.install(folder)
    start = time.perf_counter()
    module = cpp_extension.load_inline(**arguments)
    seconds = time.perf_counter() - start
    beside = Path(module.__file__).parent
    how = json.loads((beside / "how.json").read_text())
    kept = {name: how[name] for name in ("path", "reason", "precompiled")}
    return {"seconds": seconds, "cpu": compilers_seconds(), **kept}


def compilers_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check(case: Case, variant: int, folder: Path) -> Result:
    """Loads the finished build and compares its answer with torch's, on the GPU."""
    import torch

    torch.set_default_device("cuda")
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(variant)
    from torch.utils import cpp_extension

    from maxcode import extension

    extension.install(folder)
    start = time.perf_counter()
    module = cpp_extension.load_inline(**case.arguments(variant))
    loaded = time.perf_counter() - start
    inputs = case.inputs(torch)
    with torch.no_grad():
        expected, given = case.reference(*inputs), case.call(module, inputs)
    tolerance = 2e-3 if case.name in ("half_axpy", "matmul_tiled", "linear_swish") else 1e-4
    torch.testing.assert_close(given, expected, rtol=tolerance, atol=tolerance)
    return {"loaded": loaded}


def gpu() -> Result:
    import torch
    from torch.utils import cpp_extension

    if not torch.cuda.is_available():
        return {"error": f"no CUDA GPU; CUDA at {cpp_extension.CUDA_HOME}"}
    arch = "{}.{}".format(*torch.cuda.get_device_capability())
    return {"name": f"{torch.cuda.get_device_name()}, CUDA at {cpp_extension.CUDA_HOME}", "arch": arch}


def kind(built: Result) -> str:
    if "error" in built:
        return "failed"
    if built["path"] == "fast":
        return "fast" if built["precompiled"] else "fast, no precompiled headers"
    return f"plain: {built['reason'][:90]}"


def show(label: str, built: Result) -> None:
    if "error" in built:
        print(f"  {label:18} failed: {built['error'][-2000:]}", flush=True)
    else:
        way = kind(built) if "path" in built else ""
        print(f"  {label:18} {built['seconds']:6.1f} s {built['cpu']:6.1f} s of processor   {way}", flush=True)


def one_at_a_time(label: str, jobs: list[tuple[str, Callable[..., Result], dict[str, Any], Path]]) -> list[Result]:
    print(label, flush=True)
    results = []
    for name, work, arguments, folder in jobs:
        results.append(in_child(work, arguments, folder, limit=BUILD_LIMIT))
        show(name, results[-1])
    return results


def all_at_once(jobs: list[tuple[dict[str, Any], Path]]) -> tuple[float, list[Result]]:
    start = time.perf_counter()
    with ThreadPoolExecutor(len(jobs)) as pool:
        running = [pool.submit(in_child, build_ours, *job, limit=BUILD_LIMIT) for job in jobs]
        results = [one.result() for one in running]
    return time.perf_counter() - start, results


def values(results: list[Result], what: str = "seconds") -> list[float]:
    return [result[what] for result in results if "error" not in result]


def median(results: list[Result], what: str = "seconds") -> float:
    return statistics.median(values(results, what)) if values(results) else float("nan")


def line(label: str, value: float) -> None:
    print(f"{label:48} {value:7.1f}")


def report_one(plain: list[Result], ours: list[Result]) -> None:
    line("\nseconds per new candidate, plain", median(plain))
    line("seconds per new candidate, ours", median(ours))
    line("ratio (goal: 2.5 or more)", median(plain) / median(ours))
    line("seconds of processor, plain", median(plain, "cpu"))
    line("seconds of processor, ours", median(ours, "cpu"))


def report_batch(ours: list[Result], batch: float, batched: list[Result]) -> None:
    total = len(batched) * statistics.fmean(values(ours) or [float("nan")])
    line(f"{len(batched)} candidates one after the other, ours (from {len(ours)})", total)
    line(f"{len(batched)} candidates as a batch, ours", batch)
    line("ratio (goal: 4 or more)", total / batch)
    ways = [kind(result) for result in (*ours, *batched)]
    for way in sorted(set(ways)):
        print(f"  {ways.count(way):3} builds: {way}")


def run_cuda(folder: Path, started: float, options: argparse.Namespace) -> int:
    alone: int = options.alone
    here = in_child(gpu, limit=CHECK_LIMIT)
    arch = os.environ.get("MAXCODE_CUDA_ARCH") or here.get("arch", "9.0")
    os.environ["MAXCODE_CUDA_ARCH"] = os.environ["TORCH_CUDA_ARCH_LIST"] = arch
    print(f"{here.get('name') or here['error']}, architecture {arch}, {os.cpu_count()} processors")
    variant = time.time_ns() % 10**9
    plain = one_at_a_time(
        "plain, one at a time",
        [(c.name, build_plain, c.arguments(variant), folder / "plain" / c.name) for c in PLAIN[: options.plain]],
    )
    ours = one_at_a_time(
        "ours, one at a time", [(c.name, build_ours, c.arguments(variant + 1), folder / "ours") for c in CASES[:alone]]
    )
    batch, batched = all_at_once([(c.arguments(variant + 2), folder / "batch") for c in CASES])
    print(f"ours, all at once: {batch:.1f} s")
    for case, result in zip(CASES, batched, strict=True):
        if "error" in result:
            show(case.name, result)
    report_one(plain, ours)
    report_batch(ours, batch, batched)
    right = check_all(folder, variant, alone) if not options.unchecked and "error" not in here else 0
    if time.perf_counter() - started < 210:
        print("\nnot for the fast way")
        show(FALLS_BACK.name, in_child(build_ours, FALLS_BACK.arguments(variant), folder / "ours", limit=BUILD_LIMIT))
    return 0 if all("error" not in one for one in (*ours, *batched)) and right in (0, alone + len(CASES)) else 1


def check_all(folder: Path, variant: int, alone: int) -> int:
    """How many builds, of both sets, give what torch gives."""
    sets = ((variant + 1, "ours", CASES[:alone]), (variant + 2, "batch", CASES))
    jobs = [(case, at, folder / name) for at, name, cases in sets for case in cases]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda job: in_child(check, *job, limit=CHECK_LIMIT), jobs))
    right = sum("error" not in result for result in results)
    print(f"\n{right} of {len(results)} builds, loaded from the folder, give what torch gives")
    for (case, _, at), result in zip(jobs, results, strict=True):
        if "error" in result:
            print(f"  {case.name} ({at.name}): {result['error'][-1500:]}\n{result.get('trace', '')[-800:]}")
    loads = [result["loaded"] for result in results if "error" not in result]
    if loads:
        print(f"finding and loading a finished build: median {statistics.median(loads):.2f} s")
    return right


def use_headers(folder: Path) -> None:
    start = time.perf_counter()
    trouble = in_child(prepare, folder, limit=BUILD_LIMIT).get("trace", "")
    print(f"headers compiled ahead, once per machine: {time.perf_counter() - start:.1f} s {trouble}", flush=True)
    os.environ["MAXCODE_HEADERS"] = str(folder)


def run_cpu(folder: Path) -> int:
    variant = time.time_ns() % 10**9
    plain = one_at_a_time("plain", [("clamped", build_plain, cpu_arguments(variant), folder / "plain")])
    ours = one_at_a_time(
        "ours", [("clamped", build_ours, cpu_arguments(variant + at), folder / "ours") for at in (1, 2)]
    )
    report_one(plain, ours)
    return 0 if all("error" not in one for one in ours) else 1


def main() -> int:
    started = time.perf_counter()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cpu", action="store_true", help="a C++ extension instead of CUDA ones")
    parser.add_argument(
        "--headers", type=Path, help="where precompiled headers are kept; default: made anew, none with --cpu"
    )
    parser.add_argument(
        "--plain", type=int, default=len(PLAIN), help="how many are built by torch as it is; default: all"
    )
    parser.add_argument("--alone", type=int, default=len(CASES), help="how many are built one at a time; default: all")
    parser.add_argument("--unchecked", action="store_true", help="do not call what was built")
    options = parser.parse_args()
    import setuptools  # noqa: F401  # what torch's build tools take longest to import
    import torch

    with tempfile.TemporaryDirectory(prefix="maxcode-kernel-build-") as name:
        folder = Path(name)
        print(f"torch {torch.__version__}")
        if options.headers or not options.cpu:
            use_headers(options.headers or folder / "headers")
        code = run_cpu(folder) if options.cpu else run_cuda(folder, started, options)
    print(f"whole run: {time.perf_counter() - started:.0f} s")
    return code


if __name__ == "__main__":
    sys.exit(main())
