# Generated from packages/nn/src/lamella/nn/ops/pooling_adaptive.yaml (sha256 975d808a7e26d0ff). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.pooling_adaptive_cpu")
