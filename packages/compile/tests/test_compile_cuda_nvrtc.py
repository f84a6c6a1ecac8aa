"""CUDA text is built by NVRTC, kept in the cache, and refused with the kernel's name."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from compile_cuda_programs import needs_nvrtc

from lamella.compile.build import cache, nvrtc
from lamella.compile.errors import BuildError, CompileError, CompilerMissing
from lamella.dispatch.config import settings

TEXT = """#include "lamella/cuda/loops.cuh"
namespace lamella { namespace program {
// adds one
extern "C" __global__ void __launch_bounds__(256) k0_add(const float* x, float* y, long n) {
    for (long i = grid_thread(); i < n; i += grid_threads()) y[i] = x[i] + 1.0f;
}
extern "C" __global__ void k1_exp(const float16* x, bfloat16* y, long n) {
    for (long i = grid_thread(); i < n; i += grid_threads()) y[i] = exp(float(x[i]));
}
} }
"""


@pytest.fixture
def folder(tmp_path):
    old, settings.cache_dir = settings.cache_dir, str(tmp_path)
    yield tmp_path
    settings.cache_dir = old


@needs_nvrtc
@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_machine_code(folder, arch):
    built = nvrtc.compile(TEXT, arch)
    assert built[:4] == b"\x7fELF" and b"k0_add" in built and b"k1_exp" in built


@needs_nvrtc
def test_what_was_built_is_found_again(folder, monkeypatch):
    first = nvrtc.compile(TEXT)
    monkeypatch.setattr(type(nvrtc.find()), "build", lambda *_: pytest.fail("built again"))
    assert nvrtc.compile(TEXT) == first == nvrtc.compile(TEXT.replace("// adds one", "// in another line"))


@needs_nvrtc
def test_gpus_newer_than_the_compiler_get_ptx(folder):
    assert b".target sm_" in nvrtc.compile(TEXT, "sm_999")


@needs_nvrtc
def test_errors_name_the_kernel_the_file_and_what_the_compiler_said(folder):
    with pytest.raises(BuildError) as error:
        nvrtc.compile(TEXT.replace("exp(float(", "expo(float("))
    said = str(error.value)
    assert "NVRTC refused the kernel k1_exp" in said and 'identifier "expo" is undefined' in said
    assert Path(error.value.source).read_text() == TEXT.replace("exp(float(", "expo(float(")


def test_what_is_too_old_is_refused():
    for arch in ("sm_75", "gfx90a", ""):
        with pytest.raises(CompileError, match="compute capability 8.0"):
            nvrtc.compile(TEXT, arch)


def test_without_nvrtc_the_error_says_what_to_install(monkeypatch):
    def missing(make):
        raise ModuleNotFoundError(f"No module named {make.package!r}")

    monkeypatch.setattr(nvrtc, "_made", missing)
    with pytest.raises(CompilerMissing, match="there is no NVRTC") as error:
        nvrtc.compile(TEXT)
    assert "cuda-bindings" in str(error.value) and "cuda-check" in str(error.value)


def test_kernels_and_their_lines():
    assert nvrtc.kernel_at(TEXT, 2) is None
    assert [nvrtc.kernel_at(TEXT, n) for n in (4, 5, 6, 7, 9)] == ["k0_add"] * 3 + ["k1_exp"] * 2


def test_a_file_for_messages(folder):
    assert nvrtc.source_of(TEXT) == nvrtc.source_of(TEXT) and nvrtc.source_of(TEXT).read_text() == TEXT
    assert nvrtc.source_of(TEXT).is_relative_to(cache.directory())


def test_nothing_of_this_is_loaded_with_the_package():
    code = "import sys, lamella.compile; print(any(n.split('.')[0] in ('cupy', 'cuda') for n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "False", done.stderr
    assert importlib.util.find_spec("lamella.compile.build.nvrtc") is not None
