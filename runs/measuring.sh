#!/bin/sh
# How far the evaluator's timing can be trusted on this machine: false wins, right verdicts, pairs needed, beside what
# peers do (median of 10, one after the other) on the same programs in the same run. About half an hour; QUICK=1: minutes.
cd "$(dirname "$0")/.." || exit 1
make -s install || exit 1
exec .venv/bin/python runs/measuring/measuring.py ${QUICK:+--quick} "$@"
