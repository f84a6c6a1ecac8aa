# Generated from packages/nn/src/lamella/nn/ops/dropout.yaml (sha256 b085960dd3bd38df). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.dropout_cpu")
