"""Names in a source, and the headers of torch that they need."""

from __future__ import annotations

import re

REPLACED = ("torch/extension.h", "torch/types.h", "torch/torch.h", "torch/all.h", "ATen/ATen.h")
"""Headers that include all of torch."""

HARMLESS = ("torch/library.h", "torch/cuda.h", "torch/version.h")

CORE = (
    "ATen/core/Tensor.h",
    "ATen/Formatting.h",
    "ATen/TensorOperators.h",
    "ATen/TracerMode.h",
    "ATen/core/LegacyTypeDispatch.h",
    "ATen/core/Reduction.h",
    "c10/core/TensorOptions.h",
    "c10/util/Exception.h",
    "algorithm",
    "cmath",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "functional",
    "iostream",
    "limits",
    "memory",
    "numeric",
    "optional",
    "string",
    "tuple",
    "utility",
    "vector",
)

BY_WORD = {
    "ATen/Context.h": frozenset({"globalContext"}),
    "ATen/DeviceGuard.h": frozenset({"device_of", "DeviceGuard", "OptionalDeviceGuard"}),
    "ATen/ExpandUtils.h": frozenset({"infer_size", "expand_outplace", "expand_inplace", "sum_to"}),
    "ATen/Parallel.h": frozenset({"parallel_for", "parallel_reduce", "get_num_threads", "set_num_threads"}),
    "ATen/ScalarOps.h": frozenset({"scalar_to_tensor"}),
    "ATen/TensorIndexing.h": frozenset({"Slice", "TensorIndex", "indexing", "Ellipsis"}),
    "ATen/TensorUtils.h": frozenset({"TensorArg", "CheckedFrom", "TensorGeometryArg"}),
    "ATen/core/Generator.h": frozenset({"Generator"}),
    "ATen/core/grad_mode.h": frozenset({"NoGradGuard", "AutoGradMode"}),
    "ATen/core/ivalue.h": frozenset({"IValue"}),
    "c10/core/DeviceGuard.h": frozenset({"DeviceGuard", "OptionalDeviceGuard"}),
    "c10/core/InferenceMode.h": frozenset({"InferenceMode"}),
    "c10/util/irange.h": frozenset({"irange"}),
    "atomic": frozenset({"atomic"}),
    "array": frozenset({"array"}),
    "chrono": frozenset({"chrono"}),
    "map": frozenset({"map"}),
    "mutex": frozenset({"mutex"}),
    "random": frozenset({"mt19937", "random_device"}),
    "set": frozenset({"set"}),
    "sstream": frozenset({"stringstream", "ostringstream"}),
    "stdexcept": frozenset({"runtime_error", "invalid_argument"}),
    "thread": frozenset({"thread"}),
    "unordered_map": frozenset({"unordered_map"}),
    "unordered_set": frozenset({"unordered_set"}),
}

BY_PREFIX = {
    "ATen/Dispatch.h": ("AT_DISPATCH_", "AT_PRIVATE_"),
    "torch/library.h": ("TORCH_LIBRARY", "TORCH_SELECTIVE"),
}

BY_TEXT = {
    "ATen/TensorIndexing.h": re.compile(r"(\.|->)index(_put_)?\s*\("),
    "torch/cuda.h": re.compile(r"\btorch\s*::\s*cuda\b"),
}

PYTHON_INCLUDES = ("torch/csrc/python_headers.h", "torch/csrc/utils/pybind.h", "torch/csrc/Exceptions.h")
PYTHON = re.compile(r"\bpy\s*::|\bpybind11\b|\bPYBIND11_|\bPy[A-Z]\w*|\bTHP\w+")

OF_TORCH = frozenset(
    """
    Tensor TensorOptions TensorList TensorBase TensorAccessor PackedTensorAccessor32 PackedTensorAccessor64
    GenericPackedTensorAccessor RestrictPtrTraits DefaultPtrTraits ScalarType Scalar Dtype Device DeviceType
    DeviceIndex Layout MemoryFormat IntArrayRef ArrayRef OptionalIntArrayRef SmallVector DimVector Storage Generator
    Half BFloat16 optional nullopt indexing NoGradGuard AutoGradMode DeviceGuard OptionalDeviceGuard device_of
    wrap_pybind_function wrap_pybind_function_no_gil parallel_for cuda Reduction toString typeMetaToScalarType
    elementSize dtype device layout requires_grad isFloatingType isIntegralType isComplexType Stream
    kFloat kDouble kHalf kBFloat16 kInt kLong kShort kChar kByte kBool kComplexFloat kComplexDouble kCPU kCUDA kStrided
    kFloat8_e4m3fn kFloat8_e5m2 kMeta kSparse
    """.split()
)
"""Names in namespace torch that the slim headers have besides operators, factories and fixed-width types."""

OF_TENSOR = frozenset(
    """
    add add_ sub sub_ mul mul_ div div_ remainder remainder_ bitwise_and bitwise_and_ bitwise_or bitwise_or_ bitwise_xor
    bitwise_xor_ bitwise_not lt le gt ge eq ne neg fill_ item select index index_put_ to clone copy_ contiguous numel
    alias detach requires_grad_ is_contiguous size stride dim cpu cuda
    """.split()
)
"""Methods of Tensor that other headers use, or that the class uses for its operators."""

LIBRARIES = ("cublas", "cusparse", "cusolver", "cudss", "cudnn", "getcurrentcudablas", "getcurrentcudasolver")

CUDA_HEADERS = ("ATen/cuda/CUDAContext.h", "ATen/cuda/CUDAContextLight.h", "ATen/cuda/Exceptions.h")

LIBRARY_LINE = re.compile(
    r"^[ \t]*#include <cu(?:sparse|blas|solver|dss)\w*\.h>[ \t]*\n"
    r"|^[^#\n\\]*\bcu(?:sparse|blas|blasLt|solver|solverDn|dss)(?:Handle|Status)_t\b[^\n\\]*;[ \t]*\n",
    re.M,
)
"""Line of a header that includes a CUDA library's own header."""
