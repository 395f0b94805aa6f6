"""Programs with tests in the formats of others, made into tasks."""
