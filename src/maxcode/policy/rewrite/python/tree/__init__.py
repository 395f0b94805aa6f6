"""Python programs as Python's own syntax tree, with the types of values and the effects of code."""
