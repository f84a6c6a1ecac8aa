"""Reductions as users call them: one name, several forms."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message
from lamella.dispatch.registry import find
from lamella.dispatch.state import state

from .. import dtypes as dt
from .._gen import reduction as _gen
from ..runtime import return_type, unsupported, write_out
from ..tensor import Tensor

_softmax_kernels: Any = find("aten::_softmax").table  # type: ignore[union-attr]


def _put(op: str, r: Any, out: Any, exact: bool = False) -> Any:
    return r if out is None else write_out(op, out, r, exact)


def _axis(op: str, dim: Any, keepdim: bool, more: dict[str, Any]) -> tuple[Any, bool]:
    """Accept NumPy's spellings ``axis`` and ``keepdims``, as torch does."""
    for name, value in more.items():
        if name == "axis":
            dim = value
        elif name == "keepdims":
            keepdim = value
        else:
            raise TypeError(message(op, f"got an unexpected keyword argument '{name}'"))
    return dim, keepdim


def sum(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None, **more: Any
) -> Tensor:  # noqa: A001, A002
    """The sum of elements.

    Args:
        input: a tensor.
        dim: dimensions to sum over; all when not given.
        keepdim: keep them with size 1.
        dtype: type to sum in; integers sum in int64 by default.
        out: where the result goes.

    Returns:
        A tensor without the summed dimensions.

    Raises:
        IndexError: for a dimension out of range.

    Example:
        >>> from lamella import core
        >>> core.sum(core.ones(2, 3), 1)
        tensor([3., 3.])
    """
    if more:
        dim, keepdim = _axis("sum", dim, keepdim, more)
    if dim is None and not keepdim:
        r = _gen.op_sum(input, dtype=dtype)
    else:
        r = _gen.op_sum_dim_IntList(input, dim, keepdim, dtype=dtype)
    return r if out is None else write_out("sum", out, r)


def mean(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None, **more: Any
) -> Tensor:  # noqa: A002
    """The mean of elements of a floating or complex tensor; arguments as for `sum`.

    Example:
        >>> from lamella import core
        >>> core.mean(core.tensor([1.0, 3.0]))
        tensor(2.)
    """
    if more:
        dim, keepdim = _axis("mean", dim, keepdim, more)
    if dim is None and not keepdim:
        r = _gen.op_mean(input, dtype=dtype)
    else:
        r = _gen.op_mean_dim(input, dim, keepdim, dtype=dtype)
    return r if out is None else write_out("mean", out, r)


def prod(
    input: Tensor,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Any = None,
    **more: Any,
) -> Tensor:  # noqa: A002
    """The product of elements, of all or along one dimension."""
    if more:
        dim, keepdim = _axis("prod", dim, keepdim, more)
    r = _gen.op_prod(input, dtype=dtype) if dim is None else _gen.op_prod_dim_int(input, dim, keepdim, dtype=dtype)
    return _put("prod", r, out)


def _extreme(name: str, full: Any, along: Any, pairwise: str) -> Any:
    def extreme(
        input: Tensor,  # noqa: A002
        dim_or_other: Any = None,
        keepdim: bool = False,
        *,
        dim: Any = None,
        other: Any = None,
        out: Any = None,
        **more: Any,
    ) -> Any:
        if dim_or_other is not None:
            if dim is not None or other is not None:
                raise TypeError(message(name, "got multiple values for 'dim' or 'other'"))
            if isinstance(dim_or_other, Tensor):
                other = dim_or_other
            else:
                dim = dim_or_other
        if more:
            dim, keepdim = _axis(name, dim, keepdim, more)
        if other is not None:
            from . import FUNCTIONS as everything

            return everything[pairwise](input, other, out=out)
        r = full(input) if dim is None else along(input, dim, keepdim)
        return _put(name, r, out, dim is not None)

    extreme.__name__ = extreme.__qualname__ = name
    extreme.__doc__ = f"""The {name}imum: of all elements, along a dimension (with indices), or of two tensors.

    Args:
        input: a real tensor.
        dim: None for all elements; a dimension for ``(values, indices)``.
        other: a tensor for the elementwise {name}imum.
        keepdim: keep the dimension with size 1.
        out: where the result goes (a pair with ``dim``).

    Raises:
        IndexError, RuntimeError: where there is nothing to choose from. nan counts as the {name}imum.
    """
    return extreme


max = _extreme("max", _gen.op_max, _gen.op_max_dim, "maximum")  # noqa: A001
min = _extreme("min", _gen.op_min, _gen.op_min_dim, "minimum")  # noqa: A001


def _std_args(op: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, bool, Any]:
    """(dim, correction, keepdim, out) from any of torch's forms: unbiased first, dim and unbiased, correction."""
    dim, correction, keepdim = kwargs.pop("dim", kwargs.pop("axis", None)), kwargs.pop("correction", None), False
    out = kwargs.pop("out", None)
    if "unbiased" in kwargs:
        correction = int(kwargs.pop("unbiased"))
    keepdim = kwargs.pop("keepdim", kwargs.pop("keepdims", False))
    rest = list(args)
    if rest and isinstance(rest[0], bool):
        correction = int(rest.pop(0))
    elif rest:
        dim = rest.pop(0)
        if rest:
            correction = int(rest.pop(0))
        if rest:
            keepdim = rest.pop(0)
    if kwargs or rest:
        extra = next(iter(kwargs), None)
        raise TypeError(message(op, f"got an unexpected keyword argument '{extra}'" if extra else "too many arguments"))
    return dim, correction, keepdim, out


def _deviation(name: str, gen: Any, what: str) -> Any:
    def deviation(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:  # noqa: A002
        dim, correction, keepdim, out = _std_args(name, args, kwargs)
        return _put(name, gen(input, dim, correction=correction, keepdim=keepdim), out)

    deviation.__name__ = deviation.__qualname__ = name
    deviation.__doc__ = f"""The {what} of elements.

    Call forms: ``{name}(input, dim=None, *, correction=1, keepdim=False)``, ``{name}(input, unbiased)``,
    ``{name}(input, dim, unbiased, keepdim)``.

    Args:
        input: a floating or complex tensor.
        dim: dimensions; all when not given.
        correction: what is taken from the number of elements in the divisor (1: unbiased; 0: the plain mean).
    """
    return deviation


var = _deviation("var", _gen.op_var_correction, "variance")
std = _deviation("std", _gen.op_std_correction, "standard deviation")


def _with_mean(name: str, one: Any) -> Any:
    def both(input: Tensor, *args: Any, **kwargs: Any) -> Any:  # noqa: A002
        dim, correction, keepdim, _ = _std_args(name, args, kwargs)
        return one(input, dim, correction=correction, keepdim=keepdim), mean(input, dim, keepdim)

    both.__name__ = both.__qualname__ = name
    both.__doc__ = f"The pair of {name.replace('_', ' and ')}; arguments as for `{name[:3]}`."
    return both


var_mean, std_mean = _with_mean("var_mean", var), _with_mean("std_mean", std)


def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Tensor:  # noqa: A002
    """The mean of the elements that are not nan."""
    if not (input.is_floating_point() or input.is_complex()):
        raise RuntimeError(
            message("nanmean", f"expected input to have floating point or complex dtype but got {input.dtype}")
        )
    there = input.isnan().logical_not()  # type: ignore[attr-defined]
    total = _gen.op_nansum(input, dim, keepdim, dtype=dtype)
    return _put("nanmean", total / sum(there, dim, keepdim), out)


def norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    out: Any = None,
    dtype: Any = None,
    **more: Any,
) -> Tensor:  # noqa: A002
    """A norm of all elements or along dimensions.

    Args:
        input: a floating or complex tensor.
        p: a number, ``"fro"`` (2), or ``"nuc"``.
        dim: dimensions; all when not given.
    """
    if more:
        dim, keepdim = _axis("norm", dim, keepdim, more)
    if p == "nuc":
        from .linalg_norms import matrix_norm

        return matrix_norm(input, "nuc", (-2, -1) if dim is None else dim, keepdim, dtype=dtype, out=out)
    if p is None or p == "fro":
        p = 2
    if isinstance(p, str):
        raise RuntimeError(message("norm", f"unsupported norm {p!r}", hint="valid: a number, 'fro', 'nuc'"))
    return _put("norm", _gen.linalg_vector_norm(input, p, dim, keepdim, dtype=dtype), out, True)


def softmax(
    input: Tensor, dim: int | None = None, dtype: Any = None, *, out: Any = None, axis: int | None = None
) -> Tensor:  # noqa: A002
    """exp(x) divided by its sum along a dimension.

    Args:
        input: a floating tensor.
        dim: the dimension whose elements sum to 1 afterwards.
        dtype: type to convert to first.
        out: where the result goes.

    Example:
        >>> from lamella import core
        >>> core.softmax(core.zeros(4), 0)
        tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """
    return _put("softmax", _softmax_method(input, dim, dtype, axis), out, True)


def _softmax_method(self: Tensor, dim: int | None = None, dtype: Any = None, axis: int | None = None) -> Tensor:
    """exp(x) divided by its sum along a dimension; see `softmax`."""
    if dtype is not None:
        self = self.to(dt.as_dtype("softmax", dtype))  # type: ignore[attr-defined]
    if dim is None:
        dim = axis
        if dim is None:
            raise TypeError(message("softmax", "missing argument 'dim'"))
    if dim.__class__ is int and self.__class__ is Tensor and not self._ks & state.affected:
        try:
            return _softmax_kernels[self._ks](self, dim, False)  # what the call below comes to, without its checks
        except Exception:  # the call below raises it again, with the arguments explained
            pass
    return _gen.op__softmax(self, dim, False)


def log_softmax(
    input: Tensor, dim: int | None = None, dtype: Any = None, *, out: Any = None, axis: int | None = None
) -> Tensor:  # noqa: A002
    """The logarithm of `softmax`, computed without loss of small values."""
    if dim is None:
        dim = axis
    if dtype is not None:
        input = input.to(dt.as_dtype("log_softmax", dtype))  # type: ignore[attr-defined]  # noqa: A001
    if dim is None:
        raise TypeError(message("log_softmax", "missing argument 'dim'"))
    return _put("log_softmax", _gen.op__log_softmax(input, dim, False), out, True)


def _medians(name: str, full: Any, along: Any) -> Any:
    def middle(
        input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Any = None, **more: Any
    ) -> Any:  # noqa: A002
        if more:
            dim, keepdim = _axis(name, dim, keepdim, more)
        return _put(name, full(input) if dim is None else along(input, dim, keepdim), out, True)

    middle.__name__ = middle.__qualname__ = name
    middle.__doc__ = "The lower of the middle elements: of all, or along a dimension with indices" + (
        "; nan is skipped." if name == "nanmedian" else "."
    )
    return middle


median, nanmedian = (
    _medians("median", _gen.op_median, _gen.op_median_dim),
    _medians("nanmedian", _gen.op_nanmedian, _gen.op_nanmedian_dim),
)


def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:  # noqa: A002
    """The p-norm of the difference of two tensors."""
    return norm(input - other, p)


def trace(input: Tensor) -> Tensor:  # noqa: A002
    """The sum of a matrix's diagonal."""
    if input.dtype is dt.bool_:
        raise unsupported("trace", input.dtype)
    if input._a.ndim != 2:
        raise RuntimeError(message("trace", f"expected a matrix, but got a tensor of {input._a.ndim} dimensions"))
    return sum(input.diagonal())  # type: ignore[attr-defined]


FUNCTIONS = {
    f.__name__: f
    for f in (
        sum,
        mean,
        prod,
        max,
        min,
        var,
        std,
        var_mean,
        std_mean,
        nanmean,
        norm,
        softmax,
        log_softmax,
        median,
        nanmedian,
        dist,
        trace,
    )
}
METHODS = dict(FUNCTIONS)
for _name in ("var_mean", "std_mean"):
    METHODS.pop(_name)
METHODS["softmax"] = _softmax_method
#: Torch's named results, for programs that look at ``torch.return_types``.
return_types = {"max": return_type("max", ("values", "indices")), "min": return_type("min", ("values", "indices"))}
