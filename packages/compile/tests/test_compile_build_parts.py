"""Long sources are compiled in parts, with functions of the headers that are compiled once."""

from __future__ import annotations

import ctypes
import sys

import numpy as np
import pytest

from lamella.compile.build import compilers, instances, library, load, split
from lamella.compile.errors import BuildError, CompilerMissing
from lamella.dispatch.config import settings

HEAD = """#include "lamella/report.h"
#include "lamella/types.h"
#include "lamella/math.h"
#include "lamella/loops.h"
#include "lamella/gemm.h"

namespace lamella {
namespace program {

"""
KERNEL = """// what it does
KERNEL k%d(const float* __restrict x, float* __restrict y,
        long first, long last) {
    for (long i = first; i < last; ++i) {
        y[i] = x[i] * %d.0f;
    }
}

"""
TAIL = """}  // namespace program
}  // namespace lamella

using namespace lamella;

extern "C" int segment0(char** bufs, const long* symbols, const double* scalars, Report* report) {
    auto x = reinterpret_cast<float*>(bufs[0]);
    auto y = reinterpret_cast<float*>(bufs[1]);
    auto z = reinterpret_cast<float*>(bufs[2]);
%s    lamella::gemm(2, 2, 2, 1.0, x, 2, 1, y, 2, 1, false, z, 2, nullptr);
    return 0;
}
"""


def program(count: int) -> str:
    calls = "".join(f"    program::k{n}(x, y, 0, 4);\n" for n in range(count))
    return HEAD + "".join(KERNEL % (n, n + 2) for n in range(count)) + TAIL % calls


@pytest.fixture
def folder(tmp_path):
    try:
        compilers.find()
    except CompilerMissing as missing:
        pytest.skip(str(missing))
    with settings.using(cache_dir=str(tmp_path)):
        yield tmp_path


def run(text: str) -> np.ndarray:
    x, y, z = np.arange(4, dtype=np.float32), np.zeros(4, np.float32), np.zeros(4, np.float32)
    bufs = (ctypes.c_void_p * 3)(x.ctypes.data, y.ctypes.data, z.ctypes.data)
    assert load(text).handle.segment0(bufs, None, None, None) == 0
    return z


def test_parts_hold_each_kernel_once(monkeypatch):
    monkeypatch.setattr(split, "PART", 500)
    text = program(9)
    for count in (2, 3, 4):
        made = split.parts(text, count)
        assert len(made) == count and sum("segment0" in part for part in made) == 1
        for n in range(9):
            assert sum(f"* {n + 2}.0f" in part for part in made) == 1
        assert f"KERNEL k{8}(" in made[0]
    assert split.parts(text, 1) == [text] and len(split.parts(program(1), 4)) == 1


def test_what_is_not_printed_by_emission_stays_whole(monkeypatch):
    monkeypatch.setattr(split, "PART", 10)
    for text in ("int f() { return 0; }", program(4).replace("KERNEL k2", "static int other;\nKERNEL k2"),
                 program(4).replace("gemm.h", "blas.h")):
        assert split.parts(text, 4) == [text]


def test_programs_in_parts_compute_the_same(folder, monkeypatch):
    expected = (np.arange(4).reshape(2, 2) @ (np.arange(4) * 6).reshape(2, 2)).ravel()
    whole = run(program(5))
    monkeypatch.setattr(split, "PART", 500)
    monkeypatch.setattr(split, "processors", lambda: 3)
    parts = run(program(5).replace("k4", "k44"))
    assert whole.tolist() == parts.tolist() == expected.tolist()


def test_shared_functions_are_compiled_once(folder):
    run(program(1))
    made = {p: p.stat().st_ino for p in folder.rglob("*.o")}
    assert len(made) == 1
    run(program(2))
    assert {p: p.stat().st_ino for p in folder.rglob("*.o")} == made


def test_an_error_in_a_part_is_that_of_the_whole(folder, monkeypatch):
    monkeypatch.setattr(split, "PART", 500)
    monkeypatch.setattr(split, "processors", lambda: 2)
    with pytest.raises(BuildError, match="nothing_of_this_name"):
        load(program(5).replace("x[i] * 4.0f", "nothing_of_this_name"))


@pytest.mark.skipif(sys.platform != "linux", reason="names of libraries are given otherwise")
def test_further_arguments_reach_the_linker(folder, monkeypatch):
    monkeypatch.setattr(split, "PART", 500)
    monkeypatch.setattr(split, "processors", lambda: 2)
    found = load(program(5), ("-Wl,-soname,name_of_this_test",))
    assert b"name_of_this_test" in found.path.read_bytes()


def test_nothing_is_left_of_functions_that_are_not_shared(folder, monkeypatch):
    monkeypatch.setattr(instances.Instance, "source", lambda self: "#error nothing to share")
    run(program(1).replace("k0", "k_alone"))
    assert not list(folder.rglob("*.out")) and len(list(folder.rglob("*.cpp"))) == 1


def test_all_shared_functions_are_found():
    families = {each.name for header in instances.HEADERS for each in instances.used(
        f'#include "lamella/{header}"\nreinterpret_cast<float*>(p);' + "".join(
            f"lamella::{name}(" for name in instances._functions(header)))}
    assert {"gemm", "bmm", "attention", "conv_forward", "conv_backward_input", "conv_backward_weight", "lstm_loop",
            "gru_loop", "rnn_loop"} <= families
    assert instances.used("lamella::gemm(") == []
    text = program(1)
    found = instances.used(text)
    assert [each.type for each in found] == ["float"] and instances.declared(text, found).count("extern template") == 2


def test_comments_do_not_count():
    text = program(1)
    assert library.code(text) == library.code(text.replace("// what it does", "// at /some/other/place.py:3"))
    assert library.code(text) != library.code(text.replace("2.0f", "3.0f"))
