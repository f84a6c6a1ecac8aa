"""Images made larger."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module

__all__ = ["Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"]


class Upsample(Module):
    """Resizes the last one, two or three dimensions.

    Args:
        size: the new size; or
        scale_factor: its ratio to the size of the input.
        mode: `"nearest"`, `"linear"`, `"bilinear"`, `"bicubic"` or `"trilinear"`.
        align_corners: whether the centres of the corner pixels keep their places.
        recompute_scale_factor: compute with the ratio of the integer sizes, not with `scale_factor`.

    Example:
        >>> from lamella import core, nn
        >>> nn.Upsample(scale_factor=2)(core.zeros(1, 1, 2, 2)).shape
        torch.Size([1, 1, 4, 4])
    """

    __constants__ = ["size", "scale_factor", "mode", "align_corners", "name", "recompute_scale_factor"]
    scale_factor: Any

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        if isinstance(scale_factor, tuple):
            self.scale_factor = tuple(float(f) for f in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        """Resizes `input`."""
        return F.interpolate(
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )

    def __setstate__(self, state: dict) -> None:
        state.setdefault("recompute_scale_factor", True)
        super().__setstate__(state)

    def extra_repr(self) -> str:
        """The size or the factor, and the mode."""
        what = f"size={self.size!r}" if self.scale_factor is None else f"scale_factor={self.scale_factor!r}"
        return f"{what}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """`Upsample` with mode `"nearest"`.

    Args:
        size: the new size; or
        scale_factor: its ratio to the size of the input.
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """`Upsample` with mode `"bilinear"` and `align_corners=True`.

    Args:
        size: the new size; or
        scale_factor: its ratio to the size of the input.
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
