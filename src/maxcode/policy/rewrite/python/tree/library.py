"""Python: what functions and methods of Python and its library do to the kinds of values."""

from __future__ import annotations

from collections.abc import Iterable

from maxcode.policy.rewrite.python.tree.kinds import ValueCell, flow, taint

_TEXT_TO = {
    "split": "list", "rsplit": "list", "splitlines": "list", "partition": "tuple", "rpartition": "tuple",
    **dict.fromkeys("find rfind index rindex count".split(), "int"), "encode": "bytes",
    **dict.fromkeys("startswith endswith isdigit isalpha isalnum isspace isupper islower".split(), "bool"),
    **dict.fromkeys("isdecimal isnumeric isidentifier".split(), "bool"),
}  # fmt: skip
_CALLS_TO = {
    **dict.fromkeys("len int ord hash id".split(), "int"),
    **dict.fromkeys("str chr repr format bin hex oct input".split(), "str"),
    **dict.fromkeys("any all bool isinstance callable issubclass".split(), "bool"),
    "float": "float", "print": "none", "open": "file",
    "bytes": "bytes", "bytearray": "bytearray",
}  # fmt: skip
_COPIES = {"list": "list", "sorted": "list", "tuple": "tuple", "set": "set", "frozenset": "set", "deque": "deque",
           "reversed": "iter", "iter": "iter", "Counter": "dict", "chain": "iter"}  # fmt: skip
_WHOLE = frozenset("floor ceil gcd isqrt comb perm factorial lcm trunc bisect_left bisect_right bisect".split())


def elements(value: ValueCell) -> ValueCell:
    """What iteration over a value gives."""
    cell = value.root()
    if cell.kinds <= {"str"} and cell.kinds:
        return cell
    if cell.kinds <= {"range", "bytes", "bytearray"} and cell.kinds:
        return ValueCell("int")
    if cell.kinds & {"str", "range", "bytes", "bytearray"}:
        found = ValueCell("str", "int")
        flow(cell.held(), found)
        return found
    return ValueCell("str") if cell.kinds == {"file"} else cell.held()


def unknown(given: Iterable[ValueCell], cell: ValueCell) -> None:
    for each in given:
        taint(each)
    taint(cell)


def method_of_container(name: str, owner: ValueCell, given: list[ValueCell], cell: ValueCell) -> None:
    """A method of text or of a container."""
    kinds, held = owner.root().kinds, owner.held
    if kinds & {"str", "bytes"}:
        found = _TEXT_TO.get(name, "str")
        cell.kinds.add(found)
        if found in ("list", "tuple"):
            cell.held().kinds.add("str")
    if "file" in kinds:
        cell.kinds.add({"readlines": "list", "write": "int"}.get(name, "str"))
        if name == "readlines":
            cell.held().kinds.add("str")
    if not kinds & {"list", "dict", "set", "deque", "tuple", "iter", "range"}:
        return
    match name:
        case "append" | "add" | "appendleft" | "discard" | "remove":
            for each in given:
                flow(each, held())
        case "insert":
            flow(given[-1] if given else ValueCell(), held())
        case "extend" | "extendleft" | "update" | "union" | "intersection" | "difference":
            for each in given:
                flow(elements(each), held())
                if "dict" in kinds:
                    flow(each.values(), owner.values())
            if name[0] in "uid" and name != "update":
                cell.kinds.add("set")
                flow(held(), cell.held())
        case "pop" | "popleft" if "dict" not in kinds:
            flow(held(), cell)
        case "get" | "pop" | "setdefault":
            flow(owner.values(), cell)
            flow(given[0], held()) if name == "setdefault" and given else None
            for each in given[1:]:
                flow(each, cell)
                if name == "setdefault":
                    flow(each, owner.values())
            if name == "get" and len(given) == 1:
                cell.kinds.add("none")
        case "copy":
            flow(ValueCell(*kinds), cell)
            flow(held(), cell.held())
            if "dict" in kinds:
                flow(owner.values(), cell.values())
        case "keys":
            cell.kinds.add("iter")
            flow(held(), cell.held())
        case "values":
            cell.kinds.add("iter")
            flow(owner.values(), cell.held())
        case "items" | "most_common" | "popitem":
            _items(name, owner, cell)
        case "index" | "count":
            cell.kinds.add("int")
        case "sort" | "reverse" | "clear" | "rotate":
            cell.kinds.add("none")
        case _:
            unknown([owner, *given], cell)


def method_of_library(name: str, receiver: set[str], given: list[ValueCell], cell: ValueCell) -> None:
    """A method of a match, a compiled pattern, a time, or a decimal number or fraction."""
    if "match" in receiver:
        cell.kinds |= {"int"} if name in ("start", "end") else {"tuple"} if name == "groups" else {"str", "none"}
        if name == "groups":
            cell.held().kinds |= {"str", "none"}
    elif "pattern" in receiver:
        built_in(name, given, {}, cell)
    elif "exact" in receiver:
        cell.kinds.add("exact" if name in EXACT else "?")
    else:
        cell.kinds.add("str" if name in ("strftime", "isoformat", "ctime") else "int" if name in _OF_TIMES else "?")


EXACT = frozenset("quantize normalize sqrt copy_abs copy_negate to_integral_value limit_denominator".split())
"""Methods of decimal numbers and fractions that give another one."""
_OF_TIMES = ("weekday", "isoweekday", "toordinal")


def _items(name: str, owner: ValueCell, cell: ValueCell) -> None:
    pair = cell if name == "popitem" else cell.held()
    pair.kinds.add("tuple")
    if name != "popitem":
        cell.kinds.add("iter" if name == "items" else "list")
    if pair._parts is None:
        pair._parts = [ValueCell(), ValueCell()]
    if len(pair._parts) == 2:
        flow(owner.held(), pair._parts[0])
        flow(owner.values(), pair._parts[1])


def built_in(name: str, given: list[ValueCell], keywords: dict[str | None, ValueCell], cell: ValueCell) -> None:
    first = given[0] if given else ValueCell()
    if name in _CALLS_TO:
        cell.kinds.add(_CALLS_TO[name])
    elif name in _WHOLE:
        cell.kinds.add("int")
    elif name in (
        "sqrt",
        "hypot",
        "log",
        "log2",
        "log10",
        "sin",
        "cos",
        "tan",
        "exp",
        "dist",
        "perf_counter",
        "time",
    ):
        cell.kinds.add("float")
    elif name in ("abs", "round", "pow"):
        for each in given[:2]:
            cell.kinds |= each.root().kinds & {"int", "float", "exact", "?"}
            cell.kinds |= {"int"} if "bool" in each.root().kinds else set()
        if name == "round":
            cell.kinds |= {"int"} if len(given) == 1 else {"float"}
    elif name == "divmod":
        cell.kinds.add("tuple")
        for each in given:
            cell.held().kinds |= each.root().kinds
    elif name == "sum":
        flow(elements(first), cell)
        for each in given[1:]:
            flow(each, cell)
        cell.kinds.add("int")
    elif name in ("min", "max"):
        for each in given if len(given) > 1 else [elements(first)]:
            flow(each, cell)
        if "default" in keywords:
            flow(keywords["default"], cell)
    elif name in _COPIES:
        cell.kinds.add(_COPIES[name])
        for each in given[:1]:
            flow(elements(each), cell.held())
        if name == "Counter":
            cell.values().kinds.add("int")
    elif name in ("dict", "OrderedDict", "defaultdict"):
        _dict(name, given, keywords, cell)
    elif name == "range":
        cell.kinds.add("range")
        cell.held().kinds.add("int")
    elif name in ("enumerate", "zip"):
        _zipped([ValueCell("range"), first] if name == "enumerate" else given, cell)
    elif name in ("map", "filter", "next", "heappush", "heappop", "heapify", "deepcopy"):
        _special(name, given, cell)
    elif name in ("match", "search", "fullmatch"):
        cell.kinds |= {"match", "none"}
    elif name == "compile":
        cell.kinds.add("pattern")
    elif name in ("strptime", "fromisoformat", "timedelta", "datetime", "date"):
        cell.kinds.add("time")
    elif name in ("Decimal", "Fraction"):
        cell.kinds.add("exact")
    elif name in ("reader", "DictReader"):
        _rows(name, cell)
    elif name == "sub" or name in ("stdin", "readline", "read"):
        cell.kinds.add("str")
    elif name in ("setrecursionlimit", "exit", "flush"):
        cell.kinds.add("none")
    else:
        unknown([*given, *keywords.values()], cell)


def _dict(name: str, given: list[ValueCell], keywords: dict[str | None, ValueCell], cell: ValueCell) -> None:
    cell.kinds.add("dict")
    if name == "defaultdict" and given:
        made = given[0].root().kinds
        if made == {"lambda"} or not made & {"type int", "type list", "type set", "type str", "type dict"}:
            taint(cell.values())
        cell.values().kinds |= {each.removeprefix("type ") for each in made if each.startswith("type ")}
    elif given:
        _copied(given[0], cell)
    for word, value in keywords.items():
        if word is None:
            taint(cell)
        cell.held().kinds.add("str")
        flow(value, cell.values())


def _copied(given: ValueCell, cell: ValueCell) -> None:
    """The dict that is made of another, or of pairs."""
    pair = elements(given).parts(2) if given.root().kinds <= {"list", "tuple", "iter", "set"} else None
    if given.root().kinds == {"dict"}:
        flow(given.held(), cell.held())
        flow(given.values(), cell.values())
    elif pair is not None:
        flow(pair[0], cell.held())
        flow(pair[1], cell.values())
    elif given.root().kinds:
        taint(cell)
        taint(given)


def _rows(name: str, cell: ValueCell) -> None:
    """Rows of a table of comma-separated values: lists of text, or dicts by the names of columns."""
    cell.kinds.add("iter")
    row = cell.held()
    row.kinds.add("list" if name == "reader" else "dict")
    row.held().kinds.add("str")
    if name == "DictReader":
        row.values().kinds |= {"str", "none"}


def _zipped(given: list[ValueCell], cell: ValueCell) -> None:
    cell.kinds.add("iter")
    pair = cell.held()
    pair.kinds.add("tuple")
    if pair._parts is None:
        pair._parts = [ValueCell() for _ in given]
    if len(pair._parts) == len(given):
        for value, part in zip(given, pair._parts, strict=True):
            flow(elements(value), part)


def _special(name: str, given: list[ValueCell], cell: ValueCell) -> None:
    first, last = given[0] if given else ValueCell(), given[-1] if given else ValueCell()
    match name:
        case "map":
            cell.kinds.add("iter")
            made = {each.removeprefix("type ") for each in first.root().kinds if each.startswith("type ")}
            if made and len(given) == 2 and made <= {"int", "str", "float", "bool", "len", "ord", "chr"}:
                cell.held().kinds |= {_CALLS_TO.get(each, each) for each in made}
            else:
                unknown(given, cell)
        case "filter":
            unknown(given, cell)
        case "next":
            flow(elements(first), cell)
            for each in given[1:]:
                flow(each, cell)
        case "heappush":
            flow(last, first.held())
        case "heappop":
            flow(first.held(), cell)
        case "deepcopy":
            flow(first, cell)
        case _:
            cell.kinds.add("none")
