"""Which nodes to expand next: each search method is one small function of the tree."""
