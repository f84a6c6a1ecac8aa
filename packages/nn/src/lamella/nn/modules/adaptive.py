"""Softmax over many classes, most of which are rare (Grave et al., 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lamella import core
from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.containers import ModuleList, Sequential
from lamella.nn.module import Module
from lamella.nn.modules.linear import Linear

__all__ = ["AdaptiveLogSoftmaxWithLoss"]


class _ASMoutput(NamedTuple):
    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(Module):
    """Log-softmax in two steps: frequent classes and clusters of rare ones first, then the class in its cluster.

    Args:
        in_features: features of the input.
        n_classes: how many classes there are, the most frequent ones first.
        cutoffs: where the clusters begin.
        div_value: by how much the projections of each further cluster are smaller.
        head_bias: whether the first step has a bias.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (N, in_features) or (in_features) and classes (N) or () to the log-probabilities of these and their mean loss.

    Raises:
        ValueError: cutoffs that are not increasing integers below `n_classes`.

    Example:
        >>> from lamella import core, nn
        >>> layer = nn.AdaptiveLogSoftmaxWithLoss(16, 20, [4, 10])
        >>> layer(core.rand(3, 16), core.tensor([1, 5, 19])).output.shape
        torch.Size([3])
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("AdaptiveLogSoftmaxWithLoss: cutoffs should be a sequence of length larger than 0")
        if (
            cutoffs != sorted(set(cutoffs))
            or cutoffs[0] <= 0
            or cutoffs[-1] > n_classes - 1
            or any(int(c) != c for c in cutoffs)
        ):
            raise ValueError(
                "AdaptiveLogSoftmaxWithLoss: cutoffs should be a sequence of unique, positive integers sorted in an "
                f"increasing order, where each value is between 1 and n_classes-1 (got {cutoffs})"
            )
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, **where)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            narrow = int(in_features // div_value ** (i + 1))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(
                Sequential(Linear(in_features, narrow, bias=False, **where), Linear(narrow, size, bias=False, **where))
            )

    def reset_parameters(self) -> None:
        """Draws all parameters anew."""
        self.head.reset_parameters()
        for narrow, out in self.tail:  # type: ignore[misc]
            narrow.reset_parameters()
            out.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        """The log-probabilities of the target classes, and minus their mean.

        Raises:
            RuntimeError: sizes that do not fit, or classes out of range.
        """
        single = target_.dim() == 0
        if target_.dim() > 1:
            raise RuntimeError(
                f"AdaptiveLogSoftmaxWithLoss: 0D or 1D target tensor expected (got {target_.dim()}D)"
            )
        if input_.dim() != (1 if single else 2):
            raise RuntimeError(
                f"AdaptiveLogSoftmaxWithLoss: {1 if single else 2}D input tensor expected (got {input_.dim()}D)"
            )
        if not single and input_.shape[0] != target_.shape[0]:
            raise RuntimeError(
                "AdaptiveLogSoftmaxWithLoss: Input and target should have the same size in the batch dimension "
                f"({input_.shape[0]} and {target_.shape[0]})"
            )
        x = input_.unsqueeze(0) if single else input_
        target: Any = target_.unsqueeze(0) if single else target_
        head = F.log_softmax(self.head(x), dim=1)
        output, done = self._cluster_terms(x, target, head)
        if done != target.size(0):
            raise RuntimeError(
                f"AdaptiveLogSoftmaxWithLoss: Target values should be in [0, {self.n_classes - 1}], but values in "
                f"range [{target.min().item()}, {target.max().item()}] were found. "
            )
        loss = (-output).mean()
        return _ASMoutput(output.squeeze(0) if single else output, loss)

    def _cluster_terms(self, x: Tensor, target: Tensor, head: Tensor) -> tuple[Tensor, int]:
        """The log-probability of each target, and for how many targets there is one."""
        output = x.new_zeros(target.size(0))
        done = 0
        low = 0
        for i, high in enumerate(self.cutoffs):
            rows = ((target >= low) & (target < high)).nonzero().squeeze(1)
            if rows.numel():
                inside = target.index_select(0, rows) - low
                if i == 0:
                    term = head.index_select(0, rows).gather(1, inside.unsqueeze(1)).squeeze(1)
                else:
                    scores = F.log_softmax(self.tail[i - 1](x.index_select(0, rows)), dim=1)
                    cluster = head.index_select(0, rows)[:, self.shortlist_size + i - 1]
                    term = scores.gather(1, inside.unsqueeze(1)).squeeze(1) + cluster
                output = output.index_copy(0, rows, term.to(output.dtype))
                done += rows.numel()
            low = high
        return output, done

    def _get_full_log_prob(self, input: Tensor, head_output: Tensor) -> Tensor:
        head = F.log_softmax(head_output, dim=1)
        parts = [head[:, : self.shortlist_size]]
        for i in range(self.n_clusters):
            cluster = F.log_softmax(self.tail[i](input), dim=1)
            parts.append(cluster + head[:, self.shortlist_size + i].unsqueeze(1))
        return core.cat(parts, 1)

    def log_prob(self, input: Tensor) -> Tensor:
        """The log-probabilities of all classes, (N, n_classes)."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input: Tensor) -> Tensor:
        """The most probable class of each row."""
        return self.log_prob(input).argmax(dim=1)
