"""Shape rules and checks of padding."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

_NAMES = {"reflect": "reflection_pad", "replicate": "replication_pad", "circular": "pad"}


def _fail(mode: str, rule: str, shape: Any, pad: Any) -> RuntimeError:
    return RuntimeError(message(_NAMES[mode], rule, {"input": list(shape), "pad": list(pad)}))


def check(mode: str, shape: Any, pad: Any) -> tuple[int, ...]:
    """Refuse widths that do not fit; returns the padded shape."""
    n, out = len(pad) // 2, list(shape)
    if len(shape) not in (n + 1, n + 2):
        raise _fail(
            mode,
            f"expected {n + 1}D or {n + 2}D (batch mode) input for {n} padded dimensions, but got {len(shape)}D",
            shape,
            pad,
        )
    batched = len(shape) == n + 2
    if mode != "circular" and any(s == 0 for s in shape[1 if batched else 0 :]):
        raise _fail(mode, "only the batch dimension may be empty", shape, pad)
    for i in range(n):
        at = len(shape) - 1 - i
        before, after, size = pad[2 * i], pad[2 * i + 1], shape[at]
        if mode == "reflect" and (before >= size or after >= size):
            raise _fail(
                mode,
                "Padding size should be less than the corresponding input dimension, but got: padding "
                f"({before}, {after}) at dimension {at}",
                shape,
                pad,
            )
        if mode == "circular" and (before > size or after > size):
            raise _fail(mode, "Padding value causes wrapping around more than once.", shape, pad)
        out[at] = size + before + after
        if mode == "circular" and out[at] and size + min(before, 0) + min(after, 0) <= 0:
            raise _fail(mode, f"nothing of dimension {at} is left to go around", shape, pad)
        if out[at] < (0 if mode == "circular" else 1):
            raise _fail(mode, f"the input is too small: dimension {at} would get size {out[at]}", shape, pad)
    return tuple(out)


def reflect(self: Any, padding: Any) -> Any:
    return check("reflect", self._a.shape, padding), self.dtype


def replicate(self: Any, padding: Any) -> Any:
    return check("replicate", self._a.shape, padding), self.dtype


def circular(self: Any, pad: Any) -> Any:
    return check("circular", self._a.shape, pad), self.dtype


def backward(grad_output: Any, self: Any, _pad: Any) -> Any:
    return self._a.shape, grad_output.dtype
