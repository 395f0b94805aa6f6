"""Whatever text a transformation of models meets: it comes to an end, loses nothing, and leaves Python that parses."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.torch import TRANSFORMATIONS
from maxcode.policy.rewrite.torch.examples import ON_CUDA, TORCH

PROBLEMS = sorted(Path(__file__).parents[4].glob("examples/torch/*/model.py"))
ODD = (
    "", "\n", "\0", "import torch\nclass Model: pass\n", "import torch\nclass Model:\n  def forward(self): return 1\n",
    "import torch\nclass Model:\n  def forward(self, x): return x + x * x ** x @ x",
    "import torch\nclass Model:\n  def forward(self, *x, **y):\n    x, *y = x\n    return torch.stack([*x], *y, **{})",
    'import torch\nclass Model:\n  def forward(self, x): return torch.einsum("ij,jk->i", x, x)',
    "import torch\nclass Model:\n  def forward(self, x):\n    x = x * 2; return x.view(-1).sum(())\n"
    "def get_inputs(): return [1]",
    "import torch\nclass Model:\n  def forward(self, x): return " + "(" * 60 + "x" + " + 1)" * 60,
    "import torch\nclass Model:\n  def forward(self, x):\n" + "    x = x * x + x\n" * 60 + "    return x\n"
    "def get_inputs(): return [torch.rand(3)]\ndef get_init_inputs(): return []\n",
)  # fmt: skip


def pieces() -> Iterator[str]:
    """Problems, and problems with some lines taken out."""
    yield from ODD
    for path in PROBLEMS:
        lines, rng = path.read_text().splitlines(keepends=True), random.Random(path.parent.name)
        yield "".join(lines)
        for _ in range(6):
            gone = set(rng.sample(range(len(lines)), 2))
            yield "".join(line for i, line in enumerate(lines) if i not in gone)


@pytest.mark.long
@pytest.mark.parametrize("setting", [TORCH, ON_CUDA], ids=["cpu", "cuda"])
def test_odd_text_is_taken_as_it_comes(setting) -> None:
    for code in pieces():
        source = SourceFile(code, Language.PYTHON)
        for each in TRANSFORMATIONS:
            for rewrite in each.find(source, setting):
                changed = apply(source, rewrite.edits).code
                assert changed != code, each.name
                ast.parse(changed)
