# Generated from packages/nn/src/lamella/nn/derivatives/conv.yaml (sha256 2df492d4d548455a). Do not edit:
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

from lamella.nn._gen.conv import op_col2im, op_convolution_backward, op_im2col
from lamella.nn.formulas_conv import convolution_twice


BIND = True


class ConvolutionBackward0(_Node):
    __slots__ = ("input_", "input_v", "weight_", "weight_v", "bias_shape_", "stride_", "padding_", "dilation_", "transposed_", "output_padding_", "groups_", )
    kind = _SAVES
    saved = ("input_", "weight_", )

    def apply(node, grad):
        edges = node.edges
        input = node.input_
        if input.__class__ is not _Tensor or (input._vc is not None and input._vc.n != node.input_v):
            input = _unpack(node, "input_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        bias_shape = node.bias_shape_
        stride = node.stride_
        padding = node.padding_
        dilation = node.dilation_
        transposed = node.transposed_
        output_padding = node.output_padding_
        groups = node.groups_
        needs = (edges[0] is not None, edges[1] is not None, edges[2] is not None, )
        g0, g1, g2,  = op_convolution_backward(grad, input, weight, bias_shape, stride, padding, dilation, transposed, output_padding, groups, needs)
        return g0, g1, g2

    def release(node):
        node.input_ = node.weight_ = _FREED


class ConvolutionBackwardBackward0(_Node):
    __slots__ = ("grad_output_", "grad_output_v", "input_", "input_v", "weight_", "weight_v", "stride_", "padding_", "dilation_", "transposed_", "output_padding_", "groups_", )
    kind = _SAVES | _MULTI
    num_outputs = 3
    saved = ("grad_output_", "input_", "weight_", )

    def apply(node, *grads):
        edges = node.edges
        grad_output = node.grad_output_
        if grad_output.__class__ is not _Tensor or (grad_output._vc is not None and grad_output._vc.n != node.grad_output_v):
            grad_output = _unpack(node, "grad_output_")
        input = node.input_
        if input.__class__ is not _Tensor or (input._vc is not None and input._vc.n != node.input_v):
            input = _unpack(node, "input_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        stride = node.stride_
        padding = node.padding_
        dilation = node.dilation_
        transposed = node.transposed_
        output_padding = node.output_padding_
        groups = node.groups_
        needs = (edges[0] is not None, edges[1] is not None, edges[2] is not None, )
        g0, g1, g2,  = convolution_twice(grads, grad_output, input, weight, stride, padding, dilation, transposed, output_padding, groups, needs)
        return g0, g1, g2

    def release(node):
        node.grad_output_ = node.input_ = node.weight_ = _FREED


class Im2ColBackward0(_Node):
    __slots__ = ("self_shape_", "kernel_size_", "dilation_", "padding_", "stride_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        kernel_size = node.kernel_size_
        dilation = node.dilation_
        padding = node.padding_
        stride = node.stride_
        g0 = op_col2im(grad, self_shape[-2:], kernel_size, dilation, padding, stride)
        return g0


class Col2ImBackward0(_Node):
    __slots__ = ("kernel_size_", "dilation_", "padding_", "stride_", )

    def apply(node, grad):
        edges = node.edges
        kernel_size = node.kernel_size_
        dilation = node.dilation_
        padding = node.padding_
        stride = node.stride_
        g0 = op_im2col(grad, kernel_size, dilation, padding, stride)
        return g0


def bind_convolution(op, ks, _lower):
    bits = _autograd_bits(ks)

    def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
        out = _lower(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
        e0 = input._ag
        e1 = weight._ag
        e2 = None if bias is None else bias._ag
        node = ConvolutionBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        node.input_ = input if input._twin is None else input._twin
        node.input_v = 0 if input._vc is None else input._vc.n
        node.weight_ = weight if weight._twin is None else weight._twin
        node.weight_v = 0 if weight._vc is None else weight._vc.n
        node.bias_shape_ = bias.shape if isinstance(bias, _Tensor) else None
        node.stride_ = stride
        node.padding_ = padding
        node.dilation_ = dilation
        node.transposed_ = transposed
        node.output_padding_ = output_padding
        node.groups_ = groups
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return convolution


def bind_convolution_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def convolution_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask):
        out = _lower(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask)
        e0 = grad_output._ag
        e1 = input._ag
        e2 = weight._ag
        node = ConvolutionBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        node.grad_output_ = grad_output if grad_output._twin is None else grad_output._twin
        node.grad_output_v = 0 if grad_output._vc is None else grad_output._vc.n
        node.input_ = input if input._twin is None else input._twin
        node.input_v = 0 if input._vc is None else input._vc.n
        node.weight_ = weight if weight._twin is None else weight._twin
        node.weight_v = 0 if weight._vc is None else weight._vc.n
        node.stride_ = stride
        node.padding_ = padding
        node.dilation_ = dilation
        node.transposed_ = transposed
        node.output_padding_ = output_padding
        node.groups_ = groups
        x = out[0]
        if x is not None and not _is_integral(x):
            x._ag = (node, 0)
            x._ks |= bits
        x = out[1]
        if x is not None and not _is_integral(x):
            x._ag = (node, 1)
            x._ks |= bits
        x = out[2]
        if x is not None and not _is_integral(x):
            x._ag = (node, 2)
            x._ks |= bits
        if _packers:
            _pack(node)
        return out

    return convolution_backward


def bind_im2col(op, ks, _lower):
    bits = _autograd_bits(ks)

    def im2col(self, kernel_size, dilation, padding, stride):
        out = _lower(self, kernel_size, dilation, padding, stride)
        e0 = self._ag
        node = Im2ColBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.kernel_size_ = kernel_size
        node.dilation_ = dilation
        node.padding_ = padding
        node.stride_ = stride
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return im2col


def bind_col2im(op, ks, _lower):
    bits = _autograd_bits(ks)

    def col2im(self, output_size, kernel_size, dilation, padding, stride):
        out = _lower(self, output_size, kernel_size, dilation, padding, stride)
        e0 = self._ag
        node = Col2ImBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.kernel_size_ = kernel_size
        node.dilation_ = dilation
        node.padding_ = padding
        node.stride_ = stride
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return col2im
