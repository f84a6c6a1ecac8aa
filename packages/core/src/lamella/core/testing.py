"""The backend conformance kit: runs every operator's samples and says what does not hold.

For an outside backend: ``check_backend("mydevice")`` runs all samples on that device and compares with the CPU. The
same checks (shape rules, in-place forms, ``out=`` forms) are the operators' own tests.

Example:
    >>> from lamella.core.samples import S
    >>> check_meta(S("add", lambda mk: [((mk(2), mk(2)), {})]))
    []
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .runtime import is_number
from .samples import Call, S, all_samples, resolve
from .tensor import Tensor


def map_tensors(fn: Callable[[Tensor], Any], value: Any) -> Any:
    """``value`` with ``fn`` applied to the tensors in it."""
    if isinstance(value, Tensor):
        return fn(value)
    if isinstance(value, (list, tuple)):
        items = [map_tensors(fn, v) for v in value]
        return type(value)._make(items) if hasattr(value, "_make") else type(value)(items)  # type: ignore[attr-defined]
    if isinstance(value, dict):
        return {k: map_tensors(fn, v) for k, v in value.items()}
    return value


def leaves(value: Any) -> list[Any]:
    """The values inside nested lists, tuples and dicts."""
    if isinstance(value, (list, tuple)):
        return [x for v in value for x in leaves(v)]
    if isinstance(value, dict):
        return [x for v in value.values() for x in leaves(v)]
    return [value]


def as_function(
    fn: Callable[..., Any], args: Any, kwargs: Any, device: Any = None
) -> tuple[Callable[..., tuple[Tensor, ...]], tuple[Tensor, ...]]:
    """A call as a function of its tensors that require gradients alone, for `gradcheck`.

    Args:
        fn: what is called.
        args, kwargs: with what.
        device: where all tensors are put; None leaves them where they are.

    Returns:
        The function, which gives the floating-point tensors of the result, and the tensors to call it with.

    Example:
        >>> from lamella.core import ones
        >>> f, inputs = as_function(lambda x: [x.sum(), 3], (ones(2),), {})
        >>> f(*inputs)
        (tensor(2.),)
    """
    inputs = [x for x in leaves((args, kwargs)) if isinstance(x, Tensor) and x.requires_grad]

    def moved(t: Tensor) -> Tensor:
        return t if device is None else t.to(device)

    def of_inputs(*given: Tensor) -> tuple[Tensor, ...]:
        swap = {id(old): new for old, new in zip(inputs, given, strict=True)}

        def put(t: Tensor) -> Tensor:
            return swap[id(t)] if id(t) in swap else moved(t)

        out = fn(*map_tensors(put, args), **map_tensors(put, kwargs))
        return tuple(o for o in leaves(out) if isinstance(o, Tensor) and o.is_floating_point())

    return of_inputs, tuple(moved(x.detach()).requires_grad_() for x in inputs)


def differs(want: Any, got: Any, *, values: bool = True, tol: float = 1e-9) -> str | None:
    """None where two results agree in structure, shape, dtype and values, else how they differ."""
    a, b = leaves(want), leaves(got)
    if len(a) != len(b):
        return f"{len(b)} results instead of {len(a)}"
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        if isinstance(x, Tensor) != isinstance(y, Tensor):
            return f"result {i} is a {type(y).__name__} instead of a {type(x).__name__}"
        if isinstance(x, Tensor):
            if x.shape != y.shape or x.dtype is not y.dtype:
                return f"result {i} is {y.dtype.name}{list(y.shape)} instead of {x.dtype.name}{list(x.shape)}"
            if values and not np.allclose(_host(y), _host(x), rtol=tol, atol=tol, equal_nan=True):
                return f"result {i} has other values"
        elif values and is_number(x) and not np.allclose(x, y, rtol=tol, atol=tol, equal_nan=True):
            return f"result {i} is {y!r} instead of {x!r}"
    return None


def _host(t: Any) -> Any:
    return t.detach().to("cpu")._a


def _run(sample: S, check: Callable[[Call, Callable[..., Any]], str | None], grad: bool = False) -> list[str]:
    fn = resolve(sample.name)
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for i, call in enumerate(sample.make(grad)):
            said = check(call, fn)
            if said:
                found.append(f"{sample.name}, sample {i}: {said}")
    return found


def check_meta(sample: S) -> list[str]:
    """The shape rule gives the shape and dtype of the computed result."""

    def check(call: Call, fn: Callable[..., Any]) -> str | None:
        args, kwargs = call
        want = fn(*args, **kwargs)
        if not any(isinstance(x, Tensor) for x in leaves(want)):
            return None
        to_meta = lambda t: t.to("meta")  # noqa: E731
        got = fn(*map_tensors(to_meta, args), **map_tensors(to_meta, kwargs))
        if any(isinstance(x, Tensor) and not x.is_meta for x in leaves(got)):
            return "the result of meta tensors is not on meta"
        return differs(want, got, values=False)

    return _run(sample, check)


def check_inplace(sample: S) -> list[str]:
    """``x.op_()`` gives what ``op(x)`` gives, in x; results that do not fit x are refused and leave it whole."""
    method = sample.name.rpartition(".")[2] + "_"
    if not sample.inplace or not hasattr(Tensor, method):
        return []

    def check(call: Call, fn: Callable[..., Any]) -> str | None:
        args, kwargs = call
        if not args or not isinstance(args[0], Tensor):
            return None
        want = fn(*args, **kwargs)
        x: Any = args[0].clone()  # type: ignore[attr-defined]
        if not isinstance(want, Tensor):
            return None
        if want.shape != x.shape or (want.dtype.category > x.dtype.category):
            before = x._a.copy()
            try:
                getattr(x, method)(*args[1:], **kwargs)
            except RuntimeError:
                return (
                    None
                    if np.array_equal(before, x._a, equal_nan=x._a.dtype.kind in "fc")
                    else "a refused write changed x"
                )
            return f"{method} accepts a result that does not fit"
        version = 0 if x._vc is None else x._vc.n
        r = getattr(x, method)(*args[1:], **kwargs)
        if r is not x:
            return f"{method} does not return its tensor"
        if x._vc is None or x._vc.n <= version:
            return f"{method} does not count as a write"
        return differs(want.to(x.dtype), r)  # type: ignore[attr-defined]

    return _run(sample, check)


def check_out(sample: S) -> list[str]:
    """``out=`` receives the result and is returned."""

    def check(call: Call, fn: Callable[..., Any]) -> str | None:
        args, kwargs = call
        want = fn(*args, **kwargs)
        if not isinstance(want, Tensor):
            return None
        out: Any = want.clone().zero_()  # type: ignore[attr-defined]
        try:
            r = fn(*args, **kwargs, out=out)
        except TypeError:
            return None
        return "out= is not returned" if r is not out else differs(want, out)

    return [] if sample.name.startswith(("Tensor.", "nn.")) or sample.random else _run(sample, check)


def check_device(sample: S, device: Any) -> list[str]:
    """The operator gives on ``device`` what it gives on the CPU."""

    def check(call: Call, fn: Callable[..., Any]) -> str | None:
        args, kwargs = call
        want = fn(*args, **kwargs)
        move = lambda t: t.to(device)  # noqa: E731
        got = fn(*map_tensors(move, args), **map_tensors(move, kwargs))
        return differs(want, got, values=not sample.random, tol=1e-6)

    return _run(sample, check)


def check_backend(
    device: Any, *, only: Iterable[str] | None = None, package: str = "lamella.core"
) -> dict[str, list[str]]:
    """Run all samples on an outside backend.

    Args:
        device: its name.
        only: operators to run (default: all).
        package: whose samples.

    Returns:
        Operator -> what does not hold; an operator that raised has its error. Empty when all is well.
    """
    names = None if only is None else set(only)
    found: dict[str, list[str]] = {}
    for sample in all_samples(package):
        if names is not None and sample.name not in names:
            continue
        try:
            said = check_device(sample, device)
        except Exception as e:  # noqa: BLE001 - a backend's errors are results here
            said = [f"{sample.name}: {type(e).__name__}: {e}"]
        if said:
            found.setdefault(sample.name, []).extend(said)
    return found
