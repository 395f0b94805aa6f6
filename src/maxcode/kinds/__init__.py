"""Kinds of tasks, one folder each: all that is special about it. `known.py` has them by name."""
