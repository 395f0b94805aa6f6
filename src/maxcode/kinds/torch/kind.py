"""What the rest of the code asks about PyTorch models. Nothing here imports torch."""

from __future__ import annotations

from pathlib import Path

from maxcode.kinds.torch.table import Torch, check_settings, with_defaults
from maxcode.plugins import late
from maxcode.task.kind import Kind, Scaffold

KIND = Kind(
    name="torch",
    judge=late("maxcode.kinds.torch.judge:TorchJudge"),
    check=late("maxcode.kinds.torch.check:check"),
    prompts=Path(__file__).parent / "prompts",
    table=Torch,
    absent=("kernel",),
    defaults=with_defaults,
    complete=check_settings,
    check_files=late("maxcode.kinds.torch.problem.problem:check_files"),
    environment=late("maxcode.kinds.torch.device:device_class"),
    device=late("maxcode.kinds.torch.device:device_class"),
    unsanitized="for models that takes a GPU and compute-sanitizer",
    nodes=late("maxcode.kinds.torch.device:nodes"),
    scaffold=Scaffold(
        recognises=late("maxcode.kinds.torch.scaffold:is_torch_problem"),
        doing="trying the problem out ...",
        make=late("maxcode.kinds.torch.scaffold:make"),
    ),
    against=lambda *_: None,  # a baseline runs unconfined, and a winner is not trusted
    sizes=late("maxcode.kinds.torch.problem.sizes:sizes"),
    words=late("maxcode.kinds.torch.words:contract"),
    floor=late("maxcode.kinds.torch.words:floor"),
    faster="correct_torch",
    rewriting=late("maxcode.kinds.torch.rewriting:setting"),
    signs=late("maxcode.kinds.torch.diagnosis.signs:signs"),
    diagnose=late("maxcode.kinds.torch.diagnosis.failures:diagnose"),
)
