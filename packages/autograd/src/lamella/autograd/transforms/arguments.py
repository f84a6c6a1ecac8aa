"""What transforms check and take apart: argument numbers, trees of tensors, outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamella.core.tensor import Tensor, describe
from lamella.dispatch.errors import message

from ..pytree import tree_leaves

Argnums = int | tuple[int, ...]


def checked_argnums(api: str, argnums: Any, count: int) -> Argnums:
    """Argument numbers, negative ones counted from the end.

    Errors:
        RuntimeError: not an int or a tuple of them, out of range, empty, or the same one twice.
    """
    if isinstance(argnums, int):
        return _checked(api, argnums, count)
    if not isinstance(argnums, tuple):
        raise RuntimeError(message(api, f"argnums must be int or Tuple[int, ...], got: {type(argnums).__name__}"))
    found = tuple(_checked(api, i, count) for i in argnums)
    if not found:
        raise RuntimeError(message(api, "argnums must be non-empty"))
    if len(set(found)) != len(found):
        raise RuntimeError(message(api, f"argnums elements must be unique, got {found}"))
    return found


def _checked(api: str, i: Any, count: int) -> int:
    if not isinstance(i, int):
        raise RuntimeError(message(api, f"argnum must be int, got: {type(i).__name__}"))
    if not -count <= i < count:
        raise RuntimeError(message(api, f"Got argnum={i}, but only {count} positional inputs"))
    return i % count


def picked(args: Sequence[Any], argnums: Argnums) -> Any:
    """The arguments that are differentiated by: one, or a tuple."""
    return args[argnums] if isinstance(argnums, int) else tuple(args[i] for i in argnums)


def put_back(args: Sequence[Any], argnums: Argnums, new: Any) -> tuple[Any, ...]:
    """The arguments with those that `picked` took replaced."""
    found = list(args)
    if isinstance(argnums, int):
        found[argnums] = new
    else:
        for i, value in zip(argnums, new, strict=True):
            found[i] = value
    return tuple(found)


def check_differentiable(api: str, t: Any) -> Any:
    """A tensor that can be differentiated by.

    Errors:
        ValueError: not a tensor. RuntimeError: a tensor of whole numbers.
    """
    if not isinstance(t, Tensor):
        raise ValueError(message(api, f"Thing passed to transform API must be Tensor, got {type(t).__name__}"))
    if not (t.is_floating_point() or t.is_complex()):
        raise RuntimeError(message(api, "only Tensors of floating point and complex dtype can require gradients",
                                   [describe(t)]))
    return t


def split_aux(api: str, out: Any, has_aux: bool) -> tuple[Any, Any]:
    """What a function returned, and what it returned besides."""
    if not has_aux:
        return out, None
    if not (isinstance(out, tuple) and len(out) == 2):
        raise RuntimeError(message(api, "output of function f should be a tuple: (output, aux) if has_aux is True"))
    return out


def check_outputs(api: str, out: Any, leaves: Sequence[Any]) -> None:
    """A function must return tensors, at least one."""
    if not leaves:
        raise RuntimeError(message(api, "Expected f to be a function that has non-empty output"))
    for t in leaves:
        if not isinstance(t, Tensor):
            raise RuntimeError(message(api, f"expected f(*primals) to return only tensors, got unsupported type "
                                            f"{type(t).__name__}"))


def check_real(api: str, tree: Any, is_input: bool) -> None:
    """Refuse complex tensors."""
    for i, t in enumerate(tree_leaves(tree)):
        if isinstance(t, Tensor) and t.is_complex():
            kind = "input" if is_input else "output"
            raise RuntimeError(message(api, f"Expected all {kind}s to be real but received complex tensor at flattened "
                                            f"{kind} idx: {i}", [describe(t)]))
