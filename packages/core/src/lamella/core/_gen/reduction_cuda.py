# Generated from packages/core/src/lamella/core/ops/reduction.yaml (sha256 6b30bd2be47c4ef0). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.reduction_cpu")
