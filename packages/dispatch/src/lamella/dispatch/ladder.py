"""Why an operator ran what it ran: the ladder of its key set, rung by rung, with the places of registration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TextIO

from . import adapter, registry
from .errors import message
from .keys import AUTOGRAD_MASK, BACKEND_MASK, DispatchKey, below, bit, keys_of, parse_key
from .state import state

_EXPECTED_BELOW = "the layer above goes on to"


@dataclass(frozen=True)
class Rung:
    """One step of the ladder. ``outcome`` is ``-`` (nothing registered), ``fallthrough`` or ``runs``."""

    key: DispatchKey
    rung: str
    outcome: str
    where: str


def ladder(op: registry.OpOverload, ks: int) -> list[Rung]:
    """The rungs that resolution tries for a key set, up to the one that runs; no rung "runs" where no kernel serves.

    Args:
        op: the operator.
        ks: the key set, masks applied.
    """
    found: list[Rung] = []
    passed = 0
    backends = ks & BACKEND_MASK
    if backends & (backends - 1) and backends == ks and registry.mixed_backends is not None:
        return [Rung(keys_of(ks)[0], "several backends", "runs", "checks devices, then one backend's kernel")]
    for key, rung, registration in registry.candidates(op, ks):
        if bit(key) & passed:
            continue
        if registration is None:
            found.append(Rung(key, rung, "-", ""))
            if rung == "fallback" and bit(key) & AUTOGRAD_MASK and op.differentiable and registry.missing_derivative:
                found.append(Rung(key, "no derivative", "runs", "its backward raises an error"))
                return found
            if rung == "fallback" and bit(key) & BACKEND_MASK:
                return found
        elif registration.kind == "fallthrough":
            found.append(Rung(key, rung, "fallthrough", registration.where))
            passed |= bit(key)
        else:
            found.append(Rung(key, rung, "runs", registration.where))
            return found
    return found


def _short(path: str) -> str:
    """The last parts of a path are what tells kernels apart."""
    parts = path.replace("\\", "/").split("/")
    return "/".join(parts[-4:]) if len(parts) > 4 else path


def _set(ks: int) -> str:
    return "{" + ", ".join(key.name for key in keys_of(ks)) + "}"


def keyset_of(what: Iterable[Any]) -> int:
    """A key set from key names, keys, an int mask, or tensors, mixed.

    Example:
        >>> keyset_of(["CPU", DispatchKey.Meta])
        5
    """
    ks = 0
    for each in what:
        if isinstance(each, (DispatchKey, str)):
            ks |= bit(parse_key(each))
        elif isinstance(each, int) and not isinstance(each, bool):
            ks |= each
        elif isinstance(each, (list, tuple, set, frozenset)):
            ks |= keyset_of(each)
        elif adapter.current.is_tensor(each):
            ks |= adapter.current.keyset(each)
    return ks


def explanation(op: Any, *what: Any) -> str:
    """The text that `explain` prints."""
    op = _find(op)
    asked = keyset_of(what)
    ks = state.apply(asked) if asked & state.affected or state.affected == -1 else asked
    lines = [f"{op.name} for {_set(ks)}" + ("" if ks else " (no tensors)")]
    if ks != asked:
        t = state.thread
        lines.append(
            f"  this thread's masks changed {_set(asked)} (include {_set(t.include)}, exclude {_set(t.exclude)})"
        )
    lines.append(f"  schema  {op.source}")
    if op.where:
        lines.append(f"  defined {_short(op.where)}")
    seen = 0
    while True:
        rungs = ladder(op, ks)
        lines += _table(rungs)
        winner = rungs[-1] if rungs and rungs[-1].outcome == "runs" else None
        if winner is None:
            lines.append("  no kernel serves this key set")
            lines += _others(op)
            break
        lower = _lower(op, ks, winner)
        if lower is None or seen > 8:
            break
        seen += 1
        ks = lower
        lines.append(f"  {_EXPECTED_BELOW} {_set(ks)}")
    return "\n".join(lines)


def explain(op: Any, *what: Any, file: TextIO | None = None) -> None:
    """Print how a call is resolved: the ladder that is tried, what runs, and where each kernel was registered.

    Args:
        op: an operator's name (``"aten::add.Tensor"``), an overload, a packet (``ops.aten.add``) or a custom operator.
        what: keys, key names, a key set, or tensors: the call that is asked about. The thread's masks apply.
        file: where to print; standard output where None.

    Raises:
        RuntimeError: there is no such operator or key; names the nearest.

    Example:
        >>> from lamella.dispatch.library import Library
        >>> lib = Library("doc_explain", "DEF")
        >>> _ = lib.define("f(Tensor x) -> Tensor")
        >>> lib.impl("f", lambda x: x, "Meta")
        >>> explain("doc_explain::f", "CPU")  # doctest: +ELLIPSIS
        doc_explain::f for {CPU}
          schema  f(Tensor x) -> Tensor
          ...
          no kernel serves this key set
          ...
        >>> lib._destroy()
    """
    print(explanation(op, *what), file=file)


def _table(rungs: list[Rung]) -> list[str]:
    if not rungs:
        return ["  (no keys to try)"]
    wide = max(len(r.key.name) for r in rungs)
    mid = max(len(r.rung) for r in rungs)
    return [f"  {r.key.name:<{wide}}  {r.rung:<{mid}}  {r.outcome:<4}  {_short(r.where)}".rstrip() for r in rungs]


def _lower(op: registry.OpOverload, ks: int, winner: Rung) -> int | None:
    """The key set that the winner's layer goes on to, where it is one that goes on."""
    if winner.rung == "no derivative":
        return ks & below(DispatchKey.AutogradCPU)
    registration = next(
        (r for k, rung, r in registry.candidates(op, ks) if k == winner.key and rung == winner.rung), None
    )
    if registration is None or registration.kind != "bind":
        return None
    start = DispatchKey.AutogradCPU if bit(winner.key) & AUTOGRAD_MASK else winner.key
    return ks & below(start) or None


def _others(op: registry.OpOverload) -> list[str]:
    kernels = registered(op)
    if not kernels:
        return ["  it has no kernels at all"]
    return ["  kernels exist for:"] + [f"    {key.name:<26} {_short(where)}" for key, where in kernels]


def registered(op: registry.OpOverload) -> list[tuple[DispatchKey, str]]:
    """The keys that an operator has kernels for, lowest first, with the places of registration."""
    keys = sorted({DispatchKey(key) for key in (*op.kernels, *op.providers)})
    found = []
    for key in keys:
        registration = op.kernel(key)
        if registration is not None:
            found.append((key, registration.where))
    return found


def no_kernel_message(op: registry.OpOverload, ks: int) -> str:
    """The text of the error that a call without a kernel raises: the ladder and what exists, six lines at most."""
    top = keys_of(ks & BACKEND_MASK) or keys_of(ks)
    if not top:
        rule = "no tensor took part in the call, so there is no backend to choose"
        return message(op.name, rule, hint="pass device=, or a tensor")
    rungs = ladder(op, ks)
    tried: dict[str, list[str]] = {}
    for rung in rungs:
        tried.setdefault(rung.key.name, []).append(
            rung.rung + (" (fallthrough)" if rung.outcome == "fallthrough" else "")
        )
    details = [f"  {name}: tried {', '.join(names)}" for name, names in tried.items()][-2:]
    kernels = registered(op)
    if kernels:
        shown = [f"{key.name} ({_short(where)})" for key, where in kernels[:2]]
        more = f", {len(kernels) - 2} more" if len(kernels) > 2 else ""
        details.append("  kernels exist for: " + ", ".join(shown) + more)
    else:
        details.append("  it has no kernels at all")
    name = op.name.partition("::")[2]
    key = top[0].name
    hint = f'Library("{op.namespace}", "IMPL").impl("{name}", fn, "{key}"), or register_fake' if key == "Meta" else None
    hint = hint or f'Library("{op.namespace}", "IMPL").impl("{name}", fn, "{key}")'
    return message(op.name, f"there is no kernel for {key}", f"key set {_set(ks)}", details=details, hint=hint)


def _find(op: Any) -> registry.OpOverload:
    from .library import resolve_op
    from .packets import OpOverloadPacket

    if isinstance(op, OpOverloadPacket):
        names = op.overloads()
        if "default" not in names and names:
            return getattr(op, names[0])
    return resolve_op(op)


__all__ = ["Rung", "explain", "explanation", "ladder", "no_kernel_message", "registered"]
