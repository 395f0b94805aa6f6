#!/bin/sh
# What the rewriter reaches with no model: every example task, 32 programs each, and what became of the programs.
# With a folder in PIE's format as argument, its rows too: runs/rewriter.sh [PIE_FOLDER [ROWS]]
# About half an hour for the examples on two cores, four minutes per PIE row; outcomes are kept, so that a second run
# repeats nothing but the confirmations.
set -eu
cd "$(dirname "$0")/.."
maxcode=.venv/bin/maxcode
started=$(date +%s)
"$maxcode" bench demo --method cuda-llm+maxcode --seeds "${SEEDS:-1}" --evals "${EVALS:-32}"
if [ $# -gt 0 ]; then
    "$maxcode" bench pie --path "$1" ${2:+--rows "$2"} --method cuda-llm+maxcode --evals "${EVALS:-32}"
fi
echo "took $(( ($(date +%s) - started) / 60 )) minutes"
