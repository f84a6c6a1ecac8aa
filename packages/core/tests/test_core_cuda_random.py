"""Random numbers on a GPU: Philox and its distributions on the stand-in, its CUDA C++ built by the host's compiler."""

import ctypes
import pickle
import shutil
import subprocess

import numpy as np
import pytest
from cupy_standin.bodies import philox

from lamella.core import default_generator, empty, float64, manual_seed, randn, randperm, tensor
from lamella.core.random import Generator, fork_rng
from lamella.core.random.gpu import GpuGenerator, default_gpu_generator


def test_philox_gives_the_known_answers():
    assert [int(w) for w in np.ravel(philox(0, 0, [0]))] == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    ones = 0xFFFFFFFFFFFFFFFF
    assert [int(w) for w in np.ravel(philox(ones, ones, np.array([ones], np.uint64)))] == [
        0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD,
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_kernels_text_gives_the_same_numbers(cupy_on_numpy, tmp_path):
    from cupy_standin.own import kernels

    from lamella.core.cuda.random.engine import BODIES, PHILOX

    types = {"uint64": "unsigned long long", "float32": "float", "float64": "double"}
    text = ["#include <cmath>\nusing std::sqrt; using std::log; using std::cos;\n#define __device__\n" + PHILOX]
    for name, (kind, expression) in BODIES.items():
        text.append(
            f'extern "C" void {name}(unsigned long long seed, unsigned long long offset, {types[kind]}* out, int n) {{ '
            f"for (int i = 0; i < n; ++i) {{ lamella_words p = lamella_philox(seed, offset, (unsigned long long)i); "
            f"out[i] = {expression}; }} }}"
        )
    (tmp_path / "draws.cpp").write_text("\n".join(text))
    library = tmp_path / "draws.so"
    subprocess.run(
        ["g++", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-o", str(library), str(tmp_path / "draws.cpp")],
        check=True, timeout=60,
    )  # fmt: skip
    draws = ctypes.CDLL(str(library))
    for name, (kind, _) in BODIES.items():
        out, want = np.empty(1000, kind), np.empty(1000, kind)
        seed, offset = 2**63 + 12345, 2**40 + 7
        where = out.ctypes.data_as(ctypes.c_void_p)
        getattr(draws, name)(ctypes.c_ulonglong(seed), ctypes.c_ulonglong(offset), where, 1000)
        kernels[name](seed, offset, want)
        np.testing.assert_allclose(out, want, rtol=1e-15 if name == "lamella_normal" else 0, atol=1e-15)


def test_seeds_states_and_offsets(cupy_on_numpy):
    g = Generator(device="cuda").manual_seed(7)
    assert type(g) is GpuGenerator and g.device.type == "cuda" and g.initial_seed() == 7
    a = randn(5, device="cuda", generator=g)
    state = g.get_state()
    assert state.numel() == 16 and g.get_offset() == 1
    b, twin = randn(5, device="cuda", generator=g), g.clone_state()
    g.set_state(state)
    assert randn(5, device="cuda", generator=g).tolist() == b.tolist() != a.tolist()
    assert pickle.loads(pickle.dumps(twin)).get_offset() == twin.get_offset() == 2
    manual_seed(11)
    c = [randn(3, device=d).tolist() for d in ("cuda:0", "cuda:1")]
    assert c[0] == c[1] and default_gpu_generator(1).initial_seed() == 11
    manual_seed(11)
    with fork_rng():
        randn(3, device="cuda")
    assert randn(3, device="cuda:0").tolist() == c[0]
    with pytest.raises(RuntimeError, match="wrong size"):
        g.set_state(default_generator.get_state())


def test_generators_of_other_devices_are_refused(cupy_on_numpy):
    with pytest.raises(RuntimeError, match="Expected a 'cpu' device type for generator but found 'cuda'"):
        randn(3, generator=Generator("cuda"))
    with pytest.raises(RuntimeError, match="Expected a 'cuda' device type for generator but found 'cpu'"):
        randn(3, device="cuda", generator=Generator())
    with pytest.raises(RuntimeError, match="cuda:1 but found one of cuda:0"):
        randn(3, device="cuda:1", generator=Generator("cuda:0"))


@pytest.mark.parametrize(
    "name, args, mean, deviation",
    [
        ("normal_", (2, 3), 2, 3),
        ("uniform_", (-1, 3), 1, 4 / 12**0.5),
        ("exponential_", (2,), 0.5, 0.5),
        ("log_normal_", (0, 0.5), np.exp(0.125), np.exp(0.125) * np.sqrt(np.exp(0.25) - 1)),
        ("geometric_", (0.25,), 4, 12**0.5),
        ("bernoulli_", (0.3,), 0.3, 0.21**0.5),
        ("random_", (10,), 4.5, (99 / 12) ** 0.5),
    ],
)
def test_distributions_have_their_moments(cupy_on_numpy, name, args, mean, deviation):
    manual_seed(1)
    n = 40000
    x = getattr(empty(200, 200, dtype=float64, device="cuda"), name)(*args).cpu().numpy()
    assert abs(x.mean() - mean) < 5 * deviation / n**0.5
    assert abs(x.std() - deviation) < 0.05 * deviation


def test_what_is_drawn_by_rejection_has_its_moments(cupy_on_numpy):
    import cupy

    from lamella.core.cuda import random

    manual_seed(2)
    ones = cupy.ones(20000)
    for x, mean, variance in (
        (random.poisson(ones * 3), 3, 3),
        (random.poisson(ones * 50), 50, 50),
        (random.binomial(ones * 20, ones * 0.7), 14, 4.2),
        (random.binomial(ones * 100, ones * 0.4), 40, 24),
        (random.standard_gamma(ones * 0.5), 0.5, 0.5),
        (random.standard_gamma(ones * 4), 4, 4),
    ):
        x = x.get()
        assert abs(x.mean() - mean) < 5 * (variance / x.size) ** 0.5
        assert abs(x.var() / variance - 1) < 0.08
    points = random.dirichlet(cupy.ones((100, 3))).get()
    np.testing.assert_allclose(points.sum(-1), 1)


def test_flips_are_uniform_numbers_below_the_probability(cupy_on_numpy):
    from lamella.core import bfloat16, int64
    from lamella.core.cuda.random import dropout_mask

    g = Generator("cuda")
    drawn = empty(64, dtype=float64, device="cuda").uniform_(generator=g.manual_seed(5)).cpu().numpy()
    for dtype in (float64, bfloat16, int64):
        flips = empty(64, dtype=dtype, device="cuda").bernoulli_(0.3, generator=g.manual_seed(5))
        np.testing.assert_array_equal(flips.cpu().double().numpy(), drawn < 0.3)
    manual_seed(5)
    kept = dropout_mask((64,), np.float32, 0.25).get()
    np.testing.assert_array_equal(kept, np.where(drawn < 0.75, np.float32(1) / np.float32(0.75), 0))
    manual_seed(5)
    np.testing.assert_array_equal(dropout_mask((8, 8), np.complex64, 0.25).get().real.ravel(), kept)


def test_permutations_and_draws_from_weights(cupy_on_numpy):
    manual_seed(3)
    assert sorted(randperm(50, device="cuda").tolist()) == list(range(50))
    w = tensor([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]], device="cuda")
    rows = w.multinomial(20000, replacement=True).cpu().numpy()
    for row, want in zip(rows, w.tolist(), strict=True):
        np.testing.assert_allclose(np.bincount(row, minlength=3) / 20000, want, atol=0.02)
    assert sorted(w[0].multinomial(3).tolist()) == [0, 1, 2]
