# Generated from packages/nn/src/lamella/nn/ops/ctc.yaml (sha256 69dd7da3a729cf3e). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.ctc_cpu")
