# Generated from packages/nn/src/lamella/nn/ops/grid.yaml (sha256 52c0ba8725dd9dc1). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.grid_cpu")
