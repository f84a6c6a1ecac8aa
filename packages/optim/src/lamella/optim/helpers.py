"""What optimizers written outside of torch import from ``torch.optim.optimizer``, underscores and all."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from lamella import core
from lamella.autograd.grad_mode import set_grad_enabled
from lamella.core.tensor import Tensor

_params_doc = "params: tensors, dicts of parameter groups, or pairs of name and tensor."
_foreach_doc = "foreach: accepted; there is one implementation."
_fused_doc = "fused: accepted; there is one implementation."
_capturable_doc = "capturable: accepted; steps can be captured as they are."
_differentiable_doc = "differentiable: let autograd record the step."
_maximize_doc = "maximize: climb instead of descend."


def _use_grad_for_differentiable(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a ``step`` so that autograd records it exactly if ``defaults["differentiable"]`` says so."""

    @functools.wraps(func)
    def step(self: Any, *args: Any, **kwargs: Any) -> Any:
        with set_grad_enabled(bool(self.defaults["differentiable"])):
            return func(self, *args, **kwargs)

    return step


def _to_scalar(x: Any) -> Any:
    """Give a one-element tensor no dimensions; other things stay."""
    return x.squeeze() if isinstance(x, Tensor) and x.dim() else x  # type: ignore[attr-defined]


def _get_value(x: Any) -> Any:
    """Return a one-element tensor's number; numbers as they are."""
    return x.item() if isinstance(x, Tensor) else x


def _stack_if_compiling(x: Any) -> Any:
    """Return a list of numbers as it is."""
    return x


def _dispatch_sqrt(x: Any) -> Any:
    """Return the square root of a tensor or a number."""
    return x.sqrt() if isinstance(x, Tensor) else x**0.5


def _get_scalar_dtype(is_fused: bool | None = None) -> Any:
    """Return the type of step counts."""
    return core.float64 if not is_fused and core.get_default_dtype() is core.float64 else core.float32


def _get_capturable_supported_devices(supports_xla: bool = True) -> list[str]:
    """Return the device types whose steps can be captured."""
    return ["cpu", "cuda"]


def _default_to_fused_or_foreach(params: Any, differentiable: bool, use_fused: bool = False) -> tuple[bool, bool]:
    """Return which of fused and foreach to choose: neither, one tensor at a time is right everywhere."""
    return False, False


def _device_dtype_check_for_fused(p: Tensor, cuda_unsupported: bool = False) -> None:
    """Raise RuntimeError for a parameter that is no floating-point tensor."""
    if not p.is_floating_point():
        raise RuntimeError(f"fused=True: all params must be floating point Tensors (got {p.dtype})")


def _disable_dynamo_if_unsupported(single_tensor_fn: Any = None) -> Callable[[Any], Any]:
    """Decorate nothing: there is no tracer to hide from."""
    return lambda func: func


def _view_as_real(params: list[Tensor], *state_and_grads: list[Tensor]) -> None:
    """Replace complex tensors in lists by their real views."""
    for i, p in enumerate(params):
        if p.is_complex():
            params[i] = core.view_as_real(p)
            for tensors in state_and_grads:
                tensors[i] = core.view_as_real(tensors[i])
