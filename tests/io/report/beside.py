"""The files beside the results: case.yaml, run.log, timing.json, tables that other
programs read as they are, and what the terminal shows in colour.

    python3 beside.py SCREE
"""
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import unittest

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import SCREE, InFolder  # noqa: E402

CASE = """
name: beside
seed: 5
time: {end: 0.05, step: 0.001}
gravity: [0, 0, -9.81]
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
  - {name: mesh, mesh: {file: tetra.obj}, material: rock}
bodies:
  - lattice: {origin: [0, 0, 0.06], counts: [3, 3, 3], spacing: 0.11, jitter: 0.004}
    radius: {uniform: {min: 0.04, max: 0.05}}
    material: rock
  - pour:
      box: {min: [-0.3, -0.3, 1], max: [0.3, 0.3, 1.4]}
      rate: 100
      count: 500
    radius: 0.03
    material: rock
outputs:
  - frames: {every: 0.01}
  - surfaces: {every: 0.01}
  - scalars: {every: 0}
"""
MESH = """v 5 5 0
v 6 5 0
v 5 6 0
v 5 5 1
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
"""
MODEL = """
name: model
time: {end: 2, step: 0.01}
model: belt
outputs: [{scalars: {every: 0}}]
"""


class Beside(InFolder):
    def setUp(self):
        super().setUp()
        self.write("tetra.obj", MESH)
        self.write("in.yaml", CASE)

    def read(self, *parts):
        with open(self.path(*parts)) as file:
            return file.read()

    @staticmethod
    def hash_of(done):
        return done.stdout.split("state hash: ")[1].strip()

    def run_case(self, *words, **options):
        return self.scree("run", "in.yaml", "--out", "out", *words, **options)

    # ---- case.yaml -----------------------------------------------------------

    def test_case__resolved_copy__runs_to_the_same_state(self):
        done = self.run_case("--set", "gravity=[0, 0, -8]")
        self.assertIn("gravity: [0, 0, -8]", self.read("out", "case.yaml"))
        os.mkdir(self.path("elsewhere"))
        again = self.scree("run", "../out/case.yaml", "--out", "x", "--quiet",
                           cwd=self.path("elsewhere"))
        self.assertEqual(self.hash_of(again), self.hash_of(done))

    def test_case__own_file_of_that_name__left_as_it_is(self):
        shutil.move(self.path("in.yaml"), self.path("case.yaml"))
        before = self.read("case.yaml")
        for _ in range(2):
            done = self.scree("run", "case.yaml", "--out", ".", "--force")
            self.assertIn("warning: ./case.yaml is not of a run", done.stdout)
            self.assertEqual(self.read("case.yaml"), before)

    # ---- run.log, timing.json --------------------------------------------------

    def test_log__quiet_run__holds_all_but_the_progress(self):
        said = self.run_case().stdout
        quiet = self.run_case("--quiet", "--force")
        log = self.read("out", "run.log")
        for word in ("beside: 27 bodies", "warning (pour): ", "phase", "result: out",
                     "open with: paraview --script out/view.py", quiet.stdout):
            self.assertIn(word, log)
        self.assertNotIn("ETA", log)
        plain = [x for x in said.splitlines() if "ETA" not in x]
        self.assertEqual(len(log.splitlines()), len(plain))

    def test_log__resumed_run__goes_on(self):
        self.run_case("--max-walltime", "0.0001")
        first = self.read("out", "run.log")
        self.assertIn("stopped by --max-walltime", first)
        self.assertFalse(json.loads(self.read("out", "timing.json"))["finished"])
        self.scree("resume", "out")
        self.assertTrue(self.read("out", "run.log").startswith(first))
        self.assertTrue(json.loads(self.read("out", "timing.json"))["finished"])

    def test_log__failed_run__ends_with_the_error(self):
        self.run_case("--set", "bodies[0].velocity=[0, 0, -1e308]", code=4)
        self.assertIn("error: ", self.read("out", "run.log"))

    def test_timing__phases__add_up(self):
        done = self.run_case()
        timing = json.loads(self.read("out", "timing.json"))
        self.assertEqual(timing["state_hash"], self.hash_of(done))
        self.assertEqual((timing["steps"], timing["ranks"]), (50, 1))
        total = sum(phase["mean"] for phase in timing["phases"])
        self.assertLess(0, total)
        self.assertLessEqual(total, 1.01 * timing["seconds"] + 0.001)

    def test_killed_run__earlier_end__not_told_any_more(self):
        self.run_case("--set", "report=on")
        self.run_case("--force", "--set", "bodies[0].velocity=[0, 0, -1e308]", code=4)
        self.assertFalse({"timing.json", "report.html"} &
                         set(os.listdir(self.path("out"))))

    # ---- colours ---------------------------------------------------------------

    def on_terminal(self, **environment):
        """What the program prints where a user sees it."""
        try:
            mine, its = pty.openpty()
        except OSError as why:  # a bare system may have no /dev/pts
            self.skipTest("no terminals here: %s" % why)
        process = subprocess.Popen(
            [SCREE, "run", "in.yaml", "--out", "out", "--force"],
            cwd=self.folder, stdout=its, stderr=its, stdin=its,
            env={**os.environ, "TERM": "xterm", **environment})
        os.close(its)
        said = b""
        while True:
            try:
                part = os.read(mine, 4096)
            except OSError:  # the other end is closed
                part = b""
            if not part:
                break
            said += part
        os.close(mine)
        self.assertEqual(process.wait(), 0, said)
        return said.decode()

    def test_terminal__warnings_yellow__log_plain(self):
        environ = {"NO_COLOR": ""}
        said = self.on_terminal(**environ)
        self.assertIn("\033[33mwarning (pour): ", said)
        # Its remedy too, on the lines below it, and nothing else.
        self.assertRegex(said, r"\033\[33mwarning \(pour\): [^\n]*\n\033\[33m  \w")
        for line in said.replace("\r", "\n").splitlines():
            self.assertEqual("\033[33m" in line,
                             "warning" in line or line.startswith("\033[33m  "), line)
        self.assertIn("\033[32m100.0 %\033[0m", said)
        self.assertNotIn("\033", self.read("out", "run.log"))

    def test_terminal__no_color__plain(self):
        self.assertNotIn("\033", self.on_terminal(NO_COLOR="1"))
        self.assertNotIn("\033", self.on_terminal(NO_COLOR="", TERM="dumb"))

    # ---- tables and frames -------------------------------------------------------

    def test_tables__numpy__read_as_they_are(self):
        self.run_case("--quiet")
        table = numpy.genfromtxt(self.path("out", "scalars.csv"), names=True,
                                 delimiter=",")
        self.assertEqual(list(table["step"]), list(range(51)))
        self.assertEqual(table.dtype.names[:4], ("step", "time", "bodies", "contacts"))
        self.write("model.yaml", MODEL)
        self.scree("run", "model.yaml", "--out", "model", "--quiet")
        table = numpy.genfromtxt(self.path("model", "model.csv"), names=True,
                                 delimiter=",")
        self.assertAlmostEqual(table["t"][-1], 2)
        self.assertEqual(table.dtype.names[0], "step")

    def test_frames__mass_and_volume__of_the_balls(self):
        self.run_case("--quiet")
        with h5py.File(self.path("out", "bodies_000005.hdf")) as file:
            data = file["VTKHDF/PointData"]
            volume = 4 / 3 * numpy.pi * data["radius"][:]**3
            numpy.testing.assert_allclose(data["volume"][:], volume, rtol=1e-14)
            numpy.testing.assert_allclose(data["mass"][:], 2600 * volume, rtol=1e-14)

    def test_surfaces__spheres_alone__no_empty_files(self):
        self.run_case("--quiet")
        found = sorted(x for x in os.listdir(self.path("out"))
                       if x.startswith(("surfaces", "walls")))
        self.assertEqual(found, ["walls.hdf.series", "walls_000000.hdf"])

    def test_info__walls_drawn_once__hash_is_that_of_the_run(self):
        hash_ = self.hash_of(self.run_case("--quiet"))
        told = self.scree("info", "out").stdout
        self.assertEqual(told.splitlines()[-1], "state hash: " + hash_)

    def test_pack__name_without_folder__says_the_whole_path(self):
        self.run_case("--quiet")
        told = self.scree("pack", "out", "-o", "run.vtkhdf").stdout
        self.assertIn("./run.xmf: the same for older ones", told)

    # ---- plot ----------------------------------------------------------------------

    def test_plot__svg_and_png__curves_of_the_table(self):
        self.run_case("--quiet")
        self.scree("plot", "out", "-o", "p.svg")
        text = self.read("p.svg")
        for word in ("kinetic", "residual", "iterations", "contacts", "energy [J]"):
            self.assertIn(">%s<" % word, re.sub(r">\s+", ">", text))
        self.assertIn("written: out/plot.png", self.scree("plot", "out").stdout)
        with open(self.path("out", "plot.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_plot__what_cannot_be__named_error(self):
        self.run_case("--quiet")
        done = self.scree("plot", "out", "-o", "p.pdf", code=2)
        self.assertIn("a plot ends in .png or .svg", done.stderr)
        os.mkdir(self.path("bin"))
        done = self.scree("plot", "out", code=2,
                          env={**os.environ, "PATH": self.path("bin")})
        self.assertIn("gnuplot is not installed", done.stderr)
        done = self.scree("plot", "nowhere", code=2)
        self.assertIn("no scalars.csv and no model.csv", done.stderr)


if __name__ == "__main__":
    unittest.main()
