"""Tasks of kind `kernel`: a C or C++ function with a declared signature, called on inputs drawn from seeds."""
