"""What torch refuses is refused with its class, and the message says what was wrong."""

import pytest

from lamella import core
from lamella.nn import functional as F

X = core.zeros(3, 5)
CLASSES = core.tensor([0, 1, 2])
HEADS = core.zeros(2, 4, 5, 8)

CASES = [
    (lambda: F.linear(X, core.zeros(2, 4)), RuntimeError, "mat1 and mat2 shapes cannot be multiplied (3x5 and 4x2)"),
    (
        lambda: F.linear(X, core.zeros(2, 5).double()),
        RuntimeError,
        "must have the same dtype, but got Float and Double",
    ),
    (lambda: F.linear(X, core.zeros(2, 5), core.zeros(3)), RuntimeError, "does not fit a result of shape [3, 2]"),
    (lambda: F.linear(None, X), TypeError, "argument 'input' must be Tensor, not NoneType"),
    (lambda: F.bilinear(X, X, core.zeros(2, 5, 4)), RuntimeError, "the weight must be (out, in1, in2)"),
    (lambda: F.hardtanh(X, 1, 0), ValueError, "min_val cannot be greater than max_val"),
    (lambda: F.celu(X, 0.0), RuntimeError, "alpha cannot be 0 for CELU"),
    (lambda: F.gelu(X, approximate="fast"), RuntimeError, "approximate argument must be either none or tanh."),
    (lambda: F.gelu(CLASSES), NotImplementedError, "it is not implemented for 'Long'"),
    (lambda: F.softshrink(X, -1.0), RuntimeError, "lambda must be greater or equal to 0"),
    (lambda: F.glu(X), RuntimeError, "Halving dimension must be even, but dimension -1 is size 5"),
    (lambda: F.prelu(X, core.zeros(4)), RuntimeError, "numbers = 4 and channel size = 5"),
    (lambda: F.rrelu(X, 0.5, 0.2), RuntimeError, "lower bound should be less than or equal to the upper bound"),
    (lambda: F.cross_entropy(X, core.tensor([0, 1, 7])), IndexError, "Target 7 is out of bounds."),
    (lambda: F.cross_entropy(X, core.tensor([0, -1, 2])), IndexError, "Target -1 is out of bounds."),
    (lambda: F.cross_entropy(X, core.tensor([0, 1])), ValueError, "batch_size (3) to match target batch_size (2)"),
    (lambda: F.cross_entropy(X, CLASSES.int()), RuntimeError, "expected target dtype to be Long or Byte, but got Int"),
    (lambda: F.cross_entropy(X, X.long()), RuntimeError, "Expected floating point type for target"),
    (lambda: F.cross_entropy(X, CLASSES, core.zeros(4)), RuntimeError, "defined either for all 5 classes"),
    (lambda: F.cross_entropy(X, CLASSES, reduction="all"), ValueError, "all is not a valid value for reduction"),
    (lambda: F.cross_entropy(X, CLASSES, label_smoothing=1.5), RuntimeError, "between 0.0 and 1.0. Got: 1.5"),
    (lambda: F.cross_entropy(X, [0, 1, 2]), TypeError, "argument 'target' must be Tensor, not list"),
    (
        lambda: F.cross_entropy(core.zeros(2, 3, 4), core.zeros(2, 5).long()),
        RuntimeError,
        "Expected target size [2, 4]",
    ),
    (lambda: F.mse_loss(X, 3.0), TypeError, "argument 'target' must be Tensor, not float"),
    (lambda: F.smooth_l1_loss(X, X, beta=-1.0), RuntimeError, "does not support negative values for beta."),
    (lambda: F.huber_loss(X, X, delta=0.0), RuntimeError, "does not support non-positive values for delta."),
    (lambda: F.binary_cross_entropy(X - 1, X), RuntimeError, "all elements of input should be between 0 and 1"),
    (lambda: F.binary_cross_entropy(X, core.zeros(3, 1)), ValueError, "is different to the input size"),
    (lambda: F.binary_cross_entropy_with_logits(X, core.zeros(3, 1)), ValueError, "must be the same as input size"),
    (lambda: F.gaussian_nll_loss(X, X, -1.0), ValueError, "var has negative entry/entries"),
    (lambda: F.triplet_margin_loss(X, X, X, margin=-1), ValueError, "margin must be greater than 0, got -1"),
    (lambda: F.multi_margin_loss(X, CLASSES, p=3), ValueError, "only p == 1 and p == 2 supported"),
    (lambda: F.multilabel_margin_loss(X, CLASSES), RuntimeError, "inconsistent target size: [3]"),
    (lambda: F.ctc_loss(core.zeros(5, 2, 4), core.ones(2, 3).long(), (5, 5), (3, 3), 9), RuntimeError, "label range"),
    (lambda: F.ctc_loss(core.zeros(5, 2, 4), core.ones(2, 3).long(), (5, 6), (3, 3)), RuntimeError, "at most 5"),
    (lambda: F.embedding(core.tensor([7]), X), IndexError, "index out of range in self (index=7, rows=3)"),
    (lambda: F.embedding(core.tensor([-1]), X), IndexError, "index out of range in self"),
    (lambda: F.embedding(core.tensor([1.0]), X), RuntimeError, "Long, Int; but got Float instead"),
    (lambda: F.embedding(CLASSES, X, padding_idx=3), ValueError, "Padding_idx must be within num_embeddings"),
    (lambda: F.embedding_bag(CLASSES, X), ValueError, "offsets has to be a 1D Tensor but got NoneType"),
    (
        lambda: F.embedding_bag(CLASSES, X, core.tensor([0]), mode="min"),
        ValueError,
        "mode has to be one of sum, mean or max",
    ),
    (lambda: F.one_hot(CLASSES, 2), RuntimeError, "Class values must be smaller than num_classes."),
    (lambda: F.one_hot(CLASSES - 1), RuntimeError, "Class values must be non-negative."),
    (lambda: F.dropout(X, 1.5), ValueError, "dropout probability has to be between 0 and 1, but got 1.5"),
    (lambda: F.dropout1d(core.zeros(3)), RuntimeError, "Expected 2D or 3D input, but received a 1D input"),
    (lambda: F.scaled_dot_product_attention(HEADS, HEADS[..., :4], HEADS), RuntimeError, "same last dimension"),
    (lambda: F.scaled_dot_product_attention(HEADS, HEADS[:, :2], HEADS[:, :2]), RuntimeError, "enable_gqa=True"),
    (lambda: F.scaled_dot_product_attention(HEADS, HEADS.double(), HEADS), RuntimeError, "to have the same dtype"),
    (lambda: F.scaled_dot_product_attention(HEADS, HEADS, HEADS, core.zeros(5, 6)), RuntimeError, "does not broadcast"),
    (
        lambda: F.scaled_dot_product_attention(HEADS, HEADS, HEADS, core.ones(5, 5).int()),
        RuntimeError,
        "attn_mask.dtype",
    ),
    (lambda: F.pdist(core.zeros(3)), RuntimeError, "pdist only supports 2D tensors, got: 1D"),
    (lambda: F.cosine_similarity(CLASSES, CLASSES, 0), RuntimeError, "expected common dtype to be floating point"),
]


@pytest.mark.parametrize("nr", range(len(CASES)))
def test_refused(nr):
    call, kind, text = CASES[nr]
    with pytest.raises(kind) as info:
        call()
    assert type(info.value) is kind
    assert text in str(info.value)
    assert len(str(info.value).splitlines()) <= 6


def test_warnings():
    with pytest.warns(UserWarning, match="Implicit|implicitly"):
        F.softmax(X)
    with pytest.warns(UserWarning, match="different to the input size"):
        F.mse_loss(X, core.zeros(3, 1))
    with pytest.warns(UserWarning, match="reduction='sum'"):
        assert F.mse_loss(X + 1, X, size_average=False).item() == 15
    with pytest.warns(UserWarning, match="batchmean"):
        F.kl_div(X, X)
