#!/usr/bin/env python3
"""How long `from lamella import torch` takes, beside `import numpy` and (where installed) `import torch`.

    python tools/bench/imports.py [--repeats N] [--top N] [--max RATIO]

Every import runs in a process of its own, turn by turn; the best of each counts. An empty program's time is
taken off.
"""
from __future__ import annotations

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import time

ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
PROGRAMS = {"empty": "pass", "numpy": "import numpy", "lamella": "from lamella import torch", "torch": "import torch"}


def took(program: str) -> float:
    """Seconds that a new Python needs for a program."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, env=ENVIRONMENT)
    return time.perf_counter() - start


def slowest(program: str, top: int) -> list[str]:
    """The modules with the most time of their own, from -X importtime."""
    command = [sys.executable, "-X", "importtime", "-c", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT)
    found = re.findall(r"import time:\s+(\d+) \|\s+(\d+) \| \s*(\S+)", done.stderr)
    rows = sorted(((int(own), name) for own, _, name in found), reverse=True)
    return [f"{own / 1000:8.1f} ms  {name}" for own, name in rows[:top]]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--top", type=int, default=0, help="also print the slowest modules of lamella")
    parser.add_argument("--max", type=float, default=0, help="exit 1 above this many times numpy's time")
    args = parser.parse_args()
    names = [n for n in PROGRAMS if n != "torch" or importlib.util.find_spec("torch") is not None]
    best = dict.fromkeys(names, float("inf"))
    for turn in range(args.repeats + 1):  # the first turn writes the .pyc files
        for name in names:
            seconds = took(PROGRAMS[name])
            if turn:
                best[name] = min(best[name], seconds)
    base = best.pop("empty")
    for name, seconds in best.items():
        ratio = (seconds - base) / (best["numpy"] - base)
        print(f"{PROGRAMS[name]:28} {1000 * (seconds - base):7.1f} ms   {ratio:5.2f} x numpy")
    for line in slowest(PROGRAMS["lamella"], args.top):
        print(line)
    ratio = (best["lamella"] - base) / (best["numpy"] - base)
    if args.max and ratio > args.max:
        print(f"imports: lamella takes {ratio:.2f} times as long as numpy, the limit is {args.max:g}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
