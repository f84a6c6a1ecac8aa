"""FullyShardedDataParallel: a module whose parameters, gradients and optimizer state are divided among the ranks."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any

from lamella.core.devices import device
from lamella.core.tensor import Tensor

from ..layers import Module, nn
from . import model_state, optim_state
from .api import (
    HYBRID,
    KEEPS,
    BackwardPrefetch,
    CPUOffload,
    FullOptimStateDictConfig,
    FullStateDictConfig,
    MixedPrecision,
    OptimStateDictConfig,
    OptimStateKeyType,
    ShardingStrategy,
    StateDictConfig,
    StateDictSettings,
    StateDictType,
)
from .build import clean_name, ignored_parts, make_handles, prepare
from .casting import cast_buffers, cast_floats, keep_full_precision
from .clip import clip_grad_norm
from .groups import Ranks, ranks_for
from .reduction import Reducer
from .run import begin_run
from .unit import Unit
from .wrap import replace, shared_by_units, targets

__all__ = ["FullyShardedDataParallel"]

_NAME = "FullyShardedDataParallel"


class FullyShardedDataParallel(Module):
    """Wraps a module so that each rank keeps only a part of its parameters, gradients and optimizer state.

    The parameters of a unit (this module, without the units further in) are collected before its forward and given up
    after it, collected again in backward, and their gradients are averaged over the ranks, each of which gets its part.
    The optimizer is made after wrapping, from ``model.parameters()``, and works on the parts.

    Args:
        module: the module; it is changed in place.
        process_group: the ranks; a pair of groups (divide among, copies) for hybrid strategies.
        sharding_strategy: what is divided; ``FULL_SHARD`` by default.
        cpu_offload: where shards rest.
        auto_wrap_policy: which modules inside become units of their own (see `wrap`); None: none.
        backward_prefetch: when backward collects the next unit's parameters; None: when they are needed.
        mixed_precision: element types to compute and to reduce in.
        ignored_modules: modules whose parameters stay whole and are not synchronised.
        param_init_fn: makes a module's parameters real when they are on the meta device.
        device_id: the device that parameters go to before they are divided.
        sync_module_states: give all ranks the first rank's parameters and buffers.
        forward_prefetch: forward collects the parameters of the unit that came next last time.
        limit_all_gathers: accepted; no more than one unit is collected ahead of time anyway.
        use_orig_params: ``parameters()`` are the original parameters (each holding this rank's part), not flat ones.
        ignored_states: parameters, or modules, that stay whole and are not synchronised.
        device_mesh: the ranks, instead of ``process_group``.

    Raises:
        ValueError: no process group, arguments that exclude each other, or parameters that cannot share a unit.

    Example:
        >>> import lamella.distributed as dist
        >>> from lamella import core, nn
        >>> dist.init_process_group()
        >>> model = FullyShardedDataParallel(nn.Linear(2, 1))
        >>> model(core.ones(1, 2)).sum().backward()
        >>> [tuple(p.grad.shape) for p in model.parameters()]
        [(3,)]
        >>> dist.destroy_process_group()
    """

    def __init__(
        self,
        module: Any,
        process_group: Any = None,
        sharding_strategy: ShardingStrategy | None = None,
        cpu_offload: CPUOffload | None = None,
        auto_wrap_policy: Any = None,
        backward_prefetch: BackwardPrefetch | None = BackwardPrefetch.BACKWARD_PRE,
        mixed_precision: MixedPrecision | None = None,
        ignored_modules: Iterable[Any] | None = None,
        param_init_fn: Callable[[Any], None] | None = None,
        device_id: Any = None,
        sync_module_states: bool = False,
        forward_prefetch: bool = False,
        limit_all_gathers: bool = True,
        use_orig_params: bool = False,
        ignored_states: Iterable[Any] | None = None,
        device_mesh: Any = None,
    ) -> None:
        super().__init__()
        if isinstance(module, (nn.ModuleList, nn.ModuleDict)):
            warnings.warn(f"{_NAME}: a {type(module).__name__} has no forward, around which its parameters would be "
                          "collected; wrap its elements", stacklevel=2)
        self.sharding_strategy = sharding_strategy or ShardingStrategy.FULL_SHARD
        self.mixed_precision = mixed_precision or MixedPrecision()
        self.cpu_offload = cpu_offload or CPUOffload()
        self.backward_prefetch, self.forward_prefetch = backward_prefetch, forward_prefetch
        self.limit_all_gathers = limit_all_gathers
        self._use_orig_params = use_orig_params
        self._device_mesh = device_mesh
        ignored_mods, ignored = ignored_parts(_NAME, ignored_modules, ignored_states)
        self._ignored_modules, self._ignored_params = ignored_mods, ignored
        ranks = ranks_for(_NAME, self.sharding_strategy, process_group, device_mesh, auto_wrap_policy is not None)
        self._ranks = ranks
        self.process_group, self._inter_node_pg = ranks.whole, ranks.copies
        self.rank, self.world_size = ranks.whole.rank(), ranks.whole.size()
        shared: set[Any] = set()
        if auto_wrap_policy is not None:
            shared = self._wrap_inside(module, auto_wrap_policy, {
                "process_group": process_group, "sharding_strategy": sharding_strategy, "cpu_offload": cpu_offload,
                "backward_prefetch": backward_prefetch, "mixed_precision": mixed_precision,
                "param_init_fn": param_init_fn, "device_id": device_id, "sync_module_states": sync_module_states,
                "forward_prefetch": forward_prefetch, "limit_all_gathers": limit_all_gathers,
                "use_orig_params": use_orig_params, "device_mesh": device_mesh})
        self._set_up(module, ranks, param_init_fn, device_id, sync_module_states, shared)

    def _wrap_inside(self, module: Any, policy: Any, kwargs: dict[str, Any]) -> set[Any]:
        """Make units of the modules that the policy wants; returns the parameters that several of them use."""
        if kwargs["process_group"] is None and self._device_mesh is None and self.sharding_strategy in HYBRID:
            kwargs["process_group"] = (self._ranks.shard, self._ranks.copies)
        for child in module.modules():
            if isinstance(child, FullyShardedDataParallel):
                raise ValueError(f"{_NAME} auto wrapping requires that no module inside is wrapped already "
                                 f"(found a wrapped {type(child.module).__name__})")
        ignored = self._ignored_params
        found = targets(module, policy, self._ignored_modules, ignored, kwargs)
        kinds = tuple(self.mixed_precision._module_classes_to_ignore)
        if kinds and self._casts():
            for m in module.modules():
                if m is not module and isinstance(m, kinds) and m not in self._ignored_modules:
                    found[m] = {**found.get(m, kwargs), "mixed_precision": None}
                    keep_full_precision(m)
        shared = shared_by_units(module, found, ignored)

        def maker(m: Any, given: dict[str, Any]) -> Callable[[], Any]:
            keep = [*shared, *ignored]
            return lambda: FullyShardedDataParallel(m, **{**given, "ignored_states": keep or None})

        replace(module, {m: maker(m, given) for m, given in found.items()})
        return shared

    def _casts(self) -> bool:
        mp = self.mixed_precision
        return mp.param_dtype is not None or mp.reduce_dtype is not None or mp.buffer_dtype is not None

    def _set_up(self, module: Any, ranks: Ranks, init_fn: Any, device_id: Any, sync: bool, shared: set[Any]) -> None:
        mp = self.mixed_precision
        where = device("cuda", device_id) if isinstance(device_id, int) else None
        if device_id is not None and where is None:
            where = device(device_id)
        self._fsdp_wrapped_module = module
        prepare(_NAME, module, self._ignored_modules, self._ignored_params, init_fn, where,
                ranks.to_broadcast() if sync else None)
        style = "pieces" if self._use_orig_params else "flat"
        handles = make_handles(_NAME, [module], style, ranks.shard, mp.param_dtype, self._ignored_modules,
                               self._ignored_params, shared)
        keep = None if self.sharding_strategy not in KEEPS else True
        if self.sharding_strategy is ShardingStrategy.NO_SHARD:
            keep = True
        reducer = Reducer(ranks.copies, mp.reduce_dtype or mp.param_dtype, mp.keep_low_precision_grads)
        unit = Unit([self], handles, reducer, keep)
        unit.forward_prefetch = [] if self.forward_prefetch else None
        unit.backward_prefetch = None if self.backward_prefetch is None else []
        unit.late_prefetch = self.backward_prefetch is BackwardPrefetch.BACKWARD_POST
        self.__dict__["_fsdp_unit"] = unit
        model_state.register_flat(self)
        first = handles[0].shard if handles else None
        self.compute_device = where or (first.device if first is not None else device("cpu"))
        self._buffer_types: dict[tuple[int, str], Any] | None = None
        self._summoned = False
        self._state_dict_type = StateDictType.FULL_STATE_DICT
        self._state_dict_config: StateDictConfig = FullStateDictConfig()
        self._optim_state_dict_config: OptimStateDictConfig = FullOptimStateDictConfig()
        self.register_load_state_dict_post_hook(model_state.after_load)

    # -- the module inside -----------------------------------------------------------------------------------------

    @property
    def module(self) -> Any:
        """The wrapped module."""
        inner = self._fsdp_wrapped_module
        return inner._checkpoint_wrapped_module if "_checkpoint_wrapped_module" in inner._modules else inner

    @property
    def _has_params(self) -> bool:
        return bool(self._unit.handles)

    @property
    def _unit(self) -> Unit:
        return self.__dict__["_fsdp_unit"]

    @property
    def _flat_param(self) -> Any:
        return next((h.flat for h in self._unit.handles), None)

    @property
    def _is_root(self) -> bool | None:
        return None if self._unit.run is None else self._unit.is_root()

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if "_fsdp_wrapped_module" not in self.__dict__.get("_modules", ()):
                raise
            return getattr(self._fsdp_wrapped_module, name)

    def __getitem__(self, key: Any) -> Any:
        inner: Any = self._fsdp_wrapped_module
        return inner[key]

    def check_is_root(self) -> bool:
        """Whether this is the outermost unit of its model."""
        begin_run(self, self._unit)
        return self._unit.is_root()

    @staticmethod
    def fsdp_modules(module: Any, root_only: bool = False) -> list[FullyShardedDataParallel]:
        """The wrapped modules in a module, itself included.

        Args:
            module: where to look.
            root_only: only those that are in no other one.
        """
        found: list[FullyShardedDataParallel] = []

        def walk(m: Any) -> None:
            if isinstance(m, FullyShardedDataParallel):
                found.append(m)
                if root_only:
                    return
            for child in m.children():
                walk(child)

        walk(module)
        return list(dict.fromkeys(found))

    def apply(self, fn: Callable[[Any], None]) -> FullyShardedDataParallel:
        """Call a function on every module, with the whole parameters in them; what it writes to them stays."""
        with self.summon_full_params(self, recurse=False, writeback=True):
            return super().apply(fn)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Any:
        self._unit.reshard()
        return super()._apply(fn, recurse)

    def named_buffers(self, *args: Any, **kwargs: Any) -> Iterator[tuple[str, Tensor]]:
        """Names and buffers; within `summon_full_params`, the names are those of the module that was wrapped."""
        for name, buf in super().named_buffers(*args, **kwargs):
            yield clean_name(name) if self._summoned else name, buf

    def named_parameters(self, *args: Any, **kwargs: Any) -> Iterator[tuple[str, Any]]:
        """Names and parameters; within `summon_full_params`, the names are those of the module that was wrapped."""
        for name, param in super().named_parameters(*args, **kwargs):
            yield clean_name(name) if self._summoned else name, param

    # -- training --------------------------------------------------------------------------------------------------

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The wrapped module's forward, with its whole parameters."""
        unit = self._unit
        if unit.run is None:
            begin_run(self, unit)
        mp = self.mixed_precision
        if self._buffer_types is None:
            self._cast_buffers()
        cast = mp.cast_root_forward_inputs or mp.cast_forward_inputs if unit.is_root() else mp.cast_forward_inputs
        if cast and mp.param_dtype is not None:
            args, kwargs = cast_floats(args, mp.param_dtype), cast_floats(kwargs, mp.param_dtype)
        unit.before_forward((args, kwargs))
        output = self._fsdp_wrapped_module(*args, **kwargs)
        unit.after_forward(output)
        return output

    def _cast_buffers(self) -> None:
        dtype, inner = self.mixed_precision.buffer_dtype, self._fsdp_wrapped_module
        self._buffer_types = {} if dtype is None else cast_buffers(inner, self._ignored_modules, dtype)

    @contextlib.contextmanager
    def no_sync(self) -> Generator[None, None, None]:
        """Within the block, backward adds up whole gradients on each rank instead of reducing them."""
        units = [m._unit for m in self.fsdp_modules(self)]
        before = [u.sync for u in units]
        for u in units:
            u.sync = False
        try:
            yield
        finally:
            for u, old in zip(units, before, strict=True):
                u.sync = old

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients, those that `no_sync` has kept whole too."""
        for m in self.fsdp_modules(self):
            m._unit.drop_gradients()
        super().zero_grad(set_to_none)

    def clip_grad_norm_(self, max_norm: float, norm_type: float = 2.0) -> Tensor:
        """Scale all gradients so that their norm, over all ranks' parts, is at most a value.

        Args:
            max_norm: the value.
            norm_type: the order of the norm; ``inf`` for the largest element.

        Returns:
            The norm before.
        """
        return clip_grad_norm(self, max_norm, norm_type)

    def register_comm_hook(self, state: Any, hook: Callable) -> None:
        """Let a function communicate gradients.

        Args:
            state: given to the function.
            hook: ``hook(state, grad)`` changes ``grad`` in place where nothing is divided; else
                ``hook(state, grad, output)`` writes this rank's part of the whole ``grad`` into ``output``.
        """
        if not self.check_is_root():
            raise AssertionError("register_comm_hook can only be called on a root instance.")
        for m in self.fsdp_modules(self):
            if m._unit.reducer.hook is not None:
                raise AssertionError("A communication hook is already registered")
            m._unit.reducer.hook = (state, hook)

    # -- whole parameters and state dicts ----------------------------------------------------------------------------

    @staticmethod
    @contextlib.contextmanager
    def summon_full_params(
        module: Any, recurse: bool = True, writeback: bool = True, rank0_only: bool = False,
        offload_to_cpu: bool = False, with_grads: bool = False,
    ) -> Generator[None, None, None]:
        """Within the block, the modules have their whole parameters, in full precision.

        Args:
            module: a wrapped module, or one with wrapped modules in it.
            recurse: those of units further in too.
            writeback: what is written to the parameters stays.
            rank0_only: only on the first rank; needs ``writeback=False``.
            offload_to_cpu: in CPU memory.
            with_grads: whole gradients too.
        """
        with model_state.summon(module, recurse, writeback, rank0_only, offload_to_cpu, with_grads):
            yield

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """The state of the wrapped module, of the kind that `set_state_dict_type` chose; all ranks call it."""
        return model_state.state_dict(self, *args, **kwargs)

    def load_state_dict(self, state_dict: Any, strict: bool = True, assign: bool = False) -> Any:
        """Take over a state dict, of the kind that `set_state_dict_type` chose; all ranks call it."""
        try:
            return super().load_state_dict(state_dict, strict, assign)
        finally:
            model_state.dismiss_all(self)

    def _load_from_state_dict(self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, missing_keys: list,
                              unexpected_keys: list, error_msgs: list) -> None:
        model_state.before_load(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                                error_msgs)

    @staticmethod
    def set_state_dict_type(
        module: Any, state_dict_type: StateDictType, state_dict_config: StateDictConfig | None = None,
        optim_state_dict_config: OptimStateDictConfig | None = None,
    ) -> StateDictSettings:
        """Choose the kind of state dict of all wrapped modules in a module; returns what was chosen before."""
        return model_state.set_type(module, state_dict_type, state_dict_config, optim_state_dict_config)

    @staticmethod
    def get_state_dict_type(module: Any) -> StateDictSettings:
        """The kind of state dict of the wrapped modules in a module."""
        return model_state.get_type(module)

    @staticmethod
    @contextlib.contextmanager
    def state_dict_type(
        module: Any, state_dict_type: StateDictType, state_dict_config: StateDictConfig | None = None,
        optim_state_dict_config: OptimStateDictConfig | None = None,
    ) -> Generator[None, None, None]:
        """Within the block, state dicts are of a kind (see `set_state_dict_type`)."""
        before = model_state.set_type(module, state_dict_type, state_dict_config, optim_state_dict_config)
        try:
            yield
        finally:
            model_state.set_type(module, before.state_dict_type, before.state_dict_config,
                                 before.optim_state_dict_config)

    # -- the optimizer's state -----------------------------------------------------------------------------------------

    full_optim_state_dict = staticmethod(optim_state.full_optim_state_dict)
    sharded_optim_state_dict = staticmethod(optim_state.sharded_optim_state_dict)
    shard_full_optim_state_dict = staticmethod(optim_state.shard_full_optim_state_dict)
    flatten_sharded_optim_state_dict = staticmethod(optim_state.flatten_sharded_optim_state_dict)
    scatter_full_optim_state_dict = staticmethod(optim_state.scatter_full_optim_state_dict)
    rekey_optim_state_dict = staticmethod(optim_state.rekey_optim_state_dict)
    optim_state_dict = staticmethod(optim_state.optim_state_dict)
    optim_state_dict_to_load = staticmethod(optim_state.optim_state_dict_to_load)


FullyShardedDataParallel.OptimStateKeyType = OptimStateKeyType  # type: ignore[attr-defined]
