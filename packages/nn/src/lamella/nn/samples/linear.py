"""Samples of linear maps."""

from lamella.core.samples import S

SAMPLES = [
    S(
        "nn.functional.linear",
        lambda mk: [
            ((mk(3, 4), mk(2, 4)), {}),
            ((mk(3, 4), mk(2, 4), mk(2)), {}),
            ((mk(2, 3, 4), mk(2, 4), mk(2)), {}),
            ((mk(4), mk(2, 4), mk(2)), {}),
            ((mk(3, 4), mk(4)), {}),
            ((mk(0, 4), mk(2, 4)), {}),
        ],
    ),
    S(
        "nn.functional.bilinear",
        lambda mk: [((mk(3, 2), mk(3, 4), mk(5, 2, 4), mk(5)), {}), ((mk(2, 3, 2), mk(2, 3, 4), mk(1, 2, 4)), {})],
    ),
]
