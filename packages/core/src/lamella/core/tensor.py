"""Tensor: metadata over memory that views share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lamella.dispatch.keys import AUTOGRAD_MASK, BACKEND_MASK, DispatchKey, bit

from .devices import device, device_of
from .dtypes import dtype, from_numpy_dtype

if TYPE_CHECKING:
    from ._gen.signatures import TensorMethods as _Methods
else:
    _Methods = object  # operators give Tensor its methods when lamella.core loads

CPU, CUDA, META = bit(DispatchKey.CPU), bit(DispatchKey.CUDA), bit(DispatchKey.Meta)
PYTHON, TORCH_FUNCTION = bit(DispatchKey.Python), bit(DispatchKey.TorchFunction)
ndarray = np.ndarray


class VersionCounter:
    """How often the memory that a tensor and its views share was written to, and by which operator last."""

    __slots__ = ("n", "writer", "stack")

    def __init__(self) -> None:
        self.n = 0
        self.writer = ""
        self.stack: str | None = None  # where the last write happened; kept in anomaly mode only


class Size(tuple):
    """A tensor's shape: a tuple that also counts elements.

    Example:
        >>> Size((2, 3)).numel()
        6
    """

    __slots__ = ()

    def numel(self) -> int:
        """The number of elements."""
        n = 1
        for s in self:
            n *= s
        return n

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __add__(self, other: Any) -> Size:
        return Size(tuple.__add__(self, tuple(other)))

    def __radd__(self, other: Any) -> Size:
        return Size(tuple(other) + tuple(self))

    def __mul__(self, n: Any) -> Size:
        return Size(tuple.__mul__(self, n))

    __rmul__ = __mul__

    def __getitem__(self, i: Any) -> Any:
        found = tuple.__getitem__(self, i)
        return Size(found) if isinstance(i, slice) else found

    def __reduce__(self) -> tuple[Any, ...]:
        return Size, (tuple(self),)


class TensorMeta(type):
    """Gives a subclass its interception keys once, when it is defined."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        ks = 0
        base = next((b for b in cls.__mro__ if b.__dict__.get("_is_root")), None)
        if base is not None and cls is not base:
            from .binding import class_keys

            ks = class_keys(cls, base)
        cls._class_keys = ks


class Tensor(_Methods, metaclass=TensorMeta):
    """An n-dimensional array of one element type on one device.

    Made by factories (``tensor``, ``zeros``, ``rand``, ...), not by its constructor. Operators are methods too; they
    are declared in ``ops/*.yaml``.

    Attributes:
        shape, dtype, device: what it is.
        requires_grad, grad, grad_fn: provided by lamella-autograd.
    """

    __slots__ = ("_a", "_ks", "_ag", "_vc", "_base", "__dict__", "__weakref__")
    _a: ndarray
    _ks: int
    _ag: Any
    _vc: VersionCounter | None
    _base: Tensor | None
    _class_keys: int
    _is_root = True
    __array_priority__ = 1000
    __torch_dispatch__: Any = None
    # Autograd's; class attributes so that only leaves pay for them (see lamella.autograd.saved).
    _twin: Tensor | None = None
    _grad: Tensor | None = None
    #: False for tensors that stand for ones of another time: a compiler's record has no elements yet.
    _readable = True
    #: A subclass whose instances hold more than these slots makes their detached aliases itself.
    _alias: Any = None
    #: The same for new tensors made like one: called with a factory's name, the factory, a shape or None, and options.
    _made_like: Any = None
    #: A subclass that wants its gradients otherwise than they come brings them into that form.
    _arriving: Any = None

    def __new__(cls, *args: Any, **kwargs: Any) -> Tensor:
        from .constructors import legacy_constructor

        return legacy_constructor(cls, *args, **kwargs)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run ``func`` without interception and give its tensors this subclass's type."""
        from .binding import default_torch_function

        return default_torch_function(cls, func, types, args, kwargs or {})

    # ------------------------------------------------------------------ metadata

    @property
    def shape(self) -> Size:
        """The size of each dimension."""
        return Size(self._a.shape)

    @property
    def dtype(self) -> dtype:
        """The element type."""
        return from_numpy_dtype(self._a.dtype)

    @property
    def device(self) -> device:
        """Where the memory is."""
        ks = self._ks & BACKEND_MASK
        return device_of(ks) if ks != CUDA else device_of(ks, self._a.device.id)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._a.ndim

    def dim(self) -> int:
        """The number of dimensions."""
        return self._a.ndim

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of one dimension."""
        if dim is None:
            return Size(self._a.shape)
        try:
            return self._a.shape[dim]
        except (IndexError, TypeError):
            from .checks import wrap_dim

            return self._a.shape[wrap_dim("size", dim, self._a.ndim)]

    def numel(self) -> int:
        """The number of elements."""
        return self._a.size

    nelement = numel

    def stride(self, dim: int | None = None) -> Any:
        """The step in elements between neighbours, of every dimension or of one."""
        a = self._a
        step = a.itemsize
        strides = tuple(s // step for s in a.strides)
        if a.size == 0:
            strides = contiguous_strides(a.shape)
        elif 0 in strides:
            # NumPy gives new dimensions of size 1 stride 0; torch gives them that of the dimension they sit on.
            for i in range(a.ndim - 1, -1, -1):
                if strides[i] == 0 and a.shape[i] == 1:
                    own = a.shape[i + 1] * strides[i + 1] if i + 1 < a.ndim else 1
                    strides = (*strides[:i], own, *strides[i + 1 :])
        if dim is None:
            return strides
        from .checks import wrap_dim

        return strides[wrap_dim("stride", dim, a.ndim)]

    def storage_offset(self) -> int:
        """The place of the first element in the memory that views share, in elements."""
        from .storage import offset_of

        return offset_of(self._a) // self._a.itemsize

    def data_ptr(self) -> int:
        """The address of the first element (0 for empty and meta tensors)."""
        if self._ks & META or self._a.size == 0:
            return 0
        from .storage import address

        return address(self._a)

    def element_size(self) -> int:
        """Bytes of one element."""
        return self._a.itemsize

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self._a.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._a.nbytes

    def is_floating_point(self) -> bool:
        """Whether the elements are real floating-point numbers."""
        return self.dtype.is_floating_point

    def is_complex(self) -> bool:
        """Whether the elements are complex."""
        return self._a.dtype.kind == "c"

    def is_signed(self) -> bool:
        """Whether the element type has negative values."""
        return self.dtype.is_signed

    @property
    def is_meta(self) -> bool:
        """Whether there is shape and type but no data."""
        return bool(self._ks & META)

    @property
    def is_cpu(self) -> bool:
        """Whether the memory is the CPU's."""
        return bool(self._ks & CPU)

    @property
    def is_cuda(self) -> bool:
        """Whether the memory is an NVIDIA GPU's."""
        return bool(self._ks & CUDA)

    def __len__(self) -> int:
        if self._a.ndim == 0:
            raise TypeError("len: a tensor without dimensions has no length (0-d)")
        return self._a.shape[0]

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self, *, tensor_contents: str | None = None) -> str:
        from .printing import tensor_repr

        return tensor_repr(self, tensor_contents=tensor_contents)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        if self._a.ndim == 0 and not self._ks & META and type(self) is Tensor:
            return self._a.item().__format__(spec)
        return object.__format__(self, spec)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        from .serialization.rebuild import reduce_tensor

        return reduce_tensor(self, protocol)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        from .serialization.rebuild import deepcopy_tensor

        return deepcopy_tensor(self, memo)


Tensor._class_keys = 0
_new = object.__new__


def wrap(a: ndarray, ks: int = CPU) -> Tensor:
    """A tensor over an array that it owns (or that nobody writes to)."""
    t = _new(Tensor)
    t._a = a
    t._ks = ks
    t._ag = None
    t._vc = None
    t._base = None
    return t


def wrap_view(base: Tensor, a: ndarray) -> Tensor:
    """A tensor over part of ``base``'s memory: version counter shared, ``_base`` set."""
    vc = base._vc
    if vc is None:
        vc = base._vc = VersionCounter()
    t = _new(Tensor)
    t._a = a
    t._ks = base._ks & BACKEND_MASK
    t._ag = None
    t._vc = vc
    root = base._base
    t._base = base if root is None else root
    return t


def alias(base: Tensor) -> Tensor:
    """A detached tensor over the same memory and version counter, that is not a view for autograd's purposes."""
    if base._alias is not None:
        return base._alias()
    vc = base._vc
    if vc is None:
        vc = base._vc = VersionCounter()
    t = _new(Tensor)
    t._a = base._a
    t._ks = base._ks & ~AUTOGRAD_MASK
    t._ag = None
    t._vc = vc
    t._base = None
    return t


def bump(t: Tensor, writer: str) -> None:
    """Count a write into ``t``'s memory."""
    vc = t._vc
    if vc is None:
        vc = t._vc = VersionCounter()
    vc.n += 1
    vc.writer = writer
    if recorder.stack is not None:
        vc.stack = recorder.stack()


class Recorder:
    """Anomaly mode's wish to know where writes happen: ``stack`` gives the place, or is None."""

    __slots__ = ("stack",)
    stack: Any

    def __init__(self) -> None:
        self.stack = None


recorder = Recorder()


def record_stacks(fn: Any) -> None:
    """Anomaly mode: keep where each write happened (``fn`` gives the stack; None stops it)."""
    recorder.stack = fn


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Row-major strides in elements; dimensions of size 0 count as 1, as torch counts them."""
    out, step = [], 1
    for s in reversed(shape):
        out.append(step)
        step *= max(s, 1)
    return tuple(reversed(out))


def describe(x: Any) -> str:
    """A value in the short form of error messages: ``f32[2,3] cpu``."""
    if isinstance(x, Tensor):
        return f"{x.dtype.short}[{','.join(map(str, x._a.shape))}] {x.device}"
    return repr(x)
