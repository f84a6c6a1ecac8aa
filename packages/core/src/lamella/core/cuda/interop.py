"""Arrays of other libraries on the same GPU, without copies."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message


def array_of(x: Any) -> Any:
    """An array of CuPy's over the memory of an object with ``__cuda_array_interface__``."""
    from .presence import require

    require()
    import cupy

    return x if isinstance(x, cupy.ndarray) else cupy.asarray(x)


def interface(a: Any, requires_grad: bool) -> dict[str, Any]:
    """The ``__cuda_array_interface__`` of a tensor's array.

    Raises:
        RuntimeError: if the tensor requires grad.
    """
    if requires_grad:
        raise RuntimeError(
            message(
                "__cuda_array_interface__",
                "Can't get __cuda_array_interface__ on Variable that requires grad.",
                hint="If gradients aren't required, use var.detach() to get Variable that doesn't require grad.",
            )
        )
    return a.__cuda_array_interface__


def read(owner: Any, copy: bool | None) -> Any:
    """An array of CuPy's over the memory of an object with ``__dlpack__`` on a GPU."""
    from .presence import require

    require()
    import cupy

    a = cupy.from_dlpack(owner)
    return a.copy() if copy else a
