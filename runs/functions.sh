#!/bin/sh
# Functions of real packages by the one command: which become tasks, how many wrong versions are refused, what is gained.
#   runs/functions.sh LIST FOLDER [ROWS [STAGE...]]
# LIST has lines `package version file::function seed`, such as runs/functions/chosen.txt. Packages are taken from the
# package index with their tests, each with an environment of its own in FOLDER, which is kept. ROWS (out/functions.jsonl)
# has one line of JSON for each function and stage (made, wrong, same, hand, search): run it again to go on.
#   runs/functions.sh LIST FOLDER ROWS table     prints what there is
cd "$(dirname "$0")/.." || exit 1
make -s install || exit 1
mkdir -p out
list=$1 folder=$2 rows=${3:-out/functions.jsonl}
[ $# -gt 3 ] && shift 3 || set -- made wrong same search
exec .venv/bin/python runs/functions/functions.py "$list" "$folder" "$rows" "$@"
