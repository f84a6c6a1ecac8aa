"""torch.nn.parallel: modules on several devices."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor
from lamella.core.devices import device as _device
from lamella.nn import Module

from ... import cuda
from ..._missing import lookup

__all__ = ["DataParallel"]


class DataParallel(Module):
    """A module on one GPU, to which batches are moved; without GPUs, as in torch, the module is simply called.

    Torch shares batches between several GPUs; the results are the same on one.

    Args:
        module: the module.
        device_ids: the GPU (None: the current one, where there is any).
        output_device: where results go (None: they stay).
        dim: the dimension along which a batch would be shared.

    Raises:
        RuntimeError: if ``device_ids`` names a GPU that is not there, or several.
    """

    def __init__(self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        if device_ids and not cuda.is_available():
            raise RuntimeError(f"DataParallel: there is no GPU that lamella can use (device_ids={list(device_ids)})\n"
                               "hint: leave device_ids out")
        if device_ids and len(device_ids) > 1:
            raise RuntimeError("DataParallel: batches are not shared between GPUs yet "
                               f"(device_ids={list(device_ids)})\nhint: name one GPU")
        self.dim = dim
        self.module = module
        self.device_ids: list[Any] = []
        self.output_device = output_device
        if cuda.is_available():
            where = _device(device_ids[0] if device_ids else "cuda")
            self.device_ids = [cuda.current_device() if where.index is None else where.index]
            self.module.to(_device("cuda", self.device_ids[0]))

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the module, on the GPU where there is one."""
        if not self.device_ids:
            return self.module(*inputs, **kwargs)
        where = _device("cuda", self.device_ids[0])
        out = self.module(*_moved(inputs, where), **_moved(kwargs, where))
        return out if self.output_device is None else _moved(out, _device(self.output_device))


def _moved(value: Any, where: Any) -> Any:
    """Nested containers with their tensors on a device."""
    if isinstance(value, Tensor):
        return value.to(where)
    if isinstance(value, dict):
        return {k: _moved(v, where) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        items = [_moved(v, where) for v in value]
        return type(value)._make(items) if hasattr(value, "_make") else type(value)(items)
    return value


__getattr__, __dir__ = lookup(
    __name__, submodules=("distributed",),
    elsewhere={"DistributedDataParallel": "lamella.distributed.parallel"},
)
