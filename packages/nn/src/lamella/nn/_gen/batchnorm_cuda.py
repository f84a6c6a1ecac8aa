# Generated from packages/nn/src/lamella/nn/ops/batchnorm.yaml (sha256 0f8c16ed9f9d405f). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.batchnorm_cpu")
