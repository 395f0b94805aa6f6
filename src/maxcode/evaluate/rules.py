"""Static checks of what a candidate may not contain, in two layers: the text before the build, the symbols after it.

They give early, named reasons. Safety does not rest on them but on the sandbox.
"""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Callable, Iterator

from maxcode.core import Candidate, Language
from maxcode.task.model import Rules, Task

FORBIDDEN_IMPORTS = frozenset(
    """dlopen dlmopen dlsym dlvsym system popen fork vfork _Fork execl execle execlp execv execve execvp execvpe fexecve
    posix_spawn posix_spawnp ptrace syscall socket socketpair connect bind listen accept accept4 process_vm_readv
    process_vm_writev unshare setns mount umount umount2 pivot_root chroot kill killpg tgkill daemon
    sched_setaffinity sched_setscheduler pthread_setschedparam setpriority nice perf_event_open
    shm_open mq_open getaddrinfo gethostbyname""".split()
)
"""Functions no optimised program needs; a program that links to one is rejected."""

PROCESS_CALLS = frozenset(
    """system popen fork vfork _Fork execl execle execlp execv execve execvp execvpe fexecve posix_spawn posix_spawnp
    kill killpg tgkill""".split()
)
"""Functions of FORBIDDEN_IMPORTS that a task may allow with rules.processes."""

OWN_CLOCKS = frozenset(
    """clock_gettime clock_getres gettimeofday time clock times getrusage timespec_get nanosleep clock_nanosleep
    usleep sleep""".split()
)
HARNESS_CALLS = frozenset("read write exit _exit _Exit mmap munmap raise abort __libc_start_main".split())
"""Functions of the C library a candidate may not replace by its own."""

DRIVER_CALLS = frozenset("read write mmap clock_gettime".split())
"""Functions that a driver of ours may call. Every program with a driver imports them unless it replaces them."""

HEADER_CALLS = frozenset(["syscall"])
"""Forbidden functions that headers of the standard library call themselves (std::atomic::wait, std::latch): the import
says nothing about the candidate, so its text is searched for them instead."""

FORBIDDEN_MODULES = frozenset(
    "ctypes _ctypes cffi subprocess _posixsubprocess socket _socket multiprocessing _multiprocessing importlib".split()
)

SANITIZERS = ("__asan_", "__ubsan_", "__lsan_", "__tsan_", "__msan_", "__hwasan_", "__sanitizer_")
_ASKS_FOR_SANITIZERS = re.compile(
    rf"__SANITIZE_\w+|(?:{'|'.join(SANITIZERS)})\w*|__has_feature\s*\(\s*\w+_sanitizer|\b[A-Z]{{1,4}}SAN_OPTIONS\b|<sanitizer/"
)

LARGEST_TEXT = 1 << 20
"""Characters that a candidate may have more than the baseline: more than anybody writes, checked in a moment."""

_COMMENT_OR_LITERAL = re.compile(r"""//|/\*|R"(?P<d>[^()\\\s]{0,16})\(|"|(?<![0-9a-fA-F])'""")
"""Beginning of a comment or literal."""
_LINE_COMMENT = re.compile(r"(?:\\\n|[^\n])*")
_QUOTED = {quote: re.compile(rf"(?:\\.|[^{quote}\\\n])*", re.DOTALL) for quote in "\"'"}
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*(?:include(?:_next)?|import)[ \t]*(.*)$", re.MULTILINE)
_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(.*)$|_Pragma\s*\(\s*(?:L|u8|u|U)?\"(.*?)\"", re.MULTILINE)
_PYTHON_IMPORT = re.compile(r"^[ \t]*(?:import[ \t]+(.+)|from[ \t]+([\w.]+)[ \t]+import)", re.MULTILINE)


def check_text(task: Task, candidate: Candidate) -> str | None:
    """The first rule that the candidate's text breaks, or None."""
    stranger = set(candidate.files) - set(task.files)
    if stranger:
        return f"has files the task does not: {', '.join(sorted(stranger))}"
    length = _length(candidate)
    if length > LARGEST_TEXT and length > LARGEST_TEXT + _length(task.baseline_candidate):
        return f"its text has {length:,} characters, over {LARGEST_TEXT:,} more than the baseline's"
    for name, text in candidate.files.items():
        if task.editable and name not in task.editable and text != task.baseline_candidate.files[name]:
            return f"{name} may not be changed; only {', '.join(task.editable)} may"
    check = check_python if task.language is Language.PYTHON else _check_c
    for name, text in candidate.files.items():
        if "\0" in text:
            return f"{name} contains a NUL byte"
        broken = check(text, task)
        if broken:
            return f"{name}: {broken}"
    return None


def _length(candidate: Candidate) -> int:
    return sum(len(text) for text in candidate.files.values())


def check_symbols(task: Task, program: bytes) -> str | None:
    """The first rule that the linked program breaks, or None."""
    try:
        imported, defined, libraries = read_symbols(program)
    except (struct.error, ValueError, IndexError, OverflowError):
        return "the program is not a valid ELF file"
    always = FORBIDDEN_IMPORTS - PROCESS_CALLS if task.rules.processes else FORBIDDEN_IMPORTS
    forbidden = sorted((always - HEADER_CALLS | set(task.rules.calls)) & imported)
    if forbidden:
        return f"calls {', '.join(forbidden)}, which is not allowed"
    watched = sorted(name for name in imported if name.startswith(SANITIZERS))
    if watched:
        return f"refers to {watched[0]}: a program may not find out whether sanitizers watch it"
    driver = task.kind.driver(task, on_heap=False)
    replaced = _replaced(program, driver, imported, defined) if driver else []
    if replaced:
        return f"defines {', '.join(replaced)}: the C library's clocks and system functions may not be replaced"
    for library in task.rules.libraries:
        hits = [name for name in libraries if library.lower() in name.lower()]
        if hits:
            return f"links to {hits[0]}; the library '{library}' is not allowed"
    return None


def _replaced(program: bytes, driver: str, imported: set[str], defined: set[str]) -> list[str]:
    """Functions of the C library that a program replaces, for the driver of ours that shares its process.

    A hidden definition is as local as a static one once it is linked, but then the driver's call is no import any more.
    """
    called_by_us = HARNESS_CALLS | {"clock_gettime"}
    variables = read_variables(program) - called_by_us
    hidden = {name for name in DRIVER_CALLS - imported if re.search(rf"\b{name}\(", driver)}
    return sorted((OWN_CLOCKS | HARNESS_CALLS | FORBIDDEN_IMPORTS) & defined - variables | hidden)


def comments_and_literals(text: str) -> Iterator[tuple[int, int]]:
    """Beginning and end of each comment and literal, in one pass. One that is never closed goes on to the end.

    Only a quote that its line does not close stands for itself. Then no later quote of its kind in the line closes
    either, since all of them have been seen as part of an escape. So the line is read once.
    """
    at, unclosed = 0, dict.fromkeys(_QUOTED, 0)
    while begin := _COMMENT_OR_LITERAL.search(text, at):
        start, at = begin.span()
        if begin[0] in _QUOTED:
            if start < unclosed[begin[0]]:
                continue
            end = _end_of(_QUOTED[begin[0]], text, at)
            if text[end : end + 1] != begin[0]:
                unclosed[begin[0]] = end
                continue
            at = end + 1
        elif begin[0] == "//":
            at = _end_of(_LINE_COMMENT, text, at)
        else:
            close = "*/" if begin[0] == "/*" else f'){begin["d"]}"'
            end = text.find(close, at)
            at = len(text) if end < 0 else end + len(close)
        yield start, at


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    assert found is not None  # the pattern matches the empty string too
    return found.end()


def _rewritten(text: str, put: Callable[[str], str]) -> str:
    """The text with `put` in place of each comment and literal."""
    parts, at = [], 0
    for start, end in comments_and_literals(text):
        parts += [text[at:start], put(text[start:end])]
        at = end
    return "".join([*parts, text[at:]])


def strip_comments_and_strings(text: str) -> str:
    """C or C++ text with comments and literals blanked; line numbers stay."""
    return _rewritten(text, lambda part: '""' if part[0] in "\"'R" else re.sub(r"[^\n]", " ", part))


def _check_c(text: str, task: Task) -> str | None:
    joined = normalise(text)
    plain, code = without_comments(joined), strip_comments_and_strings(joined)
    return (
        check_includes(plain, task)
        or check_pragmas(plain, task.rules)
        or check_assembler(joined)
        or check_header_calls(code)
        or check_sanitizers(plain)
        or check_calls(code, task.rules)
    )


def normalise(text: str) -> str:
    """The text as the preprocessor sees it: continued lines joined, digraphs and odd white space in their usual
    spelling."""
    joined = re.sub(r"\\[ \t\f\v]*\r?\n", "", text)
    return re.sub(r"[\f\v\r]", " ", joined).replace("%:", "#")


def without_comments(text: str) -> str:
    return _rewritten(text, lambda part: part if part[0] in "\"'R" else " ")


def check_includes(text: str, task: Task) -> str | None:
    for match in _INCLUDE.finditer(text):
        target = match[1].strip()
        named = re.match(r"^(?:<([^>]*)>|\"([^\"]*)\")", target)
        if not named:
            return f"computed #include '{target[:60]}' is not allowed; name the header"
        name = named[1] or named[2] or ""
        if name.startswith(("/", "~")) or ".." in name.split("/"):
            return f"#include of '{name}': only system headers and the task's own files may be included"
        for forbidden in (*task.rules.includes, *task.rules.libraries):
            if forbidden.lower() in name.lower():
                return f"#include of '{name}' is not allowed by this task's rules ({forbidden})"
    return None


def check_pragmas(text: str, rules: Rules) -> str | None:
    for match in _PRAGMA.finditer(text):
        pragma = " ".join((match[1] or match[2] or "").split())
        for forbidden in rules.pragmas:
            if forbidden in pragma:
                return f"#pragma {pragma} is not allowed by this task's rules ({forbidden})"
    return None


def check_assembler(text: str) -> str | None:
    for start, end in comments_and_literals(text):
        if text[start] in '"R' and re.search(r"\.\s*(incbin|include)\b", text[start:end]):
            return "the assembler directives .incbin and .include are not allowed: they read files"
    return None


def check_header_calls(text: str) -> str | None:
    for name in sorted(HEADER_CALLS):
        if re.search(rf"\b{name}\b(?!\.h\b)", text):
            return f"calls {name}, which is not allowed"
    return None


def check_sanitizers(text: str) -> str | None:
    """Rule broken by a text that asks whether sanitizers watch it, and so could act differently there; None if it does
    not."""
    asked = _ASKS_FOR_SANITIZERS.search(text)
    return f"mentions {asked[0]}: a program may not find out whether sanitizers watch it" if asked else None


def check_calls(text: str, rules: Rules) -> str | None:
    for name in rules.calls:
        if re.search(rf"\b{re.escape(name)}\b", text):
            return f"uses '{name}', which this task's rules do not allow"
    return None


def check_python(text: str, task: Task) -> str | None:
    code = re.sub(r"#[^\n]*", "", text)
    forbidden = FORBIDDEN_MODULES | set(task.rules.libraries) | set(task.rules.includes)
    for module in _imported_modules(text):
        if module.split(".")[0] in forbidden or module in forbidden:
            return f"imports {module}, which is not allowed"
    hidden = re.search(r"\b(__import__|__builtins__|__loader__|__subclasses__)\b", code)
    if hidden:
        return f"uses {hidden[1]}, which is not allowed"
    called = re.search(r"\bos\s*\.\s*(system|popen|fork\w*|exec\w+|spawn\w+|posix_spawn\w*|kill\w*)\b", code)
    if called:
        return f"calls os.{called[1]}, which is not allowed"
    return check_calls(code, task.rules)


def _imported_modules(code: str) -> Iterator[str]:
    """Modules that a program names in import statements; by pattern where Python cannot parse it (it will not run
    then)."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield from _modules_by_pattern(code)
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _modules_by_pattern(code: str) -> Iterator[str]:
    for match in _PYTHON_IMPORT.finditer(code):
        for part in (match[1] or match[2]).split(","):
            words = part.split()
            if words:
                yield words[0]


def read_symbols(program: bytes) -> tuple[set[str], set[str], set[str]]:
    """(imported, defined, needed libraries) of a 64-bit little-endian ELF file, without trusting its content."""
    sections = _sections(program)
    imported: set[str] = set()
    defined: set[str] = set()
    for text, _, where in _symbols(program, sections):
        (imported if where == 0 else defined).add(text)
    libraries: set[str] = set()
    for _, kind, _, _, offset, length, link, *_ in sections:
        if kind == 6:  # dynamic section
            names = sections[link][4]
            for at in range(offset, offset + length, 16):
                tag, value = struct.unpack_from("<qQ", program, at)
                if tag == 1:
                    libraries.add(_string(program, names + value))
    return imported, defined, libraries


def read_variables(program: bytes) -> set[str]:
    """Global names that are defined as data, in sections that hold no code, and nowhere else: nothing can call them."""
    sections = _sections(program)
    data: set[str] = set()
    other: set[str] = set()
    for text, kind, where in _symbols(program, sections):
        is_data = kind == 1 and where < len(sections) and not sections[where][2] & 4
        (data if is_data else other).add(text)
    return data - other


def _sections(program: bytes) -> list[tuple[int, ...]]:
    if program[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF file")
    table, size, count = struct.unpack_from("<Q", program, 40)[0], *struct.unpack_from("<HH", program, 58)
    return [struct.unpack_from("<IIQQQQIIQQ", program, table + i * size) for i in range(count)]


def _symbols(program: bytes, sections: list[tuple[int, ...]]) -> Iterator[tuple[str, int, int]]:
    """(name, kind, index of its section; 0 where it is imported) of all global names."""
    for _, kind, _, _, offset, length, link, *_ in sections:
        if kind in (2, 11):  # symbol tables: static, dynamic
            names = sections[link][4]
            for at in range(offset, offset + length, 24):
                name, info, _, where, _, _ = struct.unpack_from("<IBBHQQ", program, at)
                if info >> 4 in (1, 2) and info & 15 in (0, 1, 2, 10):  # global or weak; not sections or files
                    yield _string(program, names + name).split("@")[0], info & 15, where


def _string(program: bytes, at: int) -> str:
    return program[at : program.index(b"\0", at)].decode(errors="replace")
