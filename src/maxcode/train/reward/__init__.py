"""Rewards of measured speed, as functions and over HTTP."""
