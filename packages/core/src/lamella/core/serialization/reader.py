"""`load`: files that `save` or torch wrote."""

from __future__ import annotations

import io
import os
import pickle
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..devices import META, device
from . import legacy, names, options
from .archive import ArchiveReader
from .memory import Memory
from .places import restorer
from .rebuild import StorageRef
from .unpickler import BlockedGlobal, SafeUnpickler, damaged, globals_in

_ZIP_START = b"PK\x03\x04"


def _open(f: Any) -> tuple[Any, bool, str]:
    """The file object of an argument, whether it has to be closed, and how errors name it."""
    if isinstance(f, (str, os.PathLike)):
        return open(f, "rb"), True, os.fspath(f)  # noqa: SIM115 - closed by the caller
    if not (callable(getattr(f, "read", None)) and callable(getattr(f, "seek", None)) and hasattr(f, "tell")):
        raise AttributeError(
            message("load", "f is a path or a file object with read, readline, tell and seek", [type(f).__name__],
                    hint="put the bytes into io.BytesIO")
        )
    try:
        f.seek(f.tell())
    except io.UnsupportedOperation as e:
        raise io.UnsupportedOperation(
            message("load", "the file object cannot seek", [str(e)], hint="load it from io.BytesIO(file.read())")
        ) from None
    return f, False, str(getattr(f, "name", type(f).__name__))


def _swap(raw: np.ndarray, itemsize: int, is_complex: bool) -> None:
    if is_complex:
        itemsize //= 2
    if itemsize > 1:
        raw[: len(raw) // itemsize * itemsize].view(f"u{itemsize}").byteswap(inplace=True)


class _Storages:
    """The storages of an archive, read when the pickle mentions them."""

    def __init__(self, archive: ArchiveReader, map_location: Any, whole: np.ndarray | None) -> None:
        self.archive = archive
        self.restore = restorer(map_location)
        kind = map_location if isinstance(map_location, (str, device)) else None
        self.to_meta = kind is not None and str(kind) == "meta"
        self.whole = whole
        self.done: dict[str, Memory] = {}
        order = archive.read("byteorder").decode("ascii", "replace") if archive.has("byteorder") else None
        if order not in (None, "little", "big"):
            raise ValueError(message("load", "the file states an unknown byte order", [repr(order)]))
        self.swap = (order or options.default_byteorder()) != sys.byteorder

    def persistent_load(self, pid: Any) -> Any:
        """The storage of a persistent id."""
        if not isinstance(pid, tuple) or len(pid) != 5 or pid[0] not in ("storage", b"storage"):
            raise pickle.UnpicklingError(
                message("load", "only storages are kept outside the pickle", [repr(pid)[:80]])
            )
        _, kind, key, location, numel = pid
        location = location.decode("ascii", "replace") if isinstance(location, bytes) else location
        fits = isinstance(kind, names.StorageType) and isinstance(key, (str, int)) and isinstance(location, str)
        if not fits or not isinstance(numel, int) or numel < 0:
            raise pickle.UnpicklingError(message("load", "a storage is described wrongly", [repr(pid)[:80]]))
        memory = self.done.get(key)
        if memory is None:
            memory = self.done[key] = self._read(kind, str(key), location, numel * kind.dtype.itemsize)
        return memory if kind.untyped else StorageRef(memory, kind)

    def _read(self, kind: names.StorageType, key: str, location: str, nbytes: int) -> Memory:
        record = f"data/{key}"
        if self.to_meta:
            return Memory(None, META, nbytes)
        if options.local.skip_data:
            raw = np.zeros(nbytes, np.uint8)
        elif self.whole is not None:
            raw = self.archive.mapped(record, nbytes, self.whole)
        else:
            raw = self.archive.read_array(record, nbytes, options.options.crc32)
        if self.swap:
            raw = raw.copy() if self.whole is not None else raw
            _swap(raw, kind.dtype.itemsize, kind.dtype.is_complex)
        memory = self.restore(Memory(raw), location)
        if not isinstance(memory, Memory):
            raise TypeError(
                message("load", "map_location returns the storage it was given, moved or not, or None",
                        [type(memory).__name__])
            )
        return memory


def _trusting(pickle_module: Any, arguments: dict[str, Any]) -> Callable[[Any, Any], Any]:
    """Reads a pickle that may run code, with torch's names meaning lamella's."""

    class Unpickler(pickle_module.Unpickler):  # type: ignore[misc, name-defined]
        def find_class(self, module: str, name: str) -> Any:
            found = names.find(module, name)
            if found is not None:
                return found
            if module.partition(".")[0] == "torch":
                raise names.no_counterpart(module, name)
            return super().find_class(module, name)

    def unpickle(file: Any, persistent_load: Any) -> Any:
        unpickler = Unpickler(file, **arguments)
        if persistent_load is not None:
            unpickler.persistent_load = persistent_load
        try:
            return unpickler.load()
        except pickle.UnpicklingError as e:
            raise e if str(e).startswith("load: ") else damaged(str(e)) from e
        except EOFError as e:
            raise EOFError(message("load", "the pickle in the file ends too early", hint="save it again")) from e
        except RecursionError:
            raise RuntimeError(message("load", "the object is nested too deeply")) from None

    return unpickle


def _safe(arguments: dict[str, Any]) -> Callable[[Any, Any], Any]:
    """Reads a pickle that may not run code; names that are not allowed are reported all at once."""

    def unpickle(file: Any, persistent_load: Any) -> Any:
        start = file.tell()
        try:
            return SafeUnpickler(
                file, persistent_load=persistent_load, encoding=arguments.get("encoding", "utf-8")
            ).load()
        except BlockedGlobal:
            file.seek(start)
            blocked = [name for name, allowed in globals_in(file).items() if not allowed]
        raise _blocked_error(blocked)

    return unpickle


def _blocked_error(blocked: list[str]) -> pickle.UnpicklingError:
    missing = [n for n in blocked if n.startswith("torch.") and names.find(*n.rsplit(".", 1)) is None]
    if missing:
        return pickle.UnpicklingError(
            message("load", "Weights only load failed: the file needs what lamella has no counterpart for", missing,
                    hint="in torch, save a state_dict of dense tensors")
        )
    short = [n.removeprefix("builtins.") for n in blocked]
    return pickle.UnpicklingError(
        message(
            "load",
            f"Weights only load failed: {len(blocked)} name{'s' * (len(blocked) > 1)} in the file "
            f"{'are' if len(blocked) > 1 else 'is'} not allowed with weights_only=True",
            short,
            details=[
                "to allow what you trust: torch.serialization.add_safe_globals([...]), or for one block",
                f"  with torch.serialization.safe_globals([{', '.join(short)}]):",
                "torch.serialization.get_unsafe_globals_in_checkpoint(f) lists what a file needs",
            ],
            hint="weights_only=False allows everything, and lets the file run any code: only for files you trust",
        )
    )


def _mode(weights_only: bool | None, pickle_module: Any) -> bool:
    """Whether only weights are wanted."""
    yes = ("1", "y", "yes", "true")
    force = os.getenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "0").lower() in yes
    force_not = os.getenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "0").lower() in yes
    if force and force_not:
        raise RuntimeError(
            message("load", "TORCH_FORCE_WEIGHTS_ONLY_LOAD and TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD are both set")
        )
    if force:
        weights_only = True
    elif weights_only is None and force_not:
        weights_only = False
        warnings.warn(
            message("load", "weights_only is False because TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD is set"), stacklevel=3
        )
    elif weights_only is None:
        weights_only = pickle_module is None
    if weights_only and pickle_module is not None:
        raise RuntimeError(
            message("load", "weights_only=True has a pickle reader of its own",
                    {"pickle_module": pickle_module.__name__},
                    hint="leave pickle_module out, or pass weights_only=False for a file you trust")
        )
    return bool(weights_only)


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Read an object that `save` or `torch.save` wrote.

    Args:
        f: a path, or a file object that can seek.
        map_location: where tensors go instead of the device they were saved from: a device or its name, a dict from
            location to location, or a function (storage, location) -> storage or None.
        pickle_module: reads the objects around the tensors; only with `weights_only=False`.
        weights_only: True (the default, unless `pickle_module` is given) loads tensors, containers, numbers and what
            `add_safe_globals` allowed. False loads anything, and lets the file run any code.
        mmap: True maps the file instead of reading it: bytes come from the disk when they are used. Needs a path.
        **pickle_load_args: for the unpickler with `weights_only=False`, such as encoding="latin1".

    Returns:
        The object. Tensors that shared memory share it again.

    Raises:
        pickle.UnpicklingError: with `weights_only=True`, names that are not allowed (all of them are listed), or
            damage.
        RuntimeError: the file is damaged or cut short, or a device is not here.
        EOFError: the file is empty.
        OSError: it cannot be opened.

    Example:
        >>> import io
        >>> from lamella.core import load, save, zeros
        >>> f = io.BytesIO()
        >>> save({"w": zeros(2), "step": 3}, f)
        >>> _ = f.seek(0)
        >>> load(f)
        {'w': tensor([0., 0.]), 'step': 3}
    """
    safe_only = _mode(weights_only, pickle_module)
    if pickle_load_args and safe_only:
        warnings.warn(message("load", "pickle_load_args have no effect with weights_only=True"), stacklevel=2)
    if mmap and not isinstance(f, (str, os.PathLike)):
        raise ValueError(message("load", "mmap=True needs a path", [type(f).__name__]))
    arguments = {"encoding": "utf-8", **pickle_load_args}
    unpickle = _safe(arguments) if safe_only else _trusting(pickle_module or pickle, arguments)
    return _load(f, map_location, unpickle, mmap)


def _load(f: Any, map_location: Any, unpickle: Callable[[Any, Any], Any], mmap: bool | None) -> Any:
    file, opened, source = _open(f)
    try:
        start = file.tell()
        head = file.read(4)
        file.seek(start)
        if not head:
            raise EOFError(message("load", "the file is empty", [source], hint="was save interrupted?"))
        if head == _ZIP_START:
            archive = ArchiveReader(file, source)
            storages = _Storages(archive, map_location, _map(f) if mmap else None)
            return unpickle(io.BytesIO(archive.read("data.pkl")), storages.persistent_load)
        if mmap:
            raise RuntimeError(
                message("load", "only the zip format can be mapped", [source], hint="load it, and save it again")
            )
        return legacy.read(file, restorer(map_location), unpickle)
    finally:
        if opened:
            file.close()


def _map(path: Any) -> np.ndarray:
    shared = options.MAP_SHARED is not None and options.get_default_mmap_options() == options.MAP_SHARED
    return np.memmap(path, np.uint8, "r+" if shared else "c")


def get_unsafe_globals_in_checkpoint(f: Any) -> list[str]:
    """The names in a checkpoint that `weights_only=True` does not allow.

    Args:
        f: a path or a file object.

    Returns:
        Full names such as "__main__.Config", in the order in which the file mentions them. Names that the program
        allowed already are not in the list. Nothing from the file is run.

    Raises:
        ValueError: it is not a checkpoint.
    """
    file, opened, source = _open(f)
    try:
        start = file.tell()
        head = file.read(4)
        file.seek(start)
        if head != _ZIP_START:
            raise ValueError(message("get_unsafe_globals_in_checkpoint", "this is no checkpoint of save", [source]))
        data = io.BytesIO(ArchiveReader(file, source).read("data.pkl"))
        return [name for name, allowed in globals_in(data).items() if not allowed]
    finally:
        if opened:
            file.close()
