"""Samples of convolutions and of sliding windows."""

from typing import Any

from lamella.core.samples import S


def _conv(n: int) -> S:
    space, window = (5, 4, 4)[:n], (3, 2, 2)[:n]

    def make(mk: Any) -> Any:
        x, w = (lambda *lead: mk(*lead, *space)), (lambda *lead: mk(*lead, *window))
        return [
            ((x(2, 2), w(2, 2), mk(2)), {}),
            ((x(2), w(2, 2)), {"stride": 2, "padding": 1}),
            (
                (
                    x(1, 4),
                    w(
                        2,
                        2,
                    ),
                    mk(2),
                ),
                {"groups": 2, "padding": tuple(range(1, n + 1))},
            ),
            ((x(1, 2), w(2, 1)), {"groups": 2, "dilation": (2, 1, 1)[:n]}),
            ((x(1, 2), w(1, 2)), {"padding": "same"}),
        ]

    return S(f"nn.functional.conv{n}d", make)


def _transposed(n: int) -> S:
    space, window = (3, 2, 2)[:n], (3, 2, 2)[:n]

    def make(mk: Any) -> Any:
        x, w = (lambda *lead: mk(*lead, *space)), (lambda *lead: mk(*lead, *window))
        return [
            ((x(2, 2), w(2, 2), mk(2)), {}),
            ((x(2), w(2, 1)), {"stride": 2, "padding": 1, "output_padding": 1}),
            ((x(1, 4), w(4, 1), mk(2)), {"groups": 2, "dilation": 2}),
        ]

    return S(f"nn.functional.conv_transpose{n}d", make)


SAMPLES = [
    *[_conv(n) for n in (1, 2, 3)],
    *[_transposed(n) for n in (1, 2, 3)],
    S("nn.functional.conv_tbc", lambda mk: [((mk(4, 2, 3), mk(2, 3, 2), mk(2)), {"pad": 1})]),
    S(
        "nn.functional.unfold",
        lambda mk: [
            ((mk(2, 2, 4, 5), 2), {}),
            ((mk(2, 4, 5), (2, 3)), {"dilation": (2, 1), "padding": 1, "stride": (1, 2)}),
        ],
    ),
    S(
        "nn.functional.fold",
        lambda mk: [
            ((mk(2, 8, 12), (4, 5), 2), {}),
            ((mk(12, 12), (4, 5), (2, 3)), {"dilation": (2, 1), "padding": 1, "stride": (1, 2)}),
        ],
    ),
]
