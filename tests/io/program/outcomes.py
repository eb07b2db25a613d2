"""Ready cases run for a while, and what they are to show: an arch and a pyramid
that stand, polygons that stay in their hopper, spheres that stay in a drum.

    outcomes.py SCREE CASES
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy

SCREE = os.path.abspath(sys.argv.pop(1))
CASES = Path(sys.argv.pop(1))


class Outcome(unittest.TestCase):
    def frames(self, name, end, every, *sets):
        """Positions and radii at every `every` seconds up to `end`."""
        with tempfile.TemporaryDirectory(prefix="scree-outcome-") as folder:
            words = [SCREE, "run", CASES / (name + ".yaml"), "--out",
                     folder + "/out", "--quiet"]
            for text in ("time.end=%g" % end, "checkpoint.every_wall=0",
                         "solver.unconverged_share=0.05",  # else exit code 7
                         "outputs=[{frames: {every: %g}}]" % every, *sets):
                words += ["--set", text]
            done = subprocess.run([str(w) for w in words], capture_output=True,
                                  text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = []
            for path in sorted(Path(folder, "out").glob("bodies_*.hdf")):
                with h5py.File(path, "r") as f:
                    found.append((f["VTKHDF/Points"][:],
                                  f["VTKHDF/PointData/radius"][:]))
        self.assertGreaterEqual(len(found), 2)
        return found

    def test_cases__leave_the_solver_at_its_defaults(self):
        cases = sorted(CASES.glob("*.yaml"))
        self.assertGreater(len(cases), 15)
        for case in cases:
            self.assertNotRegex(case.read_text(), r"(?m)^solver:", case.name)

    def stands(self, name, end, size):
        frames = self.frames(name, end, end / 4)
        begin = frames[0][0]
        drift = max(numpy.abs(x - begin).max() for x, r in frames)
        print("%s: drift %.2g of its size in %g s" % (name, drift / size, end))
        self.assertLess(drift, 1e-3 * size)

    def test_arch__stands(self):
        self.stands("arch", 1, 0.115)

    def test_pyramid__stands(self):
        self.stands("pyramid", 1, 0.2)

    def test_hopper_polygons__stay_inside(self):
        frames = self.frames("hopper-polygons", 1.5, 0.1, "time.step=2e-3")
        for x, y in ((p[:, 0], p[:, 1]) for p, r in frames[1:]):
            # The funnel narrows from 0.5 at 0.693 to 0.16 at 0.104; below it
            # is the tray.
            wall = numpy.interp(y, [0.104, 0.693], [0.16, 0.5])
            wall[y < 0.104] = 0.6
            self.assertLess((numpy.abs(x) - wall).max(), 0)
            self.assertGreater(y.min(), -0.5)
        last = frames[-1][0][:, 1]
        out = int((last < 0.094).sum())
        print("hopper: %d of %d are out at 1.5 s" % (out, len(last)))
        self.assertEqual(len(last), 520)
        self.assertGreater(out, 20)
        closed = [p for p, r in frames[1:12]]  # the gate opens at 1.2 s
        self.assertGreater(min(p[:, 1].min() for p in closed), 0.094)

    def test_drum_mesh__keeps_its_spheres(self):
        for x, r in self.frames("drum-mesh", 0.05, 0.01):
            self.assertEqual(len(r), 5000)
            self.assertLess((numpy.hypot(x[:, 0], x[:, 2]) + r).max(), 0.501)
            self.assertLess((numpy.abs(x[:, 1]) + r).max(), 0.201)


if __name__ == "__main__":
    unittest.main(verbosity=2)
