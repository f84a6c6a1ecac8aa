# Generated from packages/core/src/lamella/core/ops/comparison.yaml (sha256 3248c2079ba231df). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.comparison_cpu")
