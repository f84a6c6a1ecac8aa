# Generated from packages/nn/src/lamella/nn/ops/recurrent.yaml (sha256 d502a54b3fe778c0). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.recurrent_cpu")
