"""Python: copies of objects attribute by attribute, where copy.deepcopy looks at all that they hold."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.imports import defining
from maxcode.policy.rewrite.python.tree.effects import Code, code_of, is_new
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

_OWN_COPY = frozenset(
    "__deepcopy__ __copy__ __reduce__ __reduce_ex__ __getstate__ __setstate__ __new__ __getattribute__ __setattr__ "
    "__slots__ __del__ __getnewargs__ __getnewargs_ex__".split()
)
_FLAT = ("list", "set", "dict", "deque")
_HELPER = """
def {name}(given, known):
    new = known.get(id(given))
    if new is None:
        new = known[id(given)] = {made}.__new__({made})
{lines}    return new
"""
_ROW_HELPER = """

def {name}_row(row):
    known = {{}}
    return [{name}(each, known) for each in row]
"""


def _copies(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    code = code_of(source)
    for call in ast.walk(code.program.tree) if code is not None and "deepcopy" in source.names else ():
        if code is None or not isinstance(call, ast.Call) or not _is_deepcopy(code, call):
            continue
        given = code.kinds.of(call.args[0])
        row = given.kinds == {"list"}
        kinds = given.held().kinds if row else given.kinds
        made = code.kinds.classes.get(next(iter(kinds)).removeprefix("object ")) if len(kinds) == 1 else None
        if made is None or next(iter(kinds)) == made.name or not _plain_class(code, made):
            continue
        lines = _attributes(code, made)
        if lines is None:
            continue
        name = source.fresh(f"copied_{made.name.lower()}")
        helper = _HELPER + (_ROW_HELPER if row else "")
        text = helper.format(name=name, made=made.name, lines="".join(f"        {each}\n" for each in lines))
        function, more = call.func, "_row" if row else ""
        edits = [defining(source, text), code.program.replace(function, name + more)]
        if not row:
            edits.append(Edit(code.program.end(call.args[0]), code.program.end(call.args[0]), ", {}"))
        yield Rewrite(call.lineno, tuple(edits))


def _is_deepcopy(code: Code, call: ast.Call) -> bool:
    function = call.func
    module = function.value if isinstance(function, ast.Attribute) else function
    named = ast.unparse(function) in ("deepcopy", "copy.deepcopy") and code.kinds.of(module).kinds == {"module"}
    return named and len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)


def _plain_class(code: Code, made: ast.ClassDef) -> bool:
    """Whether objects of a class are copied as their attributes are."""
    own = {each.id for each in ast.walk(made) if isinstance(each, ast.Name)}
    own |= {each.name for each in made.body if isinstance(each, ast.FunctionDef)}
    bases = [ast.unparse(each) for each in made.bases if ast.unparse(each) != "object"]
    alone = isinstance(code.program.above[made], ast.Module) and len(code.program.stores(code.program.variable[made]))
    return alone == 1 and not (bases or made.keywords or made.decorator_list or own & _OWN_COPY)


def _attributes(code: Code, made: ast.ClassDef) -> list[str] | None:
    """The statements that copy what objects hold; None where it may be shared or missing or is not known."""
    stores: dict[str, list[ast.Attribute]] = {}
    for each in ast.walk(code.program.tree):
        if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load):
            kinds, owner = code.kinds.of(each.value).kinds, each.value
            of_library = isinstance(owner, ast.Call) and code.kinds.of(owner.func).kinds == {"module"}
            if not of_library and (f"object {made.name}" in kinds or "?" in kinds or not kinds):
                stores.setdefault(each.attr, []).append(each)
    start = next((e for e in made.body if isinstance(e, ast.FunctionDef) and e.name == "__init__"), None)
    lines = []
    for name, places in stores.items():
        cell = code.kinds.attribute(name)
        always = start is not None and any(code.program.above[code.program.above[each]] is start for each in places)
        if not always or not all(isinstance(each.ctx, ast.Store) for each in places):
            return None
        plain = code.kinds.plain(cell, "float", "exact", "time")
        lines.append(f"new.{name} = given.{name}" + ("" if plain else ".copy()"))
        if not plain and not (code.kinds.only(cell, *_FLAT) and all(_is_fresh(code, each) for each in places)):
            return None
        held = code.contents(cell)
        if not plain and not all(code.kinds.plain(e, "float", "exact", "time") or not e.kinds for e in held):
            return None
    return lines


def _is_fresh(code: Code, place: ast.Attribute) -> bool:
    """Whether an attribute is set to a container that nothing else stands for."""
    above = code.program.above[place]
    if isinstance(above, ast.AugAssign):
        return True
    if not isinstance(above, ast.Assign) or len(above.targets) != 1:
        return False
    value = above.value
    sliced = isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice)
    return is_new(value) or ((sliced or isinstance(value, ast.BinOp)) and code.kinds.only(value, "list"))


_BEFORE = """
import copy


class Account:
    def __init__(self, owner):
        self.owner = owner
        self.entries = []

    def enter(self, amount):
        self.entries.append(amount)


accounts = [Account("ann"), Account("bob")]
before = copy.deepcopy(accounts)
accounts[0].enter(5)
print([(each.owner, each.entries) for each in before + accounts])
"""

TRANSFORMATIONS = (
    Transformation(
        name="copy-by-attributes",
        family="python",
        summary="Copies objects attribute by attribute where what they hold is plain and their own.",
        find=_copies,
        example=RewriteExample(
            before=_BEFORE,
            after=_BEFORE.replace("copy.deepcopy", "copied_account_row").replace(
                "import copy\n",
                """import copy


def copied_account(given, known):
    new = known.get(id(given))
    if new is None:
        new = known[id(given)] = Account.__new__(Account)
        new.owner = given.owner
        new.entries = given.entries.copy()
    return new


def copied_account_row(row):
    known = {}
    return [copied_account(each, known) for each in row]
""",
            ),
        ),
        languages=PYTHON,
        answers=("copying",),
        prior=3.0,
        refusals=(
            _BEFORE.replace("self.entries = []", "self.entries = shared").replace("class", "shared = []\n\n\nclass", 1),
            _BEFORE.replace("self.entries.append", "self.last = amount\n        self.entries.append"),
            _BEFORE.replace("append(amount)", "append([amount])"),
            _BEFORE.replace("class Account:", "class Account(dict):"),
            _BEFORE.replace("class Account:", "class Account:\n    __slots__ = ('owner', 'entries')\n"),
            _BEFORE.replace("accounts[0].enter(5)", "accounts[0].other = accounts[1]"),
        ),
    ),
)
