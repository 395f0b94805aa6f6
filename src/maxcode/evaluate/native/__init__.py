"""Our own small C programs."""
