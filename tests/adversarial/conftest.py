"""The repositories here have tests of their own, which are part of the attacks' tasks."""

collect_ignore = ["functions", "repositories"]
