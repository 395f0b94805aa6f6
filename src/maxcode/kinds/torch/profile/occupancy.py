"""Number of warps of a CUDA kernel that a multiprocessor can hold, from what ptxas says and the size of a block."""

from __future__ import annotations

import re
from dataclasses import dataclass

WARP = 32
REGISTERS = 65_536
"""Registers of a multiprocessor; the same for all devices of the last ten years."""
REGISTERS_AT_A_TIME = 256
"""Number of registers in the pieces that a warp gets."""
RESERVED_SHARED = 1024
"""Bytes of shared memory that the system takes of each block, since sm_80."""


@dataclass(frozen=True)
class _Multiprocessor:
    warps: int
    blocks: int
    shared: int
    """Bytes of shared memory."""


_KINDS = {
    70: _Multiprocessor(64, 32, 96 << 10),
    75: _Multiprocessor(32, 16, 64 << 10),
    80: _Multiprocessor(64, 32, 164 << 10),
    86: _Multiprocessor(48, 16, 100 << 10),
    89: _Multiprocessor(48, 24, 100 << 10),
    90: _Multiprocessor(64, 32, 228 << 10),
    100: _Multiprocessor(64, 32, 228 << 10),
    120: _Multiprocessor(48, 24, 100 << 10),
}
"""Limits from the CUDA programming guide, by compute capability. Those that are not listed are as the next lower
one."""


@dataclass(frozen=True)
class Occupancy:
    share: float
    """Share of the multiprocessor's warps that can be in use at once."""
    limited_by: str


def occupancy(arch: str, registers: int, shared: int, threads: int) -> Occupancy | None:
    """Occupancy of a kernel with these registers per thread, bytes of shared memory and threads per block.

    None for unknown devices and impossible blocks.
    """
    kind = _multiprocessor(arch)
    if kind is None or not 1 <= threads <= 1024:
        return None
    warps = -(-threads // WARP)
    rounded = -(-registers * WARP // REGISTERS_AT_A_TIME) * REGISTERS_AT_A_TIME
    blocks = {
        "the size of its blocks": min(kind.warps // warps, kind.blocks),
        "registers": REGISTERS // (rounded * warps) if rounded else kind.blocks,
        "shared memory": kind.shared // (shared + RESERVED_SHARED),
    }
    limit = min(blocks, key=lambda name: blocks[name])
    return Occupancy(min(1.0, blocks[limit] * warps / kind.warps), limit)


def _multiprocessor(arch: str) -> _Multiprocessor | None:
    found = re.match(r"(?:sm|compute)_(\d+)", arch)
    known = [number for number in _KINDS if found and number <= int(found[1])]
    return _KINDS[max(known)] if known else None


def block_size(text: str, kernel: str) -> int | None:
    """Threads of a block where the program's text says it with numbers: at the launch, or as launch bounds."""
    numbers, name = _constants(text), re.escape(kernel)
    launch = re.search(rf"\b{name}\s*(?:<[^<>;]*>)?\s*<<<(.*?)>>>", text, re.DOTALL)
    bounds = re.search(rf"__launch_bounds__\s*\(\s*(\w+)[^)]*\)[^;{{]*?\b{name}\s*\(", text)
    sizes = [_arguments(launch[1])[1:2] if launch else [], [bounds[1]] if bounds else []]
    return next((size for each in sizes if each and (size := _product(each[0], numbers)) is not None), None)


def _arguments(words: str) -> list[str]:
    """The words, split at commas outside of brackets."""
    parts, depth = [""], 0
    for character in words:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _constants(text: str) -> dict[str, int]:
    """Named whole numbers in a text, and named blocks by the product of their sides."""
    found = {name: int(value) for name, value in re.findall(r"#\s*define\s+(\w+)\s+(\d+)\b", text)}
    for name, value in re.findall(r"\b(?:int|unsigned|size_t|auto)\s+(\w+)\s*=\s*(\d+)\s*;", text):
        found[name] = int(value)
    for name, sides in re.findall(r"\bdim3\s+(\w+)\s*\(([^()]*)\)\s*;", text):
        size = _product(sides, found)
        if size is not None:
            found[name] = size
    return found


def _product(words: str, numbers: dict[str, int]) -> int | None:
    """Product of plain and named numbers: `256`, `THREADS`, `dim3(16, 16)`, `32 * WARPS`; None for any other
    arithmetic."""
    if not re.fullmatch(r"[\w\s,*()]+", words):
        return None
    size = 1
    for word in re.findall(r"\w+", words):
        if word == "dim3":
            continue
        value = int(word) if word.isdigit() else numbers.get(word)
        if value is None:
            return None
        size *= value
    return size
