"""Lemke's method never returns what is no solution: where it finds none another method
goes on by name, and a run warns or stops.

    python3 fallback.py SCREE
"""
import csv
import os
import sys
import unittest

sys.path.insert(1, os.path.dirname(os.path.abspath(__file__)))
from in_folder import InFolder  # noqa: E402

# Two pivots are too few for the free motion of this model, whose guess is a solution:
# newton finds one at every step.
CASE = """name: fallback
time: {end: 1, step: 2e-3}
model: double-pendulum
stepper: rattle
solver: {method: %s, iterations: %d}
outputs: [{scalars: {every: 0}}]
"""


class Fallback(InFolder):
    def run_with(self, method, iterations, *words, code=0):
        self.write("case.yaml", CASE % (method, iterations))
        return self.scree("run", "case.yaml", "--force", "--out", method, *words,
                          code=code)

    def rows(self, folder):
        with open(self.path(folder, "model.csv")) as file:
            return list(csv.DictReader(file))

    def test_lemke_finds_none__newton_goes_on__warning_and_its_motion(self):
        done = self.run_with("lemke", 2)
        self.assertEqual(done.stdout.count("lemke found no solution, newton went on in "
                                           "its place"), 1, done.stdout)
        self.assertIn("unconverged          0 of 500 steps", done.stdout)
        self.assertNotIn("found no solution", self.run_with("newton", 100).stdout)
        ours, theirs = self.rows("lemke"), self.rows("newton")
        self.assertEqual(len(ours), len(theirs))
        for one, two in zip(ours, theirs):
            for key in ("phi_1", "phi_2", "omega_1", "omega_2"):
                self.assertAlmostEqual(float(one[key]), float(two[key]), delta=1e-9)

    def test_lemke_finds_all__no_warning(self):
        self.assertNotIn("found no solution", self.run_with("lemke", 100).stdout)

    def test_unconverged_stop__ends_there_with_a_checkpoint(self):
        done = self.run_with("lemke", 2, "--set", "solver.unconverged=stop", code=7)
        self.assertIn("lemke found no solution, newton went on", done.stdout)
        self.assertIn("step 1 (t = 0.002 s) did not converge", done.stderr)
        self.assertIn("scree resume", done.stderr)
        self.assertTrue(os.path.exists(
            self.path("lemke", "checkpoint-000000000001.hdf5")))
        self.assertEqual(len(self.rows("lemke")), 2)  # the start and this step


if __name__ == "__main__":
    unittest.main()
