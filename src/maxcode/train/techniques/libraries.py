"""Libraries that do the work of a kernel, and ways to reach one: not permitted under any mask."""

from __future__ import annotations

import re

from maxcode.train.techniques.live import LiveCode
from maxcode.train.techniques.words import assembler

_NUMBER = r"[sdcz]"
_CALLS = {
    "BLAS": re.compile(
        rf"cblas_\w+|{_NUMBER}(?:gemm|gemv|trsm|trmm|syrk|symm|ger|dot|axpy|scal)_+|openblas_\w+|bli_\w+|ATL_\w+"
    ),
    "LAPACK": re.compile(rf"LAPACKE?_\w+|{_NUMBER}(?:getrf|potrf|gesv|geqrf)_+"),
    "MKL": re.compile(r"mkl_\w+|MKL_\w+|DftiComputeForward"),
    "Eigen": re.compile(r"Eigen"),
    "Armadillo": re.compile(r"arma"),
    "FFTW": re.compile(r"fftw[fl]?_\w+"),
    "GSL": re.compile(r"gsl_\w+"),
    "CUDA": re.compile(r"cublas\w+|cuda[A-Z]\w+|cufft\w+"),
    "LIBXSMM": re.compile(r"libxsmm_\w+"),
    "dlopen": re.compile(r"dlopen|dlmopen|dlv?sym|__libc_dlopen_mode"),
}
_HEADERS = {
    "BLAS": re.compile(r"(?:.*/)?(?:cblas\w*|f77blas|openblas\w*|blis|blas|clblast|Accelerate)(?:\.h|/.*)?", re.I),
    "LAPACK": re.compile(r"(?:.*/)?lapack\w*\.h", re.I),
    "MKL": re.compile(r"(?:.*/)?mkl\w*(?:\.h|/.*)", re.I),
    "Eigen": re.compile(r"(?:eigen3/)?(?:unsupported/)?Eigen/.*"),
    "Armadillo": re.compile(r"armadillo"),
    "FFTW": re.compile(r"fftw3?\.h"),
    "GSL": re.compile(r"gsl/.*"),
    "CUDA": re.compile(r"cu(?:blas|da|fft)\w*\.h"),
    "Boost uBLAS": re.compile(r"boost/numeric/ublas/.*"),
    "xtensor": re.compile(r"xtensor(?:-blas)?/.*"),
    "Blaze": re.compile(r"blaze/.*"),
    "LIBXSMM": re.compile(r"libxsmm\w*\.h"),
    "dlopen": re.compile(r"dlfcn\.h"),
}


def libraries(program: LiveCode) -> tuple[str, ...]:
    own = set(program.functions)
    plain = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', program.source.code)
    words = set(re.findall(r"[A-Za-z_]\w*", plain)) - own
    words |= {word for text in assembler(program) for word in re.findall(r"[A-Za-z_]\w*", text)} - own
    called = {name for name, known in _CALLS.items() if any(known.fullmatch(word) for word in words)}
    included = {name for name, known in _HEADERS.items() if any(known.fullmatch(each) for each in program.includes)}
    return tuple(sorted(called | included))
