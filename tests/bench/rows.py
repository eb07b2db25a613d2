"""What tests/bench/scaling and million share: rows of bench_ranks as dicts."""
import csv
import os
import subprocess
import sys


def environment(threads):
    """OpenMP's threads, and ranks that give their core away while they wait."""
    env = dict(os.environ, OMP_NUM_THREADS=str(threads), LC_ALL="C")
    env["OMPI_MCA_mpi_yield_when_idle"] = "1"
    return env


def run(program, ranks, threads, options):
    """One row; ranks = 0: without mpirun."""
    command = [program, "--header", "--threads", str(threads), *options]
    if ranks:
        # As many slots as asked, cores or not: the table says what they gave.
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe",
                   "--bind-to", "none", "-np", str(ranks), *command]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                          env=environment(threads))
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}")
    row = next(csv.DictReader(done.stdout.splitlines()))
    return {name: float(value) for name, value in row.items()}


def best(rows):
    return min(rows, key=lambda row: row["step_ms"])


def bar(met, text, value):
    print(f"  {'met   ' if met else 'MISSED'}  {text:<62} {value:10.4g}")
    return 0 if met else 1
