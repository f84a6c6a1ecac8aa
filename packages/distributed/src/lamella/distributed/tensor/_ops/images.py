"""Operators on images: examples of a batch, and where channels are not mixed these too, may be on several ranks."""

from __future__ import annotations

from collections.abc import Iterator

from ..placement_types import Shard
from .rule import SUM, Candidate, Question, R, local_size, rule


@rule("convolution")
def _convolution(q: Question) -> Iterator[Candidate]:
    if len(q.shapes[0]) == len(q.shapes[1]):  # a batch
        yield Shard(0), (Shard(0), *[R] * (len(q.shapes) - 1))


@rule("convolution_backward")
def _convolution_backward(q: Question) -> Iterator[Candidate]:
    """The gradients of weight and bias are sums over the parts."""
    if len(q.shapes[1]) == len(q.shapes[2]):
        yield [Shard(0), SUM, SUM], (Shard(0), Shard(0), R)


def _before_space(q: Question, spatial: int) -> Iterator[Candidate]:
    for d in range(len(q.shapes[0]) - spatial):
        yield Shard(d), (Shard(d),) * len(q.shapes)


def _spatial(name: str) -> int:
    return next(int(c) for c in reversed(name.removesuffix("_backward").removesuffix("d")) if c.isdigit())


@rule("avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d _adaptive_avg_pool2d _adaptive_avg_pool3d "
      "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d reflection_pad1d reflection_pad2d reflection_pad3d "
      "replication_pad1d replication_pad2d replication_pad3d reflection_pad1d_backward reflection_pad2d_backward "
      "reflection_pad3d_backward replication_pad1d_backward replication_pad2d_backward replication_pad3d_backward "
      "upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_bilinear2d upsample_bicubic2d")
def _by_channel(q: Question) -> Iterator[Candidate]:
    yield from _before_space(q, _spatial(q.name))


@rule("_max_pool")
def _max_pool(q: Question) -> Iterator[Candidate]:
    yield from _before_space(q, len(q.values["kernel_size"]))


@rule("_avg_pool_backward _adaptive_avg_pool_backward", adjust=local_size("size"))
def _pool_backward(q: Question) -> Iterator[Candidate]:
    if list(q.values["size"]) == list(q.out_shapes[0] or ()):
        spatial = q.values["spatial"] if "spatial" in q.values else len(q.values["kernel_size"])
        yield from _before_space(q, spatial)
