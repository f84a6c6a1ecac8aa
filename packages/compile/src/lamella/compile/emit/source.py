"""What emission hands to the build and the run time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Source:
    """A program as text.

    Attributes:
        text: one translation unit.
        segments: names of its entries, in order; each is a `Segment` of ``lamella/report.h``.
        script: what the run time does, in order: ``("segment", name)`` or ``("extern", step)``.
    """

    text: str
    segments: list[str] = field(default_factory=list)
    script: list[tuple[str, Any]] = field(default_factory=list)
