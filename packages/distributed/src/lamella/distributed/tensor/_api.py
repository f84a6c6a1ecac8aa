"""Making distributed tensors and modules: `distribute_tensor`, `distribute_module`, and factories."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import lamella.distributed as dist
from lamella import core
from lamella.autograd.grad_mode import no_grad
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from ..device_mesh import DeviceMesh, _mesh_resources
from ._dtensor import DTensor, wrap_local
from ._dtensor_spec import DTensorSpec, meta_of, normalized
from ._random import drawn
from ._redistribute import dealt, part_of, summand
from .placement_types import Partial, Placement, Replicate, Shard

__all__ = ["distribute_module", "distribute_tensor", "empty", "full", "ones", "rand", "randn", "zeros"]


def distribute_tensor(tensor: Tensor, device_mesh: DeviceMesh | None = None,
                      placements: Sequence[Placement] | None = None, *, src_data_rank: int | None = 0) -> DTensor:
    """Spread a tensor over the ranks of a mesh.

    Args:
        tensor: the whole; a leaf. Its values count on the first rank of each dimension of the mesh.
        device_mesh: the ranks; that of the ``with`` block where None.
        placements: how it shall lie; copies where None.
        src_data_rank: whose values are taken along each dimension of the mesh; None: every rank cuts its part out of
            its own tensor, without communication.

    Returns:
        A DTensor that requires grad where the tensor did.

    Raises:
        RuntimeError: the tensor was computed from tensors that require grad.
        ValueError: placements do not fit mesh or tensor.

    Example:
        >>> import lamella.distributed as dist
        >>> from lamella.distributed.tensor import Shard, init_device_mesh
        >>> mesh = init_device_mesh("cpu", (1,))
        >>> distribute_tensor(core.ones(4, 2), mesh, [Shard(0)]).to_local().shape
        torch.Size([4, 2])
        >>> dist.destroy_process_group()
    """
    mesh = device_mesh or _mesh_resources.get_current_mesh()
    where = normalized("distribute_tensor", mesh, placements, tensor.ndim)
    if not tensor.is_leaf:
        raise RuntimeError(message("distribute_tensor", "`distribute_tensor` should be used to distribute leaf tensors!"
                                   " but found non-leaf tensor!", hint="DTensor.from_local keeps history"))
    if isinstance(tensor, DTensor):
        if tensor.device_mesh != mesh:
            raise ValueError(message("distribute_tensor", "Cannot distribute a DTensor to a different device mesh",
                                     f"{tensor.device_mesh}, {mesh}"))
        if tensor.placements != where:
            raise ValueError(message("distribute_tensor", "Cannot distribute a DTensor with other placements",
                                     f"{tensor.placements}, {where}", hint="use redistribute"))
        return tensor
    plain = tensor.detach()
    if mesh.device_type != tensor.device.type and not tensor.is_meta:
        plain = plain.to(mesh.device_type)
    spec = DTensorSpec(mesh, where, meta_of(tuple(tensor.shape), tensor.dtype, tensor.stride()))
    with no_grad():
        if mesh.get_coordinate() is None:
            local = plain.new_empty([0] * max(plain.ndim, 1))
        elif tensor.is_meta:
            local = core.empty(spec.local_shape(), dtype=tensor.dtype, device="meta")
        elif src_data_rank is None:
            local = part_of(plain, spec)
            local = local.clone() if local is plain else local
        else:
            local = _sent(plain.contiguous(), spec, src_data_rank)
    return wrap_local(local, spec).requires_grad_(tensor.requires_grad)


def _sent(local: Tensor, spec: DTensorSpec, source: int) -> Tensor:
    """This rank's part of the tensor that one rank along each dimension of the mesh has."""
    mesh, at = spec.mesh, spec.mesh.get_coordinate()
    fresh = False
    for i, p in enumerate(spec.placements):
        n, group = mesh.size(i), mesh.get_group(i)
        if n == 1:
            continue
        if isinstance(p, Shard):
            local = dealt(local, p.dim, n, at[i], functools.partial(_scatter, group, source))
        else:
            local = local if fresh else local.clone()
            dist.broadcast(local, group=group, group_src=source)
            if isinstance(p, Partial):
                local = summand(local, p, at[i])
        fresh = True
    return local if fresh else local.clone()


def _scatter(group: Any, source: int, out: Tensor, rows: Tensor) -> None:
    step = out.shape[0]
    if step:
        parts = list(core.split(rows, step)) if dist.get_rank(group) == source else None
        dist.scatter(out, parts, group=group, group_src=source)


# ---------------------------------------------------------------------- modules


def distribute_module(module: Any, device_mesh: DeviceMesh | None = None,
                      partition_fn: Callable[[str, Any, DeviceMesh], None] | None = None,
                      input_fn: Callable[..., Any] | None = None, output_fn: Callable[..., Any] | None = None) -> Any:
    """Make a module's parameters and buffers DTensors, in place.

    Args:
        module: the module.
        device_mesh: the ranks; that of the ``with`` block where None.
        partition_fn: called as ``partition_fn(name, submodule, mesh)`` for each submodule, distributes its parameters
            as it wants; what it leaves becomes copies.
        input_fn: called as ``input_fn(module, inputs, mesh)`` before forward; what it returns takes the inputs' place.
        output_fn: called as ``output_fn(module, outputs, mesh)`` after forward; the same for the outputs.

    Returns:
        The module.

    Raises:
        RuntimeError: it was distributed before.
    """
    mesh = device_mesh or _mesh_resources.get_current_mesh()
    if getattr(module, "_distribute_module_applied", False):
        raise RuntimeError(message("distribute_module", "distribute_module should only be called once on a module",
                                   hint="distribute the submodules, or the whole, but not both"))
    for name, part in module.named_modules():
        if partition_fn is not None:
            partition_fn(name, part, mesh)
        _replicate(part, mesh)
    if input_fn is not None:
        module.register_forward_pre_hook(lambda m, inputs: input_fn(m, inputs, mesh))
    if output_fn is not None:
        module.register_forward_hook(lambda m, inputs, outputs: output_fn(m, outputs, mesh))
    module._distribute_module_applied = True
    return module


def lay(part: Any, name: str, mesh: DeviceMesh, where: Sequence[Placement], source: int | None = 0) -> None:
    """Make one of a module's parameters, if it is there, a DTensor."""
    from ..layers import Parameter

    p = getattr(part, name, None)
    if p is not None:
        made = distribute_tensor(p.detach(), mesh, where, src_data_rank=source)
        part.register_parameter(name, Parameter(made, requires_grad=p.requires_grad))


def _replicate(part: Any, mesh: DeviceMesh) -> None:
    copies = [Replicate()] * mesh.ndim
    for key, p in list(part._parameters.items()):
        if not isinstance(p, DTensor):
            lay(part, key, mesh, copies)
    for key, b in list(part._buffers.items()):
        if b is not None and not isinstance(b, DTensor):
            part._buffers[key] = distribute_tensor(b, mesh, copies)


# ---------------------------------------------------------------------- factories


def _sizes(size: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else tuple(size)


def _made(name: str, make: Callable[..., Tensor], size: tuple[Any, ...], dtype: Any, layout: Any, requires_grad: bool,
          device_mesh: DeviceMesh | None, placements: Sequence[Placement] | None, *, random: bool = False) -> DTensor:
    del layout
    mesh = device_mesh or _mesh_resources.get_current_mesh()
    shape = _sizes(size)
    where = normalized(name, mesh, placements, len(shape))
    dtype = core.get_default_dtype() if dtype is None else dtype
    spec = DTensorSpec(mesh, where, meta_of(shape, dtype))
    if any(isinstance(p, Partial) for p in where):
        raise RuntimeError(message(name, "a new DTensor is whole or in parts, not in summands", list(where)))
    if random:
        made = drawn(lambda g: make(shape, dtype=dtype, device=mesh.device_type, generator=g), spec)
    else:
        made = wrap_local(make(spec.local_shape(), dtype=dtype, device=mesh.device_type), spec)
    return made.requires_grad_(requires_grad)


def zeros(*size: Any, requires_grad: bool = False, dtype: Any = None, layout: Any = None,
          device_mesh: DeviceMesh | None = None, placements: Sequence[Placement] | None = None) -> DTensor:
    """A DTensor of zeros.

    Args:
        size: the shape of the whole.
        requires_grad: whether gradients are collected.
        dtype: the element type; the default one where None.
        layout: accepted.
        device_mesh: the ranks; that of the ``with`` block where None.
        placements: how it lies; copies where None.

    Example:
        >>> import lamella.distributed as dist
        >>> from lamella.distributed.tensor import init_device_mesh
        >>> zeros(2, device_mesh=init_device_mesh("cpu", (1,))).to_local()
        tensor([0., 0.])
        >>> dist.destroy_process_group()
    """
    return _made("zeros", core.zeros, size, dtype, layout, requires_grad, device_mesh, placements)


def ones(*size: Any, requires_grad: bool = False, dtype: Any = None, layout: Any = None,
         device_mesh: DeviceMesh | None = None, placements: Sequence[Placement] | None = None) -> DTensor:
    """A DTensor of ones. Arguments as of `zeros`."""
    return _made("ones", core.ones, size, dtype, layout, requires_grad, device_mesh, placements)


def empty(*size: Any, dtype: Any = None, layout: Any = None, requires_grad: bool = False,
          device_mesh: DeviceMesh | None = None, placements: Sequence[Placement] | None = None) -> DTensor:
    """A DTensor whose elements are not set. Arguments as of `zeros`."""
    return _made("empty", core.empty, size, dtype, layout, requires_grad, device_mesh, placements)


def full(size: Sequence[int], fill_value: Any, *, dtype: Any = None, layout: Any = None, requires_grad: bool = False,
         device_mesh: DeviceMesh | None = None, placements: Sequence[Placement] | None = None) -> DTensor:
    """A DTensor of one value. Arguments as of `zeros`."""
    def make(shape: Any, **options: Any) -> Tensor:
        return core.full(shape, fill_value, **options)

    return _made("full", make, (size,), dtype, layout, requires_grad, device_mesh, placements)


def rand(*size: Any, requires_grad: bool = False, dtype: Any = None, layout: Any = None,
         device_mesh: DeviceMesh | None = None, placements: Sequence[Placement] | None = None) -> DTensor:
    """A DTensor of numbers uniform over [0, 1), the same whole for any placement. Arguments as of `zeros`."""
    return _made("rand", core.rand, size, dtype, layout, requires_grad, device_mesh, placements, random=True)


def randn(*size: Any, requires_grad: bool = False, dtype: Any = None, layout: Any = None,
          device_mesh: DeviceMesh | None = None, placements: Sequence[Placement] | None = None) -> DTensor:
    """A DTensor of numbers of the standard normal distribution, the same whole for any placement. Arguments as of
    `zeros`."""
    return _made("randn", core.randn, size, dtype, layout, requires_grad, device_mesh, placements, random=True)
