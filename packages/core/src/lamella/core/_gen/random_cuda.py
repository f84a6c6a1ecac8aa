# Generated from packages/core/src/lamella/core/ops/random.yaml (sha256 f46a3795b0b18123). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.random_cpu")
