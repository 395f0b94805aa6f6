"""What the rest of the code asks about kernels."""

from __future__ import annotations

from pathlib import Path

from maxcode.kinds.kernel.table import Kernel, check_settings, entry
from maxcode.plugins import late
from maxcode.task.kind import Kind

KIND = Kind(
    name="kernel",
    judge=late("maxcode.kinds.kernel.judge:KernelJudge"),
    check=late("maxcode.kinds.kernel.check:check"),
    prompts=Path(__file__).parent / "prompts",
    table=Kernel,
    complete=check_settings,
    named=lambda task: [("kernel.reference", task.table(Kernel).reference)],
    driver=late("maxcode.kinds.kernel.driver:driver"),
    against=late("maxcode.kinds.kernel.sizes:against"),
    sizes=late("maxcode.kinds.kernel.sizes:sizes"),
    words=late("maxcode.kinds.kernel.words:words"),
    entry=entry,
)
