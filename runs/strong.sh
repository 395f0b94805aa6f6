#!/bin/sh
# What critique and trajectory give a strong model: five arms at the same number of answers (rounds of 3, depth 4), judged
# by counted instructions. Equal questions of a task are asked once, so arms share their first rounds where prompts are equal.
#   runs/strong.sh draw PROGRAMS COUNT SEED          names of COUNT programs of a folder with slow.*, gen.py, meta.json
#   runs/strong.sh tasks PROGRAMS FOLDER NAME...     makes tasks of them, timed on half of their full size
#   runs/strong.sh search MODEL OUT TASK...          the arms on task folders; MODEL is PROVIDER:MODEL, or `recorded`
#   runs/strong.sh table OUT                         outcomes: medians, ranks, fast_1, best by depth, tokens, critiques
# Every answer is in OUT/TASK as it comes. A second `search` goes on where the first was stopped; with a copy of
# lab/transcripts/strong as OUT, without its *.cell.json, it judges the recorded answers again. CONFIG names a maxcode.toml.
# CELLS (10): searches at a time.
set -eu
cd "$(dirname "$0")/.."
exec .venv/bin/python runs/strong/main.py "$@"
