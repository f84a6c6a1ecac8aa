"""torch.fft: discrete Fourier transforms."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .. import dtypes as dt
from .._gen import fft as _gen
from ..checks import wrap_dim
from ..runtime import write_out
from ..tensor import Tensor

_SCALES = {None: 0, "backward": 0, "ortho": 1, "forward": 2}


def _scale(op: str, norm: str | None, forward: bool) -> int:
    """torch's number for how much to scale: none, by the root of the number of points, by it."""
    if norm not in _SCALES:
        raise RuntimeError(
            message(op, f"invalid normalization mode: {norm!r}", hint="valid: 'forward', 'backward', 'ortho'")
        )
    n = _SCALES[norm]
    return n if forward else 2 - n


def _put(op: str, r: Any, out: Any) -> Any:
    return r if out is None else write_out(op, out, r)


def _floating(op: str, x: Any, complex_: bool) -> Any:
    """Integers become the default floating type; real numbers complex ones where a transform needs them."""
    if not isinstance(x, Tensor):
        raise TypeError(message(op, f"argument 'input' must be Tensor, not {type(x).__name__}"))
    d = x.dtype
    if d.category < 2:
        d = dt.get_default_dtype()
    if d.itemsize == 2:
        raise RuntimeError(message(op, f"unsupported dtype {d.name}"))
    if complex_:
        d = d.to_complex()
    return x if d is x.dtype else x.to(d)  # type: ignore[attr-defined]


def _real_only(op: str, x: Tensor) -> Any:
    if isinstance(x, Tensor) and x.is_complex():
        raise RuntimeError(message(op, f"it expects a real input tensor, but got {x.dtype.name}"))
    return _floating(op, x, False)


def resized(op: str, x: Any, dim: int, n: int) -> Any:
    """``x`` cut off or filled up with zeros to ``n`` along a dimension."""
    from . import FUNCTIONS as everything

    if n < 1:
        raise RuntimeError(message(op, f"invalid number of data points ({n}) specified"))
    have = x.shape[dim]
    if n < have:
        return x.narrow(dim, 0, n)
    if n == have:
        return x
    size = list(x.shape)
    size[dim] = n - have
    return everything["cat"]([x, x.new_zeros(size)], dim)


def _one(op: str, x: Any, n: int | None, dim: int) -> tuple[Any, int]:
    d = wrap_dim(op, dim, x.ndim)
    if x.ndim == 0:
        raise IndexError(message(op, f"dimension specified as {dim} but tensor has no dimensions"))
    return (resized(op, x, d, x.shape[d] if n is None else n), d)


def _along(name: str, kind: str, forward: bool, what: str) -> Any:
    """A transform along one dimension. kind: c (complex), r (real to half), i (half to real)."""
    op = f"fft.{name}"

    def transform(
        input: Tensor,  # noqa: A002
        n: int | None = None,
        dim: int = -1,
        norm: str | None = None,
        *,
        out: Any = None,
    ) -> Tensor:
        scale = _scale(op, norm, forward)
        if kind == "r":
            x, d = _one(op, _real_only(op, input), n, dim)
            r = _gen.op__fft_r2c(x, [d], scale, True)
            return _put(op, r if forward else r.conj(), out)
        x = _floating(op, input, True)
        if kind == "c":
            x, d = _one(op, x, n, dim)
            return _put(op, _gen.op__fft_c2c(x, [d], scale, forward), out)
        d = wrap_dim(op, dim, x.ndim)
        n = 2 * (x.shape[d] - 1) if n is None else n
        if n < 1:
            raise RuntimeError(message(op, f"invalid number of data points ({n}) specified"))
        x = resized(op, x.conj() if forward else x, d, n // 2 + 1)
        return _put(op, _gen.op__fft_c2r(x, [d], scale, n), out)

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"""{what}

    Args:
        input: a tensor.
        n: how many points to take; fewer cut the input off, more fill it up with zeros.
        dim: along which dimension.
        norm: ``"backward"`` (scale the inverse by 1/n, the default), ``"forward"``, ``"ortho"`` (both by 1/sqrt(n)).
        out: where the result goes.

    Raises:
        RuntimeError: for no points, or another norm.
    """
    return transform


fft = _along("fft", "c", True, "The discrete Fourier transform along a dimension.")
ifft = _along("ifft", "c", False, "The inverse of `fft`.")
rfft = _along("rfft", "r", True, "The first half of the Fourier transform of real numbers; the other half mirrors it.")
irfft = _along("irfft", "i", False, "The inverse of `rfft`; ``n`` says whether the number of points was odd.")
hfft = _along("hfft", "i", True, "The Fourier transform, which is real, of a signal of which half is given.")
ihfft = _along("ihfft", "r", False, "The inverse of `hfft`.")


def _dims(op: str, x: Any, s: Any, dim: Any) -> tuple[list[int | None], list[int]]:
    """Sizes (None: as they are) and dimensions of a transform over several."""
    s = (s,) if isinstance(s, int) else s
    dim = (dim,) if isinstance(dim, int) else dim
    if dim is not None:
        dims = [wrap_dim(op, d, x.ndim) for d in dim]
        if len(set(dims)) != len(dims):
            raise RuntimeError(message(op, "FFT dims must be unique", {"dim": list(dim)}))
        if s is not None and len(s) != len(dims):
            raise RuntimeError(
                message(
                    op,
                    "when given, dim and shape arguments must have the same length",
                    {"dim": list(dim), "s": list(s)},
                )
            )
    elif s is not None:
        if len(s) > x.ndim:
            raise RuntimeError(
                message(op, f"got shape with {len(s)} values but input tensor only has {x.ndim} dimensions")
            )
        dims = list(range(x.ndim - len(s), x.ndim))
    else:
        dims = list(range(x.ndim))
    sizes: list[int | None] = [None] * len(dims) if s is None else [None if n == -1 else n for n in s]
    return sizes, dims


def _over(name: str, kind: str, forward: bool, default: Any, what: str) -> Any:
    """A transform over several dimensions; only the last one is halved."""
    op = f"fft.{name}"

    def transform(
        input: Tensor,  # noqa: A002
        s: Any = None,
        dim: Any = default,
        norm: str | None = None,
        *,
        out: Any = None,
    ) -> Tensor:
        scale = _scale(op, norm, forward)
        x = _real_only(op, input) if kind == "r" else _floating(op, input, True)
        sizes, dims = _dims(op, x, s, dim)
        if not dims and kind != "c":
            raise RuntimeError(message(op, "it must transform at least one axis"))
        if kind == "i":
            return _put(op, _to_real(op, x, sizes, dims, scale, forward), out)
        for d, n in zip(dims, sizes, strict=True):
            x = resized(op, x, d, x.shape[d] if n is None else n)
        if kind == "c":
            return _put(op, _gen.op__fft_c2c(x, dims, scale, forward), out)
        if forward:
            return _put(op, _gen.op__fft_r2c(x, dims, scale, True), out)
        r = _gen.op__fft_r2c(x, dims[-1:], scale, True).conj()
        return _put(op, _gen.op__fft_c2c(r, dims[:-1], scale, False) if dims[:-1] else r, out)

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"""{what}

    Args:
        input: a tensor.
        s: how many points to take along each dimension; -1 or None for all.
        dim: which dimensions.
        norm: ``"backward"`` (scale the inverse, the default), ``"forward"`` or ``"ortho"``.
        out: where the result goes.

    Raises:
        RuntimeError: for repeated dimensions, sizes that do not match them, no points, or another norm.
    """
    return transform


def _to_real(op: str, x: Any, sizes: list[int | None], dims: list[int], scale: int, forward: bool) -> Any:
    last = 2 * (x.shape[dims[-1]] - 1) if sizes[-1] is None else sizes[-1]
    if last < 1:
        raise RuntimeError(message(op, f"invalid number of data points ({last}) specified"))
    for d, n in zip(dims[:-1], sizes[:-1], strict=True):
        x = resized(op, x, d, x.shape[d] if n is None else n)
    x = resized(op, x, dims[-1], last // 2 + 1)
    if not forward:
        return _gen.op__fft_c2r(x, dims, scale, last)
    if dims[:-1]:
        x = _gen.op__fft_c2c(x, dims[:-1], scale, True)
    return _gen.op__fft_c2r(x.conj(), dims[-1:], scale, last)


_TWO = (-2, -1)
fftn = _over("fftn", "c", True, None, "The discrete Fourier transform over several dimensions (all by default).")
ifftn = _over("ifftn", "c", False, None, "The inverse of `fftn`.")
rfftn = _over("rfftn", "r", True, None, "As `fftn`, of real numbers; only half of the last dimension is kept.")
irfftn = _over("irfftn", "i", False, None, "The inverse of `rfftn`.")
hfftn = _over("hfftn", "i", True, None, "As `fftn`, of a signal of which half is given along the last dimension.")
ihfftn = _over("ihfftn", "r", False, None, "The inverse of `hfftn`.")
fft2 = _over("fft2", "c", True, _TWO, "As `fftn`, over the last two dimensions.")
ifft2 = _over("ifft2", "c", False, _TWO, "The inverse of `fft2`.")
rfft2 = _over("rfft2", "r", True, _TWO, "As `rfftn`, over the last two dimensions.")
irfft2 = _over("irfft2", "i", False, _TWO, "The inverse of `rfft2`.")
hfft2 = _over("hfft2", "i", True, _TWO, "As `hfftn`, over the last two dimensions.")
ihfft2 = _over("ihfft2", "r", False, _TWO, "The inverse of `hfft2`.")


def _shift(op: str, x: Any, dim: Any, back: bool) -> Any:
    dims = range(x.ndim) if dim is None else (dim,) if isinstance(dim, int) else dim
    dims = [wrap_dim(op, d, x.ndim) for d in dims]
    by = [(x.shape[d] + 1) // 2 if back else x.shape[d] // 2 for d in dims]
    return x.roll(by, dims) if dims else x


def fftshift(input: Tensor, dim: Any = None) -> Tensor:  # noqa: A002
    """Move the zero frequency to the middle, along all dimensions or those given."""
    return _shift("fft.fftshift", input, dim, False)


def ifftshift(input: Tensor, dim: Any = None) -> Tensor:  # noqa: A002
    """The inverse of `fftshift`."""
    return _shift("fft.ifftshift", input, dim, True)


def fftfreq(n: int, d: float = 1.0, *, out: Any = None, **options: Any) -> Tensor:
    """The frequencies that belong to the results of `fft`, in cycles per unit of the spacing ``d``.

    Example:
        >>> from lamella import core
        >>> core.fft_fftfreq(4)
        tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    """
    from .creation import arange

    x: Any = arange(n, **{"dtype": dt.get_default_dtype(), **options})
    x = x - (x >= (n + 1) // 2).to(x.dtype) * n
    return _put("fft.fftfreq", x * (1.0 / (n * d)), out)


def rfftfreq(n: int, d: float = 1.0, *, out: Any = None, **options: Any) -> Tensor:
    """The frequencies that belong to the results of `rfft`.

    Example:
        >>> from lamella import core
        >>> core.fft_rfftfreq(4)
        tensor([0.0000, 0.2500, 0.5000])
    """
    from .creation import arange

    x: Any = arange(n // 2 + 1, **{"dtype": dt.get_default_dtype(), **options})
    return _put("fft.rfftfreq", x * (1.0 / (n * d)), out)


FUNCTIONS: dict[str, Any] = {
    f"fft_{f.__name__}": f
    for f in (
        fft,
        ifft,
        rfft,
        irfft,
        hfft,
        ihfft,
        fftn,
        ifftn,
        rfftn,
        irfftn,
        hfftn,
        ihfftn,
        fft2,
        ifft2,
        rfft2,
        irfft2,
        hfft2,
        ihfft2,
        fftshift,
        ifftshift,
        fftfreq,
        rfftfreq,
    )
}
METHODS: dict[str, Any] = {}
