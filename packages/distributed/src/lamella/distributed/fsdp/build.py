"""From a module to its handles: which parameters, made real, alike on all ranks, divided."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lamella.autograd import no_grad
from lamella.core.devices import device
from lamella.core.tensor import describe
from lamella.dispatch.errors import message

from ..layers import Module
from ..parallel.coalesced import broadcast_coalesced
from .handle import Handle, Piece

__all__ = ["clean_name", "find_pieces", "is_managed", "make_handles", "own_modules", "prepare", "unit_of"]

_WRAPPERS = ("_fsdp_wrapped_module.", "_checkpoint_wrapped_module.")


def clean_name(name: str) -> str:
    """A dotted name without what wrappers add to it."""
    for part in _WRAPPERS:
        name = name.replace(part, "")
    return name


def unit_of(module: Any) -> Any:
    """The unit around a module's forward, or None."""
    return module.__dict__.get("_fsdp_unit")


def is_managed(param: Any) -> bool:
    """Whether a unit owns a parameter."""
    return "_fsdp_managed" in param.__dict__


def own_modules(module: Any, ignored: set[Any]) -> list[tuple[str, Any]]:
    """The modules (and names) whose parameters belong to a unit: not those of units further in, nor ignored ones."""
    found: list[tuple[str, Any]] = []
    seen: set[int] = set()

    def walk(m: Any, name: str) -> None:
        if id(m) in seen or m in ignored or (m is not module and unit_of(m) is not None):
            return
        seen.add(id(m))
        found.append((name, m))
        for child_name, child in m._modules.items():
            if child is not None:
                walk(child, f"{name}{child_name}.")

    walk(module, "")
    return found


#: the (dotted name, module, name in the module) where a parameter is found, in order
_Places = list[tuple[str, Any, str]]


def find_pieces(name: str, modules: Iterable[tuple[str, Any]], ignored: set[Any]) -> dict[Any, _Places]:
    """The parameters of modules, and where each is found."""
    found: dict[Any, _Places] = {}
    for prefix, module in modules:
        for key, p in module._parameters.items():
            if p is None or p in ignored:
                continue
            if is_managed(p):
                raise ValueError(message(
                    name, f"the parameter {prefix}{key} belongs to another unit already", [describe(p)],
                    hint="wrap the modules that share a parameter in one unit, or use auto_wrap_policy"))
            found.setdefault(p, []).append((clean_name(prefix + key), module, key))
    return found


def make_handles(name: str, module_list: list[Any], style: str, group: Any, param_dtype: Any, ignored_modules: set[Any],
                 ignored: set[Any], shared: Iterable[Any] = (),
                 dress: Callable[..., Any] | None = None, dims: dict[Any, int] | None = None) -> list[Handle]:
    """Divide the parameters of modules among the ranks of a group.

    Args:
        name: of the function that is called, for messages.
        module_list: the modules.
        style: see `Handle`.
        group: the ranks.
        param_dtype: what to compute in, None: the parameters' own type.
        ignored_modules, ignored: what stays as it is.
        shared: parameters that units further in use too, and do not own.
        dress: see `Handle`.
        dims: the dimensions of parameters that are divided, where not the first.

    Returns:
        A handle for each element type.
    """
    modules: list[tuple[str, Any]] = []
    for i, m in enumerate(module_list):
        prefix = f"{i}." if len(module_list) > 1 else ""
        modules += [(prefix + n, x) for n, x in own_modules(m, ignored_modules)]
    found = find_pieces(name, modules, ignored)
    for p in shared:
        found[p] = [(clean_name(f"{prefix}.{key}" if prefix else key), m, key)
                    for prefix, m in module_list[0].named_modules() for key, x in m._parameters.items() if x is p]
    by_type: dict[Any, list[Piece]] = {}
    for p, places in found.items():
        if style != "rows" and hasattr(p, "_spec"):
            raise ValueError(message(name, f"the parameter {places[0][0]} is spread over ranks already", [describe(p)],
                                     hint="use fully_shard, which divides each rank's part"))
        if style == "rows" and p.dim() == 0:
            raise ValueError(message(name, f"a parameter without dimensions cannot be divided by rows ({places[0][0]})",
                                     hint="give it one dimension of size 1"))
        compute = param_dtype if param_dtype is not None and p.dtype.is_floating_point else p.dtype
        piece = Piece([n for n, _, _ in places], [(m, key) for _, m, key in places], p, compute, (dims or {}).get(p, 0))
        by_type.setdefault(p.dtype, []).append(piece)
    if style == "flat":
        for pieces in by_type.values():
            _check_uniform(name, pieces)
    handles = []
    for dtype, pieces in by_type.items():
        compute = param_dtype if param_dtype is not None and dtype.is_floating_point else dtype
        for piece in pieces:
            piece.param.__dict__["_fsdp_managed"] = True
        handles.append(Handle(pieces, style, group, compute, dress))
    return handles


def _check_uniform(name: str, pieces: list[Piece]) -> None:
    if len({p.param.requires_grad for p in pieces}) > 1:
        frozen = [p.name for p in pieces if not p.param.requires_grad]
        raise ValueError(message(
            name, "Must flatten tensors with uniform `requires_grad` when `use_orig_params=False`",
            {"frozen": ", ".join(frozen[:4]) + (" ..." if len(frozen) > 4 else ""), "of": len(pieces)},
            hint="pass use_orig_params=True, or wrap frozen modules in units of their own"))


# -- before the division -----------------------------------------------------------------------------------------------


def prepare(name: str, module: Any, ignored_modules: set[Any], ignored: set[Any], init_fn: Callable | None,
            where: Any, groups: list[Any] | None) -> None:
    """Make a unit's parameters and buffers real, put them on the device and give all ranks the same values.

    Args:
        name: of the function that is called, for messages.
        module: the unit's module.
        ignored_modules, ignored: what stays as it is.
        init_fn: makes the parameters of a module that are on the meta device; None: its `reset_parameters`.
        where: a device, or None.
        groups: broadcast the first rank's values in these groups, one after another; None: do not.
    """
    own = [m for _, m in own_modules(module, ignored_modules)]
    _materialize(name, own, ignored, init_fn, where)
    if where is not None:
        for m in own:
            m._apply(lambda t: t if t.is_meta else t.to(where), recurse=False)
    if groups is None:
        return
    every = (t for m in own for t in (*m._parameters.values(), *m._buffers.values()))
    found = list(dict.fromkeys(t for t in every if t is not None and t not in ignored))
    for group in groups:
        broadcast_coalesced(group, found)


def _materialize(name: str, own: list[Any], ignored: set[Any], init_fn: Callable | None, where: Any) -> None:
    def on_meta(m: Any) -> bool:
        ts = (*m._parameters.values(), *m._buffers.values())
        return any(t is not None and t.is_meta and t not in ignored for t in ts)

    if not any(on_meta(m) for m in own):
        return
    place = where if where is not None else device("cpu")
    for m in own:
        if not (m._parameters or m._buffers):
            continue
        if init_fn is not None:
            init_fn(m)
        elif on_meta(m):
            if not callable(getattr(m, "reset_parameters", None)):
                raise RuntimeError(message(
                    name, f"{type(m).__name__} has parameters on the meta device and no reset_parameters()",
                    hint="pass param_init_fn="))
            m.to_empty(device=place, recurse=False)
            with no_grad():
                m.reset_parameters()
    left = [type(m).__name__ for m in own if any(p is not None and p.is_meta for p in m._parameters.values())]
    if left:
        kinds = ", ".join(sorted(set(left)))
        raise RuntimeError(message(name, "param_init_fn left parameters on the meta device", kinds,
                                   hint="it has to call module.to_empty(device=..., recurse=False) or the like"))


def ignored_parts(name: str, modules: Any, states: Any) -> tuple[set[Any], set[Any]]:
    """What `ignored_modules` and `ignored_states` mean: modules (with all below them) and parameters."""
    if modules is not None and states is not None:
        raise ValueError(message(name, "Cannot pass both ignored_modules and ignored_states at the same time.",
                                 hint="ignored_states takes modules too"))
    given = list(modules if modules is not None else states if states is not None else ())
    roots = [x for x in given if isinstance(x, Module)]
    if len(roots) not in (0, len(given)) or (modules is not None and len(roots) < len(given)):
        what = "ignored_modules" if modules is not None else "ignored_states"
        raise ValueError(message(name, f"{what} expects all modules or all parameters",
                                 ", ".join(sorted({type(x).__name__ for x in given}))))
    found = {m for root in roots for m in root.modules()}
    params = {p for root in roots for p in root.parameters()} | {x for x in given if not isinstance(x, Module)}
    return found, params
