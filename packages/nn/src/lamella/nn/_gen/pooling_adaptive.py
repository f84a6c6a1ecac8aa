# Generated from packages/nn/src/lamella/nn/ops/pooling_adaptive.yaml (sha256 975d808a7e26d0ff). Do not edit:
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
    _T_adaptive_avg_pool1d,
    _T__adaptive_avg_pool2d,
    _T__adaptive_avg_pool3d,
    _T__adaptive_avg_pool_backward,
    _T_adaptive_max_pool1d,
    _T_adaptive_max_pool2d,
    _T_adaptive_max_pool3d,
    _T_fractional_max_pool2d,
    _T_fractional_max_pool3d,
) = _define(
    "aten",
    "lamella.nn.pooling_adaptive",
    (
        ('adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor', True),
        ('_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor', True),
        ('_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor', True),
        ('_adaptive_avg_pool_backward(Tensor grad_output, int[] size, int spatial) -> Tensor', True),
        ('adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)', True),
        ('adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)', True),
        ('adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)', True),
        ('fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples) -> (Tensor, Tensor)', True),
        ('fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples) -> (Tensor, Tensor)', True),
    ),
    {1: "lamella.nn._gen.pooling_adaptive_cpu", 2: "lamella.nn._gen.pooling_adaptive_cuda", 3: "lamella.nn._gen.pooling_adaptive_meta", 65: "lamella.nn.composite.pooling_adaptive", },
    "lamella.nn/ops/pooling_adaptive.yaml",
)


def op_adaptive_avg_pool1d(self, output_size):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("adaptive_avg_pool1d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES and output_size.__class__ is not int:
        output_size = _as_ints("adaptive_avg_pool1d", "output_size", output_size, True)
    try:
        return _T_adaptive_avg_pool1d[ks](self, output_size)
    except Exception:
        _explain(_T_adaptive_avg_pool1d, (self, output_size, ))
        raise


def op__adaptive_avg_pool2d(self, output_size):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_adaptive_avg_pool2d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES and output_size.__class__ is not int:
        output_size = _as_ints("_adaptive_avg_pool2d", "output_size", output_size, True)
    try:
        return _T__adaptive_avg_pool2d[ks](self, output_size)
    except Exception:
        _explain(_T__adaptive_avg_pool2d, (self, output_size, ))
        raise


def op__adaptive_avg_pool3d(self, output_size):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_adaptive_avg_pool3d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES and output_size.__class__ is not int:
        output_size = _as_ints("_adaptive_avg_pool3d", "output_size", output_size, True)
    try:
        return _T__adaptive_avg_pool3d[ks](self, output_size)
    except Exception:
        _explain(_T__adaptive_avg_pool3d, (self, output_size, ))
        raise


def op__adaptive_avg_pool_backward(grad_output, size, spatial):
    try:
        ks = grad_output._ks
    except AttributeError:
        raise _not_tensor("_adaptive_avg_pool_backward", {"grad_output": grad_output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("_adaptive_avg_pool_backward", "size", size, False)
    if spatial.__class__ is not int:
        spatial = _as_int("_adaptive_avg_pool_backward", "spatial", spatial)
    try:
        return _T__adaptive_avg_pool_backward[ks](grad_output, size, spatial)
    except Exception:
        _explain(_T__adaptive_avg_pool_backward, (grad_output, size, spatial, ))
        raise


def op_adaptive_max_pool1d(self, output_size):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("adaptive_max_pool1d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES and output_size.__class__ is not int:
        output_size = _as_ints("adaptive_max_pool1d", "output_size", output_size, True)
    try:
        return _T_adaptive_max_pool1d[ks](self, output_size)
    except Exception:
        _explain(_T_adaptive_max_pool1d, (self, output_size, ))
        raise


def op_adaptive_max_pool2d(self, output_size):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("adaptive_max_pool2d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES and output_size.__class__ is not int:
        output_size = _as_ints("adaptive_max_pool2d", "output_size", output_size, True)
    try:
        return _T_adaptive_max_pool2d[ks](self, output_size)
    except Exception:
        _explain(_T_adaptive_max_pool2d, (self, output_size, ))
        raise


def op_adaptive_max_pool3d(self, output_size):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("adaptive_max_pool3d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES and output_size.__class__ is not int:
        output_size = _as_ints("adaptive_max_pool3d", "output_size", output_size, True)
    try:
        return _T_adaptive_max_pool3d[ks](self, output_size)
    except Exception:
        _explain(_T_adaptive_max_pool3d, (self, output_size, ))
        raise


def op_fractional_max_pool2d(self, kernel_size, output_size, random_samples):
    try:
        ks = self._ks | random_samples._ks
    except AttributeError:
        raise _not_tensor("fractional_max_pool2d", {"self": self, "random_samples": random_samples, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if kernel_size.__class__ not in _SEQUENCES and kernel_size.__class__ is not int:
        kernel_size = _as_ints("fractional_max_pool2d", "kernel_size", kernel_size, True)
    if output_size.__class__ not in _SEQUENCES and output_size.__class__ is not int:
        output_size = _as_ints("fractional_max_pool2d", "output_size", output_size, True)
    try:
        return _T_fractional_max_pool2d[ks](self, kernel_size, output_size, random_samples)
    except Exception:
        _explain(_T_fractional_max_pool2d, (self, kernel_size, output_size, random_samples, ))
        raise


def op_fractional_max_pool3d(self, kernel_size, output_size, random_samples):
    try:
        ks = self._ks | random_samples._ks
    except AttributeError:
        raise _not_tensor("fractional_max_pool3d", {"self": self, "random_samples": random_samples, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if kernel_size.__class__ not in _SEQUENCES and kernel_size.__class__ is not int:
        kernel_size = _as_ints("fractional_max_pool3d", "kernel_size", kernel_size, True)
    if output_size.__class__ not in _SEQUENCES and output_size.__class__ is not int:
        output_size = _as_ints("fractional_max_pool3d", "output_size", output_size, True)
    try:
        return _T_fractional_max_pool3d[ks](self, kernel_size, output_size, random_samples)
    except Exception:
        _explain(_T_fractional_max_pool3d, (self, kernel_size, output_size, random_samples, ))
        raise


METHODS = {
}


FUNCTIONS = {
}
