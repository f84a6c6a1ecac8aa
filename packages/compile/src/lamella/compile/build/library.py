"""Shared libraries: built through the cache, loaded, and given the BLAS."""

from __future__ import annotations

import ctypes
import os
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache as once
from pathlib import Path
from typing import TypeVar

from lamella.dispatch import logs

from ..errors import BuildError, CompileError
from . import cache, compilers, instances, split

log = logs.get("cache")
Opened = TypeVar("Opened")
_loaded: dict[str, Library] = {}
_locks: dict[str, threading.Lock] = {}
_lock = threading.Lock()


class Library:
    """A loaded shared library.

    Attributes:
        path: the file. source: the C++ file beside it. command: what builds it.
        hit: whether the cache had it.
        openmp: the address of OpenMP's omp_set_num_threads, or 0.
    """

    def __init__(self, path: Path, command: list[str], hit: bool) -> None:
        self.path, self.command, self.hit = path, command, hit
        self.source = path.with_suffix(".cpp")
        self.handle = _open(path)
        self.openmp = self._symbol("omp_set_num_threads")
        self._give_blas()

    def address(self, name: str) -> int:
        """Where a function lies.

        Raises:
            CompileError: there is none of this name.
        """
        found = self._symbol(name)
        if not found:
            raise CompileError("load", "a compiled library lacks a function", f"{name} in {self.path}")
        return found

    def _symbol(self, name: str) -> int:
        try:
            return ctypes.cast(getattr(self.handle, name), ctypes.c_void_p).value or 0
        except AttributeError:
            return 0

    def _give_blas(self) -> None:
        try:
            init = self.handle.lamella_init
        except AttributeError:
            return
        from ..runtime.blas import table

        init.restype = None
        init(table())


def load(text: str, extra: tuple[str, ...] = ()) -> Library:
    """Build a C++ source, or find it built, and load it.

    Args:
        text: the source; may include ``lamella/*.h``.
        extra: further arguments for the compiler.

    Raises:
        CompilerMissing, BuildError: there is no compiler, or it refuses the source.
        CompileError: what was built cannot be loaded.
    """
    compiler = compilers.find()
    key = key_of(text, compiler, extra)
    with _lock:
        mine = _locks.setdefault(key, threading.Lock())
    with mine:  # other threads may build other sources meanwhile
        found = _loaded.get(key)
        if found is None:
            found = _loaded[key] = _load(key, text, compiler, extra)
    return found


def key_of(text: str, compiler: compilers.Compiler, extra: tuple[str, ...] = ()) -> str:
    """What a source's library is found by."""
    return cache.digest(code(text), how(), compiler.key, *extra)


def code(text: str) -> str:
    """A source without the lines that are comments: they tell where the user's lines are, which changes nothing."""
    return "\n".join([line for line in text.split("\n") if not line.lstrip().startswith("//")])


def _load(key: str, text: str, compiler: compilers.Compiler, extra: tuple[str, ...]) -> Library:
    def library(path: Path, hit: bool) -> Library:
        return Library(path, compiler.line(str(path.with_suffix(".cpp")), str(path), extra), hit)

    return opened(key, text, compiler, extra, library, "a compiled library cannot be loaded")


def opened(key: str, text: str, compiler: compilers.Compiler, extra: tuple[str, ...],
           opener: Callable[[Path, bool], Opened], rule: str) -> Opened:
    """Open what is built of a source; where the cache has a file that does not open, it is built again.

    Args:
        key, text, compiler, extra: what the file is found by, and made of.
        opener: called with the file, and whether the cache had it; OSError or ImportError: it does not open.
        rule: what to say of a file that is just built and does not open.
    """
    again = False
    while True:
        path, hit = cache.entry(key, ".so", lambda part: _build(key, text, compiler, extra, part))
        try:
            return opener(path, hit)
        except (OSError, ImportError) as error:
            if again or not hit:
                raise CompileError("load", rule, str(error)) from None
        cache.drop(path)
        again = True


def _build(key: str, text: str, compiler: compilers.Compiler, extra: tuple[str, ...], path: Path) -> None:
    start = time.perf_counter()
    source = path.with_name(key + ".cpp")
    source.write_text(text, "utf-8")
    try:
        if not _linked(text, compiler, extra, path):
            compiler.build(str(source), str(path), extra)
    except BuildError as error:
        if "No space left" in error.output or "Read-only file" in error.output:
            raise OSError(error.output.strip().splitlines()[0]) from None
        raise
    log("built %s in %.2f s", key, time.perf_counter() - start)


def _linked(text: str, compiler: compilers.Compiler, extra: tuple[str, ...], path: Path) -> bool:
    """Build a long source in parts at the same time, with the shared functions of the headers; False where it is short
    or where that fails (the whole then tells why)."""
    shared = instances.used(text)
    parts = split.parts(instances.declared(text, shared))
    if len(parts) == 1 and not shared:
        return False
    with tempfile.TemporaryDirectory(prefix="lamella-") as folder, ThreadPoolExecutor(split.processors()) as pool:
        made = [pool.submit(_shared, each, compiler, extra) for each in shared]
        for n, part in enumerate(parts):
            file = Path(folder, f"part{n}.cpp")
            file.write_text(part, "utf-8")
            made.append(pool.submit(_object, file, compiler, extra))
        try:
            objects = [future.result() for future in made]
        except (BuildError, OSError):
            return False
        return compiler.link([str(each) for each in objects], str(path), extra)


def _shared(each: instances.Instance, compiler: compilers.Compiler, extra: tuple[str, ...]) -> Path:
    """The object file of functions that many programs use."""
    text = each.source()

    def make(path: Path) -> None:
        with tempfile.TemporaryDirectory(prefix="lamella-") as folder:
            source = Path(folder, "shared.cpp")
            source.write_text(text, "utf-8")
            path.write_bytes(_object(source, compiler, extra).read_bytes())

    return cache.entry(cache.digest(text, headers(), compiler.key, *extra), ".o", make)[0]


def _object(source: Path, compiler: compilers.Compiler, extra: tuple[str, ...]) -> Path:
    output = source.with_suffix(".out")
    if not compiler.compile(str(source), str(output), extra):
        raise BuildError("the C++ compiler refused a part", str(source), list(compiler.command), "")
    return output


def _open(path: Path) -> ctypes.CDLL:
    """Load a library; the first one brings OpenMP, whose threads stay awake for some 0.2 ms after their work: until the
    next loop begins, and not for long where BLAS wants to compute."""
    name = "GOMP_SPINCOUNT"
    if name in os.environ or "OMP_WAIT_POLICY" in os.environ:
        return ctypes.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_LOCAL)
    os.environ[name] = "20000"
    try:
        return ctypes.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_LOCAL)
    finally:
        del os.environ[name]


@once
def how() -> str:
    """A hash of what makes a library of a source: all headers, and the modules that cut it up and link the parts."""
    modules = (split.__file__, instances.__file__, __file__)
    return cache.digest(headers(), *(Path(each).read_bytes() for each in modules))


@once
def headers(names: str = "*.h") -> str:
    """A hash of all headers with such names: those of C++, or of CUDA (``*.cuh``)."""
    parts = []
    for path in sorted(compilers.INCLUDE.rglob(names)):
        parts += [path.name, path.read_text("utf-8")]
    return cache.digest(*parts)
