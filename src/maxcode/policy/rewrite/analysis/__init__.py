"""What transformations ask of a program: loops, effects, types, and how code is written out again."""
