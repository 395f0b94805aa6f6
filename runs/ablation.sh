#!/bin/sh
# Which part of the method helps: the same policy (the rewriter), the same number of programs, several ways to search.
# Six tasks x three seeds x five methods of 24 programs: one to two hours on two cores; outcomes are kept and shared.
# More methods as arguments: runs/ablation.sh beam+maxcode evolve effi-learner
# Other sizes: TASKS=a,b SEEDS=5 EVALS=48 runs/ablation.sh
# On 100 generated tasks, rounds of four: maxcode value family out/family --count 100, then
# .venv/bin/python runs/ablation/family.py out/family out/family.jsonl
set -eu
cd "$(dirname "$0")/.."
tasks=${TASKS:-matmul,nbody,reduction,hashmap,sort,strings}
set -- flat cuda-llm cuda-llm+critique cuda-llm+maxcode mcts+maxcode "$@"
methods=
for method in "$@"; do methods="$methods --method $method"; done
started=$(date +%s)
# shellcheck disable=SC2086
.venv/bin/maxcode bench demo --tasks "$tasks" --seeds "${SEEDS:-3}" --evals "${EVALS:-24}" $methods
echo "took $(( ($(date +%s) - started) / 60 )) minutes"
