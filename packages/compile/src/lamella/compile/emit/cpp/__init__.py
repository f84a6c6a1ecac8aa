"""C++: `expressions` prints loop bodies, `loops` the inner loops, `kernels` fused kernels, `program` the whole."""
