# Generated from packages/core/src/lamella/core/ops/masking.yaml (sha256 ce645c2e13c19b07). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.masking_cpu")
