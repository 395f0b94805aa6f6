#!/bin/sh
# What the searches' own process and the journal do at 1,000 evaluators and 100 searches, by simulation: evaluators only
# wait. The journal is a file of SQLite, or what MAXCODE_JOURNAL names. Options: runs/scale.sh --help
cd "$(dirname "$0")/.." || exit 1
make -s install || exit 1
exec .venv/bin/python runs/scale/scale.py "$@"
