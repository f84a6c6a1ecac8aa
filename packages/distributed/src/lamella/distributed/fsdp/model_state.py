"""State dicts of sharded models, and whole parameters for a while."""

from __future__ import annotations

import contextlib
import warnings
from collections import OrderedDict
from collections.abc import Generator
from typing import Any

from lamella.autograd import no_grad
from lamella.core.tensor import Tensor, describe, wrap
from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK

from .api import STATE_CONFIGS, FullStateDictConfig, ShardingStrategy, StateDictConfig, StateDictSettings, StateDictType
from .build import clean_name
from .handle import FlatParameter

__all__ = [
    "after_load",
    "before_load",
    "dismiss_all",
    "divided",
    "get_type",
    "register_flat",
    "set_type",
    "state_dict",
    "summon",
]

_FLAT = "_flat_param"


def _fsdp_modules(module: Any) -> list[Any]:
    from .fully_sharded_data_parallel import FullyShardedDataParallel

    return FullyShardedDataParallel.fsdp_modules(module)


# -- which kind --------------------------------------------------------------------------------------------------------


def set_type(module: Any, kind: StateDictType, config: StateDictConfig | None, optim_config: Any) -> StateDictSettings:
    """Choose the kind of state dict of all wrapped modules in a module; returns what was chosen before."""
    config_type, optim_type = STATE_CONFIGS[kind]
    config, optim_config = config or config_type(), optim_config or optim_type()
    for what, given, wanted in (("state_dict_config", config, config_type),
                                ("optim_state_dict_config", optim_config, optim_type)):
        if type(given) is not wanted:
            raise RuntimeError(message("set_state_dict_type", f"Expected {what} of type {wanted.__name__}",
                                       f"but got {type(given).__name__}"))
    before = get_type(module)
    for m in _fsdp_modules(module):
        m._state_dict_type, m._state_dict_config, m._optim_state_dict_config = kind, config, optim_config
    return before


def get_type(module: Any) -> StateDictSettings:
    """The kind of state dict of the wrapped modules in a module; the default where there is none."""
    found = [StateDictSettings(m._state_dict_type, m._state_dict_config, m._optim_state_dict_config)
             for m in _fsdp_modules(module)]
    if not found:
        kind = StateDictType.FULL_STATE_DICT
        return StateDictSettings(kind, *(c() for c in STATE_CONFIGS[kind]))
    for other in found[1:]:
        if other != found[0]:
            raise AssertionError(message(
                "get_state_dict_type", "All FSDP modules must have the same state dict settings.",
                f"Got {other} and {found[0]}."))
    return found[0]


# -- whole parameters for a while --------------------------------------------------------------------------------------


def register_flat(m: Any) -> None:
    """Make the shards parameters of the wrapped module."""
    for i, handle in enumerate(h for h in m._unit.handles if h.flat is not None):
        m.module._parameters[f"{_FLAT}_{i}" if i else _FLAT] = handle.flat


def _hide_flat(m: Any) -> None:
    own = m.module._parameters
    for name in [n for n, p in own.items() if n.startswith(_FLAT) and isinstance(p, FlatParameter)]:
        del own[name]


def _show(m: Any, show: bool, grads: bool, offload: bool) -> None:
    _hide_flat(m)
    m._summoned = True
    for handle in m._unit.handles:
        handle.summon(show, grads)
        if offload and show:
            for piece in handle.pieces:
                piece.summoned.data = piece.summoned.data.cpu()


def _hide(m: Any, writeback: bool, grads: bool) -> None:
    m._summoned = False
    for handle in m._unit.handles:
        if handle.summoned:
            handle.dismiss(writeback, grads)
    register_flat(m)


@contextlib.contextmanager
def summon(module: Any, recurse: bool, writeback: bool, rank0_only: bool, offload: bool,
           grads: bool) -> Generator[None, None, None]:
    """See `FullyShardedDataParallel.summon_full_params`."""
    name = "summon_full_params"
    if writeback and rank0_only:
        raise NotImplementedError(message(name, "writeback=True and rank0_only=True is not supported",
                                          hint="pass writeback=False"))
    if offload and not rank0_only:
        warnings.warn(f"{name}: offload_to_cpu=True and rank0_only=False makes copies on all ranks of a machine; "
                      "pass rank0_only=True", stacklevel=4)
    modules = [m for m in _fsdp_modules(module) if recurse or m is module]
    if any(m._summoned for m in modules):
        raise AssertionError(message(name, "Cannot manually unshard parameters during forward/backward or within "
                                           "another summon_full_params()"))
    for m in modules:
        _show(m, not rank0_only or m.rank == 0, grads, offload)
    try:
        yield
    finally:
        for m in modules:
            _hide(m, writeback, grads)


def dismiss_all(module: Any) -> None:
    """Take out whole parameters that an error left in."""
    for m in _fsdp_modules(module):
        if m._summoned:
            _hide(m, False, False)


# -- saving ------------------------------------------------------------------------------------------------------------


def state_dict(m: Any, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
    """See `Module.state_dict`."""
    if args:
        given: list[Any] = [*args, *(destination, prefix, keep_vars)[len(args) :]]
        destination, prefix, keep_vars = given
    if destination is None:
        destination = OrderedDict()
        destination._metadata = OrderedDict()
    for pre in m._state_dict_pre_hooks.values():
        pre(m, prefix, keep_vars)
    kind, config = m._state_dict_type, m._state_dict_config
    skip = isinstance(config, FullStateDictConfig) and config.rank0_only and m.rank != 0
    into = OrderedDict() if skip else destination
    if kind is StateDictType.LOCAL_STATE_DICT:
        _save_local(m, into, prefix)
    else:
        already = m._summoned
        if not already:
            _show(m, not skip, False, False)
        try:
            m._fsdp_wrapped_module.state_dict(destination=into, prefix=prefix, keep_vars=False)
            if not skip:
                _finish_values(m, into, prefix, kind, config)
        finally:
            if not already:
                _hide(m, False, False)
    for hook in m._state_dict_hooks.values():
        result = hook(m, destination, prefix, {"version": m._version})
        destination = destination if result is None else result
    return destination


def _finish_values(m: Any, into: Any, prefix: str, kind: StateDictType, config: StateDictConfig) -> None:
    """Copies instead of views of memory that is about to go; buffers in the types that the model was saved with."""
    done: dict[int, Any] = {}
    for handle in m._unit.handles:
        for piece in handle.pieces:
            for name in piece.names:
                key = prefix + name
                if key not in into:
                    continue
                if id(piece) not in done:
                    value = into[key].detach()
                    if kind is StateDictType.SHARDED_STATE_DICT and value.dim():
                        done[id(piece)] = divided(m, value)
                    else:
                        done[id(piece)] = value.cpu().clone() if config.offload_to_cpu else value.clone()
                into[key] = done[id(piece)]
    types = m._buffer_types or {}
    for path, module in m._fsdp_wrapped_module.named_modules():
        for name, buf in module._buffers.items():
            key = prefix + clean_name(f"{path}.{name}" if path else name)
            if key in into and buf is not None:
                dtype = types.get((id(module), name))
                value = into[key] if dtype is None else into[key].to(dtype)
                into[key] = value.cpu() if config.offload_to_cpu else value


def mesh_of(m: Any) -> tuple[Any, list[Any]]:
    """A device mesh of the ranks that a unit is divided among, and how its parameters lie on it."""
    from ..device_mesh import DeviceMesh
    from ..tensor import Replicate, Shard

    if m._device_mesh is not None:
        if m.sharding_strategy is ShardingStrategy.NO_SHARD:
            return m._device_mesh, [Replicate()]
        return m._device_mesh, [Replicate()] * (m._device_mesh.ndim - 1) + [Shard(0)]
    if m.__dict__.get("_state_mesh") is None:
        group = m._ranks.shard or m._ranks.copies or m._ranks.whole
        m.__dict__["_state_mesh"] = DeviceMesh.from_group(group, m.compute_device.type)
    one = Replicate() if m.sharding_strategy is ShardingStrategy.NO_SHARD else Shard(0)
    return m.__dict__["_state_mesh"], [one]


def divided(m: Any, value: Tensor) -> Any:
    """A whole tensor as a DTensor of which this rank has its rows."""
    from ..tensor import DTensor

    mesh, placements = mesh_of(m)
    world, rank = mesh.size(-1), mesh.get_local_rank(mesh.ndim - 1)
    if not placements[-1].is_shard():
        local = value.clone()
    else:
        rows = -(-value.shape[0] // world)
        local = value[min(rank * rows, value.shape[0]) : (rank + 1) * rows].clone()
    return DTensor.from_local(local, mesh, placements, run_check=False, shape=value.shape, stride=value.stride())


def _save_local(m: Any, into: Any, prefix: str) -> None:
    if any(h.world == 1 for h in m._unit.handles) and m.world_size > 1:
        rule = "``local_state_dict`` can only be used when parameters are flatten and sharded."
        raise RuntimeError(message("state_dict", rule, m.sharding_strategy.name))
    m._unit.reshard()
    _hide_flat(m)
    try:
        m._fsdp_wrapped_module.state_dict(destination=into, prefix=prefix, keep_vars=False)
    finally:
        register_flat(m)
    for i, handle in enumerate(m._unit.handles):
        for piece in handle.pieces:
            for name in piece.names:
                into.pop(prefix + name, None)
        handle.sync()
        into[prefix + (f"{_FLAT}_{i}" if i else _FLAT)] = wrap(handle.shard._a, handle.shard._ks & BACKEND_MASK).clone()


# -- loading -----------------------------------------------------------------------------------------------------------


def before_load(m: Any, given: Any, prefix: str, local_metadata: Any, strict: bool, missing: list, unexpected: list,
                errors: list) -> None:
    """Make the unit's parameters whole, so that the modules inside load as always; `after_load` divides them again."""
    asked = getattr(given, "strict", strict)
    for hook in m._load_state_dict_pre_hooks.values():
        hook(given, prefix, local_metadata, asked, missing, unexpected, errors)
    m.__dict__["_load_errors"] = errors
    if m._state_dict_type is StateDictType.LOCAL_STATE_DICT:
        _load_local(m, given, prefix, missing)
        _hide_flat(m)
    else:
        _show(m, True, False, False)
        _gather_values(m, given, prefix)
    inner = prefix + "_fsdp_wrapped_module."
    for key in [k for k in given if k.startswith(prefix) and not k.startswith(inner)]:
        given[inner + key[len(prefix) :]] = given.pop(key)


def _gather_values(m: Any, given: Any, prefix: str) -> None:
    """Whole tensors in the place of divided ones."""
    for handle in m._unit.handles:
        for piece in handle.pieces:
            for name in piece.names:
                value = given.get(prefix + name)
                if value is not None and hasattr(value, "full_tensor"):
                    given[prefix + name] = value.full_tensor()


def _load_local(m: Any, given: Any, prefix: str, missing: list) -> None:
    m._unit.reshard()
    for i, handle in enumerate(m._unit.handles):
        key = prefix + (f"{_FLAT}_{i}" if i else _FLAT)
        value = given.pop(key, None)
        if value is None:
            missing.append(key)
        elif value.numel() != handle.shard.numel():
            rule = f"{key} is a shard of another model or another number of ranks"
            raise RuntimeError(message("load_state_dict", rule, [describe(value)],
                                       hint="save a SHARDED_STATE_DICT to change the number of ranks"))
        else:
            with no_grad():
                handle.sync()
                wrap(handle.shard._a, handle.shard._ks & BACKEND_MASK).copy_(value.reshape(-1))
        if handle.flat is None:  # the modules inside ask for their parameters: they get what they have
            given.update({prefix + name: piece.param.detach() for piece in handle.pieces for name in piece.names})


def after_load(m: Any, keys: Any) -> None:
    """Divide what was loaded, and tell problems by the names that the user knows."""
    if m._summoned:
        _hide(m, True, False)
    register_flat(m)
    for names in (keys.missing_keys, keys.unexpected_keys, m.__dict__.pop("_load_errors", [])):
        names[:] = [clean_name(n) for n in names]
