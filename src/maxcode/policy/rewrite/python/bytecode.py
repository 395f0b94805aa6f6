"""Python: what a program compiles to, by which programs that only look different are told from others."""

from __future__ import annotations

import warnings
from functools import lru_cache
from types import CodeType


@lru_cache(maxsize=1024)
def bytecode(code: str) -> str | None:
    """Instructions, constants and names of a program and its functions, without lines; None if it does not compile."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _written(compile(code, "program", "exec", dont_inherit=True))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _written(code: CodeType) -> str:
    constants = [_written(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
    return repr((code.co_code, code.co_names, code.co_argcount, code.co_exceptiontable, constants))
