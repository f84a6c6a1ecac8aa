"""Functions that take the place of the CPU's on CUDA, in modules of the same names as those of core's kernels."""
