# Generated from packages/core/src/lamella/core/ops/linalg.yaml (sha256 5982faa848f0869d). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.linalg_cpu")
