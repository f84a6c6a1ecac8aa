"""Which GPU a call runs on: that of its tensors, or the one that a factory was asked for."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from ..binding import ANY_DEVICE
from ..devices import default_device, device as device_class
from ..faults import two_devices
from ..tensor import CUDA, Tensor, wrap


def index_of(where: Any) -> int:
    """The number of a device argument's GPU: the current one where it names none."""
    import cupy

    d = None if where is None else device_class(where)
    return cupy.cuda.runtime.getDevice() if d is None or d.index is None else d.index


def _tensors(values: Any) -> Iterator[Tensor]:
    for x in values:
        if isinstance(x, Tensor):
            yield x
        elif x.__class__ is list or x.__class__ is tuple:
            yield from _tensors(x)


def place_of(op: str, args: Any, kwargs: dict[str, Any]) -> int | None:
    """The number of the GPU that the tensors of a call are on; RuntimeError where they are on several."""
    first = None
    for t in _tensors((*args, *kwargs.values())):
        if not t._ks & CUDA:
            continue
        if first is None:
            first = t
        elif t._a.device.id != first._a.device.id:
            raise two_devices(op, first, t, f"move one of them: x.to({str(first.device)!r})")
    return None if first is None else first._a.device.id


def joined(like: Tensor, values: Any) -> Any:
    """Arguments with the numbers on the CPU (tensors of no dimension) copied to the GPU of a tensor."""
    import cupy

    if isinstance(values, Tensor):
        if values._ks & CUDA:
            return values
        with cupy.cuda.Device(like._a.device.id):
            return wrap(cupy.asarray(values._a), CUDA)
    if values.__class__ is dict:
        return {k: joined(like, v) for k, v in values.items()}
    if values.__class__ is list or values.__class__ is tuple:
        return values.__class__(joined(like, v) for v in values)
    return values


def guarded(fn: Callable[..., Any], name: str, takes_device: bool) -> Callable[..., Any]:
    """``fn``, run with the device of its tensors (or of its ``device`` argument) as the current one.

    Args:
        fn: a kernel.
        name: its operator.
        takes_device: whether it has a parameter ``device``.
    """
    import cupy

    at = list(inspect.signature(fn).parameters).index("device") if takes_device else -1
    free = name in ANY_DEVICE

    @functools.wraps(fn)
    def kernel(*args: Any, **kwargs: Any) -> Any:
        place = None if free else place_of(name, args, kwargs)
        if takes_device:
            asked = kwargs.get("device", args[at] if at < len(args) else None)
            if asked is None and place is None:
                asked = default_device()
            if asked is not None:
                place = index_of(asked)
        elif free:
            place = next((t._a.device.id for t in _tensors(args) if t._ks & CUDA), None)
        if place is None or place == cupy.cuda.runtime.getDevice():
            return fn(*args, **kwargs)
        with cupy.cuda.Device(place):
            return fn(*args, **kwargs)

    return kernel
