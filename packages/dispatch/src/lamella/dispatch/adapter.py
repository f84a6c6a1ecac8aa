"""The little that dispatch must know about tensors, which it cannot import.

Core installs a subclass of `TensorAdapter` once (``adapter.install(CoreAdapter())``). Until then the default one
applies: a tensor is whatever has a key set ``_ks``, and everything that needs more says which package is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .errors import LamellaError, message


class TensorAdapter:
    """Questions about tensors. Override what the package that owns the tensor type can answer.

    ``checks`` maps a schema's base type (``ScalarType``, ``Device``, ...) to a predicate; a type without one takes
    everything that is no tensor.
    """

    checks: dict[str, Callable[[Any], bool]] = {}

    def is_tensor(self, value: Any) -> bool:
        """Whether ``value`` is a tensor."""
        return hasattr(value, "_ks")

    def keyset(self, tensor: Any) -> int:
        """The tensor's key set."""
        return tensor._ks

    def describe(self, value: Any) -> str:
        """Short form of an operand for error messages, such as ``f32[2,3] cpu``."""
        return type(value).__name__ if self.is_tensor(value) else repr(value)

    def constant(self, base: str, name: str) -> Any:
        """The value of a schema's named default, for example ``("MemoryFormat", "contiguous_format")``."""
        return name

    def annotations(self) -> dict[Any, str]:
        """Python types that stand for schema types in annotations, ``{Tensor: "Tensor", dtype: "ScalarType"}``."""
        return {}

    def shape(self, tensor: Any) -> tuple[int, ...]:
        """Sizes."""
        return tuple(tensor.shape)

    def stride(self, tensor: Any) -> tuple[int, ...]:
        """Strides in elements."""
        return self._missing("strides")

    def dtype(self, tensor: Any) -> Any:
        """Element type; compared with ``==`` and printed."""
        return tensor.dtype

    def device(self, tensor: Any) -> Any:
        """Device; compared with ``==`` and printed."""
        return tensor.device

    def memory(self, tensor: Any) -> Any:
        """A key that two tensors share exactly when they lie in the same memory; None for tensors without memory."""
        return self._missing("memory addresses")

    def snapshot(self, tensor: Any) -> Any:
        """A copy of the contents, to be given to `same_contents` later."""
        return self._missing("copies of contents")

    def same_contents(self, tensor: Any, snapshot: Any) -> bool:
        """Whether the contents equal the snapshot bit for bit."""
        return self._missing("comparison of contents")

    def clone(self, tensor: Any) -> Any:
        """A tensor of the same contents, strides and ``requires_grad`` in memory of its own, without history."""
        return self._missing("clone")

    def to_meta(self, tensor: Any) -> Any:
        """The tensor's shape, strides and dtype on the Meta backend."""
        return self._missing("meta tensors")

    def requires_grad(self, tensor: Any) -> bool:
        """Whether the tensor takes part in a graph."""
        return bool(getattr(tensor, "requires_grad", False))

    def can_require_grad(self, tensor: Any) -> bool:
        """Whether the tensor's dtype is differentiable."""
        return self._missing("dtypes")

    def with_requires_grad(self, tensor: Any, flag: bool) -> Any:
        """A clone whose ``requires_grad`` is ``flag``."""
        return self._missing("requires_grad")

    def backward(self, outputs: list[Any]) -> None:
        """Run backward from the sum of all outputs that require grad."""
        self._missing("backward", "lamella-autograd")

    def grad(self, tensor: Any) -> Any:
        """The gradient a leaf has received, or None."""
        return getattr(tensor, "grad", None)

    def close(self, left: Any, right: Any, atol: float | None = None, rtol: float | None = None) -> bool:
        """Whether two tensors are equal to rounding (None: the dtype's usual tolerance)."""
        return self._missing("comparison")

    def _missing(self, what: str, package: str = "lamella-core") -> Any:
        hint = f"pip install {package} and import it"
        raise LamellaError(message("adapter", f"{what} of tensors come with {package}, which is not loaded", hint=hint))


current: TensorAdapter = TensorAdapter()


def install(adapter: TensorAdapter) -> TensorAdapter:
    """Make ``adapter`` the one in use and return the previous one."""
    global current
    previous, current = current, adapter
    return previous


def tensors_in(values: Any) -> list[Any]:
    """Return the tensors among ``values``, looking into lists, tuples and dicts.

    Example:
        >>> tensors_in([1, "a", None])
        []
    """
    found: list[Any] = []
    pending = [values]
    is_tensor = current.is_tensor
    while pending:
        value = pending.pop()
        if isinstance(value, (list, tuple)):
            pending.extend(reversed(value))
        elif isinstance(value, dict):
            pending.extend(reversed(list(value.values())))
        elif is_tensor(value):
            found.append(value)
    return found
