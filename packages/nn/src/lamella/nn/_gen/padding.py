# Generated from packages/nn/src/lamella/nn/ops/padding.yaml (sha256 cdb259f590a3cb3b). Do not edit:
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
    _T_reflection_pad1d,
    _T_reflection_pad1d_backward,
    _T_reflection_pad2d,
    _T_reflection_pad2d_backward,
    _T_reflection_pad3d,
    _T_reflection_pad3d_backward,
    _T_replication_pad1d,
    _T_replication_pad1d_backward,
    _T_replication_pad2d,
    _T_replication_pad2d_backward,
    _T_replication_pad3d,
    _T_replication_pad3d_backward,
    _T__pad_circular,
    _T__pad_circular_backward,
) = _define(
    "aten",
    "lamella.nn.padding",
    (
        ('reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor', True),
        ('reflection_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor', True),
        ('reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor', True),
        ('reflection_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor', True),
        ('reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor', True),
        ('reflection_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor', True),
        ('replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor', True),
        ('replication_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor', True),
        ('replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor', True),
        ('replication_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor', True),
        ('replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor', True),
        ('replication_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor', True),
        ('_pad_circular(Tensor self, SymInt[] pad) -> Tensor', True),
        ('_pad_circular_backward(Tensor grad_output, Tensor self, SymInt[] pad) -> Tensor', True),
    ),
    {1: "lamella.nn._gen.padding_cpu", 2: "lamella.nn._gen.padding_cuda", 3: "lamella.nn._gen.padding_meta", 65: "lamella.nn.composite.padding", },
    "lamella.nn/ops/padding.yaml",
)


def op_reflection_pad1d(self, padding):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("reflection_pad1d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("reflection_pad1d", "padding", padding, True)
    try:
        return _T_reflection_pad1d[ks](self, padding)
    except Exception:
        _explain(_T_reflection_pad1d, (self, padding, ))
        raise


def op_reflection_pad1d_backward(grad_output, self, padding):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("reflection_pad1d_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("reflection_pad1d_backward", "padding", padding, True)
    try:
        return _T_reflection_pad1d_backward[ks](grad_output, self, padding)
    except Exception:
        _explain(_T_reflection_pad1d_backward, (grad_output, self, padding, ))
        raise


def op_reflection_pad2d(self, padding):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("reflection_pad2d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("reflection_pad2d", "padding", padding, True)
    try:
        return _T_reflection_pad2d[ks](self, padding)
    except Exception:
        _explain(_T_reflection_pad2d, (self, padding, ))
        raise


def op_reflection_pad2d_backward(grad_output, self, padding):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("reflection_pad2d_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("reflection_pad2d_backward", "padding", padding, True)
    try:
        return _T_reflection_pad2d_backward[ks](grad_output, self, padding)
    except Exception:
        _explain(_T_reflection_pad2d_backward, (grad_output, self, padding, ))
        raise


def op_reflection_pad3d(self, padding):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("reflection_pad3d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("reflection_pad3d", "padding", padding, True)
    try:
        return _T_reflection_pad3d[ks](self, padding)
    except Exception:
        _explain(_T_reflection_pad3d, (self, padding, ))
        raise


def op_reflection_pad3d_backward(grad_output, self, padding):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("reflection_pad3d_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("reflection_pad3d_backward", "padding", padding, True)
    try:
        return _T_reflection_pad3d_backward[ks](grad_output, self, padding)
    except Exception:
        _explain(_T_reflection_pad3d_backward, (grad_output, self, padding, ))
        raise


def op_replication_pad1d(self, padding):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("replication_pad1d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("replication_pad1d", "padding", padding, True)
    try:
        return _T_replication_pad1d[ks](self, padding)
    except Exception:
        _explain(_T_replication_pad1d, (self, padding, ))
        raise


def op_replication_pad1d_backward(grad_output, self, padding):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("replication_pad1d_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("replication_pad1d_backward", "padding", padding, True)
    try:
        return _T_replication_pad1d_backward[ks](grad_output, self, padding)
    except Exception:
        _explain(_T_replication_pad1d_backward, (grad_output, self, padding, ))
        raise


def op_replication_pad2d(self, padding):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("replication_pad2d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("replication_pad2d", "padding", padding, True)
    try:
        return _T_replication_pad2d[ks](self, padding)
    except Exception:
        _explain(_T_replication_pad2d, (self, padding, ))
        raise


def op_replication_pad2d_backward(grad_output, self, padding):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("replication_pad2d_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("replication_pad2d_backward", "padding", padding, True)
    try:
        return _T_replication_pad2d_backward[ks](grad_output, self, padding)
    except Exception:
        _explain(_T_replication_pad2d_backward, (grad_output, self, padding, ))
        raise


def op_replication_pad3d(self, padding):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("replication_pad3d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("replication_pad3d", "padding", padding, True)
    try:
        return _T_replication_pad3d[ks](self, padding)
    except Exception:
        _explain(_T_replication_pad3d, (self, padding, ))
        raise


def op_replication_pad3d_backward(grad_output, self, padding):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("replication_pad3d_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("replication_pad3d_backward", "padding", padding, True)
    try:
        return _T_replication_pad3d_backward[ks](grad_output, self, padding)
    except Exception:
        _explain(_T_replication_pad3d_backward, (grad_output, self, padding, ))
        raise


def op__pad_circular(self, pad):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_pad_circular", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if pad.__class__ not in _SEQUENCES:
        pad = _as_ints("_pad_circular", "pad", pad, False)
    try:
        return _T__pad_circular[ks](self, pad)
    except Exception:
        _explain(_T__pad_circular, (self, pad, ))
        raise


def op__pad_circular_backward(grad_output, self, pad):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("_pad_circular_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if pad.__class__ not in _SEQUENCES:
        pad = _as_ints("_pad_circular_backward", "pad", pad, False)
    try:
        return _T__pad_circular_backward[ks](grad_output, self, pad)
    except Exception:
        _explain(_T__pad_circular_backward, (grad_output, self, pad, ))
        raise


METHODS = {
}


FUNCTIONS = {
}
