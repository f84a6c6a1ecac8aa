"""Devices: where a tensor's memory is."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message
from lamella.dispatch.keys import DispatchKey, bit

_KEYS: dict[str, DispatchKey] = {
    "cpu": DispatchKey.CPU,
    "cuda": DispatchKey.CUDA,
    "meta": DispatchKey.Meta,
    "privateuseone": DispatchKey.PrivateUse1,
    "privateusetwo": DispatchKey.PrivateUse2,
    "privateusethree": DispatchKey.PrivateUse3,
}
_NAMES: dict[DispatchKey, str] = {v: k for k, v in _KEYS.items()}
# Names that torch knows and programs test for; a tensor cannot be made on them here.
_FOREIGN = ("mps", "xpu", "xla", "hpu", "ipu", "mkldnn", "opengl", "vulkan", "fpga", "maia", "lazy", "mtia", "ve")


class device:
    """A device: a type and, where it matters, an index.

    Args:
        type: ``"cpu"``, ``"meta"``, ``"cuda:1"``, another device, or an index of the current accelerator.
        index: the index, when the type does not name one.

    Raises:
        RuntimeError: for a device type that is not known or a malformed index.

    Example:
        >>> device("cuda:1").index
        1
    """

    __slots__ = ("type", "index")
    type: str
    index: int | None

    def __new__(cls, type: Any, index: int | None = None) -> device:  # noqa: A002 - torch's name
        if isinstance(type, device):
            return type
        if isinstance(type, int):
            type, index = "cuda", type  # noqa: A001
        if not isinstance(type, str):
            raise TypeError(message("device", f"the type must be a str, int or device (got {type.__class__.__name__})"))
        name, colon, number = type.partition(":")
        if colon:
            if index is not None:
                raise RuntimeError(message("device", "the index is given twice", {"type": type, "index": index}))
            if not number.isdigit() or (len(number) > 1 and number[0] == "0"):
                raise RuntimeError(message("device", f"invalid device string {type!r}"))
            index = int(number)
        if name not in _KEYS and name not in _FOREIGN:
            # In torch's words, because programs read the names out of them (array-api-compat does).
            known = f"Expected one of {', '.join(sorted(_KEYS))} device type at start of device string"
            raise RuntimeError(message("device", f"there is no device type {name!r}", hint=known))
        self = object.__new__(cls)
        object.__setattr__(self, "type", name)
        object.__setattr__(self, "index", index)
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(message("device", f"{name} cannot be changed: devices are values"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and self.type == other.type and self.index == other.index

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __repr__(self) -> str:
        return (
            f"device(type={self.type!r})" if self.index is None else f"device(type={self.type!r}, index={self.index})"
        )

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __reduce__(self) -> tuple[Any, ...]:
        return device, (self.type, self.index)

    def __enter__(self) -> device:
        _default_stack.append(self)
        return self

    def __exit__(self, *exc: object) -> None:
        _default_stack.pop()


CPU = device("cpu")
META = device("meta")
_default_stack: list[device] = []
_default: device = CPU


def default_device() -> device:
    """Where factories put tensors when no device is given."""
    return _default_stack[-1] if _default_stack else _default


def set_default_device(d: Any) -> None:
    """Choose where factories put tensors when no device is given (None: the CPU)."""
    global _default
    _default = CPU if d is None else device(d)


def get_default_device() -> device:
    """Where factories put tensors when no device is given."""
    return default_device()


def backend_bit(d: Any) -> int:
    """The key-set bit of a device argument (None: the default device)."""
    if d is None:
        d = _default_stack[-1] if _default_stack else _default
    elif d.__class__ is not device:
        d = device(d)
    key = _KEYS.get(d.type)
    if key is None:
        raise RuntimeError(
            message(
                "device",
                f"there is no backend for {d}",
                hint="built-in backends are cpu, cuda and meta; `Library` adds others",
            )
        )
    if key is DispatchKey.CUDA:
        from .cuda import require

        require(d.index)
    return bit(key)


def device_of(ks: int, index: int | None = None) -> device:
    """The device of a tensor's key set."""
    low = ks & 0x3F
    if low == 1:
        return CPU
    if low == 4:
        return META
    return device(_NAMES[DispatchKey(low.bit_length())], 0 if index is None else index)


def rename_privateuse1_backend(name: str, key: DispatchKey = DispatchKey.PrivateUse1) -> None:
    """Give an outside backend's key a device name of its own.

    Args:
        name: an identifier that is not the name of a built-in device.
        key: PrivateUse1, PrivateUse2 or PrivateUse3.

    Raises:
        RuntimeError: if the name is taken or not an identifier, or the key was renamed before.
    """
    old = _NAMES[key]
    if old == name:
        return
    if not name.isidentifier() or name in _KEYS or name in _FOREIGN:
        raise RuntimeError(message("rename_privateuse1_backend", f"{name!r} is taken or not an identifier"))
    if not old.startswith("privateuse"):
        raise RuntimeError(message("rename_privateuse1_backend", f"{key.name} is already named {old!r}"))
    _KEYS[name] = key
    _NAMES[key] = name
