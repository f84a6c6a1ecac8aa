"""Shape rules of sampling by a grid."""

from __future__ import annotations

from typing import Any


def grid_sampler(input: Any, grid: Any, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Any:
    return (*input.shape[:2], *grid.shape[1:-1]), input.dtype


def _grid_sampler_backward(
    grad_output: Any,
    input: Any,
    grid: Any,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
    output_mask: Any,
) -> Any:
    return (
        (tuple(input.shape), input.dtype) if output_mask[0] else None,
        (tuple(grid.shape), grid.dtype) if output_mask[1] else None,
    )
