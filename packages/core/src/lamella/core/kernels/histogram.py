"""Histograms with edges. Bins are half open, only the last one holds its right edge too; NaN falls into none."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from ..dtypes import from_numpy_dtype
from .creation import linspace

_OP = "histogramdd"


def _real(a: Any, weight: Any) -> None:
    """Refuse element types and weights that do not fit; ``a`` is ``(*, d)``."""
    if a.dtype.kind != "f" or a.dtype.itemsize < 4:
        raise NotImplementedError(message(_OP, f"it is not implemented for {from_numpy_dtype(a.dtype).name}"))
    if weight is None:
        return
    if weight.dtype != a.dtype:
        names = from_numpy_dtype(a.dtype).name, from_numpy_dtype(weight.dtype).name
        raise RuntimeError(message(_OP, f"input and weight should have the same dtype, but got {names[0]}, {names[1]}"))
    if weight.shape != a.shape[:-1]:
        raise RuntimeError(
            message(
                _OP,
                "weight should have the same shape as the input excluding its innermost dimension",
                {"input": list(a.shape), "weight": list(weight.shape)},
            )
        )


def check_edges(a: Any, bins: Any) -> None:
    """Refuse edges that are no vectors of the input's type."""
    for i, edges in enumerate(bins):
        if edges.dtype != a.dtype:
            names = from_numpy_dtype(a.dtype).name, from_numpy_dtype(edges.dtype).name
            rule = f"input and bins should have the same dtype, but got {names[0]} and {names[1]} for dimension {i}"
            raise RuntimeError(message(_OP, rule))
        if edges.ndim != 1:
            raise RuntimeError(message(_OP, f"bins should have one dimension, but got {edges.ndim} for dimension {i}"))
        if not edges.size:
            raise RuntimeError(message(_OP, f"bins should have at least 1 element, but got 0 for dimension {i}"))
        check_count(edges.size - 1, i)


def check_count(bins: int, dim: int = 0) -> None:
    """Refuse numbers of bins below one."""
    if bins <= 0:
        raise RuntimeError(message(_OP, f"bins must be > 0, but got {bins} for dimension {dim}"))


def check_points(a: Any, n: int) -> None:
    """Refuse input that has no dimension for the coordinates of points, or another number of them."""
    if a.ndim < 2:
        raise RuntimeError(message(_OP, f"the input should have at least 2 dimensions, but got {a.ndim}"))
    if a.shape[-1] != n:
        rule = f"the size of bins ({n}) must be equal to the innermost dimension of the input ({a.shape[-1]})"
        raise RuntimeError(message(_OP, rule))


def _columns(xp: Any, a: Any) -> Any:
    """The coordinates of points, one row for each dimension, each in one piece."""
    return xp.ascontiguousarray(a.reshape(-1, a.shape[-1]).T)


def _outer(xp: Any, columns: Any, given: Any) -> list[tuple[float, float]]:
    """The outermost edges in each dimension: as given, or those of the data."""
    d = columns.shape[0]
    if given is not None:
        if len(given) != 2 * d:
            rule = f"for a {d}-dimensional histogram range should have {2 * d} elements, but got {len(given)}"
            raise RuntimeError(message(_OP, rule))
        ends = [(float(given[2 * i]), float(given[2 * i + 1])) for i in range(d)]
    elif columns.shape[1]:
        ends = list(zip(columns.min(1).tolist(), columns.max(1).tolist(), strict=True))
    else:
        ends = [(0.0, 1.0)] * d
    for i, (low, high) in enumerate(ends):
        if not (xp.isfinite(low) and xp.isfinite(high)):
            raise RuntimeError(message(_OP, f"dimension {i}'s range [{low:g}, {high:g}] is not finite"))
        if low > high:
            rule = f"min should not exceed max, but got min {low:g} max {high:g} for dimension {i}"
            raise RuntimeError(message(_OP, rule))
    return [(low - 0.5, high + 0.5) if low == high else (low, high) for low, high in ends]


def _edges(xp: Any, ends: tuple[float, float], bins: int, like: Any) -> Any:
    return linspace(xp, ends[0], ends[1], bins + 1, from_numpy_dtype(like.dtype))


def _count(xp: Any, place: Any, inside: Any, shape: tuple[int, ...], edges: Any, weight: Any, density: bool) -> Any:
    """Counts (or sums of weights) of the places, divided by the volumes of the bins if that is asked for."""
    total = 1
    for n in shape:
        total *= n
    w = None if weight is None else weight.reshape(-1)[inside]
    hist = xp.bincount(place[inside], w, total).reshape(shape)
    dtype = edges[0].dtype
    if density:
        hist = hist / hist.sum()
        for i, e in enumerate(edges):
            hist = hist / xp.diff(e).reshape(-1, *[1] * (len(edges) - 1 - i))
    return hist.astype(dtype)


def _places(xp: Any, edges: Any, x: Any) -> Any:
    """In which bin each number is, for numbers between the outer edges; anything for others."""
    n = edges.size - 1
    step = (edges[-1] - edges[0]) / n
    if not step > 0 or xp.abs(edges - (edges[0] + step * xp.arange(n + 1))).max() > step / 4:
        return xp.minimum(xp.searchsorted(edges, x, "right") - 1, n - 1)
    # Bins of about one width: the quotient says the place, or one next to it.
    at = xp.nan_to_num((x - edges[0]) / step, copy=False, nan=0).clip(0, n - 1).astype(xp.int64)
    at -= x < edges[at]
    at += (x >= edges[at + 1]) & (at < n - 1)
    return at


def _between(xp: Any, columns: Any, edges: Any, weight: Any, density: bool) -> Any:
    shape = tuple(e.size - 1 for e in edges)
    place, inside = xp.zeros(columns.shape[1], xp.int64), xp.ones(columns.shape[1], bool)
    for x, e, n in zip(columns, edges, shape, strict=True):
        inside &= (x >= e[0]) & (x <= e[-1])
        place *= n
        place += _places(xp, e, x)
    return _count(xp, place, inside, shape, edges, weight, density)


def histogram_bins_tensor(xp: Any, self: Any, bins: Any, weight: Any, density: bool) -> Any:
    _real(self[..., None], weight)
    check_edges(self, [bins])
    return _between(xp, self.reshape(1, -1), [bins], weight, density), bins.copy()


def histogram_bin_ct(xp: Any, self: Any, bins: int, range: Any, weight: Any, density: bool) -> Any:
    _real(self[..., None], weight)
    check_count(bins)
    x = self.reshape(-1)
    low, high = _outer(xp, x[None], range)[0]
    edges = _edges(xp, (low, high), bins, self)
    inside = (x >= low) & (x <= high)
    kind = self.dtype.type
    with xp.errstate(invalid="ignore"):
        at = ((x - kind(low)) * kind(bins) / (kind(high) - kind(low))).astype(xp.int64)
    return _count(xp, xp.minimum(at, bins - 1), inside, (bins,), [edges], weight, density), edges


def _histogramdd_bin_edges(xp: Any, self: Any, bins: Any, range: Any, weight: Any, density: bool) -> Any:
    check_points(self, len(bins))
    _real(self, weight)
    for i, n in enumerate(bins):
        check_count(n, i)
    ends = _outer(xp, _columns(xp, self), range)
    return [_edges(xp, e, n, self) for e, n in zip(ends, bins, strict=True)]


def _histogramdd_from_bin_tensors(xp: Any, self: Any, bins: Any, weight: Any, density: bool) -> Any:
    check_points(self, len(bins))
    _real(self, weight)
    check_edges(self, bins)
    return _between(xp, _columns(xp, self), bins, weight, density)
