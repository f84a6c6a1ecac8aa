"""`save`: objects to files that torch reads."""

from __future__ import annotations

import io
import os
import pickle
import sys
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..devices import device
from ..dtypes import dtype
from ..layouts import layout
from ..storage import UntypedStorage
from . import legacy, names
from .archive import ALIGNMENT, ArchiveWriter
from .memory import Memory, memory_of
from .options import local
from .places import location_tag
from .rebuild import StorageRef, _get_layout, session

DEFAULT_PROTOCOL = 2


def _bytes(storage: Any) -> Any:
    """The array on the host that holds a storage's bytes."""
    return session.downloaded(storage._root) if storage.device.type == "cuda" else storage._root


class Blocks:
    """The storages that a pickle mentions, numbered as they come."""

    def __init__(self) -> None:
        self.keys: dict[int, str] = {}
        self.memories: dict[str, Memory] = {}
        self.itemsizes: dict[str, int] = {}

    def persistent_id(self, obj: Any) -> tuple[Any, ...] | None:
        """What the pickle holds in place of a storage; None for everything else."""
        if isinstance(obj, StorageRef):
            memory, kind = obj.memory, obj.type
        elif isinstance(obj, (Memory, UntypedStorage)):
            memory, kind = (obj if isinstance(obj, Memory) else memory_of(_bytes(obj), obj.device)), names.UNTYPED
            session.ref(memory, names.UNTYPED.dtype)
        else:
            return None
        key = self.keys.setdefault(id(memory.owner), str(len(self.keys)))
        self.memories[key] = memory
        self.itemsizes.setdefault(key, kind.dtype.itemsize)
        return ("storage", kind, key, location_tag(memory), memory.nbytes() // kind.dtype.itemsize)


def _emit_name(pickler: Any, obj: Any, module: str, name: str) -> None:
    if pickler.proto >= 4:
        pickler.save(module)
        pickler.save(name)
        pickler.write(pickle.STACK_GLOBAL)
    else:
        pickler.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())
    pickler.memoize(obj)


def _save_storage_type(pickler: Any, obj: names.StorageType) -> None:
    _emit_name(pickler, obj, "torch.storage" if obj.untyped else "torch", obj.name)


def _save_layout(pickler: Any, obj: layout) -> None:
    pickler.save_reduce(_get_layout, (str(obj),), obj=obj)


def _save_block(pickler: Any, obj: Any) -> None:
    pickler.save_pers(pickler.blocks.persistent_id(obj))


def _save_device(pickler: Any, obj: device) -> None:
    pickler.save_reduce(device, (obj.type,) if obj.index is None else (obj.type, obj.index), obj=obj)


def pickler_class(base: Any) -> Any:
    """A pickler that writes torch's names, derived from the given one where that is possible.

    Only a pickler written in Python can be told what to write for a name. One in C keeps lamella's own names, which
    lamella reads.
    """
    if base is pickle.Pickler:
        base = pickle._Pickler  # type: ignore[attr-defined]
    fields: dict[str, Any] = {}
    if base is not pickle._Pickler:  # type: ignore[attr-defined]
        fields["persistent_id"] = lambda self, obj: self.blocks.persistent_id(obj)
    if issubclass(base, pickle._Pickler):  # type: ignore[attr-defined]

        def save_global(self: Any, obj: Any, name: str | None = None) -> None:
            found = names.name_of(obj)
            if found is None:
                base.save_global(self, obj, name)
            else:
                _emit_name(self, obj, *found)

        def save_type(self: Any, obj: Any) -> None:
            if names.name_of(obj) is None:
                base.dispatch[type](self, obj)
            else:
                save_global(self, obj)

        fields["save_global"] = save_global
        fields["dispatch"] = {
            **base.dispatch,
            FunctionType: save_global, BuiltinFunctionType: save_global, dtype: save_global, type: save_type,
            layout: _save_layout, device: _save_device,
            StorageRef: _save_block, Memory: _save_block, UntypedStorage: _save_block,
            names.StorageType: _save_storage_type,
        }
    return type("TorchPickler", (base,), fields)


_TorchPickler = pickler_class(pickle.Pickler)


def pickled(obj: Any, file: Any, blocks: Any, pickle_module: Any, protocol: int) -> None:
    """Pickle an object into a file, its storages going to `blocks`."""
    cls = _TorchPickler if pickle_module is pickle else pickler_class(pickle_module.Pickler)
    pickler = cls(file, protocol)
    pickler.blocks = blocks
    before = session.types, session.hosts
    session.types, session.hosts = {}, {}
    try:
        pickler.dump(obj)
    except RecursionError:
        raise RuntimeError(
            message("save", "the object is nested too deeply", [type(obj).__name__],
                    hint="save a flat dict of tensors, such as a state_dict")
        ) from None
    finally:
        session.types, session.hosts = before


def _check_file(f: Any) -> Any:
    if isinstance(f, (str, os.PathLike)):
        path = os.fspath(f)
        parent = os.path.dirname(path)
        if parent and not os.path.isdir(parent):
            raise RuntimeError(message("save", "the folder does not exist", [parent], hint="os.makedirs makes it"))
        return path
    if not callable(getattr(f, "write", None)):
        raise AttributeError(
            message("save", "f is a path or a file object with a `write` method", [type(f).__name__],
                    hint="the order is save(obj, f)")
        )
    return f


def save(
    obj: object,
    f: Any,
    pickle_module: Any = pickle,
    pickle_protocol: int = DEFAULT_PROTOCOL,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Write an object to a file that `load` reads, in lamella and in torch.

    Tensors that share memory are written over one storage and share memory again when they are loaded. A view brings
    its whole storage along; save `x.clone()` to keep only what it shows.

    Args:
        obj: tensors, and whatever pickle takes with tensors in it, such as a state_dict.
        f: a path, or a file object with `write`.
        pickle_module: what pickles the objects around the tensors.
        pickle_protocol: 2 is the one that torch's safe loader reads.
        _use_new_zipfile_serialization: False writes the format from before torch 1.6.
        _disable_byteorder_record: leaves the byte order out of the file.

    Raises:
        RuntimeError: the folder does not exist, or the object is nested too deeply.
        AttributeError: `f` is neither a path nor a file.
        pickle.PicklingError, AttributeError, TypeError: something in `obj` cannot be pickled. The file is not touched.

    Example:
        >>> import io
        >>> from lamella.core import arange, load, save
        >>> f = io.BytesIO()
        >>> save({"x": arange(3)}, f)
        >>> _ = f.seek(0)
        >>> load(f)
        {'x': tensor([0, 1, 2])}
    """
    f = _check_file(f)
    blocks = Blocks()
    data = io.BytesIO()
    if not _use_new_zipfile_serialization:
        legacy.save(obj, f, pickle_module, pickle_protocol)
        return
    pickled(obj, data, blocks, pickle_module, pickle_protocol)
    archive = ArchiveWriter(f)
    try:
        archive.write("data.pkl", data.getbuffer())
        archive.write(".storage_alignment", str(ALIGNMENT).encode())
        if not _disable_byteorder_record:
            archive.write("byteorder", sys.byteorder.encode())
        for key, memory in blocks.memories.items():
            archive.write(f"data/{key}", np.zeros(memory.nbytes(), np.uint8) if local.skip_data else memory.raw())
        archive.write("version", b"3\n")
    finally:
        archive.close()
    if hasattr(f, "flush"):
        f.flush()
