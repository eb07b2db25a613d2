"""The program of a build without MPI does what that of a build with MPI does.

    alone.py SCREE PEER
"""
import os
import subprocess
import sys
import unittest

PEER = os.path.abspath(sys.argv.pop(2))

from in_ranks import PATIENCE, SCREE, InRanks, line  # noqa: E402

# Spheres that come in over bricks, on a wall that moves.
CASE = """
name: alone
seed: 5
reproducible: on
time: {end: 0.1, step: 0.001}
materials: [{name: rock, density: 2600, friction: 0.5, rolling: 0.002}]
shapes: [{name: brick, box: {size: [0.06, 0.05, 0.04]}}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock,
     motion: {oscillation: {amplitude: [0, 0, 0.002], frequency: 10}}}
bodies:
  - lattice: {origin: [0, 0, 0.048], counts: [4, 4, 2], spacing: 0.09}
    shape: brick
    material: rock
  - pour: {box: {min: [0, 0, 0.2], max: [0.3, 0.3, 0.35]}, rate: 1000, count: 50}
    radius: {uniform: {min: 0.01, max: 0.02}}
    velocity: [0, 0, -2]
    material: rock
outputs:
  - frames: {every: 0.02}
  - scalars: {every: 0.01}
checkpoint: {every: 0.05}
"""
MODEL = """
name: ball
model: bouncing-ball
time: {end: 0.5, step: 0.01}
stepper: moreau
"""


def peer(ranks):
    """The beginning of a command line; 0 ranks: without mpirun."""
    return [*line(ranks)[:-1], PEER]


class Alone(InRanks):
    def setUp(self):
        super().setUp()
        self.case = self.write("case.yaml", CASE)

    def do(self, start, *arguments):
        done = subprocess.run([*start, *arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def test_version__one_has_mpi__the_other_has_not(self):
        self.assertNotIn(" mpi-", self.do([SCREE], "--version").stdout)
        self.assertIn(" mpi-", self.do(peer(0), "--version").stdout)
        linked = subprocess.run(["ldd", SCREE], text=True, capture_output=True,
                                check=True).stdout
        self.assertNotIn("libmpi", linked)

    def test_worlds_and_models__the_same_hash(self):
        for text in (CASE, CASE.replace("reproducible: on", "stepper: rattle"),
                     CASE.replace("reproducible: on", "solver: {method: apgd}"),
                     MODEL):
            case = self.write("this.yaml", text)
            hashes = {self.hash_of(self.do(start, "run", case, "--out", "x",
                                           "--force"))
                      for start in ([SCREE], peer(0), peer(1))}
            self.assertEqual(len(hashes), 1, text)

    def test_scalars__the_same_bytes(self):
        found = []
        for out, start in (("a", [SCREE]), ("b", peer(1))):
            self.do(start, "run", self.case, "--out", out)
            with open(self.path(out, "scalars.csv")) as file:
                found.append([row for row in file if row[0] != "#"])
        self.assertEqual(len(found[0]), 12)
        self.assertEqual(*found)

    def test_checkpoints__from_one_to_the_other_and_back(self):
        """0 .. 50 here, 50 .. 70 on three ranks, 70 .. 100 here again."""
        whole = self.hash_of(self.do([SCREE], "run", self.case, "--out", "x"))
        for start, words in (
                ([SCREE], ["run", self.case, "--out", "y", "--set",
                           "time.end=0.05"]),
                (peer(3), ["resume", "y", "--set", "time.end=0.07"]),
                ([SCREE], ["resume", "y", "--set", "time.end=0.1"])):
            last = self.do(start, *words)
        self.assertEqual(self.hash_of(last), whole)


if __name__ == "__main__":
    unittest.main()
