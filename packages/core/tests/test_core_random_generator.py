"""The Generator's interface, its states, and what the distributions refuse."""

import copy
import math
import pickle
import re
import zlib

import numpy as np
import pytest

from lamella.core import random as R
from lamella.core.random.generator import STATE_DTYPE

F32, F64, F16, I64, U8, BOOL, C64 = (np.dtype(c) for c in ("f4", "f8", "f2", "i8", "u1", "?", "c8"))


def place(generator):
    """Where in its block of 624 words the generator is, and whether half a normal pair waits."""
    record = np.frombuffer(generator.state_array().tobytes(), STATE_DTYPE)[0]
    return int(record["next"]), int(record["normal_is_valid"])


class TestGenerator:
    def test_starts_from_torchs_default_seed(self):
        assert R.Generator().initial_seed() == 67280421310721
        assert R.uniform((1,), F32, generator=R.Generator()).item() == pytest.approx(0.267295241)

    @pytest.mark.parametrize(
        ("seed", "initial"),
        [(0, 0), (-1, 2**64 - 1), (-(2**63), 2**63), (2**64 - 1, 2**64 - 1), (np.int64(3), 3), (2**40 + 7, 2**40 + 7)],
    )
    def test_seed_is_kept_as_unsigned_64_bits(self, seed, initial):
        g = R.Generator()
        assert g.manual_seed(seed) is g
        assert g.initial_seed() == initial

    def test_only_the_low_32_bits_enter_the_engine(self):
        a, b = R.Generator().manual_seed(2**40 + 7), R.Generator().manual_seed(7)
        assert R.uniform((4,), F32, generator=a).tolist() == R.uniform((4,), F32, generator=b).tolist()

    @pytest.mark.parametrize("seed", [2**64, -(2**63) - 1])
    def test_seed_out_of_range(self, seed):
        text = f"manual_seed: the seed must lie in [-2**63, 2**64) (seed={seed})"
        with pytest.raises(ValueError, match=re.escape(text)):
            R.manual_seed(seed)

    @pytest.mark.parametrize("seed", [1.5, True, "3", None])
    def test_seed_of_another_type(self, seed):
        with pytest.raises(RuntimeError, match="the seed must be an int"):
            R.Generator().manual_seed(seed)

    def test_random_seeds_differ(self):
        g = R.Generator()
        assert g.seed() != g.seed()
        assert g.initial_seed() < 2**64

    def test_seeding_forgets_the_waiting_normal(self):
        g = R.Generator().manual_seed(0)
        first = R.normal((1,), F64, generator=g).tolist()
        assert g.next_normal is not None
        assert R.normal((1,), F64, generator=g.manual_seed(0)).tolist() == first

    def test_device(self):
        assert str(R.Generator("cpu").device) == "cpu"
        with pytest.raises(RuntimeError, match="only the CPU and GPUs have a generator"):
            R.Generator("meta")
        assert R.Generator("cuda:1").device.index == 1

    def test_state_has_torchs_bytes(self):
        g = R.Generator().manual_seed(5)
        assert zlib.crc32(g.state_array()) == 0xE2922ED1
        R.uniform((3,), F32, generator=g)
        assert zlib.crc32(g.state_array()) == 0x176F3375
        R.uniform((621,), F32, generator=g)
        assert zlib.crc32(g.state_array()) == 0x48DAE3A3
        assert place(g) == (624, 0)

    def test_state_round_trip(self):
        g = R.Generator().manual_seed(5)
        R.normal((7,), F32, generator=g)
        state = g.state_array()
        assert (state.shape, state.dtype) == ((5056,), np.uint8)
        expected = R.normal((700,), F64, generator=g, contiguous=False)
        other = R.Generator()
        other.set_state_array(state)
        assert other.initial_seed() == 5
        assert R.normal((700,), F64, generator=other, contiguous=False).tolist() == expected.tolist()

    @pytest.mark.parametrize("how", ["clone_state", "deepcopy", "pickle"])
    def test_copies_go_on_alone(self, how):
        g = R.Generator().manual_seed(5)
        R.normal((1,), F32, generator=g)
        twin = {
            "clone_state": g.clone_state,
            "deepcopy": lambda: copy.deepcopy(g),
            "pickle": lambda: pickle.loads(pickle.dumps(g)),
        }[how]()
        a = R.normal((3,), F32, generator=twin).tolist()
        assert R.normal((3,), F32, generator=g).tolist() == a

    @pytest.mark.parametrize(
        ("state", "error", "text"),
        [
            (3, TypeError, "the state must be a uint8 tensor (got int)"),
            (np.zeros(5056), TypeError, "the state must be a uint8 tensor (got float64)"),
            (np.zeros(3, np.uint8), RuntimeError, "the state must have 5056 bytes (got 3)"),
            (np.zeros(5056, np.uint8), RuntimeError, "not an mt19937 state (left=0, next=0)"),
        ],
    )
    def test_bad_states(self, state, error, text):
        with pytest.raises(error, match=re.escape("set_state: " + text)):
            R.Generator().set_state_array(state)

    def test_default_generator(self):
        with R.fork_rng():
            assert R.manual_seed(4) is R.default_generator
            assert R.initial_seed() == 4
            got = R.uniform((2,), F32).tolist()
            assert got == R.uniform((2,), F32, generator=R.Generator().manual_seed(4)).tolist()
            assert R.seed() == R.initial_seed()

    def test_fork_rng(self):
        with R.fork_rng():
            R.manual_seed(1)
            before = R.default_generator.state_array().tolist()
            with R.fork_rng():
                R.uniform((9,), F32)
                R.manual_seed(2)
            assert R.default_generator.state_array().tolist() == before
            with R.fork_rng(enabled=False):
                R.uniform((9,), F32)
            assert R.default_generator.state_array().tolist() != before


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: R.uniform((3,), F32, 3, 2), "uniform_: from must not exceed to (from=3, to=2)"),
        (lambda: R.uniform((3,), F16, -1e6, 1), "uniform_: from is out of bounds for float16 (from=-1000000.0)"),
        (lambda: R.uniform((3,), F32, -3e38, 3e38), "uniform_: to - from exceeds float32's range"),
        (lambda: R.uniform((3,), I64), "uniform_: the dtype must be floating point (got int64)"),
        (lambda: R.normal((3,), F32, 0, -1), "normal: std must be at least 0 (std=-1)"),
        (lambda: R.normal((3,), F32, 0, math.nan), "normal: std must be at least 0 (std=nan)"),
        (lambda: R.randint((3,), I64, 5, 5), "random_: from must be less than to (from=5, to=5)"),
        (lambda: R.randint((3,), U8, 0, 300), "random_: to - 1 is out of bounds for uint8 (to - 1=299)"),
        (lambda: R.random_((3,), BOOL, 3, None), "random_: from is out of bounds for bool (from=3)"),
        (lambda: R.random_((3,), C64), "random_: only integer, floating and bool dtypes (got complex64)"),
        (lambda: R.randperm(-1), "randperm: n must not be negative (n=-1)"),
        (lambda: R.randperm(300, U8), "randperm: n is too large for uint8 (n=300)"),
        (lambda: R.bernoulli((3,), F32, 1.5), "bernoulli_: p must lie in [0, 1] (p=1.5)"),
        (lambda: R.bernoulli((1,), F32, np.array([math.nan])), "bernoulli_: every p must lie in [0, 1]"),
        (lambda: R.bernoulli((3,), F32, np.full(2, 0.5)),
         "bernoulli_: the probabilities must broadcast to the result (p=[2], self=[3])"),
        (lambda: R.exponential((3,), F32, 0), "exponential_: lambda must be positive (lambda=0)"),
        (lambda: R.geometric((3,), F32, 1), "geometric_: p must lie in (0, 1) (p=1)"),
        (lambda: R.cauchy((3,), F32, 0, 0), "cauchy_: sigma must be positive (sigma=0)"),
        (lambda: R.log_normal((3,), F32, 0, -1), "log_normal_: std must be positive (std=-1)"),
        (lambda: R.poisson(np.array([-1.0])), "poisson: every rate must be at least 0"),
        (lambda: R.multinomial(np.zeros(3), 1), "multinomial: the weights of a row must have a positive sum"),
        (lambda: R.multinomial(np.array([-1.0, 2]), 1), "multinomial: the weights must be finite and not negative"),
        (lambda: R.multinomial(np.ones(3), 4), "multinomial: more samples than categories (num_samples=4, input=[3])"),
        (lambda: R.multinomial(np.ones(3), 0), "multinomial: num_samples must be positive (num_samples=0)"),
        (lambda: R.multinomial(np.ones((2, 2, 2)), 1), "multinomial: the weights must have one or two dimensions"),
        (lambda: R.multinomial(np.ones(0), 1, True), "multinomial: there are no categories (input=[0])"),
    ],
)  # fmt: skip
def test_errors(call, text):
    with pytest.raises(RuntimeError, match=re.escape(text)):
        call()


def test_whole_numbers_beyond_a_floats_precision_warn():
    with pytest.warns(UserWarning, match=re.escape("random_: to - 1 lies outside [-2048, 2048]")):
        R.randint((3,), F16, 0, 4000)
