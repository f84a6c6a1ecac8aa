# Generated from packages/nn/src/lamella/nn/ops/grid.yaml (sha256 52c0ba8725dd9dc1). Do not edit:
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
    _T_grid_sampler_2d,
    _T_grid_sampler_3d,
    _T__grid_sampler_backward,
) = _define(
    "aten",
    "lamella.nn.grid",
    (
        ('grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor', True),
        ('grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor', True),
        ('_grid_sampler_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)', False),
    ),
    {1: "lamella.nn._gen.grid_cpu", 2: "lamella.nn._gen.grid_cuda", 3: "lamella.nn._gen.grid_meta", 65: "lamella.nn.composite.grid", },
    "lamella.nn/ops/grid.yaml",
)


def op_grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners):
    try:
        ks = input._ks | grid._ks
    except AttributeError:
        raise _not_tensor("grid_sampler_2d", {"input": input, "grid": grid, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if interpolation_mode.__class__ is not int:
        interpolation_mode = _as_int("grid_sampler_2d", "interpolation_mode", interpolation_mode)
    if padding_mode.__class__ is not int:
        padding_mode = _as_int("grid_sampler_2d", "padding_mode", padding_mode)
    if align_corners is not False and align_corners is not True:
        align_corners = _as_bool("grid_sampler_2d", "align_corners", align_corners)
    try:
        return _T_grid_sampler_2d[ks](input, grid, interpolation_mode, padding_mode, align_corners)
    except Exception:
        _explain(_T_grid_sampler_2d, (input, grid, interpolation_mode, padding_mode, align_corners, ))
        raise


def op_grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners):
    try:
        ks = input._ks | grid._ks
    except AttributeError:
        raise _not_tensor("grid_sampler_3d", {"input": input, "grid": grid, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if interpolation_mode.__class__ is not int:
        interpolation_mode = _as_int("grid_sampler_3d", "interpolation_mode", interpolation_mode)
    if padding_mode.__class__ is not int:
        padding_mode = _as_int("grid_sampler_3d", "padding_mode", padding_mode)
    if align_corners is not False and align_corners is not True:
        align_corners = _as_bool("grid_sampler_3d", "align_corners", align_corners)
    try:
        return _T_grid_sampler_3d[ks](input, grid, interpolation_mode, padding_mode, align_corners)
    except Exception:
        _explain(_T_grid_sampler_3d, (input, grid, interpolation_mode, padding_mode, align_corners, ))
        raise


def op__grid_sampler_backward(grad_output, input, grid, interpolation_mode, padding_mode, align_corners, output_mask):
    try:
        ks = grad_output._ks | input._ks | grid._ks
    except AttributeError:
        raise _not_tensor("_grid_sampler_backward", {"grad_output": grad_output, "input": input, "grid": grid, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if interpolation_mode.__class__ is not int:
        interpolation_mode = _as_int("_grid_sampler_backward", "interpolation_mode", interpolation_mode)
    if padding_mode.__class__ is not int:
        padding_mode = _as_int("_grid_sampler_backward", "padding_mode", padding_mode)
    if align_corners is not False and align_corners is not True:
        align_corners = _as_bool("_grid_sampler_backward", "align_corners", align_corners)
    try:
        return _T__grid_sampler_backward[ks](grad_output, input, grid, interpolation_mode, padding_mode, align_corners, output_mask)
    except Exception:
        _explain(_T__grid_sampler_backward, (grad_output, input, grid, interpolation_mode, padding_mode, align_corners, output_mask, ))
        raise


METHODS = {
}


FUNCTIONS = {
}
