# Generated from packages/nn/src/lamella/nn/ops/loss.yaml (sha256 a0e58c2905d9fa6b). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.loss_cpu")
