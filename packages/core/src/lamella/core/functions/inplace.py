"""Functions that work in place: torch has ``sin_(x)`` besides ``x.sin_()``."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor

_NAMES = """
    abs_ acos_ acosh_ addmv_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_ asin_ asinh_ atan_ atanh_ ceil_ clamp_
    clamp_max_ clamp_min_ clip_ conj_physical_ cos_ cosh_ deg2rad_ detach_ erf_ erfc_ exp2_ exp_ expm1_ fix_ floor_
    frac_ gcd_ i0_ lcm_ ldexp_ log10_ log1p_ log2_ log_ logit_ nan_to_num_ neg_ negative_ rad2deg_ reciprocal_ round_
    rsqrt_ sigmoid_ sin_ sinc_ sinh_ sqrt_ square_ tan_ tanh_ trunc_ xlogy_
""".split()


def _function(name: str) -> Any:
    def function(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return getattr(input, name)(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"As `{name[:-1]}`, in place: writes the result into ``input`` and returns it.\n\n    Args:\n"
        f"        input: the tensor that changes.\n        *args, **kwargs: as for the method ``Tensor.{name}``.\n"
    )
    return function


FUNCTIONS: dict[str, Any] = {name: _function(name) for name in _NAMES}
METHODS: dict[str, Any] = {}
