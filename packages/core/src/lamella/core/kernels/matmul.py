"""Matrix products of arrays (BLAS through NumPy)."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

_LOW = np.dtype(np.float32)


def short(a: Any) -> str:
    return f"[{','.join(map(str, a.shape))}]"


def _same_type(op: str, a: Any, b: Any) -> None:
    if a.dtype is not b.dtype and a.dtype != b.dtype:
        raise RuntimeError(
            message(op, f"expected both tensors to have the same dtype, but got: {a.dtype.name} != {b.dtype.name}")
        )


def product(xp: Any, a: Any, b: Any) -> Any:
    """``a @ b`` for any element type."""
    d = a.dtype
    if d.itemsize == 2 and d.kind not in "iu":
        return xp.matmul(a.astype(_LOW), b.astype(_LOW)).astype(d)
    if d.kind == "b":
        raise NotImplementedError(message("matmul", "it is not implemented for bool tensors"))
    return xp.matmul(a, b)


def _ndim(op: str, name: str, a: Any, n: int) -> None:
    if a.ndim != n:
        raise RuntimeError(
            message(op, f"{name} must be a {n}-D tensor" if n != 2 else f"{name} must be a matrix", {name: short(a)})
        )


def mm(xp: Any, self: Any, mat2: Any) -> Any:
    if self.ndim != 2 or mat2.ndim != 2 or self.shape[1] != mat2.shape[0] or self.dtype is not mat2.dtype:
        check_mm("mm", self, mat2)
    if self.dtype.kind == "f" and self.dtype.itemsize > 2:
        return self.dot(mat2)
    return product(xp, self, mat2)


def check_mm(op: str, a: Any, b: Any) -> None:
    """Refuse operands that are no matrices or do not fit."""
    _ndim(op, "self", a, 2)
    _ndim(op, "mat2", b, 2)
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            message(
                op,
                f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})",
            )
        )
    _same_type(op, a, b)


def bmm(xp: Any, self: Any, mat2: Any) -> Any:
    check_bmm("bmm", self, mat2)
    return product(xp, self, mat2)


def check_bmm(op: str, a: Any, b: Any) -> None:
    """Refuse operands that are no batches of matrices or do not fit."""
    _ndim(op, "batch1", a, 3)
    _ndim(op, "batch2", b, 3)
    if a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
        raise RuntimeError(
            message(
                op,
                "expected batch2 to have as many matrices, and as many rows as batch1 has columns",
                {"batch1": short(a), "batch2": short(b)},
            )
        )
    _same_type(op, a, b)


def mv(xp: Any, self: Any, vec: Any) -> Any:
    if self.ndim != 2 or vec.ndim != 1 or self.shape[1] != vec.shape[0]:
        raise RuntimeError(
            message(
                "mv",
                "a matrix and a vector with as many elements as it has columns are needed",
                {"input": short(self), "vec": short(vec)},
            )
        )
    _same_type("mv", self, vec)
    return product(xp, self, vec)


def _check_dot(op: str, a: Any, b: Any) -> None:
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(message(op, f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors"))
    if a.shape != b.shape:
        raise RuntimeError(
            message(
                op,
                "inconsistent tensor size, expected tensor and src to have the same number of "
                f"elements, but got {a.shape[0]} and {b.shape[0]} elements respectively",
            )
        )
    _same_type(op, a, b)


def dot(xp: Any, self: Any, tensor: Any) -> Any:
    _check_dot("dot", self, tensor)
    return product(xp, self, tensor)


def vdot(xp: Any, self: Any, other: Any) -> Any:
    _check_dot("vdot", self, other)
    return product(xp, self.conj(), other)


def matmul(xp: Any, self: Any, other: Any) -> Any:
    if self.dtype is not other.dtype:
        _same_type("matmul", self, other)
    n, m = self.ndim, other.ndim
    if n == 2 and m == 2:
        if self.shape[1] != other.shape[0]:
            check_mm("matmul", self, other)
        if self.dtype.kind == "f" and self.dtype.itemsize > 2:
            return self.dot(other)
        return product(xp, self, other)
    if n == 0 or m == 0:
        raise RuntimeError(message("matmul", f"both arguments need to be at least 1D, but they are {n}D and {m}D"))
    try:
        if m == 2 and n > 2 and self.flags.c_contiguous and self.size:
            # One large product instead of one per batch entry.
            return product(xp, self.reshape(-1, self.shape[-1]), other).reshape(*self.shape[:-1], other.shape[1])
        return product(xp, self, other)
    except ValueError:
        raise matmul_error(self, other) from None


def matmul_error(a: Any, b: Any) -> RuntimeError:
    """Say which sizes do not fit."""
    inner = b.shape[-2] if b.ndim > 1 else b.shape[0]
    if a.shape[-1] != inner:
        if a.ndim == 1 and b.ndim == 1:
            return RuntimeError(
                message(
                    "matmul",
                    "inconsistent tensor size, expected tensor and src to have the same number "
                    f"of elements, but got {a.shape[0]} and {b.shape[0]} elements respectively",
                )
            )
        return RuntimeError(
            message(
                "matmul",
                "mat1 and mat2 shapes cannot be multiplied",
                [short(a), short(b)],
                hint=f"the last size of the first ({a.shape[-1]}) must be the second-last of the second ({inner})",
            )
        )
    return RuntimeError(message("matmul", "the batch dimensions cannot be broadcast together", [short(a), short(b)]))


def _scaled(op: str, xp: Any, self: Any, r: Any, beta: Any, alpha: Any) -> Any:
    if self.dtype.kind in "iub":
        alpha, beta = int(alpha), int(beta)
    if alpha != 1:
        r = r * xp.asarray(alpha, r.dtype)
    if beta == 0:
        return r.copy() if r.base is not None else r
    try:
        if xp.broadcast_shapes(self.shape, r.shape) != r.shape:
            raise ValueError
    except ValueError:
        raise RuntimeError(
            message(op, f"input with shape {short(self)} cannot be expanded to the product's {short(r)}")
        ) from None
    r = xp.asarray(r)
    r += self if beta == 1 else self * xp.asarray(beta, self.dtype)
    return r


def addmm(xp: Any, self: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any) -> Any:
    check_mm("addmm", mat1, mat2)
    _same_type("addmm", self, mat1)
    return _scaled("addmm", xp, self, product(xp, mat1, mat2), beta, alpha)


def addmv(xp: Any, self: Any, mat: Any, vec: Any, beta: Any, alpha: Any) -> Any:
    _same_type("addmv", self, mat)
    return _scaled("addmv", xp, self, mv(xp, mat, vec), beta, alpha)


def addr(xp: Any, self: Any, vec1: Any, vec2: Any, beta: Any, alpha: Any) -> Any:
    for v in (vec1, vec2):
        if v.ndim != 1:
            raise RuntimeError(message("addr", "expected 1-D tensors as vec1 and vec2", [short(vec1), short(vec2)]))
    d = xp.result_type(self, vec1, vec2)
    r = xp.multiply.outer(vec1, vec2).astype(d, copy=False)
    if d.kind == "b":
        return r & bool(alpha) | self if beta else r & bool(alpha)
    return _scaled("addr", xp, self.astype(d, copy=False), r, beta, alpha)


def baddbmm(xp: Any, self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Any:
    check_bmm("baddbmm", batch1, batch2)
    _same_type("baddbmm", self, batch1)
    return _scaled("baddbmm", xp, self, product(xp, batch1, batch2), beta, alpha)


def addbmm(xp: Any, self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Any:
    check_bmm("addbmm", batch1, batch2)
    _same_type("addbmm", self, batch1)
    b, n, k = batch1.shape
    flat = batch1.transpose(1, 0, 2).reshape(n, b * k)
    return _scaled("addbmm", xp, self, product(xp, flat, batch2.reshape(b * k, batch2.shape[2])), beta, alpha)
