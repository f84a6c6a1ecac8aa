# Generated from packages/nn/src/lamella/nn/ops/padding.yaml (sha256 cdb259f590a3cb3b). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.padding_cpu")
