"""Forward mode by hand (``torch.autograd.forward_ad``): tensors that carry a tangent through ordinary operations."""

from __future__ import annotations

from typing import Any, NamedTuple

from lamella.core.tensor import Tensor, describe
from lamella.dispatch.errors import message

from .transforms.duals import tangent_of
from .transforms.forward import ForwardLevel
from .transforms.levels import alive, begun, ended, stack

__all__ = ["UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"]


class UnpackedDualTensor(NamedTuple):
    """The two halves of a dual tensor.

    Attributes:
        primal: the value.
        tangent: the tangent, or None.
    """

    primal: Any
    tangent: Any


def _current() -> ForwardLevel | None:
    return next((level for level in reversed(stack()) if isinstance(level, ForwardLevel)), None)


def enter_dual_level() -> int:
    """Begin a level; `dual_level` does so for a block.

    Returns:
        0, the number of the only level there can be.

    Errors:
        RuntimeError: there is one already.
    """
    if _current() is not None:
        raise RuntimeError(message("enter_dual_level", "Nested forward mode AD is not supported at the moment",
                                   hint="torch.func.jvp nests"))
    begun(ForwardLevel())
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """End the level; tangents are forgotten.

    Args:
        level: its number, 0.

    Errors:
        RuntimeError: there is none.
    """
    current = _current()
    if current is None or level not in (None, 0):
        raise RuntimeError(message("exit_dual_level", "Trying to exit a forward AD level that does not exist or was "
                                                      "not the last one that was created", {"level": level}))
    ended(current)


class dual_level:
    """Within the block, tensors of `make_dual` carry tangents.

    Also a decorator.

    Example:
        >>> from lamella.core import tensor
        >>> with dual_level():
        ...     x = make_dual(tensor(3.0), tensor(1.0))
        ...     unpack_dual(x * x)
        UnpackedDualTensor(primal=tensor(9.), tangent=tensor(6.))
    """

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *_exc: object) -> None:
        exit_dual_level()

    def __call__(self, func: Any) -> Any:
        from .grad_mode import _decorate

        return _decorate(dual_level, func)


def make_dual(tensor: Any, tangent: Any, *, level: int | None = None) -> Any:
    """A tensor with a tangent: a view of ``tensor`` whose uses compute tangents too.

    Args:
        tensor: the value, of floating point or complex; gradients flow back to it.
        tangent: a tensor of its shape.
        level: the level's number, 0.

    Errors:
        RuntimeError: there is no level, the tensor has a tangent already, or the shapes differ. ValueError: no floating
            point. TypeError: no tensors.

    Example:
        >>> from lamella.core import tensor
        >>> with dual_level():
        ...     make_dual(tensor(3.0), tensor(1.0))
        tensor(3., tangent=tensor(1.))
    """
    current = _level("make_dual", level)
    if current is None:
        raise RuntimeError(message("make_dual", "Trying to create a dual Tensor for forward AD but no level exists, "
                                                "make sure to enter_dual_level() first"))
    for name, t in (("tensor", tensor), ("tangent", tangent)):
        if not isinstance(t, Tensor):
            raise TypeError(message("make_dual", f"argument '{name}' must be Tensor, not {type(t).__name__}"))
    for name, t in (("primal", tensor), ("tangent", tangent)):
        if not (t.is_floating_point() or t.is_complex()):
            raise ValueError(message("make_dual", f"Expected {name} to be floating point or complex, but got: "
                                                  f"{t.dtype}"))
    if current.tangent(tensor) is not None:
        raise RuntimeError(message("make_dual", "Making a dual Tensor based on a Tensor that already has a forward "
                                                "gradient at the same level 0 is not supported"))
    if tensor._a.shape != tangent._a.shape:
        raise RuntimeError(message(
            "make_dual", "Trying to set a forward gradient that has a different size than that of the original Tensor, "
                         "this is not supported", {"tensor": describe(tensor), "tangent": describe(tangent)}))
    if tensor.dtype is not tangent.dtype:
        tangent = tangent.to(tensor.dtype)  # type: ignore[attr-defined]
    return current.make(current.primal(tensor), tangent)


def unpack_dual(tensor: Any, *, level: int | None = None) -> UnpackedDualTensor:
    """The value and the tangent of a tensor.

    Args:
        tensor: any tensor.
        level: the level's number, 0.

    Returns:
        ``(primal, tangent)``; the tangent is None where the tensor has none, or no level is there.

    Errors:
        RuntimeError: another level than 0.
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(message("unpack_dual", f"argument 'tensor' must be Tensor, not {type(tensor).__name__}"))
    current = _level("unpack_dual", level)
    t = alive(tensor)
    if current is None or not current.mine(t):
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(current.dead_value(t), tangent_of(t))


def _level(op: str, level: int | None) -> ForwardLevel | None:
    if level is not None and level < 0:
        return None
    if level not in (None, 0):
        raise RuntimeError(message(op, f"Invalid level given: {level}", hint="the only level is 0"))
    return _current()
