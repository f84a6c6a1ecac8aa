"""What replaces names of the CPU's kernels on a GPU."""
