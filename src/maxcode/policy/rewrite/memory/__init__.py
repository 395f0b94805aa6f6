"""Memory: layout, copies, storage."""

from __future__ import annotations

from maxcode.policy.rewrite.transformation import transformations_in

TRANSFORMATIONS = transformations_in(__name__, __path__)
