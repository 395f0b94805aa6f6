#!/bin/sh
# Evaluations per minute and core on three examples, beside the floor: a bare compile and the same runs by hand, unsandboxed.
cd "$(dirname "$0")/.." || exit 1
make -s install || exit 1
exec .venv/bin/python runs/throughput/throughput.py "$@"
