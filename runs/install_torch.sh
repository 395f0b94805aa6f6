#!/bin/sh
# Installs torch's CPU build beside MaxCode, for the tests of torch tasks. Never the CUDA packages: those are several
# gigabytes, and come with `pip install 'maxcode[torch]'` where they are wanted. Where no CPU build is to be had, the
# tests that need torch are skipped and say so.
set -u
python=${1:-.venv/bin/python}
$python -c 'import torch' 2>/dev/null && exit 0
$python -m pip install --quiet --constraint requirements.lock \
    filelock fsspec jinja2 networkx ninja setuptools sympy typing-extensions &&
    $python -m pip install --quiet --no-deps torch==2.13.0
$python -c 'import torch' 2>/dev/null && exit 0
$python -m pip uninstall --quiet --yes torch 2>/dev/null
echo "torch is not installed; its tests will be skipped"
