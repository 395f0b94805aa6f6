"""Tensors that two processes see: inputs in an arena that both map, outputs read where the other process left them.

On a CPU the arena is anonymous shared memory, and outputs are read from the memory of the stopped process. On a GPU
both are allocations passed as file descriptors: one for inputs, one from which the candidate's torch allocates.
"""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
from dataclasses import dataclass
from math import prod
from typing import Any, Protocol

import torch

ALIGNMENT = 512
LARGEST_RANK = 16
LARGEST = 1 << 48
"""Largest number of elements, and largest step between them, that a description may have."""
DTYPES = {
    str(each).removeprefix("torch."): each
    for each in (
        *(torch.float64, torch.float32, torch.float16, torch.bfloat16),
        *(torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool),
        *(torch.complex64, torch.complex128),
    )
}


class MalformedTensor(Exception):
    """The other process describes a tensor that is impossible."""


@dataclass(frozen=True)
class Placed:
    """A tensor by its place in memory, as one process describes it to another."""

    address: int
    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def itemsize(self) -> int:
        return int(DTYPES[self.dtype].itemsize)

    @property
    def extent(self) -> int:
        """Bytes from the first element to the end of the last."""
        if 0 in self.shape:
            return 0
        last = sum((n - 1) * stride for n, stride in zip(self.shape, self.strides, strict=True))
        return (last + 1) * self.itemsize

    def in_words(self) -> dict[str, Any]:
        return {"at": self.address, "dtype": self.dtype, "shape": list(self.shape), "strides": list(self.strides)}


def placed(tensor: Any) -> Placed:
    return Placed(
        tensor.data_ptr(), str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape), tuple(tensor.stride())
    )


def read_placed(words: Any) -> Placed:
    """A description from an untrusted process: every field is checked."""
    try:
        found = Placed(int(words["at"]), str(words["dtype"]), _numbers(words["shape"]), _numbers(words["strides"]))
    except (KeyError, TypeError, ValueError, OverflowError):
        raise MalformedTensor("a tensor's description is not one") from None
    if found.dtype not in DTYPES or len(found.shape) != len(found.strides) or len(found.shape) > LARGEST_RANK:
        raise MalformedTensor(f"dtype {found.dtype}, shape {found.shape}, strides {found.strides} is not a tensor")
    if min((0, found.address, *found.shape, *found.strides)) < 0:
        raise MalformedTensor("a tensor's description has negative numbers")
    if prod(filter(None, found.shape)) > LARGEST or max((0, *found.strides)) > LARGEST:
        raise MalformedTensor("a tensor's description has numbers that are too large")
    return found


def _numbers(values: Any) -> tuple[int, ...]:
    return tuple(int(each) for each in values)


def view(memory: Any, offset: int, like: Placed) -> Any:
    """A tensor within a tensor of bytes."""
    if offset < 0 or offset + like.extent > memory.numel():
        raise MalformedTensor("a tensor lies outside the memory it should be in")
    if (memory.data_ptr() + offset) % like.itemsize:
        raise MalformedTensor("a tensor lies at an address that is no multiple of its elements' size")
    if 0 in like.shape:
        return torch.empty(like.shape, dtype=DTYPES[like.dtype], device=memory.device)
    whole = memory[offset : offset + like.extent].view(DTYPES[like.dtype])
    return whole.as_strided(like.shape, like.strides)


class Arena(Protocol):
    """Memory that is mapped by two processes."""

    @property
    def memory(self) -> Any:
        """The memory as a tensor of bytes."""
        ...

    @property
    def descriptor(self) -> int:
        """File descriptor of the memory, to be passed to the other process."""
        ...

    @property
    def size(self) -> int: ...

    @property
    def base(self) -> int: ...

    def alone(self, words: Any) -> Any:
        """Tensor of a description. Its storage reaches no further than the tensor itself."""
        ...

    def close(self) -> None: ...


def sealed_memory(size: int) -> int:
    """Descriptor of memory whose size nobody can change.

    Otherwise a process could shrink it, and another die on access.
    """
    found = os.memfd_create("inputs", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(found, size)
    fcntl.fcntl(found, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    return found


class HostArena:
    """Anonymous shared memory."""

    def __init__(self, size: int, descriptor: int | None = None) -> None:
        self.size = max(size, mmap.PAGESIZE)
        self.descriptor = sealed_memory(self.size) if descriptor is None else descriptor
        self._mapped = mmap.mmap(self.descriptor, self.size)
        self.memory = torch.frombuffer(self._mapped, dtype=torch.uint8)

    @property
    def base(self) -> int:
        return int(self.memory.data_ptr())

    def alone(self, words: Any) -> Any:
        here = read_placed(words)
        part = torch.frombuffer(self._mapped, dtype=torch.uint8, offset=here.address, count=max(here.extent, 1))
        return view(part, 0, here)

    def close(self) -> None:
        os.close(self.descriptor)  # the mapping goes with its last tensor


class _Location(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int), ("id", ctypes.c_int))


class _Property(ctypes.Structure):
    """CUmemAllocationProp."""

    _fields_ = (
        ("kind", ctypes.c_int),
        ("handles", ctypes.c_int),
        ("location", _Location),
        ("metadata", ctypes.c_void_p),
        ("flags", ctypes.c_uint8 * 8),
    )


class _Access(ctypes.Structure):
    _fields_ = (("location", _Location), ("flags", ctypes.c_int))


_PINNED = _ON_DEVICE = _BY_DESCRIPTOR = 1
_READ_WRITE = 3


class DeviceArena:
    """GPU memory that other processes map through a file descriptor."""

    def __init__(self, size: int, descriptor: int | None = None, device: int = 0) -> None:
        torch.cuda.init()
        torch.zeros(1, device=f"cuda:{device}")  # makes the context current
        self._cuda = ctypes.CDLL("libcuda.so.1")
        self._location = _Location(_ON_DEVICE, device)
        wanted = _Property(_PINNED, _BY_DESCRIPTOR, self._location)
        grain = ctypes.c_size_t()
        self._do("cuMemGetAllocationGranularity", ctypes.byref(grain), ctypes.byref(wanted), ctypes.c_int(0))
        self.size = -(-size // grain.value) * grain.value
        self._handle = ctypes.c_ulonglong()
        if descriptor is None:
            self._do(
                "cuMemCreate", ctypes.byref(self._handle), ctypes.c_size_t(self.size), ctypes.byref(wanted), _zero()
            )
            exported = ctypes.c_int()
            self._do(
                "cuMemExportToShareableHandle",
                ctypes.byref(exported),
                self._handle,
                ctypes.c_int(_BY_DESCRIPTOR),
                _zero(),
            )
            self.descriptor = exported.value
        else:
            self.descriptor = descriptor
            self._do(
                "cuMemImportFromShareableHandle",
                ctypes.byref(self._handle),
                ctypes.c_void_p(descriptor),
                ctypes.c_int(_BY_DESCRIPTOR),
            )
        self._map(device)

    def _map(self, device: int) -> None:
        address = ctypes.c_ulonglong()
        size = ctypes.c_size_t(self.size)
        self._do("cuMemAddressReserve", ctypes.byref(address), size, ctypes.c_size_t(0), _zero(), _zero())
        self._do("cuMemMap", address, size, ctypes.c_size_t(0), self._handle, _zero())
        access = _Access(self._location, _READ_WRITE)
        self._do("cuMemSetAccess", address, size, ctypes.byref(access), ctypes.c_size_t(1))
        self.base = int(address.value)
        self.memory = torch.as_tensor(_Bytes(self.base, self.size), device=f"cuda:{device}")

    def alone(self, words: Any) -> Any:
        here = read_placed(words)
        part = _Bytes(self.base + here.address, max(here.extent, 1))
        return view(torch.as_tensor(part, device=self.memory.device), 0, here)

    def close(self) -> None:
        torch.cuda.synchronize()
        os.close(self.descriptor)
        size = ctypes.c_size_t(self.size)
        self._do("cuMemUnmap", ctypes.c_ulonglong(self.base), size)
        self._do("cuMemAddressFree", ctypes.c_ulonglong(self.base), size)
        self._do("cuMemRelease", self._handle)

    def _do(self, name: str, *arguments: Any) -> None:
        code = getattr(self._cuda, name)(*arguments)
        if code:
            raise RuntimeError(f"{name} failed with CUDA error {code}")


def _zero() -> ctypes.c_ulonglong:
    return ctypes.c_ulonglong(0)


class _Bytes:
    """Device memory as torch takes it without a copy."""

    def __init__(self, address: int, size: int) -> None:
        self.__cuda_array_interface__ = {
            "shape": (size,),
            "typestr": "|u1",
            "data": (address, False),
            "version": 3,
            "strides": None,
        }


def new_arena(device: str, size: int) -> Arena:
    return DeviceArena(size) if device == "cuda" else HostArena(size)


def open_arena(device: str, size: int, descriptor: int) -> Arena:
    return DeviceArena(size, descriptor) if device == "cuda" else HostArena(size, descriptor)


class _Span(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


def peek(pid: int, like: Placed) -> Any:
    """A tensor in the memory of another process, copied. Malformed where that memory is not there."""
    try:
        found = torch.empty(max(like.extent, 1), dtype=torch.uint8)
    except RuntimeError:
        raise MalformedTensor(f"a tensor of {like.extent} bytes, more than there is memory") from None
    if like.extent:
        _transfer("process_vm_readv", pid, found, like)
    return view(found, 0, like)


def poke(pid: int, like: Placed, byte: int) -> None:
    """Overwrites a tensor in the memory of another process; whatever of it is not there or read-only stays."""
    if like.extent:
        try:
            _transfer("process_vm_writev", pid, torch.full((like.extent,), byte, dtype=torch.uint8), like)
        except MalformedTensor:
            pass


def _transfer(call: str, pid: int, ours: Any, like: Placed) -> None:
    here, there = _Span(ours.data_ptr(), like.extent), _Span(like.address, like.extent)
    move = getattr(ctypes.CDLL(None, use_errno=True), call)
    move.restype = ctypes.c_ssize_t
    moved = move(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, ctypes.c_ulong(0))
    if moved != like.extent:
        raise MalformedTensor(f"a tensor's memory cannot be read ({os.strerror(ctypes.get_errno())})")
