"""A small case with a pour, outputs and checkpoints, for tests of runs that stop
and go on."""
import glob
import json
import os
import time

from in_folder import InFolder

CASE = """
name: survivor
seed: 3
threads: 1
time: {end: 0.6, step: 0.001}
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock,
     motion: {oscillation: {amplitude: [0, 0, 0.01], frequency: 10}}}
bodies:
  - lattice: {origin: [0, 0, 0.06], counts: [4, 4, 6], spacing: 0.11, jitter: 0.004}
    radius: 0.05
    material: rock
  - pour: {box: {min: [0, 0, 1], max: [0.4, 0.4, 1.2]}, rate: 100}
    radius: {uniform: {min: 0.03, max: 0.05}}
    material: rock
outputs:
  - frames: {every: 0.05}
  - contacts: {every: 0.1}
  - scalars: {every: 0.002}
checkpoint: {every: 0.013}
"""
LONG = ["--set", "time.end=1000"]
NOT_OUTPUTS = ("checkpoint-", "restarts.log", "run.log", "timing.json", ".lock")


class Survivor(InFolder):
    # Memory where there is such a folder: runs sync what they write.
    root = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

    def setUp(self):
        super().setUp()
        self.case = self.write("case.yaml", CASE)
        self.out = self.path("result")

    def run_case(self, *arguments, out=None, **options):
        return self.scree("run", self.case, "--out", out or self.out,
                          *arguments, **options)

    def resume(self, *arguments, **options):
        return self.scree("resume", self.out, *arguments, **options)

    def hash_of(self, done):
        self.assertIn("state hash: ", done.stdout)
        return done.stdout.split("state hash: ")[1].split()[0]

    def start_case(self, *arguments):
        """A run that has written a checkpoint beyond its first step."""
        process = self.start("run", self.case, "--out", self.out, *arguments)
        self.wait_for(lambda: self.steps() and self.steps()[-1] > 0)
        return process

    def wait_for(self, condition):
        give_up = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.01)

    def checkpoints(self):
        return sorted(glob.glob(os.path.join(self.out, "checkpoint-*.hdf5")))

    def steps(self):
        return [int(p[-17:-5]) for p in self.checkpoints()]

    def outputs(self, out=None):
        content = {}
        for name in os.listdir(out or self.out):
            if name.startswith(NOT_OUTPUTS):
                continue
            with open(os.path.join(out or self.out, name), "rb") as file:
                content[name] = file.read()
        return content

    def check_outputs(self, undisturbed):
        """The same files with the same bytes, nothing missing or left over."""
        expected, found = self.outputs(undisturbed), self.outputs()
        self.assertEqual(sorted(expected), sorted(found))
        for name in expected:
            self.assertTrue(expected[name] == found[name], name)
        with open(os.path.join(self.out, "bodies.hdf.series")) as file:
            frames = json.load(file)["files"]
        names = [f["name"] for f in frames]
        self.assertEqual(names, sorted(set(names)))
        self.assertEqual([f["time"] for f in frames],
                         sorted({f["time"] for f in frames}))
