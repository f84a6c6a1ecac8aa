"""Copies of state dicts, which a save in the background writes while training goes on."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from lamella.core import Tensor

from .chunks import LocalShards, chunks_of, is_sharded, local_part, shape_of
from .metadata import MetadataIndex
from .nested import flatten_state_dict, get_element, unflatten_state_dict

__all__ = ["AsyncStager", "BlockingAsyncStager", "DefaultStager", "StagingOptions"]


def copied(value: Any, into: Any = None) -> Any:
    """A copy in the CPU's memory of a state dict, or of what is in one.

    Args:
        value: dicts, lists and tuples of tensors and other values.
        into: a tensor of the same shape and type that takes the elements.
    """
    if is_sharded(value):
        parts = [(c.offsets, copied(local_part(value, MetadataIndex("", c.offsets, i))))
                 for i, c in enumerate(chunks_of(value))]
        return LocalShards(shape_of(value), parts, value.dtype)
    if isinstance(value, Tensor):
        t = value.detach()
        if isinstance(into, Tensor) and into.shape == t.shape and into.dtype == t.dtype:
            return into.copy_(t)
        return t.clone() if t.device.type == "cpu" else t.cpu()
    if type(value) in (list, tuple):
        return type(value)(copied(v) for v in value)
    if isinstance(value, Mapping):
        return {k: copied(v) for k, v in value.items()}
    return copy.deepcopy(value)


class AsyncStager:
    """Makes the copy of a state dict that `async_save` writes."""

    _synchronize_after_execute = True

    @property
    def should_synchronize_after_execute(self) -> bool:
        """Whether `async_save` waits for `synchronize_staging` before it returns."""
        return self._synchronize_after_execute

    def stage(self, state_dict: dict[str, Any]) -> Any:
        """A copy that no change of the state dict reaches, or a future of it."""
        raise NotImplementedError(f"{type(self).__name__} must implement stage method")

    def synchronize_staging(self) -> None:
        """Wait until the copy is made."""

    def close(self) -> None:
        """Give back what it holds."""


class BlockingAsyncStager(AsyncStager):
    """Copies into the CPU's memory before it returns.

    Args:
        cache_staged_state_dict: copy into the memory of the copy before. Only one save may be under way then.
        type_check: ignored.
    """

    _synchronize_after_execute = False

    def __init__(self, cache_staged_state_dict: bool = False, type_check: bool = False) -> None:
        self.cache_staged_state_dict = cache_staged_state_dict
        self.type_check = type_check
        self.state_dict_cache: dict[str, Any] | None = None

    def stage(self, state_dict: dict[str, Any]) -> dict[str, Any]:
        """A copy in the CPU's memory."""
        if not self.cache_staged_state_dict:
            return copied(state_dict)
        before = self.state_dict_cache or {}
        flat, paths = flatten_state_dict(state_dict)
        self.state_dict_cache = unflatten_state_dict(
            {n: copied(v, get_element(before, paths[n])) for n, v in flat.items()}, paths
        )
        return self.state_dict_cache


@dataclass
class StagingOptions:
    """How `DefaultStager` copies.

    Attributes:
        use_pinned_memory, use_shared_memory, use_non_blocking_copy: ignored; copies are in ordinary memory.
        use_async_staging: copy in a thread; `stage` returns a future, and the state dict may not change until it is
            done.
    """

    use_pinned_memory: bool = True
    use_shared_memory: bool = True
    use_async_staging: bool = True
    use_non_blocking_copy: bool = True


class DefaultStager(AsyncStager):
    """Copies into the CPU's memory, in a thread if wanted.

    Args:
        config: how.
    """

    def __init__(self, config: StagingOptions | None = None) -> None:
        self._config = config or StagingOptions()
        self._executor = ThreadPoolExecutor(1, "staging") if self._config.use_async_staging else None
        self._staging_future: Future | None = None

    def stage(self, state_dict: dict[str, Any], **kwargs: Any) -> Any:
        """A copy, or a future of it."""
        if self._executor is None:
            return copied(state_dict)
        self._staging_future = self._executor.submit(copied, state_dict)
        return self._staging_future

    def synchronize_staging(self) -> None:
        """Wait until the copy is made."""
        if self._staging_future is not None:
            self._staging_future.result()

    def close(self) -> None:
        """End the thread."""
        if self._executor is not None:
            self._executor.shutdown(wait=True)
