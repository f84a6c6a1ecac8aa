"""Dispatch keys and key sets.

A key set is a plain ``int``: key ``k`` is bit ``1 << (k - 1)`` and the highest set bit wins, so the key that handles a
call is ``keyset.bit_length()``. Each member says why it sits above its lower neighbour.

The keys of most calls come first: CPython keeps the integers up to 256, so that ``CPU | AutogradCPU`` (129) is looked
up without making a number.
"""

from __future__ import annotations

from enum import IntEnum


class DispatchKey(IntEnum):
    """The layers a call can pass through, lowest first.

    Example:
        >>> DispatchKey.CPU < DispatchKey.AutogradCPU
        True
    """

    def __new__(cls, value: int, why: str = "") -> DispatchKey:
        member = int.__new__(cls, value)
        member._value_ = value
        member.why = why
        return member

    why: str

    Undefined = 0, "no tensor took part: there is nothing to choose a kernel by"
    CPU = 1, "backends compute; they are lowest because every other layer ends in one"
    CUDA = 2, "above CPU, so that a zero-dimensional CPU tensor may join a GPU call"
    Meta = 3, "above the devices with memory: one operand without data makes the result one without data"
    PrivateUse1 = 4, "a backend from outside wins over the built-in ones that its tensors are mixed with"
    PrivateUse2 = 5, "a second outside backend; above the first only because an order is needed"
    PrivateUse3 = 6, "a third outside backend; above the second only because an order is needed"
    Python = 7, "a subclass or mode that intercepts calls sees what would have reached a backend, after autograd"
    AutogradCPU = 8, "records a call that nothing below has taken apart yet"
    AutogradCUDA = 9, "as AutogradCPU, for CUDA tensors; above it as CUDA is above CPU"
    AutogradMeta = 10, "as AutogradCPU, for tensors without data"
    AutogradPrivateUse1 = 11, "as AutogradCPU, for the first outside backend"
    AutogradPrivateUse2 = 12, "as AutogradCPU, for the second outside backend"
    AutogradPrivateUse3 = 13, "as AutogradCPU, for the third outside backend"
    Functionalize = 14, "turns mutation into values, so that autograd records no history that is written over"
    BackendSelect = 15, "factories have no tensor to choose by, so the device argument is read before any layer runs"
    Tracer = 16, "a trace holds whole differentiable calls, so it is taken before autograd splits them up"
    Autocast = 17, "casts come before the trace and autograd so that both see them as operators of their own"
    Transform = 18, "a tensor of torch.func: its transform takes a call apart before anything below looks at shapes"
    PythonDispatcher = 19, "a mode that wants every call as the user made it, before any layer changed it"
    TorchFunction = 20, "`__torch_function__` is asked first of all, with the arguments untouched"
    # Alias keys name groups of the keys above in registrations; no tensor carries one.
    Autograd = 64, "a kernel for every Autograd key"
    CompositeImplicitAutograd = 65, "a body of operators that are differentiable themselves: serves every key"
    CompositeExplicitAutograd = 66, "a body of operators that serves every backend but has a derivative of its own"


def bit(key: int) -> int:
    """The one-key set of ``key`` (0 for ``Undefined``).

    Example:
        >>> bit(DispatchKey.Meta)
        4
    """
    return 1 << (key - 1) if key else 0


BACKENDS = tuple(DispatchKey(k) for k in range(DispatchKey.CPU, DispatchKey.Python))
BACKEND_MASK = sum(bit(k) for k in BACKENDS)
AUTOGRAD_KEYS = tuple(DispatchKey(k) for k in range(DispatchKey.AutogradCPU, DispatchKey.Functionalize))
AUTOGRAD_MASK = sum(bit(k) for k in AUTOGRAD_KEYS)
TRANSFORM_MASK = bit(DispatchKey.Transform)
AUTOGRAD_SHIFT = DispatchKey.AutogradCPU - DispatchKey.CPU
ALIASES = (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd, DispatchKey.CompositeExplicitAutograd)


def below(key: int) -> int:
    """The mask of all keys lower than ``key``: what a redispatch may still reach.

    Example:
        >>> below(DispatchKey.Meta) == bit(DispatchKey.CPU) | bit(DispatchKey.CUDA)
        True
    """
    return (1 << (key - 1)) - 1 if key else 0


def autograd_bits(keyset: int) -> int:
    """The Autograd bits that belong to the backends in ``keyset``."""
    return (keyset & BACKEND_MASK) << AUTOGRAD_SHIFT


def keys_of(keyset: int) -> list[DispatchKey]:
    """The members of a key set, highest first.

    Example:
        >>> [k.name for k in keys_of(bit(DispatchKey.CPU) | bit(DispatchKey.AutogradCPU))]
        ['AutogradCPU', 'CPU']
    """
    found = []
    while keyset:
        top = keyset.bit_length()
        found.append(DispatchKey(top))
        keyset ^= 1 << (top - 1)
    return found


def keyset(*keys: DispatchKey | str) -> int:
    """A key set from keys or their names.

    Example:
        >>> keyset("CPU", DispatchKey.CUDA)
        3
    """
    total = 0
    for key in keys:
        total |= bit(parse_key(key))
    return total


def parse_key(key: DispatchKey | str | int) -> DispatchKey:
    """A dispatch key from a member, its name, or its value; a wrong name lists the nearest ones."""
    if isinstance(key, DispatchKey):
        return key
    if isinstance(key, int):
        return DispatchKey(key)
    found = DispatchKey.__members__.get(key)
    if found is None:
        from .errors import did_you_mean, message

        raise RuntimeError(message("DispatchKey", f"there is no key {key!r}",
                                   hint=did_you_mean(str(key), DispatchKey.__members__)))
    return found
