#!/bin/sh
# Writes docs/leaderboard.md: every strategy with the rewriter on the example tasks. `runs/leaderboard.sh --quick` does
# it in about a quarter of an hour on two cores; without, all sixteen tasks and three seeds take most of a day.
# A model of your own joins with: runs/leaderboard.sh --method gpt=cuda-llm+maxcode,policy=openai:MODEL
set -eu
cd "$(dirname "$0")/.."
page=docs/leaderboard.md
made=$(mktemp)
methods=
for strategy in flat effi-learner cuda-llm cuda-llm+critique cuda-llm+maxcode beam+maxcode mcts+maxcode evolve+maxcode; do
    methods="$methods --method $strategy"
done
# shellcheck disable=SC2086
.venv/bin/maxcode bench demo $methods "$@" --format markdown > "$made"
{
    echo "# Leaderboard"
    echo
    echo "Made by \`runs/leaderboard.sh $*\` on $(date +%Y-%m-%d): $(.venv/bin/python -c \
        'from maxcode.evaluate.machine import machine_class; print(machine_class())'). The policy is the rewriter, without a model."
    echo "Speedups are confirmed with fresh seeds and exclusive pairs. [Suites](suites.md) explains how to read the tables."
    echo
    echo "The rewriter takes little from critiques and from what is in view: \`+critique\` and \`+maxcode\` end alike on nearly"
    echo "every task with it, and these rows say nothing about what the two give a model."
    echo
    cat "$made"
    echo
    echo "## Models"
    echo
    echo "This page has no figures of models, because they need a key. To add one, run the script with"
    echo "\`--method NAME=cuda-llm+maxcode,policy=openai:MODEL\` and send the page."
    echo
    echo "| policy | strategy | geometric mean | tokens | USD |"
    echo "|---|---|---:|---:|---:|"
    echo "| openai:... | cuda-llm+maxcode | | | |"
} > "$page"
rm -f "$made"
echo "wrote $page"
