"""Helpers for the derivatives of views, parts, joining and conversions."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as F
from lamella.core.checks import wrap_dim
from lamella.core.tensor import Tensor

from .geometry import Geometry, scatter


def zeros_of(grad: Tensor, shape: Any) -> Tensor:
    """Zeros of ``grad``'s type and place."""
    if grad.__class__ is Tensor:
        return F.zeros(tuple(shape), dtype=grad.dtype, device=grad.device)
    return grad.new_zeros(tuple(shape))  # type: ignore[attr-defined]


def negated(numbers: Any) -> list[int]:
    """The numbers with their signs changed; one number counts as a list of one."""
    return [-numbers] if isinstance(numbers, int) else [-n for n in numbers]


def permute_backward(grad: Tensor, dims: Any) -> Tensor:
    """The dimensions back in their old order."""
    n = len(dims)
    back = [0] * n
    for i, d in enumerate(dims):
        back[d % n] = i
    return grad.permute(back)  # type: ignore[attr-defined]


def as_strided_backward(grad: Tensor, place: Geometry, size: Any, stride: Any, storage_offset: Any) -> Tensor:
    """The gradient of the tensor whose memory ``as_strided`` looked at; ``place`` is where that lies in its storage."""
    base = place._replace(offset=0)
    shift = 0 if storage_offset is None else storage_offset - place.offset
    return scatter(grad, base, Geometry(tuple(size), tuple(stride), shift))


def unbind_backward(grads: Any, shape: Any, dim: int) -> Any:
    """The gradients of all slices put together; missing ones are zeros."""
    dim = dim % len(shape)
    some = next((g for g in grads if g is not None), None)
    if some is None:
        return None
    rest = tuple(n for i, n in enumerate(shape) if i != dim)
    return F.stack([zeros_of(some, rest) if g is None else g for g in grads], dim)


def split_backward(grads: Any, shape: Any, sizes: Any, dim: int) -> Any:
    """The gradients of all parts put together; missing ones are zeros."""
    dim = dim % len(shape)
    some = next((g for g in grads if g is not None), None)
    if some is None:
        return None
    parts, left = [], shape[dim]
    for g, n in zip(grads, sizes, strict=True):
        n = min(n, left)
        left -= n
        parts.append(zeros_of(some, (*shape[:dim], n, *shape[dim + 1 :])) if g is None else g)
    return F.cat(parts, dim)


def cat_backward(grad: Tensor, shapes: Any, dtypes: Any, dim: int, needs: Any) -> list[Any]:
    """The part of the gradient that belongs to each tensor."""
    dim = wrap_dim("cat", dim, grad._a.ndim)
    found: list[Any] = []
    at = 0
    for shape, d, need in zip(shapes, dtypes, needs, strict=True):
        if tuple(shape) == (0,) and grad._a.ndim != 1:
            found.append(zeros_of(grad, (0,)) if need else None)
            continue
        n = shape[dim]
        found.append(real_as(F.op_slice_Tensor(grad, dim, at, at + n), d) if need else None)
        at += n
    return found


def stack_backward(grad: Tensor, dtypes: Any, dim: int, needs: Any) -> list[Any]:
    """The slice of the gradient that belongs to each tensor."""
    return [
        real_as(F.op_select_int(grad, dim, i), d) if need else None
        for i, (d, need) in enumerate(zip(dtypes, needs, strict=True))
    ]


def real_as(g: Tensor, d: Any) -> Tensor:
    """A gradient in an input's type: real where the input was."""
    if g.dtype is d:
        return g
    if g.is_complex() and not d.is_complex:
        g = F.real(g)
    return g if g.dtype is d else g.to(d)  # type: ignore[attr-defined]


def repeat_backward(grad: Tensor, repeats: Any, shape: Any) -> Tensor:
    """The sum over all repetitions."""
    repeats = tuple(repeats)
    if 0 in repeats:
        return zeros_of(grad, shape)
    lead = len(repeats) - len(shape)
    full = (1,) * lead + tuple(shape)
    pairs = [k for n, m in zip(repeats, full, strict=True) for k in (n, m)]
    dims = [2 * i for i in range(len(repeats))]
    g = grad.reshape(pairs)  # type: ignore[attr-defined]
    return (F.sum(g, dims) if dims else g).reshape(tuple(shape))


def converted(grad: Tensor, d: Any, device: Any) -> Tensor:
    """A gradient in the type and on the device of the tensor it is for."""
    g = real_as(grad, d)
    return g if g.device == device else g.to(device)  # type: ignore[attr-defined]


def copy_backward(grad: Tensor, shape: Any, d: Any, device: Any) -> Tensor:
    """The gradient of what was copied: summed where it was broadcast."""
    from .fit import sum_to

    while grad._a.ndim < len(shape):
        grad = grad.unsqueeze(0)  # type: ignore[attr-defined]
    return converted(sum_to(grad, tuple(shape)), d, device)


def real_part(grad: Tensor) -> Tensor:
    """The real part of a gradient."""
    return F.real(grad)


def imaginary_part(grad: Tensor) -> Tensor:
    """The imaginary part of a gradient, which is zero where the gradient is real."""
    return F.imag(grad) if grad.is_complex() else zeros_of(grad, grad._a.shape)
