"""From CUDA text to machine code of a GPU, by NVRTC: CuPy's where CuPy is in use, else that of cuda-bindings.

Neither a GPU nor a driver is needed. What is built lies in the cache beside the libraries of C++ programs.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Sequence
from functools import cache as once
from pathlib import Path
from typing import Any, Protocol

from lamella.dispatch import logs

from ..errors import BuildError, CompileError, CompilerMissing
from . import cache, library
from .compilers import INCLUDE

log = logs.get("cache")
OLDEST = 80  # compute capability 8.0
KERNEL = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(")
_ERROR = re.compile(r"^[^\n(]*\((\d+)\): (?:catastrophic )?error", re.MULTILINE)
_ARCHITECTURE = re.compile(r"sm_(\d+)([a-z]?)")


class Binding(Protocol):
    """A way to call NVRTC.

    Attributes:
        version: of the compiler. architectures: the compute capabilities that it knows (80, 90).
    """

    version: str
    architectures: Sequence[int]

    def build(self, text: str, name: str, options: Sequence[str], ptx: bool) -> tuple[bytes | None, str]:
        """Machine code (or PTX), None where the compiler refuses; and what it said."""
        ...


def find() -> Binding:
    """The NVRTC to use.

    Raises:
        CompilerMissing: there is none.
    """
    reasons = []
    known: list[Any] = [_CuPy, _Bindings] if "cupy" in sys.modules else [_Bindings, _CuPy]
    for make in known:
        try:
            return _made(make)
        except Exception as error:  # noqa: BLE001 - packages without their libraries raise errors of many classes
            reasons.append(f"{make.package}: {type(error).__name__}: {error}".splitlines()[0])
    raise CompilerMissing("build", "there is no NVRTC, which builds CUDA kernels", details=reasons,
                          hint="install lamella-compile[cuda-check], or CuPy on a machine with a GPU")


def compile(text: str, arch: str = "sm_80", name: str = "program.cu", *, optimize: bool = True) -> bytes:
    """Build CUDA text.

    Args:
        text: one translation unit; may include ``lamella/cuda/*.cuh``.
        arch: what to build for: ``sm_80`` or newer. A GPU that is newer than the compiler gets PTX, which its driver
            finishes.
        name: what messages call the text.
        optimize: False builds in a fraction of the time what runs slowly: for checks (of NVRTC 13 and newer).

    Returns:
        The cubin (or PTX).

    Raises:
        CompilerMissing: there is no NVRTC.
        BuildError: it refuses the text; the message names the kernel, a file with the text, and what NVRTC said.

    Example:
        >>> compile("int x;", "sm_35")
        Traceback (most recent call last):
            ...
        lamella.compile.errors.CompileError: compile (build): GPUs of compute capability 8.0 or newer are supported \
(got 'sm_35')
    """
    match = _ARCHITECTURE.fullmatch(arch)
    if match is None or int(match[1]) < OLDEST:
        raise CompileError("build", "GPUs of compute capability 8.0 or newer are supported", f"got {arch!r}")
    binding = find()
    ptx = int(match[1]) not in binding.architectures
    target = f"compute_{max(n for n in binding.architectures if n <= int(match[1]))}" if ptx else arch
    options = [f"--gpu-architecture={target}", "-std=c++17", f"-I{INCLUDE}"]
    if not optimize:
        options.append("--Ofast-compile=max")
    key = cache.digest(library.code(text), headers(), binding.version, target, str(optimize))

    def make(path: Path) -> None:
        built, said = binding.build(text, name, options, ptx)
        if built is None:
            raise _refused(text, options, said)
        path.write_bytes(built)

    path, _ = cache.entry(key, ".ptx" if ptx else ".cubin", make)
    return path.read_bytes()


def source_of(text: str) -> Path:
    """A file with a text, in the cache folder: for messages."""
    key = cache.digest(text)
    path = cache.directory() / key[:2] / f"{key}.cu"  # among the entries, so that old ones are thrown away
    if not path.exists():
        cache.write_text(path, text)
    return path


def _refused(text: str, options: list[str], said: str) -> BuildError:
    error = _ERROR.search(said)
    kernel = kernel_at(text, int(error[1])) if error else None
    file = source_of(text)
    rule = f"NVRTC refused the kernel {kernel}" if kernel else "NVRTC refused a generated file"
    return BuildError(rule, str(file), ["nvrtc", *options], said)


def kernel_at(text: str, line: int) -> str | None:
    """The kernel of a text that a line lies in.

    Example:
        >>> kernel_at('__global__ void one() {\\n}\\n__global__ void two() {\\n  x;\\n}', 4)
        'two'
    """
    found = None
    for match in KERNEL.finditer(text):
        if text.count("\n", 0, match.start()) >= line:
            break
        found = match[1]
    return found


def headers() -> str:
    """A hash of the headers of CUDA programs."""
    return library.headers("*.cuh")


@once
def _made(make: Any) -> Binding:
    return make()


class _Bindings:
    """NVRTC of the package nvidia-cuda-nvrtc (or of a toolkit), through cuda-bindings."""

    package = "cuda-bindings"

    def __init__(self) -> None:
        self.nvrtc = importlib.import_module("cuda.bindings.nvrtc")
        self.version = "nvrtc {}.{}".format(*self._call("nvrtcVersion"))
        self.architectures = tuple(self._call("nvrtcGetSupportedArchs")[0])

    def _call(self, name: str, *arguments: Any) -> tuple[Any, ...]:
        status, *found = getattr(self.nvrtc, name)(*arguments)
        if status != self.nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise RuntimeError(f"{name}: {status}")
        return tuple(found)

    def build(self, text: str, name: str, options: Sequence[str], ptx: bool) -> tuple[bytes | None, str]:
        """See `Binding`."""
        program, = self._call("nvrtcCreateProgram", text.encode(), name.encode(), 0, [], [])
        try:
            status, = self.nvrtc.nvrtcCompileProgram(program, len(options), [each.encode() for each in options])
            said = self._read(program, "ProgramLog").decode(errors="replace").rstrip("\0")
            good = status == self.nvrtc.nvrtcResult.NVRTC_SUCCESS
            return (self._read(program, "PTX" if ptx else "CUBIN") if good else None), said or str(status)
        finally:
            self._call("nvrtcDestroyProgram", program)

    def _read(self, program: Any, what: str) -> bytes:
        size, = self._call(f"nvrtcGet{what}Size", program)
        data = b"\0" * size
        self._call(f"nvrtcGet{what}", program, data)
        return data


class _CuPy:
    """The NVRTC that CuPy has loaded."""

    package = "cupy"

    def __init__(self) -> None:
        self.nvrtc = importlib.import_module("cupy_backends.cuda.libs.nvrtc")
        self.version = "nvrtc {}.{}".format(*self.nvrtc.getVersion())
        self.architectures = tuple(self.nvrtc.getSupportedArchs())

    def build(self, text: str, name: str, options: Sequence[str], ptx: bool) -> tuple[bytes | None, str]:
        """See `Binding`."""
        program = self.nvrtc.createProgram(text, name, (), ())
        try:
            try:
                self.nvrtc.compileProgram(program, tuple(options))
            except self.nvrtc.NVRTCError as error:
                return None, self.nvrtc.getProgramLog(program) or str(error)
            built = self.nvrtc.getPTX(program) if ptx else self.nvrtc.getCUBIN(program)
            return built, self.nvrtc.getProgramLog(program)
        finally:
            self.nvrtc.destroyProgram(program)
