"""torch.optim.swa_utils: averages of a model's parameters over training."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterable
from typing import Any

from lamella.nn import Module
from lamella.optim.swa_utils import (
    SWALR,
    get_ema_avg_fn,
    get_ema_multi_avg_fn,
    get_swa_avg_fn,
    get_swa_multi_avg_fn,
)

from .._missing import lookup

__all__ = [
    "AveragedModel",
    "SWALR",
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]


class AveragedModel(Module):
    """A copy of a model whose parameters are averages over the model's states.

    Args:
        model: the model; its copy is ``self.module``.
        device: where the copy is kept.
        avg_fn: makes the new average of one parameter from the old one, the current value and how many there were.
        multi_avg_fn: the same for lists of parameters, which it updates. Without either all states count the same.
        use_buffers: average buffers too; otherwise they are copied from the model.

    Raises:
        AssertionError: if both functions are given.

    Example:
        >>> from lamella import torch
        >>> model = torch.nn.Linear(1, 1)
        >>> averaged = AveragedModel(model)
        >>> averaged.update_parameters(model)
        >>> averaged.n_averaged
        tensor(1)
    """

    n_averaged: Any

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Callable[..., Any] | None = None,
        multi_avg_fn: Callable[..., Any] | None = None,
        use_buffers: bool = False,
    ) -> None:
        from lamella import torch

        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("AveragedModel: only one of avg_fn and multi_avg_fn should be provided")
        self.module = copy.deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the averaged model computes."""
        return self.module(*args, **kwargs)

    def _averaged(self, model: Module) -> list[Any]:
        names = itertools.chain(model.parameters(), model.buffers()) if self.use_buffers else model.parameters()
        return [t.detach() for t in names]

    def update_parameters(self, model: Module) -> None:
        """Take the model's present parameters into the average."""
        from lamella import torch

        mine = self._averaged(self.module)
        theirs = [t.to(m.device) for m, t in zip(mine, self._averaged(model), strict=True)]
        with torch.no_grad():
            if bool(self.n_averaged == 0):
                for m, t in zip(mine, theirs, strict=True):
                    m.copy_(t)
            elif self.avg_fn is not None:
                for m, t in zip(mine, theirs, strict=True):
                    m.copy_(self.avg_fn(m, t, self.n_averaged.to(m.device)))
            else:
                (self.multi_avg_fn or get_swa_multi_avg_fn())(mine, theirs, self.n_averaged)
            if not self.use_buffers:
                for m, t in zip(self.module.buffers(), model.buffers(), strict=True):
                    m.detach().copy_(t.detach().to(m.device))
            self.n_averaged += 1


def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Let all batch-norm layers see the data again, and keep the averages over all of it as running statistics.

    Args:
        loader: batches; of a list or tuple the first element is the input.
        model: the model, in whatever mode; it is in that mode afterwards.
        device: where inputs are moved to.

    Example:
        >>> from lamella import torch
        >>> model = torch.nn.BatchNorm1d(1)
        >>> update_bn([torch.tensor([[1.0], [3.0]])], model)
        >>> model.running_mean
        tensor([2.])
    """
    from lamella import torch
    from lamella.nn.modules.batchnorm import _BatchNorm

    layers: list[Any] = [m for m in model.modules() if isinstance(m, _BatchNorm)]
    if not layers:
        return
    momenta = [layer.momentum for layer in layers]
    training = model.training
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None
    model.train()
    try:
        with torch.no_grad():
            for batch in loader:
                x = batch[0] if isinstance(batch, (list, tuple)) else batch
                model(x if device is None else x.to(device))
    finally:
        for layer, momentum in zip(layers, momenta, strict=True):
            layer.momentum = momentum
        model.train(training)


__getattr__, __dir__ = lookup(__name__)
