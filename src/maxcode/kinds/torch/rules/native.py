"""Static rules over C++ and CUDA text in the string literals of a torch candidate."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from maxcode.evaluate.rules import (
    check_assembler,
    check_calls,
    check_includes,
    check_pragmas,
    normalise,
    strip_comments_and_strings,
    without_comments,
)
from maxcode.kinds.torch.rules.names import BrokenRule, literal
from maxcode.task.model import Task

_LATER = "work may not go on beside the call or after it"
_STREAM = "launch on the current stream (at::cuda::getCurrentCUDAStream())"
_L2 = "the caches are as the harness leaves them"
_SYSTEM = "a kernel computes; it has no business with files, processes or the system"
_PYTHON = "native code does not drive the interpreter"
_SETTINGS = "settings of the whole process stay as the task gives them"
_HOOK = "the runtime and the C library stay as they are"

_FORBIDDEN: tuple[tuple[str, str], ...] = (
    (r"cudaStreamCreate\w* cuStreamCreate\w* getStreamFromPool cudaStreamPerThread cudaStreamNonBlocking", _STREAM),
    (r"cudaLaunchHostFunc cuLaunchHostFunc cudaStreamAddCallback cuStreamAddCallback atexit at_quick_exit", _LATER),
    (r"std::(?:thread|jthread|async|packaged_task) pthread_create thrd_create intraop_launch at::launch", _LATER),
    (r"\w*[aA]ccessPolicyWindow\w* cudaLimitPersistingL2CacheSize CU_LIMIT_PERSISTING_L2_CACHE_SIZE", _L2),
    (r"\w*ResetPersistingL2Cache cudaStreamSetAttribute cuStreamSetAttribute cudaDeviceSetLimit cuCtxSetLimit", _L2),
    (r"cudaDeviceReset cudaIpc\w+ cuIpc\w+ cuMemGetAddressRange\w* cudaPointerGetAttributes", _SYSTEM),
    (r"dlopen dlmopen dlsym dlvsym mprotect", _HOOK),
    (r"setenv unsetenv putenv syscall ptrace process_vm_\w+ prctl sched_set\w+ setpriority", _SYSTEM),
    (r"(?<![.>])(?:fork|vfork|system|popen|exec[lv]p?e?|kill|killpg|tgkill|sigaction|posix_spawnp?)", _SYSTEM),
    (r"fopen freopen fdopen ifstream ofstream fstream opendir openat readlink shm_open memfd_create mmap", _SYSTEM),
    (r"(?<![.>])(?:socket|connect|sleep|usleep|nanosleep)(?=\() sleep_for sleep_until", _SYSTEM),
    (r"_exit _Exit quick_exit exit\((?:0|EXIT_SUCCESS)\)", "a kernel returns, it does not end the process"),
    (r"PyRun_\w+ PyEval_\w+ PyImport_\w+ py(?:bind11)?::(?:exec|eval|module_?::import)", _PYTHON),
    (r"setAllowTF32\w* setFloat32MatmulPrecision setBenchmarkCuDNN setDeterministic\w* manual_seed", _SETTINGS),
    (r"SetAllocator SetCPUAllocator changeCurrentAllocator", _SETTINGS),
    (r"constructor destructor init_array fini_array", "nothing runs before or after the calls"),
)
"""Identifiers, as patterns separated by spaces, and what is wrong with them."""


def _identifiers(patterns: str) -> re.Pattern[str]:
    spaced = re.sub(r"::|\\\(|\\\)", lambda mark: rf"\s*{mark[0]}\s*", "|".join(patterns.split()))
    return re.compile(rf"(?<!\w)(?:{spaced})(?!\w)")


_IDENTIFIERS = tuple((_identifiers(patterns), why) for patterns, why in _FORBIDDEN)
_TF32 = re.compile(r"\b(?:CUBLAS_TF32_TENSOR_OP_MATH|CUBLAS_COMPUTE_32F_FAST_\w+|cublasSetMathMode)\b")
_REPLACED = re.compile(
    r"\b(cuda(?:DeviceSynchronize|StreamSynchronize|Event\w+|Launch\w*|Malloc\w*|Memcpy\w*)|cuLaunch\w+"
    r"|clock_gettime|gettimeofday|malloc|memcpy|memcmp)\s*\([^;{}()]*\)\s*(?:noexcept\s*)?\{"
)
_PATHS = re.compile(r"(/proc/|/dev/shm|/sys/|/home/)")
_OPERATORS = re.compile(r"\bTORCH_LIBRARY(?:_IMPL|_FRAGMENT)?\s*\(\s*(aten|prims?|quantized|_)\s*[,)]")
_BAD_FLAG = re.compile(
    r"^(?:-include|--?pre-include|-Wl,.*(?:wrap|init|fini|preload|rpath)|-specs|-fplugin|-B|@|-I/|-L/)"
)


def native_findings(tree: ast.Module, task: Task, *, tf32: bool) -> list[BrokenRule]:
    found: list[BrokenRule] = []
    for text in native_literals(tree):
        found += _check(literal(text) or "", text.lineno, task, tf32)
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and (node.arg or "").startswith("extra_"):
            found += _check_flags(node, task)
    return found


def native_literals(tree: ast.AST) -> Iterator[ast.expr]:
    """Outermost string literals that look like C++ or CUDA, without docstrings."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        text = literal(node) if isinstance(node, ast.expr) else None
        if text is not None:
            if is_native(text) and isinstance(node, ast.expr):
                yield node
            continue
        children = list(ast.iter_child_nodes(node))
        waiting += [c for c in children if not (isinstance(c, ast.Expr) and isinstance(c.value, ast.Constant))]


def is_native(text: str) -> bool:
    return ";" in text or "#include" in text or "__global__" in text


def _check(text: str, first_line: int, task: Task, tf32: bool) -> Iterator[BrokenRule]:
    joined = normalise(text)
    code, commented = strip_comments_and_strings(joined), without_comments(joined)
    for pattern, why in _IDENTIFIERS:
        yield from _matches(pattern, code, first_line, "native code uses {}: " + why)
    if not tf32:
        yield from _matches(_TF32, code, first_line, "native code uses {}: precision is the task's")
    yield from _matches(_REPLACED, code, first_line, "native code defines {} anew: " + _HOOK)
    yield from _matches(_OPERATORS, code, first_line, "native code replaces operators of {}: define your own instead")
    yield from _matches(_PATHS, commented, first_line, "native code names {}: " + _SYSTEM)
    for broken in (
        check_includes(commented, task),
        check_pragmas(commented, task.rules),
        check_assembler(joined),
        check_calls(code, task.rules),
    ):
        if broken:
            yield BrokenRule(first_line, f"native {broken}", f"native code: {broken}")


def _matches(pattern: re.Pattern[str], text: str, first_line: int, reason: str) -> Iterator[BrokenRule]:
    for match in pattern.finditer(text):
        shown = " ".join((match[1] if pattern.groups else match[0]).split())
        line = first_line + text.count("\n", 0, match.start())
        yield BrokenRule(line, f"native {shown}", reason.format(shown))


def _check_flags(node: ast.keyword, task: Task) -> Iterator[BrokenRule]:
    for each in ast.walk(node.value):
        flag = each.value if isinstance(each, ast.Constant) and isinstance(each.value, str) else None
        if flag is None or not isinstance(each, ast.expr):
            continue
        if _BAD_FLAG.match(flag):
            yield BrokenRule(each.lineno, f"flag {flag}", f"builds with {flag}; leave that flag out")
        for library in task.rules.libraries:
            if library.lower() in flag.lower():
                reason = f"builds with {flag}: '{library}' is not allowed by this task's rules"
                yield BrokenRule(each.lineno, f"flag {flag}", reason)
