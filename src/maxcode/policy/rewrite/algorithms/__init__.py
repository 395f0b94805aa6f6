"""Algorithms: fewer steps for the same answer, recognised by what depends on what."""

from __future__ import annotations

from maxcode.policy.rewrite.transformation import transformations_in

TRANSFORMATIONS = transformations_in(__name__, __path__)
