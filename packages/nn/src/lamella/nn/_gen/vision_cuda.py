# Generated from packages/nn/src/lamella/nn/ops/vision.yaml (sha256 39c0aaa5401101bf). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.vision_cpu")
