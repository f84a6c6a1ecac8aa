"""Random numbers against PyTorch's: numbers frozen from torch 2.13 (CPU), and torch itself where it is installed."""

import math

import ml_dtypes
import numpy as np
import pytest

from lamella.core import random as R
from lamella.core.random import discrete
from lamella.core.random.engine import Engine
from lamella.core.random.generator import STATE_DTYPE

SHAPES = [(1,), (2,), (7,), (15,), (16,), (17,), (31,), (100,), (1000,), (3, 5, 7)]
SEED = 3
F32, F64, F16 = np.dtype("f4"), np.dtype("f8"), np.dtype("f2")
BF16 = np.dtype(ml_dtypes.bfloat16)
C64, C128, I64, I32, U8, BOOL = (np.dtype(c) for c in ("c8", "c16", "i8", "i4", "u1", "?"))
TOLERANCE = {F32: 2e-6, F64: 1e-13, F16: 2e-3, BF16: 1.6e-2, C64: 2e-6, C128: 1e-13}


def size(shape):
    return math.prod(shape)


def weights(shape, dtype):
    return (np.arange(size(shape)) % 7 + 0.5).astype(dtype)


def rand(s, d, g):
    return R.uniform(s, d, generator=g)


def torch_rand(t, s, d, g):
    return t.rand(s, dtype=d, generator=g)


def randn(s, d, g):
    return R.normal(s, d, generator=g)


def torch_randn(t, s, d, g):
    return t.randn(s, dtype=d, generator=g)


# name: (dtype, ours(shape, dtype, generator), torch's(torch, shape, dtype, generator))
CASES = {
    "rand f32": (F32, rand, torch_rand),
    "rand f64": (F64, rand, torch_rand),
    "rand f16": (F16, rand, torch_rand),
    "rand bf16": (BF16, rand, torch_rand),
    "rand c64": (C64, rand, torch_rand),
    "uniform f32": (F32, lambda s, d, g: R.uniform(s, d, -0.37, 1.13, g),
                    lambda t, s, d, g: t.empty(s, dtype=d).uniform_(-0.37, 1.13, generator=g)),
    "uniform f64": (F64, lambda s, d, g: R.uniform(s, d, -0.37, 1.13, g),
                    lambda t, s, d, g: t.empty(s, dtype=d).uniform_(-0.37, 1.13, generator=g)),
    "uniform f16": (F16, lambda s, d, g: R.uniform(s, d, 0, 0.1, g),
                    lambda t, s, d, g: t.empty(s, dtype=d).uniform_(0, 0.1, generator=g)),
    "randn f32": (F32, randn, torch_randn),
    "randn f64": (F64, randn, torch_randn),
    "randn c64": (C64, randn, torch_randn),
    "normal f32": (F32, lambda s, d, g: R.normal(s, d, 1.5, 0.3, g),
                   lambda t, s, d, g: t.empty(s, dtype=d).normal_(1.5, 0.3, generator=g)),
    "normal f16": (F16, lambda s, d, g: R.normal(s, d, 1.5, 0.3, g),
                   lambda t, s, d, g: t.empty(s, dtype=d).normal_(1.5, 0.3, generator=g)),
    "normal bf16": (BF16, lambda s, d, g: R.normal(s, d, 1.5, 0.3, g),
                    lambda t, s, d, g: t.empty(s, dtype=d).normal_(1.5, 0.3, generator=g)),
    "normal c128": (C128, lambda s, d, g: R.normal(s, d, 1.5, 0.3, g),
                    lambda t, s, d, g: t.empty(s, dtype=d).normal_(1.5, 0.3, generator=g)),
    "log_normal f32": (F32, lambda s, d, g: R.log_normal(s, d, 1, 0.5, g),
                       lambda t, s, d, g: t.empty(s, dtype=d).log_normal_(1, 0.5, generator=g)),
    "exponential f32": (F32, lambda s, d, g: R.exponential(s, d, 3.0, g),
                        lambda t, s, d, g: t.empty(s, dtype=d).exponential_(3.0, generator=g)),
    "exponential f64": (F64, lambda s, d, g: R.exponential(s, d, 0.1, g),
                        lambda t, s, d, g: t.empty(s, dtype=d).exponential_(0.1, generator=g)),
    "cauchy f32": (F32, lambda s, d, g: R.cauchy(s, d, 1, 2, g),
                   lambda t, s, d, g: t.empty(s, dtype=d).cauchy_(1, 2, generator=g)),
    "geometric i64": (I64, lambda s, d, g: R.geometric(s, d, 0.2, g),
                      lambda t, s, d, g: t.empty(s, dtype=d).geometric_(0.2, generator=g)),
    "geometric u8": (U8, lambda s, d, g: R.geometric(s, d, 0.01, g),
                     lambda t, s, d, g: t.empty(s, dtype=d).geometric_(0.01, generator=g)),
    "bernoulli f32": (F32, lambda s, d, g: R.bernoulli(s, d, 0.3, g),
                      lambda t, s, d, g: t.empty(s, dtype=d).bernoulli_(0.3, generator=g)),
    "bernoulli p f32": (BOOL, lambda s, d, g: R.bernoulli(s, d, np.full(s, 0.3, F32), g),
                        lambda t, s, d, g: t.empty(s, dtype=d).bernoulli_(t.full(s, 0.3), generator=g)),
    "bernoulli p f64": (I64, lambda s, d, g: R.bernoulli(s, d, np.full(s, 0.3), g),
                        lambda t, s, d, g: t.empty(s, dtype=d).bernoulli_(t.full(s, 0.3).double(), generator=g)),
    "random_ i64": (I64, lambda s, d, g: R.random_(s, d, generator=g),
                    lambda t, s, d, g: t.empty(s, dtype=d).random_(generator=g)),
    "random_ f64": (F64, lambda s, d, g: R.random_(s, d, generator=g),
                    lambda t, s, d, g: t.empty(s, dtype=d).random_(generator=g)),
    "random_ bf16": (BF16, lambda s, d, g: R.random_(s, d, generator=g),
                     lambda t, s, d, g: t.empty(s, dtype=d).random_(generator=g)),
    "random_ bool": (BOOL, lambda s, d, g: R.random_(s, d, generator=g),
                     lambda t, s, d, g: t.empty(s, dtype=d).random_(generator=g)),
    "random_ from i32": (I32, lambda s, d, g: R.random_(s, d, -9, None, g),
                         lambda t, s, d, g: t.empty(s, dtype=d).random_(-9, None, generator=g)),
    "random_ all i64": (I64, lambda s, d, g: R.random_(s, d, -(2**63), None, g),
                        lambda t, s, d, g: t.empty(s, dtype=d).random_(-(2**63), None, generator=g)),
    "randint i64": (I64, lambda s, d, g: R.randint(s, d, -50, 1000, g),
                    lambda t, s, d, g: t.randint(-50, 1000, s, dtype=d, generator=g)),
    "randint wide": (I64, lambda s, d, g: R.randint(s, d, 0, 2**28, g),
                     lambda t, s, d, g: t.randint(0, 2**28, s, dtype=d, generator=g)),
    "randint f16": (F16, lambda s, d, g: R.randint(s, d, -7, 300, g),
                    lambda t, s, d, g: t.randint(-7, 300, s, dtype=d, generator=g)),
    "randperm": (I64, lambda s, d, g: R.randperm(size(s), d, g), lambda t, s, d, g: t.randperm(size(s), generator=g)),
    "multinomial": (I64, lambda s, d, g: R.multinomial(weights(s, F32), min(size(s), 3), False, g),
                    lambda t, s, d, g: t.multinomial(t.from_numpy(weights(s, F32)), min(size(s), 3), generator=g)),
    "multinomial again": (I64, lambda s, d, g: R.multinomial(weights(s, F32), 9, True, g),
                          lambda t, s, d, g: t.multinomial(t.from_numpy(weights(s, F32)), 9, True, generator=g)),
    "poisson": (F32, lambda s, d, g: R.poisson(weights(s, d) * 4, g),
                lambda t, s, d, g: t.poisson(t.from_numpy(weights(s, np.float32)) * 4, generator=g)),
    "binomial": (F32, lambda s, d, g: R.binomial(weights(s, d) * 20, np.full(size(s), 0.7, d), g),
                 lambda t, s, d, g: t.binomial(t.from_numpy(weights(s, np.float32)) * 20, t.full((size(s),), 0.7), g)),
    "gamma": (F32, lambda s, d, g: R.standard_gamma(weights(s, d), g),
              lambda t, s, d, g: t._standard_gamma(t.from_numpy(weights(s, np.float32)), g)),
    "dirichlet": (F64, lambda s, d, g: R.dirichlet(weights(s, d)[None], g),
                  lambda t, s, d, g: t._sample_dirichlet(t.from_numpy(weights(s, np.float64))[None], g)),
}  # fmt: skip

# For each case, from one generator with seed 3 that makes every shape of SHAPES in turn: the place in the block of 624
# words at the end, whether half a normal pair waits, and the last element of each result.
FROZEN = {
    "rand f32": [46, 0, 0.00426352024, 0.285842478, 0.887856662, 0.180877209, 0.582422078, 0.916038454, 0.167717934,
        0.0434310436, 0.21921289, 0.462303102],
    "rand f64": [92, 0, 0.03410819565052048, 0.7729149443285843, 0.7785495256536756, 0.44117820628416327,
        0.5527904332972032, 0.3362638746891857, 0.9342025851157802, 0.12593477093967842, 0.3616522764585469,
        0.5885998177148831],
    "rand f16": [46, 0, 0.00426483, 0.285889, 0.887695, 0.180908, 0.58252, 0.916016, 0.167725, 0.0434265, 0.219238,
        0.462402],
    "rand bf16": [46, 0, 0.00427246, 0.285156, 0.886719, 0.180664, 0.582031, 0.917969, 0.167969, 0.043457, 0.21875,
        0.462891],
    "rand c64": [92, 0, 0.00426352024+0.105569363j, 0.471614361+0.060116291j, 0.847318649+0.874856234j,
        0.430147231+0.962302864j, 0.0690987706+0.0691446662j, 0.167032957+0.0770368576j, 0.241775274+0.863866568j,
        0.140741825+0.32689625j, 0.670206487+0.489176214j, 0.44857496+0.939623058j],
    "uniform f32": [46, 0, -0.363604724, 0.0587637126, 0.961784959, -0.0986841917, 0.503633142, 1.00405765,
        -0.118423104, -0.304853439, -0.0411806703, 0.323454648],
    "uniform f64": [92, 0, -0.3188377065242193, 0.7893724164928765, 0.7978242884805135, 0.2917673094262449,
        0.45918564994580485, 0.1343958120337786, 1.0313038776736705, -0.18109784359048237, 0.17247841468782038,
        0.5128997265723247],
    "uniform f16": [46, 0, 0.000426292, 0.0285797, 0.0888062, 0.0180817, 0.0582275, 0.0916138, 0.0167694, 0.00434494,
        0.0219269, 0.0462341],
    "randn f32": [153, 1, 0.803276062, 0.0889780968, 0.977431774, -0.392150223, 0.626399159, -0.20898445, 0.104947545,
        -0.197455928, 0.125049368, -1.7963357],
    "randn f64": [254, 1, 0.8032760780963507, 0.08897809502587893, 0.9774318000770603, -0.3921502293284928,
        0.2900023399885953, -0.030576560820710613, 0.1424621448667908, 1.6034829778761301, -0.6481519723891453,
        -0.24856305005887988],
    "randn c64": [192, 0, 0.568001986+0.123625875j, 0.0326559246-0.967505336j, 0.350151509-0.116189651j,
        -0.415187895+0.615962148j, -0.610655129-0.14695175j, -0.989817202+0.364336878j, -0.119116329-0.858061612j,
        -0.258986533-0.659127712j, -0.242279053-0.643042982j, 0.0859729871-0.711436093j],
    "normal f32": [153, 1, 1.74098277, 1.52669346, 1.79322958, 1.38235497, 1.68791974, 1.43730462, 1.53148425,
        1.44076324, 1.53751481, 0.961099267],
    "normal f16": [116, 1, 1.74121, 1.52637, 1.79297, 1.38281, 1.6875, 1.93359, 1.49219, 1.81934, 1.40723, 1.05762],
    "normal bf16": [116, 1, 1.74219, 1.52344, 1.79688, 1.38281, 1.6875, 1.92969, 1.49219, 1.82031, 1.40625, 1.05469],
    "normal c128": [344, 0, 1.6704005885960593+1.5370877633896527j, 1.5097967774274341+1.2097483971154963j,
        1.605045451704251+1.4651431051722075j, 1.6941230512359775+1.3397598507118365j,
        1.0052036196765828+1.6041627538884276j, 1.8310868428203035+1.5686691531780474j,
        1.6397005132896234+1.4632488413582847j, 1.8610407857265199+1.4614335325368324j,
        1.5746453026409817+1.809095597146843j, 1.7774256607851187+1.7575073641206018j],
    "log_normal f32": [92, 0, 4.06184816, 2.84194613, 4.43140173, 2.23429298, 1.69935977, 3.97023892, 5.36223269,
        9.29804516, 1.44447076, 3.45558453],
    "exponential f32": [92, 0, 0.011567818, 0.494143546, 0.502518773, 0.193974882, 0.268242657, 0.136623532,
        0.907058239, 0.0448667593, 0.149624035, 0.296062946],
    "exponential f64": [92, 0, 0.3470345482151741, 14.824306370934867, 15.075563066133075, 5.819246514367315,
        8.047279649219485, 4.0987061013100154, 27.21174728896503, 1.346002733193599, 4.48872122882623,
        8.881888586785053],
    "cauchy f32": [92, 0, -17.5932255, 3.3108747, 3.39527726, 0.626146495, 1.33476698, -0.130278811, 10.5372524,
        -3.78860378, 0.0715210065, 1.57152569],
    "geometric i64": [92, 0, 16, 2, 2, 4, 3, 5, 1, 10, 5, 3],
    "geometric u8": [92, 0, 81, 26, 25, 82, 59, 109, 7, 207, 102, 53],
    "bernoulli f32": [92, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0],
    "bernoulli p f32": [46, 0, True, True, False, True, False, False, True, True, True, False],
    "bernoulli p f64": [92, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0],
    "random_ i64": [92, 0, 937055941807507096, 5366245355481424840, 8131506278483621524, 823628912192280955,
        7498968873523327863, 4551664419365697712, 7871699498217317980, 4477712349181226873, 7686398438409058983,
        7238082637396478755],
    "random_ f64": [92, 0, 307219314442800, 6961798910534005, 7012550707245838, 3973780010849568, 4979093578821687,
        3028795721495223, 8414548828430067, 1134319574952328, 3257474114990930, 5301635839461376],
    "random_ bf16": [46, 0, 200, 97, 189, 51, 209, 49, 87, 145, 180, 140],
    "random_ bool": [46, 0, False, True, True, False, True, True, False, False, False, True],
    "random_ from i32": [92, 0, 671572431, 1653748018, 1117750610, 1949842379, 1054034866, 68290937, 595791291,
        2093688467, 1265429504, 954041098],
    "random_ all i64": [92, 0, -8286316095047268712, 5366245355481424840, 8131506278483621524, -8399743124662494853,
        7498968873523327863, -4671707617489078096, -1351672538637457828, -4745659687673548935, -1536973598445716825,
        7238082637396478755],
    "randint i64": [46, 0, 536, 737, 839, 22, 773, 803, 12, 806, 506, 615],
    "randint wide": [92, 0, 35325592, 252666824, 31454868, 32921979, 1160055, 85178544, 31270492, 190033785,
        192756391, 149981987],
    "randint f16": [46, 0, 176, 12, 189, 37, 116, 119, 89, 176, 31, 286],
    "randperm": [36, 0, 0, 1, 6, 7, 8, 7, 11, 94, 751, 74],
    "multinomial": [92, 0, 0, 1, 4, 6, 11, 4, 4, 27, 285, 76],
    "multinomial again": [180, 0, 0, 1, 4, 13, 5, 11, 1, 18, 794, 70],
    "poisson": [122, 0, 0, 6, 27, 0, 4, 9, 16, 4, 23, 26],
    "binomial": [494, 0, 9, 21, 83, 6, 20, 33, 30, 25, 69, 93],
    "gamma": [10, 1, 0.737749875, 1.57048881, 9.16644764, 0.0358434469, 0.372436315, 1.51630044, 0.741217673,
        0.460668832, 6.65913677, 4.76687574],
    "dirichlet": [10, 1, 0.9999999999999999, 0.8655857982793554, 0.33124550029608646, 0.000699863348227579,
        0.00727497508712977, 0.035778153457138695, 0.006897783016400227, 0.0014363918685888573, 0.0019207548049196114,
        0.014558675353181684],
}  # fmt: skip


def place(generator):
    record = np.frombuffer(generator.state_array().tobytes(), STATE_DTYPE)[0]
    return int(record["next"]), int(record["normal_is_valid"])


def last(array):
    return array.reshape(-1)[-1].item()


def tolerance(dtype):
    return TOLERANCE.get(dtype, 0)


@pytest.mark.parametrize("name", CASES)
def test_numbers_equal_those_frozen_from_torch(name):
    dtype, ours, _ = CASES[name]
    at, waiting, *expected = FROZEN[name]
    g = R.Generator().manual_seed(SEED)
    got = [last(ours(shape, dtype, g)) for shape in SHAPES]
    assert got == pytest.approx(expected, rel=tolerance(dtype), abs=tolerance(dtype))
    assert place(g) == (at, waiting)


def test_a_sequence_of_different_calls_stays_in_step():
    g = R.Generator().manual_seed(11)
    got = [
        last(R.normal((3,), F32, 0.0, 1.0, g)),
        last(R.uniform((5,), F32, 0.0, 1.0, g)),
        last(R.normal((2,), F64, 0.0, 1.0, g)),  # begins with the half pair that the first call left
        last(R.randint((4,), I64, 0, 1000, g)),
        last(R.log_normal((1,), F64, 0.0, 1.0, g)),  # and so does this one
        last(R.normal((17,), F32, 0.0, 1.0, g)),
        last(R.randperm(9, I64, g)),
        last(R.normal((1,), F32, 0.0, 1.0, g)),
        last(R.bernoulli((3,), F32, 0.5, g)),
    ]
    expected = [-0.699541628, 0.2718876, -0.0542142871, 508, 0.826613935, 1.0097872, 2, -0.308036715, 0]
    assert got == pytest.approx(expected, rel=2e-6)
    assert place(g) == (72, 1)


def test_engine_hands_out_the_same_words_in_every_form():
    n = 70_000  # more than one chunk
    words = Engine(9).raw(2 * n)
    pairs = (words[::2] << np.uint64(32)) | words[1::2]
    assert (Engine(9).words64(n) == pairs).all()
    assert (Engine(9).doubles(n) == (pairs % 2**53) / 2**53).all()
    assert (Engine(9).floats(n) == (words[:n] % 2**24) / 2**24).all()
    single = Engine(9)
    assert [single.double() for _ in range(3)] == Engine(9).doubles(3).tolist()


def test_normals_of_memory_with_gaps_come_in_pairs():
    g, h = R.Generator().manual_seed(2), R.Generator().manual_seed(2)
    whole = R.normal((100,), F64, generator=g, contiguous=False)
    parts = np.concatenate([R.normal((k,), F64, generator=h) for k in (1, 2, 15, 14, 15, 13, 15, 15, 10)])
    np.testing.assert_allclose(whole, parts, rtol=1e-14)


def test_fill_walks_memory_as_torch_does():
    out = np.zeros((6, 4), F32, order="F")
    assert R.fill(out, R.uniform, generator=R.Generator().manual_seed(0)) is out
    assert out.T.ravel().tolist() == R.uniform((24,), F32, generator=R.Generator().manual_seed(0)).tolist()
    p = np.linspace(0, 1, 24, dtype=F32).reshape(6, 4)
    R.fill(out, R.bernoulli, p, generator=R.Generator().manual_seed(0))
    direct = R.bernoulli((4, 6), F32, np.ascontiguousarray(p.T), R.Generator().manual_seed(0))
    assert out.T.tolist() == direct.tolist()
    R.fill(out, R.normal, generator=R.Generator().manual_seed(0))
    serial = R.normal((24,), F32, generator=R.Generator().manual_seed(0), contiguous=False)
    assert out.T.ravel().tolist() == serial.tolist()


@pytest.mark.parametrize("n", [256, 257, 5000])
def test_randperm_equals_swapping_one_by_one(n):
    words = Engine(1).raw(n - 1).tolist()
    items = list(range(n))
    for i, word in enumerate(words):
        j = i + word % (n - i)
        items[i], items[j] = items[j], items[i]
    assert R.randperm(n, I64, R.Generator().manual_seed(1)).tolist() == items


def test_permutations_too_large_for_one_word_an_element(monkeypatch):
    monkeypatch.setattr(discrete, "_SMALL_PERM", 100)
    assert sorted(R.randperm(1000, I64).tolist()) == list(range(1000))


def test_rounding_never_reaches_the_open_end():
    for dtype in (F16, BF16):
        values = R.uniform((200_000,), dtype, generator=R.Generator().manual_seed(0)).astype(F32)
        assert values.min() == 0
        assert values.max() < 1


def test_moments():
    g = R.Generator().manual_seed(0)
    n = (200_000,)
    assert abs(R.normal(n, F32, 2.0, 3.0, g).mean() - 2) < 0.03
    assert abs(R.exponential(n, F32, 0.5, g).mean() - 2) < 0.03
    assert abs(R.dropout_mask(n, F32, 0.25, g).mean() - 1) < 0.01
    z = R.normal(n, C64, generator=g)
    assert abs((np.abs(z) ** 2).mean() - 1) < 0.02


def test_multinomial_keeps_rows_apart_and_skips_zero_weights():
    w = np.array([[0, 1, 0, 1], [5, 0, 0, 0]], F32)
    drawn = R.multinomial(w, 50, True, R.Generator().manual_seed(0))
    assert drawn.shape == (2, 50)
    assert set(drawn[0].tolist()) == {1, 3}
    assert set(drawn[1].tolist()) == {0}
    assert R.multinomial(np.ones((0, 3), F32), 2).shape == (0, 2)


# ---------------------------------------------------------------- against torch itself


def torch_dtype(torch, dtype):
    return getattr(torch, dtype.name)


def from_torch(torch, tensor):
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(BF16)
    return tensor.numpy()


@pytest.mark.torch
@pytest.mark.parametrize("seed", [0, 42, -1, 2**40 + 5])
@pytest.mark.parametrize("name", CASES)
def test_against_torch(name, seed):
    torch = pytest.importorskip("torch")
    dtype, ours, theirs = CASES[name]
    g, h = R.Generator().manual_seed(seed), torch.Generator().manual_seed(seed)
    for shape in [(0,), (), *SHAPES, (70_001,)]:
        if name.startswith(("multinomial", "dirichlet")) and size(shape) == 0:
            continue
        expected = from_torch(torch, theirs(torch, shape, torch_dtype(torch, dtype), h))
        got = ours(shape, dtype, g)
        assert isinstance(got, np.ndarray)
        assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
        wide = np.complex128 if dtype.kind == "c" else np.float64 if dtype.kind in "fV" else dtype
        limit = tolerance(dtype)
        np.testing.assert_allclose(got.astype(wide), expected.astype(wide), rtol=limit, atol=limit)
        record, other = (np.frombuffer(s.tobytes(), STATE_DTYPE)[0] for s in (g.state_array(), h.get_state().numpy()))
        for field in STATE_DTYPE.names:
            np.testing.assert_allclose(record[field], other[field], rtol=1e-13)


@pytest.mark.torch
def test_states_pass_between_torch_and_here():
    torch = pytest.importorskip("torch")
    h = torch.Generator().manual_seed(8)
    torch.randn(3, generator=h)
    g = R.Generator()
    g.set_state_array(h.get_state().numpy())
    assert g.state_array().tobytes() == h.get_state().numpy().tobytes()
    expected = torch.randn(9, generator=h, dtype=torch.float64).numpy()
    np.testing.assert_allclose(R.normal((9,), F64, generator=g), expected)
    h.set_state(torch.from_numpy(g.state_array()))
    assert torch.rand(700, generator=h).tolist() == R.uniform((700,), F32, generator=g).tolist()


@pytest.mark.torch
@pytest.mark.parametrize("name", ["uniform", "normal", "random_", "exponential", "cauchy", "log_normal"])
def test_fill_against_torch(name):
    torch = pytest.importorskip("torch")
    there = torch.zeros(2, 3, 24)[:, :, ::2].transpose(0, 2)[:, :2]
    here = np.zeros((2, 3, 24), F32)[:, :, ::2].swapaxes(0, 2)[:, :2]
    getattr(there, name.rstrip("_") + "_")(generator=torch.Generator().manual_seed(0))
    R.fill(here, getattr(R, name), generator=R.Generator().manual_seed(0))
    np.testing.assert_allclose(here, there.numpy(), rtol=2e-6)
