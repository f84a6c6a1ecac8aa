# Generated from packages/nn/src/lamella/nn/ops/activation.yaml (sha256 a41a3447b60eeba1). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.xp import NUMPY as _xp

from lamella.core.runtime import (
    BACKEND_MASK as _BACKENDS,
    F32 as _F32,
    F64 as _F64,
    Tensor as _Tensor,
    VersionCounter as _VersionCounter,
    asarray as _asarray,
    elementwise as _elementwise,
    elementwise_into as _elementwise_into,
    ndarray as _ndarray,
    new_tensor as _new_tensor,
    operand_error as _operand_error,
    recorder as _recorder,
    refuse_clash as _refuse_clash,
    return_type as _return_type,
    wrap_result as _wrap_result,
    wrap_view as _wrap_view,
    write_back as _write_back,
)
import lamella.nn.kernels.activation as _k

_KS = 1  # of new tensors


def gelu(self, approximate='none'):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.gelu(_xp, a, approximate)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("gelu", _k.gelu, _xp, "arith", (self, ), (approximate, ))
        except TypeError as e:
            raise _operand_error("gelu", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def gelu_backward(grad_output, self, approximate='none'):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if self.__class__ is _Tensor or isinstance(self, _Tensor):
            if d is self._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k.gelu_backward(_xp, a, self._a, approximate)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("gelu_backward", _k.gelu_backward, _xp, "arith", (grad_output, self, ), (approximate, ))
        elif (d is _F32 or d is _F64) and (self.__class__ is float or self.__class__ is int):
            r = _k.gelu_backward(_xp, a, self, approximate)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("gelu_backward", _k.gelu_backward, _xp, "arith", (grad_output, self, ), (approximate, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("gelu_backward", e, grad_output, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _gelu_with_slope(self, approximate):
    r = _k._gelu_with_slope(_xp, self._a, approximate)
    return tuple([_wrap_result(x) for x in r])


def silu(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.silu(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("silu", _k.silu, _xp, "arith", (self, ), ())
        except TypeError as e:
            raise _operand_error("silu", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def silu_(self):
    a = self._a
    try:
        _elementwise_into("silu_", _k.silu, _xp, "arith", (self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("silu_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "silu_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

silu_.moves_versions = True


def silu_backward(grad_output, self):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if self.__class__ is _Tensor or isinstance(self, _Tensor):
            if d is self._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k.silu_backward(_xp, a, self._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("silu_backward", _k.silu_backward, _xp, "arith", (grad_output, self, ), ())
        elif (d is _F32 or d is _F64) and (self.__class__ is float or self.__class__ is int):
            r = _k.silu_backward(_xp, a, self)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("silu_backward", _k.silu_backward, _xp, "arith", (grad_output, self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("silu_backward", e, grad_output, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def mish(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.mish(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("mish", _k.mish, _xp, "arith", (self, ), ())
        except TypeError as e:
            raise _operand_error("mish", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def mish_(self):
    a = self._a
    try:
        _elementwise_into("mish_", _k.mish, _xp, "arith", (self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("mish_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "mish_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

mish_.moves_versions = True


def mish_backward(grad_output, self):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if self.__class__ is _Tensor or isinstance(self, _Tensor):
            if d is self._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k.mish_backward(_xp, a, self._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("mish_backward", _k.mish_backward, _xp, "arith", (grad_output, self, ), ())
        elif (d is _F32 or d is _F64) and (self.__class__ is float or self.__class__ is int):
            r = _k.mish_backward(_xp, a, self)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("mish_backward", _k.mish_backward, _xp, "arith", (grad_output, self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("mish_backward", e, grad_output, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def elu(self, alpha=1, scale=1, input_scale=1):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.elu(_xp, a, alpha, scale, input_scale)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("elu", _k.elu, _xp, "arith", (self, ), (alpha, scale, input_scale, ))
        except TypeError as e:
            raise _operand_error("elu", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def elu_(self, alpha=1, scale=1, input_scale=1):
    a = self._a
    try:
        _elementwise_into("elu_", _k.elu, _xp, "arith", (self, ), (alpha, scale, input_scale, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("elu_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "elu_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

elu_.moves_versions = True


def _elu_backward(grad_output, self, alpha, scale, input_scale):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if self.__class__ is _Tensor or isinstance(self, _Tensor):
            if d is self._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k._elu_backward(_xp, a, self._a, alpha, scale, input_scale)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("_elu_backward", _k._elu_backward, _xp, "arith", (grad_output, self, ), (alpha, scale, input_scale, ))
        elif (d is _F32 or d is _F64) and (self.__class__ is float or self.__class__ is int):
            r = _k._elu_backward(_xp, a, self, alpha, scale, input_scale)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("_elu_backward", _k._elu_backward, _xp, "arith", (grad_output, self, ), (alpha, scale, input_scale, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("_elu_backward", e, grad_output, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def leaky_relu(self, negative_slope=0.01):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.leaky_relu(_xp, a, negative_slope)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("leaky_relu", _k.leaky_relu, _xp, "arith", (self, ), (negative_slope, ))
        except TypeError as e:
            raise _operand_error("leaky_relu", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def leaky_relu_(self, negative_slope=0.01):
    a = self._a
    try:
        _elementwise_into("leaky_relu_", _k.leaky_relu, _xp, "arith", (self, ), (negative_slope, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("leaky_relu_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "leaky_relu_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

leaky_relu_.moves_versions = True


def leaky_relu_backward(grad_output, self, negative_slope, self_is_result):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if self.__class__ is _Tensor or isinstance(self, _Tensor):
            if d is self._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k.leaky_relu_backward(_xp, a, self._a, negative_slope, self_is_result)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("leaky_relu_backward", _k.leaky_relu_backward, _xp, "arith", (grad_output, self, ), (negative_slope, self_is_result, ))
        elif (d is _F32 or d is _F64) and (self.__class__ is float or self.__class__ is int):
            r = _k.leaky_relu_backward(_xp, a, self, negative_slope, self_is_result)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("leaky_relu_backward", _k.leaky_relu_backward, _xp, "arith", (grad_output, self, ), (negative_slope, self_is_result, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("leaky_relu_backward", e, grad_output, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def hardtanh(self, min_val=-1, max_val=1):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.hardtanh(_xp, a, min_val, max_val)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("hardtanh", _k.hardtanh, _xp, "arith", (self, ), (min_val, max_val, ))
        except TypeError as e:
            raise _operand_error("hardtanh", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def hardtanh_(self, min_val=-1, max_val=1):
    a = self._a
    try:
        _elementwise_into("hardtanh_", _k.hardtanh, _xp, "arith", (self, ), (min_val, max_val, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("hardtanh_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "hardtanh_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

hardtanh_.moves_versions = True


def hardtanh_backward(grad_output, self, min_val, max_val):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if self.__class__ is _Tensor or isinstance(self, _Tensor):
            if d is self._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k.hardtanh_backward(_xp, a, self._a, min_val, max_val)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("hardtanh_backward", _k.hardtanh_backward, _xp, "arith", (grad_output, self, ), (min_val, max_val, ))
        elif (d is _F32 or d is _F64) and (self.__class__ is float or self.__class__ is int):
            r = _k.hardtanh_backward(_xp, a, self, min_val, max_val)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("hardtanh_backward", _k.hardtanh_backward, _xp, "arith", (grad_output, self, ), (min_val, max_val, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("hardtanh_backward", e, grad_output, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def hardsigmoid(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.hardsigmoid(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("hardsigmoid", _k.hardsigmoid, _xp, "arith", (self, ), ())
        except TypeError as e:
            raise _operand_error("hardsigmoid", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def hardsigmoid_(self):
    a = self._a
    try:
        _elementwise_into("hardsigmoid_", _k.hardsigmoid, _xp, "arith", (self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("hardsigmoid_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "hardsigmoid_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

hardsigmoid_.moves_versions = True


def hardsigmoid_backward(grad_output, self):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if self.__class__ is _Tensor or isinstance(self, _Tensor):
            if d is self._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k.hardsigmoid_backward(_xp, a, self._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("hardsigmoid_backward", _k.hardsigmoid_backward, _xp, "arith", (grad_output, self, ), ())
        elif (d is _F32 or d is _F64) and (self.__class__ is float or self.__class__ is int):
            r = _k.hardsigmoid_backward(_xp, a, self)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("hardsigmoid_backward", _k.hardsigmoid_backward, _xp, "arith", (grad_output, self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("hardsigmoid_backward", e, grad_output, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def hardswish(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.hardswish(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("hardswish", _k.hardswish, _xp, "arith", (self, ), ())
        except TypeError as e:
            raise _operand_error("hardswish", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def hardswish_(self):
    a = self._a
    try:
        _elementwise_into("hardswish_", _k.hardswish, _xp, "arith", (self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("hardswish_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "hardswish_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

hardswish_.moves_versions = True


def hardswish_backward(grad_output, self):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if self.__class__ is _Tensor or isinstance(self, _Tensor):
            if d is self._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k.hardswish_backward(_xp, a, self._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("hardswish_backward", _k.hardswish_backward, _xp, "arith", (grad_output, self, ), ())
        elif (d is _F32 or d is _F64) and (self.__class__ is float or self.__class__ is int):
            r = _k.hardswish_backward(_xp, a, self)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("hardswish_backward", _k.hardswish_backward, _xp, "arith", (grad_output, self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("hardswish_backward", e, grad_output, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def softplus(self, beta=1, threshold=20):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.softplus(_xp, a, beta, threshold)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("softplus", _k.softplus, _xp, "arith", (self, ), (beta, threshold, ))
        except TypeError as e:
            raise _operand_error("softplus", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def softplus_backward(grad_output, self, beta, threshold):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if self.__class__ is _Tensor or isinstance(self, _Tensor):
            if d is self._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k.softplus_backward(_xp, a, self._a, beta, threshold)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("softplus_backward", _k.softplus_backward, _xp, "arith", (grad_output, self, ), (beta, threshold, ))
        elif (d is _F32 or d is _F64) and (self.__class__ is float or self.__class__ is int):
            r = _k.softplus_backward(_xp, a, self, beta, threshold)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("softplus_backward", _k.softplus_backward, _xp, "arith", (grad_output, self, ), (beta, threshold, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("softplus_backward", e, grad_output, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def log_sigmoid(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.log_sigmoid(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("log_sigmoid", _k.log_sigmoid, _xp, "arith", (self, ), ())
        except TypeError as e:
            raise _operand_error("log_sigmoid", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _log_sigmoid_backward(grad_output, self):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if self.__class__ is _Tensor or isinstance(self, _Tensor):
            if d is self._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k._log_sigmoid_backward(_xp, a, self._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("_log_sigmoid_backward", _k._log_sigmoid_backward, _xp, "arith", (grad_output, self, ), ())
        elif (d is _F32 or d is _F64) and (self.__class__ is float or self.__class__ is int):
            r = _k._log_sigmoid_backward(_xp, a, self)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("_log_sigmoid_backward", _k._log_sigmoid_backward, _xp, "arith", (grad_output, self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("_log_sigmoid_backward", e, grad_output, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def hardshrink(self, lambd=0.5):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.hardshrink(_xp, a, lambd)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("hardshrink", _k.hardshrink, _xp, "arith", (self, ), (lambd, ))
        except TypeError as e:
            raise _operand_error("hardshrink", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def softshrink(self, lambd=0.5):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.softshrink(_xp, a, lambd)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("softshrink", _k.softshrink, _xp, "arith", (self, ), (lambd, ))
        except TypeError as e:
            raise _operand_error("softshrink", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _shrink_backward(grad_output, self, lambd):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if self.__class__ is _Tensor or isinstance(self, _Tensor):
            if d is self._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k._shrink_backward(_xp, a, self._a, lambd)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("_shrink_backward", _k._shrink_backward, _xp, "arith", (grad_output, self, ), (lambd, ))
        elif (d is _F32 or d is _F64) and (self.__class__ is float or self.__class__ is int):
            r = _k._shrink_backward(_xp, a, self, lambd)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("_shrink_backward", _k._shrink_backward, _xp, "arith", (grad_output, self, ), (lambd, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("_shrink_backward", e, grad_output, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def threshold(self, threshold, value):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.threshold(_xp, a, threshold, value)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("threshold", _k.threshold, _xp, "arith", (self, ), (threshold, value, ))
        except TypeError as e:
            raise _operand_error("threshold", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def threshold_(self, threshold, value):
    a = self._a
    try:
        _elementwise_into("threshold_", _k.threshold, _xp, "arith", (self, ), (threshold, value, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("threshold_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "threshold_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

threshold_.moves_versions = True


def _prelu_kernel(self, weight):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if weight.__class__ is _Tensor or isinstance(weight, _Tensor):
            if d is weight._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k._prelu_kernel(_xp, a, weight._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("_prelu_kernel", _k._prelu_kernel, _xp, "arith", (self, weight, ), ())
        elif (d is _F32 or d is _F64) and (weight.__class__ is float or weight.__class__ is int):
            r = _k._prelu_kernel(_xp, a, weight)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("_prelu_kernel", _k._prelu_kernel, _xp, "arith", (self, weight, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("_prelu_kernel", e, self, weight) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _rrelu_noise(self, lower, upper, generator=None):
    r = _k._rrelu_noise(_xp, self._a, lower, upper, generator)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
