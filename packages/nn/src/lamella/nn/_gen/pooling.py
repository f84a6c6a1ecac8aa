# Generated from packages/nn/src/lamella/nn/ops/pooling.yaml (sha256 d72bce4a02a185cd). Do not edit:
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
    _T__max_pool,
    _T__max_pool2d_with_places,
    _T__max_pool3d_with_places,
    _T__max_pool_put,
    _T__max_pool_take,
    _T__max_pool_index,
    _T_avg_pool1d,
    _T_avg_pool2d,
    _T_avg_pool3d,
    _T__avg_pool_backward,
) = _define(
    "aten",
    "lamella.nn.pooling",
    (
        ('_max_pool(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool ceil_mode) -> Tensor', False),
        ('_max_pool2d_with_places(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool ceil_mode) -> (Tensor, Tensor)', True),
        ('_max_pool3d_with_places(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool ceil_mode) -> (Tensor, Tensor)', True),
        ('_max_pool_put(Tensor self, Tensor places, int[] size, int[] kernel_size, int[] stride, int[] padding, int[] dilation) -> Tensor', True),
        ('_max_pool_take(Tensor self, Tensor places, int[] kernel_size, int[] stride, int[] padding, int[] dilation) -> Tensor', True),
        ('_max_pool_index(Tensor places, int[] size, int[] kernel_size, int[] stride, int[] padding, int[] dilation) -> Tensor', False),
        ('avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor', True),
        ('avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor', True),
        ('avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor', True),
        ('_avg_pool_backward(Tensor grad_output, int[] size, int[] kernel_size, int[] stride, int[] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor', True),
    ),
    {1: "lamella.nn._gen.pooling_cpu", 2: "lamella.nn._gen.pooling_cuda", 3: "lamella.nn._gen.pooling_meta", 65: "lamella.nn.composite.pooling", },
    "lamella.nn/ops/pooling.yaml",
)


def op__max_pool(self, kernel_size, stride, padding, dilation, ceil_mode):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_max_pool", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if kernel_size.__class__ not in _SEQUENCES:
        kernel_size = _as_ints("_max_pool", "kernel_size", kernel_size, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("_max_pool", "stride", stride, False)
    if padding.__class__ not in _SEQUENCES:
        padding = _as_ints("_max_pool", "padding", padding, False)
    if dilation.__class__ not in _SEQUENCES:
        dilation = _as_ints("_max_pool", "dilation", dilation, False)
    if ceil_mode is not False and ceil_mode is not True:
        ceil_mode = _as_bool("_max_pool", "ceil_mode", ceil_mode)
    try:
        return _T__max_pool[ks](self, kernel_size, stride, padding, dilation, ceil_mode)
    except Exception:
        _explain(_T__max_pool, (self, kernel_size, stride, padding, dilation, ceil_mode, ))
        raise


def op__max_pool2d_with_places(self, kernel_size, stride, padding, dilation, ceil_mode):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_max_pool2d_with_places", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if kernel_size.__class__ not in _SEQUENCES:
        kernel_size = _as_ints("_max_pool2d_with_places", "kernel_size", kernel_size, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("_max_pool2d_with_places", "stride", stride, False)
    if padding.__class__ not in _SEQUENCES:
        padding = _as_ints("_max_pool2d_with_places", "padding", padding, False)
    if dilation.__class__ not in _SEQUENCES:
        dilation = _as_ints("_max_pool2d_with_places", "dilation", dilation, False)
    if ceil_mode is not False and ceil_mode is not True:
        ceil_mode = _as_bool("_max_pool2d_with_places", "ceil_mode", ceil_mode)
    try:
        return _T__max_pool2d_with_places[ks](self, kernel_size, stride, padding, dilation, ceil_mode)
    except Exception:
        _explain(_T__max_pool2d_with_places, (self, kernel_size, stride, padding, dilation, ceil_mode, ))
        raise


def op__max_pool3d_with_places(self, kernel_size, stride, padding, dilation, ceil_mode):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_max_pool3d_with_places", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if kernel_size.__class__ not in _SEQUENCES:
        kernel_size = _as_ints("_max_pool3d_with_places", "kernel_size", kernel_size, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("_max_pool3d_with_places", "stride", stride, False)
    if padding.__class__ not in _SEQUENCES:
        padding = _as_ints("_max_pool3d_with_places", "padding", padding, False)
    if dilation.__class__ not in _SEQUENCES:
        dilation = _as_ints("_max_pool3d_with_places", "dilation", dilation, False)
    if ceil_mode is not False and ceil_mode is not True:
        ceil_mode = _as_bool("_max_pool3d_with_places", "ceil_mode", ceil_mode)
    try:
        return _T__max_pool3d_with_places[ks](self, kernel_size, stride, padding, dilation, ceil_mode)
    except Exception:
        _explain(_T__max_pool3d_with_places, (self, kernel_size, stride, padding, dilation, ceil_mode, ))
        raise


def op__max_pool_put(self, places, size, kernel_size, stride, padding, dilation):
    try:
        ks = self._ks | places._ks
    except AttributeError:
        raise _not_tensor("_max_pool_put", {"self": self, "places": places, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("_max_pool_put", "size", size, False)
    if kernel_size.__class__ not in _SEQUENCES:
        kernel_size = _as_ints("_max_pool_put", "kernel_size", kernel_size, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("_max_pool_put", "stride", stride, False)
    if padding.__class__ not in _SEQUENCES:
        padding = _as_ints("_max_pool_put", "padding", padding, False)
    if dilation.__class__ not in _SEQUENCES:
        dilation = _as_ints("_max_pool_put", "dilation", dilation, False)
    try:
        return _T__max_pool_put[ks](self, places, size, kernel_size, stride, padding, dilation)
    except Exception:
        _explain(_T__max_pool_put, (self, places, size, kernel_size, stride, padding, dilation, ))
        raise


def op__max_pool_take(self, places, kernel_size, stride, padding, dilation):
    try:
        ks = self._ks | places._ks
    except AttributeError:
        raise _not_tensor("_max_pool_take", {"self": self, "places": places, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if kernel_size.__class__ not in _SEQUENCES:
        kernel_size = _as_ints("_max_pool_take", "kernel_size", kernel_size, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("_max_pool_take", "stride", stride, False)
    if padding.__class__ not in _SEQUENCES:
        padding = _as_ints("_max_pool_take", "padding", padding, False)
    if dilation.__class__ not in _SEQUENCES:
        dilation = _as_ints("_max_pool_take", "dilation", dilation, False)
    try:
        return _T__max_pool_take[ks](self, places, kernel_size, stride, padding, dilation)
    except Exception:
        _explain(_T__max_pool_take, (self, places, kernel_size, stride, padding, dilation, ))
        raise


def op__max_pool_index(places, size, kernel_size, stride, padding, dilation):
    try:
        ks = places._ks
    except AttributeError:
        raise _not_tensor("_max_pool_index", {"places": places, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("_max_pool_index", "size", size, False)
    if kernel_size.__class__ not in _SEQUENCES:
        kernel_size = _as_ints("_max_pool_index", "kernel_size", kernel_size, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("_max_pool_index", "stride", stride, False)
    if padding.__class__ not in _SEQUENCES:
        padding = _as_ints("_max_pool_index", "padding", padding, False)
    if dilation.__class__ not in _SEQUENCES:
        dilation = _as_ints("_max_pool_index", "dilation", dilation, False)
    try:
        return _T__max_pool_index[ks](places, size, kernel_size, stride, padding, dilation)
    except Exception:
        _explain(_T__max_pool_index, (places, size, kernel_size, stride, padding, dilation, ))
        raise


def op_avg_pool1d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("avg_pool1d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if kernel_size.__class__ not in _SEQUENCES and kernel_size.__class__ is not int:
        kernel_size = _as_ints("avg_pool1d", "kernel_size", kernel_size, True)
    if stride is not None and stride.__class__ not in _SEQUENCES and stride.__class__ is not int:
        stride = _as_ints("avg_pool1d", "stride", stride, True)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("avg_pool1d", "padding", padding, True)
    if ceil_mode is not False and ceil_mode is not True:
        ceil_mode = _as_bool("avg_pool1d", "ceil_mode", ceil_mode)
    if count_include_pad is not False and count_include_pad is not True:
        count_include_pad = _as_bool("avg_pool1d", "count_include_pad", count_include_pad)
    try:
        return _T_avg_pool1d[ks](self, kernel_size, stride, padding, ceil_mode, count_include_pad)
    except Exception:
        _explain(_T_avg_pool1d, (self, kernel_size, stride, padding, ceil_mode, count_include_pad, ))
        raise


def op_avg_pool2d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("avg_pool2d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if kernel_size.__class__ not in _SEQUENCES and kernel_size.__class__ is not int:
        kernel_size = _as_ints("avg_pool2d", "kernel_size", kernel_size, True)
    if stride is not None and stride.__class__ not in _SEQUENCES and stride.__class__ is not int:
        stride = _as_ints("avg_pool2d", "stride", stride, True)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("avg_pool2d", "padding", padding, True)
    if ceil_mode is not False and ceil_mode is not True:
        ceil_mode = _as_bool("avg_pool2d", "ceil_mode", ceil_mode)
    if count_include_pad is not False and count_include_pad is not True:
        count_include_pad = _as_bool("avg_pool2d", "count_include_pad", count_include_pad)
    if divisor_override is not None and divisor_override.__class__ is not int:
        divisor_override = _as_int("avg_pool2d", "divisor_override", divisor_override)
    try:
        return _T_avg_pool2d[ks](self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    except Exception:
        _explain(_T_avg_pool2d, (self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, ))
        raise


def op_avg_pool3d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("avg_pool3d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if kernel_size.__class__ not in _SEQUENCES and kernel_size.__class__ is not int:
        kernel_size = _as_ints("avg_pool3d", "kernel_size", kernel_size, True)
    if stride is not None and stride.__class__ not in _SEQUENCES and stride.__class__ is not int:
        stride = _as_ints("avg_pool3d", "stride", stride, True)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("avg_pool3d", "padding", padding, True)
    if ceil_mode is not False and ceil_mode is not True:
        ceil_mode = _as_bool("avg_pool3d", "ceil_mode", ceil_mode)
    if count_include_pad is not False and count_include_pad is not True:
        count_include_pad = _as_bool("avg_pool3d", "count_include_pad", count_include_pad)
    if divisor_override is not None and divisor_override.__class__ is not int:
        divisor_override = _as_int("avg_pool3d", "divisor_override", divisor_override)
    try:
        return _T_avg_pool3d[ks](self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    except Exception:
        _explain(_T_avg_pool3d, (self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, ))
        raise


def op__avg_pool_backward(grad_output, size, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    try:
        ks = grad_output._ks
    except AttributeError:
        raise _not_tensor("_avg_pool_backward", {"grad_output": grad_output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("_avg_pool_backward", "size", size, False)
    if kernel_size.__class__ not in _SEQUENCES:
        kernel_size = _as_ints("_avg_pool_backward", "kernel_size", kernel_size, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("_avg_pool_backward", "stride", stride, False)
    if padding.__class__ not in _SEQUENCES:
        padding = _as_ints("_avg_pool_backward", "padding", padding, False)
    if ceil_mode is not False and ceil_mode is not True:
        ceil_mode = _as_bool("_avg_pool_backward", "ceil_mode", ceil_mode)
    if count_include_pad is not False and count_include_pad is not True:
        count_include_pad = _as_bool("_avg_pool_backward", "count_include_pad", count_include_pad)
    if divisor_override is not None and divisor_override.__class__ is not int:
        divisor_override = _as_int("_avg_pool_backward", "divisor_override", divisor_override)
    try:
        return _T__avg_pool_backward[ks](grad_output, size, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    except Exception:
        _explain(_T__avg_pool_backward, (grad_output, size, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, ))
        raise


METHODS = {
}


FUNCTIONS = {
}
