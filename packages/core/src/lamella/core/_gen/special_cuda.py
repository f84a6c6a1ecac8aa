# Generated from packages/core/src/lamella/core/ops/special.yaml (sha256 918fa0d3d48262c6). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.special_cpu")
