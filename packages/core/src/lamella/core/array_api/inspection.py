"""What the library can do, asked through ``__array_namespace_info__``."""

from __future__ import annotations

import builtins
from typing import Any

from lamella.dispatch.errors import message

from .. import devices as _devices, dtypes as dt
from ..dtypes import dtype
from .data_types import STANDARD, isdtype


class NamespaceInfo:
    """Capabilities, devices and types of the namespace.

    Example:
        >>> __array_namespace_info__().capabilities()["boolean indexing"]
        True
    """

    def capabilities(self) -> dict[str, Any]:
        """What an array library may lack: all of it is there. NumPy's arrays end at 64 dimensions."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> Any:
        """Where arrays are made unless a device is given."""
        return _devices.default_device()

    def default_dtypes(self, *, device: Any = None) -> dict[str, dtype]:
        """The types that Python's numbers become, and that of indices.

        Args:
            device: which device; they are the same on all.
        """
        self._known(device)
        return {
            "real floating": dt.get_default_dtype(),
            "complex floating": dt.get_default_complex(),
            "integral": dt.int64,
            "indexing": dt.int64,
        }

    def devices(self) -> list[Any]:
        """The devices that hold data: the CPU, and the default device."""
        here = _devices.default_device()
        return [_devices.CPU] if here in (_devices.CPU, _devices.META) else [_devices.CPU, here]

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, dtype]:
        """The standard's types by name.

        Args:
            device: which device; they are the same on all.
            kind: only types of this kind (see ``isdtype``).
        """
        self._known(device)
        return {d.name: d for d in STANDARD if kind is None or isdtype(d, kind)}

    def _known(self, device: Any) -> builtins.bool:
        if device is not None and not isinstance(device, (str, int, _devices.device)):
            raise TypeError(message("dtypes", f"a device is needed, not {type(device).__name__}"))
        return device is None or bool(_devices.device(device))


def __array_namespace_info__() -> NamespaceInfo:  # noqa: N807 - the standard's name
    """Capabilities, devices and types of the namespace.

    Example:
        >>> list(__array_namespace_info__().dtypes(kind="real floating"))
        ['float32', 'float64']
    """
    return NamespaceInfo()
