"""Key of what builds extensions here: torch, Python, compilers, and the settings they read from the environment."""

from __future__ import annotations

import functools
import os
import shutil
import sys
from pathlib import Path

from maxcode.core import content_hash

SETTINGS = (
    "CC CXX CUDA_HOME CUDA_PATH CUDNN_HOME PYTORCH_NVCC NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS NVCC_CCBIN CPATH "
    "CPLUS_INCLUDE_PATH C_INCLUDE_PATH LIBRARY_PATH"
).split()
USUAL_CUDA = "/usr/local/cuda"


def toolchain() -> str:
    """Key of the toolchain.

    Compilers are told apart by path, size and time of change, so that no process must be started.
    """
    return _toolchain(tuple(os.environ.get(name, "") for name in (*SETTINGS, "PATH")))


@functools.cache
def _toolchain(settings: tuple[str, ...]) -> str:
    import torch

    parts = [torch.__version__, str(torch.version.cuda), str(torch.version.git_version), sys.version, torch.__file__]
    parts += settings[: len(SETTINGS)]  # of PATH, only what is found on it
    return content_hash(*parts, *_compilers(_cuda()))


def toolchain_without_torch() -> str:
    """Key for processes that have not loaded torch.

    It differs whenever `toolchain()` does, as long as torch is the same.
    """
    settings = (os.environ.get(name, "") for name in SETTINGS)
    cuda = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or USUAL_CUDA
    return content_hash(sys.version, sys.prefix, *settings, *_compilers(cuda))


def _compilers(cuda: str) -> list[str]:
    programs = (os.environ.get("CXX", "c++"), "g++", "gcc", "nvcc", f"{cuda}/bin/nvcc")
    return [_identity(program) for program in programs]


def _cuda() -> str:
    from torch.utils import cpp_extension

    return str(cpp_extension.CUDA_HOME or USUAL_CUDA)


def _identity(program: str) -> str:
    found = shutil.which(program.split()[-1]) if program.strip() else None
    if found is None:
        return f"{program}: none"
    path = Path(found).resolve()
    seen = path.stat()
    return f"{path} {seen.st_size} {seen.st_mtime_ns}"
