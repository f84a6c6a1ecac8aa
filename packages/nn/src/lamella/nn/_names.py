"""Names of values in messages."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor

_LEGACY = {
    "float32": "Float",
    "float64": "Double",
    "float16": "Half",
    "bfloat16": "BFloat16",
    "uint8": "Byte",
    "int8": "Char",
    "int16": "Short",
    "int32": "Int",
    "int64": "Long",
    "bool": "Bool",
}


def typename(value: Any) -> str:
    """The name that messages give a value's type: `torch.FloatTensor`, `int`, `collections.OrderedDict`."""
    if isinstance(value, Tensor):
        dtype = str(value.dtype).split(".")[-1]
        place = "cuda." if value.device.type == "cuda" else ""
        return f"torch.{place}{_LEGACY.get(dtype, dtype.capitalize())}Tensor"
    cls = value if isinstance(value, type) else type(value)
    module = cls.__module__
    return cls.__qualname__ if module in (None, "builtins", "__builtin__") else f"{module}.{cls.__qualname__}"
