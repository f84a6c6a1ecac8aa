"""Finding a C++ compiler, asking it once what it can do, and running it.

Order: the setting ``LAMELLA_CXX``, then g++, clang++ and c++ on the path, then the compiler inside the package
ziglang. What the compiler accepts (its version, OpenMP, flags) is asked once and kept in the cache folder, as long as
the executable stays the same file.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from lamella.dispatch.config import declare, settings

from ..errors import BuildError, CompileError, CompilerMissing

declare("cxx", str, "", "the C++ compiler of compiled programs, with leading arguments if any; empty: search")
declare("cxx_flags", str, "", "further flags for the C++ compiler, after all others", enters_compile_key=True)
declare("cxx_timeout", int, 600, "seconds that one run of the C++ compiler may take", minimum=1)

#: Flags that every compiler must take.
BASE = ("-std=c++17", "-shared", "-fPIC")
#: Flags that are used where the compiler takes them. A load that g++ sinks into a branch becomes a masked load of a
#: vector loop, and g++ 12 makes wrong code of some of those. Threaded jumps turn minima into comparisons and blends.
#: With what it finds out about functions' effects, it drops calls of some kernels that write.
WANTED = ("-O3", "-march=native", "-mprefer-vector-width=512", "-fno-math-errno", "-fno-trapping-math",
          "-ffp-contract=fast", "-fno-plt", "-fno-gnu-unique", "-fno-ipa-cp-clone", "-fno-tree-sink",
          "-fno-thread-jumps", "-fno-ipa-pure-const", "-fno-ipa-modref", "-w")
INCLUDE = Path(__file__).resolve().parent.parent / "include"
_PROBE = """#include <cmath>
extern "C" double lamella_probe(double x) { return std::sqrt(x); }
"""
_OPENMP = """#include <omp.h>
extern "C" int lamella_probe(double* x, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] += 1;
    return omp_get_max_threads();
}
"""


@dataclass(frozen=True)
class Compiler:
    """A compiler that works.

    Attributes:
        command: the executable and leading arguments.
        version: the first line that ``--version`` prints.
        flags: all flags of a build.
        openmp: whether OpenMP links.
    """

    command: tuple[str, ...]
    version: str
    flags: tuple[str, ...]
    openmp: bool

    @property
    def key(self) -> str:
        """What a cached library depends on besides its source: compiler, flags, processor."""
        return "\n".join([*self.command, self.version, *self.all_flags(), cpu_model()])

    def all_flags(self) -> tuple[str, ...]:
        """The flags, those of the settings too."""
        return (*self.flags, *shlex.split(settings.cxx_flags))

    def line(self, source: str, output: str, extra: tuple[str, ...] = ()) -> list[str]:
        """The command that builds ``source``."""
        return [*self.command, *self.all_flags(), "-I", str(INCLUDE), *extra, source, "-o", output]

    def build(self, source: str, output: str, extra: tuple[str, ...] = ()) -> None:
        """Build a shared library.

        Raises:
            BuildError: the compiler refused, with what it said.
        """
        command = self.line(source, output, extra)
        done = _run(command, settings.cxx_timeout)
        if done is None:
            raise BuildError("the C++ compiler was stopped", source, command, "error: it ran longer than "
                             f"LAMELLA_CXX_TIMEOUT={settings.cxx_timeout} s")
        if done.returncode:
            raise BuildError("the C++ compiler refused a generated file", source, command, done.stdout,
                             hint=f"all of it: {' '.join(command)}")

    def compile(self, source: str, output: str, extra: tuple[str, ...] = ()) -> bool:
        """Make an object file; False where the compiler refuses."""
        flags = [flag for flag in self.all_flags() if flag != "-shared"]
        done = _run([*self.command, *flags, "-c", "-I", str(INCLUDE), *extra, source, "-o", output],
                    settings.cxx_timeout)
        return done is not None and done.returncode == 0

    def link(self, objects: list[str], output: str, extra: tuple[str, ...] = ()) -> bool:
        """Make a shared library of object files; False where that fails."""
        done = _run([*self.command, *self.all_flags(), *objects, *extra, "-o", output], settings.cxx_timeout)
        return done is not None and done.returncode == 0


_found: dict[str, Compiler] = {}
_lock = threading.Lock()


def find() -> Compiler:
    """The compiler to use.

    Raises:
        CompilerMissing: there is none, or the one that ``LAMELLA_CXX`` names does not work.
    """
    wanted = settings.cxx
    found = _found.get(wanted)
    if found is None:
        with _lock:
            found = _found.get(wanted) or _search(wanted)
            _found[wanted] = found
    return found


def forget() -> None:
    """Search again on the next `find`."""
    _found.clear()


def _search(wanted: str) -> Compiler:
    reasons = []
    for command in _candidates(wanted):
        try:
            return _known(command)
        except CompileError as error:
            reasons.append(str(error).splitlines()[0])
    if wanted:
        raise CompilerMissing("build", "LAMELLA_CXX names no compiler that works", repr(wanted), details=reasons)
    raise CompilerMissing("build", "there is no C++ compiler", details=reasons,
                          hint="install g++ or clang++, or the extra lamella-compile[zig], or set LAMELLA_CXX")


def _candidates(wanted: str) -> list[tuple[str, ...]]:
    if wanted:
        first, *rest = shlex.split(wanted)
        return [(shutil.which(first) or first, *rest)]
    names = ("clang++", "g++", "c++") if sys.platform == "darwin" else ("g++", "clang++", "c++")
    found: list[tuple[str, ...]] = [(path,) for path in map(shutil.which, names) if path]
    if importlib.util.find_spec("ziglang") is not None:
        found.append((sys.executable, "-m", "ziglang", "c++"))
    return found


def _known(command: tuple[str, ...]) -> Compiler:
    """The facts of a compiler: from the cache folder, or asked now."""
    from . import cache

    path = cache.directory() / "compilers" / (hashlib.sha256(_identity(command).encode()).hexdigest()[:20] + ".json")
    try:
        facts = json.loads(path.read_text("utf-8"))
        return Compiler(command, facts["version"], tuple(facts["flags"]), bool(facts["openmp"]))
    except (OSError, ValueError, KeyError, TypeError):
        pass
    compiler = _ask(command)
    facts = {"version": compiler.version, "flags": compiler.flags, "openmp": compiler.openmp, "command": command}
    cache.write_text(path, json.dumps(facts))
    return compiler


def _identity(command: tuple[str, ...]) -> str:
    marks = list(command)
    try:
        stat = os.stat(command[0])
        marks += [str(stat.st_size), str(stat.st_mtime_ns)]
    except OSError:
        pass
    return "\n".join([*marks, *WANTED, *BASE, cpu_model()])


def _ask(command: tuple[str, ...]) -> Compiler:
    version = _run([*command, "--version"], 60)
    if version is None or version.returncode:
        raise CompilerMissing("build", "the compiler does not run", shlex.join(command))
    with tempfile.TemporaryDirectory(prefix="lamella-") as folder:
        good = list(WANTED)
        if not _takes(command, folder, _PROBE, (*BASE, *good)):
            good = [flag for flag in WANTED if _takes(command, folder, _PROBE, (*BASE, flag))]
            if "-march=native" not in good and _takes(command, folder, _PROBE, (*BASE, "-mcpu=native")):
                good.append("-mcpu=native")
        if not _takes(command, folder, _PROBE, (*BASE, *good)):
            raise CompilerMissing("build", "the compiler makes no shared library", shlex.join(command))
        openmp = _takes(command, folder, _OPENMP, (*BASE, *good, "-fopenmp"))
    flags = (*BASE, *good, *(("-fopenmp",) if openmp else ()))
    return Compiler(command, version.stdout.splitlines()[0] if version.stdout else "", flags, openmp)


def _takes(command: tuple[str, ...], folder: str, text: str, flags: tuple[str, ...]) -> bool:
    source, output = os.path.join(folder, "probe.cpp"), os.path.join(folder, "probe.so")
    Path(source).write_text(text, "utf-8")
    done = _run([*command, *flags, source, "-o", output], 120)
    return done is not None and done.returncode == 0 and os.path.exists(output)


def _run(command: list[str], timeout: int) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              encoding="utf-8", errors="replace", timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return None
    except OSError as error:
        raise CompilerMissing("build", "the compiler does not start", f"{shlex.join(command)}: {error}") from None


_cpu: list[str] = []


def cpu_model() -> str:
    """The processor in words: its model and what instructions it has."""
    if not _cpu:
        _cpu.append(_read_cpu())
    return _cpu[0]


def _read_cpu() -> str:
    wanted = ("model name", "flags", "Features", "CPU part", "CPU implementer")
    lines: dict[str, str] = {}
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                name = line.split(":")[0].strip()
                if name in wanted and name not in lines:
                    lines[name] = line.strip()
                elif not line.strip() and lines:
                    break
    except OSError:
        pass
    text = "\n".join(lines.values()) or platform.processor()
    return f"{platform.machine()} {hashlib.sha256(text.encode()).hexdigest()[:16]}"
