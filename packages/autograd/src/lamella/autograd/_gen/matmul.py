# Generated from packages/autograd/src/lamella/autograd/derivatives/matmul.yaml (sha256 7482cd94f6a0f9c8). Do not edit:
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

from lamella.autograd.formulas import conj_of
from lamella.autograd.formulas_matmul import matmul_left, matmul_right, scale, sum_to
from lamella.core.functions import bmm, matmul, mm, mv, outer


BIND = True


class MmBackward0(_Node):
    __slots__ = ("mat2_", "mat2_v", "self_", "self_v", )
    kind = _SAVES
    saved = ("mat2_", "self_", )

    def apply(node, grad):
        edges = node.edges
        mat2 = node.mat2_
        if mat2.__class__ is not _Tensor or (mat2._vc is not None and mat2._vc.n != node.mat2_v):
            mat2 = _unpack(node, "mat2_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = mm(grad, conj_of(mat2).t())
        if edges[1] is None:
            g1 = None
        else:
            g1 = mm(conj_of(self).t(), grad)
        return g0, g1

    def release(node):
        node.mat2_ = node.self_ = _FREED


class BmmBackward0(_Node):
    __slots__ = ("mat2_", "mat2_v", "self_", "self_v", )
    kind = _SAVES
    saved = ("mat2_", "self_", )

    def apply(node, grad):
        edges = node.edges
        mat2 = node.mat2_
        if mat2.__class__ is not _Tensor or (mat2._vc is not None and mat2._vc.n != node.mat2_v):
            mat2 = _unpack(node, "mat2_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = bmm(grad, conj_of(mat2).transpose(1, 2))
        if edges[1] is None:
            g1 = None
        else:
            g1 = bmm(conj_of(self).transpose(1, 2), grad)
        return g0, g1

    def release(node):
        node.mat2_ = node.self_ = _FREED


class MvBackward0(_Node):
    __slots__ = ("vec_", "vec_v", "self_", "self_v", )
    kind = _SAVES
    saved = ("vec_", "self_", )

    def apply(node, grad):
        edges = node.edges
        vec = node.vec_
        if vec.__class__ is not _Tensor or (vec._vc is not None and vec._vc.n != node.vec_v):
            vec = _unpack(node, "vec_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = outer(grad, conj_of(vec))
        if edges[1] is None:
            g1 = None
        else:
            g1 = mv(conj_of(self).t(), grad)
        return g0, g1

    def release(node):
        node.vec_ = node.self_ = _FREED


class DotBackward0(_Node):
    __slots__ = ("tensor_", "tensor_v", "self_", "self_v", )
    kind = _SAVES
    saved = ("tensor_", "self_", )

    def apply(node, grad):
        edges = node.edges
        tensor = node.tensor_
        if tensor.__class__ is not _Tensor or (tensor._vc is not None and tensor._vc.n != node.tensor_v):
            tensor = _unpack(node, "tensor_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * conj_of(tensor)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * conj_of(self)
        return g0, g1

    def release(node):
        node.tensor_ = node.self_ = _FREED


class VdotBackward0(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", )
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
            g0 = conj_of(grad) * other
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * self
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED


class MatmulBackward0(_Node):
    __slots__ = ("self_shape_", "other_", "other_v", "self_", "self_v", "other_shape_", )
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
        self_shape = node.self_shape_
        other_shape = node.other_shape_
        if edges[0] is None:
            g0 = None
        else:
            g0 = matmul_left(grad, self_shape, other)
        if edges[1] is None:
            g1 = None
        else:
            g1 = matmul_right(grad, self, other_shape)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED


class AddmmBackward0(_Node):
    __slots__ = ("beta_", "self_shape_", "mat2_", "mat2_v", "alpha_", "mat1_", "mat1_v", )
    kind = _SAVES
    saved = ("mat2_", "mat1_", )

    def apply(node, grad):
        edges = node.edges
        mat2 = node.mat2_
        if mat2.__class__ is not _Tensor or (mat2._vc is not None and mat2._vc.n != node.mat2_v):
            mat2 = _unpack(node, "mat2_")
        mat1 = node.mat1_
        if mat1.__class__ is not _Tensor or (mat1._vc is not None and mat1._vc.n != node.mat1_v):
            mat1 = _unpack(node, "mat1_")
        beta = node.beta_
        self_shape = node.self_shape_
        alpha = node.alpha_
        if edges[0] is None:
            g0 = None
        else:
            g0 = sum_to(scale(grad, beta), self_shape)
        if edges[1] is None:
            g1 = None
        else:
            g1 = scale(mm(grad, conj_of(mat2).t()), alpha)
        if edges[2] is None:
            g2 = None
        else:
            g2 = scale(mm(conj_of(mat1).t(), grad), alpha)
        return g0, g1, g2

    def release(node):
        node.mat2_ = node.mat1_ = _FREED


class AddmvBackward0(_Node):
    __slots__ = ("beta_", "self_shape_", "vec_", "vec_v", "alpha_", "mat_", "mat_v", )
    kind = _SAVES
    saved = ("vec_", "mat_", )

    def apply(node, grad):
        edges = node.edges
        vec = node.vec_
        if vec.__class__ is not _Tensor or (vec._vc is not None and vec._vc.n != node.vec_v):
            vec = _unpack(node, "vec_")
        mat = node.mat_
        if mat.__class__ is not _Tensor or (mat._vc is not None and mat._vc.n != node.mat_v):
            mat = _unpack(node, "mat_")
        beta = node.beta_
        self_shape = node.self_shape_
        alpha = node.alpha_
        if edges[0] is None:
            g0 = None
        else:
            g0 = sum_to(scale(grad, beta), self_shape)
        if edges[1] is None:
            g1 = None
        else:
            g1 = scale(outer(grad, conj_of(vec)), alpha)
        if edges[2] is None:
            g2 = None
        else:
            g2 = scale(mv(conj_of(mat).t(), grad), alpha)
        return g0, g1, g2

    def release(node):
        node.vec_ = node.mat_ = _FREED


class AddrBackward0(_Node):
    __slots__ = ("beta_", "self_shape_", "vec2_", "vec2_v", "alpha_", "vec1_", "vec1_v", )
    kind = _SAVES
    saved = ("vec2_", "vec1_", )

    def apply(node, grad):
        edges = node.edges
        vec2 = node.vec2_
        if vec2.__class__ is not _Tensor or (vec2._vc is not None and vec2._vc.n != node.vec2_v):
            vec2 = _unpack(node, "vec2_")
        vec1 = node.vec1_
        if vec1.__class__ is not _Tensor or (vec1._vc is not None and vec1._vc.n != node.vec1_v):
            vec1 = _unpack(node, "vec1_")
        beta = node.beta_
        self_shape = node.self_shape_
        alpha = node.alpha_
        if edges[0] is None:
            g0 = None
        else:
            g0 = sum_to(scale(grad, beta), self_shape)
        if edges[1] is None:
            g1 = None
        else:
            g1 = scale(mv(grad, conj_of(vec2)), alpha)
        if edges[2] is None:
            g2 = None
        else:
            g2 = scale(mv(grad.t(), conj_of(vec1)), alpha)
        return g0, g1, g2

    def release(node):
        node.vec2_ = node.vec1_ = _FREED


class BaddbmmBackward0(_Node):
    __slots__ = ("beta_", "self_shape_", "batch2_", "batch2_v", "alpha_", "batch1_", "batch1_v", )
    kind = _SAVES
    saved = ("batch2_", "batch1_", )

    def apply(node, grad):
        edges = node.edges
        batch2 = node.batch2_
        if batch2.__class__ is not _Tensor or (batch2._vc is not None and batch2._vc.n != node.batch2_v):
            batch2 = _unpack(node, "batch2_")
        batch1 = node.batch1_
        if batch1.__class__ is not _Tensor or (batch1._vc is not None and batch1._vc.n != node.batch1_v):
            batch1 = _unpack(node, "batch1_")
        beta = node.beta_
        self_shape = node.self_shape_
        alpha = node.alpha_
        if edges[0] is None:
            g0 = None
        else:
            g0 = sum_to(scale(grad, beta), self_shape)
        if edges[1] is None:
            g1 = None
        else:
            g1 = scale(bmm(grad, conj_of(batch2).transpose(1, 2)), alpha)
        if edges[2] is None:
            g2 = None
        else:
            g2 = scale(bmm(conj_of(batch1).transpose(1, 2), grad), alpha)
        return g0, g1, g2

    def release(node):
        node.batch2_ = node.batch1_ = _FREED


class AddbmmBackward0(_Node):
    __slots__ = ("beta_", "self_shape_", "batch2_", "batch2_v", "alpha_", "batch1_", "batch1_v", )
    kind = _SAVES
    saved = ("batch2_", "batch1_", )

    def apply(node, grad):
        edges = node.edges
        batch2 = node.batch2_
        if batch2.__class__ is not _Tensor or (batch2._vc is not None and batch2._vc.n != node.batch2_v):
            batch2 = _unpack(node, "batch2_")
        batch1 = node.batch1_
        if batch1.__class__ is not _Tensor or (batch1._vc is not None and batch1._vc.n != node.batch1_v):
            batch1 = _unpack(node, "batch1_")
        beta = node.beta_
        self_shape = node.self_shape_
        alpha = node.alpha_
        if edges[0] is None:
            g0 = None
        else:
            g0 = sum_to(scale(grad, beta), self_shape)
        if edges[1] is None:
            g1 = None
        else:
            g1 = scale(matmul(grad, conj_of(batch2).transpose(1, 2)), alpha)
        if edges[2] is None:
            g2 = None
        else:
            g2 = scale(matmul(conj_of(batch1).transpose(1, 2), grad), alpha)
        return g0, g1, g2

    def release(node):
        node.batch2_ = node.batch1_ = _FREED


def bind_mm(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mm(self, mat2):
        out = _lower(self, mat2)
        e0 = self._ag
        e1 = mat2._ag
        node = MmBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e0 is not None:
            node.mat2_ = mat2 if mat2._twin is None else mat2._twin
            node.mat2_v = 0 if mat2._vc is None else mat2._vc.n
        else:
            node.mat2_ = None
        if e1 is not None:
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = None
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return mm


def bind_bmm(op, ks, _lower):
    bits = _autograd_bits(ks)

    def bmm(self, mat2):
        out = _lower(self, mat2)
        e0 = self._ag
        e1 = mat2._ag
        node = BmmBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e0 is not None:
            node.mat2_ = mat2 if mat2._twin is None else mat2._twin
            node.mat2_v = 0 if mat2._vc is None else mat2._vc.n
        else:
            node.mat2_ = None
        if e1 is not None:
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = None
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return bmm


def bind_mv(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mv(self, vec):
        out = _lower(self, vec)
        e0 = self._ag
        e1 = vec._ag
        node = MvBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e0 is not None:
            node.vec_ = vec if vec._twin is None else vec._twin
            node.vec_v = 0 if vec._vc is None else vec._vc.n
        else:
            node.vec_ = None
        if e1 is not None:
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = None
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return mv


def bind_dot(op, ks, _lower):
    bits = _autograd_bits(ks)

    def dot(self, tensor):
        out = _lower(self, tensor)
        e0 = self._ag
        e1 = tensor._ag
        node = DotBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e0 is not None:
            node.tensor_ = tensor if tensor._twin is None else tensor._twin
            node.tensor_v = 0 if tensor._vc is None else tensor._vc.n
        else:
            node.tensor_ = None
        if e1 is not None:
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = None
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return dot


def bind_vdot(op, ks, _lower):
    bits = _autograd_bits(ks)

    def vdot(self, other):
        out = _lower(self, other)
        e0 = self._ag
        e1 = other._ag
        node = VdotBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e0 is not None:
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = None
        if e1 is not None:
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = None
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return vdot


def bind_matmul(op, ks, _lower):
    bits = _autograd_bits(ks)

    def matmul(self, other):
        out = _lower(self, other)
        e0 = self._ag
        e1 = other._ag
        node = MatmulBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e0 is not None:
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = None
        if e1 is not None:
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = None
        node.self_shape_ = self.shape
        node.other_shape_ = other.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return matmul


def bind_addmm(op, ks, _lower):
    bits = _autograd_bits(ks)

    def addmm(self, mat1, mat2, beta=1, alpha=1):
        out = _lower(self, mat1, mat2) if beta == 1 and alpha == 1 else _lower(self, mat1, mat2, beta=beta, alpha=alpha)
        e0 = self._ag
        e1 = mat1._ag
        e2 = mat2._ag
        node = AddmmBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None:
            node.mat2_ = mat2 if mat2._twin is None else mat2._twin
            node.mat2_v = 0 if mat2._vc is None else mat2._vc.n
        else:
            node.mat2_ = None
        if e2 is not None:
            node.mat1_ = mat1 if mat1._twin is None else mat1._twin
            node.mat1_v = 0 if mat1._vc is None else mat1._vc.n
        else:
            node.mat1_ = None
        node.beta_ = beta
        node.self_shape_ = self.shape
        node.alpha_ = alpha
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return addmm


def bind_addmm_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def addmm_(self, mat1, mat2, beta=1, alpha=1):
        _check_inplace("addmm_", self)
        e0 = self._ag
        e1 = mat1._ag
        e2 = mat2._ag
        node = AddmmBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None:
            node.mat2_ = mat2 if mat2._twin is None else mat2._twin
            node.mat2_v = 0 if mat2._vc is None else mat2._vc.n
        else:
            node.mat2_ = None
        if e2 is not None:
            node.mat1_ = mat1 if mat1._twin is None else mat1._twin
            node.mat1_v = 0 if mat1._vc is None else mat1._vc.n
        else:
            node.mat1_ = None
        node.beta_ = beta
        node.self_shape_ = self.shape
        node.alpha_ = alpha
        _lower(self, mat1, mat2, beta=beta, alpha=alpha)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return addmm_


def bind_addmv(op, ks, _lower):
    bits = _autograd_bits(ks)

    def addmv(self, mat, vec, beta=1, alpha=1):
        out = _lower(self, mat, vec) if beta == 1 and alpha == 1 else _lower(self, mat, vec, beta=beta, alpha=alpha)
        e0 = self._ag
        e1 = mat._ag
        e2 = vec._ag
        node = AddmvBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None:
            node.vec_ = vec if vec._twin is None else vec._twin
            node.vec_v = 0 if vec._vc is None else vec._vc.n
        else:
            node.vec_ = None
        if e2 is not None:
            node.mat_ = mat if mat._twin is None else mat._twin
            node.mat_v = 0 if mat._vc is None else mat._vc.n
        else:
            node.mat_ = None
        node.beta_ = beta
        node.self_shape_ = self.shape
        node.alpha_ = alpha
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return addmv


def bind_addmv_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def addmv_(self, mat, vec, beta=1, alpha=1):
        _check_inplace("addmv_", self)
        e0 = self._ag
        e1 = mat._ag
        e2 = vec._ag
        node = AddmvBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None:
            node.vec_ = vec if vec._twin is None else vec._twin
            node.vec_v = 0 if vec._vc is None else vec._vc.n
        else:
            node.vec_ = None
        if e2 is not None:
            node.mat_ = mat if mat._twin is None else mat._twin
            node.mat_v = 0 if mat._vc is None else mat._vc.n
        else:
            node.mat_ = None
        node.beta_ = beta
        node.self_shape_ = self.shape
        node.alpha_ = alpha
        _lower(self, mat, vec, beta=beta, alpha=alpha)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return addmv_


def bind_addr(op, ks, _lower):
    bits = _autograd_bits(ks)

    def addr(self, vec1, vec2, beta=1, alpha=1):
        out = _lower(self, vec1, vec2) if beta == 1 and alpha == 1 else _lower(self, vec1, vec2, beta=beta, alpha=alpha)
        e0 = self._ag
        e1 = vec1._ag
        e2 = vec2._ag
        node = AddrBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None:
            node.vec2_ = vec2 if vec2._twin is None else vec2._twin
            node.vec2_v = 0 if vec2._vc is None else vec2._vc.n
        else:
            node.vec2_ = None
        if e2 is not None:
            node.vec1_ = vec1 if vec1._twin is None else vec1._twin
            node.vec1_v = 0 if vec1._vc is None else vec1._vc.n
        else:
            node.vec1_ = None
        node.beta_ = beta
        node.self_shape_ = self.shape
        node.alpha_ = alpha
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return addr


def bind_addr_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def addr_(self, vec1, vec2, beta=1, alpha=1):
        _check_inplace("addr_", self)
        e0 = self._ag
        e1 = vec1._ag
        e2 = vec2._ag
        node = AddrBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None:
            node.vec2_ = vec2 if vec2._twin is None else vec2._twin
            node.vec2_v = 0 if vec2._vc is None else vec2._vc.n
        else:
            node.vec2_ = None
        if e2 is not None:
            node.vec1_ = vec1 if vec1._twin is None else vec1._twin
            node.vec1_v = 0 if vec1._vc is None else vec1._vc.n
        else:
            node.vec1_ = None
        node.beta_ = beta
        node.self_shape_ = self.shape
        node.alpha_ = alpha
        _lower(self, vec1, vec2, beta=beta, alpha=alpha)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return addr_


def bind_baddbmm(op, ks, _lower):
    bits = _autograd_bits(ks)

    def baddbmm(self, batch1, batch2, beta=1, alpha=1):
        out = _lower(self, batch1, batch2) if beta == 1 and alpha == 1 else _lower(self, batch1, batch2, beta=beta, alpha=alpha)
        e0 = self._ag
        e1 = batch1._ag
        e2 = batch2._ag
        node = BaddbmmBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None:
            node.batch2_ = batch2 if batch2._twin is None else batch2._twin
            node.batch2_v = 0 if batch2._vc is None else batch2._vc.n
        else:
            node.batch2_ = None
        if e2 is not None:
            node.batch1_ = batch1 if batch1._twin is None else batch1._twin
            node.batch1_v = 0 if batch1._vc is None else batch1._vc.n
        else:
            node.batch1_ = None
        node.beta_ = beta
        node.self_shape_ = self.shape
        node.alpha_ = alpha
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return baddbmm


def bind_baddbmm_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def baddbmm_(self, batch1, batch2, beta=1, alpha=1):
        _check_inplace("baddbmm_", self)
        e0 = self._ag
        e1 = batch1._ag
        e2 = batch2._ag
        node = BaddbmmBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None:
            node.batch2_ = batch2 if batch2._twin is None else batch2._twin
            node.batch2_v = 0 if batch2._vc is None else batch2._vc.n
        else:
            node.batch2_ = None
        if e2 is not None:
            node.batch1_ = batch1 if batch1._twin is None else batch1._twin
            node.batch1_v = 0 if batch1._vc is None else batch1._vc.n
        else:
            node.batch1_ = None
        node.beta_ = beta
        node.self_shape_ = self.shape
        node.alpha_ = alpha
        _lower(self, batch1, batch2, beta=beta, alpha=alpha)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return baddbmm_


def bind_addbmm(op, ks, _lower):
    bits = _autograd_bits(ks)

    def addbmm(self, batch1, batch2, beta=1, alpha=1):
        out = _lower(self, batch1, batch2) if beta == 1 and alpha == 1 else _lower(self, batch1, batch2, beta=beta, alpha=alpha)
        e0 = self._ag
        e1 = batch1._ag
        e2 = batch2._ag
        node = AddbmmBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None:
            node.batch2_ = batch2 if batch2._twin is None else batch2._twin
            node.batch2_v = 0 if batch2._vc is None else batch2._vc.n
        else:
            node.batch2_ = None
        if e2 is not None:
            node.batch1_ = batch1 if batch1._twin is None else batch1._twin
            node.batch1_v = 0 if batch1._vc is None else batch1._vc.n
        else:
            node.batch1_ = None
        node.beta_ = beta
        node.self_shape_ = self.shape
        node.alpha_ = alpha
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return addbmm


def bind_addbmm_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def addbmm_(self, batch1, batch2, beta=1, alpha=1):
        _check_inplace("addbmm_", self)
        e0 = self._ag
        e1 = batch1._ag
        e2 = batch2._ag
        node = AddbmmBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e1 is not None:
            node.batch2_ = batch2 if batch2._twin is None else batch2._twin
            node.batch2_v = 0 if batch2._vc is None else batch2._vc.n
        else:
            node.batch2_ = None
        if e2 is not None:
            node.batch1_ = batch1 if batch1._twin is None else batch1._twin
            node.batch1_v = 0 if batch1._vc is None else batch1._vc.n
        else:
            node.batch1_ = None
        node.beta_ = beta
        node.self_shape_ = self.shape
        node.alpha_ = alpha
        _lower(self, batch1, batch2, beta=beta, alpha=alpha)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return addbmm_
