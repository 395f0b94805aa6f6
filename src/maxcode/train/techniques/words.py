"""Techniques that show in single words: what is called, which types are used, what pragmas and assembler say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.train.techniques.kinds import Technique
from maxcode.train.techniques.live import LiveCode

_THREADS = re.compile(
    r"omp_\w+|GOMP_\w+|__kmpc_\w+|pthread_create|thrd_create|cilk_\w+|_Cilk_\w+|jthread|par_unseq|tbb"
    r"|dispatch_apply\w*|clone3?"
)
_THREADS_OF_STD = re.compile(
    r"\bstd\s*::\s*(?:thread|async|execution\s*::\s*par\w*)\b|\busing\s+std\s*::\s*(?:thread|async)\b"
)
_THREAD_CALLS = re.compile(r"\b(?:thread|async)\b\s*(?:\w+\s*)?[({]|\bvector\s*<\s*thread\s*>")
_NOT_VECTORS = re.compile(r"_mm_(?:prefetch|malloc|free|pause|clflush\w*|[lsm]fence|getcsr|setcsr)|_mm_popcnt_\w+")
_VECTORS = re.compile(
    r"_mm(?:256|512)?_\w+|__m(?:64|128|256|512)[dih]?(?:_u)?|__v\d+[a-z]{2}"
    r"|__builtin_ia32_(?!rdtsc|pause|prefetch|crc32|bextr|pdep|pext|lzcnt|tzcnt|rdrand)\w+"
    r"|__builtin_(?:shuffle|shufflevector|convertvector)"
    r"|(?:float|int|uint|poly|bfloat)\d+x\d+(?:x\d)?_t|v[a-z]+\w*_[fsu](?:8|16|32|64)|sv(?:float|int|uint)\d+_t"
    r"|(?:native_|fixed_size_)simd|unseq|par_unseq"
)
_SIMD_NAMESPACE = re.compile(r"\bsimd\s*<|\bstdx?\s*::\s*(?:experimental\s*::\s*)?simd\w*")
_VECTOR_TYPE = re.compile(r"\b(?:__)?(?:vector_size|ext_vector_type)(?:__)?\s*\(|\b(?:gnu|clang)::(?:ext_)?vector_\w+")
_VECTOR_FEATURES = re.compile(r"\b(?:no-)?(?:avx\w*|sse\w*|mmx|arch=|prefer-vector-width|x86-64-v[2-4])")
_VECTORISED = re.compile(r"\bf?-?tree-(?:loop-|slp-)?vectorize\b")
_PACKED_ASSEMBLER = re.compile(
    r"\b[yz]mm\d|%[0-9\[\w\]]*\b[yz]mm|\bv?\w+p[sd]\b|\bvp\w+\b|\bmovdq\w*|\bp(?:add|mul|sub|max|min|sh|xor|or|and)\w*\b"
)
_ASSUMING = re.compile(
    r"__builtin_assume\w*|__builtin_unreachable|__assume|assume_aligned|__builtin_expect_with_probability|unreachable"
)
_ASSUMED = re.compile(r"\[\[\s*(?:gnu\s*::\s*)?assume\b|\battribute\w*\s*\(\(\s*assume\b")
_ATTRIBUTES = re.compile(r"(?<![a-z])(optimize|target_clones|target|simd)(?:__)?(?!\w)\s*(?:\(([^()]*)\))?")
_HARMLESS_PRAGMAS = re.compile(
    r"once|(?:GCC|clang)\s+(?:diagnostic|system_header|push_options|pop_options|reset_options|poison|dependency|warning"
    r"|error|visibility)|pack\b|message|region|endregion|mark|warning|weak|redefine_extname|push_macro|pop_macro|comment"
)


def by_words(program: LiveCode) -> Iterator[Technique]:
    words = set(re.findall(r"[A-Za-z_]\w*", _without_strings(program.source.code)))
    code = _without_strings(_without_pragmas(program.source.code))
    if any(_THREADS.fullmatch(word) for word in words) or _threads_of_std(code):
        yield Technique.OPENMP
    if any(_VECTORS.fullmatch(word) and not _NOT_VECTORS.fullmatch(word) for word in words):
        yield Technique.SIMD
    if _SIMD_NAMESPACE.search(code) or _vector_types(code):
        yield Technique.SIMD
    if any(_PACKED_ASSEMBLER.search(text) for text in assembler(program)):
        yield Technique.SIMD
    if any(_ASSUMING.fullmatch(word) for word in words) or _ASSUMED.search(code):
        yield Technique.PRAGMAS
    yield from _by_attributes(program)
    for pragma in program.pragmas:
        yield from _by_pragma(pragma)


def assembler(program: LiveCode) -> Iterator[str]:
    """Text of inline assembly."""
    source = program.source
    for node in source.find("gnu_asm_expression", "asm_expression", "ms_asm"):
        yield source.text(node)
    for found in re.finditer(r"\b(?:__)?asm(?:__)?\b[^;{]*", source.code):
        yield found[0]


def _threads_of_std(code: str) -> bool:
    return bool(_THREADS_OF_STD.search(code)) or (
        bool(re.search(r"\busing\s+namespace\s+std\b", code)) and bool(_THREAD_CALLS.search(code))
    )


def _vector_types(code: str) -> bool:
    """Whether a vector type is made and used: a name for one alone does nothing."""
    for found in _VECTOR_TYPE.finditer(code):
        begin = max(code.rfind(each, 0, found.start()) for each in ";{}") + 1
        end = code.find(";", found.end())
        statement = code[begin:end]
        named = re.search(r"\b(?:typedef|using)\b", statement)
        if not named:
            return True
        after = re.search(r"using\s+(\w+)", statement) or re.search(r"(\w+)\s*$", _without_attributes(statement))
        if after is None or len(re.findall(rf"\b{after[1]}\b", code)) > 1:
            return True
    return False


def _without_attributes(text: str) -> str:
    return re.sub(r"\b__attribute(?:__)?\s*\(\(.*?\)\)(?=\s|$|;)", " ", text, flags=re.DOTALL)


def _by_attributes(program: LiveCode) -> Iterator[Technique]:
    source = program.source
    for node in source.find("attribute_specifier", "attribute_declaration"):
        for name, said in _ATTRIBUTES.findall(source.text(node)):
            if name == "optimize":
                yield Technique.PRAGMAS
                yield from _by_options(said)
            elif name == "simd" or name == "target_clones" or _VECTOR_FEATURES.search(said):
                yield Technique.SIMD


def _by_pragma(pragma: str) -> Iterator[Technique]:
    if pragma.startswith("omp"):
        yield from _by_omp(pragma.removeprefix("omp").split())
    elif re.match(r"(?:GCC\s+)?unroll(?:_and_jam)?\b|clang loop\b.*\bunroll|(?:GCC|clang)\s+loop\s+unroll", pragma):
        yield Technique.PRAGMAS if re.search(r"\b1\s*\)?$|disable", pragma) else Technique.UNROLLING
    elif re.match(r"acc\b", pragma):
        yield Technique.OPENMP
    elif re.match(r"simd\b|vector\b|clang loop\b.*\b(?:vectorize|interleave)", pragma):
        yield Technique.SIMD
    elif not _HARMLESS_PRAGMAS.match(pragma):
        yield Technique.PRAGMAS
        if re.match(r"(?:GCC|clang)\s+(?:target|attribute)", pragma) and _VECTOR_FEATURES.search(pragma):
            yield Technique.SIMD
        if re.match(r"(?:GCC|clang)\s+optimize", pragma):
            yield from _by_options(pragma)


def _by_omp(said: list[str]) -> Iterator[Technique]:
    words = re.findall(r"[a-z]+", " ".join(said).split("(")[0])
    if "simd" in words:
        yield Technique.SIMD
    if words[:1] == ["unroll"]:
        yield Technique.UNROLLING
    elif words[:1] == ["tile"]:
        yield Technique.CACHE_BLOCKING
    elif words[:1] != ["simd"] and words[:2] != ["declare", "simd"]:
        yield Technique.OPENMP


def _by_options(said: str) -> Iterator[Technique]:
    if _VECTORISED.search(said) and not re.search(r"no-tree-(?:loop-|slp-)?vectorize", said):
        yield Technique.SIMD
    if re.search(r"(?<!no-)unroll-(?:all-)?loops", said):
        yield Technique.UNROLLING


def _without_strings(code: str) -> str:
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', code)


def _without_pragmas(code: str) -> str:
    return re.sub(r"^\s*#pragma .*$", "", code, flags=re.MULTILINE)
