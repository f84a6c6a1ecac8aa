#!/usr/bin/env python3
"""Count which torch names that public programs use exist in a candidate.

    python tools/parity/names.py [--candidate lamella.torch] [--min-repos 3] [--missing 40]

Reads api_usage.tsv: a name, how many of ~130 public programs use it, how often. A name counts as there when it
resolves to something; whether it behaves is parity.py's to say. Names that torch 2.13 itself no longer has are left out
when torch can be imported. Weighted: each name counts as often as programs use it.
"""
from __future__ import annotations

import argparse
import importlib
import pathlib
import sys

HOMES = {"F": "nn.functional", "nn": "nn", "optim": "optim", "dist": "distributed", "Tensor": "Tensor",
         "Module": "nn.Module", "Optimizer": "optim.Optimizer", "torch": ""}
USAGE = pathlib.Path(__file__).resolve().parent / "api_usage.tsv"


def find(root, name, path):
    """Does `path` (dotted, below the module called `name`) resolve, importing submodules where needed?"""
    here, at = root, name
    for part in [p for p in path.split(".") if p]:
        at += "." + part
        try:
            here = getattr(here, part)
        except AttributeError:
            try:
                here = importlib.import_module(at)
            except ImportError:
                return False
        except RuntimeError:  # torch.classes looks for a class of that name, and says so when there is none
            return False
    return True


def resolves(candidate, name):
    """Does a name of the list (`F.relu`, `Tensor.view`, `nn.Module`) exist in the module called `candidate`?"""
    head, _, rest = name.partition(".")
    path = ".".join(x for x in (HOMES.get(head, head), rest) if x)
    if find(importlib.import_module(candidate), candidate, path):
        return True
    # attributes that only instances have
    if head == "Tensor" and rest in ("shape", "data", "grad", "device", "dtype"):
        return True
    return head == "Module" and rest in ("training",)


def usage(min_repos):
    """(name, programs) pairs of the list that at least `min_repos` programs use and torch still has."""
    rows = []
    for line in USAGE.read_text().splitlines()[1:]:
        name, repos = line.split("\t")[:2]
        if int(repos) >= min_repos:
            rows.append((name, int(repos)))
    try:
        importlib.import_module("torch")
    except ImportError:
        return rows
    return [r for r in rows if resolves("torch", r[0])]


def share(candidate="lamella.torch", min_repos=3, missing=40):
    """Print what is missing and how much exists; return the percentage of names that exist."""
    rows = usage(min_repos)
    gone = [r for r in rows if not resolves(candidate, r[0])]
    for name, repos in gone[:missing]:
        print(f"missing {name} ({repos} programs)")
    total, miss = sum(r[1] for r in rows), sum(r[1] for r in gone)
    percent = 100 * (1 - len(gone) / max(1, len(rows)))
    print(f"names: {len(rows) - len(gone)} of {len(rows)} exist ({percent:.1f}%), "
          f"weighted by programs {100 * (1 - miss / max(1, total)):.1f}%")
    return percent


def main():
    ap = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    ap.add_argument("--candidate", default="lamella.torch")
    ap.add_argument("--min-repos", type=int, default=3)
    ap.add_argument("--missing", type=int, default=40, help="how many missing names to print, most used first")
    args = ap.parse_args()
    share(args.candidate, args.min_repos, args.missing)
    return 0


if __name__ == "__main__":
    sys.exit(main())
