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
        promote: "float" makes the default floating type of integers.
    """
    d = result_type([x for x in given if x is not None])
    if promote == "float":
        d = float_dtype(d)
    return d, [x if is_number(x) else b.wide(b.to(x, d)) for x in given]


def widened(*names: str, ints: bool = False) -> Callable[[Any], Any]:
    """As `rule`: the body gets its tensors in the type to compute in, and its result is narrowed again.

    Args:
        names: of overloads whose tensors promote to the type of the result; other arguments are parameters.
        ints: integers are taken too, as they are.
    """

    def put(body: Any) -> Any:
        def run(b: Builder, *args: Any, **kwargs: Any) -> Any:
            d = result_type([x for x in args if not is_number(x)])
            if d.category < 2 and not ints:
                raise Keep("integers")
            made = body(b, *[x if is_number(x) else b.wide(b.to(x, d)) for x in args], **kwargs)
            return tuple(b.to(r, d) for r in made) if isinstance(made, tuple) else b.to(made, d)

        rule(*names)(run)
        return body

    return put
