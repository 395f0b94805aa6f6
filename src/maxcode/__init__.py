"""MaxCode: finds a faster program that still works, and proves it."""

__version__ = "0.1.0"
