"""Write what the installed CuPy has (names, parameters, ufuncs' types) to cupy_names.json; no GPU is needed.

    python packages/core/tests/cupy_standin/make_table.py            write the table
    python packages/core/tests/cupy_standin/make_table.py --check    exit with 1 where it is out of date

Needs CuPy and ml_dtypes (CuPy has bfloat16 only where ml_dtypes is installed). Libraries of CUDA that are not installed
(cuBLAS, cuSOLVER, ...) are replaced by empty modules: only names are read.

The table: `modules` maps a module to its names; a name is `"type"`, `"value"`, `"module"`, a list of parameters
(`"axis="` has a default, `"*"` begins the keyword-only ones) or, for a ufunc, `{"types": ..., "keywords": ...,
"methods": ...}`. `classes` maps a class to its methods and attributes in the same way.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

TABLE = Path(__file__).with_name("cupy_names.json")
MODULES = (
    "cupy", "cupy.linalg", "cupy.fft", "cupy.random", "cupy.lib.stride_tricks", "cupy.exceptions", "cupy.cuda",
    "cupy.cuda.runtime", "cupy.cuda.memory", "cupyx", "cupyx.scipy.special", "cupyx.scipy.linalg", "cupyx.scipy.fft",
    "cupyx.scipy.ndimage", "cupyx.scipy.signal",
)  # fmt: skip
CLASSES = {
    "cupy": ("ndarray", "ElementwiseKernel", "ReductionKernel", "RawModule", "RawKernel"),
    "cupy.cuda": (
        "Device", "Stream", "ExternalStream", "Event", "MemoryPool", "MemoryPointer", "PinnedMemoryPool",
        "PinnedMemoryPointer", "UnownedMemory", "Graph",
    ),
}  # fmt: skip
LIBRARIES = (
    "cublas", "cusolver", "cusparse", "cufft", "curand", "cusparselt", "nvjitlink", "nccl", "cutensor", "cudnn",
)  # fmt: skip
_KEYWORDS = ("out", "dtype", "casting", "where", "order", "subok", "axis", "axes", "keepdims", "signature")


def without_libraries() -> None:
    """Put empty modules where CUDA's libraries cannot be loaded."""
    import cupy_backends.cuda.libs as libs

    for name in LIBRARIES:
        try:
            importlib.import_module(f"{libs.__name__}.{name}")
        except Exception:  # noqa: BLE001 - whatever keeps a library from loading
            empty: Any = MagicMock(name=name)
            empty.__spec__, empty.__path__, empty.__file__ = None, [], name
            sys.modules[f"{libs.__name__}.{name}"] = empty
            libs.__dict__[name] = empty


def parameters(fn: Any) -> list[str] | str:
    """A function's parameters; those of compiled ones are read from the first line of their description."""
    try:
        found = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return described(fn)
    out: list[str] = []
    for p in found:
        if p.kind is p.KEYWORD_ONLY and "*" not in out and not any(x[0] == "*" for x in out):
            out.append("*")
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        out.append(star + p.name + ("=" if p.default is not p.empty else ""))
        if p.kind is p.POSITIONAL_ONLY:
            out = [x for x in out if x != "/"] + ["/"]
    return out


def described(fn: Any) -> list[str] | str:
    """The parameters in `name(self, int axis=-1, *, kind=None) -> type`, the first line of a description."""
    text = (getattr(fn, "__doc__", None) or "").strip().partition("\n\n")[0].replace("\n", " ")
    match = re.search(r"\((.*?)\)(?:\s*->.*)?$", text)
    if match is None:
        return "value"
    words = [w.strip() for w in match[1].split(",") if w.strip()]
    return [re.sub(r"=.*", "=", w).split()[-1] for w in words]


class Probe:
    """Stands for an array in calls of ufuncs' methods: whatever is asked of it, it answers."""

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **kwargs: None


def methods(ufunc: Any) -> list[str]:
    """Which of reduce, accumulate, reduceat and at a ufunc has."""
    found = []
    for name, rest in (("reduce", ()), ("accumulate", ()), ("reduceat", (1,)), ("at", (1, 2))):
        try:
            getattr(ufunc, name)(Probe(), *rest)
        except NotImplementedError:
            continue
        except Exception:  # noqa: BLE001 - it got as far as the array
            pass
        found.append(name)
    return found


def keywords(ufunc: Any) -> list[str]:
    """The keywords that a ufunc's call does not refuse."""
    found = []
    for name in _KEYWORDS:
        try:
            ufunc(*[1] * ufunc.nin, **{name: None})
        except TypeError as e:
            if "Wrong arguments" in str(e):
                continue
        except Exception:  # noqa: BLE001 - there is no GPU
            pass
        found.append(name)
    return found


def entry(cupy: Any, value: Any) -> Any:
    """A name's line of the table."""
    if isinstance(value, cupy.ufunc):
        return {"types": value.types, "keywords": keywords(value), "methods": methods(value)}
    if inspect.ismodule(value):
        return "module"
    if isinstance(value, type):
        return "type"
    if type(value).__name__ == "_GUFunc":
        names = inspect.signature(type(value).__call__).parameters
        return ["a", "b", *(n + "=" for n in names if n not in ("self", "args", "kwargs"))]
    return parameters(value) if callable(value) else "value"


def class_entry(cls: type) -> dict[str, Any]:
    """A class's methods (their parameters without `self`) and attributes."""
    found: dict[str, Any] = {}
    for name in dir(cls):
        if name.startswith("_") and not re.fullmatch(r"__\w+__", name):
            continue
        value = inspect.getattr_static(cls, name)
        if not callable(value) and not isinstance(value, (staticmethod, classmethod)):
            found[name] = "value"
        elif name.startswith("__"):
            found[name] = "method"
        else:
            known = parameters(getattr(cls, name))
            found[name] = [p for p in known if p not in ("self", "/")] if isinstance(known, list) else known
    return found


def make() -> dict[str, Any]:
    """The table of the installed CuPy."""
    warnings.simplefilter("ignore")
    import ml_dtypes  # noqa: F401 - CuPy looks for it

    without_libraries()
    cupy = importlib.import_module("cupy")
    table: dict[str, Any] = {"version": cupy.__version__, "modules": {}, "classes": {}}
    for name in MODULES:
        module = importlib.import_module(name)
        public = [n for n in dir(module) if not n.startswith("_")]
        table["modules"][name] = {n: entry(cupy, getattr(module, n)) for n in public}
    for name, classes in CLASSES.items():
        module = importlib.import_module(name)
        for cls in classes:
            if hasattr(module, cls):
                table["classes"][f"{name}.{cls}"] = class_entry(getattr(module, cls))
    return table


def main() -> int:
    made = make()
    if "--check" in sys.argv:
        return 0 if json.loads(TABLE.read_text()) == made else 1
    modules = {m: {n: made["modules"][m][n] for n in sorted(made["modules"][m])} for m in made["modules"]}
    lines = [f'{{"version": {json.dumps(made["version"])},']
    for part, members in (("modules", modules), ("classes", made["classes"])):
        lines.append(f'"{part}": {{')
        for m, names in members.items():
            lines.append(f"{json.dumps(m)}: {{")
            lines.append(",\n".join(f"{json.dumps(n)}: {json.dumps(v)}" for n, v in names.items()) + "},")
        lines[-1] = lines[-1][:-1]
        lines.append("}," if part == "modules" else "}}")
    TABLE.write_text("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
