"""`lamella compile`: what a script compiles, as programs of their own."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

_WHAT = """\
Run a script and write what `torch.compile` makes of it: for each compiled call a folder with its CUDA kernels, the
launch plan, the weights, and a C++ program (with a CMake file) that runs without Python. Neither a GPU nor CUDA is
needed to write them."""


def main(args: Sequence[str]) -> int:
    """Run the command.

    Args:
        args: after ``lamella compile``.

    Returns:
        The exit status: the script's; 1 where nothing could be written.
    """
    parser = argparse.ArgumentParser(prog="lamella compile", description=_WHAT,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emit", choices=("cuda",), required=True, help="what to write")
    parser.add_argument("--out", metavar="DIR", default="emitted", help="where the folders go (emitted)")
    parser.add_argument("script", help="a script that calls torch.compile")
    parser.add_argument("args", nargs=argparse.REMAINDER, help="the script's own arguments")
    given = parser.parse_args(_script_last(list(args)))
    from lamella.compile.standalone.script import emitting

    from .run import run_script

    with emitting(given.out) as script:
        status = run_script(given.script, given.args, "compile")
    text = script.report()
    if text:
        print(text, file=sys.stderr)
    if not script.written and not status:
        if not script.failed:
            print("lamella compile: the script compiled nothing\n"
                  "hint: torch.compile(model) or @torch.compile, and a call of it", file=sys.stderr)
        return 1
    return status


def _script_last(args: list[str]) -> list[str]:
    """The options before the script: it may stand before them, as long as they are this command's own."""
    own: list[str] = []
    rest = list(args)
    script: list[str] = []
    while rest:
        word = rest.pop(0)
        if word in ("--emit", "--out") and rest:
            own += [word, rest.pop(0)]
        elif word.startswith(("--emit=", "--out=", "-h", "--help")):
            own.append(word)
        elif not script and not word.startswith("-"):
            script.append(word)
        else:
            return [*own, *script, word, *rest]
    return [*own, *script]
