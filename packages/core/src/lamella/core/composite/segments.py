"""Bodies of reductions of segments: all are kernels, so nothing is needed here."""
