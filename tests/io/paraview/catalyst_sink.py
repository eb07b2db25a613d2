"""The sink catalyst without ParaView: a backend that writes down what it gets.

    python3 catalyst_sink.py SCREE FAKE_PLUGIN
"""
import math
import os
import shutil
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import SCREE, InFolder  # noqa: E402

FAKE = os.path.abspath(sys.argv.pop(1))
LIVE = os.path.join(os.path.dirname(os.path.realpath(SCREE)),
                    "share/scree/catalyst/live.py")

RADIUS, DENSITY, G, DT = 0.05, 2600.0, 9.81, 0.001

# Three balls in a pile on the floor, and a box that stands beside them.
CASE = f"""
name: sink
time: {{end: 0.3, step: {DT}}}
gravity: [0, 0, -{G}]
solver: {{iterations: 2000, tolerance: 1e-12}}
materials: [{{name: rock, density: {DENSITY}, friction: 0.5, restitution: 0}}]
shapes: [{{name: brick, box: {{size: [0.1, 0.1, 0.2]}}}}]
walls:
  - {{name: floor, plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}, material: rock}}
  - {{name: lid, plane: {{point: [0, 0, 9], normal: [0, 0, -1]}}, material: rock}}
bodies:
  - {{lattice: {{origin: [0, 0, {RADIUS}], counts: [1, 1, 3], spacing: {2 * RADIUS}}},
     radius: {RADIUS}, material: rock}}
  - {{body: {{position: [1, 0, 0.1]}}, shape: brick, material: rock}}
outputs:
  - catalyst: {{scripts: [scripts/a.py], every: 0.1}}
"""


def calls(path):
    """Steps of fake.txt: {step: {channel: {name: [values]}}}, and its head."""
    steps, head, channel = {}, [], None
    with open(path) as file:
        lines = file.readlines()
    for line in lines:
        key, *values = line.split()
        if key == "step":
            steps[int(values[0])] = channels = {}
        elif key == "channel":
            channel = channels.setdefault(values[0], {})
        elif channel is None or key == "closed":
            head.append(line.strip())
        else:
            channel[key] = values
    return steps, head


def numbers(values, columns=1):
    x = [float(v) for v in values]
    rows = [x[i:i + columns] for i in range(0, len(x), columns)]
    return x if columns == 1 else rows


class Sink(InFolder):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("scripts"))
        for name in ("a.py", "raise.py", "it's.py"):
            self.write(os.path.join("scripts", name), "")
        self.case = self.write("case.yaml", CASE)
        self.fake = self.path("out", "fake.txt")

    def command(self, *words, code=0, **environment):
        return super().scree(*words, code=code, env={
            **os.environ, "SCREE_CATALYST_PLUGIN": FAKE, **environment})

    def scree(self, *arguments, **options):
        return self.command("run", self.case, "--out", "out", "--force",
                            *arguments, **options)

    def resume(self, *arguments):
        return self.command("resume", "out", *arguments)

    # ---- what is handed over -----------------------------------------------

    def test_schedule__every__and_arguments(self):
        self.scree("--set", "outputs.catalyst.live=here:1234",
                   "--set", "outputs.catalyst.extracts=on")
        steps, head = calls(self.fake)
        self.assertEqual(sorted(steps), [0, 100, 200, 300])
        self.assertEqual(head, [
            "script " + self.path("scripts", "a.py"), "script " + LIVE,
            "argument name=sink", "argument extracts=on",
            "argument live=here:1234", "closed"])

    def test_bodies__all_fields(self):
        self.scree()
        bodies = calls(self.fake)[0][300]["bodies"]
        self.assertEqual(bodies["id"], ["0", "1", "2", "3"])
        self.assertEqual(bodies["vertices"], ["0", "1", "2", "3"])
        self.assertEqual(bodies["shape"], ["-1", "-1", "-1", "0"])
        self.assertEqual(bodies["material"], ["0"] * 4)
        ball = 4 / 3 * math.pi * RADIUS**3
        for got, expected in zip(numbers(bodies["volume"]), 3 * [ball] + [2e-3]):
            self.assertAlmostEqual(got, expected, delta=1e-12)
        for i, x in enumerate(numbers(bodies["points"], 3)[:3]):
            self.assertAlmostEqual(x[2], RADIUS * (1 + 2 * i), delta=1e-5)
        for v, speed in zip(numbers(bodies["velocity"], 3),
                            numbers(bodies["speed"])):
            self.assertAlmostEqual(math.hypot(*v), speed, delta=1e-15)
        self.assertEqual(len(bodies["orientation"]), 16)
        self.assertEqual(len(bodies["angular_velocity"]), 12)

    def test_contacts__pile__carries_what_is_above(self):
        """The contact under ball k of three carries 3 - k weights."""
        self.scree()
        channels = calls(self.fake)[0][300]
        contacts, centres = channels["contacts"], numbers(
            channels["bodies"]["points"], 3)
        a, b = ([int(x) for x in contacts[key]] for key in "ab")
        n = len(a) // 3
        force, points = numbers(contacts["force"]), numbers(contacts["points"], 3)
        weight = 4 / 3 * math.pi * RADIUS**3 * DENSITY * G
        self.assertEqual(contacts["vertices"], [str(i) for i in range(n)])
        self.assertEqual(contacts["lines"], [
            f"{n + 2 * i},{n + 2 * i + 1}" for i in range(n)])
        seen = []
        for i in range(n):
            ends = (n + 2 * i, n + 2 * i + 1)
            self.assertEqual({a[i]}, {a[k] for k in ends})
            self.assertEqual({force[i]}, {force[k] for k in ends})
            self.assertEqual(points[ends[0]], centres[a[i]])
            self.assertEqual(points[ends[1]],
                             centres[b[i]] if b[i] >= 0 else points[i])
            if a[i] < 3:
                seen.append((a[i], b[i]))
                self.assertAlmostEqual(force[i], (3 - a[i]) * weight,
                                       delta=1e-6 * weight)
        self.assertEqual(seen, [(0, -1), (1, 0), (2, 1)])
        percussion = numbers(contacts["percussion"], 3)
        brick = sum(percussion[i][2] for i in range(n) if a[i] == 3) / DT
        self.assertAlmostEqual(brick, 2e-3 * DENSITY * G, delta=1e-6 * brick)

    def test_surfaces__brick_and_floor__polygons(self):
        """Six faces; of the two planes the floor alone is near the bodies."""
        self.scree()
        surfaces = calls(self.fake)[0][0]["surfaces"]
        polygons = [[int(k) for k in p.split(",")] for p in surfaces["polygons"]]
        self.assertEqual(surfaces["id"], ["3"] * 6 + ["-1"])
        self.assertEqual([len(p) for p in polygons], [4] * 7)
        points = numbers(surfaces["points"], 3)
        floor = [points[k] for k in polygons[6]]
        # the box around the balls about all bodies, grown by a twentieth
        r = math.hypot(0.05, 0.05, 0.1)
        more = (1 + r + RADIUS) / 20
        sides = [(-RADIUS - more, 1 + r + more), (-r - more, r + more)]
        self.assertEqual({x[2] for x in floor}, {0})
        for k, (low, high) in enumerate(sides):
            self.assertAlmostEqual(min(x[k] for x in floor), low, delta=1e-9)
            self.assertAlmostEqual(max(x[k] for x in floor), high, delta=1e-9)
        area = sum(floor[i - 1][0] * floor[i][1] - floor[i][0] * floor[i - 1][1]
                   for i in range(4)) / 2  # positive seen from above
        self.assertAlmostEqual(area, math.prod(b - a for a, b in sides),
                               delta=1e-9)

    def test_surfaces__plane_world__thin_walls_are_lines(self):
        self.case = self.write("plane.yaml", """
name: plane
planar: on
time: {end: 0.1, step: 0.1}
materials: [{name: rock, density: 1}]
walls:
  - {segments: {points: [[-1, 0], [1, 0], [1, 1]]}, material: rock}
bodies:
  - {sphere: {position: [0, 1]}, radius: 0.1, material: rock}
outputs: [{catalyst: {scripts: [scripts/a.py]}}]
""")
        self.scree()
        surfaces = calls(self.fake)[0][0]["surfaces"]
        points = numbers(surfaces["points"], 3)
        lines = [[points[int(k)] for k in line.split(",")]
                 for line in surfaces["lines"]]
        self.assertEqual(lines, [[[-1, 0, 0], [1, 0, 0]],
                                 [[1, 0, 0], [1, 1, 0]]])
        self.assertEqual(len(surfaces["polygons"]), 1)  # the disc
        self.assertEqual(surfaces["id"], ["-1", "-1", "0"])

    # ---- the run is the same -----------------------------------------------

    def test_hash__with_and_without__equal(self):
        with_sink = self.scree("--quiet").stdout
        without = self.scree("--quiet", "--set", "outputs=[]").stdout
        self.assertIn("state hash", with_sink)
        self.assertEqual(with_sink, without)

    def test_table__cost__has_a_row(self):
        self.assertRegex(self.scree().stdout, r"\n  - catalyst +\d")
        self.assertNotIn("- catalyst",
                         self.scree("--set", "outputs=[]").stdout)

    def test_signal__taken_by_the_backend__still_ends_the_run(self):
        run = self.start("run", self.case, "--out", "out", "--set",
                         "time.end=1e6", stderr=subprocess.STDOUT,
                         env={**os.environ, "SCREE_CATALYST_PLUGIN": FAKE})
        while "t 0 /" not in run.stdout.readline():
            self.assertIsNone(run.poll())
        run.send_signal(signal.SIGTERM)
        out = run.communicate(timeout=60)[0]
        self.assertEqual(run.returncode, 128 + signal.SIGTERM, out)
        self.assertEqual(calls(self.fake)[1][-1], "closed")

    # ---- restarts ----------------------------------------------------------

    def parts(self, *arguments):
        """The calls of a run that stops at once and of the parts after it,
        each of which stops after a step or a few."""
        self.scree("--max-walltime", "0.001", *arguments)
        parts = [calls(self.fake)[0]]
        for stop in 4 * [["--max-walltime", "0.001"]] + [[]]:
            self.resume(*stop)
            parts.append(calls(self.fake)[0])
        return parts

    def test_resume__after_planned_stops__every_call_once(self):
        for every in ("0.1", "0.07"):
            schedule = ("--set", "outputs.catalyst.every=" + every)
            self.scree(*schedule)
            undisturbed = calls(self.fake)[0]
            shutil.rmtree(self.path("out"))
            parts = self.parts(*schedule)
            steps = [step for part in parts for step in part]
            self.assertEqual(steps, list(undisturbed))
            for part in parts:
                for step, channels in part.items():
                    self.assertEqual(channels, undisturbed[step])
            shutil.rmtree(self.path("out"))

    def test_resume__finished_run__no_call(self):
        self.scree("--set", "checkpoint.every=0.1")
        self.resume()
        self.assertEqual(calls(self.fake), ({}, [
            "script " + self.path("scripts", "a.py"), "argument name=sink",
            "argument extracts=off", "argument live=", "closed"]))

    def test_resume__killed_after_a_call__called_again_with_the_same(self):
        """What a killed run had shown after its last checkpoint is shown again:
        nothing is missing, and pictures of a step replace themselves."""
        self.scree("--set", "checkpoint={every: 0.15, keep: 9}")
        undisturbed = calls(self.fake)[0]
        os.unlink(self.path("out", "checkpoint-000000000300.hdf5"))
        self.resume()
        again = calls(self.fake)[0]
        self.assertEqual(again, {k: undisturbed[k] for k in (200, 300)})

    # ---- the option --------------------------------------------------------

    def test_option__twice__adds_to_the_case(self):
        self.scree("--catalyst", "scripts/it's.py", "--catalyst=scripts/raise.py",
                   code=3)
        head = calls(self.fake)[1]
        self.assertEqual(head[:3], ["script " + self.path("scripts", name)
                                    for name in ("a.py", "it's.py", "raise.py")])

    def test_option__no_such_file__named(self):
        done = self.scree("--catalyst", "nowhere.py", code=2)
        self.assertIn("--catalyst 'nowhere.py': No such file", done.stderr)
        self.assertFalse(os.path.exists(self.path("out")))

    # ---- failures ----------------------------------------------------------

    def test_error__stop__names_script_and_line(self):
        done = self.scree("--catalyst", "scripts/raise.py", code=3)
        self.assertIn("catalyst: " + self.path("scripts", "raise.py") +
                      ":7: ZeroDivisionError: division by zero\n", done.stderr)
        self.assertIn("on_error: continue", done.stderr)
        self.assertEqual(sorted(calls(self.fake)[0]), [0, 100])

    def test_error__continue__warns_and_goes_on(self):
        done = self.scree("--catalyst", "scripts/raise.py",
                          "--set", "outputs.catalyst.on_error=continue")
        self.assertEqual(done.stdout.count("warning: catalyst: "), 1)
        self.assertIn("raise.py:7: ZeroDivisionError", done.stdout)
        self.assertEqual(sorted(calls(self.fake)[0]), [0, 100, 200, 300])

    def test_plugin__missing__says_what_to_install(self):
        done = self.scree(code=2, SCREE_CATALYST_PLUGIN="/nowhere/plugin.so")
        self.assertIn("'/nowhere/plugin.so' is not there", done.stderr)
        self.assertIn("apt-get install --no-install-recommends paraview-dev "
                      "python3-paraview xvfb xauth\n", done.stderr)
        self.assertIn("cmake --build", done.stderr)

    def test_plugin__something_else__refused(self):
        other = self.write("other.so", "no library")
        done = self.scree(code=2, SCREE_CATALYST_PLUGIN=other)
        self.assertIn("cannot be opened", done.stderr)

    def test_display__none_and_no_xvfb__says_what_to_install(self):
        done = self.scree(code=2, FAKE_DISPLAY="needed", DISPLAY="",
                          PATH="/nowhere")
        self.assertIn("Xvfb is not installed", done.stderr)
        self.assertIn("apt-get install --no-install-recommends xvfb\n",
                      done.stderr)

    def test_display__only_wanted_and_no_xvfb__warns_and_goes_on(self):
        words = dict(FAKE_DISPLAY="wanted", DISPLAY="", PATH="/nowhere")
        done = self.scree(**words)
        self.assertEqual(done.stdout.count("warning: catalyst: no X display"), 1)
        self.assertIn("Xvfb is not installed", done.stdout)
        self.assertEqual(sorted(calls(self.fake)[0]), [0, 100, 200, 300])
        done = self.scree(VTK_DEFAULT_OPENGL_WINDOW="vtkEGLRenderWindow",
                          **words)
        self.assertNotIn("warning", done.stdout)

    def test_display__only_wanted__xvfb_is_started(self):
        """By that name on the path: one that holds the first number taken. Not
        on 0 to 9, which a starting mpirun looks at."""
        self.write("Xvfb", """#!/bin/bash
            [[ $1 == :99 ]] && exit 1
            echo ${1#:} >&$3
            exec sleep 100
            """.replace(" " * 12, ""))
        os.chmod(self.path("Xvfb"), 0o755)
        self.scree(FAKE_DISPLAY="wanted", DISPLAY="",
                   PATH=self.folder + ":" + os.environ["PATH"])
        self.assertIn("display :100", calls(self.fake)[1])

    def test_display__none_starts__said_so(self):
        self.write("Xvfb", "#!/bin/bash\nexit 1\n")
        os.chmod(self.path("Xvfb"), 0o755)
        done = self.scree(code=2, FAKE_DISPLAY="needed", DISPLAY="",
                          PATH=self.folder + ":" + os.environ["PATH"])
        self.assertIn("Xvfb does not start", done.stderr)


if __name__ == "__main__":
    unittest.main()
