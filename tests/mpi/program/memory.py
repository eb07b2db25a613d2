"""One rank is refused memory, at one request after the other: it is said once, all
ranks end, none hangs.

    memory.py SCREE SHIM

SHIM is the library of shims/failing.c.
"""
import os
import subprocess
import sys
import unittest

SHIM = os.path.abspath(sys.argv.pop(2))

from in_ranks import MPIRUN, PATIENCE, SCREE, InRanks  # noqa: E402
from open_mpi import said_lines  # noqa: E402

# Three steps, each with new lists and new bodies. Five requests of ten are those of
# the case reader, the others of the world and its domain.
CASE = """
name: memory
time: {end: 0.03, step: 0.01}
solver: {unconverged_share: 1}
materials: [{name: rock, density: 2600, friction: 0.5, rolling: 0.002}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
bodies:
  - fill: {box: {min: [0, 0, 1], max: [1, 1, 2]}, count: 200}
    radius: {list: {values: [0.05, 0.02]}}
    material: rock
  - lattice: {origin: [0, 0, 0.05], counts: [6, 3, 3], spacing: 0.1001}
    radius: 0.05
    velocity: [10, 0, -1]
    material: rock
  - pour: {box: {min: [0, 0, 2], max: [1, 1, 3]}, rate: 4000}
    radius: {uniform: {min: 0.02, max: 0.05}}
    material: rock
"""
SAMPLES = [0.3, *(0.6 + 0.02 * k for k in range(20))]  # of all requests


class Memory(InRanks):
    def refuse(self, at, **environment):
        words = {"LD_PRELOAD": SHIM, "FAIL_KIND": "memory", "FAIL_RANK": "1",
                 "FAIL_AT": str(at), **environment}
        given = [x for word in words.items() for x in ("-x", "%s=%s" % word)]
        return subprocess.run(
            [MPIRUN, "-np", "3", *given, SCREE, "run", "case.yaml", "--out",
             "x%d" % at, "--quiet"], cwd=self.folder, text=True,
            capture_output=True, timeout=PATIENCE)

    def test_any_request__said_once_and_all_end(self):
        self.write("case.yaml", CASE)
        whole = self.refuse(0, FAIL_LOG=self.path("requests"))
        self.assertEqual(whole.returncode, 0, whole.stderr)
        with open(self.path("requests")) as file:
            count = len(file.readlines())
        self.assertGreater(count, 100)
        failed = 0
        for at in [1, 2, *(int(count * x) for x in SAMPLES)]:
            with self.subTest("request %d of %d" % (at, count)):
                done = self.refuse(at)
                if done.returncode == 0:  # it can do without
                    self.assertEqual(done.stdout, whole.stdout)
                    continue
                self.assertEqual(done.returncode, 1, done.stderr)
                failed += 1
                said = said_lines(done.stderr)
                self.assertEqual(len(said), 1, done.stderr)
                self.assertIn("memory", said[0])
        self.assertGreaterEqual(failed, len(SAMPLES) - 2)


if __name__ == "__main__":
    unittest.main()
