"""fully_shard: divides a module's parameters among the ranks in place; the module stays what it is."""

from __future__ import annotations

import functools
from typing import Any

import lamella.distributed as dist
from lamella.core.tensor import Tensor, wrap
from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK

from ..layers import Module, nn
from .api import DataParallelMeshDims, MixedPrecisionPolicy, OffloadPolicy
from .build import make_handles, unit_of
from .casting import cast_floats
from .fsdp_module import FSDPModule
from .reduction import Reducer
from .run import begin_run
from .unit import Unit

__all__ = ["fully_shard", "register_fsdp_forward_method", "share_comm_ctx"]


def fully_shard(
    module: Any,
    *,
    mesh: Any = None,
    reshard_after_forward: bool | int | None = None,
    shard_placement_fn: Any = None,
    mp_policy: MixedPrecisionPolicy | None = None,
    offload_policy: OffloadPolicy | None = None,
    ignored_params: set[Any] | None = None,
    dp_mesh_dims: DataParallelMeshDims | None = None,
) -> Any:
    """Divide a module's parameters among the ranks, by rows, in place.

    Its parameters become `DTensor`s, and its class a subclass of itself and of `FSDPModule`. Call it on inner modules
    first: each call is a unit whose parameters (those that no earlier call took) are collected together.

    Args:
        module: the module, or a list of modules that make one unit.
        mesh: the ranks; of two dimensions, (copies, divide among). All ranks where None.
        reshard_after_forward: give up whole parameters after forward and collect them again in backward; None: except
            in the outermost unit. A number (of ranks, smaller than the mesh) means True.
        shard_placement_fn: gives for a parameter ``Shard(dim)``, the dimension to divide, or None for the first one.
        mp_policy: element types.
        offload_policy: where parts rest.
        ignored_params: parameters that stay whole.
        dp_mesh_dims: the names of the mesh's dimensions to divide and to copy over.

    Returns:
        The module.

    Raises:
        ValueError: a container without forward, a mesh of more than two dimensions, a parameter without dimensions.
        NotImplementedError: a dimension other than the first that the number of ranks does not divide.

    Example:
        >>> import lamella.distributed as dist
        >>> from lamella import core, nn
        >>> dist.init_process_group()
        >>> model = fully_shard(nn.Linear(3, 2))
        >>> model(core.ones(1, 3)).sum().backward()
        >>> model.weight.grad.to_local().tolist(), isinstance(model, FSDPModule)
        ([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], True)
        >>> dist.destroy_process_group()
    """
    modules = list(module) if isinstance(module, (list, tuple)) else [module]
    _check("fully_shard", modules)
    mp = mp_policy or MixedPrecisionPolicy()
    kind = next((p.device.type for m in modules for p in m.parameters() if not p.is_meta), None)
    mesh = _mesh(mesh, kind or "cpu", dp_mesh_dims)
    shard, copies = mesh.get_group(mesh.ndim - 1), mesh.get_group(0) if mesh.ndim == 2 else None
    keep = _keep(reshard_after_forward, shard.size())
    dims = _dims(modules, shard_placement_fn, shard.size())
    handles = make_handles("fully_shard", modules, "rows", shard, mp.param_dtype, set(), set(ignored_params or ()),
                           dress=functools.partial(_dressed, mesh), dims=dims)
    if copies is not None and copies.size() == 1:
        copies = None
    unit = Unit(modules, handles, Reducer(copies, mp.reduce_dtype or mp.param_dtype, False), keep)
    state = _State(unit, mp)
    for m in modules:
        _attach(m, unit, state)
    del offload_policy  # tensors of the CPU rest on the CPU
    return module


def _attach(module: Any, unit: Unit, state: _State) -> None:
    """Let a module do its unit's work around its forward and its state dicts."""
    module.__dict__["_fsdp_unit"] = unit
    module.__dict__["_fsdp_state"] = state
    module.register_forward_pre_hook(state.before, prepend=True, with_kwargs=True)
    module.register_forward_hook(state.after)
    module.register_state_dict_pre_hook(_to_parts)
    module.register_load_state_dict_pre_hook(_to_parts)
    module.register_load_state_dict_post_hook(_take_over)
    module.__class__ = _sharded_class(type(module))


def _check(name: str, modules: list[Any]) -> None:
    for m in modules:
        if not isinstance(m, Module):
            raise ValueError(message(name, "expects a module or a list of modules", type(m).__name__))
        if isinstance(m, (nn.ModuleList, nn.ModuleDict)):
            rule = f"fully_shard does not support containers that do not implement forward: {type(m).__name__}"
            raise ValueError(message(name, rule, hint="call it on the elements"))
        if unit_of(m) is not None:
            rule = f"it can only be applied to a module once, and was to this {type(m).__name__}"
            raise AssertionError(message(name, rule))


def _mesh(mesh: Any, device_type: str, dims: DataParallelMeshDims | None) -> Any:
    from ..device_mesh import init_device_mesh

    if mesh is None:
        if not dist.is_initialized():
            dist.init_process_group()
        return init_device_mesh(device_type, (dist.get_world_size(),))
    if dims is not None:
        if mesh.mesh_dim_names is None:
            raise ValueError(message("fully_shard", "dp_mesh_dims needs a mesh whose dimensions have names"))
        names = []
        for part in (dims.replicate, dims.shard):
            if isinstance(part, tuple) and len(part) > 1:
                mesh[part]._flatten("_".join(part))
                part = "_".join(part)
            names += [part[0] if isinstance(part, tuple) else part] if part else []
        mesh = mesh[tuple(names)] if len(names) > 1 else mesh[names[0]]
    if mesh.ndim not in (1, 2):
        raise ValueError(message("fully_shard", "fully_shard expects a 1D or 2D DeviceMesh", f"but got {mesh}"))
    return mesh


def _keep(reshard: bool | int | None, world: int) -> bool | None:
    if reshard is None or isinstance(reshard, bool):
        return None if reshard is None else not reshard
    if not isinstance(reshard, int) or reshard < 1 or reshard > world or world % reshard:
        rule = "reshard_after_forward must be a bool or a divisor of the number of ranks"
        raise ValueError(message("fully_shard", rule, {"got": reshard, "ranks": world}))
    return reshard == 1


def _dims(modules: list[Any], fn: Any, world: int) -> dict[Any, int]:
    """The dimensions of parameters that are divided, where not the first."""
    from ..tensor import Shard

    found: dict[Any, int] = {}
    for p in {p for m in modules for p in m.parameters()} if fn is not None else ():
        where = fn(p)
        where = getattr(where, "placement", where)
        if where is None:
            continue
        if not isinstance(where, Shard):
            raise ValueError(message("fully_shard", "shard_placement_fn must give Shard(dim) or None", f"got {where}"))
        d = where.dim + p.dim() if where.dim < 0 else where.dim
        if d and p.shape[d] % world:
            raise NotImplementedError(message(
                "fully_shard", f"FSDP does not support uneven sharding on dim {d}", {"shape": p.shape, "ranks": world}))
        found[p] = d
    return found


def _dressed(mesh: Any, local: Tensor, like: Any, dim: int) -> Any:
    """A DTensor over this rank's part."""
    from ..tensor import DTensor, Replicate, Shard

    where = [Replicate()] * (mesh.ndim - 1) + [Shard(dim)]
    if isinstance(like, DTensor):
        spec = like._spec
        return DTensor(local, type(spec)(_joined(spec.mesh, mesh), (*spec.placements, *where), spec.tensor_meta))
    return DTensor.from_local(local, mesh, where, run_check=False, shape=like.shape, stride=like.contiguous().stride())


def _joined(inner: Any, outer: Any) -> Any:
    """The mesh of both: parameters are spread over the inner one, then each part is divided over the outer one."""
    if inner._get_root_mesh() is not outer._get_root_mesh():
        rule = "FSDP requires the DP and model parallel TP mesh to have the same parent mesh"
        raise ValueError(message("fully_shard", rule, f"{inner}, {outer}",
                                 hint='cut both from one: init_device_mesh(..., mesh_dim_names=("dp", "tp"))'))
    names = (*inner.mesh_dim_names, *outer.mesh_dim_names)
    return outer._derived(inner._axes + outer._axes, names, inner.get_all_groups() + outer.get_all_groups())


_classes: dict[type, type] = {}


def _no_copy(*_: Any) -> Any:
    rule = "FSDP does not support deepcopy. Please use state dict for serialization."
    raise AssertionError(message("deepcopy", rule))


def _sharded_class(cls: type) -> type:
    """The subclass of a module's class that its instance gets."""
    found = _classes.get(cls)
    if found is None:
        found = _classes[cls] = _new_class(cls)
    return found


def _new_class(cls: type) -> type:
    return type(f"FSDP{cls.__name__}", (FSDPModule, cls), {"__deepcopy__": _no_copy, "__module__": cls.__module__})


class _State:
    """What surrounds the forward of a unit's modules."""

    def __init__(self, unit: Unit, mp: MixedPrecisionPolicy) -> None:
        self.unit, self.mp = unit, mp
        self.first = 0
        self.left: set[int] = set()

    def before(self, module: Any, args: Any, kwargs: Any) -> Any:
        """Before a module's forward; the first module of the unit collects its parameters."""
        unit, mp = self.unit, self.mp
        if unit.run is None:
            begin_run(module, unit)
        if mp.cast_forward_inputs and mp.param_dtype is not None:
            args, kwargs = cast_floats(args, mp.param_dtype), cast_floats(kwargs, mp.param_dtype)
        if id(module) == self.first or id(module) not in self.left:
            self.first, self.left = id(module), {id(m) for m in unit.modules}
            unit.before_forward((args, kwargs))
        return args, kwargs

    def after(self, module: Any, args: Any, output: Any) -> Any:
        """After a module's forward; the last module of the unit gives its parameters up."""
        if self.mp.output_dtype is not None:
            output = cast_floats(output, self.mp.output_dtype)
        self.left.discard(id(module))
        if not self.left:
            self.first = 0
            self.unit.after_forward(output)
        return output


def _to_parts(module: Any, *_: Any) -> None:
    unit_of(module).reshard()


def _take_over(module: Any, _: Any) -> None:
    """Parameters that loading put in the place of others (``assign=True``) are the unit's from now on."""
    for handle in unit_of(module).handles:
        for piece in handle.pieces:
            owner, name = piece.places[0]
            now = owner._parameters.get(name)
            if now is not piece.param:
                now.__dict__["_fsdp_managed"] = True
                # the state dict's own tensor stays as it is
                now._local_tensor = wrap(now._local_tensor._a, now._local_tensor._ks & BACKEND_MASK)
                piece.param = now
                piece.show(now)
        handle.sync()


def register_fsdp_forward_method(module: Any, method_name: str) -> None:
    """Let a method collect and give up parameters as forward does.

    Args:
        module: a module that `fully_shard` was applied to; others are left alone.
        method_name: the method.

    Raises:
        ValueError: the module has no such method.
    """
    if not isinstance(module, FSDPModule):
        return
    if not hasattr(module, method_name):
        raise ValueError(message("register_fsdp_forward_method", f"{type(module).__name__} does not have a method",
                                 repr(method_name)))
    method = getattr(type(module), method_name)
    state: _State = module.__dict__["_fsdp_state"]

    @functools.wraps(method)
    def around(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = state.before(module, args, kwargs)
        return state.after(module, args, method(module, *args, **kwargs))

    module.__dict__[method_name] = around


def share_comm_ctx(modules: list[Any]) -> None:
    """Let several models take turns in communication; collectives of one group always do.

    Args:
        modules: modules that `fully_shard` was applied to.

    Raises:
        ValueError: another module.
    """
    for m in modules:
        if not isinstance(m, FSDPModule):
            raise ValueError(message("share_comm_ctx", f"Expects list of FSDPModules but got {type(m).__name__}"))
