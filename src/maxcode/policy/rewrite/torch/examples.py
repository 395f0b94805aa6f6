"""Small models for the examples of transformations."""

from __future__ import annotations

from maxcode.core import Language
from maxcode.kinds.torch.rewriting import TorchSetting
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Find, RewriteExample, Setting

TORCH = Setting(torch=TorchSetting())
ON_CUDA = Setting(torch=TorchSetting(device="cuda"))


def model(body: str, *, init: str = "", args: str = "x", inputs: str = "torch.randn(4, 8)", head: str = "") -> str:
    """A candidate whose forward has these lines."""
    lines = "".join(f"        {line}\n" if line else "\n" for line in body.strip("\n").split("\n"))
    made = "".join(f"        {line}\n" for line in init.split("\n") if line)
    start = f"    def __init__(self):\n        super().__init__()\n{made}\n" if init else ""
    return (
        "import math\n\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n\n"
        f"{head}class ModelNew(nn.Module):\n{start}    def forward(self, {args}):\n{lines}\n\n"
        f"def get_inputs():\n    return [{inputs}]\n\n\ndef get_init_inputs():\n    return []\n"
    )


def example(
    before: str, after: str, *, init: str = "", args: str = "x", inputs: str = "torch.randn(4, 8)"
) -> RewriteExample:
    """One forward before and after."""
    texts = [model(body, init=init, args=args, inputs=inputs) for body in (before, after)]
    return RewriteExample(before=texts[0], after=texts[1], setting=TORCH)


def computed(before: str, find: Find, setting: Setting) -> RewriteExample:
    """Example whose result is computed, because the text that it gains is long."""
    source = SourceFile(before, Language.PYTHON)
    return RewriteExample(before=before, after=apply(source, next(find(source, setting)).edits).code, setting=setting)
