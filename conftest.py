"""For all tests: NumPy's kernels, whether or not native ones were built on this machine; their tests turn them on."""

import os

os.environ.setdefault("LAMELLA_NATIVE", "off")
