"""Tasks of kind `function`: one function of a Python package, judged on real calls of it and by the package's tests."""
