# Generated from packages/core/src/lamella/core/ops/conversion.yaml (sha256 908eacc1519ee738). Do not edit:
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
    _T_clone,
    _T_contiguous,
    _T__to_copy,
    _T_copy_,
    _T_fill__Scalar,
    _T_fill__Tensor,
    _T_zero_,
    _T_resize_,
    _T_set__source_Tensor,
    _T__local_scalar_dense,
    _T_complex,
    _T_polar,
) = _define(
    "aten",
    "conversion",
    (
        ('clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor', True),
        ('contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)', True),
        ('_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor', True),
        ('copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)', True),
        ('fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)', True),
        ('fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)', True),
        ('zero_(Tensor(a!) self) -> Tensor(a!)', True),
        ('resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)', False),
        ('set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)', False),
        ('_local_scalar_dense(Tensor self) -> Scalar', False),
        ('complex(Tensor real, Tensor imag) -> Tensor', True),
        ('polar(Tensor abs, Tensor angle) -> Tensor', True),
    ),
    {1: "lamella.core._gen.conversion_cpu", 2: "lamella.core._gen.conversion_cuda", 3: "lamella.core._gen.conversion_meta", 65: "lamella.core.composite.conversion", },
    "lamella.core/ops/conversion.yaml",
)


def op_clone(self, *, memory_format=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("clone", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if memory_format is None:
            return _T_clone[ks](self)
        return _T_clone[ks](self, memory_format=memory_format)
    except Exception:
        _explain(_T_clone, (self, memory_format, ))
        raise


def clone(input, *, memory_format=None):
    """A copy with memory of its own; gradients flow through it.

    Args:
        input: a tensor.
        memory_format: preserve_format (the default), contiguous_format or a channels-last format.

    Example:
        >>> clone(tensor([1, 2])).tolist()
        [1, 2]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("clone", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if memory_format is None:
            return _T_clone[ks](input)
        return _T_clone[ks](input, memory_format=memory_format)
    except Exception:
        _explain(_T_clone, (input, memory_format, ))
        raise


def op_contiguous(self, *, memory_format=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("contiguous", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if memory_format is None:
            return _T_contiguous[ks](self)
        return _T_contiguous[ks](self, memory_format=memory_format)
    except Exception:
        _explain(_T_contiguous, (self, memory_format, ))
        raise


def op__to_copy(self, *, dtype=None, layout=None, device=None, pin_memory=None, non_blocking=False, memory_format=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_to_copy", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if dtype is None and layout is None and device is None and pin_memory is None and non_blocking is False and memory_format is None:
            return _T__to_copy[ks](self)
        if pin_memory is not None and pin_memory is not False and pin_memory is not True:
            pin_memory = _as_bool("_to_copy", "pin_memory", pin_memory)
        if non_blocking is not False and non_blocking is not True:
            non_blocking = _as_bool("_to_copy", "non_blocking", non_blocking)
        return _T__to_copy[ks](self, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory, non_blocking=non_blocking, memory_format=memory_format)
    except Exception:
        _explain(_T__to_copy, (self, dtype, layout, device, pin_memory, non_blocking, memory_format, ))
        raise


def op_copy_(self, src, non_blocking=False):
    try:
        ks = self._ks | src._ks
    except AttributeError:
        raise _not_tensor("copy_", {"self": self, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if non_blocking is not False and non_blocking is not True:
        non_blocking = _as_bool("copy_", "non_blocking", non_blocking)
    try:
        return _T_copy_[ks](self, src, non_blocking)
    except Exception:
        _explain(_T_copy_, (self, src, non_blocking, ))
        raise


def op_fill__Scalar(self, value):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("fill_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("fill_", "value", value)
    try:
        return _T_fill__Scalar[ks](self, value)
    except Exception:
        _explain(_T_fill__Scalar, (self, value, ))
        raise


def op_fill__Tensor(self, value):
    try:
        ks = self._ks | value._ks
    except AttributeError:
        raise _not_tensor("fill_", {"self": self, "value": value, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_fill__Tensor[ks](self, value)
    except Exception:
        _explain(_T_fill__Tensor, (self, value, ))
        raise


def op_zero_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("zero_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_zero_[ks](self)
    except Exception:
        _explain(_T_zero_, (self, ))
        raise


def zero_(input):
    """Write zeros into a tensor; returns it.

    Example:
        >>> zero_(ones(2)).tolist()
        [0.0, 0.0]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("zero_", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_zero_[ks](input)
    except Exception:
        _explain(_T_zero_, (input, ))
        raise


def op_resize_(self, size, *, memory_format=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("resize_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("resize_", "size", size, False)
    try:
        if memory_format is None:
            return _T_resize_[ks](self, size)
        return _T_resize_[ks](self, size, memory_format=memory_format)
    except Exception:
        _explain(_T_resize_, (self, size, memory_format, ))
        raise


def op_set__source_Tensor(self, source):
    try:
        ks = self._ks | source._ks
    except AttributeError:
        raise _not_tensor("set_", {"self": self, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_set__source_Tensor[ks](self, source)
    except Exception:
        _explain(_T_set__source_Tensor, (self, source, ))
        raise


def op__local_scalar_dense(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_local_scalar_dense", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T__local_scalar_dense[ks](self)
    except Exception:
        _explain(_T__local_scalar_dense, (self, ))
        raise


def op_complex(real, imag):
    try:
        ks = real._ks | imag._ks
    except AttributeError:
        raise _not_tensor("complex", {"real": real, "imag": imag, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_complex[ks](real, imag)
    except Exception:
        _explain(_T_complex, (real, imag, ))
        raise


def op_polar(abs, angle):
    try:
        ks = abs._ks | angle._ks
    except AttributeError:
        raise _not_tensor("polar", {"abs": abs, "angle": angle, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_polar[ks](abs, angle)
    except Exception:
        _explain(_T_polar, (abs, angle, ))
        raise


def polar(abs, angle, *, out=None):
    """Complex numbers from their distances from zero and their angles.

    Args:
        abs, angle: tensors of one floating type; angles in radians.
        out: a tensor to write the result into.

    Example:
        >>> polar(tensor([2.0]), tensor([0.0])).tolist()
        [(2+0j)]"""
    if out is not None:
        return _out("polar", out, op_polar(abs, angle), inputs=(abs, angle, ))
    try:
        ks = abs._ks | angle._ks
    except AttributeError:
        raise _not_tensor("polar", {"abs": abs, "angle": angle, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_polar[ks](abs, angle)
    except Exception:
        _explain(_T_polar, (abs, angle, ))
        raise


METHODS = {
    "clone": op_clone,
    "zero_": op_zero_,
}


FUNCTIONS = {
    "clone": clone,
    "zero_": zero_,
    "polar": polar,
}
