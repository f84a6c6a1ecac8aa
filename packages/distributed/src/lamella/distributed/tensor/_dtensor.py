"""DTensor: a tensor that is spread over the ranks of a mesh."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from lamella.autograd.engine import current_task
from lamella.autograd.function import Function
from lamella.autograd.grad_mode import no_grad
from lamella.core.meta import meta_array
from lamella.core.tensor import PYTHON, Size, Tensor, VersionCounter, alias
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK, AUTOGRAD_SHIFT, BACKEND_MASK
from lamella.dispatch.state import state

from ..device_mesh import DeviceMesh, _mesh_resources
from ._dtensor_spec import DTensorSpec, meta_of, normalized
from ._redistribute import part_of, redistribute_local_tensor
from .placement_types import Partial, Placement, Replicate, Shard

__all__ = ["DTensor"]

_new = object.__new__


def wrap_local(local: Tensor, spec: DTensorSpec, cls: Any = None) -> DTensor:
    """A DTensor without history over this rank's part."""
    t = _new(cls or DTensor)
    t._local_tensor, t._spec = local, spec
    vc = local._vc
    if vc is None:
        vc = local._vc = VersionCounter()
    meta = spec.tensor_meta
    t._a = meta_array(tuple(meta.shape), meta.dtype, meta.stride)
    t._ks = local._ks & BACKEND_MASK | PYTHON
    t._ag, t._vc, t._base = None, vc, None
    return t


def gradient_placements(placements: Sequence[Placement]) -> tuple[Placement, ...]:
    """How the gradient of a tensor lies: as the tensor, and whole where the tensor is not reduced yet."""
    return tuple(Replicate() if isinstance(p, Partial) else p for p in placements)


class DTensor(Tensor):
    """A tensor that is spread over the ranks of a mesh.

    Each rank holds a part, a copy, or a summand of it, as its placements say, and sees the shape of the whole.
    Operators compute on the parts and communicate where they must; all ranks of the mesh call them together. An
    operator for which no rule says how parts are computed with (see `_ops`) runs on the whole tensor on every rank, as
    in torch.

    Made by `distribute_tensor`, `DTensor.from_local`, `zeros` and its like, not by its constructor.

    Attributes:
        device_mesh: the ranks.
        placements: one for each dimension of the mesh.

    Example:
        >>> import lamella.distributed as dist
        >>> from lamella import core
        >>> from lamella.distributed.tensor import Shard, init_device_mesh
        >>> mesh = init_device_mesh("cpu", (1,))
        >>> x = DTensor.from_local(core.ones(2, 3), mesh, [Shard(0)])
        >>> x.shape, (x + x).sum().item()
        (torch.Size([2, 3]), 12.0)
        >>> dist.destroy_process_group()
    """

    _plain = True  # calls are not offered to __torch_function__
    _local_tensor: Tensor
    _spec: DTensorSpec

    def __new__(cls, local_tensor: Tensor, spec: DTensorSpec, *, requires_grad: bool = False) -> DTensor:
        local = local_tensor.detach() if local_tensor.requires_grad else local_tensor
        return wrap_local(local, spec, cls).requires_grad_(requires_grad)

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run an operator on the parts."""
        from ._dispatch import dispatch

        return dispatch(func, args, kwargs or {})

    # ------------------------------------------------------------------ making, moving, taking apart

    @staticmethod
    def from_local(local_tensor: Tensor, device_mesh: DeviceMesh | None = None,
                   placements: Sequence[Placement] | None = None, *, run_check: bool = False, shape: Any = None,
                   stride: Any = None, grad_placements: Sequence[Placement] | None = None) -> DTensor:
        """Make a DTensor of the ranks' parts. Gradients flow back to them.

        Args:
            local_tensor: this rank's part.
            device_mesh: the ranks; that of the ``with`` block where None.
            placements: what the parts are; copies where None.
            run_check: compare the ranks' shapes, and take the first rank's values for copies.
            shape, stride: of the whole; needed where parts are not all of one size.
            grad_placements: how the gradient lies when it becomes local again.

        Raises:
            RuntimeError: the part is a DTensor itself, or does not fit ``shape``.
        """
        if isinstance(local_tensor, DTensor):
            raise RuntimeError(message("from_local", "the local_tensor argument only accepts Tensor", "got DTensor"))
        mesh = device_mesh or _mesh_resources.get_current_mesh()
        where = normalized("from_local", mesh, placements, local_tensor.ndim)
        kinds = {p.reduce_op for p in where if isinstance(p, Partial)}
        if len(kinds) > 1:
            raise ValueError(message("from_local", "all Partial placements must have one reduction", sorted(kinds)))
        if mesh.device_type != local_tensor.device.type and not local_tensor.is_meta:
            local_tensor = local_tensor.to(mesh.device_type)
        if (shape is None) != (stride is None):
            raise ValueError(message("from_local", "Please pass both shape and stride at the same time"))
        grads = None if grad_placements is None else normalized("from_local", mesh, grad_placements, local_tensor.ndim)
        spec = DTensorSpec(mesh, where, _global_meta(local_tensor, mesh, where, shape, stride))
        if run_check:
            local_tensor = _checked(local_tensor, spec)
        return _FromLocal.apply(local_tensor, spec, grads)

    def to_local(self, *, grad_placements: Sequence[Placement] | None = None) -> Tensor:
        """This rank's part. Gradients flow through.

        Args:
            grad_placements: how the gradient of the part lies, where not as the tensor itself: `Partial` for a copy
                that each rank uses otherwise.

        Returns:
            The part, over the DTensor's own memory.
        """
        if self._ag is None or state.thread.exclude & AUTOGRAD_MASK:
            return self._local_tensor
        grads = (None if grad_placements is None
                 else normalized("to_local", self._spec.mesh, grad_placements, self.ndim))
        return _ToLocal.apply(self, grads)

    def redistribute(self, device_mesh: DeviceMesh | None = None, placements: Sequence[Placement] | None = None, *,
                     async_op: bool = False, forward_dtype: Any = None, backward_dtype: Any = None) -> DTensor:
        """The same tensor under other placements. Gradients flow through.

        Args:
            device_mesh: the tensor's own.
            placements: one for each dimension of the mesh. `Partial` only where the tensor is so already.
            async_op: accepted; the result is there when the function returns.
            forward_dtype: the element type of the result, in which it is communicated.
            backward_dtype: the element type in which the gradient is communicated.

        Raises:
            RuntimeError: no placements, or `Partial` where the tensor is not.
        """
        mesh = self._spec.mesh
        if device_mesh is not None and device_mesh != mesh:
            raise NotImplementedError(message("redistribute", "a tensor stays on its mesh", f"{mesh}, {device_mesh}",
                                              hint="distribute_tensor(x.full_tensor(), other_mesh, placements)"))
        if placements is None:
            raise RuntimeError(message("redistribute", "placements is needed for redistribute!"))
        where = normalized("redistribute", mesh, placements, self.ndim)
        for now, to in zip(self._spec.placements, where):
            if isinstance(to, Partial) and now != to:
                raise RuntimeError(message("redistribute", f"Can not redistribute from {now} to {to}"))
        x = self if forward_dtype is None else self.to(forward_dtype)
        return _Redistribute.apply(x, where, backward_dtype)

    def full_tensor(self, *, grad_placements: Sequence[Placement] | None = None) -> Tensor:
        """The whole tensor, on every rank. Gradients flow through.

        Args:
            grad_placements: how the gradient of the result lies; every rank has all of it where None.
        """
        whole = self.redistribute(placements=[Replicate()] * self._spec.mesh.ndim)
        return whole.to_local(grad_placements=grad_placements)

    @property
    def device_mesh(self) -> DeviceMesh:
        """The ranks."""
        return self._spec.mesh

    @property
    def placements(self) -> tuple[Placement, ...]:
        """How the tensor lies along each dimension of the mesh."""
        return self._spec.placements

    # ------------------------------------------------------------------ what the rest of the framework asks

    def _alias(self) -> DTensor:  # type: ignore[override]
        return wrap_local(self._local_tensor, self._spec, type(self))

    @property
    def device(self) -> Any:
        """Where this rank's part is."""
        return self._local_tensor.device

    @property
    def data(self) -> Any:
        """The values without history; writes to them are not seen by the version check."""
        return wrap_local(self._local_tensor.data, self._spec, type(self))

    @data.setter
    def data(self, new: Any) -> None:
        if not isinstance(new, DTensor):
            raise RuntimeError(message("data", "a DTensor's data is a DTensor", type(new).__name__,
                                       hint="distribute_tensor(value, x.device_mesh, x.placements)"))
        self._local_tensor, self._spec, self._a = new._local_tensor, new._spec, new._a
        backend = new._ks & BACKEND_MASK
        self._ks = self._ks & ~(BACKEND_MASK | AUTOGRAD_MASK) | backend
        if self._ag is not None:
            self._ks |= backend << AUTOGRAD_SHIFT
        self._vc = VersionCounter()

    @property
    def _grad(self) -> Any:  # type: ignore[override]
        return self.__dict__.get("_own_grad")

    @_grad.setter
    def _grad(self, g: Any) -> None:
        self.__dict__["_own_grad"] = None if g is None else self._arriving(g)

    def _arriving(self, g: Any) -> Any:  # type: ignore[override]
        """A gradient, lying as its leaf does, so that steps of optimizers need not communicate."""
        where = gradient_placements(self._spec.placements)
        if not isinstance(g, DTensor):
            if current_task() is None:
                raise RuntimeError(message("grad", "the gradient of a DTensor is a DTensor", type(g).__name__,
                                           hint="DTensor.from_local(g, x.device_mesh, x.placements)"))
            g = DTensor.from_local(g, self._spec.mesh)  # made by a formula, the same on every rank
        if g._spec.placements == where or g._spec.mesh != self._spec.mesh:
            return g
        return g.redistribute(placements=where)

    def _made_like(self, op: str, make: Any, shape: Any, options: dict[str, Any]) -> Any:
        """What `zeros_like` and its kin, and `new_zeros` and its kin, give for this tensor."""
        shape = tuple(self._a.shape) if shape is None else tuple(shape)
        same = shape == tuple(self._a.shape)
        where = gradient_placements(self._spec.placements) if same else (Replicate(),) * self._spec.mesh.ndim
        meta = meta_of(shape, options["dtype"], self._spec.stride if same else None)
        spec = DTensorSpec(self._spec.mesh, where, meta)
        needs = options.pop("requires_grad", False)
        if op.startswith("rand"):
            from ._random import drawn

            made = drawn(lambda generator: make(shape, generator=generator, **options), spec)
        else:
            made = wrap_local(make(spec.local_shape(), **options), spec)
        return made.requires_grad_(needs)

    def __setitem__(self, index: Any, value: Any) -> None:
        from ._dispatch import CopiedView

        try:
            Tensor.__setitem__(self, index, value)
        except CopiedView:
            if self._ag is not None and not state.thread.exclude & AUTOGRAD_MASK:
                raise
            with no_grad():  # elements of several ranks' parts: write to the whole, and keep this rank's part of it
                whole = self.full_tensor()
                whole = whole.clone() if whole is self._local_tensor else whole
                whole[index] = value.full_tensor() if isinstance(value, DTensor) else value
                self._local_tensor.copy_(part_of(whole, self._spec))

    def data_ptr(self) -> int:
        """The address of this rank's part."""
        return self._local_tensor.data_ptr()

    def untyped_storage(self) -> Any:
        """The memory of this rank's part."""
        return self._local_tensor.untyped_storage()

    def tolist(self) -> Any:
        """The whole tensor's elements, as Python numbers. All ranks call it together."""
        return self.detach().full_tensor().tolist()

    def numpy(self, *, force: bool = False) -> Any:
        """Not of a DTensor: it would not be clear of which part."""
        raise RuntimeError(message("numpy", "a DTensor is no array", str(self._spec),
                                   hint="x.full_tensor().numpy(), or x.to_local().numpy() for this rank's part"))

    def __array__(self, *_args: Any, **_kwargs: Any) -> Any:
        return self.numpy()

    def __repr__(self, *, tensor_contents: str | None = None) -> str:  # type: ignore[override]
        return (f"DTensor(local_tensor={self._local_tensor!r}, device_mesh={self._spec.mesh!r}, "
                f"placements={self._spec.placements!r})")

    __str__ = __repr__  # type: ignore[assignment]

    def __format__(self, spec: str) -> str:
        return self.item().__format__(spec) if self.ndim == 0 and spec else repr(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) in memo:
            return memo[id(self)]
        if not self.is_leaf:
            raise RuntimeError(message("deepcopy", "only tensors that the user created (graph leaves) can be copied "
                                                   "deeply", hint="copy x.detach()"))
        made = wrap_local(self._local_tensor.detach().clone(), self._spec, type(self))
        made.requires_grad_(self.requires_grad)
        memo[id(self)] = made
        left = {"_local_tensor", "_spec", "_twin", *(["_own_grad"] if "_is_param" in self.__dict__ else [])}
        for key, value in self.__dict__.items():
            if key not in left:  # a parameter is copied without its gradient
                made.__dict__[key] = copy.deepcopy(value, memo)
        return made

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        spec = self._spec
        kept = (spec.mesh._device_type, spec.mesh._grid.tolist(), spec.mesh._mesh_dim_names)
        meta = (tuple(spec.shape), spec.stride, spec.tensor_meta.dtype)
        return _rebuilt, (self._local_tensor, kept, spec.placements, meta, self.requires_grad,
                          "_is_param" in self.__dict__)

    # ------------------------------------------------------------------ checkpoints

    def __create_chunk_list__(self) -> list[Any]:
        """The part that this rank has, as (offsets, sizes): what a distributed checkpoint writes.

        Raises:
            ValueError: the tensor is not reduced yet.
        """
        if self._spec.is_partial():
            raise ValueError(message("checkpoint", "a DTensor that is not reduced yet cannot be saved",
                                     str(self._spec), hint="x.redistribute(placements=[Replicate()]) first"))
        shape, offset = self._spec.local_shape_and_offset()
        from ..checkpoint.metadata import ChunkStorageMetadata

        return [ChunkStorageMetadata(offsets=Size(offset), sizes=Size(shape))]

    def __get_tensor_shard__(self, index: Any) -> Tensor:
        """The part that this rank has."""
        return self._local_tensor


def _rebuilt(local: Tensor, mesh: Any, placements: Any, meta: Any, requires_grad: bool, is_param: bool) -> DTensor:
    """A DTensor from a file; its mesh has no groups until the program makes it."""
    made = DeviceMesh(mesh[0], mesh[1], mesh_dim_names=mesh[2], _init_backend=False)
    t = wrap_local(local, DTensorSpec(made, placements, meta_of(meta[0], meta[2], meta[1])))
    if is_param:
        t._is_param = True  # type: ignore[attr-defined]
    return t.requires_grad_(requires_grad)


def _global_meta(local: Tensor, mesh: DeviceMesh, placements: Sequence[Placement], shape: Any, stride: Any) -> Any:
    """Shape and strides of the whole; parts count as equal where they are not given."""
    if shape is not None:
        return meta_of(tuple(shape), local.dtype, tuple(stride))
    sizes, steps = list(local.shape), list(local.stride())
    for i, p in enumerate(placements):
        if isinstance(p, Shard):
            n, step = mesh.size(i), steps[p.dim]
            for j in range(len(steps)):
                if j != p.dim and steps[j] >= step and sizes[j] != 1:
                    steps[j] *= n if steps[j] > step or j < p.dim else 1
            sizes[p.dim] *= n
    return meta_of(sizes, local.dtype, steps)


def _checked(local: Tensor, spec: DTensorSpec) -> Tensor:
    import lamella.distributed as dist

    for i, p in enumerate(spec.placements):
        group = spec.mesh.get_group(i)
        seen: list[Any] = [None] * spec.mesh.size(i)
        dist.all_gather_object(seen, (tuple(local.shape), local.dtype.name), group=group)
        if any(s[1] != seen[0][1] or len(s[0]) != len(seen[0][0]) for s in seen):
            raise RuntimeError(message("from_local", "the ranks' parts differ in element type or dimensions", seen))
        if isinstance(p, Replicate):
            local = local.contiguous() if local.requires_grad else local.contiguous().clone()
            with no_grad():
                dist.broadcast(local.detach(), group=group, group_src=0)
    return local


# ---------------------------------------------------------------------- gradients


class _FromLocal(Function):
    @staticmethod
    def forward(ctx: Any, local: Tensor, spec: DTensorSpec, grads: Any) -> DTensor:
        ctx.where = grads or gradient_placements(spec.placements)
        ctx.set_materialize_grads(False)
        return wrap_local(alias(local), spec)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> tuple[Any, ...]:
        if grad is None:
            return None, None, None
        return grad.redistribute(placements=ctx.where).to_local(), None, None


class _ToLocal(Function):
    @staticmethod
    def forward(ctx: Any, x: DTensor, grads: Any) -> Tensor:
        ctx.spec = x._spec.with_placements(grads or gradient_placements(x._spec.placements))
        ctx.set_materialize_grads(False)
        return alias(x._local_tensor)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> tuple[Any, ...]:
        return (None if grad is None else _FromLocal.apply(grad, ctx.spec, None)), None


class _Redistribute(Function):
    @staticmethod
    def forward(ctx: Any, x: DTensor, where: tuple[Placement, ...], backward_dtype: Any) -> DTensor:
        # A gradient that is whole stays so: to make summands of it would only cost another reduction.
        ctx.where, ctx.dtypes = gradient_placements(x._spec.placements), (backward_dtype, x.dtype)
        ctx.set_materialize_grads(False)
        spec = x._spec.with_placements(where)
        local = redistribute_local_tensor(x._local_tensor, x._spec, spec)
        return wrap_local(alias(local) if local is x._local_tensor else local, spec)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> tuple[Any, ...]:
        if grad is None:
            return None, None, None
        to, own = ctx.dtypes
        g = grad if to is None or to is grad.dtype else grad.to(to)
        g = _Redistribute.apply(g, ctx.where, None)
        return (g if g.dtype is own else g.to(own)), None, None
