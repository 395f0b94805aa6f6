#!/bin/sh
# How far the evaluator's timing can be trusted on this machine: false wins, right verdicts, pairs needed, beside what
# peers do (median of 10, one after the other) on the same programs in the same run. About half an hour; QUICK=1: minutes.
# `same`: programs, kernels and torch models confirmed against themselves instead (--count N, --out FILE to go on with).
cd "$(dirname "$0")/.." || exit 1
make -s install || exit 1
if [ "${1:-}" = same ]; then shift && exec .venv/bin/python runs/measuring/same.py "$@"; fi
exec .venv/bin/python runs/measuring/measuring.py ${QUICK:+--quick} "$@"
