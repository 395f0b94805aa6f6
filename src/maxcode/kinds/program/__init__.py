"""Tasks of kind `program`: a whole program that reads standard input and writes standard output."""
