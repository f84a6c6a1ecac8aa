# Generated from packages/core/src/lamella/core/ops/joining.yaml (sha256 ed0c362d9d922849). Do not edit:
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
    _T_cat,
    _T_stack,
    _T_hstack,
    _T_vstack,
    _T_dstack,
    _T_column_stack,
    _T_repeat,
    _T_tile,
    _T_repeat_interleave_self_Tensor,
    _T_repeat_interleave_self_int,
    _T_repeat_interleave_Tensor,
    _T_flip,
    _T_fliplr,
    _T_flipud,
    _T_roll,
    _T_rot90,
    _T_tril,
    _T_tril_,
    _T_triu,
    _T_triu_,
    _T_tril_indices,
    _T_triu_indices,
    _T_meshgrid_indexing,
    _T_block_diag,
    _T_cartesian_prod,
    _T_combinations,
    _T_pixel_shuffle,
    _T_pixel_unshuffle,
    _T_channel_shuffle,
    _T_constant_pad_nd,
) = _define(
    "aten",
    "joining",
    (
        ('cat(Tensor[] tensors, int dim=0) -> Tensor', True),
        ('stack(Tensor[] tensors, int dim=0) -> Tensor', True),
        ('hstack(Tensor[] tensors) -> Tensor', True),
        ('vstack(Tensor[] tensors) -> Tensor', True),
        ('dstack(Tensor[] tensors) -> Tensor', True),
        ('column_stack(Tensor[] tensors) -> Tensor', True),
        ('repeat(Tensor self, SymInt[] repeats) -> Tensor', True),
        ('tile(Tensor self, SymInt[] dims) -> Tensor', True),
        ('repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor', True),
        ('repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor', True),
        ('repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor', False),
        ('flip(Tensor self, int[] dims) -> Tensor', True),
        ('fliplr(Tensor self) -> Tensor', True),
        ('flipud(Tensor self) -> Tensor', True),
        ('roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor', True),
        ('rot90(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor', True),
        ('tril(Tensor self, SymInt diagonal=0) -> Tensor', True),
        ('tril_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)', True),
        ('triu(Tensor self, SymInt diagonal=0) -> Tensor', True),
        ('triu_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)', True),
        ('tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
        ('triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor', False),
        ('meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]', True),
        ('block_diag(Tensor[] tensors) -> Tensor', True),
        ('cartesian_prod(Tensor[] tensors) -> Tensor', True),
        ('combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor', True),
        ('pixel_shuffle(Tensor self, int upscale_factor) -> Tensor', True),
        ('pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor', True),
        ('channel_shuffle(Tensor self, SymInt groups) -> Tensor', True),
        ('constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor', True),
    ),
    {1: "lamella.core._gen.joining_cpu", 2: "lamella.core._gen.joining_cuda", 3: "lamella.core._gen.joining_meta", 65: "lamella.core.composite.joining", },
    "lamella.core/ops/joining.yaml",
)


def op_cat(tensors, dim=0):
    try:
        ks = _keys_in(tensors)
    except AttributeError:
        raise _not_tensor("cat", {}, {"tensors": tensors, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("cat", "dim", dim)
    try:
        return _T_cat[ks](tensors, dim)
    except Exception:
        _explain(_T_cat, (tensors, dim, ))
        raise


def op_stack(tensors, dim=0):
    try:
        ks = _keys_in(tensors)
    except AttributeError:
        raise _not_tensor("stack", {}, {"tensors": tensors, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("stack", "dim", dim)
    try:
        return _T_stack[ks](tensors, dim)
    except Exception:
        _explain(_T_stack, (tensors, dim, ))
        raise


def op_hstack(tensors):
    try:
        ks = _keys_in(tensors)
    except AttributeError:
        raise _not_tensor("hstack", {}, {"tensors": tensors, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_hstack[ks](tensors)
    except Exception:
        _explain(_T_hstack, (tensors, ))
        raise


def op_vstack(tensors):
    try:
        ks = _keys_in(tensors)
    except AttributeError:
        raise _not_tensor("vstack", {}, {"tensors": tensors, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_vstack[ks](tensors)
    except Exception:
        _explain(_T_vstack, (tensors, ))
        raise


def op_dstack(tensors):
    try:
        ks = _keys_in(tensors)
    except AttributeError:
        raise _not_tensor("dstack", {}, {"tensors": tensors, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_dstack[ks](tensors)
    except Exception:
        _explain(_T_dstack, (tensors, ))
        raise


def op_column_stack(tensors):
    try:
        ks = _keys_in(tensors)
    except AttributeError:
        raise _not_tensor("column_stack", {}, {"tensors": tensors, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_column_stack[ks](tensors)
    except Exception:
        _explain(_T_column_stack, (tensors, ))
        raise


def op_repeat(self, *repeats, **kwargs):
    repeats = _varargs("repeat", "repeats", repeats, kwargs)
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("repeat", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if repeats.__class__ not in _SEQUENCES:
        repeats = _as_ints("repeat", "repeats", repeats, False)
    try:
        return _T_repeat[ks](self, repeats)
    except Exception:
        _explain(_T_repeat, (self, repeats, ))
        raise


def op_tile(self, *dims, **kwargs):
    dims = _varargs("tile", "dims", dims, kwargs)
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("tile", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dims.__class__ not in _SEQUENCES:
        dims = _as_ints("tile", "dims", dims, False)
    try:
        return _T_tile[ks](self, dims)
    except Exception:
        _explain(_T_tile, (self, dims, ))
        raise


def tile(input, dims):
    """``input`` put beside itself ``dims[i]`` times along each dimension.

    Example:
        >>> tile(tensor([1, 2]), (2,)).tolist()
        [1, 2, 1, 2]"""
    return op_tile(input, dims)


def op_repeat_interleave_self_Tensor(self, repeats, dim=None, *, output_size=None):
    try:
        ks = self._ks | repeats._ks
    except AttributeError:
        raise _not_tensor("repeat_interleave", {"self": self, "repeats": repeats, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ is not int:
        dim = _as_int("repeat_interleave", "dim", dim)
    try:
        if output_size is None:
            return _T_repeat_interleave_self_Tensor[ks](self, repeats, dim)
        if output_size is not None and output_size.__class__ is not int:
            output_size = _as_int("repeat_interleave", "output_size", output_size)
        return _T_repeat_interleave_self_Tensor[ks](self, repeats, dim, output_size=output_size)
    except Exception:
        _explain(_T_repeat_interleave_self_Tensor, (self, repeats, dim, output_size, ))
        raise


def op_repeat_interleave_self_int(self, repeats, dim=None, *, output_size=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("repeat_interleave", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if repeats.__class__ is not int:
        repeats = _as_int("repeat_interleave", "repeats", repeats)
    if dim is not None and dim.__class__ is not int:
        dim = _as_int("repeat_interleave", "dim", dim)
    try:
        if output_size is None:
            return _T_repeat_interleave_self_int[ks](self, repeats, dim)
        if output_size is not None and output_size.__class__ is not int:
            output_size = _as_int("repeat_interleave", "output_size", output_size)
        return _T_repeat_interleave_self_int[ks](self, repeats, dim, output_size=output_size)
    except Exception:
        _explain(_T_repeat_interleave_self_int, (self, repeats, dim, output_size, ))
        raise


def op_repeat_interleave_Tensor(repeats, *, output_size=None):
    try:
        ks = repeats._ks
    except AttributeError:
        raise _not_tensor("repeat_interleave", {"repeats": repeats, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if output_size is None:
            return _T_repeat_interleave_Tensor[ks](repeats)
        if output_size is not None and output_size.__class__ is not int:
            output_size = _as_int("repeat_interleave", "output_size", output_size)
        return _T_repeat_interleave_Tensor[ks](repeats, output_size=output_size)
    except Exception:
        _explain(_T_repeat_interleave_Tensor, (repeats, output_size, ))
        raise


def op_flip(self, *dims, **kwargs):
    dims = _varargs("flip", "dims", dims, kwargs)
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("flip", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dims.__class__ not in _SEQUENCES:
        dims = _as_ints("flip", "dims", dims, False)
    try:
        return _T_flip[ks](self, dims)
    except Exception:
        _explain(_T_flip, (self, dims, ))
        raise


def flip(input, dims):
    """``input`` with the elements along some dimensions in reverse order, as a copy.

    Args:
        input: a tensor.
        dims: the dimensions to reverse.

    Raises:
        RuntimeError: if a dimension is named twice.

    Example:
        >>> flip(tensor([1, 2, 3]), (0,)).tolist()
        [3, 2, 1]"""
    return op_flip(input, dims)


def op_fliplr(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("fliplr", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_fliplr[ks](self)
    except Exception:
        _explain(_T_fliplr, (self, ))
        raise


def fliplr(input):
    """``input`` with its columns in reverse order.

    Example:
        >>> fliplr(tensor([[1, 2]])).tolist()
        [[2, 1]]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("fliplr", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_fliplr[ks](input)
    except Exception:
        _explain(_T_fliplr, (input, ))
        raise


def op_flipud(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("flipud", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_flipud[ks](self)
    except Exception:
        _explain(_T_flipud, (self, ))
        raise


def flipud(input):
    """``input`` with its rows in reverse order.

    Example:
        >>> flipud(tensor([1, 2])).tolist()
        [2, 1]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("flipud", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_flipud[ks](input)
    except Exception:
        _explain(_T_flipud, (input, ))
        raise


def op_roll(self, shifts, dims=()):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("roll", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if shifts.__class__ not in _SEQUENCES and shifts.__class__ is not int:
        shifts = _as_ints("roll", "shifts", shifts, True)
    if dims is not None and dims.__class__ not in _SEQUENCES and dims.__class__ is not int:
        dims = _as_ints("roll", "dims", dims, True)
    try:
        return _T_roll[ks](self, shifts, dims)
    except Exception:
        _explain(_T_roll, (self, shifts, dims, ))
        raise


def roll(input, shifts, dims=()):
    """Elements moved along dimensions; what leaves at the end comes back at the beginning.

    Args:
        input: a tensor.
        shifts: by how many places, one number or one per dimension.
        dims: the dimensions; none means the flattened tensor.

    Example:
        >>> roll(tensor([1, 2, 3]), 1).tolist()
        [3, 1, 2]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("roll", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if shifts.__class__ not in _SEQUENCES and shifts.__class__ is not int:
        shifts = _as_ints("roll", "shifts", shifts, True)
    if dims is not None and dims.__class__ not in _SEQUENCES and dims.__class__ is not int:
        dims = _as_ints("roll", "dims", dims, True)
    try:
        return _T_roll[ks](input, shifts, dims)
    except Exception:
        _explain(_T_roll, (input, shifts, dims, ))
        raise


def op_rot90(self, k=1, dims=(0,1,)):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("rot90", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if k.__class__ is not int:
        k = _as_int("rot90", "k", k)
    if dims.__class__ not in _SEQUENCES:
        dims = _as_ints("rot90", "dims", dims, False)
    try:
        return _T_rot90[ks](self, k, dims)
    except Exception:
        _explain(_T_rot90, (self, k, dims, ))
        raise


def rot90(input, k=1, dims=(0,1,)):
    """``input`` turned by ``k`` quarter turns in the plane of two dimensions, from the first towards the second.

    Example:
        >>> rot90(tensor([[1, 2], [3, 4]])).tolist()
        [[2, 4], [1, 3]]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("rot90", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if k.__class__ is not int:
        k = _as_int("rot90", "k", k)
    if dims.__class__ not in _SEQUENCES:
        dims = _as_ints("rot90", "dims", dims, False)
    try:
        return _T_rot90[ks](input, k, dims)
    except Exception:
        _explain(_T_rot90, (input, k, dims, ))
        raise


def op_tril(self, diagonal=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("tril", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if diagonal.__class__ is not int:
        diagonal = _as_int("tril", "diagonal", diagonal)
    try:
        return _T_tril[ks](self, diagonal)
    except Exception:
        _explain(_T_tril, (self, diagonal, ))
        raise


def tril(input, diagonal=0, *, out=None):
    """The lower triangle of matrices; the rest is zero.

    Args:
        input: a tensor of at least two dimensions.
        diagonal: the last diagonal that stays: 0 the main one, positive above it.
        out: a tensor to write the result into.

    Example:
        >>> tril(ones(2, 2)).tolist()
        [[1.0, 0.0], [1.0, 1.0]]"""
    if out is not None:
        return _out("tril", out, op_tril(input, diagonal), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("tril", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if diagonal.__class__ is not int:
        diagonal = _as_int("tril", "diagonal", diagonal)
    try:
        return _T_tril[ks](input, diagonal)
    except Exception:
        _explain(_T_tril, (input, diagonal, ))
        raise


def op_tril_(self, diagonal=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("tril_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if diagonal.__class__ is not int:
        diagonal = _as_int("tril_", "diagonal", diagonal)
    try:
        return _T_tril_[ks](self, diagonal)
    except Exception:
        _explain(_T_tril_, (self, diagonal, ))
        raise


def op_triu(self, diagonal=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("triu", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if diagonal.__class__ is not int:
        diagonal = _as_int("triu", "diagonal", diagonal)
    try:
        return _T_triu[ks](self, diagonal)
    except Exception:
        _explain(_T_triu, (self, diagonal, ))
        raise


def triu(input, diagonal=0, *, out=None):
    """The upper triangle of matrices; the rest is zero.

    Args:
        input: a tensor of at least two dimensions.
        diagonal: the first diagonal that stays: 0 the main one, positive above it.
        out: a tensor to write the result into.

    Example:
        >>> triu(ones(2, 2)).tolist()
        [[1.0, 1.0], [0.0, 1.0]]"""
    if out is not None:
        return _out("triu", out, op_triu(input, diagonal), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("triu", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if diagonal.__class__ is not int:
        diagonal = _as_int("triu", "diagonal", diagonal)
    try:
        return _T_triu[ks](input, diagonal)
    except Exception:
        _explain(_T_triu, (input, diagonal, ))
        raise


def op_triu_(self, diagonal=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("triu_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if diagonal.__class__ is not int:
        diagonal = _as_int("triu_", "diagonal", diagonal)
    try:
        return _T_triu_[ks](self, diagonal)
    except Exception:
        _explain(_T_triu_, (self, diagonal, ))
        raise


def op_tril_indices(row, col, offset=0, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if row.__class__ is not int:
        row = _as_int("tril_indices", "row", row)
    if col.__class__ is not int:
        col = _as_int("tril_indices", "col", col)
    if offset.__class__ is not int:
        offset = _as_int("tril_indices", "offset", offset)
    try:
        if dtype is None and layout is None and device is None and pin_memory is None:
            return _T_tril_indices[ks](row, col, offset)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("tril_indices", "pin_memory", pin_memory)
        return _T_tril_indices[ks](row, col, offset, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_tril_indices, (row, col, offset, dtype, layout, device, pin_memory, ))
        raise


def tril_indices(row, col, offset=0, *, dtype=None, layout=None, device=None, pin_memory=None):
    """Row and column numbers of the lower triangle of a matrix, row by row, as a tensor of shape ``[2, n]``.

    Example:
        >>> tril_indices(2, 2).tolist()
        [[0, 1, 1], [0, 0, 1]]"""
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if row.__class__ is not int:
        row = _as_int("tril_indices", "row", row)
    if col.__class__ is not int:
        col = _as_int("tril_indices", "col", col)
    if offset.__class__ is not int:
        offset = _as_int("tril_indices", "offset", offset)
    try:
        if dtype is None and layout is None and device is None and pin_memory is None:
            return _T_tril_indices[ks](row, col, offset)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("tril_indices", "pin_memory", pin_memory)
        return _T_tril_indices[ks](row, col, offset, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_tril_indices, (row, col, offset, dtype, layout, device, pin_memory, ))
        raise


def op_triu_indices(row, col, offset=0, *, dtype=None, layout=None, device=None, pin_memory=None):
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if row.__class__ is not int:
        row = _as_int("triu_indices", "row", row)
    if col.__class__ is not int:
        col = _as_int("triu_indices", "col", col)
    if offset.__class__ is not int:
        offset = _as_int("triu_indices", "offset", offset)
    try:
        if dtype is None and layout is None and device is None and pin_memory is None:
            return _T_triu_indices[ks](row, col, offset)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("triu_indices", "pin_memory", pin_memory)
        return _T_triu_indices[ks](row, col, offset, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_triu_indices, (row, col, offset, dtype, layout, device, pin_memory, ))
        raise


def triu_indices(row, col, offset=0, *, dtype=None, layout=None, device=None, pin_memory=None):
    """Row and column numbers of the upper triangle of a matrix, row by row, as a tensor of shape ``[2, n]``.

    Example:
        >>> triu_indices(2, 2).tolist()
        [[0, 0, 1], [0, 1, 1]]"""
    ks = _backend_bit(device)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if row.__class__ is not int:
        row = _as_int("triu_indices", "row", row)
    if col.__class__ is not int:
        col = _as_int("triu_indices", "col", col)
    if offset.__class__ is not int:
        offset = _as_int("triu_indices", "offset", offset)
    try:
        if dtype is None and layout is None and device is None and pin_memory is None:
            return _T_triu_indices[ks](row, col, offset)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("triu_indices", "pin_memory", pin_memory)
        return _T_triu_indices[ks](row, col, offset, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    except Exception:
        _explain(_T_triu_indices, (row, col, offset, dtype, layout, device, pin_memory, ))
        raise


def op_meshgrid_indexing(tensors, *, indexing):
    try:
        ks = _keys_in(tensors)
    except AttributeError:
        raise _not_tensor("meshgrid", {}, {"tensors": tensors, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_meshgrid_indexing[ks](tensors, indexing=indexing)
    except Exception:
        _explain(_T_meshgrid_indexing, (tensors, indexing, ))
        raise


def op_block_diag(tensors):
    try:
        ks = _keys_in(tensors)
    except AttributeError:
        raise _not_tensor("block_diag", {}, {"tensors": tensors, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_block_diag[ks](tensors)
    except Exception:
        _explain(_T_block_diag, (tensors, ))
        raise


def op_cartesian_prod(tensors):
    try:
        ks = _keys_in(tensors)
    except AttributeError:
        raise _not_tensor("cartesian_prod", {}, {"tensors": tensors, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_cartesian_prod[ks](tensors)
    except Exception:
        _explain(_T_cartesian_prod, (tensors, ))
        raise


def op_combinations(self, r=2, with_replacement=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("combinations", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if r.__class__ is not int:
        r = _as_int("combinations", "r", r)
    if with_replacement is not False and with_replacement is not True:
        with_replacement = _as_bool("combinations", "with_replacement", with_replacement)
    try:
        return _T_combinations[ks](self, r, with_replacement)
    except Exception:
        _explain(_T_combinations, (self, r, with_replacement, ))
        raise


def combinations(input, r=2, with_replacement=False):
    """All choices of ``r`` elements of a vector, in lexicographic order of their places.

    Args:
        input: a vector.
        r: how many elements to choose.
        with_replacement: whether an element may be chosen again.

    Example:
        >>> combinations(tensor([1, 2, 3])).tolist()
        [[1, 2], [1, 3], [2, 3]]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("combinations", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if r.__class__ is not int:
        r = _as_int("combinations", "r", r)
    if with_replacement is not False and with_replacement is not True:
        with_replacement = _as_bool("combinations", "with_replacement", with_replacement)
    try:
        return _T_combinations[ks](input, r, with_replacement)
    except Exception:
        _explain(_T_combinations, (input, r, with_replacement, ))
        raise


def op_pixel_shuffle(self, upscale_factor):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("pixel_shuffle", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if upscale_factor.__class__ is not int:
        upscale_factor = _as_int("pixel_shuffle", "upscale_factor", upscale_factor)
    try:
        return _T_pixel_shuffle[ks](self, upscale_factor)
    except Exception:
        _explain(_T_pixel_shuffle, (self, upscale_factor, ))
        raise


def pixel_shuffle(input, upscale_factor):
    """Channels rearranged into finer pixels: ``[*, c*r*r, h, w]`` becomes ``[*, c, h*r, w*r]``.

    Example:
        >>> pixel_shuffle(zeros(1, 4, 2, 2), 2).shape
        torch.Size([1, 1, 4, 4])"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("pixel_shuffle", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if upscale_factor.__class__ is not int:
        upscale_factor = _as_int("pixel_shuffle", "upscale_factor", upscale_factor)
    try:
        return _T_pixel_shuffle[ks](input, upscale_factor)
    except Exception:
        _explain(_T_pixel_shuffle, (input, upscale_factor, ))
        raise


def op_pixel_unshuffle(self, downscale_factor):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("pixel_unshuffle", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if downscale_factor.__class__ is not int:
        downscale_factor = _as_int("pixel_unshuffle", "downscale_factor", downscale_factor)
    try:
        return _T_pixel_unshuffle[ks](self, downscale_factor)
    except Exception:
        _explain(_T_pixel_unshuffle, (self, downscale_factor, ))
        raise


def pixel_unshuffle(input, downscale_factor):
    """Pixels rearranged into channels: ``[*, c, h*r, w*r]`` becomes ``[*, c*r*r, h, w]``.

    Example:
        >>> pixel_unshuffle(zeros(1, 1, 4, 4), 2).shape
        torch.Size([1, 4, 2, 2])"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("pixel_unshuffle", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if downscale_factor.__class__ is not int:
        downscale_factor = _as_int("pixel_unshuffle", "downscale_factor", downscale_factor)
    try:
        return _T_pixel_unshuffle[ks](input, downscale_factor)
    except Exception:
        _explain(_T_pixel_unshuffle, (input, downscale_factor, ))
        raise


def op_channel_shuffle(self, groups):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("channel_shuffle", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if groups.__class__ is not int:
        groups = _as_int("channel_shuffle", "groups", groups)
    try:
        return _T_channel_shuffle[ks](self, groups)
    except Exception:
        _explain(_T_channel_shuffle, (self, groups, ))
        raise


def channel_shuffle(input, groups):
    """Channels dealt out over groups: channel ``g*n + i`` becomes ``i*groups + g``.

    Example:
        >>> channel_shuffle(arange(4).view(1, 4, 1), 2).flatten().tolist()
        [0, 2, 1, 3]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("channel_shuffle", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if groups.__class__ is not int:
        groups = _as_int("channel_shuffle", "groups", groups)
    try:
        return _T_channel_shuffle[ks](input, groups)
    except Exception:
        _explain(_T_channel_shuffle, (input, groups, ))
        raise


def op_constant_pad_nd(self, pad, value=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("constant_pad_nd", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if pad.__class__ not in _SEQUENCES:
        pad = _as_ints("constant_pad_nd", "pad", pad, False)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("constant_pad_nd", "value", value)
    try:
        return _T_constant_pad_nd[ks](self, pad, value)
    except Exception:
        _explain(_T_constant_pad_nd, (self, pad, value, ))
        raise


def constant_pad_nd(input, pad, value=0):
    """``input`` with a border of one value; negative widths cut off.

    Args:
        input: a tensor.
        pad: widths before and after the last dimension, then the last but one, and so on.
        value: what the border holds.

    Example:
        >>> constant_pad_nd(ones(2), (1, 1)).tolist()
        [0.0, 1.0, 1.0, 0.0]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("constant_pad_nd", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if pad.__class__ not in _SEQUENCES:
        pad = _as_ints("constant_pad_nd", "pad", pad, False)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("constant_pad_nd", "value", value)
    try:
        return _T_constant_pad_nd[ks](input, pad, value)
    except Exception:
        _explain(_T_constant_pad_nd, (input, pad, value, ))
        raise


METHODS = {
    "repeat": op_repeat,
    "tile": op_tile,
    "flip": op_flip,
    "fliplr": op_fliplr,
    "flipud": op_flipud,
    "roll": op_roll,
    "rot90": op_rot90,
    "tril": op_tril,
    "tril_": op_tril_,
    "triu": op_triu,
    "triu_": op_triu_,
    "combinations": op_combinations,
}


FUNCTIONS = {
    "tile": tile,
    "flip": flip,
    "fliplr": fliplr,
    "flipud": flipud,
    "roll": roll,
    "rot90": rot90,
    "tril": tril,
    "triu": triu,
    "tril_indices": tril_indices,
    "triu_indices": triu_indices,
    "combinations": combinations,
    "pixel_shuffle": pixel_shuffle,
    "pixel_unshuffle": pixel_unshuffle,
    "channel_shuffle": channel_shuffle,
    "constant_pad_nd": constant_pad_nd,
}
