# Generated from packages/nn/src/lamella/nn/ops/activation.yaml (sha256 a41a3447b60eeba1). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.activation_cpu")
