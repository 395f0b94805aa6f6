#!/bin/sh
# Runs pytest with the given options; what fails is run once more, alone. Many tests time real programs, and a machine
# that others use too has seconds in which no clock can be trusted. What passes only then is named at the end; what
# fails twice has failed.
#   runs/tests.sh tests/bench tests/store
set -u
cd "$(dirname "$0")/.."
pytest=.venv/bin/pytest
"$pytest" "$@" && exit 0
first=$?
[ "$first" -eq 1 ] || exit "$first"
unsteady=$(mktemp)
trap 'rm -f "$unsteady"' EXIT
"$pytest" "$@" --last-failed --collect-only --numprocesses 0 -o addopts="-q --strict-markers" | grep '::' > "$unsteady"
echo "== $(wc -l < "$unsteady") failed; once more, alone"
"$pytest" "$@" --last-failed --last-failed-no-failures none --numprocesses 0 || exit $?
echo "== Passed only when run alone:"
cat "$unsteady"
