#!/bin/sh
# GRPO on measured GFLOPS with a small model: before, plain GRPO and Staged Quality-Diversity at the same number of
# answers, then fresh answers on shapes and kernels that were kept back, with everything permitted.
#   runs/rl_small.sh --actions named --device cpu --seeds 3     names of the rewriter's transformations, on a CPU
#   runs/rl_small.sh --actions programs --data warmstart.jsonl  whole programs, on a machine with a GPU
# Parts, all of them or those given with --only a,b,c:
#   explore    demonstrations: programs that random transformations lead to (needs no GPU; --data names a file to use)
#   warmstart  supervised training on them (whole programs only, unless --warm yes)
#   before     fresh answers of the model that training begins with
#   plain sqd  GRPO with everything permitted, and with stages; --seeds of each
#   after      fresh answers of the trained models
#   plots      curves and tables, in --out
# Other options: --model NAME|FOLDER, --out DIR, --steps, --group, --prompts, --rate, --max-tokens, --answers,
# --bench-cpus N (cores that time programs; the rest is the model's), --ceiling N, --tasks "A B", --held-out "A B".
# PYTHON (default .venv/bin/python) may be another interpreter, with PYTHONPATH=src:... where nothing is installed.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
actions=named device="" seeds=3 model=smollm2-135m out="" data="" only="" warm="" bench="" ceiling=""
steps="" group="" prompts="" rate="" max_tokens="" answers=16 episodes=240 epochs=12
tasks="hpc:dgemm:m=64,n=64,k=64 hpc:dgemm:m=128,n=128,k=128 hpc:dgemm:m=256,n=256,k=256"
held_out="hpc:dgemm:m=96,n=96,k=96 hpc:dgemm:m=64,n=192,k=256 hpc:gemv:held-out hpc:trsm:held-out hpc:attention:held-out"
while [ $# -gt 0 ]; do
    case "$1" in
        --actions) actions=$2 ;;
        --device) device=$2 ;;
        --seeds) seeds=$2 ;;
        --model) model=$2 ;;
        --out) out=$2 ;;
        --data) data=$2 ;;
        --only) only=$2 ;;
        --warm) warm=$2 ;;
        --bench-cpus) bench=$2 ;;
        --ceiling) ceiling=$2 ;;
        --steps) steps=$2 ;;
        --group) group=$2 ;;
        --prompts) prompts=$2 ;;
        --rate) rate=$2 ;;
        --max-tokens) max_tokens=$2 ;;
        --answers) answers=$2 ;;
        --episodes) episodes=$2 ;;
        --epochs) epochs=$2 ;;
        --tasks) tasks=$2 ;;
        --held-out) held_out=$2 ;;
        *) echo "runs/rl_small.sh: $1 is not known; the options are in its first lines." >&2; exit 2 ;;
    esac
    shift 2
done
out=${out:-out/rl_small_$actions}
[ "$device" = cpu ] && export CUDA_VISIBLE_DEVICES=
[ -n "$warm" ] || { [ "$actions" = programs ] && warm=yes || warm=no; }
if [ -z "$only" ]; then
    only=before,plain,sqd,after,plots
    [ "$warm" = yes ] && only=warmstart,$only
    [ "$warm" = yes ] && [ -z "$data" ] && only=explore,$only
fi
data=${data:-$out/warmstart.jsonl}
export OMP_WAIT_POLICY=passive
mkdir -p "$out"

part() {
    case ",$only," in *",$1,"*) ;; *) return 1 ;; esac
    echo "== $1 ($(date +%H:%M:%S))"
}
maxcode() { "$python" -m maxcode "$@"; }
given() { [ -z "$2" ] || printf ' %s %s' "$1" "$2"; }
machines="$(given --bench-cpus "$bench")$(given --ceiling "$ceiling")"
update="$(given --steps "$steps")$(given --group "$group")$(given --prompts "$prompts")$(given --learning-rate "$rate")"
update="$update$(given --max-tokens "$max_tokens")"
training=$(for each in $tasks; do printf ' --tasks %s' "$each"; done)
kept_back=$(for each in $held_out; do printf ' --tasks %s' "$each"; done)
begin=$model
[ "$warm" = yes ] && begin=$out/warm

try() {  # MODEL NAME SEED: fresh answers, one JSON object per task
    maxcode rl eval "$1" --actions "$actions" --answers "$answers" --seed "$((1000 + $3))" $kept_back $machines --json \
        > "$out/eval-$2-$3.jsonl.part"
    mv "$out/eval-$2-$3.jsonl.part" "$out/eval-$2-$3.jsonl"
}
learn() {  # NAME CURRICULUM SEED
    folder=$out/$1-$3
    if [ -f "$folder/run.json" ]; then
        [ -d "$folder/final" ] || maxcode rl train --resume "$folder"
    else
        maxcode rl train -o "$folder" --preset smollm2-135m --base "$begin" --actions "$actions" --curriculum "$2" \
            --seed "$3" $training $update $machines
    fi
}
numbers() { i=0; while [ "$i" -lt "$seeds" ]; do echo "$i"; i=$((i + 1)); done; }

if part explore; then
    maxcode rl explore -o "$data" --episodes "$episodes" $training $machines
fi
if part warmstart; then
    maxcode rl warmstart --data "$data" -o "$out/warm" --preset smollm2-135m --base "$model" --actions "$actions" \
        --epochs "$epochs" --keep 1.0$(given --max-tokens "$max_tokens")
fi
if part before; then
    try "$begin" before 0
fi
if part plain; then
    for seed in $(numbers); do learn plain none "$seed"; done
fi
if part sqd; then
    for seed in $(numbers); do learn sqd sqd "$seed"; done
fi
if part after; then
    for seed in $(numbers); do
        for name in plain sqd; do
            [ ! -d "$out/$name-$seed/final" ] || [ -f "$out/eval-$name-$seed.jsonl" ] || try "$out/$name-$seed/final" "$name" "$seed"
        done
    done
fi
if part plots; then
    runs=$("$python" runs/rl_small/tables.py runs "$out")
    maxcode rl plot $runs -o "$out/curves.html" --format markdown > "$out/curves.md"
    "$python" runs/rl_small/tables.py table "$out" > "$out/table.md"
    cat "$out/curves.md" "$out/table.md"
fi
