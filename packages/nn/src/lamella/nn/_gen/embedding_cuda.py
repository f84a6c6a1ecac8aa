# Generated from packages/nn/src/lamella/nn/ops/embedding.yaml (sha256 d9a8747a7aaf86c5). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.embedding_cpu")
