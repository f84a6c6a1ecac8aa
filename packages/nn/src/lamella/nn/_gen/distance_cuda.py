# Generated from packages/nn/src/lamella/nn/ops/distance.yaml (sha256 b8240470d5656be8). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.cuda.twins import kernels_of

__getattr__ = kernels_of("lamella.nn._gen.distance_cpu")
