#!/bin/sh
# The head of a cluster, as a job of its own: it holds the cluster together and measures nothing.
#
#   sbatch runs/slurm/head.sh
#
# Variables (sbatch passes the environment on):
#   MAXCODE_CLUSTER  folder that all machines see; the head's address goes into its file `address`
#                    (default: ~/.maxcode-cluster)
#   MAXCODE          how to call MaxCode there (default: maxcode)
#   MAXCODE_PORT     port of the head (default: 6379; 0 takes a free one)
#   MAXCODE_SECONDS  leave by ourselves after so long (default: never; Slurm's own limit fires late)
#
#SBATCH --job-name=maxcode-head
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=7-00:00:00
#SBATCH --signal=B:TERM@60
#SBATCH --output=maxcode-head-%j.log

set -u
. "${MAXCODE_RECIPE:-${SLURM_SUBMIT_DIR:-.}/runs/slurm}/common.sh"

run_until_told "$MAXCODE" worker --head --slots 0 --host "$(own_address)" --port "${MAXCODE_PORT:-6379}" --json
