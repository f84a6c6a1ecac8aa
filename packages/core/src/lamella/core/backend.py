"""What a backend from outside needs of core: tensors over its arrays, and the CPU for operators it has no kernel for.

A backend is a device name (`rename_privateuse1_backend`), an allocator (a kernel for ``empty.memory_format``), a
kernel for ``copy_`` (which moves elements to, from and within the device), and as many kernels as it likes, all
registered with ``Library("aten", "IMPL", "PrivateUse1")``. `cpu_fallback` serves the rest.
"""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK, DispatchKey, bit, parse_key

from .devices import CPU as CPU_DEVICE, device_of
from .tensor import CPU, Tensor, wrap

__all__ = ["cpu_fallback", "tensor_on"]


def tensor_on(key: DispatchKey | str, array: Any) -> Tensor:
    """A tensor of an outside backend over one of its arrays.

    Args:
        key: the backend's dispatch key: PrivateUse1, PrivateUse2 or PrivateUse3.
        array: the memory: a NumPy array, or an object with NumPy's ``shape``, ``strides`` (in bytes), ``dtype``,
            ``ndim``, ``size``, ``itemsize``, ``nbytes`` and ``flags``.

    Returns:
        A tensor that shares the array's memory.

    Example:
        >>> import numpy as np
        >>> tensor_on("PrivateUse3", np.zeros(2)).device.type
        'privateusethree'
    """
    return wrap(array, bit(parse_key(key)))


def cpu_fallback(keyset: int, op: Any, *args: Any, **kwargs: Any) -> Any:
    """Run an operator on the CPU for a backend without a kernel: tensors are copied there, results back.

    Register it with ``Library("_", "IMPL", key).fallback(cpu_fallback, with_keyset=True)``. Views copy nothing: they
    need strides only, so the CPU's kernel is used as it is. Arguments that are written are written on the device too.

    Args:
        keyset: the call's key set.
        op: the operator.
        *args, **kwargs: its arguments.

    Returns:
        The operator's result, on the device.

    Raises:
        NotImplementedError: the CPU has no kernel either.
    """
    backends = keyset & BACKEND_MASK
    if not backends & ~CPU:
        raise RuntimeError(message("cpu_fallback", "it is a fallback for backends other than the CPU"))
    if op.is_view and op.kernel(DispatchKey.CPU) is not None:
        return op.kernel(DispatchKey.CPU).fn(*args, **kwargs)
    device = device_of(backends)
    moved: dict[int, tuple[Tensor, Tensor]] = {}

    def host(value: Any) -> Any:
        if isinstance(value, Tensor) and value._ks & backends & ~CPU:
            if id(value) not in moved:
                moved[id(value)] = value, value.detach().to(CPU_DEVICE)  # type: ignore[attr-defined]
            return moved[id(value)][1]
        return type(value)(map(host, value)) if type(value) in (list, tuple) else value

    host_args = [host(a) for a in args]
    host_kwargs = {k: host(v) for k, v in kwargs.items()}
    if any(a.name == "device" for a in op.schema.arguments):
        host_kwargs["device"] = CPU_DEVICE
    result = op.table[CPU](*host_args, **host_kwargs)
    written = {}
    for original, copy in _written(op, args, kwargs, moved):
        written[id(copy)] = original
        original.copy_(copy)  # type: ignore[attr-defined]
        if original._vc is not None:
            original._vc.writer = op.opname  # the write that errors should name
    return _back(result, device, written)


def _written(op: Any, args: Any, kwargs: Any, moved: dict[int, tuple[Tensor, Tensor]]) -> Any:
    """The (device, CPU) pairs of the arguments that the operator writes."""
    for i, argument in enumerate(op.schema.arguments):
        if argument.is_write:
            value = args[i] if i < len(args) else kwargs.get(argument.name)
            for t in value if isinstance(value, (list, tuple)) else (value,):
                if id(t) in moved:
                    yield moved[id(t)]


def _back(result: Any, device: Any, written: dict[int, Tensor]) -> Any:
    if isinstance(result, Tensor):
        return written[id(result)] if id(result) in written else result.to(device)  # type: ignore[attr-defined]
    if isinstance(result, (list, tuple)):
        items = [_back(r, device, written) for r in result]
        return type(result)._make(items) if hasattr(result, "_make") else type(result)(items)  # type: ignore[attr-defined]
    return result
