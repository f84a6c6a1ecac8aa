"""Samples of Fourier transforms."""

from __future__ import annotations

from . import S

SAMPLES = [
    *(
        S(
            f"fft_{n}",
            lambda mk: [((mk.complex(2, 5),), {}), ((mk(4),), {"n": 3}), ((mk.complex(3, 2), 4, 0, "ortho"), {})],
        )
        for n in ("fft", "ifft")
    ),
    *(
        S(f"fft_{n}", lambda mk: [((mk(2, 5),), {}), ((mk(4),), {"n": 6, "norm": "forward"})])
        for n in ("rfft", "ihfft")
    ),
    *(
        S(f"fft_{n}", lambda mk: [((mk.complex(2, 4),), {}), ((mk.complex(3),), {"n": 5, "norm": "ortho"})])
        for n in ("irfft", "hfft")
    ),
    *(
        S(f"fft_{n}", lambda mk: [((mk.complex(2, 3, 2),), {}), ((mk(3, 4), (2, 5)), {})])
        for n in ("fftn", "ifftn", "fft2", "ifft2")
    ),
    *(
        S(f"fft_{n}", lambda mk: [((mk(2, 3, 4),), {}), ((mk(3, 4), (2, 5)), {})])
        for n in ("rfftn", "ihfftn", "rfft2", "ihfft2")
    ),
    *(
        S(f"fft_{n}", lambda mk: [((mk.complex(2, 3, 3),), {}), ((mk.complex(3, 4), (2, 5)), {})])
        for n in ("irfftn", "hfftn", "irfft2", "hfft2")
    ),
    *(S(f"fft_{n}", lambda mk: [((mk(3, 4),), {}), ((mk(3, 4), 1), {})]) for n in ("fftshift", "ifftshift")),
]
SAMPLES += [
    S(
        "stft",
        lambda mk: [
            ((mk(12), 4), {"return_complex": True}),
            ((mk(2, 12), 4), {"hop_length": 2, "window": mk(3, lo=0.5), "win_length": 3, "return_complex": False}),
        ],
    ),
    S("istft", lambda mk: [((mk.complex(3, 5), 4), {}), ((mk.complex(2, 3, 5), 4), {"hop_length": 2, "length": 7})]),
]
