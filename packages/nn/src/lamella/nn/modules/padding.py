"""Layers that add a border."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module
from lamella.nn.modules.utils import _ntuple, _pair, _quadruple

__all__ = [
    "CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d",
    "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d",
    "ReplicationPad3d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d",
]  # fmt: skip

_sextuple = _ntuple(6)


class _PadNd(Module):
    """Pads by `F.pad` in one mode."""

    __constants__ = ["padding"]
    _mode: str
    padding: tuple[int, ...]

    def forward(self, input: Tensor) -> Tensor:
        """Pads `input`."""
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        """The widths."""
        return f"{self.padding}"


class _ConstantPadNd(Module):
    __constants__ = ["padding", "value"]
    padding: tuple[int, ...]

    def __init__(self, value: float) -> None:
        super().__init__()
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        """Pads `input`."""
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        """The widths and the value."""
        return f"padding={self.padding}, value={self.value}"


class _CircularPadNd(_PadNd):
    _mode = "circular"
    _dims: int

    def _check_input_dim(self, input: Tensor) -> None:
        n = self._dims
        if input.dim() not in (n + 1, n + 2):
            raise ValueError(f"{type(self).__name__}: expected {n + 1}D or {n + 2}D input (got {input.dim()}D input)")

    def forward(self, input: Tensor) -> Tensor:
        """Pads `input`."""
        self._check_input_dim(input)
        return F.pad(input, self.padding, self._mode)


class _ReflectionPadNd(_PadNd):
    _mode = "reflect"


class _ReplicationPadNd(_PadNd):
    _mode = "replicate"


class ConstantPad1d(_ConstantPadNd):
    """Pads the length with one value.

    Args:
        padding: the width on all sides, or (left, right).
        value: what is added.

    Example:
        >>> from lamella import core, nn
        >>> nn.ConstantPad1d(2, 1.5)(core.zeros(1, 2, 8)).shape
        torch.Size([1, 2, 12])
    """

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(value)
        self.padding = _pair(padding)


class ConstantPad2d(_ConstantPadNd):
    """Pads height and width with one value.

    Args:
        padding: the width on all sides, or (left, right, top, bottom).
        value: what is added.

    Example:
        >>> from lamella import core, nn
        >>> nn.ConstantPad2d(2, 1.5)(core.zeros(1, 2, 8, 8)).shape
        torch.Size([1, 2, 12, 12])
    """

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(value)
        self.padding = _quadruple(padding)


class ConstantPad3d(_ConstantPadNd):
    """Pads depth, height and width with one value.

    Args:
        padding: the width on all sides, or (left, right, top, bottom, front, back).
        value: what is added.

    Example:
        >>> from lamella import core, nn
        >>> nn.ConstantPad3d(2, 1.5)(core.zeros(1, 2, 8, 8, 8)).shape
        torch.Size([1, 2, 12, 12, 12])
    """

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(value)
        self.padding = _sextuple(padding)


class ZeroPad1d(ConstantPad1d):
    """Pads the length with zeros.

    Args:
        padding: the width on all sides, or (left, right).

    Example:
        >>> from lamella import core, nn
        >>> nn.ZeroPad1d(2)(core.zeros(1, 2, 8)).shape
        torch.Size([1, 2, 12])
    """

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        """The widths."""
        return f"{self.padding}"


class ZeroPad2d(ConstantPad2d):
    """Pads height and width with zeros.

    Args:
        padding: the width on all sides, or (left, right, top, bottom).

    Example:
        >>> from lamella import core, nn
        >>> nn.ZeroPad2d(2)(core.zeros(1, 2, 8, 8)).shape
        torch.Size([1, 2, 12, 12])
    """

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        """The widths."""
        return f"{self.padding}"


class ZeroPad3d(ConstantPad3d):
    """Pads depth, height and width with zeros.

    Args:
        padding: the width on all sides, or (left, right, top, bottom, front, back).

    Example:
        >>> from lamella import core, nn
        >>> nn.ZeroPad3d(2)(core.zeros(1, 2, 8, 8, 8)).shape
        torch.Size([1, 2, 12, 12, 12])
    """

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        """The widths."""
        return f"{self.padding}"


class ReflectionPad1d(_ReflectionPadNd):
    """Pads the length with the reflection of the input at its edges.

    Args:
        padding: the width on all sides, or (left, right).

    Example:
        >>> from lamella import core, nn
        >>> nn.ReflectionPad1d(2)(core.zeros(1, 2, 8)).shape
        torch.Size([1, 2, 12])
    """

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _pair(padding)


class ReflectionPad2d(_ReflectionPadNd):
    """Pads height and width with the reflection of the input at its edges.

    Args:
        padding: the width on all sides, or (left, right, top, bottom).

    Example:
        >>> from lamella import core, nn
        >>> nn.ReflectionPad2d(2)(core.zeros(1, 2, 8, 8)).shape
        torch.Size([1, 2, 12, 12])
    """

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _quadruple(padding)


class ReflectionPad3d(_ReflectionPadNd):
    """Pads depth, height and width with the reflection of the input at its edges.

    Args:
        padding: the width on all sides, or (left, right, top, bottom, front, back).

    Example:
        >>> from lamella import core, nn
        >>> nn.ReflectionPad3d(2)(core.zeros(1, 2, 8, 8, 8)).shape
        torch.Size([1, 2, 12, 12, 12])
    """

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _sextuple(padding)


class ReplicationPad1d(_ReplicationPadNd):
    """Pads the length with copies of the edges.

    Args:
        padding: the width on all sides, or (left, right).

    Example:
        >>> from lamella import core, nn
        >>> nn.ReplicationPad1d(2)(core.zeros(1, 2, 8)).shape
        torch.Size([1, 2, 12])
    """

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _pair(padding)


class ReplicationPad2d(_ReplicationPadNd):
    """Pads height and width with copies of the edges.

    Args:
        padding: the width on all sides, or (left, right, top, bottom).

    Example:
        >>> from lamella import core, nn
        >>> nn.ReplicationPad2d(2)(core.zeros(1, 2, 8, 8)).shape
        torch.Size([1, 2, 12, 12])
    """

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _quadruple(padding)


class ReplicationPad3d(_ReplicationPadNd):
    """Pads depth, height and width with copies of the edges.

    Args:
        padding: the width on all sides, or (left, right, top, bottom, front, back).

    Example:
        >>> from lamella import core, nn
        >>> nn.ReplicationPad3d(2)(core.zeros(1, 2, 8, 8, 8)).shape
        torch.Size([1, 2, 12, 12, 12])
    """

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _sextuple(padding)


class CircularPad1d(_CircularPadNd):
    """Pads the length with the other end of the input.

    Args:
        padding: the width on all sides, or (left, right).

    Example:
        >>> from lamella import core, nn
        >>> nn.CircularPad1d(2)(core.zeros(1, 2, 8)).shape
        torch.Size([1, 2, 12])
    """

    _dims = 1

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _pair(padding)


class CircularPad2d(_CircularPadNd):
    """Pads height and width with the other end of the input.

    Args:
        padding: the width on all sides, or (left, right, top, bottom).

    Example:
        >>> from lamella import core, nn
        >>> nn.CircularPad2d(2)(core.zeros(1, 2, 8, 8)).shape
        torch.Size([1, 2, 12, 12])
    """

    _dims = 2

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _quadruple(padding)


class CircularPad3d(_CircularPadNd):
    """Pads depth, height and width with the other end of the input.

    Args:
        padding: the width on all sides, or (left, right, top, bottom, front, back).

    Example:
        >>> from lamella import core, nn
        >>> nn.CircularPad3d(2)(core.zeros(1, 2, 8, 8, 8)).shape
        torch.Size([1, 2, 12, 12, 12])
    """

    _dims = 3

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _sextuple(padding)
