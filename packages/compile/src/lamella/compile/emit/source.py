"""What emission hands to the build and the run time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Source:
    """A program as text.

    Attributes:
        text: one translation unit.
        segments: names of its entries, in order; each is a `Segment` of ``lamella/report.h``. None in CUDA.
        script: what the run time does, in order: ``("segment", name)`` or ``("extern", step)``; in CUDA
            ``("launch", Launch)``, ``("product", Product)`` or ``("extern", step)`` (`lamella.compile.emit.launch`).
        kernels: of CUDA: name of each kernel -> its own text, as it stands in ``text``.
    """

    text: str
    segments: list[str] = field(default_factory=list)
    script: list[tuple[str, Any]] = field(default_factory=list)
    kernels: dict[str, str] = field(default_factory=dict)
