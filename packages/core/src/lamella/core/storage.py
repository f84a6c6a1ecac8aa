"""The memory under tensors: where an array's owner starts, and torch's storage objects."""

from __future__ import annotations

from typing import Any

import numpy as np


def is_cupy(a: Any) -> bool:
    """Whether an array is CuPy's."""
    return type(a).__module__.partition(".")[0] == "cupy"


def is_overlapping(a: Any) -> bool:
    """Whether elements share memory through strides of 0."""
    return 0 in a.strides and any(s == 0 and n > 1 for s, n in zip(a.strides, a.shape, strict=True))


def owner_of(a: np.ndarray) -> np.ndarray:
    """The array that owns the memory ``a`` looks at, also behind what NumPy's stride tricks put between."""
    owner, link = a, a.base
    if a.__class__ is not np.ndarray and is_cupy(a):
        from .cuda.memory import owner_of as on_gpu

        return on_gpu(a)
    while link is not None:
        if isinstance(link, np.ndarray):
            owner = link
        link = getattr(link, "base", None)
    return owner


def address(a: np.ndarray) -> int:
    """The address of an array's first element."""
    if a.__class__ is not np.ndarray and is_cupy(a):
        return a.data.ptr
    return a.__array_interface__["data"][0]


def offset_of(a: np.ndarray) -> int:
    """The distance in bytes of an array's first element from the start of its memory."""
    if a.__class__ is not np.ndarray and is_cupy(a):
        return a.data.ptr - a.data.mem.ptr
    root = owner_of(a)
    return 0 if root is a else address(a) - lowest(root)


def lowest(a: np.ndarray) -> int:
    """The lowest address an array touches (not its first element where strides are negative)."""
    return address(a) + sum(min(0, (n - 1) * s) for n, s in zip(a.shape, a.strides, strict=True) if n)


class UntypedStorage:
    """The bytes that a tensor and its views share.

    Example:
        >>> from lamella.core import zeros
        >>> x = zeros(4)
        >>> x[2:].untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
        True
    """

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor
        self._root = owner_of(tensor._a)

    def data_ptr(self) -> int:
        """The address of the first byte."""
        if self._tensor.is_cuda:
            return self._tensor._a.data.mem.ptr
        return 0 if self._tensor.is_meta else lowest(self._root)

    def nbytes(self) -> int:
        """How many bytes there are."""
        if self._tensor.is_cuda:
            from .cuda.memory import extent_of

            whole = self._tensor if self._tensor._base is None else self._tensor._base
            return max(extent_of(whole._a), extent_of(self._tensor._a))
        return self._root.nbytes

    size = __len__ = nbytes

    @property
    def device(self) -> Any:
        """Where the bytes are."""
        return self._tensor.device

    def element_size(self) -> int:
        """1: the elements are bytes."""
        return 1

    def resize_(self, size: int) -> UntypedStorage:
        """Only freeing (``resize_(0)``) and the present size are possible: views hold the memory itself."""
        from lamella.dispatch.errors import message

        if size not in (0, self.nbytes()):
            raise RuntimeError(message("resize_", f"a storage of {self.nbytes()} bytes cannot become {size} bytes",
                                       hint="make a new tensor"))
        return self

    @classmethod
    def from_file(cls, filename: Any, shared: bool = False, nbytes: int = 0) -> UntypedStorage:
        """The first bytes of a file, read as they are needed.

        Args:
            filename: the file.
            shared: whether writes go to the file, which is made or lengthened to fit.
            nbytes: how many bytes.

        Raises:
            RuntimeError: if the file is shorter and not shared.
        """
        import os

        from lamella.dispatch.errors import message

        from .tensor import wrap

        there = os.path.getsize(filename) if not shared or os.path.exists(filename) else -1
        if there < nbytes:
            if not shared:
                raise RuntimeError(message("from_file", f"the file has {there} bytes, fewer than {nbytes}", [filename]))
            with open(filename, "ab") as f:
                f.truncate(nbytes)
        if nbytes == 0:
            return cls(wrap(np.empty(0, np.uint8)))
        mapped = np.memmap(filename, np.uint8, "r+" if shared else "c", shape=(nbytes,))
        return cls(wrap(np.frombuffer(mapped.data, np.uint8)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if self._tensor.is_cuda:
            from .cuda.memory import whole

            return np.array(whole(self._tensor._a)[: self.nbytes()].get(), dtype=dtype)
        from .serialization.memory import memory_of

        raw = memory_of(self._root).raw()
        return np.array(raw, dtype=dtype, copy=copy)

    def untyped(self) -> UntypedStorage:
        """Itself."""
        return self

    def tolist(self) -> list[int]:
        """The bytes as numbers."""
        return self.__array__().tolist()

    def __getitem__(self, index: Any) -> Any:
        """A byte, or a slice (of step 1) that shares the memory."""
        raw = self.__array__()
        if not isinstance(index, slice):
            return int(raw[index])
        from lamella.dispatch.errors import message

        from .tensor import wrap

        start, stop, step = index.indices(len(raw))
        if step != 1:
            raise RuntimeError(message("storage", "only slices with a step of 1 are supported", {"step": step}))
        # a storage of its own, as in torch: the memory below is kept alive, but it is not asked for its owner
        return UntypedStorage(wrap(np.frombuffer(raw.data[start : max(start, stop)], np.uint8)))

    def __repr__(self) -> str:
        return f"[torch.storage.UntypedStorage(device={self.device}) of size {self.nbytes()}]"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UntypedStorage) or self._tensor.is_cuda != other._tensor.is_cuda:
            return False
        return self.data_ptr() == other.data_ptr() if self._tensor.is_cuda else self._root is other._root

    def __hash__(self) -> int:
        return self.data_ptr() if self._tensor.is_cuda else id(self._root)
