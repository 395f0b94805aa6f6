"""Policies: who proposes the next programs. Observation in, proposals out."""
