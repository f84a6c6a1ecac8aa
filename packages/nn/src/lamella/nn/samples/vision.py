"""Samples of changes of resolution and of sampling by a grid."""

from typing import Any

from lamella.core.samples import S

_MODES = {
    1: ("nearest", "nearest-exact", "area", "linear"),
    2: ("nearest", "nearest-exact", "area", "bilinear", "bicubic"),
    3: ("nearest", "nearest-exact", "area", "trilinear"),
}


def _interpolate(mk: Any) -> Any:
    rows = []
    for n, modes in _MODES.items():
        for mode in modes:
            shape = (1, 2, *(4, 3, 2)[:n])
            rows += [
                ((mk(*shape),), {"size": (6, 2, 3)[:n], "mode": mode}),
                ((mk(*shape),), {"scale_factor": 1.7, "mode": mode}),
            ]
            if "linear" in mode or mode == "bicubic":
                rows.append(((mk(*shape),), {"size": 5, "mode": mode, "align_corners": True}))
    for mode in ("bilinear", "bicubic", "lanczos"):
        rows.append(((mk(1, 1, 6, 5),), {"size": (3, 7), "mode": mode, "antialias": True}))
    return rows


def _grid(mk: Any) -> Any:
    rows = []
    for mode in ("bilinear", "bicubic"):
        for padding in ("zeros", "border", "reflection"):
            rows.append(
                (
                    (mk(1, 2, 3, 4), mk(1, 2, 3, 2, lo=-0.7, hi=0.7)),
                    {"mode": mode, "padding_mode": padding, "align_corners": padding == "border"},
                )
            )
    rows.append(((mk(2, 1, 2, 3, 3), mk(2, 1, 2, 2, 3, lo=-0.6, hi=0.6)), {"align_corners": False}))
    return rows


SAMPLES = [
    S("nn.functional.interpolate", _interpolate),
    S("nn.functional.grid_sample", _grid),
    S(
        "nn.functional.grid_sample",
        lambda mk: [((mk(1, 2, 3, 4), mk(1, 2, 3, 2, grad=False)), {"mode": "nearest", "align_corners": False})],
    ),
    S(
        "nn.functional.affine_grid",
        lambda mk: [
            ((mk(2, 2, 3), (2, 1, 3, 2)), {"align_corners": False}),
            ((mk(1, 3, 4), (1, 1, 2, 3, 2)), {"align_corners": True}),
        ],
    ),
    S("nn.functional.pixel_shuffle", lambda mk: [((mk(1, 8, 2, 3), 2), {})]),
    S("nn.functional.pixel_unshuffle", lambda mk: [((mk(1, 2, 4, 6), 2), {})]),
    S("nn.functional.channel_shuffle", lambda mk: [((mk(2, 6, 2), 3), {})]),
]
