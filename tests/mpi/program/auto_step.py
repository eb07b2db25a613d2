"""Steps that choose themselves, as a user meets them: output times are met, a run that
was killed goes on with the same bits, ranks take the same steps, and what cannot be is
refused.

    python3 auto_step.py SCREE
"""
import csv
import glob
import os
import unittest

from in_ranks import InRanks

CASE = """
name: drop
seed: 3
time: {end: 0.6, step: auto}
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
bodies:
  - lattice: {origin: [0, 0, 0.06], counts: [5, 5, 5], spacing: 0.11, jitter: 0.004}
    radius: 0.05
    material: rock
  - pour: {box: {min: [0, 0, 1], max: [0.4, 0.4, 1.2]}, rate: 100}
    radius: {uniform: {min: 0.03, max: 0.05}}
    material: rock
outputs:
  - frames: {every: 0.05}
  - scalars: {}
checkpoint: {every: 0.1, keep: 100}
"""


class AutoStep(InRanks):
    def setUp(self):
        super().setUp()
        self.case = self.write("case.yaml", CASE)

    def run_case(self, out, *more, ranks=0, **options):
        return self.ranks(ranks, "run", self.case, "--out", out, "--threads", "1",
                          *more, **options)

    def hash_of(self, done):
        return done.stdout.split("state hash: ")[1].split()[0]

    def rows(self, out):
        with open(self.path(out, "scalars.csv")) as file:
            lines = [line for line in file if not line.startswith("#")]
        return [{k: v for k, v in row.items()} for row in csv.DictReader(lines)]

    def test_times__are_met__and_steps_are_told(self):
        done = self.run_case("a")
        rows = self.rows("a")
        times = [float(row["time"]) for row in rows]
        sizes = [float(row["step_size"]) for row in rows]
        for k in range(13):  # and so the frames were written then
            self.assertTrue(any(abs(t - 0.05 * k) < 1e-15 for t in times), k)
        self.assertEqual(len(glob.glob(self.path("a", "bodies_*.hdf"))), 13)
        for before, now, size in zip(times, times[1:], sizes[1:]):
            self.assertAlmostEqual(now - before, size, delta=1e-14)
        self.assertGreater(max(sizes) / min(sizes[1:]), 7)
        self.assertIn("step sizes", done.stdout)
        self.assertIn("steps of at most 0.05 s", done.stdout)

    def test_gates_and_pours__at_their_times(self):
        """Nothing moves before: the steps could be as long as the run."""
        self.write("still.yaml", """
time: {end: 1.2, step: auto}
gravity: [0, 0, -9.81]
materials: [{name: rock, density: 2600}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  - {name: gate, plane: {point: [0, 0, 2], normal: [0, 0, -1]}, until: 0.75}
bodies:
  - pour: {box: {min: [0, 0, 1], max: [1, 1, 1.2]}, rate: 10, start: 0.3}
    radius: 0.05
outputs: [{scalars: {}}]
""")
        done = self.ranks(0, "run", "still.yaml", "--out", "s", "--threads", "1")
        self.assertIn("steps of at most 0.15 s", done.stdout)
        rows = self.rows("s")
        first = next(k for k, row in enumerate(rows) if int(row["bodies"]))
        self.assertAlmostEqual(float(rows[first - 1]["time"]), 0.3, delta=1e-12)
        self.assertTrue(any(abs(float(row["time"]) - 0.75) < 1e-12 for row in rows))

    def test_goes_on__from_any_checkpoint__with_the_same_bits(self):
        whole = self.hash_of(self.run_case("a"))
        kept = sorted(glob.glob(self.path("a", "checkpoint-*.hdf5")))
        self.assertGreater(len(kept), 4)
        for k in (1, 3):
            done = self.ranks(0, "run", self.case, "--restart", kept[k], "--out",
                              "b%d" % k, "--threads", "2")
            self.assertEqual(self.hash_of(done), whole)

    def test_ranks__reproducible__take_the_same_steps(self):
        same = ["--set", "reproducible=on"]
        hashes = {self.hash_of(self.run_case("r%d" % n, *same, ranks=n))
                  for n in (1, 2)}
        self.assertEqual(len(hashes), 1)

    def test_rattle__takes_them_too(self):
        self.run_case("a", "--set", "stepper=rattle")
        self.assertGreater(len({row["step_size"] for row in self.rows("a")}), 3)

    def refused(self, *sets):
        more = [word for text in sets for word in ("--set", text)]
        return self.run_case("no", *more, code=2).stderr

    def test_what_cannot_be__is_refused(self):
        self.assertIn("auto finds no step", self.refused("time.end=0.6180339887"))
        self.assertIn("out of range", self.refused("time.motion=0"))
        model = self.write("m.yaml", "time: {end: 1, step: auto}\n"
                           "model: bouncing-ball\nstepper: moreau\n")
        self.assertIn("auto is for worlds",
                      self.ranks(0, "run", model, code=2).stderr)

    def test_check__prints_it_as_it_was_written(self):
        text = self.ranks(0, "check", self.case).stdout
        self.assertIn("step: auto", text)
        self.assertIn("motion: 0.1", text)
        again = self.write("again.yaml", text)
        self.assertEqual(os.path.basename(again), "again.yaml")
        self.ranks(0, "check", again)


if __name__ == "__main__":
    unittest.main()
