"""The rule custom-kernel-required: there is a kernel of the candidate's own, and forward reaches it.

Seen by names alone: whatever is made from a kernel (an extension, a wrapper function, a module that uses one) counts as
a way to it. That is generous on purpose. Whether the kernel does the work is for the profile at run time to say.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from maxcode.evaluate.rules import strip_comments_and_strings
from maxcode.kinds.torch.rules.names import BrokenRule, Names, literal
from maxcode.kinds.torch.rules.native import native_literals
from maxcode.kinds.torch.table import Torch

_JIT = frozenset("triton.jit triton.runtime.jit.jit numba.cuda.jit numba.njit numba.jit".split())
_RAW = frozenset(
    """cupy.RawKernel cupy.RawModule cupy.ElementwiseKernel cupy.ReductionKernel cupy.fuse
    torch.cuda._compile_kernel torch.cuda.compile_kernel torch.cuda._utils._cuda_load_module
    torch.cuda.jiterator._create_jit_fn torch.cuda.jiterator._create_multi_output_jit_fn""".split()
)
_INLINE = "torch.utils.cpp_extension.load_inline"
_LAUNCH = re.compile(r"<<<|\bcudaLaunchKernel|\bcudaLaunchCooperativeKernel|\bcuLaunchKernel")
_LOOP = re.compile(r"\b(?:for|while|parallel_for|std\s*::\s*transform|std\s*::\s*for_each)\b")
_NOT_WORK = frozenset(
    """empty empty_like empty_strided zeros zeros_like ones ones_like full full_like tensor as_tensor device dtype
    no_grad inference_mode Size contiguous view reshape flatten permute transpose squeeze unsqueeze expand is_available
    float32 float16 bfloat16 float64 int32 int64 cuda autograd nn functional Parameter Module channels_last
    Tensor""".split()
)
"""Operators that are not work: allocation, views and types may stay with PyTorch."""
_WAYS = (
    "write one (CUDA or C++ text for load_inline, @triton.jit, cupy.RawKernel, torch.cuda._compile_kernel) "
    "and call it from forward"
)

Function = ast.FunctionDef | ast.AsyncFunctionDef
_SIMPLE = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr


def missing_kernel(tree: ast.Module, settings: Torch) -> BrokenRule | None:
    """Finding if the text cannot be one whose own kernels do the work; None if it can."""
    names = Names(tree)
    reached = _made_from_kernels(tree, names, settings)
    model = next(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == "ModelNew")
    forward = _forward(model, tree)
    left = _left_to_torch(forward, names) if forward else ""
    if not reached:
        return BrokenRule(model.lineno, "no kernel", f"ModelNew has no kernel of its own{left}; {_WAYS}")
    if forward is None:
        return None  # inherited, or made in a way that cannot be followed
    if not _mentions(forward, reached):
        return BrokenRule(
            forward.lineno, "kernel not called", f"forward never calls the kernel that is defined{left}; {_WAYS}"
        )
    unused = _unused_call(forward, reached, _settings(model))
    if unused:
        reason = f"the kernel is called, but nothing of its result is returned{left}; compute the result with it"
        return BrokenRule(unused.lineno, "kernel unused", reason)
    return None


def _forward(model: ast.ClassDef, tree: ast.Module) -> Function | None:
    own = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    bases = [
        own[base.id] for base in model.bases if isinstance(base, ast.Name) and base.id in own and base.id != model.name
    ]
    for each in (model, *bases):
        for node in each.body:
            if isinstance(node, Function) and node.name == "forward":
                return node
    return None


def _makes_kernel(node: ast.AST, names: Names, native: bool) -> bool:
    """True if a node makes a kernel. `native`: the file has native text that computes."""
    if isinstance(node, Function):
        return any(names.full(each) in _JIT for decorator in node.decorator_list for each in ast.walk(decorator))
    if isinstance(node, ast.Call):
        full = names.full(node.func) or ""
        return full in _RAW or (full == _INLINE and native)
    return False


def _computes(tree: ast.Module, settings: Torch) -> bool:
    """True if some native text has a kernel that is launched or, where a CPU may be used, a loop."""
    texts = [strip_comments_and_strings(literal(node) or "") for node in native_literals(tree)]
    launched = any("__global__" in text for text in texts) and any(_LAUNCH.search(text) for text in texts)
    return launched or (settings.device != "cuda" and any(_LOOP.search(text) for text in texts))


def _made_from_kernels(tree: ast.Module, names: Names, settings: Torch) -> frozenset[str]:
    """Names of variables, attributes, functions and classes that lead to a kernel."""
    native = _computes(tree, settings)
    users: dict[str, list[str]] = {}
    waiting: list[str] = []
    for defined, by in _definitions(tree):
        if any(_makes_kernel(each, names, native) for each in ast.walk(by)):
            waiting += defined
        for token in set(_tokens(by)):
            users.setdefault(token, []).extend(defined)
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += users.get(name, [])
    return frozenset(found)


def _definitions(tree: ast.Module) -> Iterator[tuple[list[str], ast.AST]]:
    """Names, and what gives them their meaning."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            yield list(_targets(node)), node.value
        elif (isinstance(node, ast.ClassDef) and node.name != "ModelNew") or (
            isinstance(node, Function) and not _is_special(node.name)
        ):
            yield [node.name], node


def _is_special(name: str) -> bool:
    return name == "forward" or (name.startswith("__") and name.endswith("__"))


def _mentions(node: ast.AST, wanted: frozenset[str]) -> bool:
    return bool(wanted & set(_tokens(node)))


def _tokens(node: ast.AST) -> Iterator[str]:
    """Variables and attributes that are read or written in a piece of text; `self` alone says nothing."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id != "self":
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr


def _targets(node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> Iterator[str]:
    for target in node.targets if isinstance(node, ast.Assign) else (node.target,):
        for each in ast.walk(target):
            if isinstance(each, ast.Name | ast.Attribute) and isinstance(each.ctx, ast.Store):
                yield each.id if isinstance(each, ast.Name) else each.attr


def _unused_call(forward: Function, reached: frozenset[str], settings: set[str]) -> ast.stmt | None:
    """A call of a kernel in forward, where none of them has a part in what is returned."""
    simple: list[ast.stmt] = [node for node in ast.walk(forward) if isinstance(node, _SIMPLE)]
    returned = [node for node in ast.walk(forward) if isinstance(node, ast.Return)]
    if not returned or any(_mentions(node, reached) for node in returned):
        return None
    given = _inputs(forward, simple) | settings
    needed = {token for node in returned for token in _tokens(node)}
    before = 0
    while len(needed) > before:
        before = len(needed)
        for node in simple:
            if needed & (set(_written(node)) - given if isinstance(node, ast.Expr) else set(_written(node))):
                if _mentions(node, reached):
                    return None
                needed |= set(_tokens(node))
    return next((node for node in simple if _mentions(node, reached)), None)


def _inputs(forward: Function, simple: list[ast.stmt]) -> set[str]:
    """Parameters that stand for the inputs throughout: they may not be written to, so a call does not change them."""
    assigned = {token for node in simple if not isinstance(node, ast.Expr) for token in _written(node)}
    return {each.arg for each in forward.args.args} - assigned


def _settings(model: ast.ClassDef) -> set[str]:
    """Attributes that hold an argument of the constructor as it is: sizes and other numbers."""
    constructors = [node for node in model.body if isinstance(node, Function) and node.name == "__init__"]
    return {
        target
        for each in constructors
        for node in ast.walk(each)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)
        for target in _targets(node)
    }


def _written(node: ast.stmt) -> Iterator[str]:
    """Names that a statement may change: its targets or, for a call that stands alone, whatever it is given."""
    if isinstance(node, ast.Expr):
        yield from _tokens(node.value)
    elif isinstance(node, ast.Assign):
        yield from (token for target in node.targets for token in _tokens(target))
    elif isinstance(node, ast.AnnAssign | ast.AugAssign):
        yield from _tokens(node.target)


def _left_to_torch(forward: Function, names: Names) -> str:
    calls = [(each.lineno, names.full(each.func) or "") for each in ast.walk(forward) if isinstance(each, ast.Call)]
    work = sorted(
        {(line, full) for line, full in calls if full.startswith("torch.") and full.split(".")[-1] not in _NOT_WORK}
    )
    if not work:
        return ""
    shown = ", ".join(f"{full} (line {line})" for line, full in work[:4])
    return f"; left to PyTorch: {shown}{', ...' if len(work) > 4 else ''}"
