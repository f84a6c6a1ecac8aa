# Generated from packages/nn/src/lamella/nn/ops/vision.yaml (sha256 39c0aaa5401101bf). Do not edit:
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
    _T_upsample_nearest1d,
    _T_upsample_nearest2d,
    _T_upsample_nearest3d,
    _T__upsample_nearest_exact1d,
    _T__upsample_nearest_exact2d,
    _T__upsample_nearest_exact3d,
    _T_upsample_linear1d,
    _T_upsample_bilinear2d,
    _T_upsample_trilinear3d,
    _T_upsample_bicubic2d,
    _T__upsample_bilinear2d_aa,
    _T__upsample_bicubic2d_aa,
    _T__upsample_lanczos2d_aa,
    _T__upsample_backward,
) = _define(
    "aten",
    "lamella.nn.vision",
    (
        ('upsample_nearest1d(Tensor self, SymInt[] output_size, float[]? scales=None) -> Tensor', True),
        ('upsample_nearest2d(Tensor self, SymInt[] output_size, float[]? scales=None) -> Tensor', True),
        ('upsample_nearest3d(Tensor self, SymInt[] output_size, float[]? scales=None) -> Tensor', True),
        ('_upsample_nearest_exact1d(Tensor self, SymInt[] output_size, float[]? scales=None) -> Tensor', True),
        ('_upsample_nearest_exact2d(Tensor self, SymInt[] output_size, float[]? scales=None) -> Tensor', True),
        ('_upsample_nearest_exact3d(Tensor self, SymInt[] output_size, float[]? scales=None) -> Tensor', True),
        ('upsample_linear1d(Tensor self, SymInt[] output_size, bool align_corners, float[]? scales=None) -> Tensor', True),
        ('upsample_bilinear2d(Tensor self, SymInt[] output_size, bool align_corners, float[]? scales=None) -> Tensor', True),
        ('upsample_trilinear3d(Tensor self, SymInt[] output_size, bool align_corners, float[]? scales=None) -> Tensor', True),
        ('upsample_bicubic2d(Tensor self, SymInt[] output_size, bool align_corners, float[]? scales=None) -> Tensor', True),
        ('_upsample_bilinear2d_aa(Tensor self, SymInt[] output_size, bool align_corners, float[]? scales=None) -> Tensor', True),
        ('_upsample_bicubic2d_aa(Tensor self, SymInt[] output_size, bool align_corners, float[]? scales=None) -> Tensor', True),
        ('_upsample_lanczos2d_aa(Tensor self, SymInt[] output_size, bool align_corners, float[]? scales=None) -> Tensor', True),
        ('_upsample_backward(Tensor grad_output, int[] size, str mode, bool align_corners, float[]? scales) -> Tensor', True),
    ),
    {1: "lamella.nn._gen.vision_cpu", 2: "lamella.nn._gen.vision_cuda", 3: "lamella.nn._gen.vision_meta", 65: "lamella.nn.composite.vision", },
    "lamella.nn/ops/vision.yaml",
)


def op_upsample_nearest1d(self, output_size, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("upsample_nearest1d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("upsample_nearest1d", "output_size", output_size, False)
    try:
        return _T_upsample_nearest1d[ks](self, output_size, scales)
    except Exception:
        _explain(_T_upsample_nearest1d, (self, output_size, scales, ))
        raise


def op_upsample_nearest2d(self, output_size, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("upsample_nearest2d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("upsample_nearest2d", "output_size", output_size, False)
    try:
        return _T_upsample_nearest2d[ks](self, output_size, scales)
    except Exception:
        _explain(_T_upsample_nearest2d, (self, output_size, scales, ))
        raise


def op_upsample_nearest3d(self, output_size, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("upsample_nearest3d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("upsample_nearest3d", "output_size", output_size, False)
    try:
        return _T_upsample_nearest3d[ks](self, output_size, scales)
    except Exception:
        _explain(_T_upsample_nearest3d, (self, output_size, scales, ))
        raise


def op__upsample_nearest_exact1d(self, output_size, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_upsample_nearest_exact1d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("_upsample_nearest_exact1d", "output_size", output_size, False)
    try:
        return _T__upsample_nearest_exact1d[ks](self, output_size, scales)
    except Exception:
        _explain(_T__upsample_nearest_exact1d, (self, output_size, scales, ))
        raise


def op__upsample_nearest_exact2d(self, output_size, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_upsample_nearest_exact2d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("_upsample_nearest_exact2d", "output_size", output_size, False)
    try:
        return _T__upsample_nearest_exact2d[ks](self, output_size, scales)
    except Exception:
        _explain(_T__upsample_nearest_exact2d, (self, output_size, scales, ))
        raise


def op__upsample_nearest_exact3d(self, output_size, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_upsample_nearest_exact3d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("_upsample_nearest_exact3d", "output_size", output_size, False)
    try:
        return _T__upsample_nearest_exact3d[ks](self, output_size, scales)
    except Exception:
        _explain(_T__upsample_nearest_exact3d, (self, output_size, scales, ))
        raise


def op_upsample_linear1d(self, output_size, align_corners, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("upsample_linear1d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("upsample_linear1d", "output_size", output_size, False)
    if align_corners is not False and align_corners is not True:
        align_corners = _as_bool("upsample_linear1d", "align_corners", align_corners)
    try:
        return _T_upsample_linear1d[ks](self, output_size, align_corners, scales)
    except Exception:
        _explain(_T_upsample_linear1d, (self, output_size, align_corners, scales, ))
        raise


def op_upsample_bilinear2d(self, output_size, align_corners, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("upsample_bilinear2d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("upsample_bilinear2d", "output_size", output_size, False)
    if align_corners is not False and align_corners is not True:
        align_corners = _as_bool("upsample_bilinear2d", "align_corners", align_corners)
    try:
        return _T_upsample_bilinear2d[ks](self, output_size, align_corners, scales)
    except Exception:
        _explain(_T_upsample_bilinear2d, (self, output_size, align_corners, scales, ))
        raise


def op_upsample_trilinear3d(self, output_size, align_corners, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("upsample_trilinear3d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("upsample_trilinear3d", "output_size", output_size, False)
    if align_corners is not False and align_corners is not True:
        align_corners = _as_bool("upsample_trilinear3d", "align_corners", align_corners)
    try:
        return _T_upsample_trilinear3d[ks](self, output_size, align_corners, scales)
    except Exception:
        _explain(_T_upsample_trilinear3d, (self, output_size, align_corners, scales, ))
        raise


def op_upsample_bicubic2d(self, output_size, align_corners, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("upsample_bicubic2d", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("upsample_bicubic2d", "output_size", output_size, False)
    if align_corners is not False and align_corners is not True:
        align_corners = _as_bool("upsample_bicubic2d", "align_corners", align_corners)
    try:
        return _T_upsample_bicubic2d[ks](self, output_size, align_corners, scales)
    except Exception:
        _explain(_T_upsample_bicubic2d, (self, output_size, align_corners, scales, ))
        raise


def op__upsample_bilinear2d_aa(self, output_size, align_corners, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_upsample_bilinear2d_aa", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("_upsample_bilinear2d_aa", "output_size", output_size, False)
    if align_corners is not False and align_corners is not True:
        align_corners = _as_bool("_upsample_bilinear2d_aa", "align_corners", align_corners)
    try:
        return _T__upsample_bilinear2d_aa[ks](self, output_size, align_corners, scales)
    except Exception:
        _explain(_T__upsample_bilinear2d_aa, (self, output_size, align_corners, scales, ))
        raise


def op__upsample_bicubic2d_aa(self, output_size, align_corners, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_upsample_bicubic2d_aa", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("_upsample_bicubic2d_aa", "output_size", output_size, False)
    if align_corners is not False and align_corners is not True:
        align_corners = _as_bool("_upsample_bicubic2d_aa", "align_corners", align_corners)
    try:
        return _T__upsample_bicubic2d_aa[ks](self, output_size, align_corners, scales)
    except Exception:
        _explain(_T__upsample_bicubic2d_aa, (self, output_size, align_corners, scales, ))
        raise


def op__upsample_lanczos2d_aa(self, output_size, align_corners, scales=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_upsample_lanczos2d_aa", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES:
        output_size = _as_ints("_upsample_lanczos2d_aa", "output_size", output_size, False)
    if align_corners is not False and align_corners is not True:
        align_corners = _as_bool("_upsample_lanczos2d_aa", "align_corners", align_corners)
    try:
        return _T__upsample_lanczos2d_aa[ks](self, output_size, align_corners, scales)
    except Exception:
        _explain(_T__upsample_lanczos2d_aa, (self, output_size, align_corners, scales, ))
        raise


def op__upsample_backward(grad_output, size, mode, align_corners, scales):
    try:
        ks = grad_output._ks
    except AttributeError:
        raise _not_tensor("_upsample_backward", {"grad_output": grad_output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if size.__class__ not in _SEQUENCES:
        size = _as_ints("_upsample_backward", "size", size, False)
    if align_corners is not False and align_corners is not True:
        align_corners = _as_bool("_upsample_backward", "align_corners", align_corners)
    try:
        return _T__upsample_backward[ks](grad_output, size, mode, align_corners, scales)
    except Exception:
        _explain(_T__upsample_backward, (grad_output, size, mode, align_corners, scales, ))
        raise


METHODS = {
}


FUNCTIONS = {
}
