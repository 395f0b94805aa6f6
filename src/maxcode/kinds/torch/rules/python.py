"""Static rules over the syntax tree of a torch candidate."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.kinds.torch.rules import forbidden as forbidden
from maxcode.kinds.torch.rules.names import BrokenRule, Names, literal

_SETTERS = frozenset(
    ("builtins.setattr", "builtins.delattr", "builtins.object.__setattr__", "builtins.type.__setattr__")
)
_DISPATCHERS = frozenset(("Library", "impl", "register_kernel", "register_fake", "register_autograd", "impl_abstract"))
_BUILTIN_OPERATORS = ("aten", "prims", "prim", "quantized", "c10d", "mkldnn", "profiler")


def python_findings(tree: ast.Module, names: Names, *, reserved: frozenset[str], tf32: bool) -> list[BrokenRule]:
    """Findings for everything in the tree that breaks a rule.

    `reserved`: names under which the problem could be imported.
    """
    return list(_found(tree, names, reserved, tf32))


def _found(tree: ast.Module, names: Names, reserved: frozenset[str], tf32: bool) -> Iterator[BrokenRule]:
    of_the_original = {id(node) for each in _classes(tree, "Model") for node in ast.walk(each)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _imports(node, reserved)
        if isinstance(node, ast.Name | ast.Attribute | ast.Call):
            yield from _forbidden_names(node, names)
        if isinstance(node, ast.Name) and node.id in forbidden.ATTRIBUTES:
            yield BrokenRule(node.lineno, node.id, f"uses {node.id}: {forbidden.ATTRIBUTES[node.id]}")
        if isinstance(node, ast.Attribute):
            yield from _attributes(node, names, tf32)
        if isinstance(node, ast.Subscript):
            yield from _items(node, names)
        if isinstance(node, ast.Call):
            yield from _calls(node, names)
        if isinstance(node, ast.ClassDef):
            yield from _class(node, names)
        if isinstance(node, ast.Try | ast.TryStar):
            yield from _handlers(node)
        if id(node) not in of_the_original:
            yield from _original(node)


def _classes(tree: ast.Module, name: str) -> list[ast.ClassDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == name]


def _imports(node: ast.Import | ast.ImportFrom, reserved: frozenset[str]) -> Iterator[BrokenRule]:
    if isinstance(node, ast.ImportFrom) and node.level:
        yield BrokenRule(node.lineno, "relative import", "imports from its own folder; a candidate is one file")
        return
    prefix = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        full = prefix + alias.name
        module = full.split(".")[0]
        if module in reserved:
            reason = f"imports {module}: that is the problem itself; compute the result in ModelNew"
            yield BrokenRule(node.lineno, f"import {module}", reason)
        why = _why(full)
        if why:
            yield BrokenRule(node.lineno, full, f"imports {full}: {why}")


def _why(full: str) -> str | None:
    """Reason why the full name may not be used; None if it may."""
    parts = full.split(".")
    prefixes = [".".join(parts[:n]) for n in range(1, len(parts) + 1)]
    for prefix in prefixes:
        if prefix in forbidden.NAMES:
            return forbidden.NAMES[prefix]
    allowed = forbidden.ALLOWED_OF.get(parts[0])
    if allowed is not None and len(parts) > 1 and parts[1] not in allowed:
        return f"of {parts[0]} a candidate may use: {', '.join(sorted(allowed))}"
    if parts[0] in forbidden.MODULES and parts[0] != "builtins":
        return forbidden.MODULES[parts[0]]
    reached = next((part for part in parts[1:] if part in forbidden.REACHED), None)
    if reached and parts[0] not in forbidden.ALLOWED_OF:
        return f"reaches {reached} through {parts[0]}; {forbidden.MODULES.get(reached, 'import it by its name')}"
    return None


def _forbidden_names(node: ast.expr, names: Names) -> Iterator[BrokenRule]:
    full = names.full(node)
    why = _why(full) if full else None
    is_imported = full and full.split(".")[0] in forbidden.MODULES and not full.startswith("builtins.")
    if full and why and not is_imported:  # those are reported where they are imported
        shown = full.removeprefix("builtins.")
        yield BrokenRule(node.lineno, full, f"uses {shown}: {why}")


def _attributes(node: ast.Attribute, names: Names, tf32: bool) -> Iterator[BrokenRule]:
    why = forbidden.ATTRIBUTES.get(node.attr)
    if why:
        yield BrokenRule(node.lineno, node.attr, f"uses .{node.attr}: {why}")
    if node.attr == "__dict__" and names.full(node.value):
        yield BrokenRule(node.lineno, "__dict__", f"uses {ast.unparse(node)}: what is imported stays as it is")
    if isinstance(node.ctx, ast.Store | ast.Del):
        yield from _assigned(node, names, tf32)


def _assigned(node: ast.Attribute, names: Names, tf32: bool) -> Iterator[BrokenRule]:
    full = names.full(node)
    if node.attr == "__class__":
        yield BrokenRule(
            node.lineno, "__class__", "assigns to __class__; make an object of the class that it should have"
        )
    elif node.attr in forbidden.TF32_SETTINGS:
        if not tf32:
            yield BrokenRule(node.lineno, node.attr, f"sets {ast.unparse(node)}: {forbidden.PRECISION}")
    elif full and full.startswith("torch.backends.") and not _is_own_setting(full):
        yield BrokenRule(node.lineno, full, f"sets {full}: {forbidden.SETTING}")
    elif full and not _is_own_setting(full):
        reason = f"assigns to {full}, which is not its own; define a function or class of your own and call that"
        yield BrokenRule(node.lineno, full, reason)


def _is_own_setting(full: str) -> bool:
    return any(full == own or full.startswith(f"{own}.") for own in forbidden.OWN_SETTINGS)


def _items(node: ast.Subscript, names: Names) -> Iterator[BrokenRule]:
    full = names.full(node.value)
    if full is None or not isinstance(node.ctx, ast.Store | ast.Del):
        return
    if full != "os.environ":
        yield BrokenRule(node.lineno, full, f"assigns into {full}, which is not its own")
    elif literal(node.slice) not in forbidden.BUILD_VARIABLES:
        yield _environment(node)


def _environment(node: ast.expr) -> BrokenRule:
    allowed = ", ".join(sorted(forbidden.BUILD_VARIABLES))
    return BrokenRule(node.lineno, "os.environ", f"changes the environment; only {allowed} may be set")


def _calls(node: ast.Call, names: Names) -> Iterator[BrokenRule]:
    full = names.full(node.func)
    if full is None:
        return
    if full in _SETTERS and node.args and names.full(node.args[0]):
        target = ast.unparse(node.args[0])
        yield BrokenRule(node.lineno, f"{full} {target}", f"sets attributes of {target}, which is not its own")
    elif full == "builtins.vars" and node.args and names.full(node.args[0]):
        yield BrokenRule(node.lineno, full, f"uses vars({ast.unparse(node.args[0])}): what is imported stays as it is")
    elif full == "os.environ.setdefault" and node.args and literal(node.args[0]) in forbidden.BUILD_VARIABLES:
        return
    elif full.startswith("os.environ.") and full.split(".")[2] in ("update", "pop", "clear", "setdefault", "popitem"):
        yield _environment(node)
    elif full == "cupy.cuda.ExternalStream" and "current_stream" not in ast.unparse(node):
        yield BrokenRule(node.lineno, full, f"uses {full}: {forbidden.STREAM}")
    elif full.startswith("torch.library.") and full.split(".")[2] in _DISPATCHERS:
        yield from _overridden_operator(node)


def _overridden_operator(node: ast.Call) -> Iterator[BrokenRule]:
    given = [literal(each) for each in (*node.args, *(keyword.value for keyword in node.keywords))]
    for text in given:
        if text and text.split("::")[0] in _BUILTIN_OPERATORS:
            yield BrokenRule(
                node.lineno, f"torch.library {text}", f"replaces operators of {text}: {forbidden.DISPATCH}"
            )


def _class(node: ast.ClassDef, names: Names) -> Iterator[BrokenRule]:
    for base in node.bases:
        full = names.full(base)
        if full in forbidden.BASES:
            yield BrokenRule(node.lineno, full, f"class {node.name} derives from {full}: {forbidden.BASES[full]}")
    for each in node.body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name in forbidden.METHODS:
            why = forbidden.METHODS[each.name]
            yield BrokenRule(each.lineno, each.name, f"class {node.name} defines {each.name}: {why}")


def _handlers(node: ast.Try | ast.TryStar) -> Iterator[BrokenRule]:
    if any(
        isinstance(each, ast.Return | ast.Break | ast.Continue) for part in node.finalbody for each in ast.walk(part)
    ):
        yield BrokenRule(node.lineno, "finally", "leaves a 'finally' early, which hides what failed; let it fail")
    if not node.handlers or all(isinstance(each, ast.Import | ast.ImportFrom) for each in node.body):
        return
    for handler in node.handlers:
        returns = any(isinstance(each, ast.Return) for part in handler.body for each in ast.walk(part))
        if returns or not isinstance(handler.body[-1], ast.Raise):
            reason = (
                "catches what fails here and goes on, so that a fall-back could take the kernel's place; "
                "'except' is for imports only: let it fail"
            )
            yield BrokenRule(handler.lineno, "except", reason)


def _original(node: ast.AST) -> Iterator[BrokenRule]:
    """Uses of the problem's own class and inputs."""
    if isinstance(node, ast.ClassDef) and any(_is_model(base) for base in node.bases):
        reason = f"class {node.name} inherits from Model; derive from nn.Module and compute the result in it"
        yield BrokenRule(node.lineno, "Model", reason)
    elif isinstance(node, ast.Call) and _is_model(node.func):
        yield BrokenRule(node.lineno, "Model", "makes a Model; compute the result in ModelNew itself")
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and _is_inputs(node.func.id):
        yield BrokenRule(node.lineno, node.func.id, f"calls {node.func.id}; inputs come from the harness, to forward")
    elif isinstance(node, ast.expr) and _is_model(node):
        yield BrokenRule(node.lineno, "Model", "uses Model; compute the result in ModelNew itself")
    elif isinstance(node, ast.ImportFrom) and any(alias.name == "Model" for alias in node.names):
        yield BrokenRule(node.lineno, "Model", "imports Model; compute the result in ModelNew itself")


def _is_model(node: ast.AST) -> bool:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
    return name == "Model" and isinstance(getattr(node, "ctx", None), ast.Load)


def _is_inputs(name: str) -> bool:
    return name in ("get_inputs", "get_init_inputs")
