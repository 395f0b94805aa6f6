"""The techniques that a mask permits or forbids."""

from __future__ import annotations

from enum import StrEnum


class Technique(StrEnum):
    OPENMP = "openmp"
    """Threads of any kind: OpenMP, std::thread, pthreads."""
    SIMD = "simd"
    """Vector instructions asked for in the source, by intrinsics, types, pragmas, attributes or assembler."""
    CACHE_BLOCKING = "cache_blocking"
    """Loops over blocks with loops within the block inside, so that what is loaded is used again while it is cached."""
    PACKING = "packing"
    """Parts of an operand copied to a buffer in the order in which the compute loops read them."""
    REGISTER_BLOCKING = "register_blocking"
    """Results of several turns of an outer loop kept in local variables over an inner loop."""
    UNROLLING = "unrolling"
    """Several turns of an innermost loop written out, or asked for by a pragma."""
    PRAGMAS = "pragmas"
    """Other hints to the compiler: ivdep, optimize and target pragmas, assumptions."""
