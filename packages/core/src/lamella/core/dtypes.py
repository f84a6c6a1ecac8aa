"""Element types: torch's dtypes over NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message


class dtype:
    """An element type.

    Attributes:
        name: ``float32`` and so on.
        itemsize: bytes of one element.
        is_floating_point, is_complex, is_signed: what kind of number it is.

    Example:
        >>> float32.itemsize, float32.is_floating_point
        (4, True)
    """

    __slots__ = ("name", "itemsize", "is_floating_point", "is_complex", "is_signed", "category", "_np", "_source",
                 "short")

    def __init__(self, name: str, itemsize: Any, category: Any, signed: Any, short: str, source: str) -> None:
        self.name = name
        self.itemsize = itemsize
        self.category = category  # 0 bool, 1 integer, 2 floating, 3 complex: promotion's order
        self.is_floating_point = category == 2
        self.is_complex = category == 3
        self.is_signed = signed
        self.short = short
        self._source = source
        self._np: np.dtype | None = None

    @property
    def np(self) -> np.dtype:
        """The NumPy dtype (bfloat16 and the types of 8 bits are ml_dtypes')."""
        if self._np is None:
            if self._source == "ml_dtypes":
                import ml_dtypes

                self._np = np.dtype(getattr(ml_dtypes, self.name))
                _FROM_NP[self._np] = self
            else:
                self._np = np.dtype(self._source)
        return self._np

    def to_real(self) -> dtype:
        """The real type of the same precision."""
        return _REAL.get(self, self)

    def to_complex(self) -> dtype:
        """The complex type of the same precision."""
        if self.category == 3:
            return self
        return complex128 if self is float64 else complex64

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name


bool_ = dtype("bool", 1, 0, False, "b8", "bool")
uint8 = dtype("uint8", 1, 1, False, "u8", "uint8")
uint16 = dtype("uint16", 2, 1, False, "u16", "uint16")
uint32 = dtype("uint32", 4, 1, False, "u32", "uint32")
uint64 = dtype("uint64", 8, 1, False, "u64", "uint64")
int8 = dtype("int8", 1, 1, True, "i8", "int8")
int16 = dtype("int16", 2, 1, True, "i16", "int16")
int32 = dtype("int32", 4, 1, True, "i32", "int32")
int64 = dtype("int64", 8, 1, True, "i64", "int64")
float16 = dtype("float16", 2, 2, True, "f16", "float16")
bfloat16 = dtype("bfloat16", 2, 2, True, "bf16", "ml_dtypes")
float32 = dtype("float32", 4, 2, True, "f32", "float32")
float64 = dtype("float64", 8, 2, True, "f64", "float64")
complex64 = dtype("complex64", 8, 3, True, "c64", "complex64")
complex128 = dtype("complex128", 16, 3, True, "c128", "complex128")
#: Types that are kept, copied and converted; arithmetic is done in another type.
FLOAT8 = tuple(
    dtype(name, 1, 2, True, f"f8{name[7:].replace('_', '')}", "ml_dtypes")
    for name in ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu")
)
float8_e4m3fn, float8_e5m2, float8_e4m3fnuz, float8_e5m2fnuz, float8_e8m0fnu = FLOAT8
globals()["bool"] = bool_  # so that `dtype.__reduce__` and `from dtype import bool` find torch's name
half, float, double, short, int, long = float16, float32, float64, int16, int32, int64
cfloat, cdouble = complex64, complex128

ALL = (bool_, uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, bfloat16, float32, float64, complex64,
       complex128)
BY_NAME = {d.name: d for d in (*ALL, *FLOAT8)}
ALIASES = {"half": float16, "float": float32, "double": float64, "short": int16, "int": int32, "long": int64,
           "cfloat": complex64, "cdouble": complex128}
_REAL = {complex64: float32, complex128: float64}
_FROM_NP: dict[np.dtype, dtype] = {d.np: d for d in ALL if d is not bfloat16}
_default = float32


def from_numpy_dtype(d: Any) -> dtype:
    """The dtype of a NumPy dtype; TypeError for one that tensors cannot hold."""
    found = _FROM_NP.get(d)
    if found is None:
        d = np.dtype(d)
        found = _FROM_NP.get(d) or _FROM_NP.get(d.newbyteorder("="))
        if found is None and d.name in BY_NAME and d.kind != "O":
            BY_NAME[d.name].np  # noqa: B018 - fills the table
            found = _FROM_NP.get(d)
        if found is None:
            raise TypeError(message("dtype", f"tensors cannot hold NumPy's {d}",
                                    hint="the supported types are " + ", ".join(x.name for x in ALL)))
    return found


def get_default_dtype() -> dtype:
    """The floating type that Python floats become."""
    return _default


def set_default_dtype(d: dtype) -> None:
    """Choose the floating type that Python floats become.

    Args:
        d: a floating dtype.

    Raises:
        TypeError: if ``d`` is not a floating dtype.
    """
    global _default
    if not isinstance(d, dtype) or not d.is_floating_point:
        raise TypeError(message("set_default_dtype", f"only floating-point types are supported (got {d!r})"))
    _default = d


def get_default_complex() -> dtype:
    """The complex type that Python complex numbers become."""
    return complex128 if _default is float64 else complex64


def as_dtype(op: str, d: Any) -> dtype:
    """Accept a dtype, a Python type (``bool``, ``int``, ``float``, ``complex``) or a NumPy dtype."""
    if isinstance(d, dtype):
        return d
    import builtins

    if d is builtins.bool:
        return bool_
    if d is builtins.int:
        return int64
    if d is builtins.float:
        return float64
    if d is builtins.complex:
        return complex128
    raise TypeError(message(op, f"dtype must be a torch.dtype, not {type(d).__name__}"))


class finfo:
    """Limits of a floating type: bits, eps, max, min, tiny, smallest_normal, resolution.

    Example:
        >>> finfo(float32).bits
        32
    """

    def __init__(self, type: dtype | None = None) -> None:  # noqa: A002 - torch's name
        d = _default if type is None else type
        if not isinstance(d, dtype) or d.category < 2:
            raise TypeError(message("finfo", f"it needs a floating-point type (got {d!r}); use iinfo for integers"))
        d = d.to_real()
        if d is bfloat16 or d in FLOAT8:
            import ml_dtypes

            info: Any = ml_dtypes.finfo(d.np)
        else:
            info = np.finfo(d.np)
        as_float = np.float64
        self.bits = d.itemsize * 8
        self.dtype = d.name
        self.eps, self.max, self.min = (as_float(x).item() for x in (info.eps, info.max, info.min))
        self.tiny = self.smallest_normal = as_float(info.smallest_normal).item()
        self.resolution = 1.0 if d in FLOAT8 else as_float(info.resolution).item()

    def __repr__(self) -> str:
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
                f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})")


class iinfo:
    """Limits of an integer type: bits, min, max.

    Example:
        >>> iinfo(int8).max
        127
    """

    def __init__(self, type: dtype) -> None:  # noqa: A002 - torch's name
        if not isinstance(type, dtype) or type.category != 1:
            raise TypeError(message("iinfo", f"it needs an integer type (got {type!r}); use finfo for floats"))
        info = np.iinfo(type.np)
        self.bits, self.min, self.max, self.dtype = info.bits, int_of(info.min), int_of(info.max), type.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


def int_of(x: Any) -> Any:
    """A Python int (this module's ``int`` is a dtype)."""
    return x.__index__()
