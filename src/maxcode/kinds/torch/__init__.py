"""Tasks of kind `torch`: a harness that owns data, clock and verdict, and a candidate in a process of its own."""
