"""Report card of a value model: what it knows of tasks that it has not seen."""
