"""Files of tensors: torch's `save` and `load`, and pickling and copying of single tensors.

The format is torch's, in both directions. `writer` and `reader` are the two halves, `archive` the zip file around them,
`rebuild` what a tensor becomes in a pickle, `safe` and `unpickler` what `weights_only=True` lets through. Each loads
when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .legacy import MAGIC_NUMBER, PROTOCOL_VERSION
    from .names import register_global, register_namespace, register_parameter
    from .options import (
        LoadEndianness,
        get_crc32_options,
        get_default_load_endianness,
        get_default_mmap_options,
        set_crc32_options,
        set_default_load_endianness,
        set_default_mmap_options,
        skip_data,
    )
    from .places import default_restore_location, location_tag, register_package
    from .reader import get_unsafe_globals_in_checkpoint, load
    from .rebuild import deepcopy_tensor, reduce_tensor
    from .safe import add_safe_globals, clear_safe_globals, get_safe_globals, safe_globals
    from .writer import DEFAULT_PROTOCOL, save

_HOMES = {
    "legacy": ("MAGIC_NUMBER", "PROTOCOL_VERSION"),
    "names": ("register_global", "register_namespace", "register_parameter"),
    "options": (
        "LoadEndianness", "get_crc32_options", "get_default_load_endianness", "get_default_mmap_options",
        "set_crc32_options", "set_default_load_endianness", "set_default_mmap_options", "skip_data",
    ),
    "places": ("default_restore_location", "location_tag", "register_package"),
    "reader": ("get_unsafe_globals_in_checkpoint", "load"),
    "rebuild": ("deepcopy_tensor", "reduce_tensor"),
    "safe": ("add_safe_globals", "clear_safe_globals", "get_safe_globals", "safe_globals"),
    "writer": ("DEFAULT_PROTOCOL", "save"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "DEFAULT_PROTOCOL",
    "LoadEndianness",
    "MAGIC_NUMBER",
    "PROTOCOL_VERSION",
    "add_safe_globals",
    "clear_safe_globals",
    "deepcopy_tensor",
    "default_restore_location",
    "get_crc32_options",
    "get_default_load_endianness",
    "get_default_mmap_options",
    "get_safe_globals",
    "get_unsafe_globals_in_checkpoint",
    "load",
    "location_tag",
    "reduce_tensor",
    "register_global",
    "register_namespace",
    "register_package",
    "register_parameter",
    "safe_globals",
    "save",
    "set_crc32_options",
    "set_default_load_endianness",
    "set_default_mmap_options",
    "skip_data",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
