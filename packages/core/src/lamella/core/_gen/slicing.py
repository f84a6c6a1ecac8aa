# Generated from packages/core/src/lamella/core/ops/slicing.yaml (sha256 7cfd7b6391f830e2). Do not edit:
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
    _T_select_int,
    _T_slice_Tensor,
    _T_narrow,
    _T_narrow_copy,
    _T_diagonal,
    _T_diag,
    _T_diag_embed,
    _T_diagflat,
    _T_unbind_int,
    _T_split_Tensor,
    _T_split_with_sizes,
    _T_chunk,
    _T_tensor_split_sections,
    _T_tensor_split_indices,
    _T_unfold,
    _T_unfold_backward,
    _T_slice_scatter,
    _T_select_scatter,
    _T_diagonal_scatter,
    _T_select_backward,
    _T_slice_backward,
    _T_diagonal_backward,
) = _define(
    "aten",
    "slicing",
    (
        ('select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)', True),
        ('slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)', True),
        ('narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)', True),
        ('narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor', True),
        ('diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)', True),
        ('diag(Tensor self, int diagonal=0) -> Tensor', True),
        ('diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor', True),
        ('diagflat(Tensor self, int offset=0) -> Tensor', True),
        ('unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]', True),
        ('split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]', True),
        ('split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]', True),
        ('chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]', True),
        ('tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]', True),
        ('tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]', True),
        ('unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)', True),
        ('unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor', True),
        ('slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor', True),
        ('select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor', True),
        ('diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor', True),
        ('select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor', True),
        ('slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) -> Tensor', True),
        ('diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor', True),
    ),
    {1: "lamella.core._gen.slicing_cpu", 2: "lamella.core._gen.slicing_cuda", 3: "lamella.core._gen.slicing_meta", 65: "lamella.core.composite.slicing", },
    "lamella.core/ops/slicing.yaml",
)


def op_select_int(self, dim=_MISSING, index=_MISSING, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING:
        return _numpy_names("select", op_select_int, kwargs, {"self": self, "dim": dim, "index": index, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("select", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("select", "dim", dim)
    if index.__class__ is not int:
        index = _as_int("select", "index", index)
    try:
        return _T_select_int[ks](self, dim, index)
    except Exception:
        _explain(_T_select_int, (self, dim, index, ))
        raise


def select(input, dim=_MISSING, index=_MISSING, **kwargs):
    """One slice along a dimension, which goes away; a view.

    Args:
        input: a tensor with at least one dimension.
        dim: the dimension.
        index: the place along it; negative ones count from the end.

    Raises:
        IndexError: if ``dim`` or ``index`` is out of range, or the tensor has no dimension.

    Example:
        >>> select(tensor([[1, 2], [3, 4]]), 1, -1).tolist()
        [2, 4]"""
    if kwargs or dim is _MISSING or index is _MISSING:
        return _numpy_names("select", select, kwargs, {"input": input, "dim": dim, "index": index, })
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("select", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("select", "dim", dim)
    if index.__class__ is not int:
        index = _as_int("select", "index", index)
    try:
        return _T_select_int[ks](input, dim, index)
    except Exception:
        _explain(_T_select_int, (input, dim, index, ))
        raise


def op_slice_Tensor(self, dim=0, start=None, end=None, step=1):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("slice", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("slice", "dim", dim)
    if start is not None and start.__class__ is not int:
        start = _as_int("slice", "start", start)
    if end is not None and end.__class__ is not int:
        end = _as_int("slice", "end", end)
    if step.__class__ is not int:
        step = _as_int("slice", "step", step)
    try:
        return _T_slice_Tensor[ks](self, dim, start, end, step)
    except Exception:
        _explain(_T_slice_Tensor, (self, dim, start, end, step, ))
        raise


def op_narrow(self, dim, start, length):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("narrow", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("narrow", "dim", dim)
    if start.__class__ is not int:
        start = _as_int("narrow", "start", start)
    if length.__class__ is not int:
        length = _as_int("narrow", "length", length)
    try:
        return _T_narrow[ks](self, dim, start, length)
    except Exception:
        _explain(_T_narrow, (self, dim, start, length, ))
        raise


def op_narrow_copy(self, dim=_MISSING, start=_MISSING, length=_MISSING, **kwargs):
    if kwargs or dim is _MISSING or start is _MISSING or length is _MISSING:
        return _numpy_names("narrow_copy", op_narrow_copy, kwargs, {"self": self, "dim": dim, "start": start, "length": length, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("narrow_copy", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("narrow_copy", "dim", dim)
    if start.__class__ is not int:
        start = _as_int("narrow_copy", "start", start)
    if length.__class__ is not int:
        length = _as_int("narrow_copy", "length", length)
    try:
        return _T_narrow_copy[ks](self, dim, start, length)
    except Exception:
        _explain(_T_narrow_copy, (self, dim, start, length, ))
        raise


def narrow_copy(input, dim=_MISSING, start=_MISSING, length=_MISSING, *, out=None, **kwargs):
    """A copy of ``narrow(input, dim, start, length)``.

    Example:
        >>> narrow_copy(arange(5), 0, 1, 3).tolist()
        [1, 2, 3]"""
    if kwargs or dim is _MISSING or start is _MISSING or length is _MISSING:
        return _numpy_names("narrow_copy", narrow_copy, kwargs, {"input": input, "dim": dim, "start": start, "length": length, "out": out})
    if out is not None:
        return _out("narrow_copy", out, op_narrow_copy(input, dim, start, length), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("narrow_copy", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("narrow_copy", "dim", dim)
    if start.__class__ is not int:
        start = _as_int("narrow_copy", "start", start)
    if length.__class__ is not int:
        length = _as_int("narrow_copy", "length", length)
    try:
        return _T_narrow_copy[ks](input, dim, start, length)
    except Exception:
        _explain(_T_narrow_copy, (input, dim, start, length, ))
        raise


def op_diagonal(self, offset=0, dim1=0, dim2=1):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("diagonal", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if offset.__class__ is not int:
        offset = _as_int("diagonal", "offset", offset)
    if dim1.__class__ is not int:
        dim1 = _as_int("diagonal", "dim1", dim1)
    if dim2.__class__ is not int:
        dim2 = _as_int("diagonal", "dim2", dim2)
    try:
        return _T_diagonal[ks](self, offset, dim1, dim2)
    except Exception:
        _explain(_T_diagonal, (self, offset, dim1, dim2, ))
        raise


def diagonal(input, offset=0, dim1=0, dim2=1):
    """The diagonal over two dimensions, as a new last dimension; a view.

    Args:
        input: a tensor with at least two dimensions.
        offset: 0 for the main diagonal, positive above it, negative below it.
        dim1, dim2: the dimensions of the planes.

    Raises:
        RuntimeError: if the dimensions are the same.

    Example:
        >>> diagonal(tensor([[1, 2], [3, 4]])).tolist()
        [1, 4]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("diagonal", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if offset.__class__ is not int:
        offset = _as_int("diagonal", "offset", offset)
    if dim1.__class__ is not int:
        dim1 = _as_int("diagonal", "dim1", dim1)
    if dim2.__class__ is not int:
        dim2 = _as_int("diagonal", "dim2", dim2)
    try:
        return _T_diagonal[ks](input, offset, dim1, dim2)
    except Exception:
        _explain(_T_diagonal, (input, offset, dim1, dim2, ))
        raise


def op_diag(self, diagonal=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("diag", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if diagonal.__class__ is not int:
        diagonal = _as_int("diag", "diagonal", diagonal)
    try:
        return _T_diag[ks](self, diagonal)
    except Exception:
        _explain(_T_diag, (self, diagonal, ))
        raise


def diag(input, diagonal=0, *, out=None):
    """A matrix with the vector ``input`` on its diagonal, or the diagonal of the matrix ``input`` as a copy.

    Args:
        input: a vector or a matrix.
        diagonal: which diagonal.

    Raises:
        RuntimeError: for other numbers of dimensions.

    Example:
        >>> diag(tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]"""
    if out is not None:
        return _out("diag", out, op_diag(input, diagonal), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("diag", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if diagonal.__class__ is not int:
        diagonal = _as_int("diag", "diagonal", diagonal)
    try:
        return _T_diag[ks](input, diagonal)
    except Exception:
        _explain(_T_diag, (input, diagonal, ))
        raise


def op_diag_embed(self, offset=0, dim1=-2, dim2=-1):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("diag_embed", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if offset.__class__ is not int:
        offset = _as_int("diag_embed", "offset", offset)
    if dim1.__class__ is not int:
        dim1 = _as_int("diag_embed", "dim1", dim1)
    if dim2.__class__ is not int:
        dim2 = _as_int("diag_embed", "dim2", dim2)
    try:
        return _T_diag_embed[ks](self, offset, dim1, dim2)
    except Exception:
        _explain(_T_diag_embed, (self, offset, dim1, dim2, ))
        raise


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Planes of zeros with the last dimension of ``input`` on their diagonals.

    Args:
        input: a tensor with at least one dimension.
        offset: which diagonal.
        dim1, dim2: the dimensions of the planes in the result.

    Example:
        >>> diag_embed(tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("diag_embed", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if offset.__class__ is not int:
        offset = _as_int("diag_embed", "offset", offset)
    if dim1.__class__ is not int:
        dim1 = _as_int("diag_embed", "dim1", dim1)
    if dim2.__class__ is not int:
        dim2 = _as_int("diag_embed", "dim2", dim2)
    try:
        return _T_diag_embed[ks](input, offset, dim1, dim2)
    except Exception:
        _explain(_T_diag_embed, (input, offset, dim1, dim2, ))
        raise


def op_diagflat(self, offset=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("diagflat", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if offset.__class__ is not int:
        offset = _as_int("diagflat", "offset", offset)
    try:
        return _T_diagflat[ks](self, offset)
    except Exception:
        _explain(_T_diagflat, (self, offset, ))
        raise


def diagflat(input, offset=0):
    """A matrix with all elements of ``input`` on a diagonal.

    Example:
        >>> diagflat(tensor([[1], [2]])).tolist()
        [[1, 0], [0, 2]]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("diagflat", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if offset.__class__ is not int:
        offset = _as_int("diagflat", "offset", offset)
    try:
        return _T_diagflat[ks](input, offset)
    except Exception:
        _explain(_T_diagflat, (input, offset, ))
        raise


def op_unbind_int(self, dim=0, **kwargs):
    if kwargs:
        return _numpy_names("unbind", op_unbind_int, kwargs, {"self": self, "dim": dim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("unbind", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("unbind", "dim", dim)
    try:
        return _T_unbind_int[ks](self, dim)
    except Exception:
        _explain(_T_unbind_int, (self, dim, ))
        raise


def unbind(input, dim=0, **kwargs):
    """All slices along a dimension, as a tuple of views.

    Args:
        input: a tensor with at least one dimension.
        dim: the dimension that goes away.

    Example:
        >>> [x.item() for x in unbind(tensor([1, 2]))]
        [1, 2]"""
    if kwargs:
        return _numpy_names("unbind", unbind, kwargs, {"input": input, "dim": dim, })
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("unbind", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("unbind", "dim", dim)
    try:
        return _T_unbind_int[ks](input, dim)
    except Exception:
        _explain(_T_unbind_int, (input, dim, ))
        raise


def op_split_Tensor(self, split_size, dim=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("split", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if split_size.__class__ is not int:
        split_size = _as_int("split", "split_size", split_size)
    if dim.__class__ is not int:
        dim = _as_int("split", "dim", dim)
    try:
        return _T_split_Tensor[ks](self, split_size, dim)
    except Exception:
        _explain(_T_split_Tensor, (self, split_size, dim, ))
        raise


def op_split_with_sizes(self, split_sizes, dim=0, **kwargs):
    if kwargs:
        return _numpy_names("split_with_sizes", op_split_with_sizes, kwargs, {"self": self, "split_sizes": split_sizes, "dim": dim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("split_with_sizes", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if split_sizes.__class__ not in _SEQUENCES:
        split_sizes = _as_ints("split_with_sizes", "split_sizes", split_sizes, False)
    if dim.__class__ is not int:
        dim = _as_int("split_with_sizes", "dim", dim)
    try:
        return _T_split_with_sizes[ks](self, split_sizes, dim)
    except Exception:
        _explain(_T_split_with_sizes, (self, split_sizes, dim, ))
        raise


def split_with_sizes(input, split_sizes, dim=0, **kwargs):
    """Parts of given sizes along a dimension, as a tuple of views.

    Args:
        input: a tensor with at least one dimension.
        split_sizes: the sizes; they must add up to the dimension's.
        dim: the dimension.

    Raises:
        RuntimeError: if the sizes do not add up.

    Example:
        >>> [len(x) for x in split_with_sizes(arange(5), [2, 3])]
        [2, 3]"""
    if kwargs:
        return _numpy_names("split_with_sizes", split_with_sizes, kwargs, {"input": input, "split_sizes": split_sizes, "dim": dim, })
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("split_with_sizes", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if split_sizes.__class__ not in _SEQUENCES:
        split_sizes = _as_ints("split_with_sizes", "split_sizes", split_sizes, False)
    if dim.__class__ is not int:
        dim = _as_int("split_with_sizes", "dim", dim)
    try:
        return _T_split_with_sizes[ks](input, split_sizes, dim)
    except Exception:
        _explain(_T_split_with_sizes, (input, split_sizes, dim, ))
        raise


def op_chunk(self, chunks, dim=0, **kwargs):
    if kwargs:
        return _numpy_names("chunk", op_chunk, kwargs, {"self": self, "chunks": chunks, "dim": dim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("chunk", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if chunks.__class__ is not int:
        chunks = _as_int("chunk", "chunks", chunks)
    if dim.__class__ is not int:
        dim = _as_int("chunk", "dim", dim)
    try:
        return _T_chunk[ks](self, chunks, dim)
    except Exception:
        _explain(_T_chunk, (self, chunks, dim, ))
        raise


def chunk(input, chunks, dim=0, **kwargs):
    """At most ``chunks`` parts of equal size (the last may be smaller), as a tuple of views.

    Args:
        input: a tensor with at least one dimension.
        chunks: how many parts, at least 1.
        dim: the dimension.

    Example:
        >>> [len(x) for x in chunk(arange(5), 2)]
        [3, 2]"""
    if kwargs:
        return _numpy_names("chunk", chunk, kwargs, {"input": input, "chunks": chunks, "dim": dim, })
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("chunk", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if chunks.__class__ is not int:
        chunks = _as_int("chunk", "chunks", chunks)
    if dim.__class__ is not int:
        dim = _as_int("chunk", "dim", dim)
    try:
        return _T_chunk[ks](input, chunks, dim)
    except Exception:
        _explain(_T_chunk, (input, chunks, dim, ))
        raise


def op_tensor_split_sections(self, sections, dim=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("tensor_split", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if sections.__class__ is not int:
        sections = _as_int("tensor_split", "sections", sections)
    if dim.__class__ is not int:
        dim = _as_int("tensor_split", "dim", dim)
    try:
        return _T_tensor_split_sections[ks](self, sections, dim)
    except Exception:
        _explain(_T_tensor_split_sections, (self, sections, dim, ))
        raise


def op_tensor_split_indices(self, indices, dim=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("tensor_split", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if indices.__class__ not in _SEQUENCES:
        indices = _as_ints("tensor_split", "indices", indices, False)
    if dim.__class__ is not int:
        dim = _as_int("tensor_split", "dim", dim)
    try:
        return _T_tensor_split_indices[ks](self, indices, dim)
    except Exception:
        _explain(_T_tensor_split_indices, (self, indices, dim, ))
        raise


def op_unfold(self, dimension, size, step):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("unfold", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dimension.__class__ is not int:
        dimension = _as_int("unfold", "dimension", dimension)
    if size.__class__ is not int:
        size = _as_int("unfold", "size", size)
    if step.__class__ is not int:
        step = _as_int("unfold", "step", step)
    try:
        return _T_unfold[ks](self, dimension, size, step)
    except Exception:
        _explain(_T_unfold, (self, dimension, size, step, ))
        raise


def op_unfold_backward(grad_in, input_sizes, dim, size, step):
    try:
        ks = grad_in._ks
    except AttributeError:
        raise _not_tensor("unfold_backward", {"grad_in": grad_in, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if input_sizes.__class__ not in _SEQUENCES:
        input_sizes = _as_ints("unfold_backward", "input_sizes", input_sizes, False)
    if dim.__class__ is not int:
        dim = _as_int("unfold_backward", "dim", dim)
    if size.__class__ is not int:
        size = _as_int("unfold_backward", "size", size)
    if step.__class__ is not int:
        step = _as_int("unfold_backward", "step", step)
    try:
        return _T_unfold_backward[ks](grad_in, input_sizes, dim, size, step)
    except Exception:
        _explain(_T_unfold_backward, (grad_in, input_sizes, dim, size, step, ))
        raise


def op_slice_scatter(self, src, dim=0, start=None, end=None, step=1, **kwargs):
    if kwargs:
        return _numpy_names("slice_scatter", op_slice_scatter, kwargs, {"self": self, "src": src, "dim": dim, "start": start, "end": end, "step": step, })
    try:
        ks = self._ks | src._ks
    except AttributeError:
        raise _not_tensor("slice_scatter", {"self": self, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("slice_scatter", "dim", dim)
    if start is not None and start.__class__ is not int:
        start = _as_int("slice_scatter", "start", start)
    if end is not None and end.__class__ is not int:
        end = _as_int("slice_scatter", "end", end)
    if step.__class__ is not int:
        step = _as_int("slice_scatter", "step", step)
    try:
        return _T_slice_scatter[ks](self, src, dim, start, end, step)
    except Exception:
        _explain(_T_slice_scatter, (self, src, dim, start, end, step, ))
        raise


def slice_scatter(input, src, dim=0, start=None, end=None, step=1, *, out=None, **kwargs):
    """A copy of ``input`` in which a slice along ``dim`` is ``src``.

    Args:
        input: a tensor.
        src: the new elements, of the slice's shape.
        dim, start, end, step: the slice.

    Example:
        >>> slice_scatter(zeros(4), ones(2), 0, 1, 3).tolist()
        [0.0, 1.0, 1.0, 0.0]"""
    if kwargs:
        return _numpy_names("slice_scatter", slice_scatter, kwargs, {"input": input, "src": src, "dim": dim, "start": start, "end": end, "step": step, "out": out})
    if out is not None:
        return _out("slice_scatter", out, op_slice_scatter(input, src, dim, start, end, step), True, inputs=(input, src, ))
    try:
        ks = input._ks | src._ks
    except AttributeError:
        raise _not_tensor("slice_scatter", {"input": input, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("slice_scatter", "dim", dim)
    if start is not None and start.__class__ is not int:
        start = _as_int("slice_scatter", "start", start)
    if end is not None and end.__class__ is not int:
        end = _as_int("slice_scatter", "end", end)
    if step.__class__ is not int:
        step = _as_int("slice_scatter", "step", step)
    try:
        return _T_slice_scatter[ks](input, src, dim, start, end, step)
    except Exception:
        _explain(_T_slice_scatter, (input, src, dim, start, end, step, ))
        raise


def op_select_scatter(self, src, dim=_MISSING, index=_MISSING, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING:
        return _numpy_names("select_scatter", op_select_scatter, kwargs, {"self": self, "src": src, "dim": dim, "index": index, })
    try:
        ks = self._ks | src._ks
    except AttributeError:
        raise _not_tensor("select_scatter", {"self": self, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("select_scatter", "dim", dim)
    if index.__class__ is not int:
        index = _as_int("select_scatter", "index", index)
    try:
        return _T_select_scatter[ks](self, src, dim, index)
    except Exception:
        _explain(_T_select_scatter, (self, src, dim, index, ))
        raise


def select_scatter(input, src, dim=_MISSING, index=_MISSING, **kwargs):
    """A copy of ``input`` in which the slice at ``index`` along ``dim`` is ``src``.

    Example:
        >>> select_scatter(zeros(2, 2), ones(2), 0, 1).tolist()
        [[0.0, 0.0], [1.0, 1.0]]"""
    if kwargs or dim is _MISSING or index is _MISSING:
        return _numpy_names("select_scatter", select_scatter, kwargs, {"input": input, "src": src, "dim": dim, "index": index, })
    try:
        ks = input._ks | src._ks
    except AttributeError:
        raise _not_tensor("select_scatter", {"input": input, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("select_scatter", "dim", dim)
    if index.__class__ is not int:
        index = _as_int("select_scatter", "index", index)
    try:
        return _T_select_scatter[ks](input, src, dim, index)
    except Exception:
        _explain(_T_select_scatter, (input, src, dim, index, ))
        raise


def op_diagonal_scatter(self, src, offset=0, dim1=0, dim2=1):
    try:
        ks = self._ks | src._ks
    except AttributeError:
        raise _not_tensor("diagonal_scatter", {"self": self, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if offset.__class__ is not int:
        offset = _as_int("diagonal_scatter", "offset", offset)
    if dim1.__class__ is not int:
        dim1 = _as_int("diagonal_scatter", "dim1", dim1)
    if dim2.__class__ is not int:
        dim2 = _as_int("diagonal_scatter", "dim2", dim2)
    try:
        return _T_diagonal_scatter[ks](self, src, offset, dim1, dim2)
    except Exception:
        _explain(_T_diagonal_scatter, (self, src, offset, dim1, dim2, ))
        raise


def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    """A copy of ``input`` in which a diagonal is ``src``.

    Example:
        >>> diagonal_scatter(zeros(2, 2), ones(2)).tolist()
        [[1.0, 0.0], [0.0, 1.0]]"""
    try:
        ks = input._ks | src._ks
    except AttributeError:
        raise _not_tensor("diagonal_scatter", {"input": input, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if offset.__class__ is not int:
        offset = _as_int("diagonal_scatter", "offset", offset)
    if dim1.__class__ is not int:
        dim1 = _as_int("diagonal_scatter", "dim1", dim1)
    if dim2.__class__ is not int:
        dim2 = _as_int("diagonal_scatter", "dim2", dim2)
    try:
        return _T_diagonal_scatter[ks](input, src, offset, dim1, dim2)
    except Exception:
        _explain(_T_diagonal_scatter, (input, src, offset, dim1, dim2, ))
        raise


def op_select_backward(grad_output, input_sizes, dim, index):
    try:
        ks = grad_output._ks
    except AttributeError:
        raise _not_tensor("select_backward", {"grad_output": grad_output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if input_sizes.__class__ not in _SEQUENCES:
        input_sizes = _as_ints("select_backward", "input_sizes", input_sizes, False)
    if dim.__class__ is not int:
        dim = _as_int("select_backward", "dim", dim)
    if index.__class__ is not int:
        index = _as_int("select_backward", "index", index)
    try:
        return _T_select_backward[ks](grad_output, input_sizes, dim, index)
    except Exception:
        _explain(_T_select_backward, (grad_output, input_sizes, dim, index, ))
        raise


def select_backward(grad_output, input_sizes, dim=_MISSING, index=_MISSING, **kwargs):
    """select_backward: see torch.select_backward."""
    if kwargs or dim is _MISSING or index is _MISSING:
        return _numpy_names("select_backward", select_backward, kwargs, {"grad_output": grad_output, "input_sizes": input_sizes, "dim": dim, "index": index, })
    try:
        ks = grad_output._ks
    except AttributeError:
        raise _not_tensor("select_backward", {"grad_output": grad_output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if input_sizes.__class__ not in _SEQUENCES:
        input_sizes = _as_ints("select_backward", "input_sizes", input_sizes, False)
    if dim.__class__ is not int:
        dim = _as_int("select_backward", "dim", dim)
    if index.__class__ is not int:
        index = _as_int("select_backward", "index", index)
    try:
        return _T_select_backward[ks](grad_output, input_sizes, dim, index)
    except Exception:
        _explain(_T_select_backward, (grad_output, input_sizes, dim, index, ))
        raise


def op_slice_backward(grad_output, input_sizes, dim, start, end, step):
    try:
        ks = grad_output._ks
    except AttributeError:
        raise _not_tensor("slice_backward", {"grad_output": grad_output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if input_sizes.__class__ not in _SEQUENCES:
        input_sizes = _as_ints("slice_backward", "input_sizes", input_sizes, False)
    if dim.__class__ is not int:
        dim = _as_int("slice_backward", "dim", dim)
    if start.__class__ is not int:
        start = _as_int("slice_backward", "start", start)
    if end.__class__ is not int:
        end = _as_int("slice_backward", "end", end)
    if step.__class__ is not int:
        step = _as_int("slice_backward", "step", step)
    try:
        return _T_slice_backward[ks](grad_output, input_sizes, dim, start, end, step)
    except Exception:
        _explain(_T_slice_backward, (grad_output, input_sizes, dim, start, end, step, ))
        raise


def slice_backward(grad_output, input_sizes, dim=_MISSING, start=_MISSING, end=_MISSING, step=_MISSING, **kwargs):
    """slice_backward: see torch.slice_backward."""
    if kwargs or dim is _MISSING or start is _MISSING or end is _MISSING or step is _MISSING:
        return _numpy_names("slice_backward", slice_backward, kwargs, {"grad_output": grad_output, "input_sizes": input_sizes, "dim": dim, "start": start, "end": end, "step": step, })
    try:
        ks = grad_output._ks
    except AttributeError:
        raise _not_tensor("slice_backward", {"grad_output": grad_output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if input_sizes.__class__ not in _SEQUENCES:
        input_sizes = _as_ints("slice_backward", "input_sizes", input_sizes, False)
    if dim.__class__ is not int:
        dim = _as_int("slice_backward", "dim", dim)
    if start.__class__ is not int:
        start = _as_int("slice_backward", "start", start)
    if end.__class__ is not int:
        end = _as_int("slice_backward", "end", end)
    if step.__class__ is not int:
        step = _as_int("slice_backward", "step", step)
    try:
        return _T_slice_backward[ks](grad_output, input_sizes, dim, start, end, step)
    except Exception:
        _explain(_T_slice_backward, (grad_output, input_sizes, dim, start, end, step, ))
        raise


def op_diagonal_backward(grad_output, input_sizes, offset, dim1, dim2):
    try:
        ks = grad_output._ks
    except AttributeError:
        raise _not_tensor("diagonal_backward", {"grad_output": grad_output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if input_sizes.__class__ not in _SEQUENCES:
        input_sizes = _as_ints("diagonal_backward", "input_sizes", input_sizes, False)
    if offset.__class__ is not int:
        offset = _as_int("diagonal_backward", "offset", offset)
    if dim1.__class__ is not int:
        dim1 = _as_int("diagonal_backward", "dim1", dim1)
    if dim2.__class__ is not int:
        dim2 = _as_int("diagonal_backward", "dim2", dim2)
    try:
        return _T_diagonal_backward[ks](grad_output, input_sizes, offset, dim1, dim2)
    except Exception:
        _explain(_T_diagonal_backward, (grad_output, input_sizes, offset, dim1, dim2, ))
        raise


def diagonal_backward(grad_output, input_sizes, offset, dim1, dim2):
    """diagonal_backward: see torch.diagonal_backward."""
    try:
        ks = grad_output._ks
    except AttributeError:
        raise _not_tensor("diagonal_backward", {"grad_output": grad_output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if input_sizes.__class__ not in _SEQUENCES:
        input_sizes = _as_ints("diagonal_backward", "input_sizes", input_sizes, False)
    if offset.__class__ is not int:
        offset = _as_int("diagonal_backward", "offset", offset)
    if dim1.__class__ is not int:
        dim1 = _as_int("diagonal_backward", "dim1", dim1)
    if dim2.__class__ is not int:
        dim2 = _as_int("diagonal_backward", "dim2", dim2)
    try:
        return _T_diagonal_backward[ks](grad_output, input_sizes, offset, dim1, dim2)
    except Exception:
        _explain(_T_diagonal_backward, (grad_output, input_sizes, offset, dim1, dim2, ))
        raise


METHODS = {
    "select": op_select_int,
    "narrow_copy": op_narrow_copy,
    "diagonal": op_diagonal,
    "diag": op_diag,
    "diag_embed": op_diag_embed,
    "diagflat": op_diagflat,
    "unbind": op_unbind_int,
    "split_with_sizes": op_split_with_sizes,
    "chunk": op_chunk,
    "unfold": op_unfold,
    "slice_scatter": op_slice_scatter,
    "select_scatter": op_select_scatter,
    "diagonal_scatter": op_diagonal_scatter,
}


FUNCTIONS = {
    "select": select,
    "narrow_copy": narrow_copy,
    "diagonal": diagonal,
    "diag": diag,
    "diag_embed": diag_embed,
    "diagflat": diagflat,
    "unbind": unbind,
    "split_with_sizes": split_with_sizes,
    "chunk": chunk,
    "slice_scatter": slice_scatter,
    "select_scatter": select_scatter,
    "diagonal_scatter": diagonal_scatter,
    "select_backward": select_backward,
    "slice_backward": slice_backward,
    "diagonal_backward": diagonal_backward,
}
