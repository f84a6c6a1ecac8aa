"""``ops.aten.add.Tensor``: registered operators by attribute.

``ops.<namespace>.<operator>`` is an `OpOverloadPacket`; calling it picks the overload that the arguments fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import registry
from .errors import did_you_mean, message
from .registry import OpOverload

_packets: dict[str, OpOverloadPacket] = {}
_index: dict[str, list[str]] = {}
_seen: list[Any] = [0, None]  # size and last name of the registry when the index was made


def _names() -> dict[str, list[str]]:
    """Operator name -> full names of its overloads, in the order they were defined."""
    ops = registry._ops
    last = next(reversed(ops), None)
    if _seen != [len(ops), last]:
        _index.clear()
        for name, op in list(ops.items()):
            _index.setdefault(f"{op.namespace}::{op.opname}", []).append(name)
        _seen[:] = [len(ops), last]
    return _index


class OpOverloadPacket:
    """All overloads of one operator.

    Example:
        >>> from lamella.dispatch.library import define, impl
        >>> define("doc_ops::inc", "(int x) -> int")
        >>> impl("doc_ops::inc", "default", lambda x: x + 1)
        >>> ops.doc_ops.inc.overloads(), ops.doc_ops.inc(1), ops.doc_ops.inc.default
        (['default'], 2, <OpOverload(op='doc_ops.inc', overload='default')>)
    """

    def __init__(self, namespace: str, name: str) -> None:
        self._namespace, self.__name__ = namespace, name
        self._qualified_op_name = f"{namespace}::{name}"

    def overloads(self) -> list[str]:
        """Names of the overloads; the one without a name is ``default``."""
        names = _names().get(self._qualified_op_name, [])
        return [name.partition(".")[2] or "default" for name in names]

    def _overloads(self) -> Iterator[OpOverload]:
        for name in _names().get(self._qualified_op_name, []):
            op = registry.find(name)
            if op is not None:
                yield op

    def __getattr__(self, name: str) -> OpOverload:
        if not name.startswith("__"):
            full = self._qualified_op_name if name == "default" else f"{self._qualified_op_name}.{name}"
            op = registry.find(full)
            if op is not None:
                return op
        where = f"ops.{self._namespace}.{self.__name__}"
        raise AttributeError(
            message(where, f"there is no overload {name!r}", hint=did_you_mean(name, self.overloads()))
        )

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.overloads()]

    def resolve(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> OpOverload:
        """The overload that a call means: the first that fits exactly, else the first that takes numbers as tensors.

        Raises:
            TypeError: none fits; lists why.
        """
        overloads = list(self._overloads())
        if len(overloads) == 1:
            return overloads[0]
        for strict in (True, False):
            for op in overloads:
                if op.schema.matches(args, kwargs, strict=strict):
                    return op
        faults = []
        for op in overloads:
            try:
                op.schema.bind(args, kwargs)
            except TypeError as error:
                faults.append("  " + str(error).split("\n")[0])
        given = ", ".join([type(a).__name__ for a in args] + [f"{k}={type(v).__name__}" for k, v in kwargs.items()])
        raise TypeError(message(self._qualified_op_name, "no overload takes the arguments", given, details=faults))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the overload that the arguments fit."""
        return self.resolve(args, kwargs)(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='{self._namespace}.{self.__name__}')>"

    def __str__(self) -> str:
        return f"{self._namespace}.{self.__name__}"


class _OpNamespace:
    """The operators of one namespace."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, name: str) -> OpOverloadPacket:
        full = f"{self.name}::{name}"
        if not name.startswith("__") or full in _names():
            if full in _names():
                return packet(full)
            known = [n.partition("::")[2] for n in _names() if n.startswith(self.name + "::")]
            if known:
                hint = did_you_mean(name, known)
            else:
                hint = f"no operator of {self.name!r} is registered: import the package that brings them"
            raise AttributeError(message(f"ops.{self.name}", f"there is no operator {name!r}", hint=hint))
        raise AttributeError(name)

    def __dir__(self) -> list[str]:
        return [n.partition("::")[2] for n in _names() if n.startswith(self.name + "::")]

    def __repr__(self) -> str:
        return f"<ops.{self.name}: {len(dir(self))} operators>"


class _Ops:
    """The root of all operators: ``ops.<namespace>``."""

    def __init__(self) -> None:
        self._namespaces: dict[str, _OpNamespace] = {}

    def __getattr__(self, name: str) -> _OpNamespace:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._namespaces.setdefault(name, _OpNamespace(name))

    def __dir__(self) -> list[str]:
        return sorted({name.partition("::")[0] for name in _names()})

    def __repr__(self) -> str:
        return f"<ops: {', '.join(dir(self))}>"


def packet(name: str) -> OpOverloadPacket:
    """The packet of ``ns::op``, the same object each time."""
    found = _packets.get(name)
    if found is None:
        ns, _, op = name.partition("::")
        found = _packets[name] = OpOverloadPacket(ns, op)
    return found


ops = _Ops()
