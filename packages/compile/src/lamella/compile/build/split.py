"""Long sources in parts that are compiled at the same time.

Emission prints kernels as functions ``KERNEL name(...) {...}`` in a namespace, and after it the segments that call
them. The parts of a source are some of the kernels, or the segments; each has the includes, and declarations of what
the others define.
"""

from __future__ import annotations

import os
import re

PART = 24_000  # characters; shorter sources are compiled as they are
MOST = 4
SEGMENTS = 24_000  # characters of kernels that instantiating products and the like in the segments takes as long as

_OPEN, _CLOSE = "namespace program {\n", "}  // namespace program\n"
_KERNEL = re.compile(r"((?:^//[^\n]*\n)*)^KERNEL (\w+)\(([^{]*)\) \{\n(.*?)^\}\n", re.MULTILINE | re.DOTALL)
_SHARED = """#undef KERNEL
#define KERNEL __attribute__((noinline, visibility("hidden"))) void
"""


def parts(text: str, at_once: int | None = None) -> list[str]:
    """The parts of a source: the source alone where it is short, or where it is not what emission prints.

    Args:
        text: the source.
        at_once: how many parts can be compiled at the same time.

    Example:
        >>> parts("int f() { return 0; }")
        ['int f() { return 0; }']
    """
    count = min(at_once or processors(), MOST, 1 + len(text) // PART)
    start, end = text.find(_OPEN), text.find(_CLOSE)
    if count < 2 or start < 0 or end < start or "lamella/blas.h" in text:
        return [text]
    body = text[start + len(_OPEN) : end]
    kernels = list(_KERNEL.finditer(body))
    if len(kernels) < count or _KERNEL.sub("", body).strip():
        return [text]
    head, tail = text[:start] + _OPEN, text[end:]
    includes, names = head.split("namespace lamella", 1)
    declared = {k[2]: f"KERNEL {k[2]}({k[3]});\n" for k in kernels}
    closing = _CLOSE + tail[len(_CLOSE) :].split("\n", 1)[0] + "\n"
    made = []
    for n, group in enumerate(_groups([len(k[0]) for k in kernels], SEGMENTS + len(tail), count)):
        own = {kernels[i][2] for i in group}
        lines = [includes, _SHARED, "\nnamespace lamella", names]
        lines += [line for name, line in declared.items() if n == 0 and name not in own]
        lines += [kernels[i][0] + "\n" for i in group]
        made.append("".join([*lines, tail if n == 0 else closing]))
    return made


def _groups(weights: list[int], first: int, count: int) -> list[list[int]]:
    """Kernels shared out so that parts take about as long; the first part has the segments too."""
    loads, groups = [first] + [0] * (count - 1), [[] for _ in range(count)]  # type: list[int], list[list[int]]
    for i in sorted(range(len(weights)), key=lambda k: -weights[k]):
        n = loads.index(min(loads))
        loads[n] += weights[i]
        groups[n].append(i)
    return [sorted(group) for n, group in enumerate(groups) if group or n == 0]


def processors() -> int:
    """How many processes run at the same time here."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
