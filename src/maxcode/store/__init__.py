"""The journal: everything that happened, append-only. Tree, report, replay and training data are views of it."""
