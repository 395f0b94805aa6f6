"""A model of an input's format, inferred from given inputs, and new inputs that keep its relations."""

from maxcode.format.correct import corrected, with_named
from maxcode.format.ideas import alike, longer, shortened, tests
from maxcode.format.infer import infer
from maxcode.format.model import InputModel, NewInput

__all__ = ["InputModel", "NewInput", "alike", "corrected", "infer", "longer", "shortened", "tests", "with_named"]
