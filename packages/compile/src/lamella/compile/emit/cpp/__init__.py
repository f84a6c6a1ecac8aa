"""C++: `expressions` prints loop bodies, `loops` and `columns` inner loops, `kernels` fused kernels, `program` the whole."""
