"""What `maxcode doctor` says about PyTorch models: what is there for them, and what is lost without the rest."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from maxcode.cli.doctor_item import Item, found_item, program_item
from maxcode.evaluate.gpu import gpus, torch_version


def torch_items() -> list[Item]:
    """Findings about torch and GPUs. What needs torch or a GPU is only looked for where there is one."""
    found = [_torch(), _gpu()]
    if not torch_version():
        return found
    ninja = program_item("ninja", "candidates with load_inline do not build", "pip install ninja")
    if not gpus():
        return [*found, ninja]
    toolkit = "install the CUDA toolkit of torch's version; export PATH=/usr/local/cuda/bin:$PATH"
    nvcc = program_item("nvcc", "candidates with CUDA by load_inline do not build", toolkit)
    return [*found, _build(), nvcc, ninja, *_packages(), *_tools()]


def _torch() -> Item:
    known = torch_version()
    return Item(
        name="torch",
        ok=known is not None,
        detail=f"{known} ({_build_in_words(known)})" if known else "not installed: no tasks of kind torch",
        fix="pip install 'maxcode[torch]', or the build of torch that fits your driver",
    )


def _build_in_words(known: str) -> str:
    build = known.partition("+")[2]
    if build == "cpu":
        return "for CPUs"
    return (
        f"for CUDA {build[2:-1]}.{build[-1]}" if build.startswith("cu") and build[2:].isdigit() else "its usual build"
    )


def _gpu() -> Item:
    return Item(
        name="GPU",
        ok=bool(gpus()),
        detail="; ".join(gpus()) or "none seen by nvidia-smi: models run on the CPU, at `constants_cpu`",
        fix="install NVIDIA's driver; in a container, pass the GPU on: docker run --gpus all",
    )


def _build() -> Item:
    """A GPU and a torch that cannot use it is a common mistake."""
    fits = not (torch_version() or "").endswith("+cpu")
    detail = "torch uses the GPU" if fits else "this torch is for CPUs only: the GPU is not used"
    return Item(
        name="torch and the GPU",
        ok=fits,
        detail=detail,
        fix="install the build of torch for your CUDA; pytorch.org, Get Started, has the command",
    )


def _packages() -> list[Item]:
    uses = {"triton": ("triton",), "cupy": ("cupy", "cupy-cuda13x", "cupy-cuda12x", "cupy-cuda11x")}
    lost = {
        "triton": "no candidates in Triton, and no torch.compile on the GPU",
        "cupy": "no candidates with CuPy's RawKernel",
    }
    fixes = {
        "triton": "pip install triton; it comes with torch for CUDA",
        "cupy": "pip install cupy-cuda13x, or the one for your CUDA",
    }
    return [_package(name, names, lost[name], fixes[name]) for name, names in uses.items()]


def _package(name: str, distributions: tuple[str, ...], lost: str, fix: str) -> Item:
    found = next((known for each in distributions if (known := _version(each))), None)
    return Item(name=name, ok=found is not None, detail=found or f"not installed: {lost}", fix=fix)


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _tools() -> list[Item]:
    """Programs of the CUDA toolkit."""
    from maxcode.kinds.torch.profile.nvidia_tool import cuda_tool

    by_hand = "no hardware counters of kernels (by hand; MaxCode does not need it)"
    unchecked = "finalists are not looked at for accesses out of bounds and races"
    return [
        found_item(
            "compute-sanitizer",
            cuda_tool("compute-sanitizer"),
            unchecked,
            "install cuda-sanitizer of the CUDA toolkit",
        ),
        program_item("ncu", by_hand, "install Nsight Compute"),
    ]
