"""``python -m lamella.dispatch.codegen ops.yaml``: generate the operators that a package declares in YAML."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

_EPILOG = """\
The YAML file:

  namespace: geo
  operators:
  - func: area(Tensor xy, *, float scale=1.0) -> Tensor
    doc: The area of each polygon.
    kernels: {CPU: geo.kernels:area}
    fake: geo.shapes:area
    backward: geo.gradients:area_backward

For each ops.yaml, three files appear in the output folder: ops.py (import it, and the operators exist), ops.pyi, and
ops.md (a table).
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the generator; returns the exit status (0 done, 1 a fault in a file or stale files, 2 a wrong call)."""
    parser = argparse.ArgumentParser(
        prog="python -m lamella.dispatch.codegen",
        description="Generate operators from YAML.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="ops.yaml", help="files that declare operators")
    parser.add_argument("--out", type=Path, metavar="DIR", help="output folder (default: _gen beside each file)")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where generated files are stale")
    options = parser.parse_args(arguments)
    try:
        import jinja2  # noqa: F401
        import yaml  # noqa: F401
    except ImportError as error:
        print(f"codegen: {error.name} is missing\nhint: pip install 'lamella-dispatch[codegen]'", file=sys.stderr)
        return 2
    from ..errors import LamellaError
    from .external import generate
    from .writer import Writer

    out = f" --out {options.out.as_posix()}" if options.out else ""
    writers: dict[Path, Writer] = {}
    commands: dict[Path, str] = {}
    try:
        for file in options.files:
            folder = options.out or file.parent / "_gen"
            writer = writers.setdefault(folder, Writer(folder, check=options.check))
            commands.setdefault(folder, f"python -m lamella.dispatch.codegen {file.as_posix()}{out}")
            # the header names the file alone, so that it is the same wherever the command runs
            generate(file, writer, command=f"python -m lamella.dispatch.codegen {file.name}")
        for folder, writer in writers.items():
            writer.finish(commands[folder])
    except LamellaError as error:
        print(error, file=sys.stderr)
        return 1
    for writer in writers.values():
        for path in writer.changed:
            print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
