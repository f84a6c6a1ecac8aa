"""Rules that compute in a wider type than their operands have, and round once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.core.promotion import float_dtype

from ..builder import Builder
from ..specs import is_number, result_type
from ..table import Keep, rule


def operands(b: Builder, *given: Any, promote: str = "arith") -> tuple[Any, list[Any]]:
    """The type that operands promote to, and the operands in the type to compute in; numbers stay numbers.

    Args:
        b: the builder.
        given: tensors, numbers and None.
        promote: "float" makes the default floating type of integers; "tensors" leaves numbers out of the promotion.
    """
    d = result_type([x for x in given if x is not None and (promote != "tensors" or not is_number(x))])
    if promote == "float":
        d = float_dtype(d)
    return d, [x if is_number(x) else b.wide(b.to(x, d)) for x in given]


def widened(*names: str) -> Callable[[Any], Any]:
    """As `rule`: the body gets its tensors in the type to compute in, and its result is narrowed again.

    Args:
        names: of overloads whose tensors promote to the type of the result; other arguments are parameters.
    """

    def put(body: Any) -> Any:
        def run(b: Builder, *args: Any, **kwargs: Any) -> Any:
            d, given = operands(b, *args, promote="tensors")
            if d.category < 2:
                raise Keep("integers")
            made = body(b, *given, **kwargs)
            return tuple(b.to(r, d) for r in made) if isinstance(made, tuple) else b.to(made, d)

        rule(*names)(run)
        return body

    return put
