# Generated from packages/core/src/lamella/core/ops/conversion.yaml (sha256 908eacc1519ee738). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.conversion_cpu")
