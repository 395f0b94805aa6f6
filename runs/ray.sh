#!/bin/sh
# What a cluster costs: a batch of programs with the local pool and with two `maxcode worker` nodes on this machine.
# Samples per second and slot, and the overhead per evaluation over the local pool's.
cd "$(dirname "$0")/.." || exit 1
make -s install || exit 1
exec .venv/bin/python runs/ray/overhead.py "$@"
