"""View operators as users call them: sizes as separate numbers, several call forms, properties."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message
from lamella.dispatch.keys import DispatchKey, bit
from lamella.dispatch.registry import provide
from lamella.dispatch.state import state as _S

from .._gen import shape as _gen
from ..checks import ints
from ..dtypes import as_dtype, dtype as dtype_class
from ..faults import as_ints
from ..tensor import Tensor

# Below this key set nothing looks at composite operators: reshape goes straight to what it is made of.
_COMPOSITE = bit(DispatchKey.Tracer)
_T_view, _T_permute, _T_reshape, _T_expand = _gen._T_view, _gen._T_permute, _gen._T_reshape, _gen._T_expand

# Bodies that handle the tensor itself serve every backend, below autograd.
provide(
    DispatchKey.CompositeExplicitAutograd, dict.fromkeys(("shape", "conversion"), "lamella.core.composite.explicit")
)


def _listed(op: str, name: str, given: tuple[Any, ...], kwargs: dict[str, Any], optional: bool = False) -> Any:
    """``x.op(2, 3)``, ``x.op((2, 3))`` and ``x.op(name=(2, 3))`` as one sequence."""
    if kwargs:
        value = kwargs.pop(name, None)
        if kwargs or value is None or given:
            raise TypeError(message(op, f"got an unexpected keyword argument '{next(iter(kwargs), name)}'"))
        return ints(op, name, value)
    if len(given) == 1 and not isinstance(given[0], int):
        only = given[0]
        return only if isinstance(only, (tuple, list)) else ints(op, name, only)
    if not given and not optional:
        raise TypeError(message(op, f"missing argument '{name}'"))
    return given


def view(self: Tensor, *shape: Any, size: Any = None, dtype: Any = None) -> Tensor:
    """The same memory under another shape, or read as another type.

    Args:
        *shape: the new sizes (one may be -1), as numbers or one sequence; or a dtype.

    Returns:
        A view: writes show in both tensors.

    Raises:
        RuntimeError: if the shape does not hold as many elements, or strides do not allow a view.

    Example:
        >>> arange(6).view(2, -1).shape
        torch.Size([2, 3])
    """
    if not shape or shape[0].__class__ is not int:
        if dtype is not None and not shape:
            return _gen.op_view_dtype(self, as_dtype("view", dtype))
        if shape and (shape[0].__class__ is dtype_class or isinstance(shape[0], type)):
            return _gen.op_view_dtype(self, as_dtype("view", shape[0]))
        shape = _listed("view", "size", shape, {} if size is None else {"size": size})
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_view[ks](self, shape)


def reshape(self: Tensor, *shape: Any, **kwargs: Any) -> Tensor:
    """The same elements in the same order under another shape; see `reshape`.

    Args:
        *shape: the new sizes (one may be -1), as numbers or one sequence.

    Example:
        >>> arange(6).reshape(3, 2).shape
        torch.Size([3, 2])
    """
    if kwargs or len(shape) == 1:
        shape = _listed("reshape", "shape", shape, kwargs)
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    if ks < _COMPOSITE and self._a.flags.c_contiguous:
        try:
            return _T_view[ks](self, shape)
        except RuntimeError:
            pass  # the composite says what is wrong in reshape's name
    return _T_reshape[ks](self, shape)


def permute(self: Tensor, *dims: Any, **kwargs: Any) -> Tensor:
    """The dimensions in another order; see `permute`.

    Args:
        *dims: each dimension once, as numbers or one sequence.

    Example:
        >>> zeros(2, 3, 4).permute(2, 0, 1).shape
        torch.Size([4, 2, 3])
    """
    if kwargs or len(dims) == 1:
        dims = _listed("permute", "dims", dims, kwargs)
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_permute[ks](self, dims)


def expand(self: Tensor, *sizes: Any, implicit: bool = False, **kwargs: Any) -> Tensor:
    """A larger view of a tensor: dimensions of size 1, and new ones in front, are repeated without copying.

    Args:
        *sizes: the sizes wanted, as numbers or one sequence; -1 keeps a dimension's size.

    Raises:
        RuntimeError: if a size other than 1 would have to change.

    Example:
        >>> tensor([[1], [2]]).expand(-1, 3).tolist()
        [[1, 1, 1], [2, 2, 2]]
    """
    if kwargs or len(sizes) == 1:
        sizes = _listed("expand", "size", sizes, kwargs)
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_expand[ks](self, sizes)


def unflatten(self: Tensor, dim: int, sizes: Any) -> Tensor:
    """One dimension split into several; see `unflatten`.

    Example:
        >>> zeros(6).unflatten(0, (2, 3)).shape
        torch.Size([2, 3])
    """
    return _gen.op_unflatten_int(self, dim, sizes)


def squeeze(input: Tensor, dim: Any = None, *, axis: Any = None) -> Tensor:
    """Leave out dimensions of size 1; a view.

    Args:
        input: a tensor.
        dim: a dimension or several (``axis`` is accepted for it); those of another size stay. None means all.

    Example:
        >>> squeeze(zeros(1, 2, 1)).shape, squeeze(zeros(1, 2, 1), 0).shape
        (torch.Size([2]), torch.Size([2, 1]))
    """
    if dim is None:
        if axis is None:
            return _gen.op_squeeze(input)
        dim = axis
    if isinstance(dim, (tuple, list)):
        return _gen.op_squeeze_dims(input, dim)
    return _gen.op_squeeze_dim(input, dim)


def squeeze_method(self: Tensor, dim: Any = None, *, axis: Any = None) -> Tensor:
    """Leave out dimensions of size 1; see `squeeze`."""
    return squeeze(self, dim, axis=axis)


def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Move dimensions to other places; the rest keeps its order. A view.

    Args:
        input: a tensor.
        source: the dimension or dimensions to move.
        destination: where each of them goes.

    Example:
        >>> movedim(zeros(2, 3, 4), 0, -1).shape
        torch.Size([3, 4, 2])
    """
    source, destination = as_ints("movedim", "source", source, True), as_ints(
        "movedim", "destination", destination, True
    )
    return _gen.op_movedim_intlist(input, source, destination)


def movedim_method(self: Tensor, source: Any, destination: Any) -> Tensor:
    """Move dimensions to other places; see `movedim`."""
    return movedim(self, source, destination)


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """All tensors expanded to their common shape.

    Args:
        *tensors: tensors, or one sequence of them.

    Raises:
        RuntimeError: if their shapes do not fit together.

    Example:
        >>> [tuple(x.shape) for x in broadcast_tensors(zeros(3, 1), zeros(2))]
        [(3, 2), (3, 2)]
    """
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tuple(tensors[0])
    if not tensors:
        return ()
    return _gen.op_broadcast_tensors(tensors)


def broadcast_shapes(*shapes: Any) -> Any:
    """The shape that tensors of the given shapes broadcast to.

    Example:
        >>> broadcast_shapes((3, 1), (2,))
        torch.Size([3, 2])
    """
    import numpy as np

    from ..tensor import Size

    try:
        return Size(np.broadcast_shapes(*shapes))
    except ValueError:
        raise RuntimeError(
            message(
                "broadcast_shapes",
                "Shape mismatch: objects cannot be broadcast to a single shape",
                [list(s) if not isinstance(s, int) else s for s in shapes],
            )
        ) from None


def T(self: Tensor) -> Tensor:
    """The dimensions in reverse order; a view."""
    if self._a.ndim == 2:
        return _gen.op_t(self)
    return _gen.op_numpy_T(self)


def imag(self: Tensor) -> Tensor:
    """The imaginary parts; a view (complex tensors only)."""
    return _gen.op_imag(self)


def real(self: Tensor) -> Tensor:
    """The real parts; a view of complex tensors, real tensors themselves."""
    return _gen.op_real(self)


def set_part(which: Any) -> Any:
    """The setter of ``x.real`` and ``x.imag``."""

    def assign(self: Tensor, value: Any) -> None:
        part = which(self)
        part.copy_(value) if isinstance(value, Tensor) else part.fill_(value)

    return assign


METHODS = {
    "view": view,
    "reshape": reshape,
    "permute": permute,
    "expand": expand,
    "unflatten": unflatten,
    "squeeze": squeeze_method,
    "movedim": movedim_method,
    "moveaxis": movedim_method,
    "broadcast_to": lambda self, size: _gen.op_broadcast_to(self, size),
    "T": property(T),
    "mT": property(lambda self: _gen.op_mT(self), doc="The last two dimensions exchanged; a view."),
    "H": property(lambda self: _gen.op_matrix_H(self), doc="The conjugate transpose of a matrix."),
    "mH": property(lambda self: _gen.op_mH(self), doc="The conjugate transpose of matrices."),
    "real": property(real, set_part(real)),
    "imag": property(imag, set_part(imag)),
    "swapaxes": lambda self, axis0, axis1: _gen.op_transpose_int(self, axis0, axis1),
    "swapdims": lambda self, dim0, dim1: _gen.op_transpose_int(self, dim0, dim1),
}


def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Exchange two dimensions; see `transpose`.

    Example:
        >>> swapaxes(zeros(2, 3), 0, 1).shape
        torch.Size([3, 2])
    """
    return _gen.op_transpose_int(input, axis0, axis1)


FUNCTIONS = {
    "squeeze": squeeze,
    "movedim": movedim,
    "moveaxis": movedim,
    "broadcast_tensors": broadcast_tensors,
    "broadcast_shapes": broadcast_shapes,
    "swapaxes": swapaxes,
}
