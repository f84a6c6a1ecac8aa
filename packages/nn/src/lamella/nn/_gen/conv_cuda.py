# Generated from packages/nn/src/lamella/nn/ops/conv.yaml (sha256 ab1ffc6498b43dcf). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.conv_cpu")
