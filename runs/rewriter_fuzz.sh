#!/bin/sh
# Random programs, every rewrite of each, and whether the output stays the same: runs/rewriter_fuzz.sh [PROGRAMS [SEED]].
# Two thousand programs take a night on two cores. A wrong rewrite is printed with its program; the exit status is 1 then.
set -eu
cd "$(dirname "$0")/.."
for language in ${LANGUAGES:-c c++}; do
    .venv/bin/python runs/rewriter/fuzz.py --language "$language" --programs "${1:-1000}" --seed "${2:-1}"
done
.venv/bin/python runs/rewriter/fuzz_python.py --programs "${1:-1000}" --seed "${2:-1}"
