# Generated from packages/core/src/lamella/core/ops/fft.yaml (sha256 e2e88840a9c6f566). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.fft_cpu")
