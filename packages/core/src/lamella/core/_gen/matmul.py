# Generated from packages/core/src/lamella/core/ops/matmul.yaml (sha256 0e9a3f3b8985a205). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    MISSING as _MISSING,
    SEQUENCES as _SEQUENCES,
    Tensor as _Tensor,
    as_bool as _as_bool,
    as_float as _as_float,
    as_int as _as_int,
    as_ints as _as_ints,
    as_number as _as_number,
    backend_bit as _backend_bit,
    explain_call as _explain,
    foreign as _foreign,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    numpy_names as _numpy_names,
    old_form as _old_form,
    varargs as _varargs,
    write_out as _out,
)
from lamella.dispatch.registry import define_many as _define
from lamella.dispatch.state import state as _S

(
    _T_mm,
    _T_bmm,
    _T_mv,
    _T_dot,
    _T_vdot,
    _T_matmul,
    _T_addmm,
    _T_addmm_,
    _T_addmv,
    _T_addmv_,
    _T_addr,
    _T_addr_,
    _T_baddbmm,
    _T_baddbmm_,
    _T_addbmm,
    _T_addbmm_,
    _T_outer,
    _T_inner,
    _T_kron,
    _T_linalg_cross,
) = _define(
    "aten",
    "matmul",
    (
        ('mm(Tensor self, Tensor mat2) -> Tensor', True),
        ('bmm(Tensor self, Tensor mat2) -> Tensor', True),
        ('mv(Tensor self, Tensor vec) -> Tensor', True),
        ('dot(Tensor self, Tensor tensor) -> Tensor', True),
        ('vdot(Tensor self, Tensor other) -> Tensor', True),
        ('matmul(Tensor self, Tensor other) -> Tensor', True),
        ('addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor', True),
        ('addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)', True),
        ('addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor', True),
        ('addmv_(Tensor(a!) self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)', True),
        ('addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor', True),
        ('addr_(Tensor(a!) self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)', True),
        ('baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor', True),
        ('baddbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)', True),
        ('addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor', True),
        ('addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)', True),
        ('outer(Tensor self, Tensor vec2) -> Tensor', True),
        ('inner(Tensor self, Tensor other) -> Tensor', True),
        ('kron(Tensor self, Tensor other) -> Tensor', True),
        ('linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor', True),
    ),
    {1: "lamella.core._gen.matmul_cpu", 2: "lamella.core._gen.matmul_cuda", 3: "lamella.core._gen.matmul_meta", 65: "lamella.core.composite.matmul", },
    "lamella.core/ops/matmul.yaml",
)


def op_mm(self, mat2):
    try:
        ks = self._ks | mat2._ks
    except AttributeError:
        raise _not_tensor("mm", {"self": self, "mat2": mat2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_mm[ks](self, mat2)
    except Exception:
        _explain(_T_mm, (self, mat2, ))
        raise


def mm(input, mat2, *, out=None):
    """mm: see torch.mm."""
    if out is not None:
        return _out("mm", out, op_mm(input, mat2), True, inputs=(input, mat2, ))
    try:
        ks = input._ks | mat2._ks
    except AttributeError:
        raise _not_tensor("mm", {"input": input, "mat2": mat2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_mm[ks](input, mat2)
    except Exception:
        _explain(_T_mm, (input, mat2, ))
        raise


def op_bmm(self, mat2):
    try:
        ks = self._ks | mat2._ks
    except AttributeError:
        raise _not_tensor("bmm", {"self": self, "mat2": mat2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bmm[ks](self, mat2)
    except Exception:
        _explain(_T_bmm, (self, mat2, ))
        raise


def bmm(input, mat2, *, out=None):
    """bmm: see torch.bmm."""
    if out is not None:
        return _out("bmm", out, op_bmm(input, mat2), True, inputs=(input, mat2, ))
    try:
        ks = input._ks | mat2._ks
    except AttributeError:
        raise _not_tensor("bmm", {"input": input, "mat2": mat2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bmm[ks](input, mat2)
    except Exception:
        _explain(_T_bmm, (input, mat2, ))
        raise


def op_mv(self, vec):
    try:
        ks = self._ks | vec._ks
    except AttributeError:
        raise _not_tensor("mv", {"self": self, "vec": vec, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_mv[ks](self, vec)
    except Exception:
        _explain(_T_mv, (self, vec, ))
        raise


def mv(input, vec, *, out=None):
    """mv: see torch.mv."""
    if out is not None:
        return _out("mv", out, op_mv(input, vec), True, inputs=(input, vec, ))
    try:
        ks = input._ks | vec._ks
    except AttributeError:
        raise _not_tensor("mv", {"input": input, "vec": vec, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_mv[ks](input, vec)
    except Exception:
        _explain(_T_mv, (input, vec, ))
        raise


def op_dot(self, tensor):
    try:
        ks = self._ks | tensor._ks
    except AttributeError:
        raise _not_tensor("dot", {"self": self, "tensor": tensor, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_dot[ks](self, tensor)
    except Exception:
        _explain(_T_dot, (self, tensor, ))
        raise


def dot(input, tensor, *, out=None):
    """dot: see torch.dot."""
    if out is not None:
        return _out("dot", out, op_dot(input, tensor), True, inputs=(input, tensor, ))
    try:
        ks = input._ks | tensor._ks
    except AttributeError:
        raise _not_tensor("dot", {"input": input, "tensor": tensor, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_dot[ks](input, tensor)
    except Exception:
        _explain(_T_dot, (input, tensor, ))
        raise


def op_vdot(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("vdot", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_vdot[ks](self, other)
    except Exception:
        _explain(_T_vdot, (self, other, ))
        raise


def vdot(input, other, *, out=None):
    """vdot: see torch.vdot."""
    if out is not None:
        return _out("vdot", out, op_vdot(input, other), True, inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("vdot", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_vdot[ks](input, other)
    except Exception:
        _explain(_T_vdot, (input, other, ))
        raise


def op_matmul(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("matmul", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_matmul[ks](self, other)
    except Exception:
        _explain(_T_matmul, (self, other, ))
        raise


def matmul(input, other, *, out=None):
    """matmul: see torch.matmul."""
    if out is not None:
        return _out("matmul", out, op_matmul(input, other), True, inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("matmul", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_matmul[ks](input, other)
    except Exception:
        _explain(_T_matmul, (input, other, ))
        raise


def op_addmm(self, mat1, mat2, *more, beta=1, alpha=1):
    if more:
        return _old_form("addmm", op_addmm, (self, mat1, mat2, *more), ['beta', 'alpha'])
    try:
        ks = self._ks | mat1._ks | mat2._ks
    except AttributeError:
        raise _not_tensor("addmm", {"self": self, "mat1": mat1, "mat2": mat2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_addmm[ks](self, mat1, mat2)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("addmm", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("addmm", "alpha", alpha)
        return _T_addmm[ks](self, mat1, mat2, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_addmm, (self, mat1, mat2, beta, alpha, ))
        raise


def addmm(input, mat1, mat2, *more, beta=1, alpha=1, out=None):
    """addmm: see torch.addmm."""
    if more:
        return _old_form("addmm", addmm, (input, mat1, mat2, *more), ['beta', 'alpha'], out)
    if out is not None:
        return _out("addmm", out, op_addmm(input, mat1, mat2, beta=beta, alpha=alpha), True, inputs=(input, mat1, mat2, ))
    try:
        ks = input._ks | mat1._ks | mat2._ks
    except AttributeError:
        raise _not_tensor("addmm", {"input": input, "mat1": mat1, "mat2": mat2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_addmm[ks](input, mat1, mat2)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("addmm", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("addmm", "alpha", alpha)
        return _T_addmm[ks](input, mat1, mat2, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_addmm, (input, mat1, mat2, beta, alpha, ))
        raise


def op_addmm_(self, mat1, mat2, *more, beta=1, alpha=1):
    if more:
        return _old_form("addmm_", op_addmm_, (self, mat1, mat2, *more), ['beta', 'alpha'])
    try:
        ks = self._ks | mat1._ks | mat2._ks
    except AttributeError:
        raise _not_tensor("addmm_", {"self": self, "mat1": mat1, "mat2": mat2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_addmm_[ks](self, mat1, mat2)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("addmm_", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("addmm_", "alpha", alpha)
        return _T_addmm_[ks](self, mat1, mat2, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_addmm_, (self, mat1, mat2, beta, alpha, ))
        raise


def op_addmv(self, mat, vec, *more, beta=1, alpha=1):
    if more:
        return _old_form("addmv", op_addmv, (self, mat, vec, *more), ['beta', 'alpha'])
    try:
        ks = self._ks | mat._ks | vec._ks
    except AttributeError:
        raise _not_tensor("addmv", {"self": self, "mat": mat, "vec": vec, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_addmv[ks](self, mat, vec)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("addmv", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("addmv", "alpha", alpha)
        return _T_addmv[ks](self, mat, vec, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_addmv, (self, mat, vec, beta, alpha, ))
        raise


def addmv(input, mat, vec, *more, beta=1, alpha=1, out=None):
    """addmv: see torch.addmv."""
    if more:
        return _old_form("addmv", addmv, (input, mat, vec, *more), ['beta', 'alpha'], out)
    if out is not None:
        return _out("addmv", out, op_addmv(input, mat, vec, beta=beta, alpha=alpha), True, inputs=(input, mat, vec, ))
    try:
        ks = input._ks | mat._ks | vec._ks
    except AttributeError:
        raise _not_tensor("addmv", {"input": input, "mat": mat, "vec": vec, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_addmv[ks](input, mat, vec)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("addmv", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("addmv", "alpha", alpha)
        return _T_addmv[ks](input, mat, vec, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_addmv, (input, mat, vec, beta, alpha, ))
        raise


def op_addmv_(self, mat, vec, *more, beta=1, alpha=1):
    if more:
        return _old_form("addmv_", op_addmv_, (self, mat, vec, *more), ['beta', 'alpha'])
    try:
        ks = self._ks | mat._ks | vec._ks
    except AttributeError:
        raise _not_tensor("addmv_", {"self": self, "mat": mat, "vec": vec, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_addmv_[ks](self, mat, vec)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("addmv_", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("addmv_", "alpha", alpha)
        return _T_addmv_[ks](self, mat, vec, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_addmv_, (self, mat, vec, beta, alpha, ))
        raise


def op_addr(self, vec1, vec2, *more, beta=1, alpha=1):
    if more:
        return _old_form("addr", op_addr, (self, vec1, vec2, *more), ['beta', 'alpha'])
    try:
        ks = self._ks | vec1._ks | vec2._ks
    except AttributeError:
        raise _not_tensor("addr", {"self": self, "vec1": vec1, "vec2": vec2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_addr[ks](self, vec1, vec2)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("addr", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("addr", "alpha", alpha)
        return _T_addr[ks](self, vec1, vec2, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_addr, (self, vec1, vec2, beta, alpha, ))
        raise


def addr(input, vec1, vec2, *more, beta=1, alpha=1, out=None):
    """addr: see torch.addr."""
    if more:
        return _old_form("addr", addr, (input, vec1, vec2, *more), ['beta', 'alpha'], out)
    if out is not None:
        return _out("addr", out, op_addr(input, vec1, vec2, beta=beta, alpha=alpha), True, inputs=(input, vec1, vec2, ))
    try:
        ks = input._ks | vec1._ks | vec2._ks
    except AttributeError:
        raise _not_tensor("addr", {"input": input, "vec1": vec1, "vec2": vec2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_addr[ks](input, vec1, vec2)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("addr", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("addr", "alpha", alpha)
        return _T_addr[ks](input, vec1, vec2, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_addr, (input, vec1, vec2, beta, alpha, ))
        raise


def op_addr_(self, vec1, vec2, *more, beta=1, alpha=1):
    if more:
        return _old_form("addr_", op_addr_, (self, vec1, vec2, *more), ['beta', 'alpha'])
    try:
        ks = self._ks | vec1._ks | vec2._ks
    except AttributeError:
        raise _not_tensor("addr_", {"self": self, "vec1": vec1, "vec2": vec2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_addr_[ks](self, vec1, vec2)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("addr_", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("addr_", "alpha", alpha)
        return _T_addr_[ks](self, vec1, vec2, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_addr_, (self, vec1, vec2, beta, alpha, ))
        raise


def op_baddbmm(self, batch1, batch2, *more, beta=1, alpha=1):
    if more:
        return _old_form("baddbmm", op_baddbmm, (self, batch1, batch2, *more), ['beta', 'alpha'])
    try:
        ks = self._ks | batch1._ks | batch2._ks
    except AttributeError:
        raise _not_tensor("baddbmm", {"self": self, "batch1": batch1, "batch2": batch2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_baddbmm[ks](self, batch1, batch2)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("baddbmm", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("baddbmm", "alpha", alpha)
        return _T_baddbmm[ks](self, batch1, batch2, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_baddbmm, (self, batch1, batch2, beta, alpha, ))
        raise


def baddbmm(input, batch1, batch2, *more, beta=1, alpha=1, out=None):
    """baddbmm: see torch.baddbmm."""
    if more:
        return _old_form("baddbmm", baddbmm, (input, batch1, batch2, *more), ['beta', 'alpha'], out)
    if out is not None:
        return _out("baddbmm", out, op_baddbmm(input, batch1, batch2, beta=beta, alpha=alpha), True, inputs=(input, batch1, batch2, ))
    try:
        ks = input._ks | batch1._ks | batch2._ks
    except AttributeError:
        raise _not_tensor("baddbmm", {"input": input, "batch1": batch1, "batch2": batch2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_baddbmm[ks](input, batch1, batch2)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("baddbmm", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("baddbmm", "alpha", alpha)
        return _T_baddbmm[ks](input, batch1, batch2, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_baddbmm, (input, batch1, batch2, beta, alpha, ))
        raise


def op_baddbmm_(self, batch1, batch2, *more, beta=1, alpha=1):
    if more:
        return _old_form("baddbmm_", op_baddbmm_, (self, batch1, batch2, *more), ['beta', 'alpha'])
    try:
        ks = self._ks | batch1._ks | batch2._ks
    except AttributeError:
        raise _not_tensor("baddbmm_", {"self": self, "batch1": batch1, "batch2": batch2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_baddbmm_[ks](self, batch1, batch2)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("baddbmm_", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("baddbmm_", "alpha", alpha)
        return _T_baddbmm_[ks](self, batch1, batch2, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_baddbmm_, (self, batch1, batch2, beta, alpha, ))
        raise


def op_addbmm(self, batch1, batch2, *more, beta=1, alpha=1):
    if more:
        return _old_form("addbmm", op_addbmm, (self, batch1, batch2, *more), ['beta', 'alpha'])
    try:
        ks = self._ks | batch1._ks | batch2._ks
    except AttributeError:
        raise _not_tensor("addbmm", {"self": self, "batch1": batch1, "batch2": batch2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_addbmm[ks](self, batch1, batch2)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("addbmm", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("addbmm", "alpha", alpha)
        return _T_addbmm[ks](self, batch1, batch2, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_addbmm, (self, batch1, batch2, beta, alpha, ))
        raise


def addbmm(input, batch1, batch2, *more, beta=1, alpha=1, out=None):
    """addbmm: see torch.addbmm."""
    if more:
        return _old_form("addbmm", addbmm, (input, batch1, batch2, *more), ['beta', 'alpha'], out)
    if out is not None:
        return _out("addbmm", out, op_addbmm(input, batch1, batch2, beta=beta, alpha=alpha), True, inputs=(input, batch1, batch2, ))
    try:
        ks = input._ks | batch1._ks | batch2._ks
    except AttributeError:
        raise _not_tensor("addbmm", {"input": input, "batch1": batch1, "batch2": batch2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_addbmm[ks](input, batch1, batch2)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("addbmm", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("addbmm", "alpha", alpha)
        return _T_addbmm[ks](input, batch1, batch2, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_addbmm, (input, batch1, batch2, beta, alpha, ))
        raise


def op_addbmm_(self, batch1, batch2, *more, beta=1, alpha=1):
    if more:
        return _old_form("addbmm_", op_addbmm_, (self, batch1, batch2, *more), ['beta', 'alpha'])
    try:
        ks = self._ks | batch1._ks | batch2._ks
    except AttributeError:
        raise _not_tensor("addbmm_", {"self": self, "batch1": batch1, "batch2": batch2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if beta == 1 and alpha == 1:
            return _T_addbmm_[ks](self, batch1, batch2)
        if beta.__class__ is not float and beta.__class__ is not int:
            beta = _as_number("addbmm_", "beta", beta)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("addbmm_", "alpha", alpha)
        return _T_addbmm_[ks](self, batch1, batch2, beta=beta, alpha=alpha)
    except Exception:
        _explain(_T_addbmm_, (self, batch1, batch2, beta, alpha, ))
        raise


def op_outer(self, vec2):
    try:
        ks = self._ks | vec2._ks
    except AttributeError:
        raise _not_tensor("outer", {"self": self, "vec2": vec2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_outer[ks](self, vec2)
    except Exception:
        _explain(_T_outer, (self, vec2, ))
        raise


def outer(input, vec2, *, out=None):
    """outer: see torch.outer."""
    if out is not None:
        return _out("outer", out, op_outer(input, vec2), inputs=(input, vec2, ))
    try:
        ks = input._ks | vec2._ks
    except AttributeError:
        raise _not_tensor("outer", {"input": input, "vec2": vec2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_outer[ks](input, vec2)
    except Exception:
        _explain(_T_outer, (input, vec2, ))
        raise


def op_inner(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("inner", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_inner[ks](self, other)
    except Exception:
        _explain(_T_inner, (self, other, ))
        raise


def inner(input, other, *, out=None):
    """inner: see torch.inner."""
    if out is not None:
        return _out("inner", out, op_inner(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("inner", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_inner[ks](input, other)
    except Exception:
        _explain(_T_inner, (input, other, ))
        raise


def op_kron(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("kron", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_kron[ks](self, other)
    except Exception:
        _explain(_T_kron, (self, other, ))
        raise


def kron(input, other, *, out=None):
    """kron: see torch.kron."""
    if out is not None:
        return _out("kron", out, op_kron(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("kron", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_kron[ks](input, other)
    except Exception:
        _explain(_T_kron, (input, other, ))
        raise


def op_linalg_cross(self, other, *, dim=-1):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("linalg_cross", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if dim == -1:
            return _T_linalg_cross[ks](self, other)
        if dim.__class__ is not int:
            dim = _as_int("linalg_cross", "dim", dim)
        return _T_linalg_cross[ks](self, other, dim=dim)
    except Exception:
        _explain(_T_linalg_cross, (self, other, dim, ))
        raise


def linalg_cross(input, other, *, dim=-1, out=None, **kwargs):
    """linalg_cross: see torch.linalg_cross."""
    if kwargs:
        return _numpy_names("linalg_cross", linalg_cross, kwargs, {"input": input, "other": other, "dim": dim, "out": out})
    if out is not None:
        return _out("linalg_cross", out, op_linalg_cross(input, other, dim=dim), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("linalg_cross", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if dim == -1:
            return _T_linalg_cross[ks](input, other)
        if dim.__class__ is not int:
            dim = _as_int("linalg_cross", "dim", dim)
        return _T_linalg_cross[ks](input, other, dim=dim)
    except Exception:
        _explain(_T_linalg_cross, (input, other, dim, ))
        raise


METHODS = {
    "mm": op_mm,
    "bmm": op_bmm,
    "mv": op_mv,
    "dot": op_dot,
    "vdot": op_vdot,
    "matmul": op_matmul,
    "addmm": op_addmm,
    "addmm_": op_addmm_,
    "addmv": op_addmv,
    "addmv_": op_addmv_,
    "addr": op_addr,
    "addr_": op_addr_,
    "baddbmm": op_baddbmm,
    "baddbmm_": op_baddbmm_,
    "addbmm": op_addbmm,
    "addbmm_": op_addbmm_,
    "outer": op_outer,
    "ger": op_outer,
    "inner": op_inner,
    "kron": op_kron,
}


FUNCTIONS = {
    "mm": mm,
    "bmm": bmm,
    "mv": mv,
    "dot": dot,
    "vdot": vdot,
    "matmul": matmul,
    "addmm": addmm,
    "addmv": addmv,
    "addr": addr,
    "baddbmm": baddbmm,
    "addbmm": addbmm,
    "outer": outer,
    "ger": outer,
    "inner": inner,
    "kron": kron,
    "linalg_cross": linalg_cross,
}
