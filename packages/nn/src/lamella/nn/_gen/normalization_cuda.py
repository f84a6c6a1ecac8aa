# Generated from packages/nn/src/lamella/nn/ops/normalization.yaml (sha256 36b32273e626f68c). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.normalization_cpu")
