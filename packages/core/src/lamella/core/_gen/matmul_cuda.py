# Generated from packages/core/src/lamella/core/ops/matmul.yaml (sha256 0e9a3f3b8985a205). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.matmul_cpu")
