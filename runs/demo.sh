#!/bin/sh
# The main job on one example: a plain matrix multiplication is made faster, with no model, and the gain is proven.
set -eu
maxcode=.venv/bin/maxcode
echo "MaxCode rewrites examples/matmul, a plain matrix multiplication, and keeps what is measured to be faster."
echo "Every candidate is built in a sandbox, tested at nine sizes on secret data, and timed beside the original."
echo
echo "\$ maxcode optimize examples/matmul --evals 32 --out out/demo"
rm -rf out/demo
"$maxcode" optimize examples/matmul --evals 32 --out out/demo --no-minimize
"$maxcode" report last -o out/demo/report.html
