"""C++: `expressions` prints bodies, `loops` and `columns` inner loops, `kernels` fused kernels, `program` the whole."""
