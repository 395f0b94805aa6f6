#!/bin/sh
# What asking ahead saves, and what it costs: wall time with sleeping models and evaluators, then best programs of
# simulated tasks. 16 minutes for the times, a few for the tasks; runs/latency.sh --scale 0.1 for a quick look.
cd "$(dirname "$0")/.." || exit 1
make -s install || exit 1
.venv/bin/python runs/latency/latency.py "$@" && .venv/bin/python runs/latency/quality.py
