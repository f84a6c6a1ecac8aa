# Generated from packages/nn/src/lamella/nn/ops/attention.yaml (sha256 c87c1ddc3712cc8c). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.attention_cpu")
