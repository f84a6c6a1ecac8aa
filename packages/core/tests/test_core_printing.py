"""Printing: the expected texts were produced by torch 2.13 from the same arrays."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lamella.core import printing
from lamella.core.dtypes import BY_NAME, float32, float64, set_default_dtype
from lamella.core.serialization import names
from lamella.core.tensor import META, Tensor, wrap

nan, inf = float("nan"), float("inf")

CASES: list[tuple[str, Any, str, dict[str, Any], str]] = [
    ("0-d float", 3.5, "float32", {}, "tensor(3.5000)"),
    ("0-d int-valued", 3.0, "float32", {}, "tensor(3.)"),
    ("0-d int", 7, "int64", {}, "tensor(7)"),
    ("0-d bool", True, "bool", {}, "tensor(True)"),
    ("0-d complex", 1.5-2j, "complex64", {}, "tensor(1.5000-2.j)"),
    ("0-d small", 1e-7, "float64", {}, "tensor(1.0000e-07, dtype=torch.float64)"),
    ("ints as floats", [1, 2, 30], "float32", {}, "tensor([ 1.,  2., 30.])"),
    ("mixed", [1, 2.5, -30], "float32", {}, "tensor([  1.0000,   2.5000, -30.0000])"),
    ("wide range", [1e-3, 2.5, 3000], "float32", {}, "tensor([1.0000e-03, 2.5000e+00, 3.0000e+03])"),
    ("large", [1e9, 2], "float32", {}, "tensor([1.0000e+09, 2.0000e+00])"),
    ("large odd", [123456789.5, 1], "float64", {}, "tensor([1.2346e+08, 1.0000e+00], dtype=torch.float64)"),
    ("tiny", [0, 1e-5], "float32", {}, "tensor([0.0000e+00, 1.0000e-05])"),
    ("nan inf ints", [nan, inf, -inf, 1], "float32", {}, "tensor([nan, inf, -inf, 1.])"),
    ("nan inf floats", [nan, inf, -inf, 0.5, 0], "float32", {}, "tensor([   nan,    inf,   -inf, 0.5000, 0.0000])"),
    ("only nan", [nan], "float32", {}, "tensor([nan])"),
    ("only inf", [-inf, 0], "float32", {}, "tensor([-inf, 0.])"),
    ("nan sci", [nan, inf, 1e10, 2], "float32", {}, "tensor([       nan,        inf, 1.0000e+10, 2.0000e+00])"),
    ("negative zero", [-0.0, 1.5], "float32", {}, "tensor([-0.0000, 1.5000])"),
    ("negative zero int", [-0.0, 1], "float32", {}, "tensor([-0., 1.])"),
    ("half", [1.0009765625, 65504], "float16", {}, "tensor([1.0010e+00, 6.5504e+04], dtype=torch.float16)"),
    ("half ints", [1, 2], "float16", {}, "tensor([1., 2.], dtype=torch.float16)"),
    ("bfloat16", [1.5, 3.140625], "bfloat16", {}, "tensor([1.5000, 3.1406], dtype=torch.bfloat16)"),
    ("double", [0.1, 0.2], "float64", {}, "tensor([0.1000, 0.2000], dtype=torch.float64)"),
    ("bools", [[True, False], [False, True]], "bool", {},
     """\
tensor([[ True, False],
        [False,  True]])"""),
    ("uint8", [0, 255], "uint8", {}, "tensor([  0, 255], dtype=torch.uint8)"),
    ("int8", [-128, 5], "int8", {}, "tensor([-128,    5], dtype=torch.int8)"),
    ("int16", [-128, 5], "int16", {}, "tensor([-128,    5], dtype=torch.int16)"),
    ("int32", [[1, -200], [30, 4]], "int32", {},
     """\
tensor([[   1, -200],
        [  30,    4]], dtype=torch.int32)"""),
    ("uint64", [2**64 - 1, 0], "uint64", {},
     """\
tensor([18446744073709551615,                    0], dtype=torch.uint64)"""),
    ("uint16", [65535, 0], "uint16", {}, "tensor([65535,     0], dtype=torch.uint16)"),
    ("int64", [[1, -200], [30, 4]], "int64", {},
     """\
tensor([[   1, -200],
        [  30,    4]])"""),
    ("complex", [1.5 - 2j, 3j, -1], "complex64", {}, "tensor([ 1.5000-2.j,  0.0000+3.j, -1.0000+0.j])"),
    ("complex ints", [1 - 2j, 3j, complex(-0.0, -0.0)], "complex64", {}, "tensor([1.-2.j, 0.+3.j, -0.-0.j])"),
    ("complex sci", [1e-6 - 2j, 3e9j], "complex128", {},
     """\
tensor([1.0000e-06-2.0000e+00j, 0.0000e+00+3.0000e+09j],
       dtype=torch.complex128)"""),
    ("complex nan", [complex(nan, inf), complex(1.5, -inf), 2 + 0.25j], "complex64", {},
     """\
tensor([   nan+infj, 1.5000-infj, 2.0000+0.2500j])"""),
    ("complex rows", np.arange(12).reshape(2, 6) * (1.25 - 0.5j), "complex64", {},
     """\
tensor([[ 0.0000+0.0000j,  1.2500-0.5000j,  2.5000-1.0000j,  3.7500-1.5000j,
          5.0000-2.0000j,  6.2500-2.5000j],
        [ 7.5000-3.0000j,  8.7500-3.5000j, 10.0000-4.0000j, 11.2500-4.5000j,
         12.5000-5.0000j, 13.7500-5.5000j]])"""),
    ("matrix", np.arange(6).reshape(2, 3) / 4, "float32", {},
     """\
tensor([[0.0000, 0.2500, 0.5000],
        [0.7500, 1.0000, 1.2500]])"""),
    ("3-d", np.arange(12).reshape(2, 2, 3), "int64", {},
     """\
tensor([[[ 0,  1,  2],
         [ 3,  4,  5]],

        [[ 6,  7,  8],
         [ 9, 10, 11]]])"""),
    ("4-d", np.arange(16).reshape(2, 2, 2, 2) / 8, "float32", {},
     """\
tensor([[[[0.0000, 0.1250],
          [0.2500, 0.3750]],

         [[0.5000, 0.6250],
          [0.7500, 0.8750]]],


        [[[1.0000, 1.1250],
          [1.2500, 1.3750]],

         [[1.5000, 1.6250],
          [1.7500, 1.8750]]]])"""),
    ("long row", np.arange(30) / 7, "float32", {},
     """\
tensor([0.0000, 0.1429, 0.2857, 0.4286, 0.5714, 0.7143, 0.8571, 1.0000, 1.1429,
        1.2857, 1.4286, 1.5714, 1.7143, 1.8571, 2.0000, 2.1429, 2.2857, 2.4286,
        2.5714, 2.7143, 2.8571, 3.0000, 3.1429, 3.2857, 3.4286, 3.5714, 3.7143,
        3.8571, 4.0000, 4.1429])"""),
    ("long int row", np.arange(60), "int64", {},
     """\
tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,
        18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
        36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53,
        54, 55, 56, 57, 58, 59])"""),
    ("long rows", np.arange(40).reshape(2, 20) / 3, "float32", {},
     """\
tensor([[ 0.0000,  0.3333,  0.6667,  1.0000,  1.3333,  1.6667,  2.0000,  2.3333,
          2.6667,  3.0000,  3.3333,  3.6667,  4.0000,  4.3333,  4.6667,  5.0000,
          5.3333,  5.6667,  6.0000,  6.3333],
        [ 6.6667,  7.0000,  7.3333,  7.6667,  8.0000,  8.3333,  8.6667,  9.0000,
          9.3333,  9.6667, 10.0000, 10.3333, 10.6667, 11.0000, 11.3333, 11.6667,
         12.0000, 12.3333, 12.6667, 13.0000]])"""),
    ("summary", np.arange(1001), "int64", {}, "tensor([   0,    1,    2,  ...,  998,  999, 1000])"),
    ("not yet summary", np.arange(1000).reshape(10, 100)[:1], "int64", {},
     """\
tensor([[ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,
         18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
         36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53,
         54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71,
         72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89,
         90, 91, 92, 93, 94, 95, 96, 97, 98, 99]])"""),
    ("summary 2-d", np.arange(2000).reshape(40, 50) / 10, "float32", {},
     """\
tensor([[0.0000e+00, 1.0000e-01, 2.0000e-01,  ..., 4.7000e+00, 4.8000e+00,
         4.9000e+00],
        [5.0000e+00, 5.1000e+00, 5.2000e+00,  ..., 9.7000e+00, 9.8000e+00,
         9.9000e+00],
        [1.0000e+01, 1.0100e+01, 1.0200e+01,  ..., 1.4700e+01, 1.4800e+01,
         1.4900e+01],
        ...,
        [1.8500e+02, 1.8510e+02, 1.8520e+02,  ..., 1.8970e+02, 1.8980e+02,
         1.8990e+02],
        [1.9000e+02, 1.9010e+02, 1.9020e+02,  ..., 1.9470e+02, 1.9480e+02,
         1.9490e+02],
        [1.9500e+02, 1.9510e+02, 1.9520e+02,  ..., 1.9970e+02, 1.9980e+02,
         1.9990e+02]])"""),
    ("summary short side", np.arange(2000).reshape(400, 5) / 10, "float32", {},
     """\
tensor([[0.0000e+00, 1.0000e-01, 2.0000e-01, 3.0000e-01, 4.0000e-01],
        [5.0000e-01, 6.0000e-01, 7.0000e-01, 8.0000e-01, 9.0000e-01],
        [1.0000e+00, 1.1000e+00, 1.2000e+00, 1.3000e+00, 1.4000e+00],
        ...,
        [1.9850e+02, 1.9860e+02, 1.9870e+02, 1.9880e+02, 1.9890e+02],
        [1.9900e+02, 1.9910e+02, 1.9920e+02, 1.9930e+02, 1.9940e+02],
        [1.9950e+02, 1.9960e+02, 1.9970e+02, 1.9980e+02, 1.9990e+02]])"""),
    ("summary 3-d", np.arange(3000).reshape(20, 10, 15), "float32", {},
     """\
tensor([[[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 1.2000e+01,
          1.3000e+01, 1.4000e+01],
         [1.5000e+01, 1.6000e+01, 1.7000e+01,  ..., 2.7000e+01,
          2.8000e+01, 2.9000e+01],
         [3.0000e+01, 3.1000e+01, 3.2000e+01,  ..., 4.2000e+01,
          4.3000e+01, 4.4000e+01],
         ...,
         [1.0500e+02, 1.0600e+02, 1.0700e+02,  ..., 1.1700e+02,
          1.1800e+02, 1.1900e+02],
         [1.2000e+02, 1.2100e+02, 1.2200e+02,  ..., 1.3200e+02,
          1.3300e+02, 1.3400e+02],
         [1.3500e+02, 1.3600e+02, 1.3700e+02,  ..., 1.4700e+02,
          1.4800e+02, 1.4900e+02]],

        [[1.5000e+02, 1.5100e+02, 1.5200e+02,  ..., 1.6200e+02,
          1.6300e+02, 1.6400e+02],
         [1.6500e+02, 1.6600e+02, 1.6700e+02,  ..., 1.7700e+02,
          1.7800e+02, 1.7900e+02],
         [1.8000e+02, 1.8100e+02, 1.8200e+02,  ..., 1.9200e+02,
          1.9300e+02, 1.9400e+02],
         ...,
         [2.5500e+02, 2.5600e+02, 2.5700e+02,  ..., 2.6700e+02,
          2.6800e+02, 2.6900e+02],
         [2.7000e+02, 2.7100e+02, 2.7200e+02,  ..., 2.8200e+02,
          2.8300e+02, 2.8400e+02],
         [2.8500e+02, 2.8600e+02, 2.8700e+02,  ..., 2.9700e+02,
          2.9800e+02, 2.9900e+02]],

        [[3.0000e+02, 3.0100e+02, 3.0200e+02,  ..., 3.1200e+02,
          3.1300e+02, 3.1400e+02],
         [3.1500e+02, 3.1600e+02, 3.1700e+02,  ..., 3.2700e+02,
          3.2800e+02, 3.2900e+02],
         [3.3000e+02, 3.3100e+02, 3.3200e+02,  ..., 3.4200e+02,
          3.4300e+02, 3.4400e+02],
         ...,
         [4.0500e+02, 4.0600e+02, 4.0700e+02,  ..., 4.1700e+02,
          4.1800e+02, 4.1900e+02],
         [4.2000e+02, 4.2100e+02, 4.2200e+02,  ..., 4.3200e+02,
          4.3300e+02, 4.3400e+02],
         [4.3500e+02, 4.3600e+02, 4.3700e+02,  ..., 4.4700e+02,
          4.4800e+02, 4.4900e+02]],

        ...,

        [[2.5500e+03, 2.5510e+03, 2.5520e+03,  ..., 2.5620e+03,
          2.5630e+03, 2.5640e+03],
         [2.5650e+03, 2.5660e+03, 2.5670e+03,  ..., 2.5770e+03,
          2.5780e+03, 2.5790e+03],
         [2.5800e+03, 2.5810e+03, 2.5820e+03,  ..., 2.5920e+03,
          2.5930e+03, 2.5940e+03],
         ...,
         [2.6550e+03, 2.6560e+03, 2.6570e+03,  ..., 2.6670e+03,
          2.6680e+03, 2.6690e+03],
         [2.6700e+03, 2.6710e+03, 2.6720e+03,  ..., 2.6820e+03,
          2.6830e+03, 2.6840e+03],
         [2.6850e+03, 2.6860e+03, 2.6870e+03,  ..., 2.6970e+03,
          2.6980e+03, 2.6990e+03]],

        [[2.7000e+03, 2.7010e+03, 2.7020e+03,  ..., 2.7120e+03,
          2.7130e+03, 2.7140e+03],
         [2.7150e+03, 2.7160e+03, 2.7170e+03,  ..., 2.7270e+03,
          2.7280e+03, 2.7290e+03],
         [2.7300e+03, 2.7310e+03, 2.7320e+03,  ..., 2.7420e+03,
          2.7430e+03, 2.7440e+03],
         ...,
         [2.8050e+03, 2.8060e+03, 2.8070e+03,  ..., 2.8170e+03,
          2.8180e+03, 2.8190e+03],
         [2.8200e+03, 2.8210e+03, 2.8220e+03,  ..., 2.8320e+03,
          2.8330e+03, 2.8340e+03],
         [2.8350e+03, 2.8360e+03, 2.8370e+03,  ..., 2.8470e+03,
          2.8480e+03, 2.8490e+03]],

        [[2.8500e+03, 2.8510e+03, 2.8520e+03,  ..., 2.8620e+03,
          2.8630e+03, 2.8640e+03],
         [2.8650e+03, 2.8660e+03, 2.8670e+03,  ..., 2.8770e+03,
          2.8780e+03, 2.8790e+03],
         [2.8800e+03, 2.8810e+03, 2.8820e+03,  ..., 2.8920e+03,
          2.8930e+03, 2.8940e+03],
         ...,
         [2.9550e+03, 2.9560e+03, 2.9570e+03,  ..., 2.9670e+03,
          2.9680e+03, 2.9690e+03],
         [2.9700e+03, 2.9710e+03, 2.9720e+03,  ..., 2.9820e+03,
          2.9830e+03, 2.9840e+03],
         [2.9850e+03, 2.9860e+03, 2.9870e+03,  ..., 2.9970e+03,
          2.9980e+03, 2.9990e+03]]])"""),
    ("summary hides width", np.where(np.arange(2000) == 1000, 1e12, 1.5), "float32", {},
     """\
tensor([1.5000, 1.5000, 1.5000,  ..., 1.5000, 1.5000, 1.5000])"""),
    ("summary complex", np.arange(1500) * (1 + 1j), "complex64", {},
     """\
tensor([0.0000e+00+0.0000e+00j, 1.0000e+00+1.0000e+00j, 2.0000e+00+2.0000e+00j,
         ..., 1.4970e+03+1.4970e+03j, 1.4980e+03+1.4980e+03j,
        1.4990e+03+1.4990e+03j])"""),
    ("summary half", np.arange(1200) / 8, "float16", {},
     """\
tensor([0.0000e+00, 1.2500e-01, 2.5000e-01,  ..., 1.4962e+02, 1.4975e+02,
        1.4988e+02], dtype=torch.float16)"""),
    ("empty", np.zeros(0), "float32", {}, "tensor([])"),
    ("empty 2-d", np.zeros((2, 0)), "float32", {}, "tensor([], size=(2, 0))"),
    ("empty int", np.zeros((0, 3)), "int64", {}, "tensor([], size=(0, 3), dtype=torch.int64)"),
    ("empty bool", np.zeros(0), "bool", {}, "tensor([], dtype=torch.bool)"),
    ("precision 2", [1.2345, 10], "float32", {"precision": 2}, "tensor([ 1.23, 10.00])"),
    ("precision 0", [1.2345, 10], "float32", {"precision": 0}, "tensor([ 1, 10])"),
    ("sci on", [1, 20], "float32", {"sci_mode": True}, "tensor([1.0000e+00, 2.0000e+01])"),
    ("sci off", [1e-7, 20, 1e9], "float32", {"sci_mode": False},
     """\
tensor([         0.0000,         20.0000, 1000000000.0000])"""),
    ("threshold 5", np.arange(10), "int64", {"threshold": 5}, "tensor([0, 1, 2,  ..., 7, 8, 9])"),
    ("edgeitems 1", np.arange(49).reshape(7, 7), "int64", {"threshold": 5, "edgeitems": 1},
     """\
tensor([[ 0,  ...,  6],
        ...,
        [42,  ..., 48]])"""),
    ("edgeitems 0", np.arange(49).reshape(7, 7), "int64", {"threshold": 5, "edgeitems": 0},
     """\
tensor([...], size=(7, 7))"""),
    ("linewidth 30", np.arange(12) / 2, "float32", {"linewidth": 30},
     """\
tensor([0.0000, 0.5000,
        1.0000, 1.5000,
        2.0000, 2.5000,
        3.0000, 3.5000,
        4.0000, 4.5000,
        5.0000, 5.5000])"""),
    ("linewidth 1", np.arange(3) / 2, "float64", {"linewidth": 1},
     """\
tensor([0.0000,
        0.5000,
        1.0000],
       dtype=torch.float64)"""),
    ("short", np.arange(1200) / 7, "float32", {"profile": "short"},
     """\
tensor([0.00e+00, 1.43e-01,  ..., 1.71e+02, 1.71e+02])"""),
    ("full", np.arange(1001)[-5:] / 7, "float32", {"profile": "full"},
     """\
tensor([142.2857, 142.4286, 142.5714, 142.7143, 142.8571])"""),
    ("suffix wraps", np.arange(9) + 0.125, "float64", {},
     """\
tensor([0.1250, 1.1250, 2.1250, 3.1250, 4.1250, 5.1250, 6.1250, 7.1250, 8.1250],
       dtype=torch.float64)"""),
]


@pytest.fixture(autouse=True)
def torch_defaults() -> Iterator[None]:
    printing.set_printoptions(profile="default")
    yield
    printing.set_printoptions(profile="default")
    set_default_dtype(float32)


def make(values: Any, dtype: str = "float32") -> Tensor:
    return wrap(np.array(values, BY_NAME[dtype].np))


def of_class(cls: type, values: Any, **attributes: Any) -> Any:
    t: Any = object.__new__(cls)
    t._a, t._ks, t._ag, t._vc, t._base = np.array(values, np.float32), 1, None, None, None
    t.__dict__.update(attributes)
    return t


class Marked(Tensor):
    grad_fn: Any = None  # type: ignore[assignment]
    requires_grad: Any = False  # type: ignore[assignment]


@pytest.mark.parametrize(("values", "dtype", "options", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_text(values: Any, dtype: str, options: dict[str, Any], expected: str) -> None:
    printing.set_printoptions(**options)
    assert repr(make(values, dtype)) == expected


def test_strided_views_print_in_their_own_order() -> None:
    t = wrap(np.arange(6, dtype=np.int64).reshape(2, 3).T)
    assert repr(t) == "tensor([[0, 3],\n        [1, 4],\n        [2, 5]])"


def test_meta_shows_size_and_no_elements() -> None:
    assert repr(wrap(np.zeros((2, 3), np.float32), META)) == "tensor(..., device='meta', size=(2, 3))"
    expected = "tensor(..., device='meta', size=(2,), dtype=torch.int64)"
    assert repr(wrap(np.zeros(2, np.int64), META)) == expected


def test_default_dtype_is_the_one_without_suffix() -> None:
    set_default_dtype(float64)
    assert repr(make([1.5], "float64")) == "tensor([1.5000])"
    assert repr(make([1.5])) == "tensor([1.5000], dtype=torch.float32)"
    assert repr(make([1j], "complex128")) == "tensor([0.+1.j])"
    assert repr(make([1j], "complex64")) == "tensor([0.+1.j], dtype=torch.complex64)"
    assert repr(make([], "float32")) == "tensor([], dtype=torch.float32)"


def test_gradient_suffixes() -> None:
    node = type("MulBackward0", (), {})()
    assert repr(of_class(Marked, [1.0], grad_fn=node)) == "Marked([1.], grad_fn=<MulBackward0>)"
    assert repr(of_class(Marked, [1.0], requires_grad=True)) == "Marked([1.], requires_grad=True)"
    named = SimpleNamespace(name=lambda: "torch::autograd::AccumulateGrad")
    assert repr(of_class(Marked, [1.0], grad_fn=named)) == "Marked([1.], grad_fn=<AccumulateGrad>)"


def test_history_that_cannot_be_rebased_still_prints() -> None:
    class Stale(Tensor):
        @property
        def grad_fn(self) -> Any:
            raise RuntimeError("rebase")

    assert repr(of_class(Stale, [1.0])) == "Stale([1.], grad_fn=<Invalid>)"


def test_suffixes_move_to_a_new_line_when_the_row_is_full() -> None:
    t = of_class(Marked, np.arange(9) + 0.125, requires_grad=True)
    assert repr(t) == (
        "Marked([0.1250, 1.1250, 2.1250, 3.1250, 4.1250, 5.1250, 6.1250, 7.1250, 8.1250],\n       requires_grad=True)"
    )


def test_parameters_and_their_subclasses(monkeypatch: pytest.MonkeyPatch) -> None:
    class Param(Tensor):
        _plain = True
        requires_grad = True  # type: ignore[assignment]

    class Special(Param):
        pass

    monkeypatch.setattr(names, "_parameter", Param)
    assert repr(of_class(Param, [1.0, 2.0])) == "tensor([1., 2.], requires_grad=True)"
    assert repr(of_class(Special, [1.0, 2.0])) == "Parameter(Special([1., 2.], requires_grad=True))"


def test_given_contents_and_tangent() -> None:
    t = make([1.0, 2.0], "float64")
    assert printing.tensor_repr(t, tensor_contents="<...>") == "tensor(<...>, dtype=torch.float64)"
    assert printing.tensor_repr(make([1.0]), tangent=make([2.0])) == "tensor([1.], tangent=tensor([2.]))"


def test_options_are_kept_until_changed_and_sci_mode_is_not() -> None:
    printing.set_printoptions(precision=2, sci_mode=True)
    printing.set_printoptions(edgeitems=5)
    assert printing.get_printoptions() == {
        "precision": 2, "threshold": 1000, "edgeitems": 5, "linewidth": 80, "sci_mode": None,
    }


def test_options_of_a_block_end_with_it_also_after_an_error() -> None:
    before = printing.get_printoptions()
    with pytest.raises(KeyError), printing.printoptions(precision=7, sci_mode=False):
        assert printing.get_printoptions()["precision"] == 7
        raise KeyError
    assert printing.get_printoptions() == before


def test_unlimited_line_width() -> None:
    with printing.printoptions(linewidth=inf):  # type: ignore[arg-type]
        assert "\n" not in repr(make(np.arange(900.0)))


def test_unknown_profile_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"^set_printoptions: profile is one of default, short, full \('ful'\)$"):
        printing.set_printoptions(profile="ful")


def test_big_tensors_are_trimmed_before_they_are_formatted() -> None:
    t = wrap(np.broadcast_to(np.float32(0.5), (10**6, 10**6)))
    assert repr(t).count("0.5000") == 36  # formatting all of it would take days
