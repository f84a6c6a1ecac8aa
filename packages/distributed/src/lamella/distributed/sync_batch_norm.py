"""SyncBatchNorm: batch normalisation over the batches of all ranks together."""

from __future__ import annotations

from typing import Any

from lamella import core
from lamella.autograd import Function, once_differentiable
from lamella.core import Tensor
from lamella.dispatch import ops
from lamella.dispatch.errors import message

from .collectives import all_gather_into_tensor, all_reduce
from .group import get_world_size, is_initialized
from .layers import Module, _BatchNorm, functional as F

__all__ = ["SyncBatchNorm"]


class SyncBatchNorm(_BatchNorm):
    """Normalises every channel over the batches of all ranks, which may have different sizes.

    In evaluation, with one rank, and without a process group it is ordinary batch normalisation. All ranks of the
    group call it equally often. The gradients of weight and bias are the own batch's share; DistributedDataParallel
    averages them.

    Args:
        num_features: how many channels there are.
        eps: is added to the variance.
        momentum: how much of a batch enters the running statistics; None: their plain average.
        affine: whether there is a scale (and a shift) for each channel.
        track_running_stats: whether there are running statistics, which evaluation uses.
        process_group: the ranks that belong together; all by default.
        device: where the tensors are made.
        dtype: their element type.
        bias: whether there is a shift.

    Shape:
        (N, C, *) to the same.

    Raises:
        ValueError: the input has fewer than two dimensions, no channels, or in all one value per channel.

    Example:
        >>> from lamella import core
        >>> SyncBatchNorm(3)(core.rand(2, 3, 8)).shape
        torch.Size([2, 3, 8])
    """

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
                 track_running_stats: bool = True, process_group: Any = None, device: Any = None, dtype: Any = None,
                 *, bias: bool = True) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() < 2:
            raise ValueError(f"SyncBatchNorm: expected at least 2D input (got {input.dim()}D input)")

    def _check_non_zero_input_channels(self, input: Tensor) -> None:
        if input.size(1) == 0:
            raise ValueError("SyncBatchNorm number of input channels should be non-zero")

    def forward(self, input: Tensor) -> Tensor:
        """Normalises `input`; in training also updates the running statistics."""
        self._check_input_dim(input)
        self._check_non_zero_input_channels(input)
        if not self.training or not is_initialized() or get_world_size(self.process_group) < 2:
            return super().forward(input)
        if input.size(1) != self.num_features:
            raise RuntimeError(message("SyncBatchNorm", f"the module has {self.num_features} channels",
                                       f"the input's shape is {list(input.shape)}"))
        mean, var, momentum = None, None, 0.0  # without running statistics no momentum is used
        if self.track_running_stats:
            mean, var, momentum = self.running_mean, self.running_var, self._count_batch()
        return _Normalise.apply(input, self.weight, self.bias, mean, var, momentum, self.eps, self.process_group)

    @classmethod
    def convert_sync_batchnorm(cls, module: Module, process_group: Any = None) -> Module:
        """Put a SyncBatchNorm in the place of every BatchNorm in a module; parameters and statistics stay the same.

        Args:
            module: a module, or a BatchNorm itself.
            process_group: the ranks that belong together; all by default.

        Returns:
            The module, or for a BatchNorm itself what takes its place.

        Example:
            >>> from lamella import nn
            >>> SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.BatchNorm2d(4)))
            Sequential(
              (0): SyncBatchNorm(4, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
            )
        """
        result = module
        if isinstance(module, _BatchNorm):
            result = cls(module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats,
                         process_group, bias=module.bias is not None)
            if module.affine:
                result.weight, result.bias = module.weight, module.bias
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                setattr(result, name, getattr(module, name))
            result.training = module.training
        for name, child in module.named_children():
            result.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return result


class _Normalise(Function):
    """The norm of this rank's part of the joined batch."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Any, bias: Any, running_mean: Any, running_var: Any, momentum: float,
                eps: float, group: Any) -> Any:
        mean, var, total = _statistics(x, group)
        ctx.eps, ctx.group = eps, group
        ctx.save_for_backward(x, weight, mean, var, total)
        if running_mean is not None:
            unbiased = var * (total / (total - 1).clamp(min=1))
            for running, now in ((running_mean, mean), (running_var, unbiased)):
                running.mul_(1 - momentum).add_(now.to(running.dtype), alpha=momentum)
        return F.batch_norm(x, mean, var, weight, bias, False, 0.0, eps)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> Any:
        x, weight, mean, var, total = ctx.saved_tensors
        needs = ctx.needs_input_grad
        kind = x.dtype
        x, grad = x.to(mean.dtype), grad.to(mean.dtype)
        _, along, level = ops.aten.native_batch_norm_backward(
            grad, x, None, mean, var, None, None, False, ctx.eps, [False, True, True])
        of_weight = along.to(weight.dtype) if weight is not None and needs[1] else None
        of_bias = (level if weight is None else level.to(weight.dtype)) if needs[2] else None
        of_x = None
        if needs[0]:
            sums = core.cat([along, level])
            all_reduce(sums, group=ctx.group)
            along, level = (sums / total).chunk(2)
            scale = (var + ctx.eps).rsqrt()
            if weight is not None:
                scale = scale * weight.to(scale.dtype)
            away = F.batch_norm(x, mean, var, along, level, False, 0.0, ctx.eps)
            of_x = (grad - away).mul_(scale.reshape(1, -1, *[1] * (x.dim() - 2))).to(kind)
        return of_x, of_weight, of_bias, None, None, None, None, None


def _statistics(x: Tensor, group: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Mean, variance (of the values as they are) and number of values of each channel, over all ranks."""
    wide = x if x.dtype is core.float64 else x.to(core.float32)
    channels, count = x.size(1), x.numel() // x.size(1)
    own = core.zeros(2 * channels + 1, dtype=wide.dtype, device=x.device)
    if count:
        _, mean, _, var = ops.aten._batch_norm_training(wide, None, None, 1.0)
        own[:channels].copy_(mean)
        own[channels:-1].copy_(var)
        own[-1:].fill_(count)
    ranks = get_world_size(group)
    every = core.empty(ranks * own.numel(), dtype=own.dtype, device=own.device)
    all_gather_into_tensor(every, own, group=group)
    every = every.reshape(ranks, -1)
    means, variances, counts = every[:, :channels], every[:, channels:-1], every[:, -1:]
    total = counts.sum().clamp(min=1)
    share = counts / total
    mean = (means * share).sum(0)
    var = ((variances + (means - mean).square()) * share).sum(0)
    return mean, var, total
