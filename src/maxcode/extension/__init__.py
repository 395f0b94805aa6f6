"""Extensions built several times faster than `torch.utils.cpp_extension` builds them, with the same meaning.

`load_inline` and `load` stay torch's own: it checks the arguments and writes the sources and the build plan. Only the
running of that plan is ours: a slim form of torch's headers, nvcc's phases side by side, headers compiled ahead; and
whenever anything is unusual or any of it fails, the plan as torch wrote it.
"""

from maxcode.extension.headers import prepare_headers
from maxcode.extension.loading import install

__all__ = ["install", "prepare_headers"]
