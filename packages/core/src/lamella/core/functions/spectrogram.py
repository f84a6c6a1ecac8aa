"""Short-time Fourier transforms: torch.stft and torch.istft."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .._gen import fft as _gen, shape as _shape
from ..tensor import Tensor
from .creation import arange, ones
from .joining import cat


def _padded(x: Any, by: int, mode: str) -> Any:
    """The last dimension extended on both sides."""
    n = x.shape[-1]
    if mode == "constant":
        zeros = x.new_zeros((*x.shape[:-1], by))
        return cat([zeros, x, zeros], -1)
    place: Any = arange(-by, n + by, device=x.device)
    if mode == "reflect":
        if by >= n:
            raise RuntimeError(
                message(
                    "stft",
                    "the padding must be less than the input's length to reflect it",
                    {"padding": by, "length": n},
                )
            )
        place = (n - 1) - (place.abs() - (n - 1)).abs()
    elif mode == "replicate":
        place = place.clamp(0, n - 1)
    elif mode == "circular":
        place = place % n
    else:
        raise NotImplementedError(message("stft", f"unrecognised padding mode {mode!r}"))
    return x.index_select(-1, place)


def _sizes(op: str, n_fft: int, hop: int | None, win: int | None) -> tuple[int, int]:
    hop = n_fft // 4 if hop is None else hop
    win = n_fft if win is None else win
    if hop <= 0:
        raise RuntimeError(message(op, f"expected hop_length > 0, but got hop_length={hop}"))
    if not 0 < win <= n_fft:
        raise RuntimeError(message(op, f"expected 0 < win_length <= n_fft, but got win_length={win}"))
    return hop, win


def _full_window(op: str, window: Any, win: int, n_fft: int, like: Any) -> Any:
    """The window in the middle of ``n_fft`` points; None where there is none and none is needed."""
    if window is not None and (window.ndim != 1 or window.shape[0] != win):
        raise RuntimeError(
            message(
                op,
                "expected a 1D window tensor of size equal to win_length",
                {"window": list(window.shape), "win_length": win},
            )
        )
    if win == n_fft:
        return window
    if window is None:
        window = ones(win, dtype=like.dtype.to_real(), device=like.device)
    left = (n_fft - win) // 2
    return cat([window.new_zeros(left), window, window.new_zeros(n_fft - win - left)])


def stft(
    input: Tensor,  # noqa: A002
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    """The Fourier transforms of overlapping frames of a signal.

    Args:
        input: ``(samples)`` or ``(batch, samples)``.
        n_fft: points of each frame.
        hop_length: distance of frames; a quarter of ``n_fft`` by default.
        win_length: points under the window, ``n_fft`` by default; the window is put in their middle.
        window: what frames are multiplied with; ones by default.
        center: extend the signal by half a frame on both sides, so that frames are centred.
        pad_mode: how: ``reflect``, ``constant``, ``replicate``, ``circular``.
        normalized: divide by the root of ``n_fft``.
        onesided: only the first half of the frequencies; by default for real signals and windows.
        return_complex: required for real signals; False gives the real and imaginary parts in a last dimension.
        align_to_window: without ``center``: begin where the window does.

    Returns:
        ``(*, frequencies, frames)``.

    Raises:
        RuntimeError: for sizes that do not fit.
    """
    x: Any = input
    if x.ndim not in (1, 2):
        raise RuntimeError(message("stft", f"expected a 1D or 2D tensor, but got {x.ndim}D"))
    if x.dtype.category < 2 or x.dtype.itemsize == 2:
        raise RuntimeError(
            message("stft", f"expected a tensor of floating point or complex values, got {x.dtype.name}")
        )
    if return_complex is None:
        if not x.is_complex() and not (window is not None and window.is_complex()):
            raise RuntimeError(message("stft", "requires the return_complex parameter be given for real inputs"))
        return_complex = True
    if center and align_to_window is not None:
        raise RuntimeError(message("stft", "align_to_window should only be set when center = false"))
    hop, win = _sizes("stft", n_fft, hop_length, win_length)
    batched = x.ndim == 2
    x = x if batched else x.unsqueeze(0)
    if center:
        x = _padded(x, n_fft // 2, pad_mode)
    if not 0 < n_fft <= x.shape[-1]:
        raise RuntimeError(message("stft", f"expected 0 < n_fft <= {x.shape[-1]}, but got n_fft={n_fft}"))
    w = _full_window("stft", window, win, n_fft, x)
    frames = x.unfold(-1, n_fft, hop)
    if w is not None:
        frames = frames * w
    complex_ = frames.is_complex()
    if onesided is None:
        onesided = not complex_
    if complex_ and onesided:
        raise RuntimeError(message("stft", "cannot have onesided output if window or input is complex"))
    scale = 1 if normalized else 0
    r: Any = _gen.op__fft_c2c(frames, [2], scale, True) if complex_ else _gen.op__fft_r2c(frames, [2], scale, onesided)
    r = r.transpose(1, 2)
    r = r if batched else r.squeeze(0)
    return r if return_complex else _shape.op_view_as_real(r)


def istft(
    input: Tensor,  # noqa: A002
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Tensor:
    """The signal whose `stft` is given: frames are added where they overlap and divided by what the windows add up to.

    Args:
        input: complex, ``(*, frequencies, frames)``.
        n_fft, hop_length, win_length, window, center, normalized, onesided: as for `stft`.
        length: how many samples to return.
        return_complex: whether the signal is complex.

    Raises:
        RuntimeError: for sizes that do not fit, or windows that leave gaps.
    """
    x: Any = input
    if not x.is_complex():
        raise RuntimeError(message("istft", "input must be complex-valued", hint="torch.view_as_complex(input)"))
    if x.ndim not in (2, 3) or not x.numel():
        raise RuntimeError(
            message("istft", "expected a tensor with 2 or 3 dimensions that is not empty", list(x.shape))
        )
    hop, win = _sizes("istft", n_fft, hop_length, win_length)
    batched = x.ndim == 3
    x = x if batched else x.unsqueeze(0)
    rows = x.shape[-2]
    onesided = rows != n_fft if onesided is None else onesided
    if rows != (n_fft // 2 + 1 if onesided else n_fft):
        raise RuntimeError(
            message(
                "istft",
                "the number of frequencies does not match n_fft and onesided",
                {"frequencies": rows, "n_fft": n_fft, "onesided": onesided},
            )
        )
    if return_complex and onesided:
        raise RuntimeError(message("istft", "cannot have onesided output if window or input is complex"))
    w: Any = _full_window("istft", window, win, n_fft, x)
    if w is None:
        w = ones(n_fft, dtype=x.dtype.to_real(), device=x.device)
    frames: Any = x.transpose(1, 2)
    scale = 1 if normalized else 2
    if return_complex:
        frames = _gen.op__fft_c2c(frames, [2], scale, False)
    else:
        half = frames if onesided else frames.narrow(2, 0, n_fft // 2 + 1)
        frames = _gen.op__fft_c2r(half, [2], scale, n_fft)
    total = n_fft + hop * (frames.shape[1] - 1)
    y, envelope = _overlap(frames * w, hop, total), _overlap((w * w).expand(1, *frames.shape[1:]), hop, total)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else total - (n_fft // 2 if center else 0)
    end_here = min(end, total)
    y, envelope = y.narrow(1, start, end_here - start), envelope.narrow(1, start, end_here - start)
    if not x.is_meta and bool(envelope.abs().min() <= 1e-11):
        raise RuntimeError(message("istft", "the window's overlapping sum is zero somewhere", {"hop_length": hop}))
    y = y / envelope
    if end > total:
        y = cat([y, y.new_zeros((y.shape[0], end - total))], 1)
    return y if batched else y.squeeze(0)


def _overlap(frames: Any, hop: int, total: int) -> Any:
    """Frames added up at their places."""
    batch, count, n = frames.shape
    start: Any = arange(count, device=frames.device) * hop  # type: ignore[operator]
    place = (start.unsqueeze(1) + arange(n, device=frames.device)).reshape(-1)
    return frames.new_zeros((batch, total)).index_add(1, place, frames.reshape(batch, count * n))


FUNCTIONS: dict[str, Any] = {"stft": stft, "istft": istft}
METHODS: dict[str, Any] = {"stft": stft, "istft": istft}
