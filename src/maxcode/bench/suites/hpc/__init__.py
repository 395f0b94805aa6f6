"""Numerical kernels of our own, beside what the machine and its libraries reach."""
