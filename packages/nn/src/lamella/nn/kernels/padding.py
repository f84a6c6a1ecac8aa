"""Padding that takes its values from the input.

Along one dimension a padded array is a few runs of its input, forwards or backwards; `runs` lists them. Copying runs
pads, adding them back is the gradient, one dimension after the other.
"""

from __future__ import annotations

from typing import Any

from ..meta.padding import check

Run = tuple[slice, slice]


def runs(mode: str, n: int, before: int, after: int) -> list[Run]:
    """(places in the result, places in the input) along a dimension of ``n``; an edge run has one place in the
    input.
    """
    m = n + before + after
    if mode == "circular":
        return _circular(n, before, after, m)
    first, last = max(0, -before), min(n, n + after)
    found = [(slice(first + before, last + before), slice(first, last))]
    head, tail = min(max(before, 0), m), min(max(after, 0), m)
    if head:
        found.append((slice(0, head), slice(0, 1) if mode == "replicate" else _down(before, before - head)))
    if tail:
        # The last element of the result meets element n - 1 - after of the input.
        stop = n - 2 - after
        found.append((slice(m - tail, m), slice(n - 1, n) if mode == "replicate" else _down(stop + tail, stop)))
    return [(o, i) for o, i in found if o.stop > o.start]


def _down(start: int, stop: int) -> slice:
    """From start down to stop + 1."""
    return slice(start, stop if stop >= 0 else None, -1)


def _circular(n: int, before: int, after: int, m: int) -> list[Run]:
    low, size = max(0, -before), n + min(before, 0) + min(after, 0)
    found, at = [], 0
    phase = -max(before, 0) % size if size else 0
    while at < m:
        step = min(size - phase, m - at)
        found.append((slice(at, at + step), slice(low + phase, low + phase + step)))
        at, phase = at + step, 0
    return found


def _dims(pad: Any, ndim: int) -> list[tuple[int, int, int]]:
    """(dimension, before, after) for the dimensions that change, from the last one on."""
    return [(ndim - 1 - i, pad[2 * i], pad[2 * i + 1]) for i in range(len(pad) // 2) if pad[2 * i] or pad[2 * i + 1]]


def _pad(xp: Any, x: Any, pad: Any, mode: str) -> Any:
    done = False
    for axis, before, after in _dims(pad, x.ndim):
        n = x.shape[axis]
        r = xp.empty((*x.shape[:axis], n + before + after, *x.shape[axis + 1 :]), x.dtype)
        rest = (slice(None),) * axis
        for to, source in runs(mode, n, before, after):
            r[(*rest, to)] = x[(*rest, source)]
        x, done = r, True
    return x if done else x.copy()


def _unpad(xp: Any, g: Any, like: Any, pad: Any, mode: str) -> Any:
    done = False
    for axis, before, after in reversed(_dims(pad, g.ndim)):
        n = like.shape[axis]
        r = xp.zeros((*g.shape[:axis], n, *g.shape[axis + 1 :]), g.dtype)
        rest = (slice(None),) * axis
        for to, source in runs(mode, n, before, after):
            part = g[(*rest, to)]
            if mode == "replicate" and source.stop - source.start == 1:
                part = part.sum(axis, keepdims=True)
            r[(*rest, source)] += part
        g, done = r, True
    return g if done else g.copy()


def reflect(xp: Any, self: Any, padding: Any) -> Any:
    check("reflect", self.shape, padding)
    return _pad(xp, self, padding, "reflect")


def replicate(xp: Any, self: Any, padding: Any) -> Any:
    check("replicate", self.shape, padding)
    return _pad(xp, self, padding, "replicate")


def circular(xp: Any, self: Any, pad: Any) -> Any:
    check("circular", self.shape, pad)
    return _pad(xp, self, pad, "circular")


def reflect_backward(xp: Any, grad_output: Any, self: Any, padding: Any) -> Any:
    return _unpad(xp, grad_output, self, padding, "reflect")


def replicate_backward(xp: Any, grad_output: Any, self: Any, padding: Any) -> Any:
    return _unpad(xp, grad_output, self, padding, "replicate")


def circular_backward(xp: Any, grad_output: Any, self: Any, pad: Any) -> Any:
    return _unpad(xp, grad_output, self, pad, "circular")
