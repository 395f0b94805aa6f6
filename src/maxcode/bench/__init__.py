"""Suites: many tasks, methods and seeds, and tables that people can believe."""
