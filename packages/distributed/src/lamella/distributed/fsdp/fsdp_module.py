"""FSDPModule: what `fully_shard` adds to a module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.dispatch.errors import message

from .build import unit_of
from .run import units_in
from .unit import Unit

__all__ = ["FSDPModule", "UnshardHandle"]


class UnshardHandle:
    """The way to wait for parameters that `FSDPModule.unshard` collects.

    Args:
        unit: whose parameters they are; None: nobody's.
    """

    def __init__(self, unit: Unit | None = None) -> None:
        self._unit = unit

    def wait(self) -> None:
        """Wait until the parameters are whole."""
        if self._unit is not None:
            self._unit.unshard()
            self._unit = None


class FSDPModule:
    """Base class of modules that `fully_shard` was applied to."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        plain: Any = cls.__mro__[2]  # the class that the module was of
        made = plain.__new__(plain, *args, **kwargs)
        made.__init__(*args, **kwargs)
        return made

    def _get_fsdp_state(self) -> Any:
        return self.__dict__["_fsdp_state"]

    @property
    def _unit(self) -> Unit:
        return unit_of(self)

    def _units(self, recurse: bool) -> list[Unit]:
        return units_in(self) if recurse else [self._unit]

    def _apply(self, *args: Any, **kwargs: Any) -> Any:
        self._unit.reshard()
        return super()._apply(*args, **kwargs)  # type: ignore[misc]

    # -- whole and divided ------------------------------------------------------------------------------------------

    def reshard(self) -> None:
        """Give up the whole parameters of this unit."""
        self._unit.reshard()

    def unshard(self, async_op: bool = False) -> UnshardHandle | None:
        """Collect the whole parameters of this unit.

        Args:
            async_op: return at once; the forward waits for them, or ``wait()`` of what is returned.
        """
        unit = self._unit
        unit.asked = True
        unit.unshard(wait=not async_op)
        return UnshardHandle(unit) if async_op else None

    def set_reshard_after_forward(self, reshard_after_forward: bool, recurse: bool = True) -> None:
        """Say whether whole parameters are given up after forward."""
        if not isinstance(reshard_after_forward, bool):
            raise ValueError(message("set_reshard_after_forward", "reshard_after_forward should be a bool",
                                     f"got {type(reshard_after_forward).__name__}"))
        for unit in self._units(recurse):
            unit.keep = not reshard_after_forward

    def set_reshard_after_backward(self, reshard_after_backward: bool, *, recurse: bool = True) -> None:
        """Say whether whole parameters are given up after backward."""
        for unit in self._units(recurse):
            unit.keep_after_backward = not reshard_after_backward

    def set_unshard_in_backward(self, unshard_in_backward: bool) -> None:
        """Say whether backward needs this unit's whole parameters."""
        self._unit.fetch_in_backward = unshard_in_backward

    # -- gradients ----------------------------------------------------------------------------------------------------

    def set_requires_gradient_sync(self, requires_gradient_sync: bool, *, recurse: bool = True) -> None:
        """Say whether backward reduces gradients; without, whole ones are added up on each rank."""
        for unit in self._units(recurse):
            unit.sync = requires_gradient_sync

    def set_requires_all_reduce(self, requires_all_reduce: bool, *, recurse: bool = True) -> None:
        """Say whether backward adds gradients up among ranks with the same part too, or only among those that share."""
        for unit in self._units(recurse):
            unit.reducer.average_copies = requires_all_reduce

    def set_is_last_backward(self, is_last_backward: bool) -> None:
        """Say whether the next backward is the last before the optimizer's step; each one waits for its end anyway."""
        self.__dict__["_fsdp_last_backward"] = is_last_backward

    def set_gradient_divide_factor(self, factor: float) -> None:
        """Divide sums of gradients by a number instead of the number of ranks."""
        self._unit.reducer.divisor = factor

    def set_reduce_scatter_divide_factor(self, factor: float) -> None:
        """The former name of `set_gradient_divide_factor`."""
        self.set_gradient_divide_factor(factor)

    def set_all_reduce_hook(self, hook: Callable[[Any], None], *, stream: Any = None) -> None:
        """Call a function with this rank's part of the gradients when they are added up, before they are divided."""
        self._unit.reducer.all_reduce_hook = hook

    def set_force_sum_reduction_for_comms(self, enable: bool) -> None:
        """Accepted: gradients are always added up and divided afterwards."""

    def set_reduce_scatter_unused_params(self, reduce_scatter_unused_params: bool, *, recurse: bool = True) -> None:
        """Accepted: parameters without gradient always take part, as zeros."""

    # -- communication ------------------------------------------------------------------------------------------------

    def set_modules_to_forward_prefetch(self, modules: list[FSDPModule]) -> None:
        """Collect these modules' parameters when this one's forward begins, not those that came next last time."""
        self._unit.forward_prefetch = _units_of("set_modules_to_forward_prefetch", modules)

    def set_modules_to_backward_prefetch(self, modules: list[FSDPModule]) -> None:
        """Collect these modules' parameters when this one's backward begins, instead of those of the one before."""
        self._unit.backward_prefetch = _units_of("set_modules_to_backward_prefetch", modules)

    def set_custom_all_gather(self, comm: Any) -> None:
        """Collect parameters by ``comm(output_tensor, input_tensor, group, async_op)`` into ``comm.allocate(...)``."""
        for handle in self._unit.handles:
            handle.all_gather = comm

    def set_custom_reduce_scatter(self, comm: Any) -> None:
        """Add gradients up by ``comm(output_tensor, input_tensor, group, op, async_op)``."""
        self._unit.reducer.reduce_scatter = comm

    def set_reduce_scatter_max_input_buffers(self, max_input_buffers: int, *, recurse: bool = True) -> None:
        """Accepted: one buffer waits while the next is filled."""
        if max_input_buffers < 1:
            raise ValueError(message("set_reduce_scatter_max_input_buffers", "there must be at least one",
                                     {"got": max_input_buffers}))

    def set_separate_reduce_scatter_group(self, enable: bool = True, *, recurse: bool = True) -> None:
        """Accepted: collectives of one group do not wait for each other on the host."""

    def set_allocate_memory_from_process_group_for_comm(self, enable: bool) -> None:
        """Accepted: backends have no allocators of their own."""

    def set_symm_mem_for_comm(self, backend: str = "NCCL") -> None:
        """Accepted: memory is not registered with the network."""

    def set_post_optim_event(self, event: Any) -> None:
        """Accepted: collectives wait for the stream that computes."""

    def _set_unshard_async_op(self, async_op: bool) -> None:
        """Accepted: parameters are always collected asynchronously."""

    def reset_iter_state(self) -> None:
        """Forget a forward and backward that were broken off: whole parameters and gradients of leaves go."""
        for unit in self._units(True):
            unit.forget()


def _units_of(name: str, modules: list[FSDPModule]) -> list[Unit]:
    for m in modules:
        if not isinstance(m, FSDPModule):
            raise ValueError(message(name, "expects modules that fully_shard was applied to", type(m).__name__))
    return [m._unit for m in modules]
