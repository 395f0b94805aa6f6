"""Models that say how promising a state is to expand, and the data they learn from."""
