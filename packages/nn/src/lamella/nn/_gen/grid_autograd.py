# Generated from packages/nn/src/lamella/nn/derivatives/grid.yaml (sha256 02951eb03ced85e1). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.autograd.graph import MULTI as _MULTI, SAVES as _SAVES, Node as _Node, counter as _counter
from lamella.autograd.inplace import check_inplace as _check_inplace, rebase_history as _rebase, original as _original
from lamella.autograd.saved import (
    FREED as _FREED,
    pack as _pack,
    packers as _packers,
    save_output as _save_output,
    unpack as _unpack,
    unpack_output as _unpack_output,
)
from lamella.autograd.fit import edge_of as _edge_of, fit as _fit, is_integral as _is_integral
from lamella.core.tensor import Tensor as _Tensor
from lamella.dispatch.keys import autograd_bits as _autograd_bits

from lamella.nn.formulas_grid import grid_grads


BIND = True


class GridSampler2DBackward0(_Node):
    __slots__ = ("input_", "input_v", "grid_", "grid_v", "interpolation_mode_", "padding_mode_", "align_corners_", )
    kind = _SAVES
    saved = ("input_", "grid_", )

    def apply(node, grad):
        edges = node.edges
        input = node.input_
        if input.__class__ is not _Tensor or (input._vc is not None and input._vc.n != node.input_v):
            input = _unpack(node, "input_")
        grid = node.grid_
        if grid.__class__ is not _Tensor or (grid._vc is not None and grid._vc.n != node.grid_v):
            grid = _unpack(node, "grid_")
        interpolation_mode = node.interpolation_mode_
        padding_mode = node.padding_mode_
        align_corners = node.align_corners_
        needs = (edges[0] is not None, edges[1] is not None, )
        g0, g1,  = grid_grads(grad, input, grid, interpolation_mode, padding_mode, align_corners, needs)
        return g0, g1

    def release(node):
        node.input_ = node.grid_ = _FREED


class GridSampler3DBackward0(_Node):
    __slots__ = ("input_", "input_v", "grid_", "grid_v", "interpolation_mode_", "padding_mode_", "align_corners_", )
    kind = _SAVES
    saved = ("input_", "grid_", )

    def apply(node, grad):
        edges = node.edges
        input = node.input_
        if input.__class__ is not _Tensor or (input._vc is not None and input._vc.n != node.input_v):
            input = _unpack(node, "input_")
        grid = node.grid_
        if grid.__class__ is not _Tensor or (grid._vc is not None and grid._vc.n != node.grid_v):
            grid = _unpack(node, "grid_")
        interpolation_mode = node.interpolation_mode_
        padding_mode = node.padding_mode_
        align_corners = node.align_corners_
        needs = (edges[0] is not None, edges[1] is not None, )
        g0, g1,  = grid_grads(grad, input, grid, interpolation_mode, padding_mode, align_corners, needs)
        return g0, g1

    def release(node):
        node.input_ = node.grid_ = _FREED


def bind_grid_sampler_2d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners):
        out = _lower(input, grid, interpolation_mode, padding_mode, align_corners)
        e0 = input._ag
        e1 = grid._ag
        node = GridSampler2DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.input_ = input if input._twin is None else input._twin
        node.input_v = 0 if input._vc is None else input._vc.n
        node.grid_ = grid if grid._twin is None else grid._twin
        node.grid_v = 0 if grid._vc is None else grid._vc.n
        node.interpolation_mode_ = interpolation_mode
        node.padding_mode_ = padding_mode
        node.align_corners_ = align_corners
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return grid_sampler_2d


def bind_grid_sampler_3d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners):
        out = _lower(input, grid, interpolation_mode, padding_mode, align_corners)
        e0 = input._ag
        e1 = grid._ag
        node = GridSampler3DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.input_ = input if input._twin is None else input._twin
        node.input_v = 0 if input._vc is None else input._vc.n
        node.grid_ = grid if grid._twin is None else grid._twin
        node.grid_v = 0 if grid._vc is None else grid._vc.n
        node.interpolation_mode_ = interpolation_mode
        node.padding_mode_ = padding_mode
        node.align_corners_ = align_corners
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return grid_sampler_3d
