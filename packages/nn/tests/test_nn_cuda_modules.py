"""Layers on a GPU, on the stand-in for CuPy: the same state gives the CPU's results and gradients."""

import numpy as np
import pytest

from lamella import nn
from lamella.core import float64, manual_seed, ones, tensor
from lamella.core.testing import differs, leaves
from lamella.nn.utils import rnn

pytestmark = pytest.mark.usefixtures("cupy_on_numpy")
RNG = np.random.default_rng(0)


def real(*shape):
    return RNG.standard_normal(shape)


MODULES = [
    (lambda: nn.Linear(4, 3), [real(2, 4)]),
    (lambda: nn.Bilinear(3, 4, 2), [real(5, 3), real(5, 4)]),
    (lambda: nn.Conv1d(4, 6, 3, stride=2, padding=1, groups=2), [real(2, 4, 9)]),
    (lambda: nn.Conv2d(3, 5, 3, padding="same", padding_mode="reflect"), [real(2, 3, 6, 7)]),
    (lambda: nn.Conv3d(2, 3, 2, dilation=2), [real(1, 2, 5, 5, 5)]),
    (lambda: nn.ConvTranspose2d(3, 4, 3, stride=2, output_padding=1), [real(2, 3, 4, 4)]),
    (lambda: nn.MaxPool2d(3, 2, 1, return_indices=True), [real(2, 3, 7, 7)]),
    (lambda: nn.AvgPool3d(2), [real(1, 2, 4, 4, 4)]),
    (lambda: nn.LPPool2d(2, 3), [real(1, 2, 6, 6)]),
    (lambda: nn.AdaptiveMaxPool2d((3, 2)), [real(2, 2, 7, 5)]),
    (lambda: nn.AdaptiveAvgPool1d(4), [real(2, 3, 9)]),
    (lambda: nn.FractionalMaxPool2d(2, output_size=3, _random_samples=None), [real(1, 1, 7, 7)]),
    (lambda: nn.BatchNorm1d(4), [real(6, 4)]),
    (lambda: nn.BatchNorm2d(3, affine=False), [real(4, 3, 2, 2)]),
    (lambda: nn.InstanceNorm2d(3, affine=True), [real(2, 3, 4, 4)]),
    (lambda: nn.GroupNorm(2, 4), [real(2, 4, 5)]),
    (lambda: nn.LayerNorm((3, 4)), [real(2, 3, 4)]),
    (lambda: nn.RMSNorm(5), [real(2, 5)]),
    (lambda: nn.LocalResponseNorm(3), [real(2, 5, 3, 3)]),
    (lambda: nn.Embedding(7, 4, padding_idx=2), [RNG.integers(0, 7, (2, 5))]),
    (lambda: nn.EmbeddingBag(7, 4, mode="mean"), [RNG.integers(0, 7, (2, 5))]),
    (lambda: nn.MultiheadAttention(8, 2, batch_first=True), [real(2, 3, 8)] * 3),
    (lambda: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), [real(2, 3, 8)]),
    (lambda: nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0), [real(3, 2, 8), real(4, 2, 8)]),
    (lambda: nn.LSTM(3, 4, num_layers=2, bidirectional=True), [real(5, 2, 3)]),
    (lambda: nn.LSTM(3, 4, proj_size=2), [real(5, 2, 3)]),
    (lambda: nn.GRU(3, 4, batch_first=True), [real(2, 5, 3)]),
    (lambda: nn.RNN(3, 4, nonlinearity="relu"), [real(5, 2, 3)]),
    (lambda: nn.LSTMCell(3, 4), [real(2, 3)]),
    (lambda: nn.GRUCell(3, 4), [real(2, 3)]),
    (lambda: nn.PReLU(3), [real(2, 3, 4)]),
    (lambda: nn.GELU("tanh"), [real(3, 4)]),
    (lambda: nn.Softmax(dim=1), [real(3, 4)]),
    (lambda: nn.GLU(), [real(3, 4)]),
    (lambda: nn.Upsample(scale_factor=2, mode="bicubic"), [real(1, 2, 4, 4)]),
    (lambda: nn.PixelShuffle(2), [real(1, 4, 3, 3)]),
    (lambda: nn.Unfold(2), [real(1, 2, 4, 4)]),
    (lambda: nn.Fold((4, 4), 2), [real(1, 8, 9)]),
    (lambda: nn.ReflectionPad2d(1), [real(1, 2, 3, 3)]),
    (lambda: nn.CosineSimilarity(), [real(3, 4), real(3, 4)]),
    (lambda: nn.PairwiseDistance(), [real(3, 4), real(3, 4)]),
    (lambda: nn.MSELoss(), [real(3, 4), real(3, 4)]),
    (lambda: nn.CrossEntropyLoss(label_smoothing=0.1), [real(3, 4), np.array([0, 3, 1])]),
    (lambda: nn.NLLLoss(ignore_index=1), [real(3, 4), np.array([0, 3, 1])]),
    (lambda: nn.BCEWithLogitsLoss(), [real(3, 4), RNG.random((3, 4))]),
    (lambda: nn.KLDivLoss(reduction="batchmean"), [real(3, 4), RNG.random((3, 4))]),
    (lambda: nn.HuberLoss(), [real(3, 4), real(3, 4)]),
    (lambda: nn.TripletMarginLoss(), [real(3, 4), real(3, 4), real(3, 4)]),
    (lambda: nn.MultiMarginLoss(), [real(3, 4), np.array([0, 3, 1])]),
    (lambda: nn.CTCLoss(), [real(6, 2, 4), np.array([[1, 2], [3, 1]]), np.array([6, 5]), np.array([2, 1])]),
    (lambda: nn.AdaptiveLogSoftmaxWithLoss(6, 10, [3, 7], div_value=2.0), [real(4, 6), np.array([0, 4, 9, 2])]),
]


def outcome(module, arrays, device):
    """Results, and gradients of inputs and parameters."""
    module = module.to(device)
    inputs = [tensor(a).to(device) for a in arrays]
    for x in inputs:
        if x.is_floating_point():
            x.requires_grad_()
    out = module(*inputs)
    parts = [o for o in leaves(out) if getattr(o, "requires_grad", False)]
    if parts:
        sum((o * o).sum() for o in parts).backward()
    grads = [x.grad for x in inputs] + [p.grad for p in module.parameters()]
    return out, grads, list(module.buffers())


@pytest.mark.parametrize("make, arrays", MODULES, ids=range(len(MODULES)))
def test_layers(make, arrays):
    manual_seed(0)
    module = make().to(float64)
    want = outcome(module, arrays, "cpu")
    manual_seed(0)
    other = make().to(float64)
    got = outcome(other, arrays, "cuda:1" if len(arrays) > 1 else "cuda")
    random = type(module).__name__.startswith("Fractional")
    assert differs(want, got, values=not random, tol=1e-7) is None


def test_modules_move_and_keep_their_parameters():
    module = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
    weight = module[0].weight
    assert module.cuda() is module and weight.is_cuda and module[0].weight is weight
    assert {str(t.device) for t in module.state_dict().values()} == {"cuda:0"}
    module.to("cuda:1")
    assert str(weight.device) == "cuda:1" and str(module[1].num_batches_tracked.device) == "cuda:1"
    module.cpu()
    assert not weight.is_cuda
    made = nn.Linear(3, 2, device="cuda:1", dtype=float64)
    assert str(made.weight.device) == "cuda:1" and made.bias.dtype is float64
    assert made.weight.abs().max().item() <= 3**-0.5


def test_initial_values():
    for fill, args in (("kaiming_normal_", ()), ("xavier_uniform_", ()), ("orthogonal_", ()), ("trunc_normal_", ()),
                       ("sparse_", (0.3,)), ("eye_", ()), ("normal_", (1.0, 0.1)), ("dirac_", ())):  # fmt: skip
        w = ones(8, 8, device="cuda") if fill != "dirac_" else ones(4, 4, 3, device="cuda")
        made = getattr(nn.init, fill)(w, *args)
        assert made is w and w.is_cuda and bool(w.isfinite().all())


def test_sequences_of_different_lengths():
    x, lengths = tensor(real(5, 3, 4)), tensor([5, 3, 2])
    results = []
    for device in ("cpu", "cuda"):
        manual_seed(0)
        core = nn.GRU(4, 2).to(float64).to(device)
        packed = rnn.pack_padded_sequence(x.to(device), lengths)
        out, h = core(packed)
        results.append((rnn.pad_packed_sequence(out)[0], h))
    assert differs(*results, tol=1e-9) is None


def test_norms_are_clipped():
    for clip in (lambda p: nn.utils.clip_grad_norm_(p, 0.5), lambda p: nn.utils.clip_grad_value_(p, 0.1)):
        results = []
        for device in ("cpu", "cuda"):
            p = [ones(3, device=device, requires_grad=True), ones(2, 2, device=device, requires_grad=True)]
            sum((x * x * 2).sum() for x in p).backward()
            results.append((clip(p), [x.grad for x in p]))
        assert differs(*results, tol=1e-6) is None
