# Generated from packages/nn/src/lamella/nn/ops/pooling.yaml (sha256 d72bce4a02a185cd). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.pooling_cpu")
