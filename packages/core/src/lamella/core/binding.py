"""Core's side of the dispatcher: version counters for foreign kernels, mixed devices, subclasses, the tensor
adapter.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from lamella.dispatch import adapter, registry
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK, BACKEND_MASK

from . import dtypes as dt
from .devices import backend_bit, device
from .faults import two_devices
from .meta import meta_array
from .storage import lowest, owner_of
from .tensor import CUDA, META, PYTHON, TORCH_FUNCTION, Size, Tensor, bump, describe, wrap

#: Operators whose operands may be on different devices, and those of which the indices may.
ANY_DEVICE = frozenset({"copy_", "_copy_from", "set_"})
_BY_INDEX = frozenset({"index", "index_put", "index_put_"})


def mutation_layer(op: registry.OpOverload, fn: registry.Kernel) -> registry.Kernel:
    """Count the writes of a backend kernel that does not do so itself (the generated ones do)."""
    mutated = [(i, a.name) for i, a in enumerate(op.schema.arguments) if a.is_write]
    if not mutated:
        return fn

    @functools.wraps(fn)
    def counted(*args: Any, **kwargs: Any) -> Any:
        r = fn(*args, **kwargs)
        for i, name in mutated:
            t = args[i] if i < len(args) else kwargs.get(name)
            for x in t if isinstance(t, (list, tuple)) else (t,):
                if isinstance(x, Tensor):
                    bump(x, op.opname)
        return r

    return counted


def mixed_backends(op: registry.OpOverload, ks: int) -> registry.Kernel:
    """A call on several backends: fine where the lower ones bring CPU numbers (0-d) or the operator says so."""
    top = 1 << ((ks & BACKEND_MASK).bit_length() - 1)
    written = [(i, a.name) for i, a in enumerate(op.schema.arguments) if a.is_write]

    def mixed(*args: Any, **kwargs: Any) -> Any:
        if op.opname in _BY_INDEX:
            args = _checked_indices(op.opname, top, args)
        elif op.opname not in ANY_DEVICE:
            tensors = adapter.tensors_in([args, kwargs])
            high = next(t for t in tensors if t._ks & top)
            targets = [args[i] if i < len(args) else kwargs.get(name) for i, name in written]
            for t in tensors:
                if not t._ks & top and (t._a.ndim or not t.is_cpu or any(t is x for x in targets)):
                    raise two_devices(op.opname, t, high, f"move one of them: x.to({str(high.device)!r})")
            if top == CUDA:
                from .cuda.devices import joined

                args, kwargs = joined(high, args), joined(high, kwargs)
        return op.table[top](*args, **kwargs)

    return mixed


def _checked_indices(op: str, top: int, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Indices may be on the CPU beside a tensor that is not, but not the other way round; values only as numbers."""
    target, indices, *rest = args
    if not target._ks & top and any(i is not None and i._ks & top for i in indices):
        where = next(i.device for i in indices if i is not None and i._ks & top)
        raise RuntimeError(
            message(
                op,
                f"indices should be either on {target.device} or on the same device as the indexed tensor "
                f"({target.device})",
                {"indices": str(where)},
                hint=f"move them: index.to({str(target.device)!r})",
            )
        )
    if rest and isinstance(rest[0], Tensor) and (rest[0]._ks ^ target._ks) & BACKEND_MASK:
        if rest[0]._a.ndim or not target._ks & top:
            raise two_devices(op, target, rest[0], f"move the values: values.to({str(target.device)!r})")
        rest = [rest[0].to(target.device), *rest[1:]]  # type: ignore[attr-defined]
    return (target, indices, *rest)


class CoreAdapter(adapter.TensorAdapter):
    """Answers dispatch's questions about tensors."""

    checks = {"ScalarType": lambda v: isinstance(v, dt.dtype), "Device": lambda v: isinstance(v, (device, str, int))}

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, Tensor)

    def describe(self, value: Any) -> str:
        return describe(value)

    def annotations(self) -> dict[Any, str]:
        from .random import Generator

        return {Tensor: "Tensor", dt.dtype: "ScalarType", device: "Device", Generator: "Generator"}

    def stride(self, tensor: Any) -> tuple[int, ...]:
        return tensor.stride()

    def memory(self, tensor: Any) -> Any:
        return None if tensor.is_meta or tensor._a.size == 0 else lowest(owner_of(tensor._a))

    def snapshot(self, tensor: Any) -> Any:
        return None if tensor.is_meta else tensor._a.tobytes()

    def same_contents(self, tensor: Any, snapshot: Any) -> bool:
        return tensor.is_meta or tensor._a.tobytes() == snapshot

    def clone(self, tensor: Any) -> Any:
        if tensor.is_cuda:
            a = tensor._a.copy("K")
        else:
            a = np.empty_like(tensor._a)
            np.copyto(a, tensor._a)
        r: Any = wrap(a, tensor._ks & ~AUTOGRAD_MASK)
        return r.requires_grad_(True) if tensor.requires_grad else r

    def to_meta(self, tensor: Any) -> Any:
        return wrap(meta_array(tensor._a.shape, tensor.dtype, tensor.stride()), META)

    def can_require_grad(self, tensor: Any) -> bool:
        return tensor.dtype.category >= 2

    def with_requires_grad(self, tensor: Any, flag: bool) -> Any:
        r: Any = self.clone(tensor.detach())
        return r.requires_grad_(flag)

    def backward(self, outputs: list[Any]) -> None:
        total = None
        for o in outputs:
            if o.requires_grad:
                s = o.sum().real if o.is_complex() else o.sum()
                total = s if total is None else total + s
        if total is not None:
            total.backward()

    def grad(self, tensor: Any) -> Any:
        return tensor.grad

    def close(self, left: Any, right: Any, atol: float | None = None, rtol: float | None = None) -> bool:
        loose = left.dtype.itemsize <= 2 or left.dtype is dt.float32
        atol = (1e-3 if left.dtype.itemsize <= 2 else 1e-5 if loose else 1e-8) if atol is None else atol
        rtol = (1e-2 if left.dtype.itemsize <= 2 else 1e-4 if loose else 1e-6) if rtol is None else rtol
        a, b = (t.detach()._a if not t.is_cuda else t.detach().cpu()._a for t in (left, right))
        if a.dtype.itemsize == 2 and a.dtype.kind not in "iu":
            a, b = a.astype(np.float32), b.astype(np.float32)
        return np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True)


def public_function(op: registry.OpOverload) -> Any:
    """The function that `__torch_function__` gets: ``torch.add`` for ``aten::add.Tensor``, else the method."""
    from . import functions

    found = functions.FUNCTIONS.get(op.opname)
    if found is None:
        found = functions.METHODS.get(op.opname) or getattr(Tensor, op.opname, None)
    return op if found is None else found


def class_keys(cls: type, base: type) -> int:
    """The interception keys that instances of a Tensor subclass carry."""
    ks = 0
    if getattr(cls, "__torch_dispatch__", None) is not None:
        ks |= PYTHON
    plain = next((c.__dict__["_plain"] for c in cls.__mro__ if "_plain" in c.__dict__), False)
    handler = getattr(cls, "__torch_function__", None)
    if not plain and getattr(handler, "__name__", "") != "_disabled_torch_function_impl":
        ks |= TORCH_FUNCTION
    if ks:
        # The kernels of these keys, and what they answer with.
        from lamella.dispatch import modes  # noqa: F401
    return ks


def default_torch_function(cls: Any, func: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Torch's default: run ``func`` without interception; its new tensors become instances of the subclass."""
    from lamella.dispatch.modes import DisableTorchFunctionSubclass

    if not all(issubclass(cls, t) for t in types) or str(getattr(func, "__module__", "")).partition(".")[0] == "torch":
        return NotImplemented  # also for the real torch's own functions, which would ask again without end
    with DisableTorchFunctionSubclass():
        return _convert(func(*args, **kwargs), cls)


def _convert(r: Any, cls: Any) -> Any:
    if isinstance(r, Tensor) and not isinstance(r, cls):
        from .creation import as_subclass

        return as_subclass(r, cls)
    if isinstance(r, (tuple, list)) and not isinstance(r, Size):
        values = [_convert(x, cls) for x in r]
        return type(r)._make(values) if hasattr(r, "_make") else type(r)(values)  # type: ignore[attr-defined]
    return r


def install() -> None:
    """Hand all this to the dispatcher."""
    registry.install(mutation_layer=mutation_layer, mixed_backends=mixed_backends, public_function=public_function)
    registry.set_device_keys(backend_bit)
    adapter.install(CoreAdapter())
