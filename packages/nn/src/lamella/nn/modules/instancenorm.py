"""Normalisation of every channel of every sample."""

from __future__ import annotations

import warnings
from typing import Any

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.modules.batchnorm import _LazyNormBase, _NormBase

__all__ = ["InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d",
           "LazyInstanceNorm3d"]  # fmt: skip


class _InstanceNorm(_NormBase):
    _dims: int

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _check_input_dim(self, input: Tensor) -> None:
        n = self._dims
        if input.dim() not in (n + 1, n + 2):
            raise ValueError(f"{type(self).__name__}: expected {n + 1}D or {n + 2}D input (got {input.dim()}D input)")

    def _get_no_batch_dim(self) -> int:
        return self._dims + 1

    def _apply_instance_norm(self, input: Tensor) -> Tensor:
        return F.instance_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )

    def forward(self, input: Tensor) -> Tensor:
        """Normalises `input`, which may lack the dimension of the batch."""
        self._check_input_dim(input)
        at = input.dim() - self._get_no_batch_dim()
        if input.size(at) != self.num_features:
            told = f"size {input.size(at)} at dim={at}, num_features={self.num_features}"
            if self.affine:
                raise ValueError(f"{type(self).__name__}: the channels of the input must match num_features ({told})")
            warnings.warn(
                f"{type(self).__name__}: the channels of the input do not match num_features, which without affine "
                f"is not used ({told})",
                stacklevel=2,
            )
        if at == 0:
            return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)
        return self._apply_instance_norm(input)

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
        if local_metadata.get("version") is None and not self.track_running_stats:
            # layers of the oldest checkpoints always had running statistics
            stats = [key for key in (prefix + "running_mean", prefix + "running_var") if key in state_dict]
            if stats:
                name = type(self).__name__
                error_msgs.append(
                    f"Unexpected running stats buffer(s) {' and '.join(map(repr, stats))} for {name} with "
                    f"track_running_stats=False. Remove these keys, or build the {name} with track_running_stats=True."
                )
                for key in stats:
                    state_dict.pop(key)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )


class InstanceNorm1d(_InstanceNorm):
    """Normalises every channel of every sample to mean 0 and variance 1 (Ulyanov et al., 2016).

    Args:
        num_features: how many channels there are.
        eps: is added to the variance.
        momentum: how much of a batch enters the running statistics.
        affine: whether there is a scale (and a shift) for each channel.
        track_running_stats: whether there are running statistics, which evaluation uses.
        device: where the tensors are made.
        dtype: their element type.
        bias: whether there is a shift.

    Shape:
        (N, C, L) or (C, L) to the same.

    Raises:
        ValueError: the input has another number of dimensions or channels.

    Example:
        >>> from lamella import core, nn
        >>> nn.InstanceNorm1d(10)(core.rand(2, 10, 4)).shape
        torch.Size([2, 10, 4])
    """

    _dims = 1


class InstanceNorm2d(_InstanceNorm):
    """`InstanceNorm1d` for (N, C, H, W) or (C, H, W) inputs; the arguments are the same.

    Example:
        >>> from lamella import core, nn
        >>> nn.InstanceNorm2d(3)(core.rand(2, 3, 4, 4)).shape
        torch.Size([2, 3, 4, 4])
    """

    _dims = 2


class InstanceNorm3d(_InstanceNorm):
    """`InstanceNorm1d` for (N, C, D, H, W) or (C, D, H, W) inputs; the arguments are the same.

    Example:
        >>> from lamella import core, nn
        >>> nn.InstanceNorm3d(3)(core.rand(2, 3, 4, 4, 4)).shape
        torch.Size([2, 3, 4, 4, 4])
    """

    _dims = 3


class _LazyInstanceNorm(_LazyNormBase, _InstanceNorm):
    def initialize_parameters(self, input: Tensor) -> None:
        """Makes parameters and statistics for inputs like this one."""
        if self.num_features == 0 and not self.has_uninitialized_params():
            self.num_features = input.shape[input.dim() - self._get_no_batch_dim()]
        super().initialize_parameters(input)


class LazyInstanceNorm1d(_LazyInstanceNorm):
    """An `InstanceNorm1d` whose `num_features` the first input decides."""

    cls_to_become = InstanceNorm1d
    _dims = 1


class LazyInstanceNorm2d(_LazyInstanceNorm):
    """An `InstanceNorm2d` whose `num_features` the first input decides."""

    cls_to_become = InstanceNorm2d
    _dims = 2


class LazyInstanceNorm3d(_LazyInstanceNorm):
    """An `InstanceNorm3d` whose `num_features` the first input decides."""

    cls_to_become = InstanceNorm3d
    _dims = 3
