"""Random programs, captured, compiled and differentiated: outputs, gradients and shared memory must be eager's."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest
import test_compile_graph_fuzz as fuzz

from lamella.compile.function import CompiledFunction

NAMES = [*fuzz.MAKE, *fuzz.VIEW, *fuzz.VIEW, *fuzz.WRITE, *fuzz.WRITE]
#: What is left to eager on purpose.
REFUSED = ("as_strided with an offset", "memory that has no history of its own", "memory with two histories",
           "a write through")


def leaves(grad: bool) -> list[Any]:
    return [t.requires_grad_() if grad and t.is_floating_point() else t for t in fuzz.inputs()]


def program(seed: int, grad: bool) -> Any:
    """A program all of whose steps run eagerly, and its outputs."""
    r = random.Random(seed)
    # as_strided of a view reaches beyond it; eager's gradient does not
    names = [n for n in NAMES if n != "strided"] if grad else NAMES
    steps = [(r.choice(names), r.randrange(30), r.randrange(30), r.randrange(6)) for _ in range(r.randrange(3, 14))]
    made = fuzz.Program(steps, [r.randrange(30) for _ in range(r.randrange(1, 5))])
    made(*[t * 1 for t in leaves(True)])
    ran = [line.rstrip(")").partition("(") for line in made.log]
    return fuzz.Program([(name, *map(int, rest.split(", "))) for name, _, rest in ran], made.outputs)


def gradients(outputs: list[Any], inputs: list[Any]) -> Any:
    """The gradients of inputs, or what eager says against them."""
    total = sum((i + 1) * (t * t).sum() for i, t in enumerate(outputs) if t.requires_grad)
    try:
        if not isinstance(total, int):
            total.backward()
    except RuntimeError as error:
        return str(error).partition(":")[2][:60]
    return [t.grad for t in inputs]


def check(seed: int, grad: bool, backend: str = "aot_eager") -> None:
    made = program(seed, grad)

    def fn(*tensors: Any) -> Any:
        return made(*[t * 1 if grad and t.is_floating_point() else t for t in tensors])

    mine, theirs = leaves(grad), leaves(grad)
    want = fn(*theirs)
    call = CompiledFunction(fn, backend=backend)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where eager's backward fails, so does the one that is recorded
        got = call(*mine)
    for a, b in zip([*mine, *got], [*theirs, *want], strict=True):
        assert a.requires_grad == b.requires_grad and fuzz.equal(a.detach(), b.detach()), made
    assert fuzz.shared([*mine, *got]) == fuzz.shared([*theirs, *want]), made
    found, right = gradients(got, mine), gradients(want, theirs)
    breaks = [b for b in map(str, call.breaks.values()) if not any(known in b for known in REFUSED)]
    assert not breaks or isinstance(right, str), breaks
    if isinstance(right, str):
        return  # a program that wrote to what its backward needs
    assert not isinstance(found, str), (made, found)
    for a, b in zip(found, right, strict=True):
        assert (a is None) == (b is None) and (a is None or fuzz.equal(a, b)), made


@pytest.mark.parametrize("grad", [False, True])
def test_random_programs(grad: bool) -> None:
    for seed in range(40):
        check(seed, grad)


@pytest.mark.slow
@pytest.mark.parametrize("grad", [False, True])
def test_many_random_programs(grad: bool) -> None:
    for seed in range(40, 800):
        check(seed, grad)


@pytest.mark.slow
def test_random_programs_in_machine_code() -> None:
    for seed in range(1000, 1060):
        check(seed, True, "cpp")
