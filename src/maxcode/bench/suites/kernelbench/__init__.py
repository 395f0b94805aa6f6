"""KernelBench: PyTorch models."""
