"""Files in the safetensors format, for lamella's tensors, under the names that `safetensors.torch` gives torch.

Files are the same in both directions: what this module writes, `safetensors.torch` reads, and the reverse. Needs the
package safetensors. Under `lamella run`, `safetensors.torch` itself works too.

    >>> from lamella import torch
    >>> from lamella.interop.safetensors import load, save
    >>> load(save({"w": torch.ones(2)}))["w"]
    tensor([1., 1.])
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import safetensors
from safetensors import deserialize, safe_open as _open, serialize, serialize_file

from lamella import core
from lamella.core import Tensor
from lamella.core.storage import lowest
from lamella.dispatch.errors import message

__all__ = ["load", "load_file", "load_model", "safe_open", "save", "save_file", "save_model"]

#: the format's names of the types that tensors have
_TYPES = {
    "BOOL": core.bool, "U8": core.uint8, "I8": core.int8, "U16": core.uint16, "I16": core.int16, "U32": core.uint32,
    "I32": core.int32, "U64": core.uint64, "I64": core.int64, "F16": core.float16, "BF16": core.bfloat16,
    "F32": core.float32, "F64": core.float64, "C64": core.complex64,
}


# ---------------------------------------------------------------- writing


def save(tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None = None) -> bytes:
    """Tensors in the safetensors format.

    Args:
        tensors: contiguous tensors by name; no two may share memory.
        metadata: text to keep along with them.

    Raises:
        ValueError: for something that is not a dict of contiguous tensors of a type that the format has. RuntimeError:
            for tensors that share memory (`save_model` knows what to do about them).

    Example:
        >>> from lamella import torch
        >>> len(save({"w": torch.zeros(4)})) > 16
        True
    """
    alive: list[Any] = []
    return bytes(serialize(_specs("save", tensors, alive), metadata=_text("save", metadata)))


def save_file(tensors: Mapping[str, Tensor], filename: str | os.PathLike[str],
              metadata: Mapping[str, str] | None = None) -> None:
    """As `save`, into a file.

    Args:
        tensors: contiguous tensors by name; no two may share memory.
        filename: where to.
        metadata: text to keep along with them.
    """
    alive: list[Any] = []
    serialize_file(_specs("save_file", tensors, alive), filename, metadata=_text("save_file", metadata))


def _specs(op: str, tensors: Any, alive: list[Any]) -> dict[str, Any]:
    """What the writer is told of each tensor; the memory it is pointed to stays alive as long as ``alive``."""
    if not isinstance(tensors, dict):
        raise ValueError(message(op, f"expected a dict of str to Tensor, not {type(tensors).__name__}"))
    wrong = [f"{k!r} is {type(v).__name__}" for k, v in tensors.items() if not isinstance(v, Tensor)]
    if wrong:
        raise ValueError(message(op, "all values must be tensors: " + ", ".join(wrong)))
    lacking = [f"{k!r} is {v.dtype.name}" for k, v in tensors.items() if v.dtype not in _TYPES.values()]
    if lacking:
        raise ValueError(message(op, "the format has no such type: " + ", ".join(lacking), hint="convert with .to()"))
    shared = [sorted(group) for group in _sharing(tensors) if len(group) > 1]
    if shared:
        raise RuntimeError(message(op, f"some tensors share memory, which files cannot express: {shared}",
                                   hint="save one of each group, .clone() the others, or use save_model"))
    gaps = [k for k, v in tensors.items() if not v.is_contiguous()]
    if gaps:
        raise ValueError(message(op, f"non contiguous tensors cannot be saved: {gaps}",
                                 hint="call .contiguous() on them first"))
    return {k: _spec(v, alive) for k, v in tensors.items()}


def _spec(t: Tensor, alive: list[Any]) -> Any:
    a = t.detach().cpu()._a
    alive.append(a)
    if not hasattr(safetensors, "TensorSpec"):  # before 0.8
        return {"dtype": t.dtype.name, "shape": a.shape, "data": a.tobytes()}
    pointer = a.__array_interface__["data"][0] if a.size else 0
    return safetensors.TensorSpec(dtype=t.dtype.name, shape=a.shape, data_ptr=pointer, data_len=a.nbytes)


def _text(op: str, metadata: Any) -> dict[str, str] | None:
    if metadata is None:
        return None
    if not all(isinstance(x, str) for pair in metadata.items() for x in pair):
        raise TypeError(message(op, "metadata must be a dict of str to str"))
    return dict(metadata)


def _sharing(tensors: Mapping[str, Tensor]) -> Iterator[set[str]]:
    """Groups of names whose tensors lie, wholly or in part, in the same memory."""
    spans = []
    for name, t in tensors.items():
        if t.numel() and not t.is_meta:
            a = t._a
            start = lowest(a)
            stop = start + a.itemsize + sum((n - 1) * abs(s) for n, s in zip(a.shape, a.strides, strict=True))
            spans.append((str(t.device), start, stop, name))
    group: set[str] = set()
    where, end = "", 0
    for device, start, stop, name in sorted(spans):
        if device != where or start >= end:
            if group:
                yield group
            group, where, end = set(), device, 0
        group.add(name)
        end = max(end, stop)
    if group:
        yield group


# ---------------------------------------------------------------- reading


def load(data: bytes) -> dict[str, Tensor]:
    """The tensors that `save` wrote.

    Args:
        data: a whole file's content.

    Raises:
        SafetensorError: if it is not in the format. ValueError: for a type that tensors do not have.
    """
    found = {}
    for name, entry in deserialize(data):
        d = _TYPES.get(entry["dtype"])
        if d is None:
            raise _no_type("load", name, entry["dtype"])
        found[name] = core.from_numpy(np.frombuffer(bytearray(entry["data"]), d.np).reshape(entry["shape"]))
    return found


def load_file(filename: str | os.PathLike[str], device: Any = "cpu", **options: Any) -> dict[str, Tensor]:
    """The tensors of a file.

    Args:
        filename: the file.
        device: where the tensors go.
        **options: ``backend="mmap"`` or ``"pread"``, for safetensors that know it.

    Raises:
        FileNotFoundError: if there is none. SafetensorError: if it is not in the format.
    """
    with safe_open(filename, device=device, **options) as f:
        return {name: f.get_tensor(name) for name in f.keys()}  # noqa: SIM118 - not a dict


class safe_open:
    """A file opened to read single tensors, or parts of them: `safetensors.safe_open` that gives lamella's tensors.

    Args:
        filename: the file.
        framework: "pt" (torch's name for itself), or None.
        device: where the tensors go.
        **options: ``backend="mmap"`` or ``"pread"``, for safetensors that know it.

    Example:
        >>> import os, tempfile
        >>> from lamella import torch
        >>> path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
        >>> save_file({"w": torch.arange(6).reshape(3, 2)}, path)
        >>> with safe_open(path, framework="pt") as f:
        ...     print(f.keys(), f.get_slice("w")[1:].tolist())
        ['w'] [[2, 3], [4, 5]]
    """

    def __init__(self, filename: str | os.PathLike[str], framework: str | None = "pt", device: Any = "cpu",
                 **options: Any) -> None:
        if framework not in (None, "pt", "torch", "lamella"):
            raise ValueError(message("safe_open", f"framework {framework!r} is for safetensors.safe_open",
                                     hint='pass "pt", or leave it out'))
        self._file: Any = _open(filename, framework="np", **options)
        self._device = core.device("cuda", device) if isinstance(device, int) else core.device(device)

    def __enter__(self) -> safe_open:
        return self

    def __exit__(self, *exc: Any) -> None:
        self._file.__exit__(*exc)

    def keys(self) -> list[str]:
        """The tensors' names."""
        return list(self._file.keys())

    def offset_keys(self) -> list[str]:
        """The tensors' names in the order in which they lie in the file."""
        return list(self._file.offset_keys())

    def metadata(self) -> dict[str, str] | None:
        """The text that was saved along, or None."""
        return self._file.metadata()

    def get_tensor(self, name: str) -> Tensor:
        """One tensor, in memory of its own."""
        self._check(name)
        return _tensor(self._file.get_tensor(name), self._device)

    def get_tensors(self) -> dict[str, Tensor]:
        """All tensors by name."""
        return {name: self.get_tensor(name) for name in self.keys()}  # noqa: SIM118 - not a dict

    def get_slice(self, name: str) -> _Slice:
        """A tensor that is read when it is indexed, as far as the index reaches."""
        return _Slice(self._check(name), self._device)

    def _check(self, name: str) -> Any:
        part = self._file.get_slice(name)
        if part.get_dtype() not in _TYPES:
            raise _no_type("safe_open", name, part.get_dtype())
        return part


class _Slice:
    """Part of a file, by index."""

    def __init__(self, inner: Any, device: Any) -> None:
        self._inner = inner
        self._device = device

    def get_shape(self) -> list[int]:
        """The whole tensor's shape."""
        return self._inner.get_shape()

    def get_dtype(self) -> str:
        """The element type, as the format names it."""
        return self._inner.get_dtype()

    def __getitem__(self, index: Any) -> Tensor:
        return _tensor(self._inner[index], self._device)


def _tensor(a: Any, device: Any) -> Tensor:
    a = np.asarray(a)
    t = core.from_numpy(a if a.flags.writeable else a.copy())
    return t if t.device == device else t.to(device)


def _no_type(op: str, name: str, written: str) -> ValueError:
    return ValueError(message(op, f"tensors cannot hold {written}, the type of {name!r}"))


# ---------------------------------------------------------------- modules


def _duplicates(state: Mapping[str, Tensor], preferred: Iterable[str] = ()) -> dict[str, list[str]]:
    """Name that is kept -> names to leave out, because their tensors are parts of the kept one."""
    found = {}
    for group in _sharing(state):
        if len(group) < 2:
            continue
        whole = sorted(n for n in group if _covers(state[n]))
        if not whole:
            raise RuntimeError(message("save_model", f"none of {sorted(group)} holds all the memory that they share",
                                       hint=".clone() the parts"))
        keep = next((n for n in whole if n in preferred), whole[0])
        found[keep] = sorted(group - {keep})
    return found


def _covers(t: Tensor) -> bool:
    memory = t.untyped_storage()
    return lowest(t._a) == memory.data_ptr() and t.nbytes == memory.nbytes()


def save_model(model: Any, filename: str | os.PathLike[str], metadata: Mapping[str, str] | None = None,
               force_contiguous: bool = True) -> None:
    """A module's state into a file, tensors that share memory once.

    Args:
        model: the module.
        filename: where to.
        metadata: text to keep; the names that are left out are added, each with the name that stands for it.
        force_contiguous: write tensors with gaps or in another order as contiguous ones; otherwise they are refused.

    Raises:
        RuntimeError: if tensors share memory that none of them holds whole.

    Example:
        >>> import os, tempfile
        >>> from lamella.torch import nn
        >>> path = os.path.join(tempfile.mkdtemp(), "m.safetensors")
        >>> save_model(nn.Linear(2, 3), path)
        >>> load_model(nn.Linear(2, 3), path)
        (set(), [])
    """
    state = dict(model.state_dict())
    text = dict(metadata or {})
    for kept, left_out in _duplicates(state).items():
        for name in left_out:
            text.setdefault(name, kept)
            del state[name]
    if force_contiguous:
        state = {k: v.contiguous() for k, v in state.items()}
    save_file(state, filename, metadata=text or None)


def load_model(model: Any, filename: str | os.PathLike[str], strict: bool = True, device: Any = "cpu",
               **options: Any) -> tuple[set[str], list[str]]:
    """A file of `save_model` into a module.

    Args:
        model: the module.
        filename: the file.
        strict: raise an error for names that are missing in the file or unknown to the module.
        device: where the tensors are read to, before they are copied into the module.
        **options: as for `load_file`.

    Returns:
        The names that are missing and those that are unexpected.

    Raises:
        RuntimeError: if ``strict`` and the names differ, or a shape does not fit.
    """
    state = load_file(filename, device=device, **options)
    duplicates = _duplicates(model.state_dict(), preferred=state)
    result = model.load_state_dict(state, strict=False)
    missing, unexpected = set(result.missing_keys), list(result.unexpected_keys)
    for left_out in duplicates.values():
        for name in left_out:
            if name in missing:
                missing.remove(name)
            else:
                unexpected.append(name)
    if strict and (missing or unexpected):
        lines = [f"{what} key(s) in state_dict: " + ", ".join(f'"{n}"' for n in sorted(names))
                 for what, names in (("Missing", missing), ("Unexpected", unexpected)) if names]
        raise RuntimeError(f"Error(s) in loading state_dict for {type(model).__name__}:\n    " + "\n    ".join(lines))
    return missing, unexpected
