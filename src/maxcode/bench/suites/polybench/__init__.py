"""PolyBench/C: numerical kernels with data of their own."""
