"""Moving a module's tensors to another device or dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella import core
from lamella.autograd import no_grad
from lamella.core import Tensor


def parse_to(args: tuple, kwargs: dict) -> tuple[Any, Any, bool, Any]:
    """Reads the arguments of `to`: (device, dtype, non_blocking, memory_format)."""
    given = dict(kwargs)
    rest = list(args)
    device = dtype = None
    if rest and isinstance(rest[0], Tensor) or "tensor" in given or "other" in given:
        like = rest.pop(0) if rest else given.pop("tensor", None) or given.pop("other")
        device, dtype = like.device, like.dtype
    else:
        if rest and not isinstance(rest[0], core.dtype):
            device = rest.pop(0)
            if isinstance(device, bool) or device is not None and not isinstance(device, (str, int, core.device)):
                raise TypeError(f"to: expected a device, a dtype or a tensor (got {type(device).__name__})")
        if rest and (rest[0] is None or isinstance(rest[0], core.dtype)):
            dtype = rest.pop(0)
        device = given.pop("device", device)
        dtype = given.pop("dtype", dtype)
    non_blocking = given.pop("non_blocking", rest.pop(0) if rest else False)
    given.pop("copy", rest.pop(0) if rest else False)
    memory_format = given.pop("memory_format", None)
    if given or rest:
        raise TypeError(f"to: unexpected argument ({next(iter(given), None) or rest[0]!r})")
    if device is not None and not isinstance(device, core.device):
        device = core.device(device)
    return device, dtype, bool(non_blocking), memory_format


class ConvertMixin:
    """`to` and its relatives. Parameters keep their identity: their data is exchanged."""

    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    children: Callable

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Any:
        """Puts `fn(t)` in the place of every parameter's data, gradient and every buffer; returns the module."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        for param in self._parameters.values():
            if param is None:
                continue
            with no_grad():
                new = fn(param)
            param.data = new
            grad = param.grad
            if grad is not None:
                with no_grad():
                    new_grad = fn(grad)
                grad.data = new_grad
        for name, buf in self._buffers.items():
            if buf is not None:
                self._buffers[name] = fn(buf)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Moves parameters and buffers, in place, to another device, dtype or memory format.

        Call forms: `to(device=None, dtype=None, non_blocking=False)`, `to(dtype)`, `to(tensor)`,
        `to(memory_format=...)`. A dtype applies to floating-point and complex tensors only.

        Returns:
            The module itself.

        Raises:
            TypeError: the dtype is neither floating-point nor complex.

        Example:
            >>> from lamella import core, nn
            >>> nn.Linear(2, 2).to(core.float64).weight.dtype
            torch.float64
        """
        device, dtype, non_blocking, memory_format = parse_to(args, kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
            )

        def convert(t: Tensor) -> Tensor:
            wanted = dtype if t.is_floating_point() or t.is_complex() else None
            extra = {}
            if memory_format is not None and t.dim() in (4, 5):
                extra["memory_format"] = memory_format
            if wanted is None and device is None and not extra:
                return t
            return t.to(device=device or t.device, dtype=wanted or t.dtype, non_blocking=non_blocking, **extra)

        return self._apply(convert)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Any:
        """Moves parameters and buffers to `device` without copying their values; returns the module."""
        return self._apply(lambda t: core.empty_like(t, device=device), recurse=recurse)

    def cuda(self, device: Any = None) -> Any:
        """Moves parameters and buffers to the GPU; returns the module."""
        where = core.device("cuda") if device is None else device
        if isinstance(where, int):
            where = core.device("cuda", where)
        return self._apply(lambda t: t.to(where))

    def cpu(self) -> Any:
        """Moves parameters and buffers to the CPU; returns the module."""
        return self._apply(lambda t: t.cpu())

    def type(self, dst_type: Any) -> Any:
        """Casts all parameters and buffers to `dst_type`; returns the module."""
        return self._apply(lambda t: t.type(dst_type))

    def _floats(self, dtype: Any) -> Any:
        return self._apply(lambda t: t.to(dtype) if t.is_floating_point() else t)

    def float(self) -> Any:
        """Casts floating-point parameters and buffers to float32; returns the module."""
        return self._floats(core.float32)

    def double(self) -> Any:
        """Casts floating-point parameters and buffers to float64; returns the module."""
        return self._floats(core.float64)

    def half(self) -> Any:
        """Casts floating-point parameters and buffers to float16; returns the module."""
        return self._floats(core.float16)

    def bfloat16(self) -> Any:
        """Casts floating-point parameters and buffers to bfloat16; returns the module."""
        return self._floats(core.bfloat16)

    def share_memory(self) -> Any:
        """Returns the module itself: threads share memory already."""
        return self
