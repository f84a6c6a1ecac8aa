"""Gradients into buckets and means back to parameters, each by one pass over memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.autograd import enable_grad, no_grad

ndarray = np.ndarray


def pack(grad: Any, view: Any, scale: float | None) -> None:
    """Write ``grad * scale`` into a bucket's part; zeros for no gradient.

    Args:
        grad: a parameter's gradient, or None.
        view: its place in the bucket; may be the gradient itself.
        scale: None means 1.
    """
    out = view._a
    if grad is not None and out.__class__ is ndarray:
        a = grad._a
        if a.dtype is not out.dtype:
            np.copyto(out, a, casting="unsafe")
            a = out
        if scale is not None:
            np.multiply(a, np.asarray(scale, out.dtype), out)
        elif a is not out:
            np.copyto(out, a)
        return
    with no_grad():
        if grad is None:
            view.zero_()
            return
        if grad is not view:
            view.copy_(grad)
        if scale is not None:
            view.mul_(scale)


def unpack(param: Any, view: Any) -> None:
    """Make a bucket's part the gradient of a parameter, by copy."""
    grad = param._grad
    if grad is None:
        with no_grad():
            param._grad = view.to(param.dtype) if view.dtype is not param.dtype else view.clone()
    elif grad._ag is not None:
        _keep_history(param, view)
    else:
        a = grad._a
        if a.__class__ is ndarray:
            np.copyto(a, view._a, casting="unsafe")
            if grad._vc is not None:
                grad._vc.n += 1
        else:
            with no_grad():
                grad.copy_(view)


def _keep_history(param: Any, view: Any) -> None:
    """With create_graph: the mean's value, with the history of this rank's share of it."""
    with enable_grad():
        new = param._grad * 1.0
    with no_grad():
        new.detach().copy_(view)
    param._grad = new
