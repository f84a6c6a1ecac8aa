"""Rules of convolutions: the batch is folded into the images, or into groups where the weights are batched."""

from __future__ import annotations

from typing import Any

from lamella.autograd.transforms.batching.level import move
from lamella.autograd.transforms.batching.rules import rule

from .._gen import conv as _conv


def into(value: Any, place: int) -> Any:
    """A value with its batch (in front) folded into a dimension: the logical dimension ``place``."""
    value = move(value, 0, place)
    shape = value._a.shape
    return value.reshape(*shape[:place], shape[place] * shape[place + 1], *shape[place + 2 :])


def out_of(value: Any, place: int, size: int) -> Any:
    """The reverse: the batch (``size``) taken out of dimension ``place`` and put in front."""
    shape = value._a.shape
    inner = shape[place] // size if size else 0
    return move(value.reshape(*shape[:place], size, inner, *shape[place + 1 :]), place, 0)


@rule("convolution")
def convolution(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    x, w, b, stride, padding, dilation, transposed, extra, groups = args
    rest = (stride, padding, dilation, transposed, extra)
    bias = None if level.has(b) else b
    if not level.has(w):
        if not level.has(x):  # only the bias
            out = _conv.op_convolution(x, w, None, *rest, groups).unsqueeze(0)
        else:
            out = out_of(_conv.op_convolution(into(level.front(x), 0), w, bias, *rest, groups), 0, level.size)
    elif not level.has(x) and groups == 1 and not transposed:
        out = _conv.op_convolution(x, into(level.front(w), 0), None, *rest, 1)
        out, bias = out_of(out, 1, level.size), None
    else:
        out = _conv.op_convolution(into(level.full(x), 1), into(level.full(w), 0), None, *rest, groups * level.size)
        out, bias = out_of(out, 1, level.size), None
    if b is not None and bias is None:
        wide = level.full(b)
        out = out + wide.reshape(level.size, 1, wide._a.shape[-1], *[1] * (x._a.ndim - 2))
    return level.wrap(out)


@rule("convolution_backward")
def convolution_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    g, x, w, bias_sizes, stride, padding, dilation, transposed, extra, groups, needs = args
    rest = (stride, padding, dilation, transposed, extra)
    many = groups * level.size
    by_input = by_weight = by_bias = None
    if needs[0]:
        if level.has(w):
            found = _conv.op_convolution_backward(into(level.full(g), 1), into(level.full(x), 1),
                                                  into(level.full(w), 0), None, *rest, many, (True, False, False))[0]
            by_input = level.wrap(out_of(found, 1, level.size))
        else:
            found = _conv.op_convolution_backward(into(level.full(g), 0), into(level.full(x), 0), w, None, *rest,
                                                  groups, (True, False, False))[0]
            by_input = level.wrap(out_of(found, 0, level.size))
    if needs[1]:
        found = _conv.op_convolution_backward(into(level.full(g), 1), into(level.full(x), 1), into(level.full(w), 0),
                                              None, *rest, many, (False, True, False))[1]
        by_weight = level.wrap(out_of(found, 0, level.size))
    if needs[2]:
        by_bias = level.wrap(level.full(g).sum((1, *range(3, g._a.ndim + 1))))
    return by_input, by_weight, by_bias
