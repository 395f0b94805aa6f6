#!/bin/sh
# Runs the tests that an expression of marks selects, in the paths given or in all: two at a time what may run beside
# others, then what is marked `alone`. A failure ends the run with the part it is in. Only tests marked `timing`, whose
# outcome hangs on a real clock, are run once more: at most five, each named at the end. What fails twice has failed.
#   runs/tests.sh 'not long' tests/bench tests/store
set -u
cd "$(dirname "$0")/.."
pytest=.venv/bin/pytest
selection="($1)"
unsteady= # yes: something failed that is marked timing
shift

failed_before() { # ids of the failures of the last run that the marks select
	marks=$1
	shift
	"$pytest" --last-failed --collect-only -m "$marks" -o addopts="-q --strict-markers" "$@" | grep '::'
}

part() { # runs what the marks select; its failures are left to `again` if a bad moment of the clock explains them all
	marks=$1
	shift
	"$pytest" -m "$marks" "$@"
	code=$?
	[ "$code" -eq 0 ] || [ "$code" -eq 5 ] && return # 5: nothing is selected
	[ "$code" -eq 1 ] || exit "$code"
	certain=$(failed_before "($marks) and not timing" "$@" --numprocesses 0)
	[ -z "$certain" ] || fail "$certain"
	unsteady=yes
}

again() {
	failed=$(failed_before "$selection and timing" "$@")
	[ "$(echo "$failed" | wc -l)" -le 5 ] || fail "$failed"
	echo "== Marked timing, once more:"
	echo "$failed"
	"$pytest" -m "$selection and timing" --last-failed "$@" || fail "$(failed_before "$selection and timing" "$@")"
	echo "== Passed only the second time:"
	echo "$failed"
}

fail() {
	echo "== Failed; one is run again by: $pytest 'ID'"
	echo "$1"
	exit 1
}

part "$selection and not alone" --numprocesses 2 --dist loadfile "$@"
part "$selection and alone" "$@"
[ -z "$unsteady" ] || again "$@"
