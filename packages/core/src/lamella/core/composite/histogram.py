"""Bodies of histograms: all are kernels, so nothing is needed here."""
