"""Outputs that measure, on several ranks and after a restart: the same bits.

    measures.py SCREE
"""
import glob
import os
import shutil
import unittest

import h5py
from in_ranks import InRanks

# Grains that rain on a floor while space is cut anew: bodies change their rank between
# two steps, some as they cross.
CASE = """
name: measured
seed: 5
reproducible: on
time: {end: 0.3, step: 0.002}
gravity: [0, 0, -10]
materials:
  - {name: a, density: 1000, friction: 0.4, restitution: 0.3}
  - {name: b, density: 1500, friction: 0.1}
walls:
  - {name: box, box: {min: [-0.2, -0.2, 0], max: [0.2, 0.2, 2], open: [top]}, material: a}
  - {name: tilt, mesh: {file: tilt.stl}, material: a}
bodies:
  - lattice: {origin: [-0.14, -0.14, 0.08], counts: [5, 5, 4], spacing: 0.07, jitter: 0.004}
    radius: {uniform: {min: 0.02, max: 0.03}}
    material: a
    velocity: [0.6, 0, -1]
outputs:
  - frames: {every: 0.1, fields: [id, kinetic_energy, rotational_energy, potential_energy,
                                  coordination, stress]}
  - contacts: {every: 0.1, lines: on}
  - network: {every: 0.1, bins: 10, largest: 5}
  - history: {every: 0.1, ids: [0, 7, 99]}
  - walls: {every: 0.1, cells: 0.1, box: {min: [-0.2, -0.2, 0], max: [0.2, 0.2, 0.4]},
            sample: 0.01}
  - flux:
      every: 0.1
      gates:
        - {name: low, plane: {point: [0, 0, 0.15], normal: [0, 0, -1]}}
        - {name: side, disc: {center: [0, 0, 0.1], normal: [1, 0, 0], radius: 0.1}}
      materials: on
      sizes: [0.05]
  - fields: {every: 0.1, box: {min: [-0.3, -0.3, -0.1], max: [0.3, 0.3, 0.5]},
             cells: [3, 4, 6], width: 0.2, sample: 0.01, mean: run}
checkpoint: {every: 0.11, keep: 10}
"""
TILT = """solid tilt
facet normal 0 0 1
outer loop
vertex -0.2 -0.2 0.06
vertex 0 -0.2 0.02
vertex -0.2 0.2 0.06
endloop
endfacet
endsolid tilt
"""
TABLES = ("network", "forces", "largest", "history", "walls", "pressure", "flux")


def contents(path):
    """All arrays of a file but what says where it is from."""
    found = {}
    with h5py.File(path) as file:
        def take(name, thing):
            if isinstance(thing, h5py.Dataset):
                found[name] = thing[()].tobytes()
        file["VTKHDF"].visititems(take)
    return found


class Measures(InRanks):
    def setUp(self):
        super().setUp()
        self.write("case.yaml", CASE)
        self.write("tilt.stl", TILT)

    def run_ranks(self, ranks, out):
        self.ranks(ranks, "run", "case.yaml", "--out", out, "--threads", "1", "--quiet")

    def expect_same(self, one, other):
        for name in TABLES:
            with open(self.path(one, name + ".csv")) as a, \
                    open(self.path(other, name + ".csv")) as b:
                self.assertEqual(a.read(), b.read(), name)
        paths = sorted(glob.glob(self.path(one, "*_0*.hdf")))
        self.assertEqual(len(paths), 5 * 4)
        for path in paths:
            again = self.path(other, os.path.basename(path))
            self.assertEqual(contents(path), contents(again), path)

    def test_same_bits_on_any_ranks(self):
        self.run_ranks(0, "one")
        with open(self.path("one", "flux.csv")) as file:
            self.assertGreater(float(file.read().split("\n")[-2].split(",")[2]), 20)
        for ranks in (2, 4):
            self.run_ranks(ranks, "ranks")
            self.expect_same("one", "ranks")
            shutil.rmtree(self.path("ranks"))

    def test_same_bits_after_restart_on_other_ranks(self):
        self.run_ranks(0, "whole")
        for ranks in (0, 2):
            shutil.copytree(self.path("whole"), self.path("again"))
            self.ranks(ranks, "run", "case.yaml", "--restart",
                       "again/checkpoint-000000000055.hdf5", "--out", "again",
                       "--force", "--threads", "1",
                       "--quiet")
            self.expect_same("whole", "again")
            shutil.rmtree(self.path("again"))

    def test_same_bits_for_any_threads(self):
        self.run_ranks(0, "whole")
        self.scree("run", "case.yaml", "--out", "threads", "--threads", "2", "--quiet")
        self.expect_same("whole", "threads")


if __name__ == "__main__":
    unittest.main()
