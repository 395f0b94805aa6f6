#!/bin/sh
# 1,000 evaluations of a small program while workers are killed at random: nothing may be lost, nothing left behind.
cd "$(dirname "$0")/.." || exit 1
make -s install || exit 1
exec .venv/bin/python runs/soak/soak.py "$@"
