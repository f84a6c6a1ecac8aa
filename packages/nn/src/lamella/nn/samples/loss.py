"""Samples of losses."""

from typing import Any

from lamella.core.samples import S

_WAYS = ("mean", "sum", "none")


def _pairs(name: str, *, lo: float = -1, hi: float = 1, target: Any = None, **kwargs: Any) -> S:
    """A loss of input and target in each reduction."""

    def make(mk: Any) -> Any:
        return [
            ((mk(3, 4, lo=lo, hi=hi), target(mk) if target else mk(3, 4)), {"reduction": r, **kwargs}) for r in _WAYS
        ]

    return S(f"nn.functional.{name}", make)


def _signs(mk: Any) -> Any:
    return mk.bool(3, 4).double() * 2 - 1


def _share(mk: Any) -> Any:
    return mk(3, 4, lo=0.1, hi=0.9)


def _classes(mk: Any) -> Any:
    """Class numbers, one of them ignored."""
    t = mk.int(5, hi=4)
    t[2] = -100
    return t


SAMPLES = [
    S("nn.functional.cross_entropy", lambda mk: [((mk(5, 4), mk.int(5, hi=4)), {"reduction": r}) for r in _WAYS]),
    S(
        "nn.functional.cross_entropy",
        lambda mk: [
            ((mk(5, 4), _classes(mk), mk(4, lo=0.2, grad=False)), {"reduction": r, "label_smoothing": s})
            for r in _WAYS
            for s in (0.0, 0.3)
        ],
    ),
    S(
        "nn.functional.cross_entropy",
        lambda mk: [
            ((mk(2, 4, 3), mk.int(2, 3, hi=4)), {"reduction": "none"}),
            ((mk(4), mk.int(hi=4)), {}),
            ((mk(2, 3, 2), mk(2, 3, 2, lo=0.1)), {"label_smoothing": 0.1}),
            ((mk(2, 3), mk(2, 3), mk(3)), {"reduction": "sum"}),
            ((mk(5, 4), mk.int(5, hi=4)), {"ignore_index": 1}),
        ],
    ),
    S(
        "nn.functional.nll_loss",
        lambda mk: [((mk(5, 4), _classes(mk), mk(4, lo=0.2, grad=False)), {"reduction": r}) for r in _WAYS],
    ),
    S("nn.functional.nll_loss", lambda mk: [((mk(2, 4, 3), mk.int(2, 3, hi=4)), {}), ((mk(4), mk.int(hi=4)), {})]),
    _pairs("mse_loss"),
    _pairs("l1_loss"),
    _pairs("smooth_l1_loss", beta=0.5),
    _pairs("smooth_l1_loss", beta=0.0),
    _pairs("huber_loss", delta=0.6),
    _pairs("soft_margin_loss", target=_signs),
    S("nn.functional.mse_loss", lambda mk: [((mk(3), mk(3)), {"weight": mk(3, lo=0.1)})]),
    _pairs("binary_cross_entropy", lo=0.1, hi=0.9, target=_share),
    S(
        "nn.functional.binary_cross_entropy",
        lambda mk: [((mk(3, 4, lo=0.1, hi=0.9), _share(mk), mk(4, grad=False)), {})],
    ),
    _pairs("binary_cross_entropy_with_logits", target=_share),
    S(
        "nn.functional.binary_cross_entropy_with_logits",
        lambda mk: [((mk(3, 4), _share(mk), mk(4, grad=False)), {"pos_weight": mk(4, lo=0.2, grad=False)})],
    ),
    S(
        "nn.functional.kl_div",
        lambda mk: [
            ((mk(3, 4), _share(mk)), {"reduction": "batchmean"}),
            ((mk(3, 4), mk(3, 4)), {"reduction": "sum", "log_target": True}),
        ],
    ),
    _pairs("poisson_nll_loss", target=_share),
    _pairs("poisson_nll_loss", lo=0.2, target=_share, log_input=False, full=True),
    S(
        "nn.functional.gaussian_nll_loss",
        lambda mk: [((mk(3, 4), mk(3, 4), mk(3, 4, lo=0.2)), {"reduction": r}) for r in _WAYS],
    ),
    S("nn.functional.gaussian_nll_loss", lambda mk: [((mk(3, 4), mk(3, 4), mk(3, 1, lo=0.2)), {"full": True})]),
    _pairs("hinge_embedding_loss", target=_signs),
    S("nn.functional.margin_ranking_loss", lambda mk: [((mk(3, 4), mk(3, 4), _signs(mk)), {"margin": 0.5})]),
    S(
        "nn.functional.cosine_embedding_loss",
        lambda mk: [((mk(3, 4), mk(3, 4), _signs(mk)[:, 0]), {"reduction": r}) for r in _WAYS],
    ),
    S(
        "nn.functional.triplet_margin_loss",
        lambda mk: [((mk(3, 4), mk(3, 4), mk(3, 4)), {"swap": s}) for s in (False, True)],
    ),
    S("nn.functional.triplet_margin_with_distance_loss", lambda mk: [((mk(3, 4), mk(3, 4), mk(3, 4)), {})]),
    S("nn.functional.multi_margin_loss", lambda mk: [((mk(3, 4), mk.int(3, hi=4)), {"p": p}) for p in (1, 2)]),
    S(
        "nn.functional.multilabel_margin_loss",
        lambda mk: [((mk(3, 4), mk.int(3, 4, lo=-1, hi=4)), {"reduction": r}) for r in _WAYS],
    ),
    S(
        "nn.functional.multilabel_soft_margin_loss",
        lambda mk: [((mk(3, 4), _share(mk)), {"reduction": r}) for r in _WAYS],
    ),
    S("nn.functional.cosine_similarity", lambda mk: [((mk(3, 4), mk(3, 4)), {}), ((mk(3, 4), mk(1, 4)), {"dim": 0})]),
    S(
        "nn.functional.pairwise_distance",
        lambda mk: [((mk(3, 4), mk(3, 4)), {}), ((mk(3, 4), mk(4)), {"p": 3.0, "keepdim": True})],
    ),
    S("nn.functional.pdist", lambda mk: [((mk(4, 3),), {}), ((mk(4, 3), 3.0), {})]),
]
