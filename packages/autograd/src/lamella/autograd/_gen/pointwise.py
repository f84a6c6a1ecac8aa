# Generated from packages/autograd/src/lamella/autograd/derivatives/pointwise.yaml (sha256 10a4ebe51fb33c89). Do not edit:
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

from lamella.core.runtime import F32 as _F32, F64 as _F64, asarray as _asarray, ndarray as _ndarray
from lamella.core.runtime import new_tensor as _new_tensor, operand_error as _operand_error
import lamella.core._gen.pointwise_cpu as _cpu

from lamella.autograd.formulas import conj_of
from lamella.autograd.formulas_pointwise import above_limit, angle_backward, below_limit, between, larger, log_of, log_unless, logit_backward, mvlgamma_slope, pow_base, pow_exponent, sgn_backward, sign_ratio, sinc_slope, turn
from lamella.core.functions import cos, cosh, digamma, eq, exp, exp2, floor, isfinite, isnan, logical_or, neg, polygamma, rsqrt, sgn, sigmoid_backward, sin, sinh, special_i1, tanh_backward, threshold_backward, true_divide, trunc, where, zeros_like


BIND = True


class AddBackward0(_Node):
    __slots__ = ("alpha_", "self_s", "other_s", "self_d", "other_d", )

    def apply(node, grad):
        edges = node.edges
        alpha = node.alpha_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad if alpha == 1 else grad * conj_of(alpha)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1


class AddBackward0Plain(_Node):
    __slots__ = ("self_s", "other_s", )

    def apply(node, grad):
        edges = node.edges
        alpha = 1
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad
            if g0._a.shape != node.self_s:
                g0 = _fit(g0, node.self_s, g0._a.dtype)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad if alpha == 1 else grad * conj_of(alpha)
            if g1._a.shape != node.other_s:
                g1 = _fit(g1, node.other_s, g1._a.dtype)
        return g0, g1

AddBackward0Plain.__name__ = AddBackward0Plain.__qualname__ = "AddBackward0"


class SubBackward0(_Node):
    __slots__ = ("alpha_", "self_s", "other_s", "self_d", "other_d", )

    def apply(node, grad):
        edges = node.edges
        alpha = node.alpha_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(grad) if alpha == 1 else grad * -conj_of(alpha)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1


class SubBackward0Plain(_Node):
    __slots__ = ("self_s", "other_s", )

    def apply(node, grad):
        edges = node.edges
        alpha = 1
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad
            if g0._a.shape != node.self_s:
                g0 = _fit(g0, node.self_s, g0._a.dtype)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(grad) if alpha == 1 else grad * -conj_of(alpha)
            if g1._a.shape != node.other_s:
                g1 = _fit(g1, node.other_s, g1._a.dtype)
        return g0, g1

SubBackward0Plain.__name__ = SubBackward0Plain.__qualname__ = "SubBackward0"


class RsubBackward0(_Node):
    __slots__ = ("alpha_", "self_s", "other_s", "self_d", "other_d", )

    def apply(node, grad):
        edges = node.edges
        alpha = node.alpha_
        if edges[0] is None:
            g0 = None
        else:
            g0 = neg(grad) if alpha == 1 else grad * -conj_of(alpha)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1


class MulBackward0(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * conj_of(other)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * conj_of(self)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED


class MulBackward0Plain(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", "self_s", "other_s", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * conj_of(other)
            if g0._a.shape != node.self_s:
                g0 = _fit(g0, node.self_s, g0._a.dtype)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * conj_of(self)
            if g1._a.shape != node.other_s:
                g1 = _fit(g1, node.other_s, g1._a.dtype)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED

MulBackward0Plain.__name__ = MulBackward0Plain.__qualname__ = "MulBackward0"


class DivBackward0(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad / conj_of(other)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(grad * conj_of(self / other / other))
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED


class DivBackward0Plain(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", "self_s", "other_s", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad / conj_of(other)
            if g0._a.shape != node.self_s:
                g0 = _fit(g0, node.self_s, g0._a.dtype)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(grad * conj_of(self / other / other))
            if g1._a.shape != node.other_s:
                g1 = _fit(g1, node.other_s, g1._a.dtype)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED

DivBackward0Plain.__name__ = DivBackward0Plain.__qualname__ = "DivBackward0"


class DivBackward1(_Node):
    __slots__ = ("rounding_mode_", "other_", "other_v", "self_", "self_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        rounding_mode = node.rounding_mode_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad / other if rounding_mode is None else zeros_like(grad)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(grad * (self / other / other)) if rounding_mode is None else zeros_like(grad)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED


class RemainderBackward0(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(grad * floor(true_divide(self, other)))
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED


class FmodBackward0(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(grad * trunc(true_divide(self, other)))
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED


class PowBackward0(_Node):
    __slots__ = ("self_", "self_v", "exponent_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        exponent = node.exponent_
        g0 = pow_base(grad, self, exponent)
        return g0

    def release(node):
        node.self_ = _FREED


class PowBackward1(_Node):
    __slots__ = ("self_", "self_v", "exponent_", "exponent_v", "result_", "result_v", "self_s", "exponent_s", "self_d", "exponent_d", )
    kind = _SAVES
    saved = ("self_", "exponent_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        exponent = node.exponent_
        if exponent.__class__ is not _Tensor or (exponent._vc is not None and exponent._vc.n != node.exponent_v):
            exponent = _unpack(node, "exponent_")
        result = _unpack_output(node, "result_", 0)
        if edges[0] is None:
            g0 = None
        else:
            g0 = pow_base(grad, self, exponent)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = pow_exponent(grad, self, exponent, result)
            if g1._a.shape != node.exponent_s or g1._a.dtype is not node.exponent_d:
                g1 = _fit(g1, node.exponent_s, node.exponent_d)
        return g0, g1

    def release(node):
        node.self_ = node.exponent_ = node.result_ = _FREED


class PowBackward2(_Node):
    __slots__ = ("self_", "exponent_", "exponent_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("exponent_", "result_", )

    def apply(node, grad):
        edges = node.edges
        exponent = node.exponent_
        if exponent.__class__ is not _Tensor or (exponent._vc is not None and exponent._vc.n != node.exponent_v):
            exponent = _unpack(node, "exponent_")
        result = _unpack_output(node, "result_", 0)
        self = node.self_
        g0 = pow_exponent(grad, self, exponent, result)
        return g0

    def release(node):
        node.exponent_ = node.result_ = _FREED


class ConjPhysicalBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = conj_of(grad)
        return g0


class MaximumBackward0(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * larger(self, other)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * larger(other, self)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED


class MaximumBackward0Plain(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * larger(self, other)
            if g0._a.shape != node.self_s:
                g0 = _fit(g0, node.self_s, g0._a.dtype)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * larger(other, self)
            if g1._a.shape != node.other_s:
                g1 = _fit(g1, node.other_s, g1._a.dtype)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED

MaximumBackward0Plain.__name__ = MaximumBackward0Plain.__qualname__ = "MaximumBackward0"


class MinimumBackward0(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * larger(other, self)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * larger(self, other)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED


class MinimumBackward0Plain(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", "self_s", "other_s", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * larger(other, self)
            if g0._a.shape != node.self_s:
                g0 = _fit(g0, node.self_s, g0._a.dtype)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * larger(self, other)
            if g1._a.shape != node.other_s:
                g1 = _fit(g1, node.other_s, g1._a.dtype)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED

MinimumBackward0Plain.__name__ = MinimumBackward0Plain.__qualname__ = "MinimumBackward0"


class FmaxBackward0(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = where(logical_or(self >= other, isnan(other)), grad, 0)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = where(logical_or(self >= other, isnan(other)), 0, grad)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED


class FmaxBackward0Plain(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = where(logical_or(self >= other, isnan(other)), grad, 0)
            if g0._a.shape != node.self_s:
                g0 = _fit(g0, node.self_s, g0._a.dtype)
        if edges[1] is None:
            g1 = None
        else:
            g1 = where(logical_or(self >= other, isnan(other)), 0, grad)
            if g1._a.shape != node.other_s:
                g1 = _fit(g1, node.other_s, g1._a.dtype)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED

FmaxBackward0Plain.__name__ = FmaxBackward0Plain.__qualname__ = "FmaxBackward0"


class FminBackward0(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = where(logical_or(self <= other, isnan(other)), grad, 0)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = where(logical_or(self <= other, isnan(other)), 0, grad)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED


class FminBackward0Plain(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = where(logical_or(self <= other, isnan(other)), grad, 0)
            if g0._a.shape != node.self_s:
                g0 = _fit(g0, node.self_s, g0._a.dtype)
        if edges[1] is None:
            g1 = None
        else:
            g1 = where(logical_or(self <= other, isnan(other)), 0, grad)
            if g1._a.shape != node.other_s:
                g1 = _fit(g1, node.other_s, g1._a.dtype)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED

FminBackward0Plain.__name__ = FminBackward0Plain.__qualname__ = "FminBackward0"


class Atan2Backward0(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = turn(grad, other, self, other)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(turn(grad, self, self, other))
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED


class Atan2Backward0Plain(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", "self_s", "other_s", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = turn(grad, other, self, other)
            if g0._a.shape != node.self_s:
                g0 = _fit(g0, node.self_s, g0._a.dtype)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(turn(grad, self, self, other))
            if g1._a.shape != node.other_s:
                g1 = _fit(g1, node.other_s, g1._a.dtype)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED

Atan2Backward0Plain.__name__ = Atan2Backward0Plain.__qualname__ = "Atan2Backward0"


class HypotBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", "other_", "other_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "other_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        result = _unpack_output(node, "result_", 0)
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * (self / result)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * (other / result)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = node.result_ = _FREED


class CopysignBackward0(_Node):
    __slots__ = ("result_", "result_v", "self_", "self_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * sign_ratio(result, self)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = zeros_like(grad)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.result_ = _FREED


class CopysignBackward0Plain(_Node):
    __slots__ = ("result_", "result_v", "self_", "self_v", "self_s", "other_s", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * sign_ratio(result, self)
            if g0._a.shape != node.self_s:
                g0 = _fit(g0, node.self_s, g0._a.dtype)
        if edges[1] is None:
            g1 = None
        else:
            g1 = zeros_like(grad)
            if g1._a.shape != node.other_s:
                g1 = _fit(g1, node.other_s, g1._a.dtype)
        return g0, g1

    def release(node):
        node.self_ = node.result_ = _FREED

CopysignBackward0Plain.__name__ = CopysignBackward0Plain.__qualname__ = "CopysignBackward0"


class LogaddexpBackward0(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad / conj_of(exp(other - self) + 1)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad / conj_of(exp(self - other) + 1)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED


class Logaddexp2Backward0(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad / (exp2(other - self) + 1)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad / (exp2(self - other) + 1)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED


class XlogyBackward0(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * log_unless(self, log_of(other), other <= 0)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * self / other
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED


class LdexpBackward0(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * exp2(other)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * self * exp2(other) * 0.6931471805599453
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED


class NegBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = neg(grad)
        return g0


class PositiveBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = grad
        return g0


class AbsBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * sgn(self)
        return g0

    def release(node):
        node.self_ = _FREED


class SignBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class SgnBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        g0 = sgn_backward(grad, self, result)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class PowBackward0_square(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * (conj_of(self) * 2)
        return g0

    def release(node):
        node.self_ = _FREED

PowBackward0_square.__name__ = PowBackward0_square.__qualname__ = "PowBackward0"


class SqrtBackward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = grad / (conj_of(result) * 2)
        return g0

    def release(node):
        node.result_ = _FREED


class RsqrtBackward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = grad * conj_of(result * result * result) * -0.5
        return g0

    def release(node):
        node.result_ = _FREED


class ReciprocalBackward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = neg(grad * conj_of(result * result))
        return g0

    def release(node):
        node.result_ = _FREED


class ExpBackward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = grad * conj_of(result)
        return g0

    def release(node):
        node.result_ = _FREED


class Exp2Backward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = grad * conj_of(result) * 0.6931471805599453
        return g0

    def release(node):
        node.result_ = _FREED


class Expm1Backward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = grad * (conj_of(result) + 1)
        return g0

    def release(node):
        node.result_ = _FREED


class LogBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad / conj_of(self)
        return g0

    def release(node):
        node.self_ = _FREED


class Log2Backward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad / (conj_of(self) * 0.6931471805599453)
        return g0

    def release(node):
        node.self_ = _FREED


class Log10Backward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad / (conj_of(self) * 2.302585092994046)
        return g0

    def release(node):
        node.self_ = _FREED


class Log1PBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad / (conj_of(self) + 1)
        return g0

    def release(node):
        node.self_ = _FREED


class SinBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * conj_of(cos(self))
        return g0

    def release(node):
        node.self_ = _FREED


class CosBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = neg(grad * conj_of(sin(self)))
        return g0

    def release(node):
        node.self_ = _FREED


class TanBackward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = grad * conj_of(1 + result * result)
        return g0

    def release(node):
        node.result_ = _FREED


class SinhBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * conj_of(cosh(self))
        return g0

    def release(node):
        node.self_ = _FREED


class CoshBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * conj_of(sinh(self))
        return g0

    def release(node):
        node.self_ = _FREED


class TanhBackward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = tanh_backward(grad, result)
        return g0

    def release(node):
        node.result_ = _FREED


class AsinBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * conj_of(rsqrt(1 - self * self))
        return g0

    def release(node):
        node.self_ = _FREED


class AcosBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = neg(grad * conj_of(rsqrt(1 - self * self)))
        return g0

    def release(node):
        node.self_ = _FREED


class AtanBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad / conj_of(self * self + 1)
        return g0

    def release(node):
        node.self_ = _FREED


class AsinhBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * conj_of(rsqrt(self * self + 1))
        return g0

    def release(node):
        node.self_ = _FREED


class AcoshBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * conj_of(rsqrt(self - 1) * rsqrt(self + 1))
        return g0

    def release(node):
        node.self_ = _FREED


class AtanhBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad / conj_of(1 - self * self)
        return g0

    def release(node):
        node.self_ = _FREED


class ErfBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * exp(neg(self * self)) * 1.1283791670955126
        return g0

    def release(node):
        node.self_ = _FREED


class ErfcBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * exp(neg(self * self)) * -1.1283791670955126
        return g0

    def release(node):
        node.self_ = _FREED


class ErfinvBackward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = grad * exp(result * result) * 0.886226925452758
        return g0

    def release(node):
        node.result_ = _FREED


class LgammaBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * digamma(self)
        return g0

    def release(node):
        node.self_ = _FREED


class DigammaBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * polygamma(1, self)
        return g0

    def release(node):
        node.self_ = _FREED


class PolygammaBackward0(_Node):
    __slots__ = ("n_", "self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        n = node.n_
        g0 = grad * polygamma(n + 1, self)
        return g0

    def release(node):
        node.self_ = _FREED


class I0Backward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * special_i1(self)
        return g0

    def release(node):
        node.self_ = _FREED


class SincBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * conj_of(sinc_slope(self))
        return g0

    def release(node):
        node.self_ = _FREED


class SigmoidBackward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = sigmoid_backward(grad, result)
        return g0

    def release(node):
        node.result_ = _FREED


class ReluBackward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = threshold_backward(grad, result, 0)
        return g0

    def release(node):
        node.result_ = _FREED


class FloorBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class CeilBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class TruncBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class RoundBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class FracBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = grad
        return g0


class Deg2RadBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = grad * 0.017453292519943295
        return g0


class Rad2DegBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = grad * 57.29577951308232
        return g0


class LogitBackward0(_Node):
    __slots__ = ("self_", "self_v", "eps_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        eps = node.eps_
        g0 = logit_backward(grad, self, eps)
        return g0

    def release(node):
        node.self_ = _FREED


class NanToNumBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * isfinite(self)
        return g0

    def release(node):
        node.self_ = _FREED


class ClampBackward0(_Node):
    __slots__ = ("self_", "self_v", "min_", "max_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        min = node.min_
        max = node.max_
        g0 = where(between(self, min, max), grad, 0)
        return g0

    def release(node):
        node.self_ = _FREED


class ClampBackward1(_Node):
    __slots__ = ("self_", "self_v", "min_", "min_v", "max_", "max_v", "self_s", "min_s", "max_s", "self_d", "min_d", "max_d", )
    kind = _SAVES
    saved = ("self_", "min_", "max_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        min = node.min_
        if min.__class__ is not _Tensor or (min._vc is not None and min._vc.n != node.min_v):
            min = _unpack(node, "min_")
        max = node.max_
        if max.__class__ is not _Tensor or (max._vc is not None and max._vc.n != node.max_v):
            max = _unpack(node, "max_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = where(between(self, min, max), grad, 0)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = where(below_limit(self, min, max), grad, 0)
            if g1._a.shape != node.min_s or g1._a.dtype is not node.min_d:
                g1 = _fit(g1, node.min_s, node.min_d)
        if edges[2] is None:
            g2 = None
        else:
            g2 = where(above_limit(self, min, max), grad, 0)
            if g2._a.shape != node.max_s or g2._a.dtype is not node.max_d:
                g2 = _fit(g2, node.max_s, node.max_d)
        return g0, g1, g2

    def release(node):
        node.self_ = node.min_ = node.max_ = _FREED


class LerpBackward0(_Node):
    __slots__ = ("weight_", "self_s", "end_s", "self_d", "end_d", )

    def apply(node, grad):
        edges = node.edges
        weight = node.weight_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * (1 - conj_of(weight))
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * conj_of(weight)
            if g1._a.shape != node.end_s or g1._a.dtype is not node.end_d:
                g1 = _fit(g1, node.end_s, node.end_d)
        return g0, g1


class LerpBackward1(_Node):
    __slots__ = ("weight_", "weight_v", "end_", "end_v", "self_", "self_v", "self_s", "end_s", "weight_s", "self_d", "end_d", "weight_d", )
    kind = _SAVES
    saved = ("weight_", "end_", "self_", )

    def apply(node, grad):
        edges = node.edges
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        end = node.end_
        if end.__class__ is not _Tensor or (end._vc is not None and end._vc.n != node.end_v):
            end = _unpack(node, "end_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * conj_of(1 - weight)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * conj_of(weight)
            if g1._a.shape != node.end_s or g1._a.dtype is not node.end_d:
                g1 = _fit(g1, node.end_s, node.end_d)
        if edges[2] is None:
            g2 = None
        else:
            g2 = grad * conj_of(end - self)
            if g2._a.shape != node.weight_s or g2._a.dtype is not node.weight_d:
                g2 = _fit(g2, node.weight_s, node.weight_d)
        return g0, g1, g2

    def release(node):
        node.weight_ = node.end_ = node.self_ = _FREED


class AddcmulBackward0(_Node):
    __slots__ = ("tensor2_", "tensor2_v", "value_", "tensor1_", "tensor1_v", "self_s", "tensor1_s", "tensor2_s", "self_d", "tensor1_d", "tensor2_d", )
    kind = _SAVES
    saved = ("tensor2_", "tensor1_", )

    def apply(node, grad):
        edges = node.edges
        tensor2 = node.tensor2_
        if tensor2.__class__ is not _Tensor or (tensor2._vc is not None and tensor2._vc.n != node.tensor2_v):
            tensor2 = _unpack(node, "tensor2_")
        tensor1 = node.tensor1_
        if tensor1.__class__ is not _Tensor or (tensor1._vc is not None and tensor1._vc.n != node.tensor1_v):
            tensor1 = _unpack(node, "tensor1_")
        value = node.value_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * conj_of(tensor2 * value)
            if g1._a.shape != node.tensor1_s or g1._a.dtype is not node.tensor1_d:
                g1 = _fit(g1, node.tensor1_s, node.tensor1_d)
        if edges[2] is None:
            g2 = None
        else:
            g2 = grad * conj_of(tensor1 * value)
            if g2._a.shape != node.tensor2_s or g2._a.dtype is not node.tensor2_d:
                g2 = _fit(g2, node.tensor2_s, node.tensor2_d)
        return g0, g1, g2

    def release(node):
        node.tensor2_ = node.tensor1_ = _FREED


class AddcdivBackward0(_Node):
    __slots__ = ("value_", "tensor2_", "tensor2_v", "tensor1_", "tensor1_v", "self_s", "tensor1_s", "tensor2_s", "self_d", "tensor1_d", "tensor2_d", )
    kind = _SAVES
    saved = ("tensor2_", "tensor1_", )

    def apply(node, grad):
        edges = node.edges
        tensor2 = node.tensor2_
        if tensor2.__class__ is not _Tensor or (tensor2._vc is not None and tensor2._vc.n != node.tensor2_v):
            tensor2 = _unpack(node, "tensor2_")
        tensor1 = node.tensor1_
        if tensor1.__class__ is not _Tensor or (tensor1._vc is not None and tensor1._vc.n != node.tensor1_v):
            tensor1 = _unpack(node, "tensor1_")
        value = node.value_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * conj_of(value / tensor2)
            if g1._a.shape != node.tensor1_s or g1._a.dtype is not node.tensor1_d:
                g1 = _fit(g1, node.tensor1_s, node.tensor1_d)
        if edges[2] is None:
            g2 = None
        else:
            g2 = neg(grad * conj_of(value * tensor1 / (tensor2 * tensor2)))
            if g2._a.shape != node.tensor2_s or g2._a.dtype is not node.tensor2_d:
                g2 = _fit(g2, node.tensor2_s, node.tensor2_d)
        return g0, g1, g2

    def release(node):
        node.tensor2_ = node.tensor1_ = _FREED


class AngleBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = angle_backward(grad, self)
        return g0

    def release(node):
        node.self_ = _FREED


class MvlgammaBackward0(_Node):
    __slots__ = ("self_", "self_v", "p_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        p = node.p_
        g0 = grad * mvlgamma_slope(self, p)
        return g0

    def release(node):
        node.self_ = _FREED


class SigmoidBackwardBackward0(_Node):
    __slots__ = ("output_", "output_v", "grad_output_", "grad_output_v", "grad_output_s", "output_s", "grad_output_d", "output_d", )
    kind = _SAVES
    saved = ("output_", "grad_output_", )

    def apply(node, grad):
        edges = node.edges
        output = node.output_
        if output.__class__ is not _Tensor or (output._vc is not None and output._vc.n != node.output_v):
            output = _unpack(node, "output_")
        grad_output = node.grad_output_
        if grad_output.__class__ is not _Tensor or (grad_output._vc is not None and grad_output._vc.n != node.grad_output_v):
            grad_output = _unpack(node, "grad_output_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = sigmoid_backward(grad, conj_of(output))
            if g0._a.shape != node.grad_output_s or g0._a.dtype is not node.grad_output_d:
                g0 = _fit(g0, node.grad_output_s, node.grad_output_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = conj_of(grad) * grad_output * (1 - 2 * conj_of(output))
            if g1._a.shape != node.output_s or g1._a.dtype is not node.output_d:
                g1 = _fit(g1, node.output_s, node.output_d)
        return g0, g1

    def release(node):
        node.output_ = node.grad_output_ = _FREED


class TanhBackwardBackward0(_Node):
    __slots__ = ("output_", "output_v", "grad_output_", "grad_output_v", "grad_output_s", "output_s", "grad_output_d", "output_d", )
    kind = _SAVES
    saved = ("output_", "grad_output_", )

    def apply(node, grad):
        edges = node.edges
        output = node.output_
        if output.__class__ is not _Tensor or (output._vc is not None and output._vc.n != node.output_v):
            output = _unpack(node, "output_")
        grad_output = node.grad_output_
        if grad_output.__class__ is not _Tensor or (grad_output._vc is not None and grad_output._vc.n != node.grad_output_v):
            grad_output = _unpack(node, "grad_output_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = tanh_backward(grad, conj_of(output))
            if g0._a.shape != node.grad_output_s or g0._a.dtype is not node.grad_output_d:
                g0 = _fit(g0, node.grad_output_s, node.grad_output_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = conj_of(grad) * grad_output * (-2 * conj_of(output))
            if g1._a.shape != node.output_s or g1._a.dtype is not node.output_d:
                g1 = _fit(g1, node.output_s, node.output_d)
        return g0, g1

    def release(node):
        node.output_ = node.grad_output_ = _FREED


class ThresholdBackwardBackward0(_Node):
    __slots__ = ("self_", "self_v", "threshold_", "grad_output_s", "self_s", "grad_output_d", "self_d", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        threshold = node.threshold_
        if edges[0] is None:
            g0 = None
        else:
            g0 = threshold_backward(grad, self, threshold)
            if g0._a.shape != node.grad_output_s or g0._a.dtype is not node.grad_output_d:
                g0 = _fit(g0, node.grad_output_s, node.grad_output_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = zeros_like(grad)
            if g1._a.shape != node.self_s or g1._a.dtype is not node.self_d:
                g1 = _fit(g1, node.self_s, node.self_d)
        return g0, g1

    def release(node):
        node.self_ = _FREED


class FrexpBackward0(_Node):
    __slots__ = ("exponent_", "exponent_v", )
    kind = _SAVES
    saved = ("exponent_", )

    def apply(node, grad):
        edges = node.edges
        exponent = _unpack_output(node, "exponent_", 0)
        g0 = grad / exp2(exponent.to(grad.dtype))
        return g0

    def release(node):
        node.exponent_ = _FREED


class NextafterBackward0(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = where(eq(self, other), 0, grad)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = zeros_like(grad)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED


class NextafterBackward0Plain(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = where(eq(self, other), 0, grad)
            if g0._a.shape != node.self_s:
                g0 = _fit(g0, node.self_s, g0._a.dtype)
        if edges[1] is None:
            g1 = None
        else:
            g1 = zeros_like(grad)
            if g1._a.shape != node.other_s:
                g1 = _fit(g1, node.other_s, g1._a.dtype)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED

NextafterBackward0Plain.__name__ = NextafterBackward0Plain.__qualname__ = "NextafterBackward0"


def bind_add_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def add(self, other, alpha=1):
        out = _lower(self, other) if alpha == 1 else _lower(self, other, alpha=alpha)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = AddBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.alpha_ = alpha
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    if _lower is not _cpu.add_Tensor:
        return add

    def fused(self, other, alpha=1):
        # The plain case on the CPU: computed here, so that one pass over the operands serves both layers.
        try:
            a = self._a
            b = other._a
        except AttributeError:  # a number
            return add(self, other, alpha=alpha)
        t = a.dtype
        if t is not b.dtype or t is not _F32 and t is not _F64 and t.itemsize == 2 or not (alpha == 1):
            return add(self, other, alpha=alpha)
        try:
            r = ufunc(a, b)
        except (ValueError, TypeError) as e:
            raise _operand_error("add", e, self, other) from None
        if r.__class__ is not _ndarray:
            r = _asarray(r)
        node = AddBackward0Plain()
        node.seq = next(_counter)
        e0 = self._ag
        e1 = other._ag
        node.edges = (e0, e1)
        if e0 is not None:
            node.self_s = a.shape
        if e1 is not None:
            node.other_s = b.shape
        out = _new_tensor()
        out._a = r
        out._ks = both
        out._ag = node
        out._vc = None
        out._base = None
        if _packers:
            _pack(node)
        return out

    ufunc = _cpu._u_add_Tensor
    both = bits | 1
    return fused


def bind_add__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def add_(self, other, alpha=1):
        _check_inplace("add_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = AddBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.alpha_ = alpha
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other, alpha=alpha)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return add_


def bind_sub_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sub(self, other, alpha=1):
        out = _lower(self, other) if alpha == 1 else _lower(self, other, alpha=alpha)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = SubBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.alpha_ = alpha
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    if _lower is not _cpu.sub_Tensor:
        return sub

    def fused(self, other, alpha=1):
        # The plain case on the CPU: computed here, so that one pass over the operands serves both layers.
        try:
            a = self._a
            b = other._a
        except AttributeError:  # a number
            return sub(self, other, alpha=alpha)
        t = a.dtype
        if t is not b.dtype or t is not _F32 and t is not _F64 or not (alpha == 1):
            return sub(self, other, alpha=alpha)
        try:
            r = ufunc(a, b)
        except (ValueError, TypeError) as e:
            raise _operand_error("sub", e, self, other) from None
        if r.__class__ is not _ndarray:
            r = _asarray(r)
        node = SubBackward0Plain()
        node.seq = next(_counter)
        e0 = self._ag
        e1 = other._ag
        node.edges = (e0, e1)
        if e0 is not None:
            node.self_s = a.shape
        if e1 is not None:
            node.other_s = b.shape
        out = _new_tensor()
        out._a = r
        out._ks = both
        out._ag = node
        out._vc = None
        out._base = None
        if _packers:
            _pack(node)
        return out

    ufunc = _cpu._u_sub_Tensor
    both = bits | 1
    return fused


def bind_sub__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sub_(self, other, alpha=1):
        _check_inplace("sub_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = SubBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.alpha_ = alpha
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other, alpha=alpha)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return sub_


def bind_rsub_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def rsub(self, other, alpha=1):
        out = _lower(self, other) if alpha == 1 else _lower(self, other, alpha=alpha)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = RsubBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.alpha_ = alpha
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return rsub


def bind_mul_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mul(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = MulBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e0 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e1 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    if _lower is not _cpu.mul_Tensor:
        return mul

    def fused(self, other):
        # The plain case on the CPU: computed here, so that one pass over the operands serves both layers.
        try:
            a = self._a
            b = other._a
        except AttributeError:  # a number
            return mul(self, other)
        t = a.dtype
        if t is not b.dtype or t is not _F32 and t is not _F64 and t.itemsize == 2:
            return mul(self, other)
        try:
            r = ufunc(a, b)
        except (ValueError, TypeError) as e:
            raise _operand_error("mul", e, self, other) from None
        if r.__class__ is not _ndarray:
            r = _asarray(r)
        node = MulBackward0Plain()
        node.seq = next(_counter)
        e0 = self._ag
        e1 = other._ag
        node.edges = (e0, e1)
        if e0 is not None:
            twin = other._twin
            node.other_ = other if twin is None else twin
            vc = other._vc
            node.other_v = 0 if vc is None else vc.n
        else:
            node.other_ = None
        if e1 is not None:
            twin = self._twin
            node.self_ = self if twin is None else twin
            vc = self._vc
            node.self_v = 0 if vc is None else vc.n
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = a.shape
        if e1 is not None:
            node.other_s = b.shape
        out = _new_tensor()
        out._a = r
        out._ks = both
        out._ag = node
        out._vc = None
        out._base = None
        if _packers:
            _pack(node)
        return out

    ufunc = _cpu._u_mul_Tensor
    both = bits | 1
    return fused


def bind_mul__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mul_(self, other):
        _check_inplace("mul_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = MulBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self) if e1 is not None else None
        if e0 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e1 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return mul_


def bind_div_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def div(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = DivBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if e1 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    if _lower is not _cpu.div_Tensor:
        return div

    def fused(self, other):
        # The plain case on the CPU: computed here, so that one pass over the operands serves both layers.
        try:
            a = self._a
            b = other._a
        except AttributeError:  # a number
            return div(self, other)
        t = a.dtype
        if t is not b.dtype or t is not _F32 and t is not _F64:
            return div(self, other)
        try:
            r = ufunc(a, b)
        except (ValueError, TypeError) as e:
            raise _operand_error("div", e, self, other) from None
        if r.__class__ is not _ndarray:
            r = _asarray(r)
        node = DivBackward0Plain()
        node.seq = next(_counter)
        e0 = self._ag
        e1 = other._ag
        node.edges = (e0, e1)
        twin = other._twin
        node.other_ = other if twin is None else twin
        vc = other._vc
        node.other_v = 0 if vc is None else vc.n
        if e1 is not None:
            twin = self._twin
            node.self_ = self if twin is None else twin
            vc = self._vc
            node.self_v = 0 if vc is None else vc.n
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = a.shape
        if e1 is not None:
            node.other_s = b.shape
        out = _new_tensor()
        out._a = r
        out._ks = both
        out._ag = node
        out._vc = None
        out._base = None
        if _packers:
            _pack(node)
        return out

    ufunc = _cpu._u_div_Tensor
    both = bits | 1
    return fused


def bind_div__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def div_(self, other):
        _check_inplace("div_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = DivBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self) if e1 is not None else None
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if e1 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return div_


def bind_div_Tensor_mode(op, ks, _lower):
    bits = _autograd_bits(ks)

    def div(self, other, rounding_mode):
        out = _lower(self, other, rounding_mode=rounding_mode)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = DivBackward1()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if e1 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        node.rounding_mode_ = rounding_mode
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return div


def bind_div__Tensor_mode(op, ks, _lower):
    bits = _autograd_bits(ks)

    def div_(self, other, rounding_mode):
        _check_inplace("div_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = DivBackward1()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self) if e1 is not None else None
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if e1 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        node.rounding_mode_ = rounding_mode
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other, rounding_mode=rounding_mode)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return div_


def bind_remainder_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def remainder(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = RemainderBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e1 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e1 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return remainder


def bind_remainder__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def remainder_(self, other):
        _check_inplace("remainder_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = RemainderBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self) if e1 is not None else None
        if e1 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        if e1 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return remainder_


def bind_fmod_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def fmod(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = FmodBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e1 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e1 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return fmod


def bind_fmod__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def fmod_(self, other):
        _check_inplace("fmod_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = FmodBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self) if e1 is not None else None
        if e1 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        if e1 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return fmod_


def bind_pow_Tensor_Scalar(op, ks, _lower):
    bits = _autograd_bits(ks)

    def pow(self, exponent):
        out = _lower(self, exponent)
        e0 = self._ag
        node = PowBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.exponent_ = exponent
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return pow


def bind_pow__Tensor_Scalar(op, ks, _lower):
    bits = _autograd_bits(ks)

    def pow_(self, exponent):
        _check_inplace("pow_", self)
        e0 = self._ag
        node = PowBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        node.self_ = original if original._twin is None else original._twin
        node.self_v = 0 if original._vc is None else original._vc.n
        node.exponent_ = exponent
        _lower(self, exponent)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return pow_


def bind_pow_Tensor_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def pow(self, exponent):
        out = _lower(self, exponent)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = exponent._ag if exponent.__class__ is _Tensor else _edge_of(exponent)
        node = PowBackward1()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if isinstance(exponent, _Tensor):
            node.exponent_ = exponent if exponent._twin is None else exponent._twin
            node.exponent_v = 0 if exponent._vc is None else exponent._vc.n
        else:
            node.exponent_ = exponent
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.exponent_s = exponent._a.shape
            node.exponent_d = exponent._a.dtype
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return pow


def bind_pow__Tensor_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def pow_(self, exponent):
        _check_inplace("pow_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = exponent._ag if exponent.__class__ is _Tensor else _edge_of(exponent)
        node = PowBackward1()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        if isinstance(exponent, _Tensor):
            node.exponent_ = exponent if exponent._twin is None else exponent._twin
            node.exponent_v = 0 if exponent._vc is None else exponent._vc.n
        else:
            node.exponent_ = exponent
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.exponent_s = exponent._a.shape
            node.exponent_d = exponent._a.dtype
        _lower(self, exponent)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return pow_


def bind_pow_Scalar(op, ks, _lower):
    bits = _autograd_bits(ks)

    def pow(self, exponent):
        out = _lower(self, exponent)
        e0 = exponent._ag
        node = PowBackward2()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.exponent_ = exponent if exponent._twin is None else exponent._twin
        node.exponent_v = 0 if exponent._vc is None else exponent._vc.n
        node.self_ = self
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return pow


def bind_conj_physical(op, ks, _lower):
    bits = _autograd_bits(ks)

    def conj_physical(self):
        out = _lower(self)
        e0 = self._ag
        node = ConjPhysicalBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return conj_physical


def bind_conj_physical_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def conj_physical_(self):
        _check_inplace("conj_physical_", self)
        e0 = self._ag
        node = ConjPhysicalBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return conj_physical_


def bind_maximum(op, ks, _lower):
    bits = _autograd_bits(ks)

    def maximum(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = MaximumBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    if _lower is not _cpu.maximum:
        return maximum

    def fused(self, other):
        # The plain case on the CPU: computed here, so that one pass over the operands serves both layers.
        try:
            a = self._a
            b = other._a
        except AttributeError:  # a number
            return maximum(self, other)
        t = a.dtype
        if t is not b.dtype or t is not _F32 and t is not _F64:
            return maximum(self, other)
        try:
            r = ufunc(a, b)
        except (ValueError, TypeError) as e:
            raise _operand_error("maximum", e, self, other) from None
        if r.__class__ is not _ndarray:
            r = _asarray(r)
        node = MaximumBackward0Plain()
        node.seq = next(_counter)
        e0 = self._ag
        e1 = other._ag
        node.edges = (e0, e1)
        twin = self._twin
        node.self_ = self if twin is None else twin
        vc = self._vc
        node.self_v = 0 if vc is None else vc.n
        twin = other._twin
        node.other_ = other if twin is None else twin
        vc = other._vc
        node.other_v = 0 if vc is None else vc.n
        if e0 is not None:
            node.self_s = a.shape
        if e1 is not None:
            node.other_s = b.shape
        out = _new_tensor()
        out._a = r
        out._ks = both
        out._ag = node
        out._vc = None
        out._base = None
        if _packers:
            _pack(node)
        return out

    ufunc = _cpu._u_maximum
    both = bits | 1
    return fused


def bind_minimum(op, ks, _lower):
    bits = _autograd_bits(ks)

    def minimum(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = MinimumBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    if _lower is not _cpu.minimum:
        return minimum

    def fused(self, other):
        # The plain case on the CPU: computed here, so that one pass over the operands serves both layers.
        try:
            a = self._a
            b = other._a
        except AttributeError:  # a number
            return minimum(self, other)
        t = a.dtype
        if t is not b.dtype or t is not _F32 and t is not _F64:
            return minimum(self, other)
        try:
            r = ufunc(a, b)
        except (ValueError, TypeError) as e:
            raise _operand_error("minimum", e, self, other) from None
        if r.__class__ is not _ndarray:
            r = _asarray(r)
        node = MinimumBackward0Plain()
        node.seq = next(_counter)
        e0 = self._ag
        e1 = other._ag
        node.edges = (e0, e1)
        twin = other._twin
        node.other_ = other if twin is None else twin
        vc = other._vc
        node.other_v = 0 if vc is None else vc.n
        twin = self._twin
        node.self_ = self if twin is None else twin
        vc = self._vc
        node.self_v = 0 if vc is None else vc.n
        if e0 is not None:
            node.self_s = a.shape
        if e1 is not None:
            node.other_s = b.shape
        out = _new_tensor()
        out._a = r
        out._ks = both
        out._ag = node
        out._vc = None
        out._base = None
        if _packers:
            _pack(node)
        return out

    ufunc = _cpu._u_minimum
    both = bits | 1
    return fused


def bind_fmax(op, ks, _lower):
    bits = _autograd_bits(ks)

    def fmax(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = FmaxBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    if _lower is not _cpu.fmax:
        return fmax

    def fused(self, other):
        # The plain case on the CPU: computed here, so that one pass over the operands serves both layers.
        try:
            a = self._a
            b = other._a
        except AttributeError:  # a number
            return fmax(self, other)
        t = a.dtype
        if t is not b.dtype or t is not _F32 and t is not _F64:
            return fmax(self, other)
        try:
            r = ufunc(a, b)
        except (ValueError, TypeError) as e:
            raise _operand_error("fmax", e, self, other) from None
        if r.__class__ is not _ndarray:
            r = _asarray(r)
        node = FmaxBackward0Plain()
        node.seq = next(_counter)
        e0 = self._ag
        e1 = other._ag
        node.edges = (e0, e1)
        twin = self._twin
        node.self_ = self if twin is None else twin
        vc = self._vc
        node.self_v = 0 if vc is None else vc.n
        twin = other._twin
        node.other_ = other if twin is None else twin
        vc = other._vc
        node.other_v = 0 if vc is None else vc.n
        if e0 is not None:
            node.self_s = a.shape
        if e1 is not None:
            node.other_s = b.shape
        out = _new_tensor()
        out._a = r
        out._ks = both
        out._ag = node
        out._vc = None
        out._base = None
        if _packers:
            _pack(node)
        return out

    ufunc = _cpu._u_fmax
    both = bits | 1
    return fused


def bind_fmin(op, ks, _lower):
    bits = _autograd_bits(ks)

    def fmin(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = FminBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    if _lower is not _cpu.fmin:
        return fmin

    def fused(self, other):
        # The plain case on the CPU: computed here, so that one pass over the operands serves both layers.
        try:
            a = self._a
            b = other._a
        except AttributeError:  # a number
            return fmin(self, other)
        t = a.dtype
        if t is not b.dtype or t is not _F32 and t is not _F64:
            return fmin(self, other)
        try:
            r = ufunc(a, b)
        except (ValueError, TypeError) as e:
            raise _operand_error("fmin", e, self, other) from None
        if r.__class__ is not _ndarray:
            r = _asarray(r)
        node = FminBackward0Plain()
        node.seq = next(_counter)
        e0 = self._ag
        e1 = other._ag
        node.edges = (e0, e1)
        twin = self._twin
        node.self_ = self if twin is None else twin
        vc = self._vc
        node.self_v = 0 if vc is None else vc.n
        twin = other._twin
        node.other_ = other if twin is None else twin
        vc = other._vc
        node.other_v = 0 if vc is None else vc.n
        if e0 is not None:
            node.self_s = a.shape
        if e1 is not None:
            node.other_s = b.shape
        out = _new_tensor()
        out._a = r
        out._ks = both
        out._ag = node
        out._vc = None
        out._base = None
        if _packers:
            _pack(node)
        return out

    ufunc = _cpu._u_fmin
    both = bits | 1
    return fused


def bind_atan2(op, ks, _lower):
    bits = _autograd_bits(ks)

    def atan2(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = Atan2Backward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    if _lower is not _cpu.atan2:
        return atan2

    def fused(self, other):
        # The plain case on the CPU: computed here, so that one pass over the operands serves both layers.
        try:
            a = self._a
            b = other._a
        except AttributeError:  # a number
            return atan2(self, other)
        t = a.dtype
        if t is not b.dtype or t is not _F32 and t is not _F64:
            return atan2(self, other)
        try:
            r = ufunc(a, b)
        except (ValueError, TypeError) as e:
            raise _operand_error("atan2", e, self, other) from None
        if r.__class__ is not _ndarray:
            r = _asarray(r)
        node = Atan2Backward0Plain()
        node.seq = next(_counter)
        e0 = self._ag
        e1 = other._ag
        node.edges = (e0, e1)
        twin = other._twin
        node.other_ = other if twin is None else twin
        vc = other._vc
        node.other_v = 0 if vc is None else vc.n
        twin = self._twin
        node.self_ = self if twin is None else twin
        vc = self._vc
        node.self_v = 0 if vc is None else vc.n
        if e0 is not None:
            node.self_s = a.shape
        if e1 is not None:
            node.other_s = b.shape
        out = _new_tensor()
        out._a = r
        out._ks = both
        out._ag = node
        out._vc = None
        out._base = None
        if _packers:
            _pack(node)
        return out

    ufunc = _cpu._u_atan2
    both = bits | 1
    return fused


def bind_atan2_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def atan2_(self, other):
        _check_inplace("atan2_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = Atan2Backward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self)
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return atan2_


def bind_hypot(op, ks, _lower):
    bits = _autograd_bits(ks)

    def hypot(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = HypotBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e0 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e1 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return hypot


def bind_hypot_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def hypot_(self, other):
        _check_inplace("hypot_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = HypotBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self) if e0 is not None else None
        if e0 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        if e1 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return hypot_


def bind_copysign_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def copysign(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = CopysignBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e0 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    if _lower is not _cpu.copysign_Tensor:
        return copysign

    def fused(self, other):
        # The plain case on the CPU: computed here, so that one pass over the operands serves both layers.
        try:
            a = self._a
            b = other._a
        except AttributeError:  # a number
            return copysign(self, other)
        t = a.dtype
        if t is not b.dtype or t is not _F32 and t is not _F64:
            return copysign(self, other)
        try:
            r = ufunc(a, b)
        except (ValueError, TypeError) as e:
            raise _operand_error("copysign", e, self, other) from None
        if r.__class__ is not _ndarray:
            r = _asarray(r)
        node = CopysignBackward0Plain()
        node.seq = next(_counter)
        e0 = self._ag
        e1 = other._ag
        node.edges = (e0, e1)
        if e0 is not None:
            twin = self._twin
            node.self_ = self if twin is None else twin
            vc = self._vc
            node.self_v = 0 if vc is None else vc.n
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = a.shape
        if e1 is not None:
            node.other_s = b.shape
        out = _new_tensor()
        out._a = r
        out._ks = both
        out._ag = node
        out._vc = None
        out._base = None
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    ufunc = _cpu._u_copysign_Tensor
    both = bits | 1
    return fused


def bind_copysign__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def copysign_(self, other):
        _check_inplace("copysign_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = CopysignBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self) if e0 is not None else None
        if e0 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return copysign_


def bind_logaddexp(op, ks, _lower):
    bits = _autograd_bits(ks)

    def logaddexp(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = LogaddexpBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return logaddexp


def bind_logaddexp2(op, ks, _lower):
    bits = _autograd_bits(ks)

    def logaddexp2(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = Logaddexp2Backward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return logaddexp2


def bind_xlogy_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def xlogy(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = XlogyBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return xlogy


def bind_xlogy__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def xlogy_(self, other):
        _check_inplace("xlogy_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = XlogyBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return xlogy_


def bind_ldexp_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def ldexp(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = LdexpBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if e1 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return ldexp


def bind_ldexp__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def ldexp_(self, other):
        _check_inplace("ldexp_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = LdexpBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self) if e1 is not None else None
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if e1 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return ldexp_


def bind_neg(op, ks, _lower):
    bits = _autograd_bits(ks)

    def neg(self):
        out = _lower(self)
        e0 = self._ag
        node = NegBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return neg


def bind_neg_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def neg_(self):
        _check_inplace("neg_", self)
        e0 = self._ag
        node = NegBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return neg_


def bind_positive(op, ks, _lower):
    bits = _autograd_bits(ks)

    def positive(self):
        out = _lower(self)
        e0 = self._ag
        node = PositiveBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return positive


def bind_positive_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def positive_(self):
        _check_inplace("positive_", self)
        e0 = self._ag
        node = PositiveBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return positive_


def bind_abs(op, ks, _lower):
    bits = _autograd_bits(ks)

    def abs(self):
        out = _lower(self)
        e0 = self._ag
        node = AbsBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return abs


def bind_abs_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def abs_(self):
        _check_inplace("abs_", self)
        e0 = self._ag
        node = AbsBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return abs_


def bind_sign(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sign(self):
        out = _lower(self)
        e0 = self._ag
        node = SignBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return sign


def bind_sign_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sign_(self):
        _check_inplace("sign_", self)
        e0 = self._ag
        node = SignBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return sign_


def bind_sgn(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sgn(self):
        out = _lower(self)
        e0 = self._ag
        node = SgnBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return sgn


def bind_sgn_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sgn_(self):
        _check_inplace("sgn_", self)
        e0 = self._ag
        node = SgnBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return sgn_


def bind_square(op, ks, _lower):
    bits = _autograd_bits(ks)

    def square(self):
        out = _lower(self)
        e0 = self._ag
        node = PowBackward0_square()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return square


def bind_square_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def square_(self):
        _check_inplace("square_", self)
        e0 = self._ag
        node = PowBackward0_square()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return square_


def bind_sqrt(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sqrt(self):
        out = _lower(self)
        e0 = self._ag
        node = SqrtBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return sqrt


def bind_sqrt_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sqrt_(self):
        _check_inplace("sqrt_", self)
        e0 = self._ag
        node = SqrtBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return sqrt_


def bind_rsqrt(op, ks, _lower):
    bits = _autograd_bits(ks)

    def rsqrt(self):
        out = _lower(self)
        e0 = self._ag
        node = RsqrtBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return rsqrt


def bind_rsqrt_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def rsqrt_(self):
        _check_inplace("rsqrt_", self)
        e0 = self._ag
        node = RsqrtBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return rsqrt_


def bind_reciprocal(op, ks, _lower):
    bits = _autograd_bits(ks)

    def reciprocal(self):
        out = _lower(self)
        e0 = self._ag
        node = ReciprocalBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return reciprocal


def bind_reciprocal_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def reciprocal_(self):
        _check_inplace("reciprocal_", self)
        e0 = self._ag
        node = ReciprocalBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return reciprocal_


def bind_exp(op, ks, _lower):
    bits = _autograd_bits(ks)

    def exp(self):
        out = _lower(self)
        e0 = self._ag
        node = ExpBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return exp


def bind_exp_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def exp_(self):
        _check_inplace("exp_", self)
        e0 = self._ag
        node = ExpBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return exp_


def bind_exp2(op, ks, _lower):
    bits = _autograd_bits(ks)

    def exp2(self):
        out = _lower(self)
        e0 = self._ag
        node = Exp2Backward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return exp2


def bind_exp2_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def exp2_(self):
        _check_inplace("exp2_", self)
        e0 = self._ag
        node = Exp2Backward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return exp2_


def bind_expm1(op, ks, _lower):
    bits = _autograd_bits(ks)

    def expm1(self):
        out = _lower(self)
        e0 = self._ag
        node = Expm1Backward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return expm1


def bind_expm1_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def expm1_(self):
        _check_inplace("expm1_", self)
        e0 = self._ag
        node = Expm1Backward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return expm1_


def bind_log(op, ks, _lower):
    bits = _autograd_bits(ks)

    def log(self):
        out = _lower(self)
        e0 = self._ag
        node = LogBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return log


def bind_log_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def log_(self):
        _check_inplace("log_", self)
        e0 = self._ag
        node = LogBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return log_


def bind_log2(op, ks, _lower):
    bits = _autograd_bits(ks)

    def log2(self):
        out = _lower(self)
        e0 = self._ag
        node = Log2Backward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return log2


def bind_log2_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def log2_(self):
        _check_inplace("log2_", self)
        e0 = self._ag
        node = Log2Backward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return log2_


def bind_log10(op, ks, _lower):
    bits = _autograd_bits(ks)

    def log10(self):
        out = _lower(self)
        e0 = self._ag
        node = Log10Backward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return log10


def bind_log10_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def log10_(self):
        _check_inplace("log10_", self)
        e0 = self._ag
        node = Log10Backward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return log10_


def bind_log1p(op, ks, _lower):
    bits = _autograd_bits(ks)

    def log1p(self):
        out = _lower(self)
        e0 = self._ag
        node = Log1PBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return log1p


def bind_log1p_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def log1p_(self):
        _check_inplace("log1p_", self)
        e0 = self._ag
        node = Log1PBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return log1p_


def bind_sin(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sin(self):
        out = _lower(self)
        e0 = self._ag
        node = SinBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return sin


def bind_sin_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sin_(self):
        _check_inplace("sin_", self)
        e0 = self._ag
        node = SinBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return sin_


def bind_cos(op, ks, _lower):
    bits = _autograd_bits(ks)

    def cos(self):
        out = _lower(self)
        e0 = self._ag
        node = CosBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return cos


def bind_cos_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def cos_(self):
        _check_inplace("cos_", self)
        e0 = self._ag
        node = CosBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return cos_


def bind_tan(op, ks, _lower):
    bits = _autograd_bits(ks)

    def tan(self):
        out = _lower(self)
        e0 = self._ag
        node = TanBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return tan


def bind_tan_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def tan_(self):
        _check_inplace("tan_", self)
        e0 = self._ag
        node = TanBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return tan_


def bind_sinh(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sinh(self):
        out = _lower(self)
        e0 = self._ag
        node = SinhBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return sinh


def bind_sinh_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sinh_(self):
        _check_inplace("sinh_", self)
        e0 = self._ag
        node = SinhBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return sinh_


def bind_cosh(op, ks, _lower):
    bits = _autograd_bits(ks)

    def cosh(self):
        out = _lower(self)
        e0 = self._ag
        node = CoshBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return cosh


def bind_cosh_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def cosh_(self):
        _check_inplace("cosh_", self)
        e0 = self._ag
        node = CoshBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return cosh_


def bind_tanh(op, ks, _lower):
    bits = _autograd_bits(ks)

    def tanh(self):
        out = _lower(self)
        e0 = self._ag
        node = TanhBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return tanh


def bind_tanh_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def tanh_(self):
        _check_inplace("tanh_", self)
        e0 = self._ag
        node = TanhBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return tanh_


def bind_asin(op, ks, _lower):
    bits = _autograd_bits(ks)

    def asin(self):
        out = _lower(self)
        e0 = self._ag
        node = AsinBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return asin


def bind_asin_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def asin_(self):
        _check_inplace("asin_", self)
        e0 = self._ag
        node = AsinBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return asin_


def bind_acos(op, ks, _lower):
    bits = _autograd_bits(ks)

    def acos(self):
        out = _lower(self)
        e0 = self._ag
        node = AcosBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return acos


def bind_acos_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def acos_(self):
        _check_inplace("acos_", self)
        e0 = self._ag
        node = AcosBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return acos_


def bind_atan(op, ks, _lower):
    bits = _autograd_bits(ks)

    def atan(self):
        out = _lower(self)
        e0 = self._ag
        node = AtanBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return atan


def bind_atan_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def atan_(self):
        _check_inplace("atan_", self)
        e0 = self._ag
        node = AtanBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return atan_


def bind_asinh(op, ks, _lower):
    bits = _autograd_bits(ks)

    def asinh(self):
        out = _lower(self)
        e0 = self._ag
        node = AsinhBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return asinh


def bind_asinh_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def asinh_(self):
        _check_inplace("asinh_", self)
        e0 = self._ag
        node = AsinhBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return asinh_


def bind_acosh(op, ks, _lower):
    bits = _autograd_bits(ks)

    def acosh(self):
        out = _lower(self)
        e0 = self._ag
        node = AcoshBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return acosh


def bind_acosh_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def acosh_(self):
        _check_inplace("acosh_", self)
        e0 = self._ag
        node = AcoshBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return acosh_


def bind_atanh(op, ks, _lower):
    bits = _autograd_bits(ks)

    def atanh(self):
        out = _lower(self)
        e0 = self._ag
        node = AtanhBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return atanh


def bind_atanh_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def atanh_(self):
        _check_inplace("atanh_", self)
        e0 = self._ag
        node = AtanhBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return atanh_


def bind_erf(op, ks, _lower):
    bits = _autograd_bits(ks)

    def erf(self):
        out = _lower(self)
        e0 = self._ag
        node = ErfBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return erf


def bind_erf_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def erf_(self):
        _check_inplace("erf_", self)
        e0 = self._ag
        node = ErfBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return erf_


def bind_erfc(op, ks, _lower):
    bits = _autograd_bits(ks)

    def erfc(self):
        out = _lower(self)
        e0 = self._ag
        node = ErfcBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return erfc


def bind_erfc_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def erfc_(self):
        _check_inplace("erfc_", self)
        e0 = self._ag
        node = ErfcBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return erfc_


def bind_erfinv(op, ks, _lower):
    bits = _autograd_bits(ks)

    def erfinv(self):
        out = _lower(self)
        e0 = self._ag
        node = ErfinvBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return erfinv


def bind_erfinv_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def erfinv_(self):
        _check_inplace("erfinv_", self)
        e0 = self._ag
        node = ErfinvBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return erfinv_


def bind_lgamma(op, ks, _lower):
    bits = _autograd_bits(ks)

    def lgamma(self):
        out = _lower(self)
        e0 = self._ag
        node = LgammaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return lgamma


def bind_lgamma_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def lgamma_(self):
        _check_inplace("lgamma_", self)
        e0 = self._ag
        node = LgammaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return lgamma_


def bind_digamma(op, ks, _lower):
    bits = _autograd_bits(ks)

    def digamma(self):
        out = _lower(self)
        e0 = self._ag
        node = DigammaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return digamma


def bind_digamma_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def digamma_(self):
        _check_inplace("digamma_", self)
        e0 = self._ag
        node = DigammaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return digamma_


def bind_polygamma(op, ks, _lower):
    bits = _autograd_bits(ks)

    def polygamma(n, self):
        out = _lower(n, self)
        e0 = self._ag
        node = PolygammaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.n_ = n
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return polygamma


def bind_i0(op, ks, _lower):
    bits = _autograd_bits(ks)

    def i0(self):
        out = _lower(self)
        e0 = self._ag
        node = I0Backward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return i0


def bind_i0_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def i0_(self):
        _check_inplace("i0_", self)
        e0 = self._ag
        node = I0Backward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return i0_


def bind_sinc(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sinc(self):
        out = _lower(self)
        e0 = self._ag
        node = SincBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return sinc


def bind_sinc_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sinc_(self):
        _check_inplace("sinc_", self)
        e0 = self._ag
        node = SincBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return sinc_


def bind_sigmoid(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sigmoid(self):
        out = _lower(self)
        e0 = self._ag
        node = SigmoidBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return sigmoid


def bind_sigmoid_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sigmoid_(self):
        _check_inplace("sigmoid_", self)
        e0 = self._ag
        node = SigmoidBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return sigmoid_


def bind_relu(op, ks, _lower):
    bits = _autograd_bits(ks)

    def relu(self):
        out = _lower(self)
        e0 = self._ag
        node = ReluBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return relu


def bind_relu_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def relu_(self):
        _check_inplace("relu_", self)
        e0 = self._ag
        node = ReluBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return relu_


def bind_floor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def floor(self):
        out = _lower(self)
        e0 = self._ag
        node = FloorBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return floor


def bind_floor_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def floor_(self):
        _check_inplace("floor_", self)
        e0 = self._ag
        node = FloorBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return floor_


def bind_ceil(op, ks, _lower):
    bits = _autograd_bits(ks)

    def ceil(self):
        out = _lower(self)
        e0 = self._ag
        node = CeilBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return ceil


def bind_ceil_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def ceil_(self):
        _check_inplace("ceil_", self)
        e0 = self._ag
        node = CeilBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return ceil_


def bind_trunc(op, ks, _lower):
    bits = _autograd_bits(ks)

    def trunc(self):
        out = _lower(self)
        e0 = self._ag
        node = TruncBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return trunc


def bind_trunc_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def trunc_(self):
        _check_inplace("trunc_", self)
        e0 = self._ag
        node = TruncBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return trunc_


def bind_round_decimals(op, ks, _lower):
    bits = _autograd_bits(ks)

    def round(self, decimals=0):
        out = _lower(self) if decimals == 0 else _lower(self, decimals=decimals)
        e0 = self._ag
        node = RoundBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return round


def bind_round__decimals(op, ks, _lower):
    bits = _autograd_bits(ks)

    def round_(self, decimals=0):
        _check_inplace("round_", self)
        e0 = self._ag
        node = RoundBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self, decimals=decimals)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return round_


def bind_frac(op, ks, _lower):
    bits = _autograd_bits(ks)

    def frac(self):
        out = _lower(self)
        e0 = self._ag
        node = FracBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return frac


def bind_frac_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def frac_(self):
        _check_inplace("frac_", self)
        e0 = self._ag
        node = FracBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return frac_


def bind_deg2rad(op, ks, _lower):
    bits = _autograd_bits(ks)

    def deg2rad(self):
        out = _lower(self)
        e0 = self._ag
        node = Deg2RadBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return deg2rad


def bind_deg2rad_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def deg2rad_(self):
        _check_inplace("deg2rad_", self)
        e0 = self._ag
        node = Deg2RadBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return deg2rad_


def bind_rad2deg(op, ks, _lower):
    bits = _autograd_bits(ks)

    def rad2deg(self):
        out = _lower(self)
        e0 = self._ag
        node = Rad2DegBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return rad2deg


def bind_rad2deg_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def rad2deg_(self):
        _check_inplace("rad2deg_", self)
        e0 = self._ag
        node = Rad2DegBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return rad2deg_


def bind_logit(op, ks, _lower):
    bits = _autograd_bits(ks)

    def logit(self, eps=None):
        out = _lower(self, eps)
        e0 = self._ag
        node = LogitBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.eps_ = eps
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return logit


def bind_logit_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def logit_(self, eps=None):
        _check_inplace("logit_", self)
        e0 = self._ag
        node = LogitBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        node.eps_ = eps
        _lower(self, eps)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return logit_


def bind_nan_to_num(op, ks, _lower):
    bits = _autograd_bits(ks)

    def nan_to_num(self, nan=None, posinf=None, neginf=None):
        out = _lower(self, nan, posinf, neginf)
        e0 = self._ag
        node = NanToNumBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return nan_to_num


def bind_nan_to_num_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def nan_to_num_(self, nan=None, posinf=None, neginf=None):
        _check_inplace("nan_to_num_", self)
        e0 = self._ag
        node = NanToNumBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self, nan, posinf, neginf)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return nan_to_num_


def bind_clamp(op, ks, _lower):
    bits = _autograd_bits(ks)

    def clamp(self, min=None, max=None):
        out = _lower(self, min, max)
        e0 = self._ag
        node = ClampBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.min_ = min
        node.max_ = max
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return clamp


def bind_clamp_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def clamp_(self, min=None, max=None):
        _check_inplace("clamp_", self)
        e0 = self._ag
        node = ClampBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        node.min_ = min
        node.max_ = max
        _lower(self, min, max)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return clamp_


def bind_clamp_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def clamp(self, min=None, max=None):
        out = _lower(self, min, max)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = None if min is None else min._ag
        e2 = None if max is None else max._ag
        node = ClampBackward1()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if isinstance(min, _Tensor):
            node.min_ = min if min._twin is None else min._twin
            node.min_v = 0 if min._vc is None else min._vc.n
        else:
            node.min_ = min
        if isinstance(max, _Tensor):
            node.max_ = max if max._twin is None else max._twin
            node.max_v = 0 if max._vc is None else max._vc.n
        else:
            node.max_ = max
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.min_s = min._a.shape
            node.min_d = min._a.dtype
        if e2 is not None:
            node.max_s = max._a.shape
            node.max_d = max._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return clamp


def bind_clamp__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def clamp_(self, min=None, max=None):
        _check_inplace("clamp_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = None if min is None else min._ag
        e2 = None if max is None else max._ag
        node = ClampBackward1()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        if isinstance(min, _Tensor):
            node.min_ = min if min._twin is None else min._twin
            node.min_v = 0 if min._vc is None else min._vc.n
        else:
            node.min_ = min
        if isinstance(max, _Tensor):
            node.max_ = max if max._twin is None else max._twin
            node.max_v = 0 if max._vc is None else max._vc.n
        else:
            node.max_ = max
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.min_s = min._a.shape
            node.min_d = min._a.dtype
        if e2 is not None:
            node.max_s = max._a.shape
            node.max_d = max._a.dtype
        _lower(self, min, max)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return clamp_


def bind_lerp_Scalar(op, ks, _lower):
    bits = _autograd_bits(ks)

    def lerp(self, end, weight):
        out = _lower(self, end, weight)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = end._ag if end.__class__ is _Tensor else _edge_of(end)
        node = LerpBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.weight_ = weight
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.end_s = end._a.shape
            node.end_d = end._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return lerp


def bind_lerp__Scalar(op, ks, _lower):
    bits = _autograd_bits(ks)

    def lerp_(self, end, weight):
        _check_inplace("lerp_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = end._ag if end.__class__ is _Tensor else _edge_of(end)
        node = LerpBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.weight_ = weight
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.end_s = end._a.shape
            node.end_d = end._a.dtype
        _lower(self, end, weight)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return lerp_


def bind_lerp_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def lerp(self, end, weight):
        out = _lower(self, end, weight)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = end._ag if end.__class__ is _Tensor else _edge_of(end)
        e2 = weight._ag if weight.__class__ is _Tensor else _edge_of(weight)
        node = LerpBackward1()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e0 is not None or e1 is not None:
            if isinstance(weight, _Tensor):
                node.weight_ = weight if weight._twin is None else weight._twin
                node.weight_v = 0 if weight._vc is None else weight._vc.n
            else:
                node.weight_ = weight
        else:
            node.weight_ = None
        if e2 is not None:
            if isinstance(end, _Tensor):
                node.end_ = end if end._twin is None else end._twin
                node.end_v = 0 if end._vc is None else end._vc.n
            else:
                node.end_ = end
        else:
            node.end_ = None
        if e2 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.end_s = end._a.shape
            node.end_d = end._a.dtype
        if e2 is not None:
            node.weight_s = weight._a.shape
            node.weight_d = weight._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return lerp


def bind_lerp__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def lerp_(self, end, weight):
        _check_inplace("lerp_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = end._ag if end.__class__ is _Tensor else _edge_of(end)
        e2 = weight._ag if weight.__class__ is _Tensor else _edge_of(weight)
        node = LerpBackward1()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        original = _original(self) if e2 is not None else None
        if e0 is not None or e1 is not None:
            if isinstance(weight, _Tensor):
                node.weight_ = weight if weight._twin is None else weight._twin
                node.weight_v = 0 if weight._vc is None else weight._vc.n
            else:
                node.weight_ = weight
        else:
            node.weight_ = None
        if e2 is not None:
            if isinstance(end, _Tensor):
                node.end_ = end if end._twin is None else end._twin
                node.end_v = 0 if end._vc is None else end._vc.n
            else:
                node.end_ = end
        else:
            node.end_ = None
        if e2 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.end_s = end._a.shape
            node.end_d = end._a.dtype
        if e2 is not None:
            node.weight_s = weight._a.shape
            node.weight_d = weight._a.dtype
        _lower(self, end, weight)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return lerp_


def bind_addcmul(op, ks, _lower):
    bits = _autograd_bits(ks)

    def addcmul(self, tensor1, tensor2, value=1):
        out = _lower(self, tensor1, tensor2) if value == 1 else _lower(self, tensor1, tensor2, value=value)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = tensor1._ag if tensor1.__class__ is _Tensor else _edge_of(tensor1)
        e2 = tensor2._ag if tensor2.__class__ is _Tensor else _edge_of(tensor2)
        node = AddcmulBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None:
            if isinstance(tensor2, _Tensor):
                node.tensor2_ = tensor2 if tensor2._twin is None else tensor2._twin
                node.tensor2_v = 0 if tensor2._vc is None else tensor2._vc.n
            else:
                node.tensor2_ = tensor2
        else:
            node.tensor2_ = None
        if e2 is not None:
            if isinstance(tensor1, _Tensor):
                node.tensor1_ = tensor1 if tensor1._twin is None else tensor1._twin
                node.tensor1_v = 0 if tensor1._vc is None else tensor1._vc.n
            else:
                node.tensor1_ = tensor1
        else:
            node.tensor1_ = None
        node.value_ = value
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.tensor1_s = tensor1._a.shape
            node.tensor1_d = tensor1._a.dtype
        if e2 is not None:
            node.tensor2_s = tensor2._a.shape
            node.tensor2_d = tensor2._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return addcmul


def bind_addcmul_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def addcmul_(self, tensor1, tensor2, value=1):
        _check_inplace("addcmul_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = tensor1._ag if tensor1.__class__ is _Tensor else _edge_of(tensor1)
        e2 = tensor2._ag if tensor2.__class__ is _Tensor else _edge_of(tensor2)
        node = AddcmulBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None:
            if isinstance(tensor2, _Tensor):
                node.tensor2_ = tensor2 if tensor2._twin is None else tensor2._twin
                node.tensor2_v = 0 if tensor2._vc is None else tensor2._vc.n
            else:
                node.tensor2_ = tensor2
        else:
            node.tensor2_ = None
        if e2 is not None:
            if isinstance(tensor1, _Tensor):
                node.tensor1_ = tensor1 if tensor1._twin is None else tensor1._twin
                node.tensor1_v = 0 if tensor1._vc is None else tensor1._vc.n
            else:
                node.tensor1_ = tensor1
        else:
            node.tensor1_ = None
        node.value_ = value
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.tensor1_s = tensor1._a.shape
            node.tensor1_d = tensor1._a.dtype
        if e2 is not None:
            node.tensor2_s = tensor2._a.shape
            node.tensor2_d = tensor2._a.dtype
        _lower(self, tensor1, tensor2, value=value)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return addcmul_


def bind_addcdiv(op, ks, _lower):
    bits = _autograd_bits(ks)

    def addcdiv(self, tensor1, tensor2, value=1):
        out = _lower(self, tensor1, tensor2) if value == 1 else _lower(self, tensor1, tensor2, value=value)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = tensor1._ag if tensor1.__class__ is _Tensor else _edge_of(tensor1)
        e2 = tensor2._ag if tensor2.__class__ is _Tensor else _edge_of(tensor2)
        node = AddcdivBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None or e2 is not None:
            if isinstance(tensor2, _Tensor):
                node.tensor2_ = tensor2 if tensor2._twin is None else tensor2._twin
                node.tensor2_v = 0 if tensor2._vc is None else tensor2._vc.n
            else:
                node.tensor2_ = tensor2
        else:
            node.tensor2_ = None
        if e2 is not None:
            if isinstance(tensor1, _Tensor):
                node.tensor1_ = tensor1 if tensor1._twin is None else tensor1._twin
                node.tensor1_v = 0 if tensor1._vc is None else tensor1._vc.n
            else:
                node.tensor1_ = tensor1
        else:
            node.tensor1_ = None
        node.value_ = value
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.tensor1_s = tensor1._a.shape
            node.tensor1_d = tensor1._a.dtype
        if e2 is not None:
            node.tensor2_s = tensor2._a.shape
            node.tensor2_d = tensor2._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return addcdiv


def bind_addcdiv_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def addcdiv_(self, tensor1, tensor2, value=1):
        _check_inplace("addcdiv_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = tensor1._ag if tensor1.__class__ is _Tensor else _edge_of(tensor1)
        e2 = tensor2._ag if tensor2.__class__ is _Tensor else _edge_of(tensor2)
        node = AddcdivBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None or e2 is not None:
            if isinstance(tensor2, _Tensor):
                node.tensor2_ = tensor2 if tensor2._twin is None else tensor2._twin
                node.tensor2_v = 0 if tensor2._vc is None else tensor2._vc.n
            else:
                node.tensor2_ = tensor2
        else:
            node.tensor2_ = None
        if e2 is not None:
            if isinstance(tensor1, _Tensor):
                node.tensor1_ = tensor1 if tensor1._twin is None else tensor1._twin
                node.tensor1_v = 0 if tensor1._vc is None else tensor1._vc.n
            else:
                node.tensor1_ = tensor1
        else:
            node.tensor1_ = None
        node.value_ = value
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.tensor1_s = tensor1._a.shape
            node.tensor1_d = tensor1._a.dtype
        if e2 is not None:
            node.tensor2_s = tensor2._a.shape
            node.tensor2_d = tensor2._a.dtype
        _lower(self, tensor1, tensor2, value=value)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return addcdiv_


def bind_angle(op, ks, _lower):
    bits = _autograd_bits(ks)

    def angle(self):
        out = _lower(self)
        e0 = self._ag
        node = AngleBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return angle


def bind_mvlgamma(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mvlgamma(self, p):
        out = _lower(self, p)
        e0 = self._ag
        node = MvlgammaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.p_ = p
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return mvlgamma


def bind_mvlgamma_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mvlgamma_(self, p):
        _check_inplace("mvlgamma_", self)
        e0 = self._ag
        node = MvlgammaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        node.p_ = p
        _lower(self, p)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return mvlgamma_


def bind_sigmoid_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sigmoid_backward(grad_output, output):
        out = _lower(grad_output, output)
        e0 = grad_output._ag if grad_output.__class__ is _Tensor else _edge_of(grad_output)
        e1 = output._ag if output.__class__ is _Tensor else _edge_of(output)
        node = SigmoidBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(output, _Tensor):
            node.output_ = output if output._twin is None else output._twin
            node.output_v = 0 if output._vc is None else output._vc.n
        else:
            node.output_ = output
        if e1 is not None:
            if isinstance(grad_output, _Tensor):
                node.grad_output_ = grad_output if grad_output._twin is None else grad_output._twin
                node.grad_output_v = 0 if grad_output._vc is None else grad_output._vc.n
            else:
                node.grad_output_ = grad_output
        else:
            node.grad_output_ = None
        if e0 is not None:
            node.grad_output_s = grad_output._a.shape
            node.grad_output_d = grad_output._a.dtype
        if e1 is not None:
            node.output_s = output._a.shape
            node.output_d = output._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return sigmoid_backward


def bind_tanh_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def tanh_backward(grad_output, output):
        out = _lower(grad_output, output)
        e0 = grad_output._ag if grad_output.__class__ is _Tensor else _edge_of(grad_output)
        e1 = output._ag if output.__class__ is _Tensor else _edge_of(output)
        node = TanhBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(output, _Tensor):
            node.output_ = output if output._twin is None else output._twin
            node.output_v = 0 if output._vc is None else output._vc.n
        else:
            node.output_ = output
        if e1 is not None:
            if isinstance(grad_output, _Tensor):
                node.grad_output_ = grad_output if grad_output._twin is None else grad_output._twin
                node.grad_output_v = 0 if grad_output._vc is None else grad_output._vc.n
            else:
                node.grad_output_ = grad_output
        else:
            node.grad_output_ = None
        if e0 is not None:
            node.grad_output_s = grad_output._a.shape
            node.grad_output_d = grad_output._a.dtype
        if e1 is not None:
            node.output_s = output._a.shape
            node.output_d = output._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return tanh_backward


def bind_threshold_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def threshold_backward(grad_output, self, threshold):
        out = _lower(grad_output, self, threshold)
        e0 = grad_output._ag if grad_output.__class__ is _Tensor else _edge_of(grad_output)
        e1 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        node = ThresholdBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e0 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        node.threshold_ = threshold
        if e0 is not None:
            node.grad_output_s = grad_output._a.shape
            node.grad_output_d = grad_output._a.dtype
        if e1 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return threshold_backward


def bind_frexp_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def frexp(self):
        out = _lower(self)
        e0 = self._ag
        node = FrexpBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "exponent_", out[1])
        if _packers:
            _pack(node)
        return out

    return frexp


def bind_nextafter(op, ks, _lower):
    bits = _autograd_bits(ks)

    def nextafter(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = NextafterBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e0 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e0 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    if _lower is not _cpu.nextafter:
        return nextafter

    def fused(self, other):
        # The plain case on the CPU: computed here, so that one pass over the operands serves both layers.
        try:
            a = self._a
            b = other._a
        except AttributeError:  # a number
            return nextafter(self, other)
        t = a.dtype
        if t is not b.dtype or t is not _F32 and t is not _F64:
            return nextafter(self, other)
        try:
            r = ufunc(a, b)
        except (ValueError, TypeError) as e:
            raise _operand_error("nextafter", e, self, other) from None
        if r.__class__ is not _ndarray:
            r = _asarray(r)
        node = NextafterBackward0Plain()
        node.seq = next(_counter)
        e0 = self._ag
        e1 = other._ag
        node.edges = (e0, e1)
        if e0 is not None:
            twin = self._twin
            node.self_ = self if twin is None else twin
            vc = self._vc
            node.self_v = 0 if vc is None else vc.n
        else:
            node.self_ = None
        if e0 is not None:
            twin = other._twin
            node.other_ = other if twin is None else twin
            vc = other._vc
            node.other_v = 0 if vc is None else vc.n
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = a.shape
        if e1 is not None:
            node.other_s = b.shape
        out = _new_tensor()
        out._a = r
        out._ks = both
        out._ag = node
        out._vc = None
        out._base = None
        if _packers:
            _pack(node)
        return out

    ufunc = _cpu._u_nextafter
    both = bits | 1
    return fused


def bind_nextafter_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def nextafter_(self, other):
        _check_inplace("nextafter_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = NextafterBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self) if e0 is not None else None
        if e0 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        if e0 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return nextafter_
