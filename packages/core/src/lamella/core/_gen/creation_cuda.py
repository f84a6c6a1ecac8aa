# Generated from packages/core/src/lamella/core/ops/creation.yaml (sha256 a77ee4e662d0b0c2). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.core._gen.creation_cpu")
