#!/usr/bin/env bash
# Everything that needs a GPU, in one command of less than ten minutes: the operator samples and gradients on CUDA, the
# compiled kernels against eager, collectives through NCCL, and times beside torch and torch.compile where torch is
# installed.
#
#     tools/bench/gpu.sh [--small] [--only SECTION ...]        sections: samples gradients models nccl times
#
# PYTHON names the interpreter (default: the one of .venv, else python3). It needs numpy, CuPy and what compiles C++.
set -uo pipefail
cd "$(dirname "$0")/../.."

python="${PYTHON:-}"
if [ -z "$python" ]; then
    python=python3
    [ -x .venv/bin/python ] && python=.venv/bin/python
fi
for package in packages/*/src; do
    PYTHONPATH="$PWD/$package${PYTHONPATH:+:$PYTHONPATH}"
done
export PYTHONPATH
exec timeout 590 "$python" tools/bench/gpu.py "$@"
