"""Tables of the static rules: modules and names that a torch candidate may not use, and what to do instead."""

from __future__ import annotations

_LATER = "work may not go on beside the call or after it; compute in forward"
_ALONE = "a candidate is one process and starts no other"
_FILES = "a candidate reads and writes no files; keep what it needs in its text"
_NETWORK = "a candidate has no network"
_INSIDES = "the interpreter's insides are not the candidate's; write what you need in its own text"
_NATIVE = "give native code as text to torch.utils.cpp_extension.load_inline"

MODULES: dict[str, str] = {
    **dict.fromkeys("threading _thread concurrent asyncio sched queue".split(), _LATER),
    **dict.fromkeys("multiprocessing _multiprocessing subprocess _posixsubprocess pty psutil pynvml".split(), _ALONE),
    **dict.fromkeys("atexit signal _signal faulthandler".split(), "nothing may run at the end or at a signal"),
    **dict.fromkeys("socket _socket ssl http urllib requests aiohttp ftplib select selectors".split(), _NETWORK),
    **dict.fromkeys("gc inspect importlib imp pkgutil runpy weakref _weakref builtins __main__ dis".split(), _INSIDES),
    **dict.fromkeys(
        "marshal pickle cloudpickle dill code codeop zipimport site tracemalloc linecache".split(), _INSIDES
    ),
    **dict.fromkeys("io _io pathlib shutil tempfile glob fileinput sqlite3 dbm shelve mmap fcntl".split(), _FILES),
    **dict.fromkeys("ctypes _ctypes cffi cppyy pybind11".split(), _NATIVE),
    **dict.fromkeys("posix nt resource".split(), "the operating system is not the candidate's; compute in forward"),
    "maxcode": "the evaluator is not the candidate's; compute in forward",
}
"""Modules that may not be imported, with what to do instead."""

REACHED = frozenset(
    """threading _thread multiprocessing subprocess ctypes gc importlib inspect atexit socket weakref builtins pickle
    shutil tempfile pathlib mmap os sys""".split()
)
"""Modules that may not be reached through another one that imports them either, such as torch.sys."""

ALLOWED_OF = {
    "os": frozenset("environ getenv path cpu_count linesep sep name".split()),
    "sys": frozenset("maxsize version version_info platform float_info byteorder stdout stderr".split()),
}
"""Names that may be used of modules of which all others are forbidden."""

BUILD_VARIABLES = frozenset("TORCH_CUDA_ARCH_LIST MAX_JOBS CC CXX".split())
"""Environment variables a candidate may set: they change how its own extension is built."""

_STREAM = (
    "work on another stream may still run when forward has returned; use the current stream (CUDA graphs are fine)"
)
_SETTING = "settings of the whole process stay as the task gives them; both sides run with the same"
_PRECISION = "precision is the task's, the same on both sides; leave it as it is"
_SEEDS = "random numbers are the harness's; do not seed"
_TENSORS = "forward returns plain tensors, computed when it returns"
_DISPATCH = "operators of PyTorch stay as they are; define your own under a name of your own"
_ALLOCATOR = "memory comes from PyTorch's allocator as it is"

NAMES: dict[str, str] = {
    **dict.fromkeys(
        "builtins.eval builtins.exec builtins.compile builtins.globals builtins.__import__".split(), _INSIDES
    ),
    **dict.fromkeys(
        "builtins.breakpoint builtins.__builtins__ builtins.__loader__ builtins.__spec__".split(), _INSIDES
    ),
    **dict.fromkeys("builtins.exit builtins.quit".split(), "forward returns, it does not end the process"),
    **dict.fromkeys("builtins.open builtins.input torch.save torch.load torch.from_file torch.hub".split(), _FILES),
    **dict.fromkeys("numpy.load numpy.save numpy.savez numpy.memmap numpy.fromfile torch.package".split(), _FILES),
    **dict.fromkeys("torch.Stream torch.cuda.Stream torch.cuda.stream torch.cuda.streams".split(), _STREAM),
    **dict.fromkeys("torch.cuda.set_stream torch.cuda.StreamContext torch.cuda.ExternalStream".split(), _STREAM),
    **dict.fromkeys("torch.cpu.Stream torch.cpu.stream torch.accelerator.set_stream cupy.cuda.Stream".split(), _STREAM),
    **dict.fromkeys("torch.multiprocessing torch.distributed torch.utils.data".split(), _ALONE),
    **dict.fromkeys("torch.futures torch.jit.fork torch.jit._fork torch._C._fork time.sleep".split(), _LATER),
    **dict.fromkeys("torch.autocast torch.amp torch.cuda.amp torch.cpu.amp".split(), _PRECISION),
    **dict.fromkeys("torch.set_float32_matmul_precision torch.set_flush_denormal".split(), _PRECISION),
    **dict.fromkeys("torch.set_default_dtype torch.set_default_tensor_type torch.set_default_device".split(), _SETTING),
    **dict.fromkeys("torch.use_deterministic_algorithms torch.set_deterministic_debug_mode".split(), _SETTING),
    **dict.fromkeys("torch.backends.cudnn.flags torch.backends.mkldnn.flags torch.backends.flags".split(), _SETTING),
    **dict.fromkeys("torch.backends.cudnn.set_flags torch.backends.mkldnn.set_flags".split(), _SETTING),
    **dict.fromkeys("torch.manual_seed torch.seed torch.initial_seed torch.set_rng_state torch.random".split(), _SEEDS),
    **dict.fromkeys("torch.cuda.manual_seed torch.cuda.manual_seed_all torch.cuda.set_rng_state".split(), _SEEDS),
    **dict.fromkeys("torch.cuda.initial_seed torch.cuda.seed torch.default_generator".split(), _SEEDS),
    **dict.fromkeys("torch.overrides torch.utils._python_dispatch torch.utils._device".split(), _TENSORS),
    **dict.fromkeys("torch._subclasses torch._lazy torch._C._TensorBase".split(), _TENSORS),
    **dict.fromkeys("torch._C torch.nn.modules.module.register_module_forward_hook".split(), _DISPATCH),
    **dict.fromkeys("torch.cuda.cudart torch.cuda.memory torch.cuda.CUDAPluggableAllocator".split(), _ALLOCATOR),
    **dict.fromkeys("torch.cuda.change_current_allocator torch.cuda.caching_allocator_alloc".split(), _ALLOCATOR),
    **dict.fromkeys("torch.UntypedStorage torch.storage.UntypedStorage".split(), _ALLOCATOR),
    "contextlib.suppress": "an exception that is suppressed hides a kernel that fails; let it fail",
    "torch.utils.cpp_extension.load": _NATIVE,
    "types.CodeType": _INSIDES,
    "types.FunctionType": _INSIDES,
}
"""Full names that may not be used, with everything below them. (torch.utils.data starts processes.)"""

ATTRIBUTES: dict[str, str] = {
    **dict.fromkeys("__subclasses__ __globals__ __code__ __closure__ __builtins__ __bases__ __mro__".split(), _INSIDES),
    **dict.fromkeys("__getattribute__ __loader__ __spec__ __import__ __reduce_ex__ mro".split(), _INSIDES),
    **dict.fromkeys("f_back f_globals f_locals f_builtins tb_frame gi_frame cr_frame _getframe".split(), _INSIDES),
    **dict.fromkeys("_make_subclass _make_wrapper_subclass as_subclass".split(), _TENSORS),
    **dict.fromkeys("__torch_function__ __torch_dispatch__".split(), _TENSORS),
    **dict.fromkeys("record_stream wait_stream".split(), _STREAM),
    **dict.fromkeys("manual_seed manual_seed_all".split(), _SEEDS),
    **dict.fromkeys("from_file tofile _new_shared_filename_cpu".split(), _FILES),
}
"""Attributes that may not be used, whatever they belong to."""

METHODS = {
    "__torch_function__": _TENSORS,
    "__torch_dispatch__": _TENSORS,
    "__del__": "nothing may run when an object is collected; compute in forward",
}
"""Methods that may not be defined."""

BASES = {
    **dict.fromkeys("torch.Tensor torch.nn.Parameter torch.nn.parameter.Parameter".split(), _TENSORS),
    **dict.fromkeys(
        "torch.utils._python_dispatch.TorchDispatchMode torch.overrides.TorchFunctionMode".split(), _TENSORS
    ),
}

TF32_SETTINGS = frozenset("allow_tf32 fp32_precision".split())
OWN_SETTINGS = (
    "torch.backends.cudnn.benchmark",
    "torch.backends.cudnn.benchmark_limit",
    "torch._inductor.config",
    "torch._dynamo.config",
)
"""Settings that only choose among ways of the same precision, in the candidate's own process."""

SETTING = _SETTING
PRECISION = _PRECISION
DISPATCH = _DISPATCH
STREAM = _STREAM
