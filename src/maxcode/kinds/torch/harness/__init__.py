"""The harness process: data, reference, comparison and clock."""
