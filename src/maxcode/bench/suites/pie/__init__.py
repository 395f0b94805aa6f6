"""PIE: pairs of a slow and a fast program."""
