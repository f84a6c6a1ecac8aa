"""Equal launches become one where none needs what another does."""

from __future__ import annotations

from typing import Any

import pytest

from lamella.compile.emit.cuda.many import merge, parameters_of
from lamella.compile.emit.launch import Launch, Matrix, Product
from lamella.compile.emit.source import Source

TEXT = """// doubled
extern "C" __global__ void __launch_bounds__(32) {name}(const float* __restrict__ x, float* y, double by) {{
    for (long i = grid_thread(); i < 8; i += grid_threads()) y[i] = x[i] * by;
}}
"""


def launch(x: int, y: int, by: int = 0, kernel: str = "k", blocks: int = 1) -> Any:
    arguments = [("buffer", x, 0), ("buffer", y, 0), ("scalar", by, "float64")]
    return "launch", Launch(kernel, (blocks, 1, 1), (32, 1, 1), 0, arguments, f"{x} to {y}")


def product(a: int, b: int, c: int) -> Any:
    steps = (0, 4, 1)
    return "product", Product("float32", 1, 4, 4, 4, *(Matrix(n, 0, steps) for n in (a, b, c)))


def merged(*script: Any, alone: Any = ()) -> list[Any]:
    source = Source("", script=list(script), kernels={name: TEXT.format(name=name) for name in ("k", "other")})
    merge(source, lambda slot: slot, lambda a, b: a == b, alone)
    assert {what.kernel for kind, what in source.script if kind == "launch"} == set(source.kernels)
    return [what.kernel if kind == "launch" else kind for kind, what in source.script]


@pytest.mark.parametrize(("script", "found"), [
    ([launch(0, 1), launch(2, 3), launch(4, 5)], ["k_of_3"]),
    ([launch(0, 1), launch(1, 2)], ["k", "k"]),  # reads what the first writes
    ([launch(0, 1), launch(2, 0)], ["k", "k"]),  # writes what the first reads
    ([launch(0, 1), launch(2, 1)], ["k", "k"]),  # both write there
    ([launch(0, 1), product(1, 1, 6), launch(2, 3)], ["k_of_2", "product"]),
    ([launch(0, 1), product(4, 4, 2), launch(2, 3)], ["k", "product", "k"]),
    ([launch(0, 1), ("extern", None), launch(2, 3)], ["k", "extern", "k"]),
    ([launch(0, 1), launch(2, 3, kernel="other"), launch(4, 5), launch(3, 6, kernel="other")],
     ["k_of_2", "other", "other"]),
    ([launch(0, 1), launch(2, 3, blocks=4)], ["k_of_2"]),
])
def test_what_shares_a_launch(script: Any, found: list[str]) -> None:
    assert merged(*script) == found


def test_kernels_that_use_more_of_the_grid_do_not() -> None:
    assert merged(launch(0, 1), launch(2, 3), alone={"k"}) == ["k", "k"]


def test_arguments_that_are_equal_are_passed_once() -> None:
    source = Source("", script=[launch(0, 1), launch(0, 2), launch(0, 3)], kernels={"k": TEXT.format(name="k")})
    merge(source, lambda slot: slot, lambda a, b: a == b)
    [(_, one)] = source.script
    assert one.grid == (1, 3, 1) and one.title == "0 to 1 0 to 2 0 to 3"
    assert one.arguments == [("buffer", 0, 0), ("scalar", 0, "float64"), *(("buffer", n, 0) for n in (1, 2, 3))]
    assert parameters_of(source.kernels["k_of_3"]) == [
        "const float* __restrict__ x", "double by", *(f"float* y_{n}" for n in range(3))]
    assert "case 2: return one(y_2);" in source.kernels["k_of_3"]


def test_a_kernel_takes_no_more_parameters_than_fit() -> None:
    script = [launch(2 * n, 2 * n + 1, n) for n in range(400)]
    assert merged(*script) == ["k_of_170", "k_of_170", "k_of_60"]
