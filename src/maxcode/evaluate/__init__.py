"""The trusted evaluator: rules → build → verify → measure. Nothing here ever loads candidate code."""
