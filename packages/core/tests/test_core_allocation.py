"""Freed memory that the process keeps: arrays come from pages that are there already."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
from lamella.core.allocation import keep_freed_memory

kept = {call}
for _ in range(3):
    arrays = [np.ones(1 << 18, np.float32) for _ in range(8)]
    del arrays
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    arrays = [np.ones(1 << 18, np.float32) for _ in range(8)]
    del arrays
print(int(kept), resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def run(call, **variables):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MALLOC_", "GLIBC_TUNABLES", "LD_PRELOAD"))}
    done = subprocess.run([sys.executable, "-c", PROGRAM.format(call=call)], capture_output=True, text=True,
                          env={**env, **variables}, timeout=60)
    assert done.returncode == 0, done.stderr
    kept, faults = done.stdout.split()
    return kept == "1", int(faults)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's malloc")
def test_pages_are_used_again():
    kept, faults = run("keep_freed_memory()")
    if not kept:
        pytest.skip("malloc is not glibc's")
    assert faults < 100
    assert run("keep_freed_memory(0)")[1] > 10 * faults + 1000


def test_what_the_environment_says_about_malloc_stays():
    for name, value in (("MALLOC_TRIM_THRESHOLD_", "131072"), ("GLIBC_TUNABLES", "glibc.malloc.check=0")):
        assert run("keep_freed_memory()", **{name: value})[0] is False
    assert run("keep_freed_memory()", LAMELLA_KEEP_MEMORY="0")[0] is False
