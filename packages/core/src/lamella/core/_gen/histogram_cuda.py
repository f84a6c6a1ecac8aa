# Generated from packages/core/src/lamella/core/ops/histogram.yaml (sha256 8c828063265ef290). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.histogram_cpu")
