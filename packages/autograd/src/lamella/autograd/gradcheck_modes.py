"""The parts of `gradcheck` beyond backward: forward mode, and gradients of many vectors at once by `vmap`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lamella.core.tensor import Tensor, wrap
from lamella.dispatch.errors import message

from . import forward_ad
from .entry import grad
from .gradcheck import (
    GradcheckError,
    _along_a_direction,
    _differentiable,
    _host,
    _numerical,
    _outputs,
    _real_parts,
    _tuple,
    _unit,
    _width,
)
from .transforms.batched import vmap


def _floating(values: Any) -> list[Tensor]:
    return [t for t in _tuple(values) if isinstance(t, Tensor) and (t.is_floating_point() or t.is_complex())]


def _fresh(t: Any) -> Any:
    """An input without history that requires grad if it did: second derivatives go through backward."""
    return t.detach().requires_grad_(t._ag is not None) if isinstance(t, Tensor) else t  # type: ignore[attr-defined]


def _pushed(func: Callable[..., Any], inputs: tuple[Any, ...], tangents: dict[int, Any]) -> list[Any]:
    """The tangents of the outputs as real vectors."""
    with forward_ad.dual_level():
        given = [_fresh(t) for t in inputs]
        given = [forward_ad.make_dual(t, tangents[i]) if i in tangents else t for i, t in enumerate(given)]
        outs = [forward_ad.unpack_dual(o) for o in _floating(func(*given))]
        found = []
        for primal, tangent in outs:
            if tangent is None:
                found.append(np.zeros(_width(primal._a)))
            elif tangent.shape != primal.shape or tangent.dtype is not primal.dtype:
                raise GradcheckError(message("gradcheck", "a forward-mode tangent has another shape or dtype than its "
                                                          "output"))
            else:
                found.append(_real_parts(_host(tangent)).copy())
        return found


def forward(func: Callable[..., Any], inputs: tuple[Any, ...], eps: float, atol: float, rtol: float, nondet_tol: float
            ) -> None:
    """Compare every column of the Jacobians with differences."""
    for i, t in _differentiable(inputs):
        numerical = _numerical(func, inputs, t, eps)
        values = (1, 1j) if t._a.dtype.kind == "c" else (1,)
        rows = [_pushed(func, inputs, {i: _unit(t, k, value)}) for k in range(t.numel()) for value in values]
        for o, want in enumerate(numerical):
            have = np.stack([r[o] for r in rows]) if rows else want
            if not np.allclose(have, want, rtol=rtol, atol=atol, equal_nan=True):
                raise GradcheckError(f"gradcheck: Jacobian computed with forward mode mismatch for output {o} with "
                                     f"respect to input {i},\nnumerical:{want}\nanalytical:{have}")
        if rows:
            again = _pushed(func, inputs, {i: _unit(t, 0, 1)})
            if any(a.size and np.abs(a - b).max() > nondet_tol for a, b in zip(rows[0], again, strict=True)):
                raise GradcheckError(message("gradcheck", "forward mode gave different results for the same input "
                                                          f"(input {i})", hint="nondet_tol allows a difference"))


def forward_fast(func: Callable[..., Any], inputs: tuple[Any, ...], eps: float, atol: float, rtol: float) -> None:
    """Compare one random direction of each Jacobian."""
    rng = np.random.default_rng(2)
    for i, t in _differentiable(inputs):
        v, up, down = _along_a_direction(func, inputs, t, rng, eps)
        tangent: Any = wrap(np.asarray(v).astype(t._a.dtype))
        have = _pushed(func, inputs, {i: tangent if t._ks & 1 else tangent.to(t.device)})
        for o, h in enumerate(have):
            want = (up[o] - down[o]) / (2 * eps)
            if not np.allclose(h, want, rtol=rtol, atol=atol, equal_nan=True):
                raise GradcheckError(f"gradcheck: Jacobian computed with forward mode mismatch for output {o} with "
                                     f"respect to input {i} (one random direction)\nnumerical:{want}\nanalytical:{h}\n"
                                     "hint: fast_mode=False shows all")


def undefined_forward(func: Callable[..., Any], inputs: tuple[Any, ...]) -> None:
    """A tangent of zeros and no tangent must be the same."""
    found = _differentiable(inputs)
    if len(found) < 2:
        return
    for i, t in found:
        some = {j: x.detach().new_ones(x.shape) for j, x in found if j != i}  # type: ignore[attr-defined]
        without = _pushed(func, inputs, some)
        zero = t.detach().new_zeros(t.shape)  # type: ignore[attr-defined]
        if not all(np.allclose(a, b, equal_nan=True)
                   for a, b in zip(without, _pushed(func, inputs, {**some, i: zero}), strict=True)):
            raise GradcheckError(message("gradcheck", f"forward mode: a missing tangent of input {i} does not count as "
                                                      "zeros", hint="check for None in jvp"))


def _random_rows(t: Any, rng: Any, rows: int) -> Any:
    shape = (rows, *t._a.shape)
    a = rng.standard_normal(shape)
    if t._a.dtype.kind == "c":
        a = a + 1j * rng.standard_normal(shape)
    made: Any = wrap(np.asarray(a).astype(t._a.dtype))
    return made if t._ks & 1 else made.to(t.device)


def _same(what: str, name: str, together: Sequence[Any], alone: Sequence[Sequence[Any]], atol: float, rtol: float
          ) -> None:
    for i, (whole, rows) in enumerate(zip(together, alone, strict=True)):
        for b, row in enumerate(rows):
            have = None if whole is None else _host(whole[b])
            if have is None and row is None:
                continue
            if have is None or not np.allclose(have, 0 if row is None else _host(row), atol=atol, rtol=rtol,
                                               equal_nan=True):
                raise GradcheckError(message("gradcheck", f"{what}: gradients computed with vmap differ from those "
                                                          f"computed one by one for {name} {i}"))


def batched(func: Callable[..., Any], inputs: tuple[Any, ...], atol: float, rtol: float) -> None:
    """Backward on several vectors at once must equal backward on each."""
    rng = np.random.default_rng(3)
    tensors = [t for _, t in _differentiable(inputs)]
    for out in _outputs(func, inputs):
        rows = _random_rows(out, rng, 2)

        def pull(v: Any, out: Any = out) -> tuple[Any, ...]:
            found = grad(out, tensors, v, retain_graph=True, allow_unused=True)
            return tuple(t.detach().new_zeros(t.shape) if g is None else g  # type: ignore[attr-defined]
                         for t, g in zip(tensors, found, strict=True))

        alone = list(zip(*[pull(rows[b]) for b in range(2)], strict=True))
        try:
            together = vmap(pull, randomness="same")(rows)
        except RuntimeError as error:
            raise GradcheckError(message("gradcheck", "backward does not run under vmap", details=[str(error)],
                                         hint="check_batched_grad=False")) from error
        _same("check_batched_grad", "input", together, alone, atol, rtol)


def batched_forward(func: Callable[..., Any], inputs: tuple[Any, ...], atol: float, rtol: float) -> None:
    """Forward mode on several directions at once must equal forward mode on each."""
    from .transforms.api import jvp

    rng = np.random.default_rng(4)
    plain = [t.detach() if isinstance(t, Tensor) else t for t in inputs]  # type: ignore[attr-defined]
    for i, t in _differentiable(inputs):
        rows = _random_rows(t, rng, 2)

        def push(v: Any, i: int = i) -> tuple[Any, ...]:
            def along(x: Any) -> tuple[Any, ...]:
                return tuple(_floating(func(*plain[:i], x, *plain[i + 1 :])))

            return jvp(along, (plain[i],), (v,))[1]

        alone = list(zip(*[push(rows[b]) for b in range(2)], strict=True))
        try:
            together = vmap(push, randomness="same")(rows)
        except RuntimeError as error:
            raise GradcheckError(message("gradcheck", "forward mode does not run under vmap", details=[str(error)],
                                         hint="check_batched_forward_grad=False")) from error
        _same("check_batched_forward_grad", "output", together, alone, atol, rtol)


def run(func: Callable[..., Any], inputs: tuple[Any, ...], eps: float, atol: float, rtol: float, nondet_tol: float,
        fast: bool, undefined: bool, wanted: tuple[bool, bool, bool]) -> None:
    """The checks that were asked for.

    Args:
        func, inputs, eps, atol, rtol, nondet_tol: as for `gradcheck`.
        fast: one direction instead of all.
        undefined: also check missing tangents.
        wanted: forward mode, backward under vmap, forward mode under vmap.
    """
    if wanted[0]:
        if fast:
            forward_fast(func, inputs, eps, atol, rtol)
        else:
            forward(func, inputs, eps, atol, rtol, nondet_tol)
        if undefined:
            undefined_forward(func, inputs)
    if wanted[1]:
        batched(func, inputs, atol, rtol)
    if wanted[2]:
        batched_forward(func, inputs, atol, rtol)
