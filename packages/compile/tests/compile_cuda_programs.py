"""The CUDA kernels of programs: taken from what is compiled, told apart by what they do, built in few large units."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from lamella.compile import backends, compile
from lamella.compile.build import nvrtc
from lamella.compile.errors import CompilerMissing
from lamella.compile.pipeline import emitted

ARCHITECTURES = ("sm_80", "sm_90")
UNIT = 120  # kernels that are built at once
KERNEL = re.compile(
    r"((?:^//[^\n]*\n)*)^extern \"C\" __global__ void\s+"
    r"(?:__launch_bounds__\((?:[^()]|\([^()]*\))*\)\s+)?(\w+)\((.*?)^\}\n",
    re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r'^#include "([^"]+)"\n', re.MULTILINE)


def nvrtc_is_missing() -> str:
    """Why there is no NVRTC here; "" where there is."""
    try:
        nvrtc.find()
    except CompilerMissing as error:
        return str(error).splitlines()[0]
    return ""


MISSING = nvrtc_is_missing()
needs_nvrtc = pytest.mark.skipif(bool(MISSING), reason=MISSING or "there is NVRTC")


class Collected(Exception):
    """A program's text was taken; it is not run."""


def take(run: Callable[..., Any], *args: Any) -> str:
    """The CUDA text of a call of ``run``: of a later one where the first ones are watched, but not compiled."""
    texts: list[str] = []

    def backend(graph: Any, inputs: Any) -> Any:
        texts.append(emitted(graph, "cuda")[0].text)
        raise Collected

    backends.register("collecting", backend)
    compiled = compile(run, fullgraph=True, backend="collecting")
    for _ in range(3):
        try:
            compiled(*args)
        except Exception as error:  # noqa: BLE001 - compilation wraps it
            if not has(error, Collected):
                raise
            break
    return texts[0]


def has(error: BaseException | None, kind: type) -> bool:
    """Whether an error, or one that it comes from, is of a class."""
    while error is not None:
        if isinstance(error, kind):
            return True
        error = error.__cause__ or error.__context__
    return False


def kernels(text: str) -> dict[str, tuple[str, str]]:
    """The kernels of a program's text: what tells each from others -> (its name, its whole text)."""
    matches = list(KERNEL.finditer(text))
    assert [m[2] for m in matches] == nvrtc.KERNEL.findall(text), "a kernel is written in another form"
    return {m[0][len(m[1]):].replace(f" {m[2]}(", " (", 1): (m[2], m[0]) for m in matches}


class Builds:
    """Kernels that are built while programs are still in the making: each that differs from those before it once.

    Args:
        optimize: whether they are built as for use. at_once: how many units are built at the same time.

    Attributes:
        seen: what tells kernels apart. programs: how many texts were given.
    """

    def __init__(self, optimize: bool = False, at_once: int = 2) -> None:
        self.optimize, self.pool = optimize, ThreadPoolExecutor(at_once)
        self.seen: set[str] = set()
        self.programs = 0
        self._waiting: list[str] = []
        self._headers: dict[str, None] = {}
        self._builds: list[Future[bytes]] = []

    def add(self, text: str) -> None:
        """Take the kernels of a program's text."""
        self.programs += 1
        self._headers |= dict.fromkeys(INCLUDE.findall(text))
        for body, (name, whole) in kernels(text).items():
            if body not in self.seen:
                self.seen.add(body)
                self._waiting.append(whole.replace(f" {name}(", f" n{len(self.seen)}_{name}(", 1))
        if len(self._waiting) >= UNIT:
            self._build()

    def _build(self) -> None:
        """Build what waits, as one unit."""
        head = "".join(f'#include "{h}"\n' for h in self._headers)
        unit = "\n".join([head, "namespace lamella {\nnamespace program {", *self._waiting, "}\n}\n"])
        self._waiting.clear()
        for arch in ARCHITECTURES:
            self._builds.append(self.pool.submit(nvrtc.compile, unit, arch, optimize=self.optimize))

    def done(self) -> int:
        """Wait for all builds; how many kernels they were.

        Raises:
            BuildError: NVRTC refuses one.
        """
        if self._waiting:
            self._build()
        errors = [each.exception() for each in self._builds]
        self.pool.shutdown()
        wrong = [error for error in errors if error is not None]
        if wrong:
            raise wrong[0]
        return len(self.seen)
