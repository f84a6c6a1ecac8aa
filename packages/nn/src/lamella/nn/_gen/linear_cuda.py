# Generated from packages/nn/src/lamella/nn/ops/linear.yaml (sha256 ef39e33a3869864c). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.linear_cpu")
