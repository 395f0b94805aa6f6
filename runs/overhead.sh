#!/bin/sh
# What the framework itself costs per step: instant policy, instant evaluator, journal on disk.
# Beside it the same loop with OpenEvolve, where it is installed (pip install openevolve).
cd "$(dirname "$0")/.." || exit 1
make -s install || exit 1
exec .venv/bin/python runs/overhead/overhead.py "$@"
