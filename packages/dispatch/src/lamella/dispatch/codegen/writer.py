"""Writing generated files: a header that says where a file comes from, write-if-changed, and a check for freshness."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..errors import LamellaError, message


class StaleError(LamellaError):
    """Generated files differ from what their sources give. ``files`` lists them."""

    def __init__(self, text: str, files: list[Path]) -> None:
        super().__init__(text)
        self.files = files


def digest(*texts: str | bytes) -> str:
    """Return a short hash (16 hex digits) over texts, the same on every platform.

    Example:
        >>> digest("a", "b") == digest("a", "b") != digest("ab")
        True
    """
    sha = hashlib.sha256()
    for text in texts:
        data = text.replace("\r\n", "\n").encode() if isinstance(text, str) else text
        sha.update(len(data).to_bytes(8, "little") + data)
    return sha.hexdigest()[:16]


def header(sources: Iterable[str | Path], command: str, *, root: str | Path | None = None, comment: str = "#") -> str:
    """Return the first lines of a generated file: its sources with their hash, and how to make it again.

    Args:
        sources: the files it is made from.
        command: the command that makes it.
        root: folder that the sources are named relative to; names alone where None.
        comment: what starts a comment in the generated language.
    """
    paths = [Path(source) for source in sources]
    names = [path.name if root is None else Path(os.path.relpath(path, root)).as_posix() for path in paths]
    sha = digest(*(path.read_text(encoding="utf-8") for path in paths))
    lines = [
        f"Generated from {', '.join(names)} (sha256 {sha}). Do not edit:",
        f"change the source and run `{command}`.",
    ]
    return "".join(f"{comment} {line}\n" for line in lines)


def write_if_changed(path: str | Path, text: str) -> bool:
    """Write ``text`` unless the file holds it already, so that time stamps and builds stay still.

    The write is atomic: a reader sees the old file or the new one.

    Returns:
        Whether the file was written.
    """
    path = Path(path)
    data = text.encode("utf-8")
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return True


class Writer:
    """Collects the files of one generator run.

    Args:
        out: folder that `write` paths are relative to.
        check: write nothing; remember what differs.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     first = Writer(folder)
        ...     _ = first.write("a.py", "x = 1\\n")
        ...     again = Writer(folder, check=True)
        ...     _ = again.write("a.py", "x = 2\\n")
        ...     [p.name for p in first.changed], [p.name for p in again.changed]
        (['a.py'], ['a.py'])
    """

    def __init__(self, out: str | Path, *, check: bool = False) -> None:
        self.out = Path(out)
        self.check = check
        self.changed: list[Path] = []
        self.written: set[Path] = set()

    def write(self, name: str | Path, text: str) -> bool:
        """Write (or, with ``check``, compare) one file; returns whether it differed."""
        path = self.out / name
        if path in self.written:
            raise LamellaError(message("codegen", "a file is written twice in one run", str(path)))
        self.written.add(path)
        if self.check:
            differs = not path.is_file() or path.read_bytes() != text.encode("utf-8")
        else:
            differs = write_if_changed(path, text)
        if differs:
            self.changed.append(path)
        return differs

    def remove_orphans(self, pattern: str = "*.py", keep: Iterable[str] = ("__init__.py",)) -> list[Path]:
        """Delete (or, with ``check``, report) files in ``out`` that match ``pattern`` and were not written."""
        kept = set(keep)
        extra = [p for p in sorted(self.out.glob(pattern)) if p not in self.written and p.name not in kept]
        for path in extra:
            if not self.check:
                path.unlink()
        self.changed += extra
        return extra

    def finish(self, command: str) -> None:
        """With ``check``, raise `StaleError` where anything differs; ``command`` is what brings it up to date."""
        if self.check and self.changed:
            names = [f"  {path}" for path in self.changed]
            count = len(names)
            rule = f"{count} generated file{'s are' if count > 1 else ' is'} out of date"
            text = message("codegen", rule, details=names, hint=f"run `{command}`")
            raise StaleError(text, self.changed)


def environment(templates: str | Path | dict[str, str], **filters: Any) -> Any:
    """Return a jinja2 environment for code: an undefined name is an error, blocks leave no blank lines.

    Args:
        templates: a folder, or a dict of texts by name.
        filters: further filters by name.
    """
    import jinja2

    loader: Any
    if isinstance(templates, dict):
        loader = jinja2.DictLoader(templates)
    else:
        loader = jinja2.FileSystemLoader(str(templates))
    made = jinja2.Environment(
        loader=loader,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    made.filters["repr"] = repr
    made.filters.update(filters)
    return made
