"""Chains of elementwise steps written as kernels: in CUDA, in C++ with vectors of the processor, in Triton."""

from __future__ import annotations

import math
from collections.abc import Callable

from maxcode.policy.rewrite.torch.chains import Chain, Leaf, Value, block

INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
Spell = Callable[[str, list[str]], str]


def _lines(chain: Chain, number: Callable[[float], str], spell: Spell, form: str) -> list[str]:
    def text(value: Value) -> str:
        return number(value) if isinstance(value, float) else value

    found = []
    for name, operator, operands in chain.steps:
        parts = [text(each) for each in operands]
        value = f"{parts[0]} {INFIX[operator]} {parts[1]}" if operator in INFIX else spell(operator, parts)
        found.append(form.format(name=name, value=value))
    return found


def _broadcast(chain: Chain) -> list[Leaf]:
    return [each for each in chain.tensors if each.shape != chain.shape]


def _behind(chain: Chain, leaf: Leaf) -> int:
    """How many dimensions of the whole come behind those of a smaller tensor."""
    found = block(leaf.shape or (), chain.shape)
    return len(chain.shape) - found[1] if found and found[1] else 0


def _full(chain: Chain) -> str:
    return next(each.name for each in chain.tensors if each.shape == chain.shape)


def _cuda_spelling(operator: str, parts: list[str]) -> str:
    if operator == "neg":
        return f"-{parts[0]}"
    if operator == "select":
        return f"{parts[0]} > {parts[1]} ? {parts[2]} : {parts[3]}"
    if operator in ("max", "min"):  # not-a-number wins, as in torch
        sign = ">" if operator == "max" else "<"
        return f"({parts[0]} {sign} {parts[1]} || {parts[0]} != {parts[0]}) ? {parts[0]} : {parts[1]}"
    return f"{'fabs' if operator == 'abs' else operator}f({parts[0]})"


def _signature(chain: Chain, tensor: str, number: str) -> str:
    return ", ".join(
        [*(f"{tensor}{each.name}" for each in chain.tensors), *(f"{number}{each.name}" for each in chain.numbers)]
    )


def _prepared(chain: Chain) -> list[str]:
    """C++ that checks the arguments and works out where smaller tensors repeat."""
    full, names = _full(chain), [each.name for each in chain.tensors]
    lines = [f"const auto {name}_ = {name}.contiguous();" for name in names]
    lines += [f"TORCH_CHECK({each.name}.sizes() == {full}.sizes());" for each in chain.tensors
              if each.shape == chain.shape and each.name != full]  # fmt: skip
    lines += [f"TORCH_CHECK({name}.scalar_type() == torch::kFloat);" for name in names]
    lines += ["auto result = torch::empty_like(" + f"{full}_);", "const int64_t count = result.numel();"]
    for each in _broadcast(chain):
        lines += [f"int64_t {each.name}_inner = 1;"]
        lines += [f"{each.name}_inner *= {full}.size(-{at});" for at in range(1, _behind(chain, each) + 1)]
        lines += [f"const int64_t {each.name}_size = {each.name}.numel();"]
    return lines


def cuda_sources(chain: Chain) -> tuple[str, str]:
    """The kernel with its launcher, and the function that Python calls."""
    small = _broadcast(chain)
    inner = "".join(f", int64_t {each.name}_inner, int64_t {each.name}_size" for each in small)
    parameters = f"{_signature(chain, 'const float* ', 'float ')}, float* result, int64_t count{inner}"
    names = ", ".join(parameter.split(" ")[-1] for parameter in parameters.split(", "))
    loads = [
        f"const float {each.name}_at = {each.name}["
        + (f"at / (I){each.name}_inner % (I){each.name}_size" if each in small else "at")
        + "];"
        for each in chain.tensors
    ]
    at = {each.name: f"{each.name}_at" for each in chain.tensors}
    steps = _lines(_renamed(chain, at), lambda value: f"{value!r}f", _cuda_spelling, "const float {name} = {value};")
    body = "\n    ".join([*loads, *steps, f"result[at] = {chain.steps[-1][0]};"])
    kernel = f"""#include <cuda_runtime.h>
#include <cstdint>

template <typename I>
__global__ void fused_kernel({parameters}) {{
    const I at = (I)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (I)count) return;
    {body}
}}

void fused_launch({parameters}, void* queue) {{
    const unsigned int blocks = (unsigned int)((count + 255) / 256);
    if (count == 0) return;
    if (count < 2000000000) {{
        fused_kernel<uint32_t><<<blocks, 256, 0, (cudaStream_t)queue>>>({names});
    }} else {{
        fused_kernel<int64_t><<<blocks, 256, 0, (cudaStream_t)queue>>>({names});
    }}
}}
"""
    given = [f"{each.name}_.data_ptr<float>()" for each in chain.tensors]
    given += [f"(float){each.name}" for each in chain.numbers]
    given += ["result.data_ptr<float>()", "count"]
    given += [f"{each.name}_{what}" for each in small for what in ("inner", "size")]
    prepared = "\n    ".join(_prepared(chain))
    binding = f"""#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

void fused_launch({parameters}, void* queue);

torch::Tensor fused({_signature(chain, "const torch::Tensor& ", "double ")}) {{
    {prepared}
    fused_launch({", ".join(given)}, (void*)at::cuda::getCurrentCUDAStream().stream());
    return result;
}}
"""
    return kernel, binding


def _renamed(chain: Chain, names: dict[str, str]) -> Chain:
    steps = [
        (name, operator, tuple(names.get(each, each) if isinstance(each, str) else each for each in operands))
        for name, operator, operands in chain.steps
    ]
    return Chain(chain.shape, chain.leaves, steps)


def _vector_spelling(operator: str, parts: list[str]) -> str:
    if operator == "select":
        return f"V::blendv({parts[3]}, {parts[2]}, {parts[0]} > {parts[1]})"
    if operator in ("max", "min"):
        return f"at::vec::{operator}imum({parts[0]}, {parts[1]})"
    return f"{parts[0]}.{operator}()"


def cpp_source(chain: Chain) -> str:
    """C++ source with vector instructions. In each run, a smaller tensor has one value or as many as the run."""
    small = _broadcast(chain)
    rows = [each for each in small if _behind(chain, each) == 0 and math.prod(each.shape or ()) > 1]
    run = [
        f"run = std::min<int64_t>(run, {each.name}_{'size' if each in rows else 'inner'});"
        for each in small
        if math.prod(each.shape or ()) > 1
    ]
    starts, loads = [], []
    for each in chain.tensors:
        pointer = f"{each.name}_.data_ptr<float>()"
        starts.append(f"const float* {each.name}_data = {pointer};")
        if each not in small:
            loads.append(f"const V {each.name}_at = V::loadu({each.name}_data + i, n);")
    outer = []
    for each in small:
        if each in rows:
            outer.append(f"const float* {each.name}_row = {each.name}_data + base % {each.name}_size;")
            loads.append(f"const V {each.name}_at = V::loadu({each.name}_row + (i - base), n);")
        else:
            outer.append(f"const V {each.name}_at({each.name}_data[base / {each.name}_inner % {each.name}_size]);")
    starts += [f"const V {each.name}_at((float){each.name});" for each in chain.numbers]
    at = {each.name: f"{each.name}_at" for each in chain.leaves}
    steps = _lines(_renamed(chain, at), lambda value: f"V({value!r}f)", _vector_spelling, "const V {name} = {value};")
    inside = "\n                ".join([*loads, *steps, f"{chain.steps[-1][0]}.store(data + i, n);"])
    first = "\n    ".join([*_prepared(chain), *starts, f"int64_t run = {'count' if run else '4096'};", *run])
    between = "\n            ".join(outer)
    return f"""#include <torch/extension.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <algorithm>

using V = at::vec::Vectorized<float>;

torch::Tensor fused({_signature(chain, "const torch::Tensor& ", "double ")}) {{
    {first}
    float* data = result.data_ptr<float>();
    const int64_t runs = (count + run - 1) / std::max<int64_t>(run, 1);
    const int64_t grain = std::max<int64_t>(1, 32768 / std::max<int64_t>(run, 1));
    at::parallel_for(0, runs, grain, [&](int64_t begin, int64_t end) {{
        for (int64_t r = begin; r < end; ++r) {{
            const int64_t base = r * run, last = std::min(count, base + run);
            {between}
            int64_t i = base;
            for (; i + V::size() <= last; i += V::size()) {{
                {inside.replace(", n)", ")")}
            }}
            if (i < last) {{
                const int64_t n = last - i;
                {inside}
            }}
        }}
    }});
    return result;
}}
"""


def _triton_spelling(operator: str, parts: list[str]) -> str:
    if operator == "neg":
        return f"-{parts[0]}"
    if operator == "select":
        return f"tl.where({parts[0]} > {parts[1]}, {parts[2]}, {parts[3]})"
    if operator in ("max", "min"):
        return f"tl.{operator}imum({parts[0]}, {parts[1]}, propagate_nan=tl.PropagateNan.ALL)"
    owner = "libdevice" if operator in ("tanh", "log1p", "expm1") else "tl"
    return f"{owner}.{operator}({parts[0]})"


def needs_libdevice(chain: Chain) -> bool:
    return any(operator in ("tanh", "log1p", "expm1") for _, operator, _ in chain.steps)


def triton_source(chain: Chain, name: str, size: int) -> str:
    """The kernel, and the function that launches it."""
    small, tensors = _broadcast(chain), [each.name for each in chain.tensors]
    numbers = [each.name for each in chain.numbers]
    inner = [f"{each.name}_{what}" for each in small for what in ("inner", "size")]
    loads = [
        f"{each.name}_at = tl.load({each.name} + "
        + (f"(at // {each.name}_inner) % {each.name}_size" if each in small else "at")
        + ", mask=inside)"
        for each in chain.tensors
    ]
    at = {each: f"{each}_at" for each in tensors}
    steps = _lines(_renamed(chain, at), repr, _triton_spelling, "{name} = {value}")
    body = "\n    ".join([*loads, *steps, f"tl.store(result + at, {chain.steps[-1][0]}, mask=inside)"])
    full = _full(chain)
    sizes = []
    for each in small:
        behind = _behind(chain, each)
        sizes += [f"{full}.shape[-{behind}:].numel()" if behind else "1", f"{each.name}.numel()"]
    given = ", ".join([*tensors, "result", *numbers, *sizes, "count"])
    return f"""@triton.jit
def {name}_kernel({", ".join([*tensors, "result", *numbers, *inner, "count", "SIZE: tl.constexpr"])}):
    at = tl.program_id(0).to(tl.int64) * SIZE + tl.arange(0, SIZE)
    inside = at < count
    {body}


def {name}({", ".join([*tensors, *numbers])}):
    {", ".join(tensors)} = {", ".join(f"{each}.contiguous()" for each in tensors)}
    result = torch.empty_like({full})
    count = result.numel()
    {name}_kernel[(triton.cdiv(count, {size}),)]({given}, SIZE={size})
    return result
"""
