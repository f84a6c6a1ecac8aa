"""The command `lamella`: run, compile, info, bench."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

USAGE = """\
usage: lamella COMMAND ...

  run SCRIPT [ARGS]      run a script that was written for torch, on lamella
  run -m MODULE [ARGS]   the same for a module
  run --nproc N SCRIPT   the same on N ranks; so does `mpiexec -n N lamella run SCRIPT`, or `srun`
  compile SCRIPT --emit cuda --out DIR
                         what a script compiles, as CUDA C++ programs that run without Python
  info                   what a bug report needs: layers, versions, BLAS, compilers, MPI, GPU
  bench                  what one call costs, beside NumPy and torch where installed

`lamella COMMAND --help` says more.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments after the command's name (None: the process's).

    Returns:
        The exit status: 0, 1 for a script's uncaught exception, 2 for a command line without sense, or the script's.
    """
    args = list(sys.argv[1:] if argv is None else argv)
    if not args or args[0] in ("-h", "--help", "help"):
        print(USAGE, end="")
        return 0 if args else 2
    if args[0] in ("-V", "--version"):
        from importlib.metadata import version

        print(f"lamella {version('lamella')}")
        return 0
    command, rest = args[0], args[1:]
    if command == "run":
        return _run(rest)
    if command == "info":
        from .info import main as info

        return info(_parser("info", "Print what a bug report needs.", [("--json", "as JSON")]).parse_args(rest))
    if command == "compile":
        from .compile import main as compile_script

        return compile_script(rest)
    if command == "bench":
        from .bench import main as bench

        return bench(rest)
    from lamella.dispatch.errors import did_you_mean

    hint = did_you_mean(command, ("run", "compile", "info", "bench"))
    print(f"lamella: there is no command {command!r}\nhint: {hint}", file=sys.stderr)
    return 2


def _parser(command: str, what: str, flags: Sequence[tuple[str, str]]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"lamella {command}", description=what)
    for flag, text in flags:
        parser.add_argument(flag, action="store_true", help=text)
    return parser


RUN_HELP = """\
usage: lamella run [--nproc N] SCRIPT [ARGS]
       lamella run [--nproc N] -m MODULE [ARGS]

Run a program that was written for torch, unchanged: `import torch`, `import torch.x.y` and
`from torch.x import y` give lamella, in the program and in the libraries that it imports.
Arguments after SCRIPT are the program's; its exit status is the command's.

  --nproc N        run N ranks on this machine, with the mpiexec beside Python, else the first in PATH
                   (N: a number, cpu: one for each core, gpu: one for each GPU, auto: gpu where there are any, else cpu)
  --mpiexec PATH   use this mpiexec

`mpiexec -n N lamella run SCRIPT` and `srun lamella run SCRIPT` do the same on the machines that they know. RANK,
WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and their like are set as torchrun sets them. A rank that fails ends all.
"""
#: Options of `lamella run` that take a value -> their names here.
RUN_OPTIONS = {"--nproc": "nproc", "--nproc-per-node": "nproc", "--nproc_per_node": "nproc", "--mpiexec": "mpiexec"}


def _run(args: list[str]) -> int:
    """Find the script or module; what follows it is the script's own."""
    if args and args[0] in ("-h", "--help"):
        print(RUN_HELP, end="")
        return 0
    options: dict[str, str] = {}
    while args and args[0].partition("=")[0] in RUN_OPTIONS:
        flag, given, value = args[0].partition("=")
        if not given and len(args) < 2:
            print(f"lamella run: {flag} needs a value\nhint: lamella run --nproc 4 SCRIPT [ARGS]", file=sys.stderr)
            return 2
        options[RUN_OPTIONS[flag]] = value if given else args[1]
        args = args[1:] if given else args[2:]
    if not args or args[0].startswith("-") and args[0] != "-m" or args == ["-m"]:
        what = "which script?" if args in ([], ["-m"]) else f"there is no option {args[0]!r} (a script's go after it)"
        print(f"lamella run: {what}\nhint: lamella run SCRIPT [ARGS], or lamella run -m MODULE [ARGS]", file=sys.stderr)
        return 2
    from . import ranks

    if "nproc" in options:
        return ranks.start(options["nproc"], args, options.get("mpiexec"))
    ranks.enter()
    from .run import run_module, run_script

    status = run_module(args[1], args[2:]) if args[0] == "-m" else run_script(args[0], args[1:])
    return ranks.leave(status)


if __name__ == "__main__":
    sys.exit(main())
