"""What layers of torch.nn make of shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from maxcode.policy.rewrite.torch.tensors import Tensor

KEEPING = (
    "ReLU Sigmoid Tanh GELU SiLU Softmax LogSoftmax Softplus LeakyReLU ELU SELU Mish Hardswish Hardsigmoid Hardtanh "
    "ReLU6 BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d "
    "Dropout Dropout2d Identity RMSNorm Softsign LogSigmoid"
).split()


@dataclass(frozen=True)
class Layer:
    name: str
    args: tuple[Any, ...]
    given: tuple[tuple[str, Any], ...]

    def argument(self, at: int, name: str, default: Any) -> Any:
        return self.args[at] if len(self.args) > at else dict(self.given).get(name, default)


def layer_shape(layer: Layer, values: list[Any]) -> Tensor | None:
    """The shape of what a layer returns; None where it is not known."""
    tensor = values[0] if values else None
    if not isinstance(tensor, Tensor):
        return None
    if layer.name in KEEPING:
        return tensor
    if layer.name == "Linear":
        return Tensor((*tensor.shape[:-1], int(layer.argument(1, "out_features", None))))
    if layer.name.startswith("ConvTranspose"):
        return _transposed(layer, tensor)
    if layer.name.startswith("Conv"):
        return _convolved(layer, tensor)
    if layer.name.startswith(("MaxPool", "AvgPool")):
        return _pooled(layer, tensor)
    if layer.name == "Flatten":
        start = layer.argument(0, "start_dim", 1)
        size = 1
        for each in tensor.shape[start:]:
            size *= each
        return Tensor((*tensor.shape[:start], size))
    return None


def weight_shape(layer: Layer, name: str) -> Tensor | None:
    """The shape of a linear layer's weight or bias."""
    sizes = layer.argument(1, "out_features", None), layer.argument(0, "in_features", None)
    if layer.name != "Linear" or not all(isinstance(each, int) for each in sizes):
        return None
    return {"weight": Tensor(sizes), "bias": Tensor(sizes[:1])}.get(name)


def _each(value: Any, rank: int) -> list[int]:
    found = list(value) if isinstance(value, tuple | list) else [value] * rank
    if not all(isinstance(each, int) for each in found):
        raise TypeError("a size that is no number")
    return found


def _convolved(layer: Layer, tensor: Tensor) -> Tensor:
    rank = int(layer.name[4])
    names = ((2, "kernel_size", 1), (3, "stride", 1), (4, "padding", 0), (5, "dilation", 1))
    kernel, stride, padding, dilation = (_each(layer.argument(*each), rank) for each in names)
    sizes = [
        (size + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1
        for i, size in enumerate(tensor.shape[2:])
    ]
    return Tensor((tensor.shape[0], int(layer.argument(1, "out_channels", None)), *sizes))


def _transposed(layer: Layer, tensor: Tensor) -> Tensor:
    rank = int(layer.name[13])
    names = ((2, "kernel_size", 1), (3, "stride", 1), (4, "padding", 0), (5, "output_padding", 0), (8, "dilation", 1))
    kernel, stride, padding, extra, dilation = (_each(layer.argument(*each), rank) for each in names)
    sizes = [
        (size - 1) * stride[i] - 2 * padding[i] + dilation[i] * (kernel[i] - 1) + extra[i] + 1
        for i, size in enumerate(tensor.shape[2:])
    ]
    return Tensor((tensor.shape[0], int(layer.argument(1, "out_channels", None)), *sizes))


def _pooled(layer: Layer, tensor: Tensor) -> Tensor | None:
    rank = int(layer.name[7])
    kernel = _each(layer.argument(0, "kernel_size", None), rank)
    given = layer.argument(1, "stride", None)
    stride = kernel if given is None else _each(given, rank)
    padding = _each(layer.argument(2, "padding", 0), rank)
    if layer.argument(3, "dilation", 1) != 1 or dict(layer.given).get("ceil_mode"):
        return None
    sizes = [(size + 2 * padding[i] - kernel[i]) // stride[i] + 1 for i, size in enumerate(tensor.shape[2:])]
    return Tensor((tensor.shape[0], tensor.shape[1], *sizes))
