#!/usr/bin/env python3
"""Compare a framework that follows the torch API with PyTorch itself, case by case.

The cases are PyTorch's own test databases (its operator, module and optimizer lists with their sample
inputs), which the installed `torch` wheel carries. Every case runs twice: in torch, and in the candidate.

    python tools/parity ops      [--only NAME ...] [--samples N] [--jobs N] [--json FILE] [--verbose]
    python tools/parity modules  [--only NAME ...] ...
    python tools/parity optims   [--only NAME ...] ...
    python tools/parity schedulers ...
    python tools/parity floors         all four and the names, against floors.toml

`--candidate lamella.torch` (the default) names the module under test; `--candidate torch` checks this script itself.
It needs an environment with torch==2.13.0 (CPU), expecttest, scipy and the candidate.

What each column means (a name counts only if every one of its cases holds):
    forward   same values, shapes and dtypes as torch on float32, float64, int64, bool and complex64 samples
    grad      same first gradients as torch in float64, for operators that torch can differentiate
    inplace   the x.op_() form gives the same value and returns x, where torch has it
    out       op(..., out=t) writes into t and returns it, where torch has it
    errors    what torch refuses with an error, the candidate refuses with an error of the same Python type
"""
from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import pathlib
import sys
import time
import tomllib
import warnings
from collections import Counter

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ("ops", "modules", "optims", "schedulers")


def family(what):
    """The file that knows this kind of case, and its columns."""
    if what == "ops":
        import check_ops as mod
    elif what == "modules":
        import check_modules as mod
    else:
        import check_optims as mod
    columns = mod.COLUMNS
    return mod, columns[what] if isinstance(columns, dict) else columns


def work(job):
    """Check one share of the names in this process; rows are plain data."""
    args, chosen = job
    import bridge

    warnings.filterwarnings("ignore")
    bridge.VERBOSE = args.verbose
    mod, _ = family(args.what)
    candidate = bridge.Bridge(args.candidate)
    return json.loads(json.dumps(mod.rows(candidate, args, chosen), default=str))


def collect(args):
    """All rows of one kind, shared between `--jobs` processes."""
    import torch

    torch.set_num_threads(1)
    mod, columns = family(args.what)
    chosen = mod.names(args)
    if args.only and len(chosen) < len(args.only):
        print(f"not in torch's database: {', '.join(sorted(set(args.only) - set(chosen)))}", file=sys.stderr)
    if args.jobs < 2 or len(chosen) < 2:
        return work((args, chosen)), columns
    size = 8 if args.what == "ops" else 2
    shares = [(args, chosen[i : i + size]) for i in range(0, len(chosen), size)]
    done = {}
    with multiprocessing.get_context("fork").Pool(args.jobs) as pool:
        for part in pool.imap_unordered(work, shares):
            done.update(part)
    return {n: done[n] for n in chosen}, columns


def report(what, rows, columns, fails, seconds):
    """Print the failing names, the columns and the closing line; return how many names hold in every column."""
    whole, shown = 0, 0
    for name, r in rows.items():
        failing = {c: r[c] for c in columns if r[c] not in (None, True)}
        if not failing:
            whole += 1
        elif shown < fails:
            shown += 1
            print(f"{name}: " + "; ".join(f"{c}: {v}" for c, v in failing.items()))
    if len(rows) - whole > shown:
        print(f"(+{len(rows) - whole - shown} more names that fail; --fails N prints more)")
    for c in columns:
        applies = [r[c] for r in rows.values() if r[c] is not None]
        good = sum(v is True for v in applies)
        print(f"{c:8} {good:4} of {len(applies):4}  {100 * good / max(1, len(applies)):5.1f}%")
    share = 100 * whole / max(1, len(rows))
    print(f"{what}: {whole} of {len(rows)} names hold in every column ({share:.1f}%), {seconds:.0f} s", flush=True)
    return whole


def why(rows, columns, most=12):
    """The commonest reasons, so that one repair that frees many names is seen."""
    reasons = Counter()
    for r in rows.values():
        for c in columns:
            if isinstance(r[c], str):
                text = r[c].split(": ", 1)[-1]
                reasons[f"{c}: {text[:100]}"] += 1
    return [f"{n:4}  {reason}" for reason, n in reasons.most_common(most) if n > 1]


def floors(args):
    """Check every count of floors.toml; 1 where one fell below."""
    import names as names_tool

    wanted = tomllib.loads((HERE / "floors.toml").read_text())
    below = []
    for what in KINDS:
        args.what, start = what, time.time()
        rows, columns = collect(args)
        whole = report(what, rows, columns, args.fails, time.time() - start)
        lost = [n for n in wanted[what].get("hold", ()) if any(isinstance(v, str) for v in rows.get(n, {}).values())]
        if whole < wanted[what]["names"]:
            below.append(f"{what}: {whole} names hold, the floor is {wanted[what]['names']}")
        if lost:
            below.append(f"{what}: no longer hold: {', '.join(lost)}")
    share = names_tool.share(args.candidate, wanted["names"]["min_repos"], missing=args.fails)
    if share < wanted["names"]["percent"]:
        below.append(f"names: {share:.1f}% exist, the floor is {wanted['names']['percent']}%")
    for line in below:
        print(f"parity: below its floor: {line}")
    if not below:
        print("parity: every floor holds")
    return 1 if below else 0


def main(argv=None):
    ap = argparse.ArgumentParser(prog="parity", description=(__doc__ or "").splitlines()[0])
    ap.add_argument("what", choices=(*KINDS, "floors"))
    ap.add_argument("--candidate", default="lamella.torch")
    ap.add_argument("--only", nargs="*", help="these names alone")
    ap.add_argument("--samples", type=int, default=16, help="sample inputs of each operator and dtype (default 16)")
    ap.add_argument("--seconds", type=float, default=20, help="limit of each column of a name (default 20)")
    ap.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one per core)")
    ap.add_argument("--json", help="write every row to this file")
    ap.add_argument("--fails", type=int, default=40, help="how many failing names to print (default 40)")
    ap.add_argument("--why", action="store_true", help="also count the commonest reasons")
    ap.add_argument("--verbose", action="store_true", help="print tracebacks")
    args = ap.parse_args(argv)
    try:
        import torch  # noqa: F401
    except ImportError:
        ap.error("torch is not installed in this environment (pip install torch==2.13.0 expecttest scipy)")
    warnings.filterwarnings("ignore")
    if args.what == "floors":
        return floors(args)
    start = time.time()
    rows, columns = collect(args)
    fails = len(rows) if args.only else args.fails
    report(args.what, rows, columns, fails, time.time() - start)
    if args.why:
        print("\n".join(why(rows, columns)))
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(rows, indent=1, default=str))
    return 0


if __name__ == "__main__":
    sys.exit(main())
