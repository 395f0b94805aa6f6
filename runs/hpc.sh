#!/bin/sh
# HPC kernels on this machine: baselines beside roofline and libraries; with a number as argument, also what the rewriter
# makes of the kernels in so many programs each; then how many answers a reward service judges per second and core.
# About ten minutes without the search on two quiet cores.
set -eu
cd "$(dirname "$0")/.."
maxcode=.venv/bin/maxcode
"$maxcode" bench hpc --only-measure --format markdown
if [ $# -gt 0 ]; then
    "$maxcode" bench hpc --evals "$1" --seeds "${SEEDS:-1}" --format markdown
fi
exec .venv/bin/python runs/hpc/throughput.py
