"""Function templates of the headers that take long to compile: compiled once per machine, linked into every program.

Matrix products, convolutions, attention and recurrent loops are templates over the element type. A program that calls
one declares that it is defined elsewhere (``extern template``); the definition is an object file in the cache, made at
the same time as the program where it is not there yet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache as once

from .compilers import INCLUDE

#: Headers whose functions are shared.
HEADERS = ("gemm.h", "attention.h", "conv.h", "recurrent.h")
_FUNCTION = re.compile(
    r"^template <class T((?:, class \w+)*)>\n(?:OUTLINE |__attribute__\(\(noinline\)\) )?void (\w+)\(([^{}]*?)\) \{",
    re.MULTILINE)
_MACRO = re.compile(r"^#define (\w+)\s((?:[^\n]*\\\n)*[^\n]*)\n", re.MULTILINE)
_CALL = re.compile(r"lamella::(\w+)\(")
_MORE = {"M": "T"}  # what further template parameters are in what is shared


BASE, ROOT = "gemm.h", "gemm"  # what the other headers' functions call


@dataclass(frozen=True)
class Instance:
    """Functions of one family for one element type.

    Attributes:
        name: of the family. type: the element type. header: where it is.
        declarations: what explicit instantiations say after ``template``.
    """

    name: str
    type: str
    header: str
    declarations: tuple[str, ...]

    def source(self) -> str:
        """The translation unit that defines it."""
        body = "".join(f"template {line};\n" for line in self.declarations)
        if self.header != BASE:
            body = "".join(f"extern template {line};\n" for line in _base(self.type).declarations) + body
        return f'#include "lamella/report.h"\n#include "lamella/types.h"\n#include "lamella/math.h"\n' \
               f'#include "lamella/loops.h"\n#include "lamella/{self.header}"\n\nnamespace lamella {{\n{body}}}\n'


def used(text: str) -> list[Instance]:
    """The instances that a program's text calls.

    Example:
        >>> [i.name for i in used('#include "lamella/gemm.h"\\nreinterpret_cast<float*>(p); lamella::gemm(m, n);')]
        ['gemm']
    """
    called = set(_CALL.findall(text))
    types = [t for t in ("float", "double") if f"<{t}*>" in text]
    found = []
    for header in HEADERS:
        if f'"lamella/{header}"' in text:
            families = {family(name) for name in _functions(header)}
            wanted = sorted(f for f in families if any(family(name) == f for name in called))
            found += [_instance(header, name, t) for name in wanted for t in types]
    return list(dict.fromkeys(found + [_base(each.type) for each in found]))


def _base(type: str) -> Instance:
    return _instance(BASE, ROOT, type)


def declared(text: str, instances: list[Instance]) -> str:
    """The text with declarations of the instances after its includes."""
    start = text.find("\nnamespace lamella {\n")
    if start < 0 or not instances:
        return text
    lines = "".join(f"extern template {line};\n" for each in instances for line in each.declarations)
    return f"{text[:start]}\nnamespace lamella {{\n{lines}}}\n{text[start:]}"


def family(name: str) -> str:
    """A function and its variants share most of their code."""
    return name.removesuffix("_then").removesuffix("_backward")


def _instance(header: str, name: str, type: str) -> Instance:
    lines = []
    for function, (more, parameters) in _functions(header).items():
        if family(function) == name:
            arguments = [type, *(re.sub(r"\bT\b", type, _MORE[m]) for m in more)]
            text = re.sub(r"\bT\b", type, parameters)
            for m in more:
                text = re.sub(rf"\b{m}\b", re.sub(r"\bT\b", type, _MORE[m]), text)
            lines.append(f"void {function}<{', '.join(arguments)}>({text})")
    return Instance(name, type, header, tuple(lines))


@once
def _functions(header: str) -> dict[str, tuple[list[str], str]]:
    """Name -> (further template parameters, parameters) of the functions of a header that programs call."""
    try:
        text = (INCLUDE / "lamella" / header).read_text("utf-8")
    except OSError:
        return {}
    macros = {m[1]: " ".join(m[2].replace("\\\n", " ").split()) for m in _MACRO.finditer(text)}
    found = {}
    for match in _FUNCTION.finditer(text):
        more = [part.strip().removeprefix("class ") for part in match[1].split(",") if part.strip()]
        parameters = " ".join(match[3].split())
        for macro, value in macros.items():
            parameters = re.sub(rf"\b{macro}\b", value, parameters)
        if "Matrix<" not in parameters and all(m in _MORE for m in more):
            found[match[2]] = more, parameters
    return found
