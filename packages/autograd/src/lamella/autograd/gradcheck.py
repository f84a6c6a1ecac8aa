"""Comparing gradients with finite differences.

Complex numbers count as two real ones: the gradient of a real number L by z = x + iy is dL/dx + i dL/dy, and a
complex output contributes its real and its imaginary part.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lamella.core.tensor import Tensor, describe, wrap
from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK

from . import engine
from .entry import grad


class GradcheckError(RuntimeError):
    """Gradients and finite differences disagree, or the gradients break a rule."""


def _tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _differentiable(values: Sequence[Any]) -> list[tuple[int, Tensor]]:
    return [(i, t) for i, t in enumerate(values) if isinstance(t, Tensor) and t._ag is not None]


def _real_parts(a: Any) -> Any:
    """A flat real vector: for complex numbers real and imaginary parts in turn."""
    a = np.ascontiguousarray(a).reshape(-1)
    return a.view(a.real.dtype).astype(np.float64) if a.dtype.kind == "c" else a.astype(np.float64)


def _width(a: Any) -> int:
    """How many real numbers an array holds."""
    return a.size * (2 if a.dtype.kind == "c" else 1)


def _put(a: Any, place: Any, values: Any) -> None:
    """Write numbers of the host into an array, which may be a GPU's."""
    if isinstance(a, np.ndarray):
        a[place] = values
        return
    import cupy

    with a.device:
        a[place] = cupy.asarray(values)


def _host(t: Tensor) -> Any:
    return t.detach().cpu().numpy() if not t._ks & 1 else t._a  # type: ignore[attr-defined]


def _check_inputs(inputs: tuple[Any, ...]) -> None:
    found = _differentiable(inputs)
    if not found:
        raise ValueError(message("gradcheck", "expects at least one input tensor to require gradient, but none of "
                                              "them have requires_grad=True"))
    for i, t in found:
        if t._a.dtype not in (np.float64, np.complex128):
            warnings.warn(message("gradcheck", f"Input #{i} requires gradient and is not a double precision floating "
                                               "point or complex; this check will likely "
                                               "fail", [describe(t)]), UserWarning, stacklevel=3)
        if t._a.size and any(s == 0 and n > 1 for s, n in zip(t._a.strides, t._a.shape, strict=True)):
            raise RuntimeError(message("gradcheck", f"the {i}th input has a dimension with stride 0, so its elements "
                                                    "share memory and cannot be changed one by one", [describe(t)],
                                       hint="contiguous() it"))


def _outputs(func: Callable[..., Any], inputs: tuple[Any, ...]) -> list[Tensor]:
    found = [t for _, t in _differentiable(_tuple(func(*inputs)))]
    return found


def _values(func: Callable[..., Any], inputs: tuple[Any, ...]) -> list[Any]:
    """The differentiable outputs as real vectors, without history."""
    outs = [t for t in _tuple(func(*inputs)) if isinstance(t, Tensor) and (t.is_floating_point() or t.is_complex())]
    return [_real_parts(_host(t)).copy() for t in outs]


def _numerical(func: Callable[..., Any], inputs: tuple[Any, ...], t: Tensor, eps: float) -> list[Any]:
    """For each output the matrix of derivatives by ``t``: one row per real number of the input."""
    a, start = t._a, _host(t).copy()
    steps = (eps, 1j * eps) if a.dtype.kind == "c" else (eps,)
    rows: list[list[Any]] = []
    for index in np.ndindex(a.shape):
        before = start[index]
        for step in steps:
            _put(a, index, before + step)
            up = _values(func, inputs)
            _put(a, index, before - step)
            down = _values(func, inputs)
            _put(a, index, before)
            rows.append([(u - d) / (2 * eps) for u, d in zip(up, down, strict=True)])
    if not rows:
        return [np.zeros((0, v.size)) for v in _values(func, inputs)]
    return [np.stack(column) for column in zip(*rows, strict=True)]


def _unit(out: Tensor, index: int, value: Any) -> Tensor:
    a = np.zeros(out._a.shape, out._a.dtype)
    a.reshape(-1)[index] = value
    one = wrap(a)
    return one if out._ks & 1 else one.to(out.device)  # type: ignore[attr-defined]


def _analytical(out: Tensor, inputs: list[Tensor], dtypes: bool) -> list[Any]:
    """For each input the same matrix as `_numerical`'s, from backward passes."""
    columns: list[list[Any]] = [[] for _ in inputs]
    values = (1, 1j) if out._a.dtype.kind == "c" else (1,)
    for k in range(out.numel()):
        for value in values:
            found = grad(out, inputs, _unit(out, k, value), retain_graph=True, allow_unused=True)
            for column, t, g in zip(columns, inputs, found, strict=True):
                if g is None:
                    column.append(np.zeros(_width(t._a)))
                    continue
                if g.shape != t.shape:
                    raise GradcheckError(message("gradcheck", "a gradient has another shape than its input",
                                                 {"gradient": describe(g), "input": describe(t)}))
                if dtypes and g.dtype != t.dtype:
                    raise GradcheckError(message("gradcheck", "a gradient has another dtype than its input",
                                                 {"gradient": describe(g), "input": describe(t)}))
                column.append(_real_parts(_host(g)))
    return [np.stack(c, axis=1) if c else np.zeros((_width(t._a), 0))
            for c, t in zip(columns, inputs, strict=True)]


def _mismatch(o: int, i: int, numerical: Any, analytical: Any) -> GradcheckError:
    return GradcheckError(f"gradcheck: Jacobian mismatch for output {o} with respect to input {i},\n"
                          f"numerical:{numerical}\nanalytical:{analytical}")


def _slow(func: Callable[..., Any], inputs: tuple[Any, ...], eps: float, atol: float, rtol: float, nondet_tol: float,
          dtypes: bool) -> None:
    found = _differentiable(inputs)
    tensors = [t for _, t in found]
    outs = _outputs(func, inputs)
    kinds = [isinstance(t, Tensor) and t._ag is not None for t in _tuple(func(*inputs))
             if isinstance(t, Tensor) and (t.is_floating_point() or t.is_complex())]
    numerical = []
    for t in tensors:
        columns = _numerical(func, inputs, t, eps)
        numerical.append([c for c, kept in zip(columns, kinds, strict=True) if kept])
    for o, out in enumerate(outs):
        first = _analytical(out, tensors, dtypes)
        again = _analytical(_outputs(func, inputs)[o], tensors, dtypes)
        for (i, _), j, a, b in zip(found, range(len(found)), first, again, strict=True):
            if not np.allclose(a, numerical[j][o], rtol=rtol, atol=atol, equal_nan=True):
                raise _mismatch(o, i, numerical[j][o], a)
            if a.size and np.abs(a - b).max() > nondet_tol:
                raise GradcheckError(message("gradcheck", "backward is not reentrant: running it twice on the same "
                                                          f"input gave different gradients (output {o}, input {i})",
                                             hint="nondet_tol allows a difference"))


def _along_a_direction(func: Callable[..., Any], inputs: tuple[Any, ...], t: Any, rng: Any, eps: float) -> Any:
    """A random direction of length 1 for an input, and the function's values a step forward and back along it."""
    a, before = t._a, _host(t).copy()
    v = rng.random(a.shape) + (1j * rng.random(a.shape) if a.dtype.kind == "c" else 0)
    v = v / max(float(np.linalg.norm(v)), 1e-30)
    _put(a, ..., before + eps * v)
    up = _values(func, inputs)
    _put(a, ..., before - eps * v)
    down = _values(func, inputs)
    _put(a, ..., before)
    return v, up, down


def _fast(func: Callable[..., Any], inputs: tuple[Any, ...], eps: float, atol: float, rtol: float) -> None:
    """Compare one random projection of each matrix instead of all of it."""
    rng = np.random.default_rng(0)
    found = _differentiable(inputs)
    outs = _outputs(func, inputs)
    for i, t in found:
        v, up, down = _along_a_direction(func, inputs, t, rng, eps)
        for o, out in enumerate(outs):
            u = rng.random(out._a.shape) + (1j * rng.random(out._a.shape) if out._a.dtype.kind == "c" else 0)
            start = wrap(np.asarray(u).astype(out._a.dtype))
            (g,) = grad(out, [t], start if out._ks & 1 else start.to(out.device),  # type: ignore[attr-defined]
                        retain_graph=True, allow_unused=True)
            have = 0.0 if g is None else float(_real_parts(_host(g)) @ _real_parts(v.astype(t._a.dtype)))
            want = float((up[o] - down[o]) @ _real_parts(np.asarray(u).astype(out._a.dtype))) / (2 * eps)
            if not np.isclose(have, want, rtol=rtol, atol=atol * max(1.0, out.numel()), equal_nan=True):
                raise GradcheckError(f"gradcheck: Jacobian mismatch for output {o} with respect to input {i} (one "
                                     f"random projection)\nnumerical:{want}\nanalytical:{have}\nhint: "
                                     "fast_mode=False shows all")


def _undefined(func: Callable[..., Any], inputs: tuple[Any, ...]) -> None:
    """Backward must take missing gradients: the result is nothing, or zeros."""
    tensors = [t for _, t in _differentiable(inputs)]
    outs = _outputs(func, inputs)
    ways: list[list[Any]] = [[None] * len(outs)]
    if len(outs) > 1:
        zeros = [o.detach().new_zeros(o.shape) for o in outs]  # type: ignore[attr-defined]
        ways += [[None if k == o else z for k, z in enumerate(zeros)] for o in range(len(outs))]
    edges = [o._ag for o in outs]
    targets = [t._ag for t in tensors]
    for way in ways:
        try:
            found = engine.run(edges, way, True, False, targets, into_leaves=False)
        except RuntimeError as error:
            raise GradcheckError(message("gradcheck", "Expected backward function to handle undefined output grads",
                                         details=[str(error)],
                                         hint="look for None in backward, or set_materialize_grads(True)")) from error
        if any(g is not None and np.any(_host(g)) for g in found):
            raise GradcheckError(message("gradcheck", "Expected all input grads to be undefined or zero when all "
                                                      "output grads are undefined or zero"))


def gradcheck(func: Callable[..., Any], inputs: Any, *, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3,
              raise_exception: bool = True, nondet_tol: float = 0.0, check_undefined_grad: bool = True,
              check_grad_dtypes: bool = False, check_batched_grad: bool = False,
              check_batched_forward_grad: bool = False,
              check_forward_ad: bool = False, check_backward_ad: bool = True, fast_mode: bool = False,
              masked: bool | None = None) -> bool:
    """Compare the gradients of ``func`` with central differences.

    Args:
        func: takes the inputs, returns a tensor or a tuple of them.
        inputs: a tensor or a tuple; those that require grad are checked and should be float64 or complex128.
        eps: step of the differences.
        atol: absolute tolerance.
        rtol: relative tolerance.
        raise_exception: raise when the check fails, instead of returning False.
        nondet_tol: how far two runs of backward may differ.
        check_undefined_grad: also run backward on missing gradients.
        check_grad_dtypes: gradients must have the dtype of their inputs.
        check_batched_grad: also compare backward on several vectors at once (`vmap`) with backward on each.
        check_batched_forward_grad: the same for forward mode.
        check_forward_ad: also check forward mode.
        check_backward_ad: check backward gradients.
        fast_mode: compare a random projection instead of every element.
        masked: accepted; only matters for sparse tensors.

    Returns:
        True when everything agrees.

    Errors:
        GradcheckError: it does not.
        ValueError: no input requires grad; neither mode is to be checked.

    Example:
        >>> from lamella.core import tensor, float64
        >>> gradcheck(lambda x: x * x, tensor([1.0, 2.0], dtype=float64, requires_grad=True))
        True
    """
    args = _tuple(inputs)
    if not (check_forward_ad or check_backward_ad):
        raise ValueError(message("gradcheck", "Expected either check_forward_ad or check_backward_ad to be True"))
    for name, on, needs, has in (("check_batched_grad", check_batched_grad, "check_backward_ad", check_backward_ad),
                                 ("check_batched_forward_grad", check_batched_forward_grad, "check_forward_ad",
                                  check_forward_ad)):
        if on and not has:
            raise ValueError(message("gradcheck", f"Setting {name}=True requires {needs} to be True"))
    try:
        _check_inputs(args)
        outs = _tuple(func(*args))
        if not _differentiable(outs):
            return _constant(func, args, outs, eps, atol)
        if check_backward_ad and fast_mode:
            _fast(func, args, eps, atol, rtol)
        elif check_backward_ad:
            _slow(func, args, eps, atol, rtol, nondet_tol, check_grad_dtypes)
        if check_backward_ad and check_undefined_grad:
            _undefined(func, args)
        if check_forward_ad or check_batched_grad or check_batched_forward_grad:
            from .gradcheck_modes import run

            run(func, args, eps, atol, rtol, nondet_tol, fast_mode, check_undefined_grad,
                (check_forward_ad, check_batched_grad, check_batched_forward_grad))
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _constant(func: Callable[..., Any], args: tuple[Any, ...], outs: tuple[Any, ...], eps: float, atol: float) -> bool:
    """None of the outputs require grad: then none may depend on the inputs."""
    for i, t in _differentiable(args):
        for o, matrix in enumerate(_numerical(func, args, t, eps)):
            if matrix.size and np.abs(matrix).max() > atol:
                raise GradcheckError(message("gradcheck", f"output {o} does not require grad, but changes with input "
                                                          f"{i}"))
    return True


def gradgradcheck(func: Callable[..., Any], inputs: Any, grad_outputs: Any = None, *, eps: float = 1e-6,
                  atol: float = 1e-5, rtol: float = 1e-3, gen_non_contig_grad_outputs: bool = False,
                  raise_exception: bool = True, nondet_tol: float = 0.0, check_undefined_grad: bool = True,
                  check_grad_dtypes: bool = False, check_batched_grad: bool = False, check_fwd_over_rev: bool = False,
                  check_rev_over_rev: bool = True, fast_mode: bool = False, masked: bool = False) -> bool:
    """Compare second derivatives of ``func`` with central differences of first ones.

    Args:
        func: takes the inputs, returns a tensor or a tuple of them.
        inputs: a tensor or a tuple; those that require grad are checked.
        grad_outputs: gradients at the outputs; random ones by default.
        eps, atol, rtol, raise_exception, nondet_tol, check_undefined_grad, check_grad_dtypes, fast_mode: as in
            `gradcheck`.
        gen_non_contig_grad_outputs: make the random gradients non-contiguous.
        check_batched_grad: as in `gradcheck`.
        check_fwd_over_rev: check second derivatives by forward mode over backward.
        check_rev_over_rev: check second derivatives by backward over backward.
        masked: accepted; only matters for sparse tensors.

    Returns:
        True when everything agrees.

    Errors:
        GradcheckError: it does not.

    Example:
        >>> from lamella.core import tensor, float64
        >>> gradgradcheck(lambda x: x * x * x, tensor([1.0, 2.0], dtype=float64, requires_grad=True))
        True
    """
    args = _tuple(inputs)
    if grad_outputs is None:
        rng = np.random.default_rng(1)
        starts = tuple(_random_like(o, rng, gen_non_contig_grad_outputs) for o in _outputs(func, args))
    else:
        starts = _tuple(grad_outputs)
    n = len(args)

    def first(*given: Any) -> tuple[Any, ...]:
        ins = [t for _, t in _differentiable(given[:n])]
        outs = _outputs(func, given[:n])
        found = grad(outs, ins, given[n:], create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(first, (*args, *starts), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception,
                     nondet_tol=nondet_tol, check_undefined_grad=check_undefined_grad,
                     check_grad_dtypes=check_grad_dtypes, check_batched_grad=check_batched_grad,
                     check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev,
                     fast_mode=fast_mode, masked=masked)


def _random_like(t: Tensor, rng: Any, strided: bool) -> Tensor:
    shape = (*t._a.shape[:-1], t._a.shape[-1] * 2) if strided and t._a.ndim else t._a.shape
    a = rng.standard_normal(shape)
    if t._a.dtype.kind == "c":
        a = a + 1j * rng.standard_normal(shape)
    a = np.asarray(a).astype(t._a.dtype)
    g = wrap(a[..., ::2] if shape != t._a.shape else a, 1)
    if t._ks & BACKEND_MASK != 1:
        g = g.to(t.device)  # type: ignore[attr-defined]
    return g.requires_grad_()  # type: ignore[attr-defined]


__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]
