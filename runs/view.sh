#!/bin/sh
# How fast the live page answers at 10,000 nodes: asked by one reader, in a home of its own; the run is made by the real
# search through the real journal. Usage: sh runs/view.sh [NODES]
set -e
cd "$(dirname "$0")/.."
exec .venv/bin/python runs/view/latency.py "$@"
