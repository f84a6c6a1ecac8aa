"""``state_dict`` and ``load_state_dict`` in torch's format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from lamella.core.tensor import Tensor


def pack(optimizer: Any) -> dict[str, Any]:
    """Return the optimizer's state with numbers in place of parameters."""
    numbers: dict[int, int] = {}
    groups = []
    for group in optimizer.param_groups:
        for p in group["params"]:
            numbers.setdefault(id(p), len(numbers))
        packed = {key: value for key, value in group.items() if key != "params"}
        packed["params"] = [numbers[id(p)] for p in group["params"]]
        groups.append(packed)
    state = {numbers[id(k)] if isinstance(k, Tensor) else k: v for k, v in optimizer.state.items()}
    return {"state": state, "param_groups": groups}


def unpack(optimizer: Any, state_dict: dict[str, Any]) -> dict[str, Any]:
    """Return ``{"state", "param_groups"}`` for an optimizer from a state dict, after checking that they fit."""
    missing = [key for key in ("state", "param_groups") if key not in state_dict]
    if missing:
        raise ValueError(
            f"{type(optimizer).__name__}.load_state_dict: the state needs the keys 'state' and 'param_groups' "
            f"(missing: {', '.join(missing)}; found: {', '.join(map(str, list(state_dict)[:5]))})"
        )
    groups, saved = optimizer.param_groups, deepcopy(state_dict["param_groups"])
    check(type(optimizer).__name__, groups, saved)
    params = {n: (p, new) for old, new in zip(groups, saved) for n, p in zip(new["params"], old["params"])}
    state: defaultdict[Any, Any] = defaultdict(dict)
    for key, value in state_dict["state"].items():
        if key in params:
            p, group = params[key]
            state[p] = _cast(value, p, group, None)
        else:
            state[key] = value
    for old, new in zip(groups, saved):
        new["params"] = old["params"]
        if "param_names" in old:
            new.setdefault("param_names", old["param_names"])
    return {"state": state, "param_groups": saved}


def check(name: str, groups: list[dict[str, Any]], saved: list[dict[str, Any]]) -> None:
    """Raise ValueError unless the saved groups have the sizes of the optimizer's; all differences are named."""
    op = f"{name}.load_state_dict"
    if len(groups) != len(saved):
        raise ValueError(
            f"{op}: loaded state dict has a different number of parameter groups ({len(saved)} in the state with "
            f"{_sizes(saved)} parameters, {len(groups)} here with {_sizes(groups)})"
        )
    wrong = [i for i, (old, new) in enumerate(zip(groups, saved)) if len(old["params"]) != len(new["params"])]
    if not wrong:
        return
    lines = [_difference(i, groups[i], saved[i]) for i in wrong[:3]]
    if len(wrong) > 3:
        lines.append(f"  and {len(wrong) - 3} more groups")
    raise ValueError(
        f"{op}: loaded state dict contains a parameter group that doesn't match the size of optimizer's group\n"
        + "\n".join(lines)
        + "\nhint: give the optimizer the parameters that it had when the state was saved, in the same groups"
    )


def _sizes(groups: list[dict[str, Any]]) -> str:
    return "+".join(str(len(group["params"])) for group in groups) or "0"


def _difference(i: int, group: dict[str, Any], saved: dict[str, Any]) -> str:
    text = f"  group {i}: {len(saved['params'])} parameters in the state, {len(group['params'])} here"
    if "param_names" not in saved or "param_names" not in group:
        return text
    for label, names, others in (
        ("only in the state", saved["param_names"], group["param_names"]),
        ("only here", group["param_names"], saved["param_names"]),
    ):
        extra = [name for name in names if name not in set(others)]
        if extra:
            text += f"; {label}: {', '.join(extra[:3])}" + (f" and {len(extra) - 3} more" if len(extra) > 3 else "")
    return text


def _placed(value: Tensor, p: Tensor, group: dict[str, Any], key: Any) -> Tensor:
    if key == "step":
        # A count in bfloat16 would stop at 256; only a graph on the device wants it over there.
        return value.to(device=p.device) if group.get("capturable") or group.get("fused") else value
    return value.to(dtype=p.dtype, device=p.device) if p.is_floating_point() else value.to(device=p.device)


def _cast(value: Any, p: Tensor, group: dict[str, Any], key: Any) -> Any:
    """Copy a state value, its tensors to the parameter's device and type (step counts keep their type)."""
    if isinstance(value, Tensor):
        # Two optimizers that loaded one state must not write to the same memory.
        placed = _placed(value, p, group, key)
        return placed.clone() if placed is value else placed
    if isinstance(value, dict):
        return {k: _cast(v, p, group, k) for k, v in value.items()}
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, Iterable):
        cast = [_cast(v, p, group, None) for v in value]
        return type(value)(*cast) if hasattr(value, "_fields") else type(value)(cast)  # type: ignore[call-arg]
    return value
