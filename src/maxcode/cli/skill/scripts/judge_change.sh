#!/bin/sh
# Is the work tree faster than the last commit? Changes of tracked files count, committed or not.
# usage: judge_change.sh BUILD BENCH [OPTION OF maxcode compare]...
set -eu
[ $# -ge 2 ] || { echo "usage: $0 BUILD BENCH [OPTION]..." >&2; exit 2; }
build=$1 bench=$2
shift 2
changed=$(git stash create)
[ -n "$changed" ] || { echo "nothing has changed since the last commit" >&2; exit 2; }
exec maxcode compare "$@" --names before,after --git HEAD "$changed" -- "$build" "$bench"
