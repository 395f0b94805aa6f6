#!/bin/sh
# The reward-to-go model from nothing to its tables: a family of generated tasks, searches over it, data, the light
# model, its report card, ablations, and the search with and without it. Costs are counted instructions.
#   runs/value.sh                                 everything: 120 tasks, about two hours of collecting on two cores
#   runs/value.sh --tasks 20 --rollout-evals 24   smaller
#   runs/value.sh --only eval,ablate              some parts, from what is there
#   runs/value.sh --only ship                     the model as the one that ships with MaxCode
# Parts: family collect data train eval ablate search, and ship. Things are kept in --out (default: out/value); what is
# collected is in the journal, and `--only collect` goes on after an interruption.
set -eu
cd "$(dirname "$0")/.."
out=out/value tasks=120 collect_seeds=1 path_evals=12 rollout_evals=48 held_out=0.2 split=task seeds=3 evals=24 search_tasks=24
only=family,collect,data,train,eval,ablate,search
while [ $# -gt 0 ]; do
    case "$1" in
        --out) out=$2 ;;
        --tasks) tasks=$2 ;;
        --collect-seeds) collect_seeds=$2 ;;
        --path-evals) path_evals=$2 ;;
        --rollout-evals) rollout_evals=$2 ;;
        --held-out) held_out=$2 ;;
        --split) split=$2 ;;
        --seeds) seeds=$2 ;;
        --evals) evals=$2 ;;
        --search-tasks) search_tasks=$2 ;;
        --only) only=$2 ;;
        *) echo "runs/value.sh: $1 is not known; the options are in its first lines." >&2; exit 2 ;;
    esac
    shift 2
done
maxcode=.venv/bin/maxcode
mkdir -p "$out"
chmod a+rx "$out"

part() {
    case ",$only," in *",$1,"*) ;; *) return 1 ;; esac
    echo "== $1 ($(date +%H:%M:%S))"
}

if part family; then
    "$maxcode" value family "$out/family" --count "$tasks"
    chmod -R a+rX "$out/family"
fi
if part collect; then
    if [ -f "$out/collect.run" ]; then
        "$maxcode" bench resume "$(cat "$out/collect.run")" > /dev/null
    else
        "$maxcode" collect "$out/family" --seeds "$collect_seeds" --note "$out/collect.run" \
            --method "paths+critique,evals=$path_evals" --method "rollouts+critique,evals=$rollout_evals"
    fi
fi
if part data; then
    "$maxcode" value data "$(cat "$out/collect.run")" -o "$out/data.jsonl" --held-out "$held_out" --split "$split"
fi
if part train; then
    "$maxcode" value train --data "$out/data.jsonl" -o "$out/light.json"
fi
if part eval; then
    "$maxcode" value eval --data "$out/data.jsonl" --model "$out/light.json" --html "$out/card.html"
fi
if part ablate; then
    "$maxcode" value ablate --data "$out/data.jsonl"
fi
if part search; then  # on tasks that the model has not seen; a screen at 50% asks for twice as many programs
    fresh=$(.venv/bin/python - "$out" "$search_tasks" << 'PYTHON'
import json, pathlib, sys
from maxcode.task import load_task
out = pathlib.Path(sys.argv[1])
seen = set(json.loads((out / "light.json").read_text())["trained_on"])
tasks = [load_task(file.parent) for file in sorted(out.glob("family/*/task.toml"))]
print(",".join([task.name for task in tasks if task.baseline_candidate.id not in seen][: int(sys.argv[2])]))
PYTHON
    )
    model=$out/light.json twice=$((2 * evals))
    "$maxcode" bench tasks "$out/family" --tasks "$fresh" --seeds "$seeds" --evals "$evals" \
        --method greedy=cuda-llm+maxcode \
        --method "value=cuda-llm+maxcode+value,value=$model" \
        --method "screen=cuda-llm+maxcode,screen=0.5,hedge=0,value=$model,evals=$twice" \
        --method "hedged=cuda-llm+maxcode,screen=0.5,value=$model,evals=$twice" \
        --method "both=cuda-llm+maxcode+value,screen=0.5,value=$model,evals=$twice" \
        --method "novelty=cuda-llm+maxcode,screen=0.5,value=none,evals=$twice" \
        --method "chance=cuda-llm+maxcode,screen=0.5,value=random,evals=$twice"
fi
if part ship; then
    cp "$out/light.json" src/maxcode/value/light.json
fi
