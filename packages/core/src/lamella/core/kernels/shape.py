"""Views and shape changes of arrays."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from ..checks import ints, wrap_dim


def view(xp: Any, self: Any, size: Any) -> Any:
    # NumPy copies silently where strides do not allow a view; a view that shares no memory is an error here.
    try:
        r = self.reshape(size)
    except (ValueError, TypeError):
        size = ints("view", "size", size)
        raise RuntimeError(message("view", f"shape '{list(size)}' is invalid for input of size {self.size}")) from None
    if self.flags.c_contiguous or self.size == 0 or xp.may_share_memory(r, self):
        return r
    raise RuntimeError(message("view", "size and stride are not compatible: a dimension spans two memory strides",
                               {"shape": list(self.shape), "size": list(size)}, hint="use .reshape(...)"))


def t(xp: Any, self: Any) -> Any:
    if self.ndim > 2:
        raise RuntimeError(message("t", f"a tensor of at most 2 dimensions is needed, not {self.ndim}"))
    return self.T


def transpose_int(xp: Any, self: Any, dim0: int, dim1: int) -> Any:
    a, b = wrap_dim("transpose", dim0, self.ndim), wrap_dim("transpose", dim1, self.ndim)
    return self.swapaxes(a, b) if self.ndim else self[...]
