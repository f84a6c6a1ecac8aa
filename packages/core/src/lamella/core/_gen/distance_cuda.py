# Generated from packages/core/src/lamella/core/ops/distance.yaml (sha256 6ad0707454b5021f). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.distance_cpu")
