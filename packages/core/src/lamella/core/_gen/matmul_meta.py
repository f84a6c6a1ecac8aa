# Generated from packages/core/src/lamella/core/ops/matmul.yaml (sha256 0e9a3f3b8985a205). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.matmul as _k
import lamella.core.meta.matmul as _m


def mm(self, mat2):
    return _result(_m.mm(self, mat2))


def bmm(self, mat2):
    return _result(_m.bmm(self, mat2))


def mv(self, vec):
    return _result(_m.mv(self, vec))


def dot(self, tensor):
    return _result(_m.dot(self, tensor))


def vdot(self, other):
    return _result(_m.vdot(self, other))


def matmul(self, other):
    return _result(_m.matmul(self, other))


def addmm(self, mat1, mat2, beta=1, alpha=1):
    return _result(_m.addmm(self, mat1, mat2, beta=beta, alpha=alpha))


def addmm_(self, mat1, mat2, beta=1, alpha=1):
    _inplace("addmm_", self, _m.addmm(self, mat1, mat2, beta=beta, alpha=alpha))
    _bump(self, "addmm_")
    return self

addmm_.moves_versions = True


def addmv(self, mat, vec, beta=1, alpha=1):
    return _result(_m.addmv(self, mat, vec, beta=beta, alpha=alpha))


def addmv_(self, mat, vec, beta=1, alpha=1):
    _inplace("addmv_", self, _m.addmv(self, mat, vec, beta=beta, alpha=alpha))
    _bump(self, "addmv_")
    return self

addmv_.moves_versions = True


def addr(self, vec1, vec2, beta=1, alpha=1):
    return _result(_m.addr(self, vec1, vec2, beta=beta, alpha=alpha))


def addr_(self, vec1, vec2, beta=1, alpha=1):
    _inplace("addr_", self, _m.addr(self, vec1, vec2, beta=beta, alpha=alpha))
    _bump(self, "addr_")
    return self

addr_.moves_versions = True


def baddbmm(self, batch1, batch2, beta=1, alpha=1):
    return _result(_m.baddbmm(self, batch1, batch2, beta=beta, alpha=alpha))


def baddbmm_(self, batch1, batch2, beta=1, alpha=1):
    _inplace("baddbmm_", self, _m.baddbmm(self, batch1, batch2, beta=beta, alpha=alpha))
    _bump(self, "baddbmm_")
    return self

baddbmm_.moves_versions = True


def addbmm(self, batch1, batch2, beta=1, alpha=1):
    return _result(_m.addbmm(self, batch1, batch2, beta=beta, alpha=alpha))


def addbmm_(self, batch1, batch2, beta=1, alpha=1):
    _inplace("addbmm_", self, _m.addbmm(self, batch1, batch2, beta=beta, alpha=alpha))
    _bump(self, "addbmm_")
    return self

addbmm_.moves_versions = True
