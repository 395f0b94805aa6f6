#!/bin/sh
# Searches for a faster program or function, confirms it, and prints the verdict as JSON and the diff.
# usage: optimize.sh TASK|FILE|FILE.py::FUNCTION [OPTION OF maxcode optimize]...
set -eu
[ $# -ge 1 ] || { echo "usage: $0 TASK|FILE|FUNCTION [OPTION]..." >&2; exit 2; }
maxcode optimize "$@" --json
maxcode diff last
