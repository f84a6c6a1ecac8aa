"""Lazy layers: they learn their input size from the first input."""

from __future__ import annotations

from typing import Any

from lamella.nn.parameter import is_lazy

__all__ = ["LazyModuleMixin"]


class LazyModuleMixin:
    """Makes a layer's parameters when it is first called, and turns it into the ordinary layer then.

    A lazy layer defines `initialize_parameters(*args)` and names the ordinary class in `cls_to_become`.

    Example:
        >>> from lamella import core, nn
        >>> layer = nn.LazyLinear(3)
        >>> layer(core.zeros(2, 5)).shape
        torch.Size([2, 3])
        >>> layer
        Linear(in_features=5, out_features=3, bias=True)
    """

    cls_to_become: Any = None
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        here: Any = self
        self._load_hook = here._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = here.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        here: Any = self
        for name, t in [*self._parameters.items(), *self._buffers.items()]:
            if t is None or name in here._non_persistent_buffers_set:
                continue
            destination[prefix + name] = t if keep_vars or is_lazy(t) else t.detach()

    def _lazy_load_hook(self, state_dict: Any, prefix: str, *rest: Any) -> None:
        """A checkpoint with shapes decides the shapes of this layer."""
        for name, t in [*self._parameters.items(), *self._buffers.items()]:
            key = prefix + name
            if key in state_dict and t is not None and is_lazy(t) and not is_lazy(state_dict[key]):
                t.materialize(state_dict[key].shape)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Makes the parameters for inputs like these; lazy layers define it."""
        raise NotImplementedError(f"initialize_parameters: {type(self).__name__} does not define it")

    def has_uninitialized_params(self) -> bool:
        """Whether some parameter or buffer has no shape yet."""
        return any(is_lazy(t) for t in [*self._parameters.values(), *self._buffers.values()])

    def _infer_parameters(self, module: Any, args: Any, kwargs: Any = None) -> None:
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"{type(self).__name__}: it still has uninitialized parameters after its first input")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook
        del module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become
