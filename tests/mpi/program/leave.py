"""Bodies that leave, as a user meets them: outlets, the domain, runs that end before their
time; counts on ranks and after a restart.

    python3 leave.py SCREE
"""
import csv
import glob
import unittest

import h5py
from in_ranks import InRanks

CASE = """
name: drain
seed: 5
time: {end: 1.2, step: 2e-3}
materials: [{name: rock, density: 2600, friction: 0.3, restitution: 0.2}]
walls:
  - {name: slope, plane: {point: [0, 0, 0], normal: [1, 0, 1.5]}}
bodies:
  - lattice: {origin: [0, 0, 0.2], counts: [4, 5, 4], spacing: 0.11, jitter: 0.004}
    radius: 0.05
  - pour: {box: {min: [0, 0, 0.8], max: [0.4, 0.4, 1]}, rate: 50, count: 20}
    radius: 0.04
outlets:
  - {name: foot, box: {min: [0.5, -1, -9], max: [9, 9, -0.6]}}
domain: {min: [-2, -2, -3], max: [3, 3, 3]}
outputs:
  - frames: {every: 0.2}
  - scalars: {every: 0.05}
  - contacts: {every: 0.2, lines: on}
checkpoint: {every: 0.3, keep: 100}
"""


class Leave(InRanks):
    def setUp(self):
        super().setUp()
        self.case = self.write("case.yaml", CASE)

    def run_case(self, out, *sets, ranks=0, code=0):
        more = [word for text in sets for word in ("--set", text)]
        return self.ranks(ranks, "run", self.case, "--out", out, "--threads", "1",
                          *more, code=code)

    def hash_of(self, done):
        return done.stdout.split("state hash: ")[1].split()[0]

    def rows(self, out):
        with open(self.path(out, "scalars.csv")) as file:
            return list(csv.DictReader(file))

    def test_counts__bodies_in_are_bodies_there_and_out(self):
        done = self.run_case("a")
        rows = self.rows("a")
        for row in rows:
            self.assertLessEqual(int(row["bodies"]) + int(row["bodies_left_foot"]) +
                                 int(row["bodies_left_domain"]), 100)
        last = rows[-1]
        gone = int(last["bodies_left_foot"])
        self.assertGreater(gone, 20)
        self.assertEqual(int(last["bodies"]) + gone, 100)
        self.assertIn("left foot", done.stdout)
        # Two kinds of bodies: the mass tells which they are.
        heavy, light = (2600 * 4 / 3 * 3.141592653589793 * r ** 3
                        for r in (0.05, 0.04))
        mass = float(last["mass_left_foot"])
        self.assertTrue(any(abs(k * heavy + (gone - k) * light - mass) < 1e-9 * mass
                            for k in range(gone + 1)))

    def test_frames__name_those_that_are_there(self):
        self.run_case("a")
        with h5py.File(sorted(glob.glob(self.path("a", "bodies_*.hdf")))[-1]) as file:
            ids = file["VTKHDF/PointData/id"][:]
        self.assertEqual(len(ids), int(self.rows("a")[-1]["bodies"]))
        self.assertTrue((ids[1:] > ids[:-1]).all())
        self.assertGreater(ids[-1], len(ids))
        with h5py.File(sorted(glob.glob(self.path("a", "network_*.hdf")))[-1]) as file:
            piece = file["VTKHDF"]
            self.assertLess(piece["Connectivity"][:].max(),
                            piece["NumberOfPoints"][0])

    def test_ranks__reproducible__same_bits_and_counts(self):
        kept = set()
        for n in (1, 2, 4):
            done = self.run_case("r%d" % n, "reproducible=on", ranks=n)
            last = self.rows("r%d" % n)[-1]
            kept.add((self.hash_of(done), last["bodies_left_foot"],
                      last["mass_left_foot"], last["inserted"]))
        self.assertEqual(len(kept), 1, kept)

    def test_goes_on__from_a_checkpoint__same_bits(self):
        whole = self.run_case("a")
        last = self.rows("a")[-1]
        kept = sorted(glob.glob(self.path("a", "checkpoint-*.hdf5")))
        done = self.ranks(0, "run", self.case, "--restart", kept[2], "--out", "b",
                          "--threads", "2")
        self.assertEqual(self.hash_of(done), self.hash_of(whole))
        self.assertEqual(self.rows("b")[-1], last)
        # On other ranks from there: counts go on.
        self.ranks(2, "run", self.case, "--restart", kept[2], "--out", "c",
                   "--threads", "1")
        row = self.rows("c")[-1]
        self.assertEqual(int(row["bodies"]) + int(row["bodies_left_foot"]), 100)

    def test_stop__all_removed__ends_before_its_time(self):
        done = self.run_case("a", "stop={all_removed: on}", "time.end=9")
        self.assertIn("all bodies have left at t = ", done.stdout)
        self.assertEqual(int(self.rows("a")[-1]["bodies_left_foot"]), 100)
        self.assertLess(float(self.rows("a")[-1]["time"]), 9)

    def test_stop__at_rest__once_it_has_lasted(self):
        self.write("rest.yaml", """
time: {end: 5, step: 1e-3}
materials: [{name: rock, density: 2600, friction: 0.5}]
walls: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
bodies: [{sphere: {position: [0, 0, 0.3]}, radius: 0.1}]
stop: {speed: 1e-3, for: 0.25}
outputs: [{scalars: {}}]
""")
        done = self.ranks(0, "run", "rest.yaml", "--out", "s", "--threads", "1")
        self.assertIn("at rest at t = ", done.stdout)
        fall = (2 * 0.2 / 9.81) ** 0.5
        self.assertAlmostEqual(float(self.rows("s")[-1]["time"]), fall + 0.25,
                               delta=3e-3)

    def test_domain__stop_and_error__name_the_body(self):
        done = self.run_case("a", "domain.outside=stop", "domain.max=[1,3,3]")
        self.assertIn("left the domain at t = ", done.stdout)
        self.assertLess(float(self.rows("a")[-1]["time"]), 1.2)
        done = self.run_case("b", "domain.outside=error", "domain.max=[1,3,3]", code=4)
        self.assertIn("left the world at t = ", done.stderr)
        self.assertIn("domain.outside: error", done.stderr)
        self.assertTrue(glob.glob(self.path("b", "broken-*.hdf")))

    def test_what_cannot_be__is_refused(self):
        for setting, words in (
                ("domain.max=[-3,3,3]", "x is not above that of 'min'"),
                ("domain.outside=keep", "allowed: remove, stop, error"),
                ("outlets=[{name: a, box: {min: [0, 0, 0], max: [1, 1, 0]}}]",
                 "z is not above that of 'min'"),
                ("outlets+={name: foot, box: {min: [0, 0, 0], max: [1, 1, 1]}}",
                 "outlets[0] has the name 'foot' already"),
                ("stop={for: 1}", "nothing to stop by"),
                ("stop={speed: -1}", "number > 0"),
                ("outlets+={name: hole}", "missing key 'box'")):
            self.assertIn(words, self.run_case("no", setting, code=2).stderr, setting)

    def test_check__prints_it_as_it_was_written(self):
        text = self.ranks(0, "check", self.case, "--set", "stop.all_removed=on").stdout
        self.assertIn('name: "foot"', text)
        self.write("again.yaml", text)
        self.assertEqual(text.split("outputs:")[0],
                         self.ranks(0, "check", "again.yaml").stdout.split("outputs:")[0])


if __name__ == "__main__":
    unittest.main()
