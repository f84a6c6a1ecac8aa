# Generated from packages/core/src/lamella/core/ops/pointwise.yaml (sha256 8a5b88971c91d257). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.pointwise_cpu")
