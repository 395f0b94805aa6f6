"""Torch: chains of elementwise operators as one kernel of the candidate's own."""

from __future__ import annotations

import ast
import hashlib
import platform
from collections.abc import Iterator

from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.torch.backends import cpp_source, cuda_sources, needs_libdevice, triton_source
from maxcode.policy.rewrite.torch.chains import Chain, chain_of
from maxcode.policy.rewrite.torch.examples import ON_CUDA, TORCH, computed, model
from maxcode.policy.rewrite.torch.matching import Bound
from maxcode.policy.rewrite.torch.program import TorchSource, program
from maxcode.policy.rewrite.torch.rules import places, still_true, written
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, Setting, Transformation

BLOCKS = {1024: 2.0, 4096: 1.0}
VECTORS = ', "-march=native", "-DCPU_CAPABILITY=AVX2", "-DCPU_CAPABILITY_AVX2"'
"""Compiler flags that let torch's vector types use the processor's vector instructions."""


def _chains(whole: TorchSource, setting: Setting) -> list[tuple[Bound, Chain, tuple[Edit, ...], list[str]]]:
    """Chains of forward that are worth a kernel, longest first, each with the edits that remove what it replaces."""
    required = setting.torch is not None and setting.torch.kernel_required
    found = []
    for matcher, shapes, root in places(whole, setting):
        chain = chain_of(matcher, shapes, root)
        if chain is None or len(chain.nodes) < (1 if required else 2):
            continue
        leaves = [each.bound for each in (*chain.tensors, *chain.numbers)]
        statements = [matcher.flow.statements[at] for at in sorted(chain.used)]
        if not still_true(matcher.flow, root, frozenset(chain.used), leaves) or not all(map(whole.alone, statements)):
            continue
        arguments = [written(whole, each.node, False) for each in leaves]
        found.append((root, chain, tuple(map(whole.remove, statements)), arguments))
    seen: set[int] = set()
    longest = []
    for each in sorted(found, key=lambda each: -len(each[1].nodes)):
        if not each[1].nodes & seen:
            longest.append(each)
        seen |= each[1].nodes
    return longest


def _triton(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    whole = program(source, setting)
    if whole is None or setting.torch is None or setting.torch.device != "cuda" or "torch.compile" in source.code:
        return
    for root, chain, removed, arguments in _chains(whole, setting):
        name = source.fresh("_fused")
        lines = ["import triton", "import triton.language as tl"]
        if needs_libdevice(chain):
            lines.append("from triton.language.extra import libdevice")
        for size, weight in BLOCKS.items():
            text = triton_source(chain, name, size)
            edits = (*removed, *_importing(whole, lines), whole.in_front(text), _call(whole, root, name, arguments))
            yield whole.rewrite(root.node.lineno, edits, f"block={size}", weight * len(chain.nodes))


def _inline(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    whole = program(source, setting)
    if whole is None or setting.torch is None or "torch.compile" in source.code:
        return
    on_gpu = setting.torch.device == "cuda"
    for root, chain, removed, arguments in _chains(whole, setting):
        name = source.fresh("_fused")
        text = _cuda_extension(chain, name) if on_gpu else _cpp_extension(chain, name)
        lines = ["from torch.utils.cpp_extension import load_inline"]
        call = _call(whole, root, f"{name}.fused", arguments)
        edits = (*removed, *_importing(whole, lines), whole.in_front(text), call)
        options = "language=cuda" if on_gpu else "language=c++"
        yield whole.rewrite(root.node.lineno, edits, options, float(len(chain.nodes)))


def _call(whole: TorchSource, root: Bound, name: str, arguments: list[str]) -> Edit:
    return whole.replace(root.node, f"{name}({', '.join(arguments)})")


def _importing(whole: TorchSource, lines: list[str]) -> tuple[Edit, ...]:
    """Imports behind the last one at the top of the file, those that are there already left out."""
    missing = [line for line in lines if f"\n{line}\n" not in f"\n{whole.source.code}\n"]
    last = [node for node in whole.tree.body if isinstance(node, ast.Import | ast.ImportFrom)][-1]
    at = whole.next_line(last)
    return (Edit(at, at, "".join(f"{line}\n" for line in missing)),) if missing else ()


def _cpp_extension(chain: Chain, name: str) -> str:
    text = cpp_source(chain)
    return f'''{name} = load_inline(
    name="fused_{_hash(text)}",
    cpp_sources=r"""{text}""",
    functions=["fused"],
    extra_cflags=["-O3", "-fopenmp"{VECTORS if platform.machine() == "x86_64" else ""}],
)
'''


def _cuda_extension(chain: Chain, name: str) -> str:
    kernel, binding = cuda_sources(chain)
    return f'''{name} = load_inline(
    name="fused_{_hash(kernel + binding)}",
    cpp_sources=r"""{binding}""",
    cuda_sources=r"""{kernel}""",
    functions=["fused"],
    extra_cuda_cflags=["-O3"],
    no_implicit_headers=True,
)
'''


def _hash(text: str) -> str:
    """Short hash of a text, for names of extensions: one name in one process means versions of one extension."""
    return hashlib.sha256(text.encode()).hexdigest()[:10]


INIT = "self.shift = nn.Parameter(torch.randn(8))"
BEFORE = model("y = torch.relu(x) * 2.0\nreturn y + self.shift", init=INIT)
WITH_VIEW = model("return torch.relu(x).reshape(-1)")

TRANSFORMATIONS = (
    Transformation(
        name="triton-kernel",
        family="torch",
        summary="Writes a chain of elementwise operators as one Triton kernel.",
        find=_triton,
        example=computed(BEFORE, _triton, ON_CUDA),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=2.5,
        refusals=(WITH_VIEW, model("return torch.softmax(x, dim=1)")),
        makes_kernel=True,
    ),
    Transformation(
        name="inline-kernel",
        family="torch",
        summary="Writes a chain of elementwise operators as one kernel in inline CUDA, or in C++ on a CPU.",
        find=_inline,
        example=computed(BEFORE, _inline, TORCH),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=2.0,
        refusals=(WITH_VIEW, model("return torch.softmax(x, dim=1)")),
        makes_kernel=True,
    ),
)
