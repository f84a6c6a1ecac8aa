"""Which device a stored block belongs to, and how it gets there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.dispatch.errors import message

from ..devices import backend_bit, device
from .memory import Memory

_packages: list[tuple[int, Callable[[Any], str | None], Callable[[Any, str], Any]]] = []


def register_package(
    priority: int, tagger: Callable[[Any], str | None], deserializer: Callable[[Any, str], Any]
) -> None:
    """Teach `save` and `load` about a device.

    Args:
        priority: packages are asked in rising order; the built-in ones have 10 (cpu), 22 (meta) and 90 (any backend).
        tagger: gives the location string of a storage, or None if the storage is not for this package.
        deserializer: gives the storage for a location string, or None likewise.

    Example:
        >>> register_package(50, lambda storage: None, lambda storage, location: None)
    """
    _packages.append((priority, tagger, deserializer))
    _packages.sort(key=lambda p: p[0])


def location_tag(storage: Any) -> str:
    """The location string that a file gives a storage: "cpu", "cuda:0" and so on."""
    for _, tagger, _ in _packages:
        tag = tagger(storage)
        if tag:
            return tag
    raise RuntimeError(message("save", "nothing knows where this storage is", [type(storage).__name__]))


def default_restore_location(storage: Any, location: str) -> Any:
    """The storage on the device that a location string names.

    Raises:
        RuntimeError: there is no such device here.
    """
    for _, _, deserializer in _packages:
        found = deserializer(storage, location)
        if found is not None:
            return found
    raise RuntimeError(
        message("load", "the file holds tensors of a device that is not here", {"device": location},
                hint="load them on the CPU with map_location='cpu'")
    )


def restorer(map_location: Any) -> Callable[[Any, str], Any]:
    """The function (storage, location) -> storage that a `map_location` argument means."""
    if map_location is None:
        return default_restore_location
    if isinstance(map_location, dict):
        return lambda storage, location: default_restore_location(storage, map_location.get(location, location))
    if isinstance(map_location, bytes):
        map_location = map_location.decode("ascii")
    if isinstance(map_location, (str, device)):
        return lambda storage, location: default_restore_location(storage, str(map_location))
    if not callable(map_location):
        raise TypeError(
            message("load", "map_location is a device, a str, a dict or a function", [type(map_location).__name__])
        )

    def ask(storage: Any, location: str) -> Any:
        found = map_location(storage, location)
        return default_restore_location(storage, location) if found is None else found

    return ask


def _on_cpu(storage: Any, location: str) -> Any:
    return storage if location == "cpu" else None


def _on_meta(storage: Any, location: str) -> Any:
    return storage.to("meta") if location == "meta" else None


def _tag(kind: str) -> Callable[[Any], str | None]:
    return lambda storage: kind if storage.device.type == kind else None


def _on_backend(storage: Any, location: str) -> Any:
    """Any device that a backend is registered for; its kernels move the tensors."""
    try:
        where = device(location)
        backend_bit(where)
    except RuntimeError:
        return None
    return storage.to(where) if isinstance(storage, Memory) and where.type != "cpu" else None


register_package(10, _tag("cpu"), _on_cpu)
register_package(22, _tag("meta"), _on_meta)
register_package(90, lambda storage: str(storage.device), _on_backend)
