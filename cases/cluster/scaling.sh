#!/usr/bin/env bash
# Strong or weak scaling on a SLURM cluster: a bed of spheres that settles, on 1, 2,
# 4, ... nodes up to those of the job.
#
#   sbatch --nodes=64 cases/cluster/scaling.sh strong 10000000
#   sbatch --nodes=64 cases/cluster/scaling.sh weak 1000000
#
# The number is that of the spheres: all of them (strong), or on each node (weak),
# rounded up to whole layers.
# Writes scaling-KIND.csv: nodes, ranks, threads, bodies, ms per step, efficiency.
# SCREE is the program (default: scree), CASE the case (default: bed.yaml here).
#SBATCH --job-name=scree-scaling
#SBATCH --time=02:00:00
#SBATCH --ntasks-per-node=32
#SBATCH --cpus-per-task=2
#SBATCH --exclusive
set -euo pipefail
export LC_ALL=C

kind=${1:?strong or weak} spheres=${2:?number of spheres}
[[ $kind == strong || $kind == weak ]] || {
  echo "the first argument is strong or weak, not '$kind'" >&2
  exit 2
}
scree=${SCREE:-scree}
case_file=${CASE:-$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/bed.yaml}
per_node=${SLURM_NTASKS_PER_NODE:?run me by sbatch} threads=${SLURM_CPUS_PER_TASK:-1}
csv=scaling-$kind.csv
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Spheres along the side of a cube of about so many, and their layers.
side_of() {
  awk -v n="$1" 'BEGIN { printf "%d\n", n ^ (1 / 3) + 0.5 }'
}

echo "nodes,ranks,threads,bodies,step_ms,efficiency" >"$csv"
first=
for ((nodes = 1; nodes <= SLURM_JOB_NUM_NODES; nodes *= 2)); do
  n=$spheres
  [[ $kind == strong ]] || n=$((spheres * nodes))
  side=$(side_of "$n")
  layers=$(((n + side * side - 1) / (side * side)))
  n=$((side * side * layers))
  width=$(awk -v n="$side" 'BEGIN { print 0.125 * n }')
  ranks=$((nodes * per_node))
  srun --nodes="$nodes" --ntasks="$ranks" --cpus-per-task="$threads" \
    "$scree" run "$case_file" --threads "$threads" --out "scaling-$kind-$nodes" \
    --force \
    --set "bodies[0].lattice.counts=[$side, $side, $layers]" \
    --set "walls[0].box.max=[$width, $width, $width]" | tee "$log"
  # The last column of the row "total": ms per step.
  step=$(awk '$1 == "total" { print $4 }' "$log")
  # Times of a body on a node: layers are whole, twice the nodes have not quite
  # twice the spheres.
  [[ -n $first ]] || first=$(awk -v t="$step" -v n="$n" 'BEGIN { print t / n }')
  awk -v first="$first" -v step="$step" -v nodes="$nodes" \
    -v ranks="$ranks" -v threads="$threads" -v n="$n" 'BEGIN {
      e = first / (step / n * nodes)
      printf "%d,%d,%d,%d,%s,%.3f\n", nodes, ranks, threads, n, step, e }' |
    tee -a "$csv"
done
