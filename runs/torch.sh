#!/bin/sh
# What the judge of torch tasks shows on this machine, beside plain scripts; on a machine with a GPU, all of it takes about
# half an hour. Parts by name, or all: build agree cheats speed spread same sanitize optimize bench. SAME="NAME ...": only
# these examples in `same` (baselines against themselves), which also runs without a GPU. Two parts take arguments, for a
# checkout of KernelBench: `sizes PATH` is the device memory that judging each problem takes, computed without a GPU, and
# `full OUT PATH [--seconds N]` judges large problems at their own size, `drawn PATH ROWS [--seconds N]` searches 50 drawn ones.
set -u
cd "$(dirname "$0")/.." || exit 1
python=${PYTHON:-.venv/bin/python}
out=${OUT:-$(mktemp -d)}
mkdir -p "$out"
PYTHONPATH=src${PYTHONPATH:+:$PYTHONPATH}
export PYTHONPATH
case ${1:-} in
    sizes | full | drawn)
        part=$1
        shift
        exec "$python" "runs/torch/$part.py" "$@" ;;
esac
if [ $# -eq 0 ]; then set -- build agree cheats speed spread same sanitize optimize bench; fi
for part in "$@"; do
    echo "== $part"
    began=$(date +%s)
    case $part in
        build) PYTHON=$python sh runs/kernel_build.sh ;;
        agree)
            $python runs/torch/plain.py --build-jobs 12 --repeats 60 --out "$out/plain.json" | grep -E 'right|WRONG'
            $python runs/torch/ours.py agree "$out/plain.json" ;;
        cheats) $python runs/torch/adversarial.py ;;
        speed)
            rm -rf "$out/new"
            tag=$(date +%s)
            $python runs/torch/plain_harness.py --fresh "plain$tag" --parallel-builds 16 | tail -3
            set -- examples/torch/softmax/solutions/cuda.py examples/torch/layernorm/solutions/cuda.py
            $python runs/torch/plain_harness.py --fresh "one$tag" "$@" | tail -3
            $python runs/torch/plain_harness.py --fresh "ours$tag" --write "$out/new" >"$out/new.txt"
            $python runs/torch/ours.py speed "$out/new" ;;
        spread) $python runs/torch/ours.py spread ;;
        same) $python runs/torch/ours.py same ${SAME:-} ;;
        sanitize)  # beside the solution, one that reads beyond the end of its inputs and still answers right
            solution=examples/torch/swish_residual/solutions/cuda.py
            beyond='float4 v = x[i]; const float4 r = residual[i]; v.x += x[i + 1].x == 12345.5f;'
            sed "s/const float4 v = x\[i\], r = residual\[i\];/$beyond/" $solution >"$out/beyond_the_end.py"
            $python -m maxcode evaluate examples/torch/swish_residual $solution "$out/beyond_the_end.py" \
                --sanitize --profile --no-cache ;;
        optimize)
            $python -m maxcode optimize examples/torch/layernorm --policy rewrite --evals 6 --max-seconds 60 \
                --out "$out/layernorm"
            $python -m maxcode optimize examples/torch/softmax --policy scripted:examples/torch/softmax/solutions \
                --evals 4 --out "$out/softmax" ;;
        bench)
            $python -m maxcode bench kernelbench --path tests/bench/data/kernelbench --evals 6 --seeds 1 \
                --method flat --method cuda-llm+maxcode ;;
        *)
            echo "no part '$part'; use build, agree, cheats, speed, spread, same, sanitize, optimize or bench"
            exit 2 ;;
    esac
    echo "== $part took $(($(date +%s) - began)) s"
done
