"""Tensors over files."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .. import dtypes as dt
from ..tensor import Tensor, wrap


def from_file(
    filename: Any,
    shared: bool | None = None,
    size: int | None = 0,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
) -> Tensor:
    """A vector over a file of numbers, which is read as it is needed.

    Args:
        filename: the file.
        shared: what is written into the tensor goes to the file, which is made or lengthened where it is too short;
            otherwise the file stays as it is.
        size: how many elements.
        dtype: their type.
        layout, device, pin_memory: accepted; the memory is the CPU's.

    Raises:
        RuntimeError: if the file is not there or too short.

    Example:
        >>> np.arange(3, dtype=np.float32).tofile("numbers.bin")
        >>> from_file("numbers.bin", size=2)
        tensor([0., 1.])
        >>> import os; os.remove("numbers.bin")
    """
    d = (dtype or dt.get_default_dtype()).np
    n, path = size or 0, os.fspath(filename)
    if n < 0:
        raise RuntimeError(message("from_file", "size must not be negative", {"size": n}))
    want = n * d.itemsize
    if shared:
        with open(path, "ab") as f:
            if f.tell() < want:
                f.truncate(want)
    try:
        have = os.path.getsize(path)
    except OSError as e:
        raise RuntimeError(message("from_file", f"unable to open file <{path}> in read-only mode: {e.strerror}")) from e
    if have < want:
        rule = f"file <{path}> size <{have}> is smaller than the required mapping size <{want}>"
        raise RuntimeError(message("from_file", rule))
    if not n:
        return wrap(np.empty(0, d))
    return wrap(np.memmap(path, d, "r+" if shared else "c", shape=(n,)).view(np.ndarray))


FUNCTIONS: dict[str, Any] = {"from_file": from_file}
METHODS: dict[str, Any] = {}
