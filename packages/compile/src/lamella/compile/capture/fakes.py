"""Tensors without memory that stand for the real ones while a function is recorded.

A fake says of itself what the real tensor would say (device, shape, strides, whether it requires grad), so that user
code, autograd and optimizers run on it unchanged. Its array looks at the page of zeros that meta tensors use. Nothing
may read its elements: every way to them raises `Unknown`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.core.checks import wrap_dim
from lamella.core.devices import device_of
from lamella.core.meta import meta_array
from lamella.core.tensor import Size, Tensor, VersionCounter, wrap
from lamella.dispatch.keys import AUTOGRAD_MASK, BACKEND_MASK

from ..graph.node import Spec
from .breaks import Unknown
from .symint import look, observed

_new = object.__new__
gpu = [0]  # the number of the GPU that fakes stand on, where they stand on one


def _refuse(name: str, what: str) -> Any:
    def refused(self: Any, *_args: Any, **_kwargs: Any) -> Any:
        raise Unknown(name, what)

    refused.__name__ = name
    return refused


class FakeTensor(Tensor):
    """A tensor that is being recorded."""

    __slots__ = ()
    _readable = False

    def _alias(self) -> Any:  # type: ignore[override]
        vc = self._vc
        if vc is None:
            vc = self._vc = VersionCounter()
        return fake(self._a, self._ks & ~AUTOGRAD_MASK, vc)

    @property
    def device(self) -> Any:
        """The device that it stands for."""
        return device_of(self._ks & BACKEND_MASK, gpu[0])

    @property
    def shape(self) -> Size:  # type: ignore[override]
        """The size of each dimension; tracked while sizes vary."""
        return Size(observed(self._a.shape))

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of one dimension."""
        shape = Size(observed(self._a.shape))
        return shape if dim is None else shape[wrap_dim("size", dim, len(shape))]

    def numel(self) -> int:
        """The number of elements."""
        return self.shape.numel()

    nelement = numel

    def __len__(self) -> int:
        return look(observed((Tensor.__len__(self),))[0])  # Python makes a bare number of it

    def stride(self, dim: int | None = None) -> Any:
        """The step in elements between neighbours, of every dimension or of one."""
        found = Tensor.stride(self, dim)
        return observed(found) if dim is None else observed((found,))[0]

    def storage_offset(self) -> Any:
        """The place of the first element in the memory that views share, in elements."""
        return observed((Tensor.storage_offset(self),))[0]

    @property
    def nbytes(self) -> Any:  # type: ignore[override]
        """Bytes of all elements."""
        return self.numel() * self._a.itemsize

    @property
    def data(self) -> Any:
        """The same memory without history and with a version counter of its own."""
        return fake(self._a, self._ks & BACKEND_MASK)

    @data.setter
    def data(self, new: Any) -> None:
        raise Unknown("data", "a tensor's memory is replaced")

    def __repr__(self, *, tensor_contents: str | None = None) -> str:  # type: ignore[override]
        raise Unknown("repr", "a tensor's elements are printed")

    __str__ = __repr__  # type: ignore[assignment]

    def __format__(self, spec: str) -> str:
        raise Unknown("format", "a tensor's elements are printed")

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise Unknown("pickle", "a tensor's elements are written out")

    def __deepcopy__(self, memo: Any) -> Any:
        raise Unknown("deepcopy", "a tensor is copied by Python")


def fake(a: np.ndarray, ks: int, vc: VersionCounter | None = None) -> Any:
    """A fake over a meta array, with the key set of the device it stands for."""
    t = _new(FakeTensor)
    t._a, t._ks, t._ag, t._vc, t._base = a, ks, None, vc, None
    return t


#: Ways to a tensor's elements that are no operator calls; they are closed for real tensors too while recording.
CLOSED = {
    "tolist": "a tensor's elements become Python numbers",
    "numpy": "a tensor's elements are read by NumPy",
    "__array__": "a tensor's elements are read by NumPy",
    "data_ptr": "a tensor's address is read",
    "untyped_storage": "a tensor's memory is read",
    "storage": "a tensor's memory is read",
    "__dlpack__": "a tensor's memory is read",
}
for _name, _what in CLOSED.items():
    setattr(FakeTensor, _name, _refuse(_name, _what))


def stand_in(a: np.ndarray, shape: tuple[int, ...] | None = None) -> np.ndarray:
    """A meta array of the same type, shape and strides, or a row-major one of another shape."""
    step = a.itemsize
    d = _dtype(a)
    if shape is not None and shape != a.shape:
        return meta_array(shape, d)
    return meta_array(a.shape, d, tuple(s // step for s in a.strides))


def _dtype(a: np.ndarray) -> Any:
    from lamella.core.dtypes import from_numpy_dtype

    return from_numpy_dtype(a.dtype)


def twin(t: Any, a: np.ndarray, meta: int) -> Any:
    """A plain meta tensor over ``a`` with the version counter of ``t``: what a meta kernel gets for it."""
    made = wrap(a, meta)
    made._vc = t._vc
    return made


def spec_of(a: np.ndarray, device: Any, page: int) -> Spec:
    """The description of a tensor over a meta array."""
    step = a.itemsize
    strides = tuple(s // step for s in a.strides)
    offset = (a.__array_interface__["data"][0] - page) // step if a.size else 0
    return Spec(tuple(a.shape), strides, _dtype(a), device, offset)


def page_address() -> int:
    """Where the page of zeros begins: the address of everything that is no view."""
    from lamella.core.dtypes import uint8

    return meta_array((1,), uint8).__array_interface__["data"][0]
