"""torch's headers with only what a source names: an overlay of a few files that goes before them.

Everything in the overlay is taken from the installed headers. Classes and overload sets are whole; what is left out
are operators nobody names. So a source either means the same with it or does not compile or link, and then the plain
build decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from maxcode.extension import names
from maxcode.extension.plan import Unusual

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
WORD = re.compile(r"\b[A-Za-z_]\w*")
QUALIFIED = re.compile(r"\btorch\s*::\s*(\w+)")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.M)
METHOD = re.compile(
    r"^// aten::[^\n]*\n(inline [^\n]*? Tensor::(?P<name>\w+)\([^\n]*\) const ?&? ?\{\n.*?^\})\n", re.M | re.S
)
FACTORY = re.compile(r"^inline at::Tensor (?P<name>\w+)\(.*?^\}\n", re.M | re.S)
CALLED = re.compile(r"at::_ops::(\w+)::")
BODY = "ATen/core/TensorBody.h"
FACTORIES = "torch/csrc/autograd/generated/variable_factories.h"
TYPES = "torch/csrc/api/include/torch/types.h"
HEAVY_OF_OPERATORS = re.compile(
    r"^#include <ATen/(Context|DeviceGuard|TensorUtils|TracerMode|core/Generator)\.h>\n", re.M
)

MAKE_VARIABLE = """
namespace maxcode_slim {
// What torch::autograd::make_variable comes to for a tensor that nobody else has seen.
inline at::Tensor make_variable(at::Tensor made, bool requires_grad) {
  if (made.defined() && requires_grad) made.set_requires_grad(true);
  return made;
}
}  // namespace maxcode_slim
"""


@dataclass(frozen=True)
class Scanned:
    """Facts about a source that the overlay needs."""

    text: str
    words: frozenset[str]
    included: frozenset[str]


def scan(text: str) -> Scanned:
    included = frozenset(INCLUDE.findall(text))
    bare = COMMENT.sub(" ", text)
    return Scanned(bare, frozenset(WORD.findall(bare)), included)


def overlay(include: Path, source: Scanned, *, precompiled: frozenset[str] | None = None) -> dict[str, str]:
    """Files of the overlay by path, to be found before those in torch's `include` folder.

    `precompiled`: headers that the compiler has already read by then; None if there are none. Unusual for sources that
    need more than the overlay has.
    """
    operators = sorted(_operators(include, source.words))
    factories = (include / FACTORIES).read_text()
    made = frozenset(found["name"] for found in FACTORY.finditer(factories))
    _check_names(source, frozenset(operators) | made | _constants(include))
    files = {f"ATen/ops/{name}.h": text for name in operators if (text := _operator(include, name)) is not None}
    if precompiled is None:
        files |= _tensor_body(include, source.words)
    files |= _cuda_context(include, source)
    umbrella = _umbrella(include, source, operators, factories)
    python = names.PYTHON_INCLUDES if names.PYTHON.search(source.text) else ()
    files["maxcode_slim.h"] = umbrella + "".join(f"#include <{header}>\n" for header in python)
    files |= dict.fromkeys(names.REPLACED, "#pragma once\n#include <maxcode_slim.h>\n")
    return {path: text for path, text in files.items() if path not in (precompiled or ())}


def _check_names(source: Scanned, known: frozenset[str]) -> None:
    for name in sorted(set(QUALIFIED.findall(source.text)) - known - names.OF_TORCH):
        raise Unusual(f"torch::{name}")
    for header in sorted(source.included):
        if header.startswith("torch/") and header not in names.REPLACED and header not in names.HARMLESS:
            raise Unusual(f"#include <{header}>")


def _operators(include: Path, words: Iterable[str]) -> set[str]:
    """Operators that the words name, as files of ATen/ops; `add_`, `add_out` and `add` are one file."""
    folder = include / "ATen/ops"
    found = {"empty_like"}  # used by the arithmetic operators
    for word in words:
        for name in (word, word.removesuffix("_"), word.removesuffix("_out"), word.removesuffix("_symint")):
            if name and (folder / f"{name}.h").is_file():
                found.add(name)
    return found


def _operator(include: Path, name: str) -> str | None:
    """An operator's header without those it does not need itself; None when it is not of the generated kind."""
    text = (include / f"ATen/ops/{name}.h").read_text()
    if "from Function.h" not in text:
        return None
    if "Generator>" in text:
        return text.replace("#include <ATen/Context.h>\n", "").replace("#include <ATen/TensorUtils.h>\n", "")
    return HEAVY_OF_OPERATORS.sub("", text)


def _tensor_body(include: Path, words: frozenset[str]) -> dict[str, str]:
    """Files with class Tensor whole, but with definitions only of the methods that are named or that it needs
    itself."""
    text = (include / BODY).read_text()
    methods = "#include <ATen/MethodOperators.h>"
    if methods not in text or not METHOD.search(text):
        return {}
    needed: set[str] = set()

    def keep(found: re.Match[str]) -> str:
        name = found["name"]
        if not (name.startswith("__dispatch_") or name in words or name in names.OF_TENSOR):
            return ""
        needed.update(CALLED.findall(found[0]))
        return found[0]

    text = METHOD.sub(keep, text)
    headers = sorted({_defining(include, operator) for operator in needed})
    return {BODY: text.replace(methods, "\n".join(f"#include <ATen/ops/{header}_ops.h>" for header in headers))}


def _defining(include: Path, operator: str) -> str:
    """The file that declares at::_ops::<operator>: sum_dim_IntList is in sum_ops.h, add__Tensor in add_ops.h."""
    name = operator
    while name:
        if (include / f"ATen/ops/{name}_ops.h").is_file():
            return name
        name = name[:-1].rpartition("_")[0] if not name.endswith("_") else name[:-1]
    raise Unusual(f"operator {operator} without a header")


def _umbrella(include: Path, source: Scanned, operators: list[str], factories: str) -> str:
    headers = [*names.CORE, *(f"ATen/ops/{name}.h" for name in operators), *_demanded(source)]
    wanted = [found[0] for found in FACTORY.finditer(factories) if found["name"] in source.words]
    if "tensor" in QUALIFIED.findall(source.text):
        headers.append("torch/csrc/api/include/torch/detail/TensorDataContainer.h")
    else:
        wanted = [text for text in wanted if not text.startswith("inline at::Tensor tensor(")]
    bodies = "".join(wanted).replace("autograd::make_variable(", "::maxcode_slim::make_variable(")
    return "".join(
        [
            "#pragma once\n#define AT_PER_OPERATOR_HEADERS 1\n",
            *(f"#include <{header}>\n" for header in headers if _exists(include, header)),
            MAKE_VARIABLE,
            f"namespace torch {{\n{_aliases(include)}\nusing Deleter = std::function<void(void*)>;\n{bodies}}}\n",
        ]
    )


def _exists(include: Path, header: str) -> bool:
    return not header.startswith(("ATen/", "c10/", "torch/")) or any(
        (root / header).is_file() for root in (include, include / "torch/csrc/api/include")
    )


def _demanded(source: Scanned) -> list[str]:
    by_word = [header for header, triggers in names.BY_WORD.items() if triggers & source.words]
    by_prefix = [header for header, prefixes in names.BY_PREFIX.items() if _has_prefix(source.words, prefixes)]
    by_text = [header for header, pattern in names.BY_TEXT.items() if pattern.search(source.text)]
    return [*by_word, *by_prefix, *by_text]


def _has_prefix(words: Iterable[str], prefixes: tuple[str, ...]) -> bool:
    return any(word.startswith(prefixes) for word in words)


def _aliases(include: Path) -> str:
    """Text that types.h puts into namespace torch: `using namespace at` and the names of types."""
    text = (include / TYPES).read_text()
    start, end = text.find("namespace torch {"), text.rfind("} // namespace torch")
    if start < 0 or end < 0:
        raise Unusual("types.h of another form")
    return text[start + len("namespace torch {") : end]


def _constants(include: Path) -> frozenset[str]:
    return frozenset(re.findall(r"constexpr auto (k\w+)", (include / TYPES).read_text()))


def _cuda_context(include: Path, source: Scanned) -> dict[str, str]:
    """The headers of streams and devices without those of cuBLAS and its kind, where none of them is named."""
    if _has_prefix((word.lower() for word in source.words), names.LIBRARIES) or "globalContext" in source.words:
        return {}
    trimmed = {}
    for path in names.CUDA_HEADERS:
        if (include / path).is_file():
            text = (include / path).read_text()
            trimmed[path] = names.LIBRARY_LINE.sub("", text).replace("#include <ATen/Context.h>\n", "")
    return trimmed
