#!/bin/sh
# Benchmark nodes that stay: each joins the cluster once and then measures for every run, so that no program waits in
# Slurm's queue. A job array adds as many as wanted; nodes may come and go while runs go on.
#
#   sbatch runs/slurm/worker.sh                     one node
#   sbatch --array=1-8 runs/slurm/worker.sh         eight nodes
#   sbatch --gpus=1 runs/slurm/worker.sh            a node that times on its GPU
#
# The whole machine is asked for (--exclusive): timings are worth nothing beside other people's jobs.
#
# Variables:
#   MAXCODE_CLUSTER  the folder that the head's job has written its address to (default: ~/.maxcode-cluster)
#   MAXCODE          how to call MaxCode there (default: maxcode)
#   MAXCODE_SLOTS    CPUs to measure on (default: all of the job's but one, which is left to Ray)
#   MAXCODE_CLASS    name of the machine class (default: processor and number of cores)
#   MAXCODE_DRAIN    seconds that evaluations under way get at the end (default: 240; below --signal's time)
#   MAXCODE_SECONDS  leave by ourselves after so long (default: never; Slurm's own limit fires late)
#   MAXCODE_HOME     caches of the node; on a disk of its own (default: a folder in TMPDIR)
#
#SBATCH --job-name=maxcode-worker
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --time=1-00:00:00
#SBATCH --signal=B:TERM@300
#SBATCH --requeue
#SBATCH --output=maxcode-worker-%j.log

set -u
. "${MAXCODE_RECIPE:-${SLURM_SUBMIT_DIR:-.}/runs/slurm}/common.sh"

MAXCODE_HOME=${MAXCODE_HOME:-${TMPDIR:-/tmp}/maxcode-$(id -u)}
export MAXCODE_HOME
mkdir -p "$MAXCODE_HOME" && chmod 755 "$MAXCODE_HOME"

address=$(head_address) || exit 1
set -- worker --address "$address" --drain "${MAXCODE_DRAIN:-240}" --json
cpus=$(nproc)
set -- "$@" --slots "${MAXCODE_SLOTS:-$((cpus > 1 ? cpus - 1 : 1))}"
[ -n "${MAXCODE_CLASS:-}" ] && set -- "$@" --class "$MAXCODE_CLASS"
[ -n "${SLURM_JOB_GPUS:-${SLURM_GPUS:-}}" ] && set -- "$@" --kind gpu

run_until_told "$MAXCODE" "$@"
