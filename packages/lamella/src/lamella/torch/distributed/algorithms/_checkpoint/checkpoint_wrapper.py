"""torch.distributed.algorithms._checkpoint.checkpoint_wrapper: modules whose activations are computed again."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from typing import Any

from lamella.core import Tensor
from lamella.nn import Module

from ...._missing import lookup
from ....autograd.graph import save_on_cpu
from ....utils.checkpoint import checkpoint

__all__ = ["ActivationWrapper", "CheckpointImpl", "CheckpointWrapper", "OffloadWrapper",
           "apply_activation_checkpointing", "checkpoint_wrapper", "offload_wrapper"]

_CHECKPOINT_WRAPPED_MODULE = "_checkpoint_wrapped_module"
_CHECKPOINT_PREFIX = _CHECKPOINT_WRAPPED_MODULE + "."


class CheckpointImpl(enum.Enum):
    """How activations are computed again, as in `torch.utils.checkpoint.checkpoint`."""

    REENTRANT = enum.auto()
    NO_REENTRANT = enum.auto()


class ActivationWrapper(Module):
    """A module around another one, whose parameters keep the names that they have without it.

    Args:
        mod: the other module.
    """

    def __init__(self, mod: Module) -> None:
        super().__init__()
        self._checkpoint_wrapped_module = mod
        self._register_state_dict_hook(_without_prefix)
        self.register_load_state_dict_pre_hook(_with_prefix)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self._checkpoint_wrapped_module, name)

    def __getitem__(self, key: Any) -> Any:
        return self._checkpoint_wrapped_module[key]

    def named_parameters(self, *args: Any, **kwargs: Any) -> Iterator[tuple[str, Any]]:
        """The parameters, by the names that they have without wrappers."""
        for name, p in super().named_parameters(*args, **kwargs):
            yield name.replace(_CHECKPOINT_PREFIX, ""), p


def _renamed(state: Any, old: str, new: str) -> None:
    for key in [k for k in state if k.startswith(old)]:
        state[new + key.removeprefix(old)] = state.pop(key)


def _without_prefix(module: Module, state_dict: Any, prefix: str, *_args: Any) -> Any:
    _renamed(state_dict, prefix + _CHECKPOINT_PREFIX, prefix)
    return state_dict


def _with_prefix(module: Module, state_dict: Any, prefix: str, *_args: Any) -> None:
    _renamed(state_dict, prefix, prefix + _CHECKPOINT_PREFIX)


class OffloadWrapper(ActivationWrapper):
    """A module whose activations wait in the CPU's memory for backward."""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the module."""
        with save_on_cpu(pin_memory=True):
            return self._checkpoint_wrapped_module(*args, **kwargs)


class CheckpointWrapper(ActivationWrapper):
    """A module whose activations are not kept for backward but computed again; see `checkpoint_wrapper`."""

    def __init__(self, mod: Module, checkpoint_impl: CheckpointImpl = CheckpointImpl.NO_REENTRANT,
                 checkpoint_fn: Callable[..., Any] | None = None, **checkpoint_fn_kwargs: Any) -> None:
        super().__init__(mod)
        self.checkpoint_impl = checkpoint_impl
        self.checkpoint_fn = checkpoint if checkpoint_fn is None else checkpoint_fn
        self._options = dict(checkpoint_fn_kwargs)
        if checkpoint_fn is None:
            self._options["use_reentrant"] = checkpoint_impl is CheckpointImpl.REENTRANT

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the module."""
        inner = self._checkpoint_wrapped_module
        if self.checkpoint_impl is not CheckpointImpl.REENTRANT or not kwargs:
            return self.checkpoint_fn(inner, *args, **self._options, **kwargs)
        names, n = list(kwargs), len(args)  # the reentrant form takes positional arguments only

        def positional(*values: Any) -> Any:
            return inner(*values[:n], **dict(zip(names, values[n:], strict=True)))

        return self.checkpoint_fn(positional, *args, *kwargs.values(), **self._options)


def checkpoint_wrapper(module: Module, checkpoint_impl: CheckpointImpl = CheckpointImpl.NO_REENTRANT,
                       checkpoint_fn: Callable[..., Any] | None = None, **checkpoint_fn_kwargs: Any) -> Module:
    """Make a module's calls keep no activations for backward, which computes them again.

    Args:
        module: the module.
        checkpoint_impl: how; not used with a `checkpoint_fn`.
        checkpoint_fn: used instead of `torch.utils.checkpoint.checkpoint`.
        **checkpoint_fn_kwargs: further arguments for it.

    Returns:
        A module around it, with the same names of parameters in its state.

    Example:
        >>> from lamella import torch
        >>> model = checkpoint_wrapper(torch.nn.Linear(2, 1))
        >>> sorted(model.state_dict())
        ['bias', 'weight']
    """
    return CheckpointWrapper(module, checkpoint_impl, checkpoint_fn, **checkpoint_fn_kwargs)


def offload_wrapper(module: Module) -> Module:
    """Make a module's calls keep their activations in the CPU's memory.

    Args:
        module: the module.

    Returns:
        A module around it.
    """
    return OffloadWrapper(module)


def apply_activation_checkpointing(
    model: Module,
    checkpoint_wrapper_fn: Callable[[Module], Module] = checkpoint_wrapper,
    check_fn: Callable[[Module], bool] = lambda _: True,
    auto_wrap_policy: Any = None,
) -> None:
    """Wrap the parts of a model, not the model itself, in place.

    Args:
        model: the model.
        checkpoint_wrapper_fn: wraps a module.
        check_fn: whether to wrap a module.
        auto_wrap_policy: decides instead of `check_fn`; see `torch.distributed.fsdp.wrap`.
    """
    if hasattr(auto_wrap_policy, "_run_policy"):
        chosen = auto_wrap_policy._run_policy(model, set(), {})
        _wrap(model, checkpoint_wrapper_fn, lambda m, numel: m in chosen, lambda m: True)
    elif auto_wrap_policy is not None:
        _wrap(model, checkpoint_wrapper_fn,
              lambda m, numel: auto_wrap_policy(module=m, recurse=False, nonwrapped_numel=numel),
              lambda m: auto_wrap_policy(module=m, recurse=True, nonwrapped_numel=_numel(m)))
    else:
        _wrap(model, checkpoint_wrapper_fn, lambda m, numel: check_fn(m), lambda m: True)


def _numel(module: Module) -> int:
    return sum(p.numel() for p in module.parameters() if isinstance(p, Tensor))


def _wrap(module: Module, wrapper: Callable[[Module], Module], chosen: Callable[[Module, int], bool],
          enters: Callable[[Module], bool]) -> int:
    """Wrap the chosen ones below a module; how many elements the wrapped ones have."""
    wrapped = 0
    if not enters(module):
        return wrapped
    for name, child in module.named_children():
        below = _wrap(child, wrapper, chosen, enters)
        own = _numel(child)
        if chosen(child, own - below):
            setattr(module, name, wrapper(child))
            below = own
        wrapped += below
    return wrapped


__getattr__, __dir__ = lookup(__name__)
