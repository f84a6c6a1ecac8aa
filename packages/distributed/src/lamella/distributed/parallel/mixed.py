"""Mixed precision: parameters are of a smaller type in forward and backward, and of their own for the optimizer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lamella.autograd import no_grad

from .containers import map_tensors


@dataclass
class _MixedPrecision:
    """Element types of data-parallel training in mixed precision.

    Attributes:
        param_dtype: of parameters, inputs and so of the computation; None leaves them.
        reduce_dtype: of gradients that travel; `param_dtype`, or their own, where None.
        buffer_dtype: of buffers; None leaves them.

    Example:
        >>> from lamella.core import bfloat16
        >>> _MixedPrecision(param_dtype=bfloat16).reduce_dtype is None
        True
    """

    param_dtype: Any = None
    reduce_dtype: Any = None
    buffer_dtype: Any = None


class Casts:
    """Changes parameters' types for forward and backward, and back.

    Args:
        config: the element types.
        module: whose parameters and buffers.
        ignored: names of those that stay as they are.
    """

    def __init__(self, config: _MixedPrecision, module: Any, ignored: set[str]) -> None:
        self.config = config
        self.params = [p for n, p in module.named_parameters() if n not in ignored and p.is_floating_point()]
        self.full: list[Any] | None = None
        if config.buffer_dtype is not None:
            for name, buffer in module.named_buffers():
                if name not in ignored and buffer.is_floating_point():
                    buffer.data = buffer.to(config.buffer_dtype)

    @property
    def wire(self) -> Any:
        """The element type that travels; None for the parameters' own."""
        return self.config.reduce_dtype or self.config.param_dtype

    def lower(self) -> None:
        """Before forward: parameters become of the smaller type."""
        if self.config.param_dtype is None or self.full is not None:
            return
        self.full = [p.data for p in self.params]
        with no_grad():
            for p in self.params:
                p.data = p.data.to(self.config.param_dtype)

    def inputs(self, args: Any, kwargs: Any) -> tuple[Any, Any]:
        """Forward's arguments in the smaller type."""
        dtype = self.config.param_dtype
        if dtype is None:
            return args, kwargs
        return map_tensors(lambda t: t.to(dtype) if t.is_floating_point() else t, (args, kwargs))

    def restore_later(self) -> None:
        """Backward has come to a parameter: restore when it is over, also where nothing is synchronised."""
        if self.full is not None:
            from .tasks import when_over

            when_over(self, self.restore)

    def restore(self) -> None:
        """Parameters and gradients become what they are for the optimizer."""
        full, self.full = self.full, None
        if full is None:
            return
        for p, data in zip(self.params, full, strict=True):
            p.data = data
            if p._grad is not None and p._grad.dtype is not p.dtype:
                p._grad = p._grad.to(p.dtype)
