"""Bodies of distances: all are kernels, so nothing is needed here."""
