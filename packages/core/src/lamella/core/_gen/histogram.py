# Generated from packages/core/src/lamella/core/ops/histogram.yaml (sha256 8c828063265ef290). Do not edit:
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
    _T_histogram_bins_tensor,
    _T_histogram_bin_ct,
    _T__histogramdd_bin_edges,
    _T__histogramdd_from_bin_tensors,
) = _define(
    "aten",
    "histogram",
    (
        ('histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)', False),
        ('histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)', False),
        ('_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor[]', False),
        ('_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False) -> Tensor', False),
    ),
    {1: "lamella.core._gen.histogram_cpu", 2: "lamella.core._gen.histogram_cuda", 3: "lamella.core._gen.histogram_meta", 65: "lamella.core.composite.histogram", },
    "lamella.core/ops/histogram.yaml",
)


def op_histogram_bins_tensor(self, bins, *, weight=None, density=False):
    try:
        ks = self._ks | bins._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("histogram", {"self": self, "bins": bins, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if weight is None and density is False:
            return _T_histogram_bins_tensor[ks](self, bins)
        if density is not False and density is not True:
            density = _as_bool("histogram", "density", density)
        return _T_histogram_bins_tensor[ks](self, bins, weight=weight, density=density)
    except Exception:
        _explain(_T_histogram_bins_tensor, (self, bins, weight, density, ))
        raise


def op_histogram_bin_ct(self, bins=100, *, range=None, weight=None, density=False):
    try:
        ks = self._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("histogram", {"self": self, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if bins.__class__ is not int:
        bins = _as_int("histogram", "bins", bins)
    try:
        if range is None and weight is None and density is False:
            return _T_histogram_bin_ct[ks](self, bins)
        if density is not False and density is not True:
            density = _as_bool("histogram", "density", density)
        return _T_histogram_bin_ct[ks](self, bins, range=range, weight=weight, density=density)
    except Exception:
        _explain(_T_histogram_bin_ct, (self, bins, range, weight, density, ))
        raise


def op__histogramdd_bin_edges(self, bins, *, range=None, weight=None, density=False):
    try:
        ks = self._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("_histogramdd_bin_edges", {"self": self, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if bins.__class__ not in _SEQUENCES:
        bins = _as_ints("_histogramdd_bin_edges", "bins", bins, False)
    try:
        if range is None and weight is None and density is False:
            return _T__histogramdd_bin_edges[ks](self, bins)
        if density is not False and density is not True:
            density = _as_bool("_histogramdd_bin_edges", "density", density)
        return _T__histogramdd_bin_edges[ks](self, bins, range=range, weight=weight, density=density)
    except Exception:
        _explain(_T__histogramdd_bin_edges, (self, bins, range, weight, density, ))
        raise


def _histogramdd_bin_edges(input, bins, *, range=None, weight=None, density=False):
    """The edges of equal bins in each dimension; see `histogramdd`.

    Example:
        >>> [e.tolist() for e in _histogramdd_bin_edges(tensor([[0.0], [2.0]]), [2])]
        [[0.0, 1.0, 2.0]]"""
    try:
        ks = input._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("_histogramdd_bin_edges", {"input": input, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if bins.__class__ not in _SEQUENCES:
        bins = _as_ints("_histogramdd_bin_edges", "bins", bins, False)
    try:
        if range is None and weight is None and density is False:
            return _T__histogramdd_bin_edges[ks](input, bins)
        if density is not False and density is not True:
            density = _as_bool("_histogramdd_bin_edges", "density", density)
        return _T__histogramdd_bin_edges[ks](input, bins, range=range, weight=weight, density=density)
    except Exception:
        _explain(_T__histogramdd_bin_edges, (input, bins, range, weight, density, ))
        raise


def op__histogramdd_from_bin_tensors(self, bins, *, weight=None, density=False):
    try:
        ks = self._ks | _keys_in(bins) | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("_histogramdd_from_bin_tensors", {"self": self, "weight": weight, }, {"bins": bins, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if weight is None and density is False:
            return _T__histogramdd_from_bin_tensors[ks](self, bins)
        if density is not False and density is not True:
            density = _as_bool("_histogramdd_from_bin_tensors", "density", density)
        return _T__histogramdd_from_bin_tensors[ks](self, bins, weight=weight, density=density)
    except Exception:
        _explain(_T__histogramdd_from_bin_tensors, (self, bins, weight, density, ))
        raise


def _histogramdd_from_bin_tensors(input, bins, *, weight=None, density=False):
    """How many points fall between given edges; see `histogramdd`.

    Example:
        >>> _histogramdd_from_bin_tensors(tensor([[0.0], [2.0]]), [tensor([0.0, 1.0, 2.0])]).tolist()
        [1.0, 1.0]"""
    try:
        ks = input._ks | _keys_in(bins) | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("_histogramdd_from_bin_tensors", {"input": input, "weight": weight, }, {"bins": bins, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if weight is None and density is False:
            return _T__histogramdd_from_bin_tensors[ks](input, bins)
        if density is not False and density is not True:
            density = _as_bool("_histogramdd_from_bin_tensors", "density", density)
        return _T__histogramdd_from_bin_tensors[ks](input, bins, weight=weight, density=density)
    except Exception:
        _explain(_T__histogramdd_from_bin_tensors, (input, bins, weight, density, ))
        raise


METHODS = {
}


FUNCTIONS = {
    "_histogramdd_bin_edges": _histogramdd_bin_edges,
    "_histogramdd_from_bin_tensors": _histogramdd_from_bin_tensors,
}
