"""Normalisation over the batch, with running statistics for evaluation."""

from __future__ import annotations

from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module
from lamella.nn.modules.lazy import LazyModuleMixin
from lamella.nn.modules.normalization import _add_affine, _reset_affine
from lamella.nn.parameter import UninitializedBuffer, UninitializedParameter

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d"]


class _NormBase(Module):
    """What batch and instance normalisation share: affine parameters and running statistics."""

    _version = 2
    __constants__ = ["track_running_stats", "momentum", "eps", "num_features", "affine"]
    num_features: int
    eps: float
    momentum: float | None
    affine: bool
    track_running_stats: bool
    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        _add_affine(self, num_features, affine, bias, device, dtype)
        if track_running_stats:
            self.register_buffer("running_mean", core.zeros(num_features, device=device, dtype=dtype))
            self.register_buffer("running_var", core.ones(num_features, device=device, dtype=dtype))
            self.register_buffer("num_batches_tracked", core.zeros((), dtype=core.int64, device=device))
        else:
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                self.register_buffer(name, None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Forgets the statistics: mean 0, variance 1, no batches."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Forgets the statistics and sets the scale to one and the shift to zero."""
        self.reset_running_stats()
        if self.affine:
            _reset_affine(self)

    def _check_input_dim(self, input: Tensor) -> None:
        dims = self._input_dims
        if dims and input.dim() not in dims:
            wanted = " or ".join(f"{d}D" for d in dims)
            raise ValueError(f"{type(self).__name__}: expected {wanted} input (got {input.dim()}D input)")

    _input_dims: tuple[int, ...] = ()

    def extra_repr(self) -> str:
        """The channels and the options."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        version = local_metadata.get("version")
        key = prefix + "num_batches_tracked"
        if (version is None or version < 2) and self.track_running_stats and key not in state_dict:
            # before version 2 batches were not counted
            own = self.num_batches_tracked
            usable = own is not None and not own.is_meta
            state_dict[key] = own if usable else core.zeros((), dtype=core.int64)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )


class _BatchNorm(_NormBase):
    def forward(self, input: Tensor) -> Tensor:
        """Normalises `input`; in training also updates the running statistics."""
        self._check_input_dim(input)
        mean, var = self.running_mean, self.running_var
        factor = 0.0 if self.momentum is None else self.momentum
        use_batch = self.training or (mean is None and var is None)
        if self.training:
            if not self.track_running_stats:
                mean = var = None
            else:
                factor = self._count_batch()
        return F.batch_norm(input, mean, var, self.weight, self.bias, use_batch, factor, self.eps)

    def _count_batch(self) -> float:
        """Counts a batch; how much of it enters the running statistics."""
        count = self.num_batches_tracked
        if count is not None:
            count.add_(1)
            if self.momentum is None:
                return 1.0 / float(count)
        return 0.0 if self.momentum is None else self.momentum


class BatchNorm1d(_BatchNorm):
    """Normalises every channel over the batch to mean 0 and variance 1, then scales and shifts it.

    Args:
        num_features: how many channels there are.
        eps: is added to the variance.
        momentum: how much of a batch enters the running statistics; None: their plain average.
        affine: whether there is a scale (and a shift) for each channel.
        track_running_stats: whether there are running statistics, which evaluation uses.
        device: where the tensors are made.
        dtype: their element type.
        bias: whether there is a shift.

    Shape:
        (N, C) or (N, C, L) to the same.

    Raises:
        ValueError: the input has another number of dimensions.

    Example:
        >>> from lamella import core, nn
        >>> nn.BatchNorm1d(100)(core.rand(20, 100)).shape
        torch.Size([20, 100])
    """

    _input_dims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """`BatchNorm1d` for (N, C, H, W) inputs (Ioffe and Szegedy, 2015); the arguments are the same.

    Example:
        >>> from lamella import core, nn
        >>> nn.BatchNorm2d(3)(core.rand(2, 3, 8, 8)).shape
        torch.Size([2, 3, 8, 8])
    """

    _input_dims = (4,)


class BatchNorm3d(_BatchNorm):
    """`BatchNorm1d` for (N, C, D, H, W) inputs; the arguments are the same.

    Example:
        >>> from lamella import core, nn
        >>> nn.BatchNorm3d(3)(core.rand(2, 3, 4, 4, 4)).shape
        torch.Size([2, 3, 4, 4, 4])
    """

    _input_dims = (5,)


class _LazyNormBase(LazyModuleMixin, _NormBase):
    weight: UninitializedParameter
    bias: UninitializedParameter

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=bias)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = core.zeros((), dtype=core.int64, device=device)

    def reset_parameters(self) -> None:
        """Sets the parameters once their shapes are known."""
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Makes parameters and statistics for inputs like this one."""
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for t in (self.weight, self.bias, self.running_mean, self.running_var):
            if t is not None:
                t.materialize((self.num_features,))
        self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    """A `BatchNorm1d` whose `num_features` the first input decides."""

    cls_to_become = BatchNorm1d
    _input_dims = (2, 3)


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    """A `BatchNorm2d` whose `num_features` the first input decides."""

    cls_to_become = BatchNorm2d
    _input_dims = (4,)


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    """A `BatchNorm3d` whose `num_features` the first input decides."""

    cls_to_become = BatchNorm3d
    _input_dims = (5,)
