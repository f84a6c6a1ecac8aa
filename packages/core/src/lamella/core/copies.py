"""Copies of large arrays, into another order or another type of elements.

NumPy converts between float16 and float32 one element at a time, and copies a transposed array with a miss of the cache
for every element. Here both work on blocks that the cache holds, the conversions on the bits of a whole block at once,
and large arrays on several threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .parallel import MANY, PIECE, spread

_F16, _F32 = np.dtype(np.float16), np.dtype(np.float32)
#: Below this many elements NumPy's own way is as quick.
_FEW = 2048
#: What takes an exponent of float16 to that of the same float32.
_REBIAS = np.float32(2.0**112)
_I32 = np.int32
#: The top bit, and the 15 bits that exponent and mantissa of a float16 take in a float32.
_SIGN_AND_REST = np.array([0x8FFFE000], np.uint32).view(_I32)[0]


def copied(a: Any, d: Any) -> Any:
    """A C-contiguous copy of an array as elements of another type.

    Args:
        a: an array.
        d: the type.

    Example:
        >>> copied(np.ones((2, 3), np.float32).T, np.dtype(np.float16)).shape
        (3, 2)
    """
    if a.size < _FEW:
        return a.astype(d, "C")
    if not a.flags.c_contiguous:
        return _reordered(a, d)
    out = np.empty(a.shape, d)
    convert = _conversion(a.dtype, d)
    if convert is _assign and (a.size < MANY or a.dtype.kind == "O"):
        _assign(a, out)
        return out
    flat, target = a.reshape(-1), out.reshape(-1)
    spread(lambda start, stop: convert(flat[start:stop], target[start:stop]), a.size)
    return out


def in_float32(fn: Any, arrays: list[Any], d: Any, params: tuple[Any, ...] = ()) -> Any:
    """An elementwise function of 16-bit numbers, computed in float32 block by block.

    Args:
        fn: takes float32 arrays and returns an array.
        arrays: what it is called with: arrays of the type and 0-d numbers.
        d: the 16-bit type of the arrays and of the result.
        params: what the function takes after the arrays.

    Returns:
        The result; None where the arrays are small, differ in shape or are not contiguous, or where the function
        returns anything but float32.

    Example:
        >>> in_float32(np.exp, [np.zeros(4096, np.float16)], np.dtype(np.float16))[:3]
        array([1., 1., 1.], dtype=float16)
    """
    whole = arrays[0]
    for a in arrays:
        if a.__class__ is not np.ndarray or a.ndim and (
            a.size < _FEW or a.dtype is not d or a.shape != whole.shape or not a.flags.c_contiguous
        ):
            return None
    if not whole.ndim:
        return None
    out = np.empty(whole.shape, d)
    up, down = _conversion(d, _F32), _conversion(_F32, d)
    flat, target = [a.reshape(-1) if a.ndim else a.astype(_F32) for a in arrays], out.reshape(-1)
    scratch = [np.empty(PIECE, _F32) if a.ndim else None for a in arrays]
    for start in range(0, out.size, PIECE):
        to = target[start : start + PIECE]
        args = []
        for a, room in zip(flat, scratch, strict=True):
            if room is None:
                args.append(a)
            else:
                args.append(room[: to.size])
                up(a[start : start + PIECE], args[-1])
        r = fn(*args, *params)
        if r.dtype is not _F32 or r.shape != to.shape:
            return None
        down(r, to)
    return out


def _conversion(have: Any, want: Any) -> Any:
    """What writes a block of one type into a block of another."""
    if have == _F32 and want == _F16:
        return _to_half
    return _from_half if have == _F16 and want == _F32 else _assign


def _assign(a: Any, out: Any) -> None:
    np.copyto(out, a, casting="unsafe")


def _from_half(a: Any, out: Any) -> None:
    """float16 to float32: exponent and mantissa move up 13 bits, and the sign to the top; then the exponent is right
    but for its bias, also of subnormal numbers, which the multiplication makes normal."""
    i = out.view(_I32)
    np.copyto(i, a.view(np.int16))
    i <<= _I32(13)
    i &= _SIGN_AND_REST
    out *= _REBIAS
    if out.max() >= 65536 or out.min() <= -65536:  # infinities and nan have an exponent of their own
        out[...] = a


def _to_half(a: Any, out: Any) -> None:
    """float32 to float16, ties to even: 13 bits go, after an addition that carries where they were above half.

    Large numbers saturate at infinity. Results below the normal numbers and nan are left to NumPy.
    """
    bits = a.view(_I32)
    size = bits & _I32(0x7FFFFFFF)
    odd = bits >> _I32(13)
    odd &= _I32(1)
    low, high = size < _I32(0x38800000), size.max()
    odd += _I32(0xFFF - (112 << 23))
    size += odd
    size >>= _I32(13)
    if high >= 0x47800000:
        np.minimum(size, np.full(size.shape, 0x7C00, _I32), out=size)  # two arrays are three times as quick as one
    half, sign = out.view(np.uint16), np.empty(out.shape, np.uint16)
    np.copyto(half, size, casting="unsafe")
    np.right_shift(bits, _I32(16), odd)
    np.copyto(sign, odd, casting="unsafe")
    sign &= np.uint16(0x8000)
    half |= sign
    if high > 0x7F800000:
        out[...] = a
    elif low.any():
        odd_ones = np.flatnonzero(low)
        out[odd_ones] = a[odd_ones]


def _reordered(a: Any, d: Any) -> Any:
    """The copy of an array whose elements lie in another order."""
    last = a.ndim - 1
    fast = min(range(a.ndim), key=lambda k: (a.shape[k] == 1, abs(a.strides[k])))
    if fast == last or a.shape[fast] < 64 or a.shape[last] < 32 or a.size < 1 << 16:
        return a.astype(d, "C")
    out = np.empty(a.shape, d)
    # Strides of a large power of two let few lines stay in the cache: then a block has as many rows as fill one line.
    width = 16 if a.strides[last] % 1024 == 0 else 256
    n, m = a.shape[fast], a.shape[last]
    whole = (slice(None),) * a.ndim

    def block(start: int, stop: int) -> None:
        key = list(whole)
        key[last] = slice(start, stop)
        for at in range(0, n, 256):
            key[fast] = slice(at, at + 256)
            part = tuple(key)
            np.copyto(out[part], a[part], casting="unsafe")

    spread(block, m, width, 0 if a.size >= MANY else m + 1)
    return out
