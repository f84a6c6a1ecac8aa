# Generated from packages/core/src/lamella/core/ops/indexing.yaml (sha256 16f006509885e2a5). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.indexing_cpu")
