"""What measures scaling works: bench_ranks on one rank and two, the model on paper,
and the job script with a launcher that stands for SLURM's.

    ranks_check.py BENCH_RANKS SCREE SCALING_SH
"""
import csv
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import rows
import scaling_model

PROGRAM, SCREE, SCRIPT = (os.path.abspath(path) for path in sys.argv[1:4])
del sys.argv[1:4]

# srun --nodes=N --ntasks=R --cpus-per-task=T COMMAND...
SRUN = """#!/usr/bin/env bash
for word; do
  case $word in
  --ntasks=*) ranks=${word#*=} ;;
  --*) ;;
  *) break ;;
  esac
  shift
done
exec mpirun --allow-run-as-root --oversubscribe -np "$ranks" "$@"
"""


class Rows(unittest.TestCase):
    def test_one_rank_and_two__the_same_bed(self):
        options = ["--n", "1000", "--stacked", "--settle", "2", "--steps", "5",
                   "--iterations", "10"]
        alone = rows.run(PROGRAM, 0, 1, options)
        one, two = (rows.run(PROGRAM, ranks, 1, options) for ranks in (1, 2))
        for row, ranks in ((alone, 1), (one, 1), (two, 2)):
            self.assertEqual(row["ranks"], ranks)
            self.assertEqual(row["bodies"], 1000)
            self.assertGreater(row["step_ms"], 0)
            self.assertGreaterEqual(row["imbalance"], 1)
        for name in ("contacts", "kinetic_per_body", "residual", "bytes_per_body"):
            self.assertEqual(one[name], alone[name], name)
        self.assertEqual(two["contacts"], one["contacts"])
        for name in ("copies", "messages", "kilobytes"):
            self.assertEqual(one[name], 0, name)
            self.assertGreater(two[name], 0, name)
        self.assertGreater(two["bytes_per_body"], one["bytes_per_body"])


class Model(unittest.TestCase):
    """Numbers that are easily worked out by hand."""

    def figures(self, copies):
        one = {"step_ms": 8.0, "bodies": 8000}
        two = {"copies": copies, "bodies": 8000, "messages": 100, "kilobytes": 50}
        return scaling_model.Figures(one, two, sums=10)

    def test_figures__by_hand(self):
        f = self.figures(200)
        self.assertAlmostEqual(f.t_1, 1e-6)
        self.assertAlmostEqual(f.k, 0.5)  # 8000^(2/3) = 400
        self.assertAlmostEqual(f.b, 250)

    def test_step__by_hand(self):
        machine = scaling_model.Machine(alpha=1e-6, o=1e-7, beta=1e9)
        compute, talk = scaling_model.step(self.figures(200), machine, 1000, 1024)
        copies = 6 * 0.5 * 100
        self.assertAlmostEqual(compute, (1000 + copies) * 1e-6)
        self.assertAlmostEqual(talk, 100 * (1e-6 + 26e-7) + copies * 250 / 1e9 +
                               10 * 2e-6 * 10)
        least, most = scaling_model.efficiency(self.figures(200), machine, 1000, 1024)
        self.assertAlmostEqual(least, 1e-3 / (compute + talk))
        self.assertAlmostEqual(most, 1e-3 / (compute + 10 * 2e-6 * 10))

    def test_machine_that_costs_nothing__copies_alone_are_left(self):
        machine = scaling_model.Machine(alpha=0, o=0, beta=math.inf)
        for least in scaling_model.efficiency(self.figures(200), machine, 8000, 64):
            self.assertAlmostEqual(least, 8000 / (8000 + 6 * 200))


class Job(unittest.TestCase):
    def run_job(self, folder, *words):
        srun = pathlib.Path(folder, "srun")
        srun.write_text(SRUN)
        srun.chmod(0o755)
        short = pathlib.Path(folder, "case.yaml")
        bed = pathlib.Path(SCRIPT).with_name("bed.yaml").read_text()
        short.write_text(bed.replace("end: 0.5", "end: 0.003"))
        env = dict(os.environ, PATH="%s:%s" % (folder, os.environ["PATH"]),
                   SCREE=SCREE, CASE=str(short), SLURM_NTASKS_PER_NODE="1",
                   SLURM_CPUS_PER_TASK="1", SLURM_JOB_NUM_NODES="2",
                   OMPI_MCA_mpi_yield_when_idle="1")
        return subprocess.run([SCRIPT, *words], cwd=folder, env=env, text=True,
                              capture_output=True, timeout=100)

    def test_strong_and_weak__a_row_for_one_node_and_for_two(self):
        """Whole layers of a lattice: 7 x 7 x 9, and 9 x 9 x 10 for twice as many."""
        for kind, bodies in (("strong", [441, 441]), ("weak", [441, 810])):
            with self.subTest(kind), tempfile.TemporaryDirectory() as folder:
                done = self.run_job(folder, kind, "400")
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(pathlib.Path(folder, "scaling-%s.csv" % kind)) as file:
                    table = list(csv.DictReader(file))
                self.assertEqual([row["ranks"] for row in table], ["1", "2"])
                self.assertEqual([int(row["bodies"]) for row in table], bodies)
                first, last = (float(row["step_ms"]) for row in table)
                self.assertEqual(float(table[0]["efficiency"]), 1)
                expected = first / bodies[0] / (2 * last / bodies[1])
                self.assertAlmostEqual(float(table[1]["efficiency"]), expected,
                                       delta=6e-4)

    def test_wrong_word__code_2(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_job(folder, "wide", "400")
            self.assertEqual(done.returncode, 2)
            self.assertIn("strong or weak, not 'wide'", done.stderr)


if __name__ == "__main__":
    unittest.main()
