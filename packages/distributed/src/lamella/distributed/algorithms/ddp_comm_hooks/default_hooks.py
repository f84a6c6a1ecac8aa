"""Communication hooks: the mean, and the mean in 16 bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.autograd import no_grad
from lamella.core import bfloat16, float16

from ...collectives import all_reduce
from ...group import resolve
from ...parallel.buckets import GradBucket
from ...work import Future

__all__ = ["allreduce_hook", "bf16_compress_hook", "bf16_compress_wrapper", "fp16_compress_hook",
           "fp16_compress_wrapper"]

Hook = Callable[[Any, GradBucket], Future]


def allreduce_future(group: Any, tensor: Any) -> Future:
    """A future of a tensor's mean over the ranks, which is written into the tensor."""
    group = resolve(group, "comm hook")
    with no_grad():
        tensor.div_(group.size())  # before the sum, which may be too great for 16 bits
    work = all_reduce(tensor, group=group, async_op=True)
    return work.get_future().then(lambda _: tensor)  # type: ignore[union-attr]


def allreduce_hook(process_group: Any, bucket: GradBucket) -> Future:
    """What happens without a hook: the mean over the ranks.

    Args:
        process_group: the hook's state; the default group where None.
        bucket: the gradients.

    Example:
        >>> def plain(model):
        ...     model.register_comm_hook(None, allreduce_hook)
    """
    return allreduce_future(process_group, bucket.buffer())


def _compressed(dtype: Any, process_group: Any, bucket: GradBucket) -> Future:
    buffer = bucket.buffer()
    with no_grad():
        small = buffer.to(dtype)
    if small is buffer:
        return allreduce_future(process_group, buffer)

    def expand(future: Future) -> Any:
        with no_grad():
            return buffer.copy_(future.value())

    return allreduce_future(process_group, small).then(expand)


def fp16_compress_hook(process_group: Any, bucket: GradBucket) -> Future:
    """The mean over the ranks, of gradients that travel as float16.

    Args:
        process_group: the hook's state; the default group where None.
        bucket: the gradients.

    Example:
        >>> def halve(model):
        ...     model.register_comm_hook(None, fp16_compress_hook)
    """
    return _compressed(float16, process_group, bucket)


def bf16_compress_hook(process_group: Any, bucket: GradBucket) -> Future:
    """The mean over the ranks, of gradients that travel as bfloat16. Arguments as of `fp16_compress_hook`."""
    return _compressed(bfloat16, process_group, bucket)


def _wrapper(dtype: Any, hook: Hook, name: str) -> Hook:
    def wrapped(state: Any, bucket: GradBucket) -> Future:
        full = bucket.buffer()
        with no_grad():
            bucket.set_buffer(full.to(dtype))

        def expand(future: Future) -> Any:
            with no_grad():
                return full.copy_(future.value().reshape(-1))

        return hook(state, bucket).then(expand)

    wrapped.__name__ = wrapped.__qualname__ = name
    return wrapped


def fp16_compress_wrapper(hook: Hook) -> Hook:
    """A hook that hands its gradients as float16 to another one.

    Args:
        hook: the other one.

    Example:
        >>> fp16_compress_wrapper(allreduce_hook).__name__
        'fp16_compress_wrapper_hook'
    """
    return _wrapper(float16, hook, "fp16_compress_wrapper_hook")


def bf16_compress_wrapper(hook: Hook) -> Hook:
    """A hook that hands its gradients as bfloat16 to another one. See `fp16_compress_wrapper`."""
    return _wrapper(bfloat16, hook, "bf16_compress_wrapper_hook")
