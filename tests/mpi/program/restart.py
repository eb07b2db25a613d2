"""Runs on several ranks that stop and go on with other numbers of ranks.

    restart.py SCREE
"""
import os
import resource
import shlex
import signal
import subprocess
import sys
import unittest

import h5py
import numpy

from in_ranks import PATIENCE, SCREE, InRanks, line
from sealing import CHECKPOINT, seal  # of tests/io, as in_ranks finds it

# Spheres and boxes on a floor that moves; contacts with arms and with moments.
BED = """
name: bed
seed: 3
time: {end: 0.06, step: 0.001}
materials:
  - {name: rock, density: 2600, friction: 0.5, rolling: 0.002}
shapes:
  - {name: brick, box: {size: [0.06, 0.055, 0.05]}}
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock,
     motion: {oscillation: {amplitude: [0, 0, 0.002], frequency: 10}}}
  - {name: side, plane: {point: [-0.05, 0, 0], normal: [1, 0, 0]}, material: rock}
bodies:
  - lattice: {origin: [0, 0, 0.052], counts: [5, 5, 3], spacing: 0.102}
    radius: 0.05
    velocity: [-0.5, 0.1, -1]
    material: rock
  - lattice: {origin: [0, 0, 0.358], counts: [5, 5, 1], spacing: 0.102}
    shape: brick
    velocity: [-0.5, 0.1, -3]
    material: rock
checkpoint: {every: 0.06}
"""
BODIES, DT, GRAVITY = 100, 0.001, 9.81

# A periodic cell that is sheared and holds a pressure: pairs with images, edges that move.
CELL = """
name: cell
seed: 1
reproducible: on
time: {end: 0.025, step: 0.0005}
gravity: [0, 0, 0]
cell: {min: [0, 0, 0], max: [0.11, 0.11, 0.11], periodic: xyz, shear_rate: 10,
       pressure: [0, 20000, 10000]}
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2}]
shapes: [{name: brick, box: {size: [0.018, 0.015, 0.012]}}]
bodies:
  - lattice: {origin: [0.0138, 0.0138, 0.0138], counts: [4, 4, 2], spacing: 0.027}
    radius: 0.01
    material: rock
  - lattice: {origin: [0.0138, 0.0138, 0.0685], counts: [4, 4, 2], spacing: 0.027}
    shape: brick
    material: rock
checkpoint: {every: 0.005}
"""

# No body at the start; when the checkpoint is saved, some wait for a place.
POUR = """
name: pour
reproducible: on
time: {end: 0.05, step: 0.001}
materials: [{name: rock, density: 2600, friction: 0.5}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
bodies:
  - pour: {box: {min: [0, 0, 0.1], max: [0.12, 0.12, 0.2]}, rate: 9000, start: 0.005}
    radius: {uniform: {min: 0.01, max: 0.02}}
    velocity: [0, 0, -1]
    material: rock
checkpoint: {every: 0.02}
"""

REPRODUCIBLE = """
reproducible: on
outputs:
  - frames: {every: 0.01}
  - scalars: {every: 0.01}
"""

# Pairs of spheres that meet, each far from the others: one contact at a time, whose
# solution needs no iterations.
DILUTE = """
name: dilute
time: {end: 0.2, step: 0.001}
gravity: [0, 0, 0]
solver: {method: pgs, iterations: 200, tolerance: 1e-13}
materials: [{name: ice, density: 900, friction: 0.3, restitution: 0.5}]
bodies:
%s
checkpoint: {every: 0.2}
"""
PAIR = """  - {{sphere: {{position: [{0}, 0, 0]}}, radius: 0.1, velocity: [0.8, 0.1, 0], material: ice}}
  - {{sphere: {{position: [{0}, {1}, 0.3]}}, radius: 0.1, velocity: [0, {2}, -1], material: ice}}
"""


def dilute():
    return DILUTE % "".join(PAIR.format(k, 0.02 * k, 0.03 * k)
                            for k in range(12))


# At rest: the percussions of a step are those of the step before.
TOWER = """
name: tower
time: {end: 0.02, step: 0.001}
solver: {method: pgs, iterations: 5000, tolerance: 1e-9}
materials: [{name: rock, density: 2600, friction: 0.5}]
walls: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}]
bodies:
  - lattice: {origin: [0, 0, 0.05], counts: [1, 1, 12], spacing: 0.1}
    radius: 0.05
    material: rock
checkpoint: {every: 0.02}
"""


# Enough that bodies are most of the memory.
MANY = """
name: many
time: {end: 0.001, step: 0.001}
solver: {iterations: 2}
materials: [{name: rock, density: 2600, friction: 0.5}]
bodies:
  - lattice: {origin: [0, 0, 0], counts: [50, 50, 80], spacing: 0.11}
    radius: 0.05
    material: rock
checkpoint: {every: 1}
"""

# Runs a program, and leaves the most memory that it had [kB] in a file.
WATCH = """
import os, resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
with open("%s-%d" % (sys.argv[1], os.getpid()), "w") as file:
    file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(code)
"""


# The order of bodies in memory, and what a run costs, belong to the ranks.
NOT_STATE = ("bodies/place", "world/cost", "run/", "case/")


class Restart(InRanks):
    def setUp(self):
        super().setUp()
        self.case = self.write("case.yaml", BED)

    def check_same_state(self, one, other):
        names = {n for n in one if not n.startswith(NOT_STATE)}
        self.assertEqual(names,
                         {n for n in other if not n.startswith(NOT_STATE)})
        for name in names:
            self.assertTrue(numpy.array_equal(one[name], other[name]), name)

    def peak(self, ranks, *arguments):
        """The most memory that one of the ranks had [kB]."""
        start = line(ranks, *arguments)
        at = start.index(SCREE)
        start[at:at] = [sys.executable, "-c", WATCH, self.path("memory")]
        subprocess.run(start, cwd=self.folder, check=True, timeout=PATIENCE,
                       stdout=subprocess.DEVNULL)
        found = [self.path(name) for name in os.listdir(self.folder)
                 if name.startswith("memory-")]
        self.assertEqual(len(found), ranks)
        most = 0
        for name in found:
            with open(name) as file:
                most = max(most, int(file.read()))
            os.remove(name)
        return most

    # ---- what a checkpoint holds ---------------------------------------------

    def test_saved_on_4__loaded_on_1_and_on_3__every_bit_is_there(self):
        """A run that begins at its end loads and saves, and does nothing else."""
        first = self.ranks(4, "run", self.case, "--out", "on4")
        ranks, before = 4, "on4"
        for ranks in (0, 3):
            out = "on%d" % ranks
            done = self.ranks(ranks, "run", self.case, "--restart",
                              self.checkpoint(before), "--out", out)
            self.assertEqual(self.hash_of(done), self.hash_of(first))
            self.check_same_state(self.state("on4"), self.state(out))
            before = out
        state = self.state("on4")
        self.assertEqual(state["bodies/position"].shape, (BODIES, 3))
        self.assertEqual(len(set(map(tuple, state["bodies/position"]))), BODIES)
        self.assertGreater(len(state["contacts/long_arm_a"]), 10)
        self.assertGreater(len(state["contacts/moment_percussion"]), 10)

    def test_one_step__momentum__is_what_the_checkpoint_says_of_the_walls(self):
        """M v(n+1) - M v(n) = M g dt + what the walls give, saved twice: as
        percussions of walls and as those of contacts with them."""
        self.ranks(4, "run", self.case, "--out", "x")
        before = self.state("x")
        self.ranks(3, "resume", "x", "--set", "time.end=%g" % (0.06 + DT))
        after = self.state("x")
        mass = 1 / after["bodies/inverse_mass"]
        gain = mass @ (after["bodies/velocity"] - before["bodies/velocity"])
        gain[2] += GRAVITY * DT * sum(mass)
        on_walls = after["contacts/b"] < 0
        given = sum(after["contacts/percussion"][on_walls])
        self.assertGreater(numpy.abs(given[2]), 1)
        scale = numpy.abs(gain).max()
        self.assertLess(numpy.abs(gain - given).max(), 1e-12 * scale)
        self.assertLess(numpy.abs(gain + sum(after["walls/percussion"])).max(),
                        1e-12 * scale)

    def test_energy__over_restarts__is_accounted_for(self):
        """What each rank has taken from its bodies comes along, once."""
        self.ranks(4, "run", self.case, "--out", "x")
        self.ranks(0, "resume", "x", "--set", "time.end=0.08")
        done = self.ranks(3, "resume", "x", "--set", "time.end=0.1")
        off = float(done.stdout.split("scheme error ")[1].split()[0])
        inserted = float(done.stdout.split("inserted ")[1].split()[0])
        self.assertLess(abs(off), 1e-9 * abs(inserted))

    def test_tower__one_iteration_after_a_restart__is_enough(self):
        """Because it starts from the percussions that were saved."""
        case = self.write("tower.yaml", TOWER)
        self.ranks(4, "run", case, "--out", "x")
        step = ["--set", "time.end=0.021", "--set", "solver.iterations=1",
                "--set", "solver.clusters=0", "--set", "solver.coarse=off"]
        residual = {}
        for ranks in (0, 3):
            for warm in ("true", "false"):
                self.ranks(ranks, "run", case, "--restart", self.checkpoint("x"),
                           "--out", "y", "--force", "--set",
                           "solver.warm_start=" + warm, *step)
                residual[warm] = self.state("y")["world/report/residual"][0]
            self.assertLess(residual["true"], 1e-7)
            self.assertGreater(residual["false"], 1e-3)

    # ---- the way goes on -------------------------------------------------------

    def test_dilute__4_then_1_then_3__goes_on_as_on_one_rank(self):
        case = self.write("dilute.yaml", dilute())
        self.ranks(0, "run", case, "--out", "whole")
        self.ranks(4, "run", case, "--out", "x", "--set", "time.end=0.07")
        self.ranks(0, "resume", "x", "--set", "time.end=0.13")
        self.ranks(3, "resume", "x", "--set", "time.end=0.2")
        whole, parts = self.state("whole"), self.state("x")
        self.assertGreater(numpy.abs(whole["bodies/angular_velocity"]).max(), 0.1)
        for name in ("position", "orientation", "velocity", "angular_velocity"):
            name = "bodies/" + name
            self.assertLess(numpy.abs(whole[name] - parts[name]).max(), 1e-10)

    def test_reproducible__4_then_1_then_3__has_the_bits_of_one_run(self):
        case = self.write("same.yaml", BED + REPRODUCIBLE)
        whole = self.ranks(0, "run", case, "--out", "whole", "--quiet").stdout
        self.ranks(4, "run", case, "--out", "parts", "--set", "time.end=0.02")
        self.ranks(0, "resume", "parts", "--set", "time.end=0.04")
        parts = self.ranks(3, "resume", "parts", "--set", "time.end=0.06",
                           "--quiet").stdout
        self.assertIn("state hash", whole)
        self.assertEqual(parts, whole)
        for name in ("scalars.csv", "bodies_000006.hdf"):
            self.assertTrue(os.path.exists(self.path("parts", name)), name)
        with open(self.path("whole", "scalars.csv")) as one, \
                open(self.path("parts", "scalars.csv")) as other:
            self.assertEqual(other.read(), one.read())

    def test_pour__begins_with_nothing__goes_on_on_3(self):
        """The first of those that wait keeps its size, and all look for the places
        that they would have looked for on one rank."""
        case = self.write("pour.yaml", POUR)
        whole = self.ranks(0, "run", case, "--out", "whole", "--quiet").stdout
        self.ranks(2, "run", case, "--out", "parts", "--set", "time.end=0.02",
                   "--set", "bodies[0].pour.stop=0.05")
        due = int((0.02 - 0.005) * 9000)
        self.assertLess(len(self.state("parts")["bodies/radius"]), due / 2)
        parts = self.ranks(3, "resume", "parts", "--set", "time.end=0.05",
                           "--quiet").stdout
        self.assertEqual(parts, whole)

    def test_cell__4_then_1_then_3__has_the_bits_of_one_run(self):
        case = self.write("cell.yaml", CELL)
        self.ranks(0, "run", case, "--out", "whole")
        self.ranks(4, "run", case, "--out", "x", "--set", "time.end=0.015")
        self.ranks(1, "resume", "x", "--set", "time.end=0.02")
        self.ranks(3, "resume", "x", "--set", "time.end=0.025")
        one, other = self.state("whole"), self.state("x")
        for name in "bodies/position", "bodies/velocity", "cell/length", "cell/speed":
            numpy.testing.assert_array_equal(one[name], other[name], name)

    def test_saved_on_1__goes_on_on_2(self):
        case = self.write("dilute.yaml", dilute())
        whole = self.ranks(0, "run", case, "--out", "whole")
        self.ranks(0, "run", case, "--out", "x", "--set", "time.end=0.1")
        self.ranks(2, "resume", "x", "--set", "time.end=0.2")
        one, other = self.state("whole"), self.state("x")
        self.assertLess(numpy.abs(one["bodies/position"] -
                                  other["bodies/position"]).max(), 1e-10)
        self.assertIn("200 steps", whole.stdout)

    def test_array_missing__said_once__with_what_wrote_it(self):
        self.ranks(2, "run", self.case, "--out", "x", "--set", "time.end=0.01")
        path = self.checkpoint("x")
        os.truncate(path, os.path.getsize(path) - 32)
        with h5py.File(path, "r+") as file:
            del file["state/contacts/percussion"]
        seal(path, CHECKPOINT, format_=3)
        done = self.ranks(3, "resume", "x", "--set", "time.end=0.02", code=2)
        self.assertEqual(done.stderr.count("it has no 'contacts/percussion'"), 1)
        self.assertIn("go on with that version", done.stderr)

    def test_memory_of_a_restart__is_that_of_a_share(self):
        """No rank has all bodies at any time, neither on the way in nor out. Some
        memory is that of MPI."""
        case = self.write("many.yaml", MANY)
        self.ranks(0, "run", case, "--out", "x")
        start = self.peak(4, "list")
        whole, quarter = (
            self.peak(ranks, "run", case, "--restart", self.checkpoint("x"),
                      "--out", "y%d" % ranks) - start for ranks in (1, 4))
        self.assertLess(quarter, 0.7 * whole)

    def test_disk_full__on_any_rank__said_once__the_last_one_goes_on(self):
        """Both ranks write, until one of them cannot. So seldom that it is between
        two checkpoints that it loses its room: within one HDF5 would not go on."""
        os.environ["OMPI_MCA_io_ompio_num_aggregators"] = "2"
        self.addCleanup(os.environ.pop, "OMPI_MCA_io_ompio_num_aggregators")
        for rank in range(2):
            out = "x%d" % rank
            process = self.start_ranks(
                2, "run", self.case, "--out", out, "--set", "time.end=1000",
                "--set", "checkpoint.every=0.05")
            self.wait_for(lambda: process.poll() is not None or
                          (self.steps(out) and self.steps(out)[-1] > 0))
            resource.prlimit(self.pids(process)[rank], resource.RLIMIT_FSIZE,
                             (3000, 3000))
            err = process.communicate(timeout=PATIENCE)[1]
            self.assertEqual(process.returncode, 3, err)
            self.assertEqual(err.count("cannot write: "), 1, err)
            step = self.steps(out)[-1]
            self.assertIn("the last checkpoint is that of step %d " % step, err)
            self.assertFalse([name for name in os.listdir(self.path(out))
                              if name.endswith(".tmp")])
            self.ranks(2, "resume", out, "--set",
                       "time.end=%g" % (DT * (step + 1)))

    # ---- stops -----------------------------------------------------------------

    def start_long(self, *arguments):
        """A run that has taken some steps."""
        process = self.start_ranks(
            3, "run", self.case, "--out", "x", "--set", "time.end=1000",
            "--set", "checkpoint.every=0.002", *arguments)
        self.wait_for(lambda: process.poll() is not None or
                      (self.steps("x") and self.steps("x")[-1] > 0))
        return process

    def check_stopped(self, out, why):
        """It said once why and how to go on, and that does it, on all ranks."""
        self.assertEqual(out.count("continue with: "), 1, out)
        self.assertEqual(out.count("stopped by " + why), 1, out)
        step = int(out.split("stopped by ")[1].split("step ")[1].split(" of ")[0])
        self.assertEqual(self.steps("x")[-1], step)
        command = out.split("continue with: ")[1].split("\n")[0]
        self.assertEqual(shlex.split(command), ["mpirun", *line(3, "resume", "x")[1:]])
        done = subprocess.run(
            "%s --set time.end=%g" % (command, DT * (step + 3)), shell=True,
            cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.steps("x")[-1], step + 3)

    def test_sigusr1_to_mpirun__stops_as_planned(self):
        process = self.start_long()
        process.send_signal(signal.SIGUSR1)
        out = process.communicate(timeout=PATIENCE)[0]
        self.assertEqual(process.returncode, 0)
        self.check_stopped(out, "signal 10 ")

    def test_sigterm_to_one_rank__all_stop_after_the_same_step(self):
        process = self.start_long()
        subprocess.run(["kill", str(self.pids(process)[-1])], check=True)
        out = process.communicate(timeout=PATIENCE)[0]
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.check_stopped(out, "signal 15 ")

    def test_max_walltime__stops_as_planned(self):
        done = self.ranks(3, "run", self.case, "--out", "x", "--max-walltime",
                          "2", "--set", "time.end=1000")
        self.check_stopped(done.stdout, "--max-walltime ")


if __name__ == "__main__":
    unittest.main()
