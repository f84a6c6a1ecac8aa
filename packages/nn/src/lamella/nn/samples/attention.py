"""Samples of attention."""

from typing import Any

from lamella.core.samples import S


def _heads(mk: Any) -> Any:
    """Query, key and value of three heads, as views of rows."""
    return tuple(mk(2, 4, 3, 2).transpose(1, 2) for _ in range(3))


SAMPLES = [
    S(
        "nn.functional.scaled_dot_product_attention",
        lambda mk: [
            ((mk(2, 3, 4), mk(2, 5, 4), mk(2, 5, 6)), {}),
            (_heads(mk), {"is_causal": True}),
            ((mk(3, 4), mk(5, 4), mk(5, 4)), {"scale": 0.3}),
            ((mk(2, 3, 4), mk(2, 5, 4), mk(2, 5, 4), mk(3, 5)), {}),
            ((mk(2, 3, 4), mk(2, 5, 4), mk(2, 5, 4), mk.bool(3, 5)), {}),
            ((mk(2, 4, 3, 2), mk(2, 2, 3, 2), mk(2, 2, 3, 2)), {"enable_gqa": True}),
        ],
    ),
    S(
        "nn.functional.multi_head_attention_forward",
        lambda mk: [
            (
                (
                    mk(3, 2, 4),
                    mk(5, 2, 4),
                    mk(5, 2, 4),
                    4,
                    2,
                    mk(12, 4),
                    mk(12),
                    None,
                    None,
                    False,
                    0.0,
                    mk(4, 4),
                    mk(4),
                ),
                {"need_weights": n},
            )
            for n in (True, False)
        ],
    ),
]
