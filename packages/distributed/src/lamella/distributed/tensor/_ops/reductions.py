"""Operators that combine the elements along dimensions, or look at all of a dimension at once."""

from __future__ import annotations

from collections.abc import Iterator

from ..placement_types import Partial, Shard
from .rule import SUM_AND_MEAN, Candidate, Question, dims_of, rule

_OF_PARTS = {"sum": "sum", "nansum": "sum", "count_nonzero": "sum", "prod": "product", "amax": "max", "amin": "min",
             "max": "max", "min": "min", "any": "max", "all": "min", "mean": "avg"}


def kept(q: Question, dims: list[int], keepdim: bool) -> Iterator[Candidate]:
    """Dimensions that are not reduced may be cut; everything is computed within the parts."""
    for d in range(len(q.shapes[0])):
        if d not in dims:
            at = d if keepdim else d - sum(r < d for r in dims)
            yield Shard(at), (Shard(d),)


@rule("sum nansum count_nonzero prod amax amin max min any all mean")
def _reduce(q: Question) -> Iterator[Candidate]:
    """Reductions of parts are reduced again."""
    ndim = len(q.shapes[0])
    dims = dims_of(q.values.get("dim"), ndim)
    yield from kept(q, dims, bool(q.values.get("keepdim")))
    if q.name in ("max", "min") and len(q.out_shapes) == 2:
        return  # the place of an extreme in a part is not its place in the whole
    how = Partial(_OF_PARTS[q.name])
    for d in dims if ndim else ():
        if q.name == "mean" and not q.even(0, d):
            continue
        if q.name in ("amax", "amin", "max", "min") and not q.filled(0, d):
            continue  # an empty part has no extreme
        yield how, (Shard(d),)
    if q.name in ("sum", "mean"):
        for p in SUM_AND_MEAN:
            yield p, (p,)
    if q.name in ("amax", "amin", "max", "min"):
        yield how, (how,)


@rule("aminmax argmax argmin var std logsumexp median nanmedian mode")
def _alone(q: Question) -> Iterator[Candidate]:
    dim = q.values.get("dim")
    if dim is not None and dim != []:
        yield from kept(q, dims_of(dim, len(q.shapes[0])), bool(q.values.get("keepdim")))


@rule("_softmax _log_softmax cumsum cumprod logcumsumexp cummax cummin sort argsort topk flip kthvalue")
def _along(q: Question) -> Iterator[Candidate]:
    """A dimension is looked at as a whole; the others may be cut."""
    dim = q.values.get("dim", q.values.get("dims", -1))
    yield from kept(q, dims_of(dim, len(q.shapes[0])), q.name != "kthvalue" or bool(q.values.get("keepdim")))
    if q.name == "cumsum":
        for p in SUM_AND_MEAN:
            yield p, (p,)


@rule("_softmax_backward_data _log_softmax_backward_data")
def _softmax_backward(q: Question) -> Iterator[Candidate]:
    dims = dims_of(q.values["dim"], len(q.shapes[0]))
    for out, (p,) in kept(q, dims, True):
        yield out, (p, p)

