"""Shape rules and checks of changes of resolution."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from ..kernels.types import type_name


def check(mode: str, x: Any, size: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of an array after a change of resolution."""
    if x.dtype.kind in "bc" or x.dtype.kind in "iu" and x.dtype.name != "uint8":
        raise NotImplementedError(message("interpolate", f"it is not implemented for '{type_name(x.dtype)}'"))
    if x.ndim != len(size) + 2:
        raise RuntimeError(
            message("interpolate", f"It is expected output_size equals to {x.ndim - 2}, but got size {len(size)}")
        )
    if any(n < 1 for n in x.shape[1:]):
        raise RuntimeError(
            message("interpolate", "Non-empty tensor expected (only the batch may be empty)", [list(x.shape)])
        )
    if any(m < 1 for m in size):
        raise RuntimeError(
            message(
                "interpolate",
                "Input and output sizes should be greater than 0, but got input "
                f"{list(x.shape[2:])} output {list(size)}",
            )
        )
    return (*x.shape[:2], *size)


def upsample(self: Any, output_size: Any, scales: Any = None) -> Any:
    return check("", self._a, tuple(output_size)), self.dtype


def upsample_aligned(self: Any, output_size: Any, align_corners: bool, scales: Any = None) -> Any:
    return check("", self._a, tuple(output_size)), self.dtype


def _upsample_backward(grad_output: Any, size: Any, mode: str, align_corners: bool, scales: Any) -> Any:
    return tuple(size), grad_output.dtype
