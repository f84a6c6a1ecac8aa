"""torch.distributed.run: torchrun's command line, for the ranks of one machine; `mpiexec` runs them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from .._missing import lookup

__all__ = ["get_args_parser", "main", "parse_args"]


def get_args_parser() -> argparse.ArgumentParser:
    """The parser of torchrun's options, so far as one machine needs them."""
    parser = argparse.ArgumentParser(prog="torchrun", allow_abbrev=False, description="Run a script on several ranks.")

    def option(name: str, **kwargs: object) -> None:
        parser.add_argument(f"--{name.replace('_', '-')}", f"--{name}", dest=name, **kwargs)  # type: ignore[arg-type]

    option("nproc_per_node", default="1", help="ranks: a number, cpu, gpu or auto")
    option("nnodes", default="1", help="machines: 1; mpiexec and srun start ranks on several")
    option("node_rank", default="0", help="0")
    option("master_addr", default=None, help="MASTER_ADDR")
    option("master_port", default=None, help="MASTER_PORT")
    option("max_restarts", default="0", help="accepted; ranks are not started again")
    for name in ("rdzv_backend", "rdzv_endpoint", "rdzv_id", "rdzv_conf"):
        option(name, default="", help="accepted: there is nothing to meet for on one machine")
    parser.add_argument("--standalone", action="store_true", help="accepted: one machine is meant anyway")
    parser.add_argument("-m", "--module", action="store_true", help="run a module, as python -m does")
    parser.add_argument("training_script", help="the script, or the module")
    parser.add_argument("training_script_args", nargs=argparse.REMAINDER, help="its arguments")
    return parser


def parse_args(args: Sequence[str] | None = None) -> argparse.Namespace:
    """Take a command line apart (None: the process's)."""
    return get_args_parser().parse_args(args)


def main(args: Sequence[str] | None = None) -> int:
    """Run a script on several ranks of this machine, as `lamella run --nproc` does.

    Args:
        args: the command line (None: the process's).

    Returns:
        The exit status, where the ranks cannot be started.
    """
    from lamella.cli.ranks import start

    asked = parse_args(args)
    if asked.nnodes not in ("1", "1:1"):
        print(f"torchrun: lamella starts ranks on one machine (--nnodes={asked.nnodes})\n"
              "hint: `mpiexec -n N lamella run SCRIPT` or `srun lamella run SCRIPT` start them on several",
              file=sys.stderr)
        return 2
    for name, value in (("MASTER_ADDR", asked.master_addr), ("MASTER_PORT", asked.master_port)):
        if value is not None:
            os.environ[name] = value
    program = (["-m"] if asked.module else []) + [asked.training_script, *asked.training_script_args]
    return start(asked.nproc_per_node, program)


__getattr__, __dir__ = lookup(__name__)

if __name__ == "__main__":
    sys.exit(main())
