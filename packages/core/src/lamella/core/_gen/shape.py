# Generated from packages/core/src/lamella/core/ops/shape.yaml (sha256 0ca9c9c6dd701f94). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    MISSING as _MISSING,
    SEQUENCES as _SEQUENCES,
    Tensor as _Tensor,
    as_bool as _as_bool,
    as_float as _as_float,
    as_int as _as_int,
    as_ints as _as_ints,
    as_number as _as_number,
    backend_bit as _backend_bit,
    explain_call as _explain,
    foreign as _foreign,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    numpy_names as _numpy_names,
    old_form as _old_form,
    varargs as _varargs,
    write_out as _out,
)
from lamella.dispatch.registry import define_many as _define
from lamella.dispatch.state import state as _S

(
    _T_view,
    _T_view_dtype,
    _T__unsafe_view,
    _T_reshape,
    _T_view_as,
    _T_reshape_as,
    _T_flatten_using_ints,
    _T_unflatten_int,
    _T_ravel,
    _T_squeeze,
    _T_squeeze_dim,
    _T_squeeze_dims,
    _T_unsqueeze,
    _T_t,
    _T_transpose_int,
    _T_numpy_T,
    _T_matrix_H,
    _T_mT,
    _T_mH,
    _T_adjoint,
    _T_permute,
    _T_movedim_intlist,
    _T_expand,
    _T_expand_as,
    _T_broadcast_to,
    _T_broadcast_tensors,
    _T_as_strided,
    _T_as_strided_scatter,
    _T_real,
    _T_imag,
    _T_view_as_real,
    _T_view_as_complex,
    _T_detach,
    _T_alias,
) = _define(
    "aten",
    "shape",
    (
        ('view(Tensor(a) self, SymInt[] size) -> Tensor(a)', True),
        ('view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)', True),
        ('_unsafe_view(Tensor self, SymInt[] size) -> Tensor', True),
        ('reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)', True),
        ('view_as(Tensor(a) self, Tensor other) -> Tensor(a)', True),
        ('reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)', True),
        ('flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)', True),
        ('unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)', True),
        ('ravel(Tensor(a) self) -> Tensor(a)', True),
        ('squeeze(Tensor(a) self) -> Tensor(a)', True),
        ('squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)', True),
        ('squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)', True),
        ('unsqueeze(Tensor(a) self, int dim) -> Tensor(a)', True),
        ('t(Tensor(a) self) -> Tensor(a)', True),
        ('transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)', True),
        ('numpy_T(Tensor(a) self) -> Tensor(a)', True),
        ('matrix_H(Tensor(a) self) -> Tensor(a)', True),
        ('mT(Tensor(a) self) -> Tensor(a)', True),
        ('mH(Tensor(a) self) -> Tensor(a)', True),
        ('adjoint(Tensor(a) self) -> Tensor(a)', True),
        ('permute(Tensor(a) self, int[] dims) -> Tensor(a)', True),
        ('movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)', True),
        ('expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)', True),
        ('expand_as(Tensor(a) self, Tensor other) -> Tensor(a)', True),
        ('broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)', True),
        ('broadcast_tensors(Tensor[] tensors) -> Tensor[]', True),
        ('as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)', True),
        ('as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor', True),
        ('real(Tensor(a) self) -> Tensor(a)', True),
        ('imag(Tensor(a) self) -> Tensor(a)', True),
        ('view_as_real(Tensor(a) self) -> Tensor(a)', True),
        ('view_as_complex(Tensor(a) self) -> Tensor(a)', True),
        ('detach(Tensor(a) self) -> Tensor(a)', False),
        ('alias(Tensor(a) self) -> Tensor(a)', True),
    ),
    {1: "lamella.core._gen.shape_cpu", 2: "lamella.core._gen.shape_cuda", 3: "lamella.core._gen.shape_meta", 65: "lamella.core.composite.shape", },
    "lamella.core/ops/shape.yaml",
)


def op_view(self, size):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("view", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("view", "size", size, False)
    try:
        return _T_view[ks](self, size)
    except Exception:
        _explain(_T_view, (self, size, ))
        raise


def op_view_dtype(self, dtype):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("view", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_view_dtype[ks](self, dtype)
    except Exception:
        _explain(_T_view_dtype, (self, dtype, ))
        raise


def op__unsafe_view(self, size):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_unsafe_view", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("_unsafe_view", "size", size, False)
    try:
        return _T__unsafe_view[ks](self, size)
    except Exception:
        _explain(_T__unsafe_view, (self, size, ))
        raise


def _unsafe_view(input, size):
    """_unsafe_view: see torch._unsafe_view."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("_unsafe_view", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("_unsafe_view", "size", size, False)
    try:
        return _T__unsafe_view[ks](input, size)
    except Exception:
        _explain(_T__unsafe_view, (input, size, ))
        raise


def op_reshape(self, shape):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("reshape", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if shape.__class__ not in _SEQUENCES:
        shape = _as_ints("reshape", "shape", shape, False)
    try:
        return _T_reshape[ks](self, shape)
    except Exception:
        _explain(_T_reshape, (self, shape, ))
        raise


def reshape(input, shape):
    """The same elements in the same order under another shape; a view where strides allow it, else a copy.

    Args:
        input: a tensor.
        shape: the new sizes; one of them may be -1 and is then worked out.

    Raises:
        RuntimeError: if the shape does not hold as many elements as ``input``.

    Example:
        >>> reshape(arange(6), (2, -1)).shape
        torch.Size([2, 3])"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("reshape", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if shape.__class__ not in _SEQUENCES:
        shape = _as_ints("reshape", "shape", shape, False)
    try:
        return _T_reshape[ks](input, shape)
    except Exception:
        _explain(_T_reshape, (input, shape, ))
        raise


def op_view_as(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("view_as", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_view_as[ks](self, other)
    except Exception:
        _explain(_T_view_as, (self, other, ))
        raise


def op_reshape_as(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("reshape_as", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_reshape_as[ks](self, other)
    except Exception:
        _explain(_T_reshape_as, (self, other, ))
        raise


def op_flatten_using_ints(self, start_dim=0, end_dim=-1):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("flatten", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if start_dim.__class__ is not int:
        start_dim = _as_int("flatten", "start_dim", start_dim)
    if end_dim.__class__ is not int:
        end_dim = _as_int("flatten", "end_dim", end_dim)
    try:
        return _T_flatten_using_ints[ks](self, start_dim, end_dim)
    except Exception:
        _explain(_T_flatten_using_ints, (self, start_dim, end_dim, ))
        raise


def flatten(input, start_dim=0, end_dim=-1):
    """Merge the dimensions from ``start_dim`` to ``end_dim`` into one; a view where strides allow it.

    Args:
        input: a tensor; a zero-dimensional one becomes one-dimensional.
        start_dim, end_dim: the first and the last dimension to merge.

    Raises:
        IndexError: for a dimension out of range.
        RuntimeError: if ``start_dim`` comes after ``end_dim``.

    Example:
        >>> flatten(zeros(2, 3, 4), 1).shape
        torch.Size([2, 12])"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("flatten", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if start_dim.__class__ is not int:
        start_dim = _as_int("flatten", "start_dim", start_dim)
    if end_dim.__class__ is not int:
        end_dim = _as_int("flatten", "end_dim", end_dim)
    try:
        return _T_flatten_using_ints[ks](input, start_dim, end_dim)
    except Exception:
        _explain(_T_flatten_using_ints, (input, start_dim, end_dim, ))
        raise


def op_unflatten_int(self, dim, sizes):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("unflatten", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("unflatten", "dim", dim)
    if sizes.__class__ not in _SEQUENCES:
        sizes = _as_ints("unflatten", "sizes", sizes, False)
    try:
        return _T_unflatten_int[ks](self, dim, sizes)
    except Exception:
        _explain(_T_unflatten_int, (self, dim, sizes, ))
        raise


def unflatten(input, dim=_MISSING, sizes=_MISSING, **kwargs):
    """Split one dimension into several; a view.

    Args:
        input: a tensor.
        dim: the dimension to split.
        sizes: the sizes it becomes; one may be -1.

    Raises:
        RuntimeError: if the sizes do not multiply to the size of ``dim``.

    Example:
        >>> unflatten(zeros(2, 12), 1, (3, -1)).shape
        torch.Size([2, 3, 4])"""
    if kwargs or dim is _MISSING or sizes is _MISSING:
        return _numpy_names("unflatten", unflatten, kwargs, {"input": input, "dim": dim, "sizes": sizes, })
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("unflatten", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("unflatten", "dim", dim)
    if sizes.__class__ not in _SEQUENCES:
        sizes = _as_ints("unflatten", "sizes", sizes, False)
    try:
        return _T_unflatten_int[ks](input, dim, sizes)
    except Exception:
        _explain(_T_unflatten_int, (input, dim, sizes, ))
        raise


def op_ravel(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("ravel", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ravel[ks](self)
    except Exception:
        _explain(_T_ravel, (self, ))
        raise


def ravel(input):
    """All elements in one dimension; a view where strides allow it.

    Example:
        >>> ravel(zeros(2, 3)).shape
        torch.Size([6])"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("ravel", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ravel[ks](input)
    except Exception:
        _explain(_T_ravel, (input, ))
        raise


def op_squeeze(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("squeeze", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_squeeze[ks](self)
    except Exception:
        _explain(_T_squeeze, (self, ))
        raise


def op_squeeze_dim(self, dim):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("squeeze", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("squeeze", "dim", dim)
    try:
        return _T_squeeze_dim[ks](self, dim)
    except Exception:
        _explain(_T_squeeze_dim, (self, dim, ))
        raise


def op_squeeze_dims(self, dim):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("squeeze", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ not in _SEQUENCES:
        dim = _as_ints("squeeze", "dim", dim, False)
    try:
        return _T_squeeze_dims[ks](self, dim)
    except Exception:
        _explain(_T_squeeze_dims, (self, dim, ))
        raise


def op_unsqueeze(self, dim=_MISSING, **kwargs):
    if kwargs or dim is _MISSING:
        return _numpy_names("unsqueeze", op_unsqueeze, kwargs, {"self": self, "dim": dim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("unsqueeze", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("unsqueeze", "dim", dim)
    try:
        return _T_unsqueeze[ks](self, dim)
    except Exception:
        _explain(_T_unsqueeze, (self, dim, ))
        raise


def unsqueeze(input, dim=_MISSING, **kwargs):
    """Insert a dimension of size 1; a view.

    Args:
        input: a tensor.
        dim: where the new dimension goes, from ``-input.dim() - 1`` to ``input.dim()``.

    Raises:
        IndexError: if ``dim`` is out of range.

    Example:
        >>> unsqueeze(zeros(3), 0).shape
        torch.Size([1, 3])"""
    if kwargs or dim is _MISSING:
        return _numpy_names("unsqueeze", unsqueeze, kwargs, {"input": input, "dim": dim, })
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("unsqueeze", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("unsqueeze", "dim", dim)
    try:
        return _T_unsqueeze[ks](input, dim)
    except Exception:
        _explain(_T_unsqueeze, (input, dim, ))
        raise


def op_t(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("t", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_t[ks](self)
    except Exception:
        _explain(_T_t, (self, ))
        raise


def t(input):
    """The transpose of a matrix; tensors of fewer dimensions come back as they are. A view.

    Raises:
        RuntimeError: for more than two dimensions.

    Example:
        >>> t(zeros(2, 3)).shape
        torch.Size([3, 2])"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("t", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_t[ks](input)
    except Exception:
        _explain(_T_t, (input, ))
        raise


def op_transpose_int(self, dim0, dim1):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("transpose", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim0.__class__ is not int:
        dim0 = _as_int("transpose", "dim0", dim0)
    if dim1.__class__ is not int:
        dim1 = _as_int("transpose", "dim1", dim1)
    try:
        return _T_transpose_int[ks](self, dim0, dim1)
    except Exception:
        _explain(_T_transpose_int, (self, dim0, dim1, ))
        raise


def transpose(input, dim0, dim1):
    """Exchange two dimensions; a view.

    Args:
        input: a tensor.
        dim0, dim1: the dimensions to exchange.

    Raises:
        IndexError: for a dimension out of range.

    Example:
        >>> transpose(zeros(2, 3, 4), 0, -1).shape
        torch.Size([4, 3, 2])"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("transpose", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim0.__class__ is not int:
        dim0 = _as_int("transpose", "dim0", dim0)
    if dim1.__class__ is not int:
        dim1 = _as_int("transpose", "dim1", dim1)
    try:
        return _T_transpose_int[ks](input, dim0, dim1)
    except Exception:
        _explain(_T_transpose_int, (input, dim0, dim1, ))
        raise


def op_numpy_T(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("numpy_T", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_numpy_T[ks](self)
    except Exception:
        _explain(_T_numpy_T, (self, ))
        raise


def op_matrix_H(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("matrix_H", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_matrix_H[ks](self)
    except Exception:
        _explain(_T_matrix_H, (self, ))
        raise


def op_mT(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("mT", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_mT[ks](self)
    except Exception:
        _explain(_T_mT, (self, ))
        raise


def op_mH(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("mH", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_mH[ks](self)
    except Exception:
        _explain(_T_mH, (self, ))
        raise


def op_adjoint(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("adjoint", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_adjoint[ks](self)
    except Exception:
        _explain(_T_adjoint, (self, ))
        raise


def adjoint(input):
    """The last two dimensions exchanged, complex elements conjugated.

    Raises:
        RuntimeError: for one-dimensional tensors.

    Example:
        >>> adjoint(zeros(2, 3)).shape
        torch.Size([3, 2])"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("adjoint", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_adjoint[ks](input)
    except Exception:
        _explain(_T_adjoint, (input, ))
        raise


def op_permute(self, dims):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("permute", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dims.__class__ not in _SEQUENCES:
        dims = _as_ints("permute", "dims", dims, False)
    try:
        return _T_permute[ks](self, dims)
    except Exception:
        _explain(_T_permute, (self, dims, ))
        raise


def permute(input, dims):
    """The dimensions in another order; a view.

    Args:
        input: a tensor.
        dims: each dimension once, in the order wanted.

    Raises:
        RuntimeError: if ``dims`` has another length than ``input`` has dimensions, or names one twice.
        IndexError: for a dimension out of range.

    Example:
        >>> permute(zeros(2, 3, 4), (2, 0, 1)).shape
        torch.Size([4, 2, 3])"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("permute", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dims.__class__ not in _SEQUENCES:
        dims = _as_ints("permute", "dims", dims, False)
    try:
        return _T_permute[ks](input, dims)
    except Exception:
        _explain(_T_permute, (input, dims, ))
        raise


def op_movedim_intlist(self, source, destination):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("movedim", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if source.__class__ not in _SEQUENCES:
        source = _as_ints("movedim", "source", source, False)
    if destination.__class__ not in _SEQUENCES:
        destination = _as_ints("movedim", "destination", destination, False)
    try:
        return _T_movedim_intlist[ks](self, source, destination)
    except Exception:
        _explain(_T_movedim_intlist, (self, source, destination, ))
        raise


def op_expand(self, *size, implicit=False, **kwargs):
    size = _varargs("expand", "size", size, kwargs)
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("expand", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("expand", "size", size, False)
    try:
        if implicit is False:
            return _T_expand[ks](self, size)
        if implicit is not False and implicit is not True:
            implicit = _as_bool("expand", "implicit", implicit)
        return _T_expand[ks](self, size, implicit=implicit)
    except Exception:
        _explain(_T_expand, (self, size, implicit, ))
        raise


def op_expand_as(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("expand_as", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_expand_as[ks](self, other)
    except Exception:
        _explain(_T_expand_as, (self, other, ))
        raise


def op_broadcast_to(self, size):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("broadcast_to", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("broadcast_to", "size", size, False)
    try:
        return _T_broadcast_to[ks](self, size)
    except Exception:
        _explain(_T_broadcast_to, (self, size, ))
        raise


def broadcast_to(input, size):
    """``input`` repeated to a larger shape without copying: dimensions of size 1 get stride 0.

    Args:
        input: a tensor.
        size: the shape wanted; -1 keeps a dimension's size.

    Raises:
        RuntimeError: if a size other than 1 would have to change.

    Example:
        >>> broadcast_to(tensor([1, 2]), (3, 2)).shape
        torch.Size([3, 2])"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("broadcast_to", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("broadcast_to", "size", size, False)
    try:
        return _T_broadcast_to[ks](input, size)
    except Exception:
        _explain(_T_broadcast_to, (input, size, ))
        raise


def op_broadcast_tensors(tensors):
    try:
        ks = _keys_in(tensors)
    except AttributeError:
        raise _not_tensor("broadcast_tensors", {}, {"tensors": tensors, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_broadcast_tensors[ks](tensors)
    except Exception:
        _explain(_T_broadcast_tensors, (tensors, ))
        raise


def op_as_strided(self, size, stride, storage_offset=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("as_strided", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("as_strided", "size", size, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("as_strided", "stride", stride, False)
    if storage_offset is not None and storage_offset.__class__ is not int:
        storage_offset = _as_int("as_strided", "storage_offset", storage_offset)
    try:
        return _T_as_strided[ks](self, size, stride, storage_offset)
    except Exception:
        _explain(_T_as_strided, (self, size, stride, storage_offset, ))
        raise


def as_strided(input, size, stride, storage_offset=None):
    """A view of ``input``'s memory through any sizes and strides.

    Args:
        input: a tensor.
        size, stride: the sizes and steps (in elements) of the view.
        storage_offset: where its first element is, counted from the start of the memory; by default ``input``'s own.

    Raises:
        RuntimeError: if an element would lie outside the memory, or a stride is negative.

    Example:
        >>> as_strided(arange(4), (3, 2), (1, 1)).tolist()
        [[0, 1], [1, 2], [2, 3]]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("as_strided", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("as_strided", "size", size, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("as_strided", "stride", stride, False)
    if storage_offset is not None and storage_offset.__class__ is not int:
        storage_offset = _as_int("as_strided", "storage_offset", storage_offset)
    try:
        return _T_as_strided[ks](input, size, stride, storage_offset)
    except Exception:
        _explain(_T_as_strided, (input, size, stride, storage_offset, ))
        raise


def op_as_strided_scatter(self, src, size, stride, storage_offset=None):
    try:
        ks = self._ks | src._ks
    except AttributeError:
        raise _not_tensor("as_strided_scatter", {"self": self, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("as_strided_scatter", "size", size, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("as_strided_scatter", "stride", stride, False)
    if storage_offset is not None and storage_offset.__class__ is not int:
        storage_offset = _as_int("as_strided_scatter", "storage_offset", storage_offset)
    try:
        return _T_as_strided_scatter[ks](self, src, size, stride, storage_offset)
    except Exception:
        _explain(_T_as_strided_scatter, (self, src, size, stride, storage_offset, ))
        raise


def as_strided_scatter(input, src, size, stride, storage_offset=None):
    """A copy of ``input`` in which the elements that ``as_strided`` would show are ``src``'s.

    Args:
        input: a tensor.
        src: the new elements, of shape ``size``.
        size, stride, storage_offset: as for ``as_strided``.

    Example:
        >>> as_strided_scatter(zeros(3), ones(2), (2,), (2,)).tolist()
        [1.0, 0.0, 1.0]"""
    try:
        ks = input._ks | src._ks
    except AttributeError:
        raise _not_tensor("as_strided_scatter", {"input": input, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("as_strided_scatter", "size", size, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("as_strided_scatter", "stride", stride, False)
    if storage_offset is not None and storage_offset.__class__ is not int:
        storage_offset = _as_int("as_strided_scatter", "storage_offset", storage_offset)
    try:
        return _T_as_strided_scatter[ks](input, src, size, stride, storage_offset)
    except Exception:
        _explain(_T_as_strided_scatter, (input, src, size, stride, storage_offset, ))
        raise


def op_real(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("real", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_real[ks](self)
    except Exception:
        _explain(_T_real, (self, ))
        raise


def real(input):
    """The real parts; a view of complex tensors, a real tensor itself.

    Example:
        >>> real(tensor([1 + 2j])).tolist()
        [1.0]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("real", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_real[ks](input)
    except Exception:
        _explain(_T_real, (input, ))
        raise


def op_imag(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("imag", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_imag[ks](self)
    except Exception:
        _explain(_T_imag, (self, ))
        raise


def imag(input):
    """The imaginary parts of a complex tensor; a view.

    Raises:
        RuntimeError: for tensors that are not complex.

    Example:
        >>> imag(tensor([1 + 2j])).tolist()
        [2.0]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("imag", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_imag[ks](input)
    except Exception:
        _explain(_T_imag, (input, ))
        raise


def op_view_as_real(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("view_as_real", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_view_as_real[ks](self)
    except Exception:
        _explain(_T_view_as_real, (self, ))
        raise


def view_as_real(input):
    """A complex tensor as real numbers with one more dimension of size 2; a view.

    Raises:
        RuntimeError: for tensors that are not complex.

    Example:
        >>> view_as_real(tensor([1 + 2j])).tolist()
        [[1.0, 2.0]]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("view_as_real", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_view_as_real[ks](input)
    except Exception:
        _explain(_T_view_as_real, (input, ))
        raise


def op_view_as_complex(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("view_as_complex", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_view_as_complex[ks](self)
    except Exception:
        _explain(_T_view_as_complex, (self, ))
        raise


def view_as_complex(input):
    """A real tensor whose last dimension has size 2 as complex numbers; a view.

    Raises:
        RuntimeError: if the type is not floating, the last size is not 2 or its stride is not 1.

    Example:
        >>> view_as_complex(tensor([[1.0, 2.0]])).tolist()
        [(1+2j)]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("view_as_complex", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_view_as_complex[ks](input)
    except Exception:
        _explain(_T_view_as_complex, (input, ))
        raise


def op_detach(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("detach", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_detach[ks](self)
    except Exception:
        _explain(_T_detach, (self, ))
        raise


def detach(input):
    """A tensor over the same memory that is cut off from the graph: no gradient flows through it.

    Example:
        >>> x = ones(2, requires_grad=True)
        >>> detach(x).requires_grad
        False"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("detach", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_detach[ks](input)
    except Exception:
        _explain(_T_detach, (input, ))
        raise


def op_alias(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("alias", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_alias[ks](self)
    except Exception:
        _explain(_T_alias, (self, ))
        raise


METHODS = {
    "view_as": op_view_as,
    "reshape_as": op_reshape_as,
    "flatten": op_flatten_using_ints,
    "ravel": op_ravel,
    "unsqueeze": op_unsqueeze,
    "t": op_t,
    "transpose": op_transpose_int,
    "swapaxes": op_transpose_int,
    "swapdims": op_transpose_int,
    "adjoint": op_adjoint,
    "expand": op_expand,
    "expand_as": op_expand_as,
    "broadcast_to": op_broadcast_to,
    "as_strided": op_as_strided,
    "as_strided_scatter": op_as_strided_scatter,
    "detach": op_detach,
}


FUNCTIONS = {
    "_unsafe_view": _unsafe_view,
    "reshape": reshape,
    "flatten": flatten,
    "unflatten": unflatten,
    "ravel": ravel,
    "unsqueeze": unsqueeze,
    "t": t,
    "transpose": transpose,
    "swapaxes": transpose,
    "swapdims": transpose,
    "adjoint": adjoint,
    "permute": permute,
    "broadcast_to": broadcast_to,
    "as_strided": as_strided,
    "as_strided_scatter": as_strided_scatter,
    "real": real,
    "imag": imag,
    "view_as_real": view_as_real,
    "view_as_complex": view_as_complex,
    "detach": detach,
}
