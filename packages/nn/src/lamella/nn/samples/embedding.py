"""Samples of table look-ups."""

from lamella.core.samples import S

SAMPLES = [
    S(
        "nn.functional.embedding",
        lambda mk: [
            ((mk.int(2, 3, hi=5), mk(5, 4)), {}),
            ((mk.int(7, hi=5), mk(5, 4)), {"padding_idx": -2}),
            ((mk.int(7, hi=5).int(), mk(5, 4)), {}),
        ],
    ),
    S(
        "nn.functional.embedding_bag",
        lambda mk: [((mk.int(2, 3, hi=5), mk.distinct(5, 4)), {"mode": m}) for m in ("sum", "mean", "max")],
    ),
    S("nn.functional.one_hot", lambda mk: [((mk.int(3, hi=5), 5), {}), ((mk.int(2, 2, hi=5), 7), {})], grad=False),
]
