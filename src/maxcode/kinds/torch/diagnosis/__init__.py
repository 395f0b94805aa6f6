"""Diagnoses of profiles and failures of PyTorch candidates."""
