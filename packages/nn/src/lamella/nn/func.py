"""Modules as functions of their state: what `torch.func` offers for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn.utils.stateless import functional_call as _functional_call

__all__ = ["functional_call", "replace_all_batch_norm_modules_", "stack_module_state"]


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Calls a module with other parameters and buffers, and leaves its own as they were.

    Args:
        module: the module.
        parameter_and_buffer_dicts: tensors by dotted name, or a sequence of such dicts with distinct names.
        args: the argument, or a tuple of them.
        kwargs: keyword arguments.
        tie_weights: a value for one name of a shared tensor counts for its other names.
        strict: the names must be exactly those of the module.

    Returns:
        What the module returns.

    Raises:
        ValueError: no dicts; different values for names that are tied, or a name in several of the dicts.
        RuntimeError: names that do not fit, if strict.

    Example:
        >>> from lamella import autograd, core, nn
        >>> fc = nn.Linear(2, 1, bias=False)
        >>> loss = lambda params, x: functional_call(fc, params, x).sum()
        >>> from lamella.autograd.func import grad
        >>> grad(loss)({"weight": core.ones(1, 2)}, core.ones(3, 2))
        {'weight': tensor([[3., 3.]])}
    """
    dicts = parameter_and_buffer_dicts
    if not isinstance(dicts, dict):
        if not isinstance(dicts, Sequence):
            raise ValueError(
                "functional_call: expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts "
                f"(got {type(dicts).__name__})"
            )
        if not all(isinstance(d, dict) for d in dicts):
            raise ValueError("functional_call: expected all elements of parameter_and_buffer_dicts to be dictionaries")
        dicts = tuple(dicts)
    return _functional_call(module, dicts, args, kwargs, tie_weights=tie_weights, strict=strict)


def stack_module_state(models: Any) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The state of several modules of one class, stacked: what `vmap` runs an ensemble with.

    Args:
        models: modules of the same class, in the same mode.

    Returns:
        ``(params, buffers)``: by name, tensors with one more dimension in front. The parameters are new leaves.

    Raises:
        RuntimeError: no modules, several classes or modes, or parameters that differ in ``requires_grad``.

    Example:
        >>> from lamella import nn
        >>> params, buffers = stack_module_state([nn.Linear(3, 2) for _ in range(5)])
        >>> params["weight"].shape
        torch.Size([5, 2, 3])
    """
    models = list(models)
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0")
    if len({bool(m.training) for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode")
    kinds = {type(m) for m in models}
    if len(kinds) > 1:
        names = sorted(k.__name__ for k in kinds)
        raise RuntimeError(f"stack_module_state: Expected all models to be of the same class (got {', '.join(names)})")
    params = [dict(m.named_parameters()) for m in models]
    buffers = [dict(m.named_buffers()) for m in models]
    return (
        {name: _stacked(name, [p[name] for p in params]) for name in params[0]},
        {name: _stacked(name, [b[name] for b in buffers]) for name in buffers[0]},
    )


def _stacked(name: str, tensors: list[Any]) -> Any:
    wanted = {t.requires_grad for t in tensors}
    if len(wanted) > 1:
        raise RuntimeError(f"stack_module_state: Expected {name} from each model to have the same .requires_grad")
    together: Any = core.stack(tensors)
    return together.detach().requires_grad_() if wanted.pop() else together


def replace_all_batch_norm_modules_(root: Any) -> Any:
    """Makes every batch norm below a module use the statistics of the batch only, in place; returns the module.

    Running statistics are written in forward, which `vmap` over examples cannot do.

    Args:
        root: the module.

    Example:
        >>> from lamella import nn
        >>> net = replace_all_batch_norm_modules_(nn.Sequential(nn.BatchNorm1d(3)))
        >>> net[0].running_mean is None, net[0].track_running_stats
        (True, False)
    """
    from lamella.nn.modules.batchnorm import _BatchNorm

    for module in root.modules():
        if isinstance(module, _BatchNorm):
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root
