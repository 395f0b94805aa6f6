#!/bin/sh
# Tests derived from one full-size input of each program of FOLDER: how many, how fast, and what they catch.
# FOLDER/NAME has slow.*, expert.*, gen.py and meta.json; WRONG/NAME holds planted wrong versions, wrong_*.*.
# usage: runs/derive.sh FOLDER [WRONG] [NAME...]
set -eu
cd "$(dirname "$0")/.."
exec .venv/bin/python runs/derive/table.py "$@"
