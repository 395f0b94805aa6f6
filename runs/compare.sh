#!/bin/sh
# False alarms and power of `maxcode compare`, beside hyperfine and pyperf, on programs whose true difference is known.
# Parts of eight minutes at most (--minutes N), kept in out/compare.jsonl (--out FILE): run it again to go on.
#   runs/compare.sh quiet | loaded      takes what is missing and prints the table; loaded: half of the cores are kept busy
#   runs/compare.sh shared              the same on a machine that others use meanwhile
#   runs/compare.sh table               prints the table of what there is
# hyperfine and pyperf are used where they are installed (apt-get install hyperfine; pip install pyperf).
cd "$(dirname "$0")/.." || exit 1
make -s install || exit 1
exec .venv/bin/python runs/compare/compare.py "$@"
