#!/bin/sh
# Runs the tests that an expression of marks selects, in the paths given or in all: two at a time what may run beside
# others, then what is marked `alone`. A failure ends the run with the part it is in, with two exceptions: tests marked
# `timing`, whose outcome hangs on a real clock, and tests marked `alone`, which other programs of the machine can
# disturb. These are run once more after both parts: at most five in all, by themselves, each named at the end with what
# came of it. What fails twice has failed. A test that passes only the second time is reported, since it may still show
# a defect: look at it if it is named again.
#   runs/tests.sh 'not long' tests/bench tests/store
set -u
cd "$(dirname "$0")/.."
pytest=.venv/bin/pytest
selection="($1)"
unsteady= # yes: something failed that may be run once more
again='(timing or alone)'
shift

failed_before() { # ids of the failures of the last run that the marks select
	marks=$1
	shift
	"$pytest" --last-failed --collect-only -m "$marks" -o addopts="-q --strict-markers" "$@" | grep '::'
}

part() { # runs what the marks select; its failures are left to `once_more` if all of them may be run again
	marks=$1
	shift
	"$pytest" -m "$marks" "$@"
	code=$?
	[ "$code" -eq 0 ] || [ "$code" -eq 5 ] && return # 5: nothing is selected
	[ "$code" -eq 1 ] || exit "$code"
	certain=$(failed_before "($marks) and not $again" "$@" --numprocesses 0)
	[ -z "$certain" ] || fail "$certain"
	unsteady=yes
}

once_more() {
	failed=$(failed_before "$selection and $again" "$@")
	[ "$(echo "$failed" | wc -l)" -le 5 ] || fail "$failed"
	echo "== Marked timing or alone, once more:"
	echo "$failed"
	"$pytest" -m "$selection and $again" --last-failed "$@" || fail "$(failed_before "$selection and $again" "$@")"
	echo "== Passed only the second time:"
	echo "$failed"
}

fail() {
	echo "== Failed; one is run again by: $pytest 'ID'"
	echo "$1"
	exit 1
}

part "$selection and not alone" --numprocesses 2 --dist loadfile --no-loadscope-reorder "$@"
part "$selection and alone" "$@"
[ -z "$unsteady" ] || once_more "$@"
