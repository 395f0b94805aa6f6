#!/bin/sh
# The generative value model on a GPU (or, with tiny sizes, on a CPU): trained on rows of `maxcode value data`, judged
# beside the light model and what both have to beat, and used in a short search.
#   runs/value_generative.sh DATA OUT                          smollm2-135m, 2500 states and 2500 proposals
#   runs/value_generative.sh DATA OUT --base DIR|FILE.gguf     another base, see `python -m maxcode.train.base`
#   runs/value_generative.sh DATA OUT --rows 16 --tokens 256 --base tiny        tries the script out
# --light FILE is a light model trained on the same data (default: light.json beside DATA, else the one that ships),
# --tasks "A B" are what to search on: the first that can be judged here counts. --only names parts: train eval search.
# PYTHON is the interpreter; MAXCODE_BASES a folder of base models by name. Nothing is loaded from elsewhere.
set -u
if [ $# -lt 2 ]; then sed -n '2,10p' "$0" >&2; exit 2; fi
data=$1 results=$2
shift 2
base=smollm2-135m rows=2500 tokens=1024 rate=5e-4 evals=20 only=train,eval,search
light=$(dirname "$data")/light.json
tasks="examples/histogram examples/torch/layernorm"
while [ $# -gt 0 ]; do
    case "$1" in
        --base) base=$2 ;;
        --rows) rows=$2 ;;
        --tokens) tokens=$2 ;;
        --rate) rate=$2 ;;
        --evals) evals=$2 ;;
        --light) light=$2 ;;
        --tasks) tasks=$2 ;;
        --only) only=$2 ;;
        *) echo "runs/value_generative.sh: $1 is not known; the options are in its first lines." >&2; exit 2 ;;
    esac
    shift 2
done
[ -f "$data" ] || { echo "$data: no such file; \`maxcode value data\` makes it." >&2; exit 2; }
mkdir -p "$results"
data=$(realpath "$data") results=$(realpath "$results")
[ -f "$light" ] && light=$(realpath "$light") || light=light
cd "$(dirname "$0")/.." || exit 1
python=${PYTHON:-.venv/bin/python}
PYTHONPATH=src${PYTHONPATH:+:$PYTHONPATH}
MAXCODE_HOME=${MAXCODE_HOME:-$(mktemp -d)}
HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false PYTHONUNBUFFERED=1
export PYTHONPATH MAXCODE_HOME HF_HUB_OFFLINE TOKENIZERS_PARALLELISM PYTHONUNBUFFERED
failed=0

part() {
    case ",$only," in *",$1,"*) ;; *) return 1 ;; esac
    began=$(date +%s)
    echo "== $1 ($(date +%H:%M:%S))"
}

ended() {
    echo "== $1 took $(($(date +%s) - began)) s, exit code $2"
    [ "$2" -eq 0 ] || failed=1
}

logged() {  # runs a command, shows and keeps what it says, and answers with its exit code
    file=$1
    shift
    { "$@" 2>&1; echo "$?" > "$results/.code"; } | tee "$file"
    return "$(cat "$results/.code")"
}

"$python" -c 'import sys, torch, transformers, peft
name = torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
print(f"python {sys.version.split()[0]}, torch {torch.__version__}, transformers {transformers.__version__}, peft {peft.__version__}, {name}")' \
    || exit 1
if part train; then
    logged "$results/train.log" "$python" -m maxcode value train --base "$base" --data "$data" -o "$results/model" \
        --max-rows "$rows" --max-tokens "$tokens" --learning-rate "$rate"
    ended train $?
    logged "$results/training.txt" "$python" runs/value/training_summary.py "$results/model"
fi
if part eval; then
    logged "$results/card.txt" "$python" -m maxcode value eval --data "$data" --model "$results/model" \
        --model "$light" --html "$results/card.html"
    ended eval $?
fi
if part search; then
    code=1
    for task in $tasks; do
        logged "$results/search.txt" "$python" -m maxcode optimize "$task" --policy rewrite --evals "$evals" --max-seconds 90 \
            --strategy beam+maxcode+value --value "$results/model" --screen 0.5 --no-minimize --out "$results/search"
        code=$?
        [ "$code" -eq 0 ] && break
        echo "$task: not here; trying the next"
    done
    ended search "$code"
fi
rm -f "$results/.code"
exit "$failed"
