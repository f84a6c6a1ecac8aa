"""Automatic differentiation: graphs of nodes, the engine that runs them backwards, and what users call."""

from importlib import import_module as _import_module
from typing import Any as _Any

from lamella.dispatch import registry as _registry
from lamella.dispatch.keys import DispatchKey as _DispatchKey

from . import variable as _variable
from ._gen.families import DERIVATIVES as _DERIVATIVES
from .entry import backward, grad
from .grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from .gradcheck import GradcheckError, gradcheck, gradgradcheck
from .graph import GradientEdge, Node, get_gradient_edge
from .hooks import RemovableHandle
from .missing import missing_derivative as _missing_derivative
from .variable import Variable


def _gradient_layer(op: _Any, ks: int, lower: _Any, formula: _Any) -> _Any:
    from .custom import layer

    return layer(op, ks, lower, formula)


_variable.install()
_registry.provide(_DispatchKey.Autograd, {f: f"{__name__}._gen.{f}" for f in _DERIVATIVES})
_registry.install(missing_derivative=_missing_derivative, gradient_layer=_gradient_layer)

# Loaded when first used.
_LAZY = {
    "Function": "function", "FunctionCtx": "function", "InplaceFunction": "function", "once_differentiable": "once",
    "detect_anomaly": "anomaly", "set_detect_anomaly": "anomaly", "is_anomaly_enabled": "anomaly",
    "is_anomaly_check_nan_enabled": "anomaly",
    "register_multi_grad_hook": "multi_hook", "increment_version": "variable",
    "saved_tensors_hooks": "saved", "save_on_cpu": "saved", "disable_saved_tensors_hooks": "saved",
    "graph_text": "viz", "graph_dot": "viz", "vmap": "transforms.batched",
}


def __getattr__(name: str) -> _Any:
    if name in ("forward_ad", "func", "functional"):
        return _import_module(f".{name}", __name__)
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    loaded = _import_module(f".{module}", __name__)
    value = globals()[name] = getattr(loaded, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


__all__ = [
    "Function", "GradcheckError", "GradientEdge", "Node", "RemovableHandle", "Variable", "backward", "detect_anomaly",
    "disable_saved_tensors_hooks", "enable_grad", "get_gradient_edge", "grad", "gradcheck", "gradgradcheck",
    "graph_dot",
    "graph_text", "inference_mode", "is_anomaly_enabled", "is_grad_enabled", "is_inference_mode_enabled", "no_grad",
    "once_differentiable", "save_on_cpu", "saved_tensors_hooks", "set_detect_anomaly", "set_grad_enabled",
    "set_multithreading_enabled", "vmap",
]
