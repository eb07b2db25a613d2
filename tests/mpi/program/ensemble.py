"""Ensembles on several ranks: the files of one, also after a stop on another number of
them, and refusals that all ranks agree on.

    python3 ensemble.py SCREE
"""
import os
import signal
import unittest

from in_ranks import InRanks

CASE = """\
time: {end: 12, step: 5e-3}
materials:
  - {name: rock, density: 2700}
  - {name: ground, density: 2000, ground: medium-hard}
shapes:
  - {name: stone, rock: {diameter: {uniform: {min: 0.4, max: 0.9}}, points: 12, variants: 4}}
walls: [{terrain: {file: hill.asc}, material: ground}]
bodies:
  - release: {line: [[8, 10], [10, 30]], height: 2, velocity_deviation: 0.5}
    velocity: [2, 0, 0]
    shape: stone
ensemble: {trajectories: 11, every: 0.5}
"""


class Ensemble(InRanks):
    def setUp(self):
        super().setUp()
        self.write("case.yaml", CASE)
        rows = "\n".join(" ".join("%g" % (0.7 * max(56 - 2 * i, 0))
                                  for i in range(50)) for j in range(20))
        self.write("hill.asc", "ncols 50\nnrows 20\nxllcorner 0\nyllcorner 0\n"
                               "cellsize 2\n" + rows + "\n")

    def same(self, some, others):
        """Names alone: what differs is long."""
        self.assertEqual(sorted(some), sorted(others))
        self.assertEqual([n for n in some if some[n] != others[n]], [])

    def results(self, out):
        found = {}
        for name in sorted(os.listdir(self.path(out))):
            if name.endswith((".csv", ".asc")):
                with open(self.path(out, name), "rb") as file:
                    found[name] = file.read()
        self.assertEqual(len(found), 14)
        return found

    def test_ranks__same_files(self):
        for ranks in 0, 2, 3:
            self.ranks(ranks, "run", "case.yaml", "--out", str(ranks))
        self.same(self.results("2"), self.results("0"))
        self.same(self.results("3"), self.results("0"))

    def test_stopped__goes_on_on_other_ranks(self):
        sets = ["--set", "ensemble.trajectories=80", "--set",
                "checkpoint.every_wall=0.05"]
        self.ranks(0, "run", "case.yaml", "--out", "whole", *sets)
        process = self.start_ranks(2, "run", "case.yaml", "--out", "cut", *sets)
        self.wait_for(lambda: os.path.exists(self.path("cut", "deposits.csv")))
        for pid in self.pids(process):
            os.kill(pid, signal.SIGUSR1)
        process.wait()
        self.ranks(0, "resume", "cut")
        self.same(self.results("cut"), self.results("whole"))
        self.ranks(2, "resume", "cut", "--set", "ensemble.trajectories=85")
        self.ranks(0, "run", "case.yaml", "--out", "more", "--set",
                   "ensemble.trajectories=85")
        self.same(self.results("cut"), self.results("more"))

    def test_rock_in_the_ground__all_say_no(self):
        done = self.ranks(2, "run", "case.yaml", "--out", "bad", "--set",
                          "bodies[0].release.height=0.1", code=2)
        self.assertEqual(done.stderr.count("would start in the ground"), 1)
        self.assertFalse(os.path.exists(self.path("bad")))


if __name__ == "__main__":
    unittest.main()
