"""Values that are no tensors, as bytes.

What JSON can say is JSON: None, bool, int, float, str, and lists and dicts of them. Tuples, dicts with other keys than
strings, OrderedDicts, sets, complex numbers, infinities, bytes, sizes, dtypes and devices are objects with the key "!"
that says which. Everything else is an archive of `lamella.core.serialization.save` (torch's format), which is read with
``weights_only=True``: it may name only what is known to be harmless or was allowed by `add_safe_globals`.
"""

from __future__ import annotations

import base64
import io
import json
import math
import pickle
from collections import OrderedDict
from typing import Any

from lamella.core import Size
from lamella.core.devices import device
from lamella.core.dtypes import BY_NAME, dtype
from lamella.dispatch.errors import message

TAG = "!"


class NotPlain(Exception):
    """The value is none that JSON stands for here."""


def encode(value: Any) -> Any:
    """What JSON holds of a value; NotPlain where it can't.

    Example:
        >>> encode({"betas": (0.9, 0.999), 0: None})
        {'!': 'dict', 'items': [['betas', {'!': 'tuple', 'items': [0.9, 0.999]}], [0, None]]}
    """
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return value if math.isfinite(value) else {TAG: "float", "value": repr(value)}
    if kind is list:
        return [encode(v) for v in value]
    if kind is dict:
        if all(type(k) is str for k in value) and TAG not in value:
            return {k: encode(v) for k, v in value.items()}
        return {TAG: "dict", "items": _pairs(value)}
    found = _tagged(kind, value)
    if found is None:
        raise NotPlain(kind.__name__)
    return found


def _tagged(kind: type, value: Any) -> dict[str, Any] | None:
    if kind is tuple or kind is Size or kind is set or kind is frozenset:
        return {TAG: kind.__name__, "items": [encode(v) for v in value]}
    if kind is OrderedDict:
        return {TAG: "OrderedDict", "items": _pairs(value)}
    if kind is complex:
        return {TAG: "complex", "items": [encode(value.real), encode(value.imag)]}
    if kind is bytes:
        return {TAG: "bytes", "value": base64.b64encode(value).decode()}
    if kind is dtype:
        return {TAG: "dtype", "value": value.name}
    if kind is device:
        return {TAG: "device", "value": str(value)}
    return None


def _pairs(value: Any) -> list[Any]:
    return [[encode(k), encode(v)] for k, v in value.items()]


def decode(data: Any) -> Any:
    """The value that `encode` was given.

    Example:
        >>> decode(encode({0: (1, float("inf"))}))
        {0: (1, inf)}
    """
    if isinstance(data, list):
        return [decode(v) for v in data]
    if not isinstance(data, dict):
        return data
    tag = data.get(TAG)
    if tag is None:
        return {k: decode(v) for k, v in data.items()}
    make = _MAKERS.get(tag)
    if make is None:
        raise ValueError(message("load", "the checkpoint has a kind of value that is not known here", repr(tag)))
    return make(data)


def _items(data: Any) -> list[Any]:
    return [decode(v) for v in data["items"]]


_MAKERS: dict[str, Any] = {
    "float": lambda d: float(d["value"]),
    "dict": lambda d: dict(map(tuple, _items(d))),
    "OrderedDict": lambda d: OrderedDict(map(tuple, _items(d))),
    "tuple": lambda d: tuple(_items(d)),
    "Size": lambda d: Size(tuple(_items(d))),
    "set": lambda d: set(_items(d)),
    "frozenset": lambda d: frozenset(_items(d)),
    "complex": lambda d: complex(*_items(d)),
    "bytes": lambda d: base64.b64decode(d["value"]),
    "dtype": lambda d: BY_NAME[d["value"]],
    "device": lambda d: device(d["value"]),
}


def to_text(plain: Any) -> str:
    """JSON text in the one form that is used here."""
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def dumps(value: Any) -> bytes:
    """A value as bytes: JSON if that can hold it, else an archive.

    Example:
        >>> dumps({"lr": 0.1, "betas": (0.9, 0.99)})
        b'{"lr":0.1,"betas":{"!":"tuple","items":[0.9,0.99]}}'
    """
    try:
        return to_text(encode(value)).encode()
    except (NotPlain, UnicodeEncodeError, RecursionError):
        pass
    from lamella.core.serialization import save

    buffer = io.BytesIO()
    save(value, buffer)
    return buffer.getvalue()


def loads(data: bytes, name: str = "") -> Any:
    """The value that `dumps` was given.

    Args:
        data: the bytes.
        name: the value's, for errors.

    Raises:
        UnpicklingError: an archive that names what is not allowed; all of it is listed.
    """
    if not data.startswith(b"PK"):
        return decode(json.loads(data))
    from lamella.core.serialization import load

    try:
        return load(io.BytesIO(data), weights_only=True)
    except pickle.UnpicklingError as e:
        raise pickle.UnpicklingError(f"load: the value {name!r} of the checkpoint: {e}") from None
