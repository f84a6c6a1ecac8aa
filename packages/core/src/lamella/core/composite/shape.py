"""Views that are made of other views."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .. import functions as F
from ..checks import ints, wrap_dim, wrap_dims
from ..tensor import Tensor


def reshape(self: Tensor, shape: Any) -> Tensor:
    try:
        return F.op_view(self, shape)
    except RuntimeError as e:
        if "not compatible" not in str(e):
            raise type(e)(str(e).replace("view:", "reshape:", 1)) from None
    from ..layouts import contiguous_format

    return F.op__unsafe_view(F.op_clone(self, memory_format=contiguous_format), shape)


def view_as(self: Tensor, other: Tensor) -> Tensor:
    return F.op_view(self, other._a.shape)


def reshape_as(self: Tensor, other: Tensor) -> Tensor:
    return F.op_reshape(self, other._a.shape)


def flatten_using_ints(self: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    shape = self._a.shape
    n = len(shape)
    start, end = wrap_dim("flatten", start_dim, n), wrap_dim("flatten", end_dim, n)
    if start > end:
        raise RuntimeError(
            message(
                "flatten",
                "flatten() has invalid args: start_dim cannot come after end_dim",
                {"start_dim": start_dim, "end_dim": end_dim},
            )
        )
    if n == 0:
        return F.op_reshape(self, (1,))
    if start == end:
        return self
    size = 1
    for k in shape[start : end + 1]:
        size *= k
    return F.op_reshape(self, (*shape[:start], size, *shape[end + 1 :]))


def unflatten_int(self: Tensor, dim: int, sizes: Any) -> Tensor:
    shape = self._a.shape
    dim = wrap_dim("unflatten", dim, len(shape))
    sizes = ints("unflatten", "sizes", sizes)
    if not sizes:
        raise RuntimeError(message("unflatten", "sizes must be non-empty"))
    if not shape:
        raise IndexError(message("unflatten", "dimension specified as 0 but tensor has no dimensions"))
    known = 1
    for k in sizes:
        known *= k if k != -1 else 1
    if sizes.count(-1) > 1:
        raise RuntimeError(message("unflatten", "only one dimension can be inferred", {"sizes": list(sizes)}))
    if (shape[dim] % known if known else shape[dim]) if -1 in sizes else known != shape[dim]:
        raise RuntimeError(
            message(
                "unflatten",
                f"Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} "
                f"({shape[dim]}) in the input tensor",
            )
        )
    if -1 in sizes:
        sizes = tuple(shape[dim] // known if k == -1 else k for k in sizes)
    return F.op_view(self, (*shape[:dim], *sizes, *shape[dim + 1 :]))


def ravel(self: Tensor) -> Tensor:
    r = F.op_reshape(self, (-1,))
    return r if r._a.flags.c_contiguous else F.clone(r)  # type: ignore[attr-defined]


def numpy_T(self: Tensor) -> Tensor:
    return F.op_permute(self, tuple(range(self._a.ndim - 1, -1, -1)))


def mT(self: Tensor) -> Tensor:
    _matrix("mT", self)
    return F.op_transpose_int(self, -2, -1)


def mH(self: Tensor) -> Tensor:
    _matrix("mH", self)
    return F.op_adjoint(self)


def _matrix(name: str, t: Tensor) -> None:
    if t._a.ndim < 2:
        raise RuntimeError(
            message(
                name, f"tensor.{name} is only supported on matrices or batches of matrices. Got {t._a.ndim}-D tensor."
            )
        )


def matrix_H(self: Tensor) -> Tensor:
    n = self._a.ndim
    if n not in (0, 2):
        raise RuntimeError(
            message(
                "H",
                f"tensor.H is only supported on matrices (2-D tensors). Got {n}-D tensor.",
                hint="for batches of matrices use tensor.mH",
            )
        )
    return self if n == 0 else F.op_adjoint(self)


def adjoint(self: Tensor) -> Tensor:
    if self._a.ndim == 1:
        raise RuntimeError(
            message("adjoint", "tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor.")
        )
    t = F.op_transpose_int(self, -2, -1) if self._a.ndim else self
    return F.conj(t) if t._a.dtype.kind == "c" else t


def movedim_intlist(self: Tensor, source: Any, destination: Any) -> Tensor:
    source, destination = ints("movedim", "source", source), ints("movedim", "destination", destination)
    n = self._a.ndim
    if len(source) != len(destination):
        raise RuntimeError(
            message(
                "movedim",
                f"Invalid source or destination dims: source ({list(source)} dims) should "
                f"contain the same number of dims as destination ({list(destination)} dims)",
            )
        )
    src, dst = wrap_dims("movedim", source, n), wrap_dims("movedim", destination, n)
    if n == 0:
        return F.op_alias(self)
    order = [-1] * n
    for s, d in zip(src, dst, strict=True):
        order[d] = s
    rest = iter(i for i in range(n) if i not in src)
    return F.op_permute(self, tuple(next(rest) if i == -1 else i for i in order))


def expand_as(self: Tensor, other: Tensor) -> Tensor:
    return F.op_expand(self, other._a.shape)


def broadcast_to(self: Tensor, size: Any) -> Tensor:
    return F.op_expand(self, size)


def broadcast_tensors(tensors: Any) -> Any:
    import numpy as np

    try:
        shape = np.broadcast_shapes(*(t._a.shape for t in tensors))
    except ValueError:
        raise _no_broadcast([t._a.shape for t in tensors]) from None
    return tuple([t if t._a.shape == shape else F.op_expand(t, shape) for t in tensors])


def _no_broadcast(shapes: list[Any]) -> RuntimeError:
    known = shapes[0]
    for s in shapes[1:]:
        for i in range(1, min(len(known), len(s)) + 1):
            if known[-i] != s[-i] and 1 not in (known[-i], s[-i]):
                at = max(len(known), len(s)) - i
                return RuntimeError(
                    message(
                        "broadcast_tensors",
                        f"The size of tensor a ({known[-i]}) must match the size of "
                        f"tensor b ({s[-i]}) at non-singleton dimension {at}",
                    )
                )
        n = max(len(known), len(s))
        a, b = (1,) * (n - len(known)) + known, (1,) * (n - len(s)) + s
        known = tuple(y if x == 1 else x for x, y in zip(a, b, strict=True))
    return RuntimeError(
        message("broadcast_tensors", "the shapes cannot be broadcast together", [list(s) for s in shapes])
    )


def real(self: Tensor) -> Tensor:
    return F.op_select_int(F.op_view_as_real(self), -1, 0) if self._a.dtype.kind == "c" else self


def imag(self: Tensor) -> Tensor:
    if self._a.dtype.kind != "c":
        raise RuntimeError(message("imag", "imag is not implemented for tensors with non-complex dtypes."))
    return F.op_select_int(F.op_view_as_real(self), -1, 1)
