# Generated from packages/core/src/lamella/core/ops/scattering.yaml (sha256 9cdc20e7c9eda487). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.scattering_cpu")
