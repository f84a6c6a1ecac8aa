"""torch.nn.parallel: modules on several devices."""

from __future__ import annotations

from typing import Any

from lamella.nn import Module

from ..._missing import lookup

__all__ = ["DataParallel"]


class DataParallel(Module):
    """A module whose batches would be shared between GPUs; without GPUs, as in torch, the module is simply called.

    Args:
        module: the module.
        device_ids, output_device: GPUs.
        dim: the dimension along which a batch would be shared.

    Raises:
        RuntimeError: if ``device_ids`` names a GPU.
    """

    def __init__(self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        if device_ids:
            raise RuntimeError(f"DataParallel: there is no GPU that lamella can use (device_ids={list(device_ids)})\n"
                               "hint: leave device_ids out")
        self.dim = dim
        self.module = module
        self.device_ids: list[Any] = []
        self.output_device = output_device

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the module."""
        return self.module(*inputs, **kwargs)


__getattr__, __dir__ = lookup(__name__)
