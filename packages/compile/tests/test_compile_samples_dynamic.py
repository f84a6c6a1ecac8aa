"""Every operator's samples with sizes that vary: one C++ program for all sizes gives eager's numbers and gradients.

In each call of a sample one of its sizes is varied wherever it occurs (see `compile_dynamic_helper`), if eager runs
the call with other sizes. Many calls make one program, in which all varying sizes are one variable.
"""

from __future__ import annotations

import warnings

import pytest
from compile_dynamic_helper import SIZES, Calls, cases
from compile_dynamic_static import STATIC
from test_compile_samples import agree

import lamella.nn  # noqa: F401 - its operators
from lamella.compile import compile
from lamella.compile.capture.breaks import Break
from lamella.core.samples import all_samples

pytestmark = pytest.mark.slow


#: How many rows of samples are looked at together.
ROWS = 16
SAMPLES = sorted((s for package in ("lamella.core", "lamella.nn") for s in all_samples(package) if not s.random),
                 key=lambda row: row.name)
NAMES = sorted({row.name for row in SAMPLES})
CHUNKS = [NAMES[i : i + ROWS] for i in range(0, len(NAMES), ROWS)]


def varying(names):
    """The calls of operators, by what keeps them from having one program for all sizes ("" for nothing)."""
    found = {}
    for case in cases(row for row in SAMPLES if row.name in names):
        reason = STATIC.get(repr(case)) or ("" if case.is_row_major() else "of a contiguous tensor")
        found.setdefault(reason, []).append(case)
    return found


@pytest.mark.parametrize("chunk", range(len(CHUNKS)), ids=lambda i: CHUNKS[i][0])
def test_samples(chunk):
    found = varying(CHUNKS[chunk])
    if found.get(""):
        one_program(Calls(found.pop("")), first=chunk % 6 == 0)
    for case in found.pop("Break", []):
        with pytest.raises(Break):
            compile(Calls([case]).function(), fullgraph=True, backend="eager")(*case.tensors(SIZES[0]))
    for reason, several in found.items():
        for case in several:
            one_size_at_a_time(Calls([case]), reason)


def one_program(calls, first):
    """All sizes give eager's results; if ``first``, the first size has a program of its own, as it has for users."""
    function = calls.function()
    fast = compile(function, fullgraph=True)
    if not first:
        fast.compiled.sizes |= calls.dims()
    for seed, size in enumerate(SIZES):
        tensors = calls.tensors(size, seed)
        wanted = function(*tensors)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            agree([f"{case} at {size}" for case in calls.cases], fast(*tensors), wanted)
    assert not fast.compiled.fixed, fast.compiled.fixed_reason
    assert len(fast.compiled.entries) == 1 + first, fast.compiled.recompiles


def one_size_at_a_time(calls, reason):
    """No size can vary; the results are right all the same."""
    function = calls.function()
    fast = compile(function, fullgraph=True, backend="eager")
    fast.compiled.sizes |= calls.dims()
    for seed, size in enumerate(SIZES):
        tensors = calls.tensors(size, seed)
        agree([f"{case} at {size}" for case in calls.cases], fast(*tensors), function(*tensors))
    why = fast.compiled.fixed_reason
    assert reason in why or len(fast.compiled.entries) > 1, f"{calls.cases}: one program would do ({why})"
