#!/bin/sh
# What the rewriter reaches with no model: every example task, 32 programs each, and what became of the programs.
# With a folder in PIE's format as argument, its rows too: runs/rewriter.sh [PIE_FOLDER [ROWS]]
# runs/rewriter.sh census [NAME=]DIR... [--step] [--output ROWS.jsonl]: on how many programs of each folder every
# transformation fires; not timed, and a second run goes on with the same rows.
# runs/rewriter.sh everyday DIR [NAME...]: rewrites combined greedily on everyday programs, by instruction counts.
# About half an hour for the examples on two cores, four minutes per PIE row; outcomes are kept, so that a second run
# repeats nothing but the confirmations.
set -eu
cd "$(dirname "$0")/.."
case "${1:-}" in
census) shift; exec .venv/bin/python runs/rewriter/census.py examples=examples --packages "${PACKAGES:-400}" "$@" ;;
everyday) shift; exec .venv/bin/python runs/rewriter/everyday.py "$@" ;;
esac
maxcode=.venv/bin/maxcode
started=$(date +%s)
"$maxcode" bench demo --method cuda-llm+maxcode --seeds "${SEEDS:-1}" --evals "${EVALS:-32}"
if [ $# -gt 0 ]; then
    "$maxcode" bench pie --path "$1" ${2:+--rows "$2"} --method cuda-llm+maxcode --evals "${EVALS:-32}"
fi
echo "took $(( ($(date +%s) - started) / 60 )) minutes"
