"""A run from task to claim: search, confirmation, results, and the same step by step."""
