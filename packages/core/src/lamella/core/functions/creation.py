"""Factories as users call them: sizes as separate numbers, ``out=``, ``requires_grad=``, ``*_like`` and ``new_*``."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message
from lamella.dispatch.keys import TRANSFORM_MASK

from .. import dtypes as dt
from .._gen import creation as _gen
from ..checks import ints
from ..faults import as_bool, as_int, as_number
from ..runtime import SEQUENCES, write_out
from ..tensor import Tensor


def sizes(op: str, size: tuple[Any, ...]) -> tuple[int, ...]:
    """``f(2, 3)`` and ``f((2, 3))`` as one tuple of sizes, none negative."""
    plain: Any = size[0] if len(size) == 1 and size[0].__class__ in SEQUENCES else size
    for n in plain:
        if n.__class__ is not int or n < 0:
            break
    else:
        return tuple(plain)
    if (
        len(size) == 1
        and not isinstance(size[0], int)
        and (isinstance(size[0], (tuple, list)) or hasattr(size[0], "__len__"))
    ):
        size = size[0]
    out = ints(op, "size", size)
    for n in out:
        if n < 0:
            raise RuntimeError(message(op, f"Trying to create tensor with negative dimension {n}: {list(out)}"))
    return out


def _size_args(op: str, size: tuple[Any, ...], options: dict[str, Any]) -> tuple[int, ...]:
    given = options.pop("size", None)
    if given is None and not size:
        raise TypeError(message(op, "missing required argument 'size'"))
    return sizes(op, size if given is None else (given,))


def _finish(op: str, t: Tensor, out: Any, requires_grad: bool) -> Tensor:
    if out is not None:
        t = write_out(op, out, t)
    if requires_grad is not False and as_bool(op, "requires_grad", requires_grad):
        t.requires_grad_(True)  # type: ignore[attr-defined]
    return t


def _options(op: str, options: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a factory that the operator takes; the rest must be ones torch has."""
    kept = {}
    for name, value in options.items():
        if name in ("dtype", "device", "pin_memory", "layout", "generator"):
            if value is not None:
                kept[name] = dt.as_dtype(op, value) if name == "dtype" else value
        elif name not in ("memory_format", "names"):
            raise TypeError(message(op, f"got an unexpected keyword argument '{name}'"))
    kept.pop("layout", None)
    return kept


def empty(*size: Any, out: Any = None, requires_grad: bool = False, **options: Any) -> Tensor:
    """A tensor whose elements are not set.

    Args:
        *size: the shape, as numbers or one tuple.
        out, dtype, layout, device, requires_grad, pin_memory, memory_format: as in torch.

    Example:
        >>> empty(2, 3).shape
        torch.Size([2, 3])
    """
    shape = _size_args("empty", size, options)
    return _finish("empty", _gen.op_empty_memory_format(shape, **_options("empty", options)), out, requires_grad)


def empty_strided(size: Any, stride: Any, *, requires_grad: bool = False, **options: Any) -> Tensor:
    """A tensor with given strides (in elements) whose elements are not set."""
    size, stride = sizes("empty_strided", (size,)), ints("empty_strided", "stride", stride)
    if len(size) != len(stride):
        raise RuntimeError(
            message(
                "empty_strided",
                "size and stride must have as many elements",
                {"size": list(size), "stride": list(stride)},
            )
        )
    return _finish(
        "empty_strided", _gen.op_empty_strided(size, stride, **_options("empty_strided", options)), None, requires_grad
    )


def empty_permuted(size: Any, physical_layout: Any, *, requires_grad: bool = False, **options: Any) -> Tensor:
    """A tensor whose dimensions lie in memory in the order of ``physical_layout``; elements are not set."""
    size = sizes("empty_permuted", (size,))
    order = ints("empty_permuted", "physical_layout", physical_layout)
    if sorted(order) != list(range(len(size))):
        raise RuntimeError(
            message(
                "empty_permuted",
                "physical_layout must be a permutation of the dimensions",
                {"size": list(size), "physical_layout": list(order)},
            )
        )
    base = empty([size[i] for i in order], **options)
    r = base.permute([order.index(i) for i in range(len(size))])  # type: ignore[attr-defined]
    return _finish("empty_permuted", r.detach(), None, requires_grad)


def full(size: Any, fill_value: Any, *, out: Any = None, requires_grad: bool = False, **options: Any) -> Tensor:
    """A tensor filled with one value.

    Args:
        size: the shape.
        fill_value: a number; it also gives the dtype when none is asked for.

    Example:
        >>> full((2,), 7)
        tensor([7, 7])
    """
    fill_value = as_number("full", "fill_value", fill_value)
    return _finish(
        "full", _gen.op_full(sizes("full", (size,)), fill_value, **_options("full", options)), out, requires_grad
    )


def zeros(*size: Any, out: Any = None, requires_grad: bool = False, **options: Any) -> Tensor:
    """A tensor of zeros.

    Args:
        *size: the shape, as numbers or one tuple.

    Example:
        >>> zeros(3)
        tensor([0., 0., 0.])
    """
    shape = _size_args("zeros", size, options)
    options = _options("zeros", options)
    options.setdefault("dtype", dt._default)
    return _finish("zeros", _gen.op_full(shape, 0, **options), out, requires_grad)


def ones(*size: Any, out: Any = None, requires_grad: bool = False, **options: Any) -> Tensor:
    """A tensor of ones.

    Args:
        *size: the shape, as numbers or one tuple.

    Example:
        >>> ones(2, dtype=dt.int64)
        tensor([1, 1])
    """
    shape = _size_args("ones", size, options)
    options = _options("ones", options)
    options.setdefault("dtype", dt._default)
    return _finish("ones", _gen.op_full(shape, 1, **options), out, requires_grad)


def arange(
    start: Any, end: Any = None, step: Any = 1, *, out: Any = None, requires_grad: bool = False, **options: Any
) -> Tensor:
    """Numbers from ``start`` (0 when only ``end`` is given) up to but without ``end``.

    Args:
        start, end, step: numbers; integers give an int64 tensor.

    Example:
        >>> arange(3), arange(1, 2, 0.5)
        (tensor([0, 1, 2]), tensor([1.0000, 1.5000]))
    """
    if end is None:
        start, end = 0, start
    if not start.__class__ is end.__class__ is step.__class__ is int:
        start, end, step = _range_numbers(start, end, step)
    d = out.dtype if isinstance(out, Tensor) else options.get("dtype")
    if isinstance(d, dt.dtype) and d.category == 1 and step and int(step) == 0:
        raise ValueError(message("arange", f"step must be nonzero as {d.name}", {"step": step}))
    if step == 0:
        raise RuntimeError(message("arange", "step must be nonzero"))
    if (end - start) * step < 0:
        raise RuntimeError(
            message(
                "arange",
                "upper bound and lower bound are inconsistent with the step's sign",
                {"start": start, "end": end, "step": step},
            )
        )
    if isinstance(out, Tensor):
        options["dtype"] = out.dtype
    return _finish(
        "arange", _gen.op_arange_start_step(start, end, step, **_options("arange", options)), out, requires_grad
    )


def _range_numbers(*values: Any) -> list[Any]:
    """The bounds and the step of a range, if they are finite real numbers."""
    found = [as_number("arange", name, v) for name, v in zip(("start", "end", "step"), values, strict=True)]
    if any(v.__class__ is complex for v in found):
        raise RuntimeError(message("arange", "value cannot be converted to type double without overflow"))
    start, end, _ = found
    if any(isinstance(v, float) and v - v != 0 for v in (start, end)):
        raise RuntimeError(message("arange", f"unsupported range: {start} -> {end}"))
    return found


def range_(start: Any, end: Any = None, step: Any = 1, **options: Any) -> Tensor:
    """As `arange`, but with ``end`` and always floating by default (torch keeps it for old programs)."""
    if end is None:
        start, end = 0, start
    options.setdefault("dtype", dt._default)
    n = int((end - start) / step) + 1
    return arange(0, n, dtype=dt.float64).mul(step).add(start).to(options["dtype"])  # type: ignore[attr-defined]


def _steps(op: str, steps: Any) -> int:
    n = as_int(op, "steps", steps)
    if n < 0:
        raise RuntimeError(message(op, "number of steps must be non-negative", {"steps": n}))
    return n


def _scalar(op: str, x: Any) -> Any:
    """A number, also from a 0-d tensor."""
    if not isinstance(x, Tensor):
        return x
    if x.ndim:
        raise RuntimeError(message(op, "it only supports 0-dimensional start and end tensors", [list(x.shape)]))
    return x.item()  # type: ignore[attr-defined]


def linspace(
    start: Any, end: Any, steps: Any, *, out: Any = None, requires_grad: bool = False, **options: Any
) -> Tensor:
    """``steps`` evenly spaced numbers from ``start`` to ``end``, both included.

    Example:
        >>> linspace(0, 1, 3)
        tensor([0.0000, 0.5000, 1.0000])
    """
    start, end = _scalar("linspace", start), _scalar("linspace", end)
    t = _gen.op_linspace(start, end, _steps("linspace", steps), **_options("linspace", options))
    return _finish("linspace", t, out, requires_grad)


def logspace(
    start: Any,
    end: Any,
    steps: Any,
    base: float = 10.0,
    *,
    out: Any = None,
    requires_grad: bool = False,
    **options: Any,
) -> Tensor:
    """``base`` to the powers of a linspace."""
    start, end = _scalar("logspace", start), _scalar("logspace", end)
    t = _gen.op_logspace(start, end, _steps("logspace", steps), base, **_options("logspace", options))
    return _finish("logspace", t, out, requires_grad)


def eye(n: int, m: int | None = None, *, out: Any = None, requires_grad: bool = False, **options: Any) -> Tensor:
    """A matrix with ones on its diagonal.

    Example:
        >>> eye(2)
        tensor([[1., 0.],
                [0., 1.]])
    """
    n, m = sizes("eye", (n, n if m is None else m))
    return _finish("eye", _gen.op_eye_m(n, m, **_options("eye", options)), out, requires_grad)


def rand(*size: Any, out: Any = None, requires_grad: bool = False, **options: Any) -> Tensor:
    """Numbers uniform over [0, 1)."""
    shape = _size_args("rand", size, options)
    return _finish("rand", _gen.op_rand(shape, **_options("rand", options)), out, requires_grad)


def randn(*size: Any, out: Any = None, requires_grad: bool = False, **options: Any) -> Tensor:
    """Numbers of the standard normal distribution."""
    shape = _size_args("randn", size, options)
    return _finish("randn", _gen.op_randn(shape, **_options("randn", options)), out, requires_grad)


def randint(*args: Any, out: Any = None, requires_grad: bool = False, **options: Any) -> Tensor:
    """Whole numbers uniform over [low, high): ``randint(high, size)`` or ``randint(low, high, size)``."""
    given = list(args)
    size = options.pop("size", None)
    if size is None:
        if not given:
            raise TypeError(message("randint", "missing required argument 'size'"))
        size = given.pop()
    low, high = options.pop("low", None), options.pop("high", None)
    if given and high is None:
        high = given.pop()
    low = given.pop() if given and low is None else low or 0
    low, high = as_int("randint", "low", low), as_int("randint", "high", high)
    if isinstance(size, int):
        raise TypeError(message("randint", "argument 'size' must be tuple of ints, not int", hint=f"pass ({size},)"))
    shape = sizes("randint", (size,))
    return _finish("randint", _gen.op_randint_low(low, high, shape, **_options("randint", options)), out, requires_grad)


def randperm(n: int, *, out: Any = None, requires_grad: bool = False, **options: Any) -> Tensor:
    """The numbers 0 to n - 1 in random order."""
    n = as_int("randperm", "n", n)
    if n < 0:
        raise RuntimeError(message("randperm", f"n must be non-negative, got {n}"))
    return _finish("randperm", _gen.op_randperm(n, **_options("randperm", options)), out, requires_grad)


def _like(op: str, t: Any, options: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(t, Tensor):
        raise TypeError(message(op, f"argument 'input' must be Tensor, not {type(t).__name__}"))
    options = {k: v for k, v in options.items() if v is not None}
    options.setdefault("dtype", t.dtype)
    options.setdefault("device", t.device)
    return options


#: Installed by autograd: a new tensor with the batch dimensions of the tensor of `vmap` that it was made like.
batch_like: Any = None


def alike(r: Tensor, t: Tensor) -> Tensor:
    """A new tensor, with a value per example inside `vmap` where the tensor that it was made like has one."""
    return batch_like(r, t) if t._ks & TRANSFORM_MASK and batch_like is not None else r


def _another(name: str, make: Any, t: Tensor, size: Any, options: dict[str, Any], strides: bool = False) -> Any:
    """What ``make`` gives for a size (None: that of ``t``), as a tensor of the kind of ``t``; ``strides``: laid out as
    that one, too."""
    if t._made_like is not None:
        return t._made_like(name, make, size, options)
    r = make(t._a.shape if size is None else size, **options)
    return alike(keep_strides(r, t) if strides else r, t)


def _likely(name: str, make: Any, quick: Any = None) -> Any:
    def like(input: Tensor, **options: Any) -> Tensor:  # noqa: A002 - torch's name
        if not options and quick is not None and input.__class__ is Tensor:
            return keep_strides(quick(input._a.shape, dtype=input.dtype, device=input.device), input)
        memory_format = options.pop("memory_format", None)
        return _another(name, make, input, None, _like(f"{name}_like", input, options), memory_format is None)

    like.__name__ = like.__qualname__ = f"{name}_like"
    like.__doc__ = f"As `{name}`, with the shape, dtype and device of ``input`` (keywords change them)."
    return like


def keep_strides(r: Tensor, like: Tensor) -> Tensor:
    """Lay ``r`` out in memory in the dimension order of a dense ``like``."""
    a = like._a
    if a.flags.c_contiguous or a.ndim < 2 or not r.is_cpu or r._ks & TRANSFORM_MASK:
        return r
    order = sorted(range(a.ndim), key=lambda i: -a.strides[i])
    if not a.transpose(order).flags.c_contiguous:
        return r
    shape, places = [a.shape[i] for i in order], [order.index(i) for i in range(a.ndim)]
    if not r._readable:
        return r.view(shape).permute(places)  # a record of operators sees these alone
    r._a = r._a.reshape(shape).transpose(places)
    return r


empty_like = _likely("empty", empty, _gen.op_empty_memory_format)
zeros_like = _likely("zeros", zeros, lambda shape, **options: _gen.op_full(shape, 0, **options))
ones_like = _likely("ones", ones, lambda shape, **options: _gen.op_full(shape, 1, **options))
rand_like, randn_like = _likely("rand", rand), _likely("randn", randn)


def _full_of(value: Any) -> Any:
    return lambda size, **options: full(size, value, **options)


def full_like(input: Tensor, fill_value: Any, **options: Any) -> Tensor:  # noqa: A002 - torch's name
    """As `full`, with the shape, dtype and device of ``input`` (keywords change them)."""
    options.pop("memory_format", None)
    return _another("full", _full_of(fill_value), input, None, _like("full_like", input, options), True)


def randint_like(input: Tensor, low: Any, high: Any = None, **options: Any) -> Tensor:  # noqa: A002 - torch's name
    """As `randint`, with the shape, dtype and device of ``input`` (keywords change them)."""
    options.pop("memory_format", None)
    if high is None:
        low, high = 0, low
    options = _like("randint_like", input, options)
    return _another("randint", lambda size, **o: randint(low, high, size, **o), input, None, options)


def _new(name: str, make: Any) -> Any:
    def new(self: Tensor, *size: Any, **options: Any) -> Tensor:
        shape = _size_args(f"new_{name}", size, options)
        return _another(name, make, self, shape, _like(f"new_{name}", self, options))

    new.__name__ = new.__qualname__ = f"new_{name}"
    new.__doc__ = f"As `{name}`, with this tensor's dtype and device (keywords change them)."
    return new


def new_full(self: Tensor, size: Any, fill_value: Any, **options: Any) -> Tensor:
    """As `full`, with this tensor's dtype and device (keywords change them)."""
    return _another("full", _full_of(fill_value), self, sizes("new_full", (size,)), _like("new_full", self, options))


def new_empty_strided(self: Tensor, size: Any, stride: Any, **options: Any) -> Tensor:
    """As `empty_strided`, with this tensor's dtype and device (keywords change them)."""
    options = _like("new_empty_strided", self, options)
    if self._made_like is not None:
        return self._made_like("empty", empty, size, options)
    return alike(empty_strided(size, stride, **options), self)


def new_tensor(self: Tensor, data: Any, **options: Any) -> Tensor:
    """As `tensor`, with this tensor's dtype and device (keywords change them)."""
    from ..creation import tensor

    return tensor(data, **_like("new_tensor", self, options))


FUNCTIONS = {
    f.__name__: f
    for f in (
        empty,
        empty_strided,
        empty_permuted,
        full,
        zeros,
        ones,
        arange,
        linspace,
        logspace,
        eye,
        rand,
        randn,
        randint,
        randperm,
        empty_like,
        zeros_like,
        ones_like,
        rand_like,
        randn_like,
        full_like,
        randint_like,
    )
}
FUNCTIONS["range"] = range_
METHODS = {
    "new_empty": _new("empty", empty),
    "new_zeros": _new("zeros", zeros),
    "new_ones": _new("ones", ones),
    "new_full": new_full,
    "new_empty_strided": new_empty_strided,
    "new_tensor": new_tensor,
}
