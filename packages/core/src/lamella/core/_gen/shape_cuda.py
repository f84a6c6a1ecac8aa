# Generated from packages/core/src/lamella/core/ops/shape.yaml (sha256 0ca9c9c6dd701f94). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.shape_cpu")
