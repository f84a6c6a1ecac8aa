"""CUDA C++: `expressions` prints bodies, `loops` the loops of threads, `kernels` fused kernels, `program` the whole."""
