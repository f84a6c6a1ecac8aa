"""Helpers for the derivatives of convolutions."""

from __future__ import annotations

from typing import Any

from ._gen import conv as _gen


def convolution_twice(
    grads: Any,
    g: Any,
    x: Any,
    w: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
    needs: Any,
) -> tuple[Any, Any, Any]:
    """A convolution is linear in each operand, so the derivatives of its gradients are convolutions again."""
    ggx, ggw, ggb = grads
    how = (stride, padding, dilation, transposed, output_padding, groups)
    to_g = to_x = to_w = None
    if needs[0]:
        for part in (
            None if ggx is None else _gen.convolution(ggx, w, None, *how),
            None if ggw is None else _gen.convolution(x, ggw, None, *how),
            None if ggb is None else ggb.reshape(1, -1, *[1] * (x.ndim - 2)).expand(g.shape),
        ):
            if part is not None:
                to_g = part if to_g is None else to_g + part
    if needs[1] and ggw is not None:
        to_x = _gen.op_convolution_backward(g, x, ggw, None, *how, (True, False, False))[0]
    if needs[2] and ggx is not None:
        to_w = _gen.op_convolution_backward(g, ggx, w, None, *how, (False, True, False))[1]
    return to_g, to_x, to_w
