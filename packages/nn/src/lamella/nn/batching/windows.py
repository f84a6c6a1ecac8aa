"""Rules of operators over windows and positions of images: the batch is folded into the images.

Each of them takes (channels, positions) or (images, channels, positions).
"""

from __future__ import annotations

from typing import Any

from lamella.autograd.transforms.batching.fallback import fallback
from lamella.autograd.transforms.batching.level import invoke, wrapped
from lamella.autograd.transforms.batching.rules import rule
from lamella.autograd.transforms.levels import map_tensors
from lamella.core.tensor import Tensor

#: Operators whose first tensors are images, and how many dimensions a single image has with its channels.
_PLAIN = {
    "avg_pool1d": 2, "avg_pool2d": 3, "avg_pool3d": 4,
    "adaptive_avg_pool1d": 2, "_adaptive_avg_pool2d": 3, "_adaptive_avg_pool3d": 4,
    "adaptive_max_pool1d": 2, "adaptive_max_pool2d": 3, "adaptive_max_pool3d": 4,
    "fractional_max_pool2d": 3, "fractional_max_pool3d": 4,
    "reflection_pad1d": 2, "reflection_pad2d": 3, "reflection_pad3d": 4,
    "replication_pad1d": 2, "replication_pad2d": 3, "replication_pad3d": 4,
    "reflection_pad1d_backward": 2, "reflection_pad2d_backward": 3, "reflection_pad3d_backward": 4,
    "replication_pad1d_backward": 2, "replication_pad2d_backward": 3, "replication_pad3d_backward": 4,
    "im2col": 3, "col2im": 2,
    "upsample_nearest1d": 2, "upsample_nearest2d": 3, "upsample_nearest3d": 4,
    "_upsample_nearest_exact1d": 2, "_upsample_nearest_exact2d": 3, "_upsample_nearest_exact3d": 4,
    "upsample_linear1d": 2, "upsample_bilinear2d": 3, "upsample_trilinear3d": 4, "upsample_bicubic2d": 3,
    "_upsample_bilinear2d_aa": 3, "_upsample_bicubic2d_aa": 3, "_upsample_lanczos2d_aa": 3,
    "grid_sampler_2d": 3, "grid_sampler_3d": 4, "_grid_sampler_backward": 3,
}


def folded(level: Any, op: Any, args: Any, kwargs: Any, single: int, sizes: int | None = None) -> Any:
    """Run an operator with the batch folded into its images.

    Args:
        single: the number of dimensions of one image with its channels.
        sizes: which argument is the shape of whole images, if one is.
    """
    rank = args[0]._a.ndim
    if rank not in (single, single + 1) or any(
            isinstance(a, Tensor) and rank == single + 1 and (not a._a.ndim or a._a.shape[0] != args[0]._a.shape[0])
            for a in args):
        return fallback(level, op, args, kwargs)
    values = [level.full(a) if isinstance(a, Tensor) else a for a in args]
    lone = rank == single
    if sizes is not None:
        values[sizes] = (level.size, *args[sizes]) if lone else (level.size * args[sizes][0], *args[sizes][1:])
    if lone:
        return wrapped(level, invoke(op, values, kwargs))
    lead = (level.size, args[0]._a.shape[0])
    values = [v.reshape(lead[0] * lead[1], *v._a.shape[2:]) if isinstance(v, Tensor) else v for v in values]
    out = invoke(op, values, kwargs)
    return wrapped(level, map_tensors(lambda v: v.reshape(*lead, *v._a.shape[1:]), out))


@rule(*_PLAIN)
def plain(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    single = _PLAIN[op.opname]
    if op.opname == "_grid_sampler_backward":
        single = args[0]._a.ndim - 1
    return folded(level, op, args, kwargs, single)


@rule("_max_pool", "_max_pool2d_with_places", "_max_pool3d_with_places", "_max_pool_take")
def max_pool(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    kernel = args[2] if op.opname == "_max_pool_take" else args[1]
    return folded(level, op, args, kwargs, len(kernel) + 1)


@rule("_max_pool_index")
def max_pool_index(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    return folded(level, op, args, kwargs, len(args[2]) + 1)


@rule("_max_pool_put")
def max_pool_put(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    return folded(level, op, args, kwargs, len(args[3]) + 1, 2)


@rule("_avg_pool_backward")
def avg_pool_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    return folded(level, op, args, kwargs, len(args[2]) + 1, 1)


@rule("_adaptive_avg_pool_backward")
def adaptive_avg_pool_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    return folded(level, op, args, kwargs, args[2] + 1, 1)


@rule("_upsample_backward")
def upsample_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    return folded(level, op, args, kwargs, args[0]._a.ndim - 1, 1)


@rule("_pad_circular", "_pad_circular_backward")
def pad_circular(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    return folded(level, op, args, kwargs, len(args[-1]) // 2 + 1)
