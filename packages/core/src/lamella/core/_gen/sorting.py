# Generated from packages/core/src/lamella/core/ops/sorting.yaml (sha256 6cab010c0ce102e7). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    MISSING as _MISSING,
    Tensor as _Tensor,
    backend_bit as _backend_bit,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    numpy_names as _numpy_names,
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
    {1: "lamella.core._gen.sorting_cpu", 3: "lamella.core._gen.sorting_meta", 65: "lamella.core.composite.sorting", },
    "lamella.core/ops/sorting.yaml",
)


def op_sort_stable(self, *, stable, dim=-1, descending=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sort", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_sort_stable[ks](self, stable=stable, dim=dim, descending=descending)


def op_argsort_stable(self, *, stable, dim=-1, descending=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("argsort", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_argsort_stable[ks](self, stable=stable, dim=dim, descending=descending)


def op_msort(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("msort", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_msort[ks](self)


def msort(input, *, out=None):
    """``input`` sorted along its first dimension.

    Example:
        >>> msort(tensor([2, 1])).tolist()
        [1, 2]"""
    if out is not None:
        return _out("msort", out, op_msort(input))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("msort", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_msort[ks](input)


def op_topk(self, k, dim=-1, largest=True, sorted=True, **kwargs):
    if kwargs:
        return _numpy_names("topk", op_topk, kwargs, {"self": self, "k": k, "dim": dim, "largest": largest, "sorted": sorted, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("topk", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_topk[ks](self, k, dim, largest, sorted)


def op_kthvalue(self, k, dim=-1, keepdim=False, **kwargs):
    if kwargs:
        return _numpy_names("kthvalue", op_kthvalue, kwargs, {"self": self, "k": k, "dim": dim, "keepdim": keepdim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("kthvalue", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_kthvalue[ks](self, k, dim, keepdim)


def op__unique2(self, sorted=True, return_inverse=False, return_counts=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_unique2", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T__unique2[ks](self, sorted, return_inverse, return_counts)


def op_unique_dim(self, dim, sorted=True, return_inverse=False, return_counts=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("unique_dim", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_unique_dim[ks](self, dim, sorted, return_inverse, return_counts)


def op_unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("unique_consecutive", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_unique_consecutive[ks](self, return_inverse, return_counts, dim)


def op_searchsorted_Tensor(sorted_sequence, self, *, out_int32=False, right=False, side=None, sorter=None):
    try:
        ks = sorted_sequence._ks | self._ks | (0 if sorter is None else sorter._ks)
    except AttributeError:
        raise _not_tensor("searchsorted", {"sorted_sequence": sorted_sequence, "self": self, "sorter": sorter, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if out_int32 is False and right is False and side is None and sorter is None:
        return _T_searchsorted_Tensor[ks](sorted_sequence, self)
    return _T_searchsorted_Tensor[ks](sorted_sequence, self, out_int32=out_int32, right=right, side=side, sorter=sorter)


def op_histc(self, bins=100, min=0, max=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("histc", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_histc[ks](self, bins, min, max)


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
        return _out("histc", out, op_histc(input, bins, min, max))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("histc", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_histc[ks](input, bins, min, max)


def op_bincount(self, weights=None, minlength=0):
    try:
        ks = self._ks | (0 if weights is None else weights._ks)
    except AttributeError:
        raise _not_tensor("bincount", {"self": self, "weights": weights, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_bincount[ks](self, weights, minlength)


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
        raise _not_tensor("bincount", {"input": input, "weights": weights, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_bincount[ks](input, weights, minlength)


def op_isin_Tensor_Tensor(elements, test_elements, *, assume_unique=False, invert=False):
    try:
        ks = elements._ks | test_elements._ks
    except AttributeError:
        raise _not_tensor("isin", {"elements": elements, "test_elements": test_elements, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if assume_unique is False and invert is False:
        return _T_isin_Tensor_Tensor[ks](elements, test_elements)
    return _T_isin_Tensor_Tensor[ks](elements, test_elements, assume_unique=assume_unique, invert=invert)


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
