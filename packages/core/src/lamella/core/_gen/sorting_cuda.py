# Generated from packages/core/src/lamella/core/ops/sorting.yaml (sha256 6b0d5f224839578c). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.sorting_cpu")
