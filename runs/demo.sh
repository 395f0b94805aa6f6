#!/bin/sh
# What MaxCode can do today, on one example: judge programs and say which is really faster.
maxcode=.venv/bin/maxcode
echo "MaxCode judges three programs against examples/matmul, a plain matrix multiplication:"
echo "the baseline itself (no difference, whatever the noise), a tiled version, and a fast one that is wrong at odd sizes."
echo
echo "\$ maxcode evaluate examples/matmul examples/matmul/baseline.cpp examples/matmul/attempts/*.cpp"
"$maxcode" evaluate examples/matmul examples/matmul/baseline.cpp examples/matmul/attempts/*.cpp || exit 1
echo
echo "A search over the same programs (a script in place of a model), with the winner measured afresh before it is claimed:"
echo
echo "\$ maxcode optimize examples/matmul --policy scripted:examples/matmul/attempts --strategy flat --evals 2 --out out/demo"
"$maxcode" optimize examples/matmul --policy scripted:examples/matmul/attempts --strategy flat --evals 2 --out out/demo || exit 1
