"""What the logs ``dispatch`` and ``registration`` write. Imported when one is switched on; nothing is left when off."""

from __future__ import annotations

from typing import Any

from . import logs, registry
from .keys import keys_of
from .ladder import ladder

_resolve = registry.resolve
_register = registry.OpOverload.register
_define = registry.define
_dispatch = logs.get("dispatch")
_registration = logs.get("registration")


def _traced_resolve(op: registry.OpOverload, ks: int) -> registry.Kernel:
    kernel = _resolve(op, ks)
    names = ", ".join(key.name for key in keys_of(ks))
    rungs = ladder(op, ks)
    if rungs and rungs[-1].outcome == "runs":
        _dispatch("%s {%s} -> %s %s %s", op.name, names, rungs[-1].key.name, rungs[-1].rung, rungs[-1].where)
    else:
        _dispatch("%s {%s} -> no kernel", op.name, names)
    return kernel


def _traced_register(self: registry.OpOverload, key: Any, *args: Any, **kwargs: Any) -> registry.Registration:
    made = _register(self, key, *args, **kwargs)
    _registration("%s %s <- %s", self.name, getattr(key, "name", key), made.where)
    return made


def _traced_define(namespace: str, source: str, *args: Any, **kwargs: Any) -> registry.OpOverload:
    op = _define(namespace, source, *args, **kwargs)
    _registration("%s::%s defined at %s", namespace, source, op.where)
    return op


def _switch_dispatch(on: bool) -> None:
    registry.resolve = _traced_resolve if on else _resolve
    registry.forget()


def _switch_registration(on: bool) -> None:
    registry.OpOverload.register = _traced_register if on else _register  # type: ignore[method-assign]
    registry.define = _traced_define if on else _define  # type: ignore[assignment]


_switch_dispatch(_dispatch.on)
_switch_registration(_registration.on)
logs._watchers.setdefault("dispatch", []).append(_switch_dispatch)
logs._watchers.setdefault("registration", []).append(_switch_registration)
