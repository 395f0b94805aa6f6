#!/bin/sh
# How well the detector of optimisation techniques agrees with the labelled programs of tests/train/techniques: precision
# and recall of each technique, for the half it was written on, the half held out, and the programs written later.
# With an argument (dev, held or late), that part alone, and the programs on which it errs. A few seconds.
set -eu
cd "$(dirname "$0")/.."
exec "${PYTHON:-.venv/bin/python}" -m tests.train.labelled "$@"
