# Generated from packages/core/src/lamella/core/ops/slicing.yaml (sha256 7cfd7b6391f830e2). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.slicing_cpu")
