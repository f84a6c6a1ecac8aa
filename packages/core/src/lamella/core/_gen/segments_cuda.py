# Generated from packages/core/src/lamella/core/ops/segments.yaml (sha256 6cee8f6672444cbf). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.segments_cpu")
