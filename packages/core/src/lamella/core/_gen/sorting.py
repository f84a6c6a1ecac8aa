# Generated from packages/core/src/lamella/core/ops/sorting.yaml (sha256 6b0d5f224839578c). Do not edit:
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
    _T_sort_stable,
    _T_argsort_stable,
    _T_msort,
    _T_topk,
    _T_kthvalue,
    _T__unique2,
    _T_unique_dim,
    _T_unique_consecutive,
    _T_searchsorted_Tensor,
    _T_histc,
    _T_bincount,
    _T_isin_Tensor_Tensor,
) = _define(
    "aten",
    "sorting",
    (
        ('sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)', True),
        ('argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor', False),
        ('msort(Tensor self) -> Tensor', True),
        ('topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)', True),
        ('kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)', True),
        ('_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)', False),
        ('unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)', False),
        ('unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)', False),
        ('searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor', False),
        ('histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor', False),
        ('bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor', False),
        ('isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor', False),
    ),
    {1: "lamella.core._gen.sorting_cpu", 2: "lamella.core._gen.sorting_cuda", 3: "lamella.core._gen.sorting_meta", 65: "lamella.core.composite.sorting", },
    "lamella.core/ops/sorting.yaml",
)


def op_sort_stable(self, *, stable, dim=-1, descending=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sort", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if stable is not None and stable is not False and stable is not True:
            stable = _as_bool("sort", "stable", stable)
        if dim.__class__ is not int:
            dim = _as_int("sort", "dim", dim)
        if descending is not False and descending is not True:
            descending = _as_bool("sort", "descending", descending)
        return _T_sort_stable[ks](self, stable=stable, dim=dim, descending=descending)
    except Exception:
        _explain(_T_sort_stable, (self, stable, dim, descending, ))
        raise


def op_argsort_stable(self, *, stable, dim=-1, descending=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("argsort", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if stable is not False and stable is not True:
            stable = _as_bool("argsort", "stable", stable)
        if dim.__class__ is not int:
            dim = _as_int("argsort", "dim", dim)
        if descending is not False and descending is not True:
            descending = _as_bool("argsort", "descending", descending)
        return _T_argsort_stable[ks](self, stable=stable, dim=dim, descending=descending)
    except Exception:
        _explain(_T_argsort_stable, (self, stable, dim, descending, ))
        raise


def op_msort(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("msort", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_msort[ks](self)
    except Exception:
        _explain(_T_msort, (self, ))
        raise


def msort(input, *, out=None):
    """``input`` sorted along its first dimension.

    Example:
        >>> msort(tensor([2, 1])).tolist()
        [1, 2]"""
    if out is not None:
        return _out("msort", out, op_msort(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("msort", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_msort[ks](input)
    except Exception:
        _explain(_T_msort, (input, ))
        raise


def op_topk(self, k, dim=-1, largest=True, sorted=True, **kwargs):
    if kwargs:
        return _numpy_names("topk", op_topk, kwargs, {"self": self, "k": k, "dim": dim, "largest": largest, "sorted": sorted, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("topk", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if k.__class__ is not int:
        k = _as_int("topk", "k", k)
    if dim.__class__ is not int:
        dim = _as_int("topk", "dim", dim)
    if largest is not False and largest is not True:
        largest = _as_bool("topk", "largest", largest)
    if sorted is not False and sorted is not True:
        sorted = _as_bool("topk", "sorted", sorted)
    try:
        return _T_topk[ks](self, k, dim, largest, sorted)
    except Exception:
        _explain(_T_topk, (self, k, dim, largest, sorted, ))
        raise


def op_kthvalue(self, k, dim=-1, keepdim=False, **kwargs):
    if kwargs:
        return _numpy_names("kthvalue", op_kthvalue, kwargs, {"self": self, "k": k, "dim": dim, "keepdim": keepdim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("kthvalue", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if k.__class__ is not int:
        k = _as_int("kthvalue", "k", k)
    if dim.__class__ is not int:
        dim = _as_int("kthvalue", "dim", dim)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("kthvalue", "keepdim", keepdim)
    try:
        return _T_kthvalue[ks](self, k, dim, keepdim)
    except Exception:
        _explain(_T_kthvalue, (self, k, dim, keepdim, ))
        raise


def op__unique2(self, sorted=True, return_inverse=False, return_counts=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_unique2", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if sorted is not False and sorted is not True:
        sorted = _as_bool("_unique2", "sorted", sorted)
    if return_inverse is not False and return_inverse is not True:
        return_inverse = _as_bool("_unique2", "return_inverse", return_inverse)
    if return_counts is not False and return_counts is not True:
        return_counts = _as_bool("_unique2", "return_counts", return_counts)
    try:
        return _T__unique2[ks](self, sorted, return_inverse, return_counts)
    except Exception:
        _explain(_T__unique2, (self, sorted, return_inverse, return_counts, ))
        raise


def op_unique_dim(self, dim, sorted=True, return_inverse=False, return_counts=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("unique_dim", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("unique_dim", "dim", dim)
    if sorted is not False and sorted is not True:
        sorted = _as_bool("unique_dim", "sorted", sorted)
    if return_inverse is not False and return_inverse is not True:
        return_inverse = _as_bool("unique_dim", "return_inverse", return_inverse)
    if return_counts is not False and return_counts is not True:
        return_counts = _as_bool("unique_dim", "return_counts", return_counts)
    try:
        return _T_unique_dim[ks](self, dim, sorted, return_inverse, return_counts)
    except Exception:
        _explain(_T_unique_dim, (self, dim, sorted, return_inverse, return_counts, ))
        raise


def op_unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("unique_consecutive", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if return_inverse is not False and return_inverse is not True:
        return_inverse = _as_bool("unique_consecutive", "return_inverse", return_inverse)
    if return_counts is not False and return_counts is not True:
        return_counts = _as_bool("unique_consecutive", "return_counts", return_counts)
    if dim is not None and dim.__class__ is not int:
        dim = _as_int("unique_consecutive", "dim", dim)
    try:
        return _T_unique_consecutive[ks](self, return_inverse, return_counts, dim)
    except Exception:
        _explain(_T_unique_consecutive, (self, return_inverse, return_counts, dim, ))
        raise


def op_searchsorted_Tensor(sorted_sequence, self, *, out_int32=False, right=False, side=None, sorter=None):
    try:
        ks = sorted_sequence._ks | self._ks | (0 if sorter is None else sorter._ks)
    except AttributeError:
        raise _not_tensor("searchsorted", {"sorted_sequence": sorted_sequence, "self": self, "sorter": sorter, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if out_int32 is False and right is False and side is None and sorter is None:
            return _T_searchsorted_Tensor[ks](sorted_sequence, self)
        if out_int32 is not False and out_int32 is not True:
            out_int32 = _as_bool("searchsorted", "out_int32", out_int32)
        if right is not False and right is not True:
            right = _as_bool("searchsorted", "right", right)
        return _T_searchsorted_Tensor[ks](sorted_sequence, self, out_int32=out_int32, right=right, side=side, sorter=sorter)
    except Exception:
        _explain(_T_searchsorted_Tensor, (sorted_sequence, self, out_int32, right, side, sorter, ))
        raise


def op_histc(self, bins=100, min=0, max=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("histc", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if bins.__class__ is not int:
        bins = _as_int("histc", "bins", bins)
    if min.__class__ is not float and min.__class__ is not int:
        min = _as_number("histc", "min", min)
    if max.__class__ is not float and max.__class__ is not int:
        max = _as_number("histc", "max", max)
    try:
        return _T_histc[ks](self, bins, min, max)
    except Exception:
        _explain(_T_histc, (self, bins, min, max, ))
        raise


def histc(input, bins=100, min=0, max=0, *, out=None):
    """How many elements fall into each of ``bins`` equal intervals from ``min`` to ``max``.

    Args:
        input: a tensor.
        bins: the number of intervals.
        min, max: the range; when both are 0, that of the elements. Elements outside are left out.
        out: a tensor to write the result into.

    Example:
        >>> histc(tensor([1.0, 2.0, 1.0]), bins=2, min=0, max=4).tolist()
        [2.0, 1.0]"""
    if out is not None:
        return _out("histc", out, op_histc(input, bins, min, max), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("histc", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if bins.__class__ is not int:
        bins = _as_int("histc", "bins", bins)
    if min.__class__ is not float and min.__class__ is not int:
        min = _as_number("histc", "min", min)
    if max.__class__ is not float and max.__class__ is not int:
        max = _as_number("histc", "max", max)
    try:
        return _T_histc[ks](input, bins, min, max)
    except Exception:
        _explain(_T_histc, (input, bins, min, max, ))
        raise


def op_bincount(self, weights=None, minlength=0):
    try:
        ks = self._ks | (0 if weights is None else weights._ks)
    except AttributeError:
        raise _not_tensor("bincount", {"self": self, "weights": weights, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if minlength.__class__ is not int:
        minlength = _as_int("bincount", "minlength", minlength)
    try:
        return _T_bincount[ks](self, weights, minlength)
    except Exception:
        _explain(_T_bincount, (self, weights, minlength, ))
        raise


def bincount(input, weights=None, minlength=0):
    """How often each number from 0 on occurs, or the sum of the weights of its occurrences.

    Args:
        input: a vector of integers that are not negative.
        weights: one weight per element.
        minlength: the least length of the result.

    Raises:
        RuntimeError: for negative numbers, or weights of another length.

    Example:
        >>> bincount(tensor([0, 2, 2])).tolist()
        [1, 0, 2]"""
    try:
        ks = input._ks | (0 if weights is None else weights._ks)
    except AttributeError:
        raise _not_tensor("bincount", {"input": input, "weights": weights, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if minlength.__class__ is not int:
        minlength = _as_int("bincount", "minlength", minlength)
    try:
        return _T_bincount[ks](input, weights, minlength)
    except Exception:
        _explain(_T_bincount, (input, weights, minlength, ))
        raise


def op_isin_Tensor_Tensor(elements, test_elements, *, assume_unique=False, invert=False):
    try:
        ks = elements._ks | test_elements._ks
    except AttributeError:
        raise _not_tensor("isin", {"elements": elements, "test_elements": test_elements, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if assume_unique is False and invert is False:
            return _T_isin_Tensor_Tensor[ks](elements, test_elements)
        if assume_unique is not False and assume_unique is not True:
            assume_unique = _as_bool("isin", "assume_unique", assume_unique)
        if invert is not False and invert is not True:
            invert = _as_bool("isin", "invert", invert)
        return _T_isin_Tensor_Tensor[ks](elements, test_elements, assume_unique=assume_unique, invert=invert)
    except Exception:
        _explain(_T_isin_Tensor_Tensor, (elements, test_elements, assume_unique, invert, ))
        raise


METHODS = {
    "msort": op_msort,
    "topk": op_topk,
    "kthvalue": op_kthvalue,
    "histc": op_histc,
    "bincount": op_bincount,
}


FUNCTIONS = {
    "msort": msort,
    "histc": histc,
    "bincount": bincount,
}
