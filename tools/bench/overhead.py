#!/usr/bin/env python3
"""What one call costs in lamella, NumPy and (where installed) torch: one interleaved run on 4x4 float32 tensors.

    python tools/bench/overhead.py [--repeats N] [--only CASE ...] [--json]

It is the command `lamella bench`, to be run from a checkout with an environment that has torch.
"""
import sys

from lamella.cli.bench import main

if __name__ == "__main__":
    sys.exit(main())
