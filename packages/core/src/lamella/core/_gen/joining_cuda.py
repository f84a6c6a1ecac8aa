# Generated from packages/core/src/lamella/core/ops/joining.yaml (sha256 ed0c362d9d922849). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.joining_cpu")
