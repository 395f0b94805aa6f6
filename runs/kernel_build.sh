#!/bin/sh
# Seconds to build a new load_inline candidate, plain and ours, one at a time and sixteen at once, on a machine with nvcc;
# each is then called on the GPU and compared with torch. With --cpu: the same for a C++ extension, anywhere, small.
cd "$(dirname "$0")/.." || exit 1
PYTHONPATH=src${PYTHONPATH:+:$PYTHONPATH} exec "${PYTHON:-.venv/bin/python}" runs/torch/kernel_build.py "$@"
