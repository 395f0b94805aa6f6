"""Compiling and running small programs before and after a rewrite."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from maxcode.core import Language
from maxcode.policy.rewrite import TRANSFORMATIONS
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Rewrite, Setting, Transformation

COMPILERS = {Language.C: ("gcc", "c", "-std=c17"), Language.CPP: ("g++", "cpp", "-std=c++17")}


def transformation(name: str) -> Transformation:
    return next(each for each in TRANSFORMATIONS if each.name == name)


def rewrites(
    name: str, code: str, *, language: Language | None = None, setting: Setting | None = None
) -> list[Rewrite]:
    each = transformation(name)
    return list(each.find(SourceFile(code, language or each.languages[-1]), setting or each.example.setting))


def rewritten(
    name: str,
    code: str,
    options: str | None = None,
    *,
    language: Language | None = None,
    setting: Setting | None = None,
) -> str:
    """The code after the first rewrite, or the first with these options."""
    source = SourceFile(code, language or transformation(name).languages[-1])
    found = rewrites(name, code, language=language, setting=setting)
    chosen = next(rewrite for rewrite in found if options is None or rewrite.options == options)
    return apply(source, chosen.edits).code


def compiles(code: str, language: Language) -> str | None:
    """None, or what the compiler has against it."""
    if language is Language.PYTHON:
        try:
            compile(code, "program.py", "exec")
        except SyntaxError as error:
            return str(error)
        return None
    compiler, suffix, standard = COMPILERS[language]
    command = [
        compiler,
        standard,
        "-fopenmp",
        "-march=native",
        "-fsyntax-only",
        "-x",
        {"c": "c", "cpp": "c++"}[suffix],
        "-",
    ]
    done = subprocess.run(command, input=code, capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr[:2000]


def output(code: str, language: Language, stdin: str = "") -> str:
    """What a whole program prints."""
    with tempfile.TemporaryDirectory() as folder:
        if language is Language.PYTHON:
            command = [sys.executable, "-c", code]
        else:
            compiler, suffix, standard = COMPILERS[language]
            path = Path(folder, f"program.{suffix}")
            path.write_text(code)
            command = [str(Path(folder, "program"))]
            subprocess.run(
                [compiler, standard, "-O1", "-fopenmp", "-march=native", str(path), "-o", command[0], "-lm"],
                check=True,
                capture_output=True,
            )
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=20, check=True)
        return done.stdout
