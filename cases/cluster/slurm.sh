#!/usr/bin/env bash
# A run of any length on a SLURM cluster: it stops two minutes before its time is
# up, leaves a checkpoint, asks to be queued again, and goes on from there: on one
# rank, or with `reproducible: on` in the case, with the same bits as a run that was
# never stopped.
#
#   CASE=cases/packing.yaml OUT=/scratch/$USER/packing sbatch cases/cluster/slurm.sh
#
# SCREE is the program (default: scree); OUT the folder of the results.
#SBATCH --job-name=scree
#SBATCH --time=24:00:00
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=16
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120
set -uo pipefail

scree=${SCREE:-scree}
case_file=${CASE:?set CASE to the case file}
out=${OUT:-out/$(basename "$case_file" .yaml)}
threads=(${SLURM_CPUS_PER_TASK:+--threads "$SLURM_CPUS_PER_TASK"})

# Where SLURM has no default for MPI, each task would be a run of its own. (What the
# commands say is read whole: one that is cut off would count as failed.)
if ((${SLURM_NTASKS:-1} > 1)) && [[ -z ${SLURM_MPI_TYPE:-} ]]; then
  settings=$(scontrol show config)
  starters=$(srun --mpi=list 2>&1)
  if grep -q '^MpiDefault *= none' <<<"$settings" && grep -qw pmix <<<"$starters"; then
    export SLURM_MPI_TYPE=pmix
  fi
fi

shopt -s nullglob
checkpoints=("$out"/checkpoint-*.hdf5)
if ((${#checkpoints[@]})); then
  command=("$scree" resume "$out")
else
  command=("$scree" run "$case_file" --out "$out")
fi

# SLURM sends SIGUSR1 to this script alone (B:); it passes it on. A signal ends `wait`
# too, so it is called again after each; by then the program may have ended, of which
# the shell knows the code, or no longer (127).
stopped=0 heard=0 run=
pass_on() {
  ((stopped += 1))
  [[ -z $run ]] || kill -USR1 "$run" 2>/dev/null
}
trap pass_on USR1
srun "${command[@]}" "${threads[@]}" &
run=$!
wait "$run"
code=$?
while ((heard < stopped)); do
  heard=$stopped
  wait "$run"
  again=$?
  ((again == 127)) || code=$again
done

# 138: the signal came before the program listened to it.
if ((stopped && (code == 0 || code == 138))); then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
