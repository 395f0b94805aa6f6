#!/bin/sh
# Does the search choose the truly best program? Lower bound, estimate, posterior and races: simulated, and over
# whole searches. `runs/selection.sh choices|searches|rewriter`; each takes an hour or so of one core. On recorded pairs:
# `runs/selection.sh recorded choose lab/selection/recorded.jsonl`; `recorded record FILE TASK...` takes more of them.
cd "$(dirname "$0")/.." || exit 1
make -s install || exit 1
part="$1"
shift
exec .venv/bin/python "runs/selection/$part.py" "$@"
