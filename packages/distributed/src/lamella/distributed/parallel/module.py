"""DistributedDataParallel: the same model on every rank, each with its part of the batch."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from lamella.autograd import is_grad_enabled, no_grad
from lamella.dispatch.errors import message
from lamella.dispatch.modes import recorder

from ..algorithms.join import Join, Joinable
from ..collectives import all_reduce
from ..group import resolve
from ..layers import Module
from . import checks, recorded
from .buckets import limits
from .coalesced import LIMIT, broadcast_coalesced, sync_states, verify_shapes
from .containers import map_tensors
from .delayed import Delayed
from .joining import JoiningMixin
from .mixed import Casts
from .reducer import Reducer
from .sink import through

_NAME = "DistributedDataParallel"


class _BufferCommHookLocation(Enum):
    PRE_FORWARD = auto()
    POST_FORWARD = auto()


@dataclass
class _BufferCommHook:
    buffer_comm_hook: Callable[..., Any]
    buffer_comm_hook_state: Any
    buffer_comm_hook_location: _BufferCommHookLocation


class DistributedDataParallel(JoiningMixin, Module, Joinable):
    """Trains one model on several ranks: each computes gradients of its part of the batch, and all get their mean.

    Parameters and buffers come from rank 0 when this is made. In backward, gradients are averaged in buckets while the
    computation goes on; when ``backward()`` returns, ``param.grad`` is the mean on every rank. Gradients that are asked
    for with ``autograd.grad`` are not averaged.

    Args:
        module: the model; some parameter must require grad.
        device_ids: one GPU, to which inputs are moved; None (also for CPU) leaves them.
        output_device: accepted, with `device_ids`.
        dim: accepted.
        broadcast_buffers: deprecated in favour of `forward_sync_buffers`; False also leaves out the first broadcast.
        init_sync: compare shapes and take values from rank 0 when this is made.
        process_group: which ranks; the default group where None.
        bucket_cap_mb: MiB of a bucket; None means 25, with a first one of 1.
        find_unused_parameters: parameters may be without gradient in a step; the graph is searched for them.
        check_reduction: deprecated, does nothing.
        gradient_as_bucket_view: gradients are parts of the buckets, which saves memory and copies.
        static_graph: all steps use the same parameters equally often. Allows for reentrant checkpoints, and for
            parameters that are never used.
        delay_all_reduce_named_params: (name, parameter) pairs that travel when `param_to_hook_all_reduce` is ready.
        param_to_hook_all_reduce: see there.
        mixed_precision: element types for forward, for what travels and for buffers.
        device_mesh: a mesh of one dimension in the place of `process_group`.
        skip_all_reduce_unused_params: buckets of parameters that are never used do not travel; all ranks must agree.
        bucket_cap_mb_list: a size for each bucket.
        batched_grad_copy: accepted: gradients are copied and divided in one pass as it is.
        forward_sync_buffers: before each forward, buffers come from rank 0 (True where None).

    Attributes:
        module: the model.

    Raises:
        RuntimeError: no parameter requires grad; the ranks' models differ; a step left parameters without gradient (at
            the next forward; the text names them).

    Example:
        >>> from lamella.distributed import destroy_process_group, init_process_group
        >>> from lamella.distributed.layers import nn
        >>> from lamella.core import ones
        >>> init_process_group()
        >>> model = DistributedDataParallel(nn.Linear(2, 1))
        >>> model(ones(3, 2)).sum().backward()
        >>> model.module.bias.grad
        tensor([3.])
        >>> destroy_process_group()
    """

    _active_ddp_module: Any = None
    _compiled_part = "module"  # torch.compile leaves what is done around it as it is

    def __init__(
        self,
        module: Any,
        device_ids: Sequence[Any] | None = None,
        output_device: Any = None,
        dim: int = 0,
        broadcast_buffers: bool | None = None,
        init_sync: bool = True,
        process_group: Any = None,
        bucket_cap_mb: float | None = None,
        find_unused_parameters: bool = False,
        check_reduction: bool = False,
        gradient_as_bucket_view: bool = False,
        static_graph: bool = False,
        delay_all_reduce_named_params: Any = None,
        param_to_hook_all_reduce: Any = None,
        mixed_precision: Any = None,
        device_mesh: Any = None,
        skip_all_reduce_unused_params: bool = False,
        bucket_cap_mb_list: Sequence[float] | None = None,
        batched_grad_copy: bool = False,
        forward_sync_buffers: bool | None = None,
    ) -> None:
        super().__init__()
        Joinable.__init__(self)
        if (delay_all_reduce_named_params is None) != (param_to_hook_all_reduce is None):
            raise ValueError(message(_NAME, "delay_all_reduce_named_params and param_to_hook_all_reduce need to be set "
                                            "at the same time"))
        self.process_group = checks.group_of(process_group, device_mesh, module)
        if device_mesh is not None:
            self.device_mesh = device_mesh
        self.parameters_to_ignore = set(getattr(module, "_ddp_params_and_buffers_to_ignore", ()))
        late = list(delay_all_reduce_named_params or ())
        self.parameters_to_ignore.update(name for name, _ in late)
        self._module_parameters = [p for n, p in module.named_parameters() if n not in self.parameters_to_ignore]
        checks.parameters(self._module_parameters, bool(late))
        self._place(self._module_parameters or [p for _, p in late], device_ids, output_device)
        self.static_graph = False
        self.dim = dim
        self.module = module
        self.forward_sync_buffers, first = checks.buffers(broadcast_buffers, forward_sync_buffers)
        self.find_unused_parameters = find_unused_parameters
        self.gradient_as_bucket_view = gradient_as_bucket_view
        self.batched_grad_copy = batched_grad_copy
        self.skip_all_reduce_unused_params = skip_all_reduce_unused_params
        self.mixed_precision = mixed_precision
        self._caps = bucket_cap_mb, bucket_cap_mb_list
        self.bucket_bytes_cap = limits(bucket_cap_mb, bucket_cap_mb_list, False)[1][-1]
        self._start()
        if check_reduction:
            warnings.warn("The `check_reduction` argument in `DistributedDataParallel` module is deprecated. Please "
                          "avoid using it.", FutureWarning, stacklevel=2)
        self._delayed = Delayed([p for _, p in late], param_to_hook_all_reduce, self.process_group) if late else None
        self._delay_all_reduce_all_params = bool(late) and not any(p.requires_grad for p in self._module_parameters)
        if self._delay_all_reduce_all_params:
            return
        named = self._named_for_reducer()
        if init_sync:
            verify_shapes(self.process_group, [(n, p) for n, _, p in named])
            sync_states(self.process_group, module, self.parameters_to_ignore, buffers=first)
        self._build(static_graph)

    # -- building ------------------------------------------------------------------------------------------------

    def _place(self, params: Sequence[Any], device_ids: Sequence[Any] | None, output_device: Any) -> None:
        """Where the parameters are, and so where inputs must be."""
        self.device_type, self.is_multi_device_module = checks.devices(params, device_ids, output_device)
        self.device = params[0].device
        self.device_ids = self.output_device = None
        if device_ids and self.device_type != "cpu" and not self.is_multi_device_module:
            self.device_ids = [checks.index_of(d) for d in device_ids]
            self.output_device = self.device_ids[0] if output_device is None else checks.index_of(output_device)

    def _start(self) -> None:
        """What changes while the model is trained."""
        self.require_backward_grad_sync = True
        self.require_forward_param_sync = True
        self.broadcast_bucket_size = LIMIT
        self.modules_buffers: list[Any] = []
        self._comm_hooks: list[tuple[Any, Any]] = []
        self._ddp_sink_clone = True
        self._divide_by_initial_world_size: bool | None = None

    def _named_for_reducer(self) -> list[tuple[str, str, Any]]:
        """(name, class of its module, parameter) for all that are reduced, each once."""
        found, seen = [], set()
        for prefix, module in self.module.named_modules():
            for name, p in module.named_parameters(recurse=False):
                full = f"{prefix}.{name}" if prefix else name
                if p.requires_grad and full not in self.parameters_to_ignore and id(p) not in seen:
                    seen.add(id(p))
                    found.append((full, type(module).__name__, p))
        return found

    def _build(self, static_graph: bool) -> None:
        named = self._named_for_reducer()
        self._assign_modules_buffers()
        casts = None
        if self.mixed_precision is not None:
            casts = Casts(self.mixed_precision, self.module, self.parameters_to_ignore)
        self.reducer = Reducer(
            [p for _, _, p in named], [(n, kind) for n, kind, _ in named], self.process_group,
            limits(*self._caps, whole=static_graph or not self.find_unused_parameters),
            find_unused=self.find_unused_parameters, as_view=self.gradient_as_bucket_view,
            skip_unused=self.skip_all_reduce_unused_params, dtype=None if casts is None else casts.wire)
        self.reducer.mixed = casts
        if static_graph:
            self._set_static_graph()

    def _set_static_graph(self) -> None:
        """Say that all steps are alike. Prefer ``static_graph=True``."""
        if self.static_graph:
            warnings.warn("You've set static_graph to be True, no need to set it again.", stacklevel=2)
            return
        self.static_graph = self.reducer.static = True
        if self.find_unused_parameters:
            warnings.warn("You passed find_unused_parameters=true to DistributedDataParallel, `_set_static_graph` will "
                          "detect unused parameters automatically, so you do not need to set it", stacklevel=2)

    def _assign_modules_buffers(self) -> None:
        """Look up the buffers, which the module may have replaced."""
        self.named_module_buffers = {
            n: b for n, b in self.module.named_buffers() if n not in self.parameters_to_ignore}
        self.modules_buffers = list(self.named_module_buffers.values())

    def __getstate__(self) -> dict[str, Any]:
        checks.default_group(self.process_group)
        return {k: v for k, v in self.__dict__.items() if k not in ("process_group", "reducer")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.process_group = resolve(None, _NAME)
        super().__setstate__(state)  # type: ignore[misc]
        static, self.static_graph = self.static_graph, False
        self._comm_hooks = []
        self._build(static)

    # -- forward -------------------------------------------------------------------------------------------------

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Within this context, backward adds to gradients without communication; the first one behind it averages the
        sums. Forward must be inside, too.

        Example:
            >>> def accumulate(model, batches):
            ...     with model.no_sync():
            ...         for x in batches[:-1]:
            ...             model(x).sum().backward()
            ...     model(batches[-1]).sum().backward()
        """
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """The module's forward, with what must come before and after it."""
        note = recorder()
        if note is not None:
            return recorded.forward(self, note, inputs, kwargs)
        if self._delay_all_reduce_all_params:
            output = self.module.forward(*inputs, **kwargs)
            self._delayed.prepare()  # type: ignore[union-attr]
            return output
        inputs, kwargs = self._pre_forward(*inputs, **kwargs)
        try:
            output = self.module(*inputs, **kwargs)
        except BaseException:
            if self.reducer.mixed is not None:
                self.reducer.mixed.restore()
            raise
        return self._post_forward(output)

    def _pre_forward(self, *inputs: Any, **kwargs: Any) -> tuple[Any, Any]:
        self.reducer.settle()
        work = Join.notify_join_context(self)
        if work is not None:
            self.reducer.joined = work, self._divide_by_initial_world_size is not False
            self.reducer.futures.append(work)
        if is_grad_enabled():
            self.reducer.rebuild()
        if self._check_sync_bufs_pre_fwd():
            self._sync_buffers()
        if self._join_config.enable:
            self._check_global_requires_backward_grad_sync(is_joined_rank=False)
        inputs, kwargs = self._to_device(inputs, kwargs)
        casts = self.reducer.mixed
        if casts is not None:
            casts.lower()
            inputs, kwargs = casts.inputs(inputs, kwargs)
        return inputs, kwargs

    def _to_device(self, inputs: Any, kwargs: Any) -> tuple[Any, Any]:
        """Forward's arguments on the device that `device_ids` names."""
        if not self.device_ids:
            return inputs, kwargs
        where = f"{self.device_type}:{self.device_ids[0]}"
        return map_tensors(lambda t: t.to(where), (inputs, kwargs))

    def _post_forward(self, output: Any) -> Any:
        if self._check_sync_bufs_post_fwd():
            self._sync_buffers()
        self.require_forward_param_sync = is_grad_enabled() and self.require_backward_grad_sync
        if self.require_forward_param_sync:
            self.reducer.prepare(output)
        if self.find_unused_parameters and not self.static_graph:
            output = through(self.reducer, output, self._ddp_sink_clone)
        if self._delayed is not None:
            self._delayed.prepare()
        if self.reducer.mixed is not None and not is_grad_enabled():
            self.reducer.mixed.restore()
        return output

    # -- buffers -------------------------------------------------------------------------------------------------

    @property
    def broadcast_buffers(self) -> bool:
        """The former name of `forward_sync_buffers`."""
        return self.forward_sync_buffers

    @broadcast_buffers.setter
    def broadcast_buffers(self, value: bool) -> None:
        self.forward_sync_buffers = value

    def will_sync_module_buffers(self) -> bool:
        """Whether the next forward takes buffers from another rank."""
        return self.require_forward_param_sync and self.forward_sync_buffers and len(self.modules_buffers) > 0

    def _check_sync_bufs_pre_fwd(self) -> bool:
        hook = self.__dict__.get("buffer_hook")
        return self.will_sync_module_buffers() and (
            hook is None or hook.buffer_comm_hook_location == _BufferCommHookLocation.PRE_FORWARD)

    def _check_sync_bufs_post_fwd(self) -> bool:
        hook = self.__dict__.get("buffer_hook")
        return (hook is not None and self.will_sync_module_buffers()
                and hook.buffer_comm_hook_location == _BufferCommHookLocation.POST_FORWARD)

    def _sync_buffers(self) -> None:
        with no_grad():
            source = self._find_common_rank(self._distributed_rank, True) if self._join_config.enable else 0
            self._assign_modules_buffers()
            self._sync_module_buffers(source)

    def _sync_module_buffers(self, authoritative_rank: int) -> None:
        hook = self.__dict__.get("buffer_hook")
        if hook is None:
            broadcast_coalesced(self.process_group, self.modules_buffers, self.broadcast_bucket_size,
                                authoritative_rank)
        else:
            futures = hook.buffer_comm_hook(hook.buffer_comm_hook_state, self.named_module_buffers)
            if futures is not None:
                self.reducer.futures += futures

    def _register_buffer_comm_hook(self, state: Any, hook: Callable[..., Any],
                                   comm_hook_location: Any = _BufferCommHookLocation.POST_FORWARD) -> None:
        """Call ``hook(state, {name: buffer})`` in place of taking buffers from rank 0; it may return a list of futures,
        which backward waits for at its end."""
        if not callable(hook):
            raise AssertionError(f"hook must be callable, got {type(hook).__name__}")
        self.buffer_hook = _BufferCommHook(hook, state, comm_hook_location)

    # -- communication hooks -------------------------------------------------------------------------------------

    def register_comm_hook(self, state: Any, hook: Callable[..., Any]) -> None:
        """Let a function carry the gradients.

        Args:
            state: is handed to it.
            hook: ``hook(state, bucket: GradBucket) -> Future`` of a tensor like ``bucket.buffer()``, which holds the
                new gradients. What it gets is not divided by the number of ranks.

        Raises:
            RuntimeError: there is one already.
            TypeError: it cannot be called.

        Example:
            >>> from lamella.distributed.algorithms.ddp_comm_hooks.default_hooks import fp16_compress_hook
            >>> def compress(model):
            ...     model.register_comm_hook(None, fp16_compress_hook)
        """
        checks.comm_hook(hook)
        if self.reducer.hook is not None:
            rule = "register_comm_hook or register_builtin_comm_hook can only be called once"
            raise RuntimeError(message("register_comm_hook", rule))
        if self.reducer.mixed is not None:
            raise RuntimeError(message("register_comm_hook", "mixed_precision has a hook of its own"))
        self._comm_hooks.append((hook, state))
        self.reducer.hook = state, hook

    def _register_builtin_comm_hook(self, comm_hook_type: Any) -> None:
        """Register a hook by `BuiltinCommHookType`."""
        from ..algorithms.ddp_comm_hooks import default_hooks

        name = comm_hook_type.name.lower()
        self.register_comm_hook(self.process_group, getattr(default_hooks, f"{name}_hook"))

    # -- the rest of torch's methods -----------------------------------------------------------------------------

    @staticmethod
    def _set_params_and_buffers_to_ignore_for_model(module: Any, params_and_buffers_to_ignore: Any) -> None:
        """Name parameters and buffers of a model that this class leaves alone; before it is wrapped."""
        module._ddp_params_and_buffers_to_ignore = params_and_buffers_to_ignore
        for name, t in (*module.named_parameters(), *module.named_buffers()):
            if name in params_and_buffers_to_ignore:
                t._ddp_ignored = True

    @staticmethod
    def _get_data_parallel_params(module: Any, named_params: bool = False) -> Iterator[Any]:
        """The parameters that are averaged."""
        for name, p in module.named_parameters():
            if not hasattr(p, "_ddp_ignored"):
                yield (name, p) if named_params else p

    def _get_ddp_logging_data(self) -> dict[str, Any]:
        """What this object was told and has done, by torch's names."""
        return checks.logging_data(self)

    def _remove_autograd_hooks(self) -> None:
        """Take the hooks of the parameters out: backward averages nothing any more."""
        self.reducer.unwatch()

    def _check_reducer_finalized(self) -> None:
        """Raise where the last backward left parameters without gradient."""
        self.reducer.check_finished()

    def _set_ddp_sink_clone(self, val: bool) -> None:
        """Whether outputs are copied with ``find_unused_parameters=True``, so that they may be changed in place."""
        self._ddp_sink_clone = val

    def _update_process_group(self, new_process_group: Any) -> None:
        """Go on with other ranks."""
        self.reducer.change_group(new_process_group)
        self.process_group = new_process_group

    @property
    def _has_rebuilt_buckets(self) -> bool:
        return "reducer" in self.__dict__ and self.reducer.rebuilt

    @property
    def _distributed_rank(self) -> int:
        return self.process_group.rank()

    def _check_global_requires_backward_grad_sync(self, is_joined_rank: bool) -> bool:
        """Within `join`: tell the ranks without inputs whether this step's backward averages gradients."""
        told = checks.flag(not is_joined_rank and self.require_backward_grad_sync, self.device)
        work = all_reduce(told, group=self.process_group, async_op=True)
        if not is_joined_rank:
            self.reducer.futures.append(work)
            return self.require_backward_grad_sync
        work.wait()  # type: ignore[union-attr]
        return told.item() != 0
