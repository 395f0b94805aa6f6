"""A run to look at: one page that needs nothing else, a summary for a pull request, runs side by side."""
