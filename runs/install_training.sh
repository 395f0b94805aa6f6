#!/bin/sh
# Installs what trains language models (transformers, PEFT, TRL) and Ray beside MaxCode, for their tests. After torch, or
# pip would fetch torch's CUDA packages, which are several gigabytes. Where something is not to be had, its tests are
# skipped and say so.
set -u
python=${1:-.venv/bin/python}
install() {
    $python -c "import $1" 2>/dev/null && return
    shift
    $python -m pip install --quiet --constraint requirements.lock "$@" || echo "not installed: $*; its tests will be skipped"
}
install ray 'ray>=2.60'
install ribs 'ribs>=0.8'
$python -c 'import torch' 2>/dev/null || { echo "without torch, nothing is trained; those tests will be skipped"; exit 0; }
install trl 'transformers>=5.0' 'peft>=0.17' 'accelerate>=1.10' 'gguf>=0.17' 'trl>=1.0' 'datasets>=4.0'
