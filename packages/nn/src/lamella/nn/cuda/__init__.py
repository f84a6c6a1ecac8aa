"""Networks on a GPU: the CPU's kernels over CuPy's arrays, and what is done otherwise there (``kernels``).

A module below ``kernels`` replaces names of the module of the same name for the CPU (see `lamella.core.cuda.twins`):
sizes of blocks that fit a CPU's cache, questions about values that would make the host wait for the GPU, and functions
that only the host has.
"""
