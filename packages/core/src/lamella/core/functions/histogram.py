"""Histograms as users call them: edges by number or given, in one and more dimensions."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .._gen import histogram as _gen
from ..runtime import return_type, write_out
from ..tensor import Tensor

_HISTOGRAM = return_type("histogram", ("hist", "bin_edges"))
_HISTOGRAMDD = return_type("histogramdd", ("hist", "bin_edges"))


def histogram(
    input: Tensor,
    bins: Any = 100,
    *,
    range: Any = None,
    weight: Tensor | None = None,
    density: bool = False,
    out: Any = None,
) -> Any:
    """How many elements fall between edges, and the edges.

    Bins hold their left edge, the last one its right edge too. Elements outside and NaN are left out.

    Args:
        input: a tensor of type float32 or float64.
        bins: the number of equal bins, or a tensor of edges in ascending order.
        range: with a number of bins, the outermost edges; by default those of the elements.
        weight: what each element counts, of the input's shape and type.
        density: divide by the total and the widths of the bins.
        out: a pair of tensors to write the results into.

    Returns:
        A named tuple ``(hist, bin_edges)``.

    Raises:
        RuntimeError: if there are no bins, or types or shapes do not fit.

    Example:
        >>> hist, edges = histogram(tensor([0.0, 1.0, 1.5, 2.0]), 2)
        >>> hist.tolist(), edges.tolist()
        ([1.0, 3.0], [0.0, 1.0, 2.0])
    """
    if isinstance(bins, Tensor):
        if range is not None:
            raise TypeError(message("histogram", "range goes with a number of bins, not with edges"))
        r = _gen.op_histogram_bins_tensor(input, bins, weight=weight, density=density)
    elif hasattr(bins, "__index__"):
        r = _gen.op_histogram_bin_ct(input, bins.__index__(), range=range, weight=weight, density=density)
    else:
        raise TypeError(message("histogram", f"argument 'bins' must be Tensor or int, not {type(bins).__name__}"))
    return r if out is None else _HISTOGRAM(write_out("histogram", tuple(out), r, True))


def histogramdd(
    input: Tensor, bins: Any, *, range: Any = None, weight: Tensor | None = None, density: bool = False
) -> Any:
    """How many points fall into each cell of a grid, and the edges in each dimension.

    Args:
        input: points ``(*, d)`` of type float32 or float64.
        bins: the number of bins in each dimension, one number for all, or edges for each.
        range: with numbers of bins, the outermost edges, two for each dimension in turn.
        weight: what each point counts.
        density: divide by the total and the volumes of the cells.

    Returns:
        A named tuple ``(hist, bin_edges)``; the edges are a tuple of tensors.

    Raises:
        RuntimeError: if there are no bins, or types or shapes do not fit.

    Example:
        >>> histogramdd(tensor([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), [2, 2]).hist.tolist()
        [[0.0, 1.0], [1.0, 1.0]]
    """
    if isinstance(bins, int):
        if input._a.ndim < 2:
            raise RuntimeError(message("histogramdd", "the input should have at least 2 dimensions"))
        bins = [bins] * input._a.shape[-1]
    if len(bins) and isinstance(bins[0], Tensor):
        edges = tuple(bins)
    else:
        edges = tuple(_gen.op__histogramdd_bin_edges(input, list(bins), range=range, weight=weight, density=density))
    hist = _gen.op__histogramdd_from_bin_tensors(input, list(edges), weight=weight, density=density)
    return _HISTOGRAMDD((hist, edges))


def _method(
    self: Tensor, bins: Any = 100, *, range: Any = None, weight: Tensor | None = None, density: bool = False
) -> Any:
    """See `histogram`."""
    return histogram(self, bins, range=range, weight=weight, density=density)


FUNCTIONS: dict[str, Any] = {"histogram": histogram, "histogramdd": histogramdd}
METHODS: dict[str, Any] = {"histogram": _method}
