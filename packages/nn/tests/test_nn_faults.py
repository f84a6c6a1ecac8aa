"""Wrong arguments to functions and modules of networks, and what they print."""

import pytest

from lamella import core, nn
from lamella.nn import functional as F

X = core.ones(1, 2, 4, 4)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: F.conv2d(None, X), TypeError, "conv2d: argument 'input' must be Tensor, not NoneType"),
        (lambda: F.conv_transpose2d("a", X), TypeError, "conv_transpose2d: argument 'input' must be Tensor, not str"),
        (lambda: F.conv2d(X, X, stride="a"), TypeError, "conv2d: argument 'stride' must be tuple of ints, not str"),
        (lambda: F.conv2d(X, X, stride=1.5), TypeError, "conv2d: argument 'stride' must be tuple of ints, not float"),
        (lambda: F.conv2d(X, X, stride=(1, None)), TypeError, "conv2d: argument 'stride' .* element 1 is NoneType"),
        (lambda: F.gelu(None), TypeError, "gelu: argument 'input' must be Tensor, not NoneType"),
        (lambda: F.relu(None, inplace=True), TypeError, "relu: argument 'input' must be Tensor, not NoneType"),
        (lambda: F.softmax("a", dim=1), TypeError, "softmax: argument 'input' must be Tensor, not str"),
        (lambda: F.softmax(X, 1, dtype=X), TypeError, "softmax: dtype must be a torch.dtype, not Tensor"),
        (lambda: F.embedding(core.tensor([0]), [[1.0]]), TypeError, "embedding: argument 'weight' must be Tensor"),
        (lambda: F.embedding(core.tensor([0]), core.ones(2, 2), max_norm="a"), TypeError, "embedding: .* 'max_norm'"),
        (lambda: F.dropout(X, training=None), TypeError, "dropout: argument 'training' must be bool, not NoneType"),
        (lambda: F.max_pool2d(X, "a"), TypeError, "max_pool2d: argument 'kernel_size' must be tuple of ints, not str"),
        (lambda: F.avg_pool2d(X, 2, ceil_mode=None), TypeError, "avg_pool2d: argument 'ceil_mode' must be bool"),
        (lambda: F.batch_norm(X, None, None, training=None), TypeError, "batch_norm: argument 'training' must be bool"),
        (lambda: F.mse_loss(X, X, reduction=None), ValueError, "mse_loss: None is not a valid value for reduction"),
        (lambda: F.mse_loss(X, X, reduction=[]), ValueError, "mse_loss: .. is not a valid value for reduction"),
        (lambda: F.cross_entropy(X, X, reduction="avg"), ValueError, "cross_entropy: avg is not a valid value"),
        (lambda: F.linear(core.ones(2), core.tensor(1.0)), RuntimeError, "linear: the input needs a dimension"),
        (lambda: F.linear(core.ones(2), core.ones(1, 2), core.ones(1, dtype=core.int64)), RuntimeError, "linear: mat1"),
        (lambda: F.binary_cross_entropy(X, X * 2), RuntimeError, "binary_cross_entropy: all elements of target should"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match="^" + text):
        call()


def test_keys_that_do_not_fit_print_as_in_torch():
    layer = nn.Linear(2, 2)
    found = layer.load_state_dict({"weight": core.ones(2, 2)}, strict=False)
    assert str(found) == "_IncompatibleKeys(missing_keys=['bias'], unexpected_keys=[])"
    assert str(layer.load_state_dict(layer.state_dict())) == "<All keys matched successfully>"


def test_numbers_of_numpy():
    import numpy as np

    two = np.int64(2)
    assert F.max_pool2d(X, 2, stride=two).shape == F.avg_pool2d(X, 2, stride=two).shape == (1, 2, 2, 2)
    assert F.conv2d(X, X, padding=two).shape == (1, 1, 5, 5)
    assert F.interpolate(X, scale_factor=two).shape == (1, 2, 8, 8)
    assert F.softplus(X, np.float64(2.0)).dtype is core.float32


def test_orthogonal_weights_start_from_the_present_ones():
    layer = nn.utils.parametrizations.orthogonal(nn.Linear(3, 3))
    assert (layer.weight @ layer.weight.T - core.eye(3)).abs().max().item() < 1e-5
    layer.weight.sum().backward()


def test_attention_drops_the_same_whatever_the_layout():
    """Also where scores have the shape of the query: keys as many as features."""
    core.manual_seed(0)
    x = core.randn(3, 2, 2, 2)
    other = x.transpose(1, 2).contiguous().transpose(1, 2)
    drawn = []
    for q in (x, other):
        core.manual_seed(1)
        drawn.append(F.scaled_dot_product_attention(q, q, q, dropout_p=0.5))
    assert core.allclose(*drawn)


def test_channels_are_dropped_in_their_order():
    core.manual_seed(0)
    straight = F.dropout2d(core.ones(4, 6, 1, 1), 0.5).flatten(1)
    core.manual_seed(0)
    turned = F.feature_alpha_dropout(core.ones(6, 4).t(), 0.5, training=True)
    assert ((turned == turned.max()) == (straight != 0)).all()
