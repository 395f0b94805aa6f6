#!/bin/sh
# `maxcode optimize FILE --input INPUT` as typed, on each program of FOLDER, which has slow.*, expert.*, gen.py and meta.json.
# One row a program: tests derived and how many do real work, is the expert's version accepted, seconds to the first gain
# shown and to the end, confirmed speedup, changed lines of the diff, share of the expert's gain in logarithms.
# usage: runs/own_programs.sh FOLDER [NAME...]
# Rows are kept in OUT (out/own_programs); a second run makes those that are missing. ARGS are more words for `optimize`.
set -eu
cd "$(dirname "$0")/.."
exec .venv/bin/python runs/own_programs/table.py "$@"
