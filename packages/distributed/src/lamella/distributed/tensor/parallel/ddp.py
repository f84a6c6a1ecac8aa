"""Tensor parallelism inside data parallelism: for DistributedDataParallel the ranks' parts are the parameters."""

from __future__ import annotations

from typing import Any

from .._dtensor import DTensor, _FromLocal

__all__: list[str] = []


def _pre_dp_module_transform(module: Any) -> None:
    """Make a module of DTensors one of local parameters that `DistributedDataParallel` takes.

    The parts become the module's parameters, over the same memory; while it runs they stand for the whole again.

    Args:
        module: what `parallelize_module` made.
    """
    found = []
    for part in module.modules():
        for key, p in list(part._parameters.items()):
            if isinstance(p, DTensor):
                found.append((part, key, p._spec))
                part._parameters[key] = _local(p)
    _Swap(module, found)


def _local(p: DTensor) -> Any:
    from ...layers import Parameter

    made = Parameter(p._local_tensor.detach(), requires_grad=p.requires_grad)
    made._st_info = p._spec
    return made


class _Swap:
    """Local parameters outside of forward, DTensors of them within."""

    def __init__(self, module: Any, found: list[Any]) -> None:
        self.found = found
        self.kept: list[Any] = []
        module.register_forward_pre_hook(self.enter)
        module.register_forward_hook(self.leave, always_call=True)

    def enter(self, module: Any, inputs: Any) -> None:
        """Put DTensors, through which gradients flow to the parts, in place of the parameters."""
        self.kept = [(part, key, part._parameters[key]) for part, key, _ in self.found]
        for part, key, spec in self.found:
            part._parameters[key] = _FromLocal.apply(part._parameters[key], spec, None)

    def leave(self, module: Any, inputs: Any, output: Any) -> None:
        """Put the parameters back."""
        for part, key, p in self.kept:
            part._parameters[key] = p
        self.kept = []
