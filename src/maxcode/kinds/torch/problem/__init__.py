"""A torch problem: its file, its sizes, and whether it runs here."""
