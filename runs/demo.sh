#!/bin/sh
# What MaxCode can do today, on one example: judge programs and say which is really faster.
maxcode=.venv/bin/maxcode
echo "MaxCode judges three programs against examples/matmul, a plain matrix multiplication:"
echo "the baseline itself (no difference, whatever the noise), a tiled version, and a fast one that is wrong at odd sizes."
echo
echo "\$ maxcode evaluate examples/matmul examples/matmul/baseline.cpp examples/matmul/attempts/*.cpp"
"$maxcode" evaluate examples/matmul examples/matmul/baseline.cpp examples/matmul/attempts/*.cpp || exit 1
echo
echo "\$ maxcode evaluate --confirm --sanitize examples/matmul examples/matmul/attempts/tiled.cpp"
"$maxcode" evaluate --confirm --sanitize examples/matmul examples/matmul/attempts/tiled.cpp || exit 1
