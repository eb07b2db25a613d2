"""What cannot be meant is found before the first step: each mistake by `scree check`
and by `scree run`, with its sentence and its exit code, and nothing is written.

    python3 audit.py SCREE CASES
"""
import glob
import os
import re
import sys
import unittest

CASES = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 else "cases"

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import InFolder  # noqa: E402

FLOOR = """
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
"""
OUTPUTS = "outputs: [{scalars: {}}]\n"


def case(bodies, walls=FLOOR, outputs=OUTPUTS, end=0.02, step=0.001, more=""):
    return """
name: mistake
time: {end: %g, step: %g}
gravity: [0, 0, -9.81]
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2}]
%s%s
bodies:
%s
%s""" % (end, step, more, walls, bodies, outputs)


def sphere(x, y, z, radius=0.1, velocity=None):
    return "  - {sphere: {position: [%r, %r, %r]}, radius: %g, material: rock%s}\n" % (
        x, y, z, radius, ", velocity: %r" % velocity if velocity else "")


def box_mesh(a, outward, x=0.0, y=0.0, z=0.0):
    """An OBJ cube from (x, y, z) of edge a; its normals look outward or inward."""
    corners = [(x + a * (k & 1), y + a * (k >> 1 & 1), z + a * (k >> 2))
               for k in range(8)]
    faces = [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4),
             (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)]
    if not outward:
        faces = [f[::-1] for f in faces]
    return "".join("v %r %r %r\n" % c for c in corners) + "".join(
        "f %d %d %d\n" % tuple(k + 1 for k in f) for f in faces)


def tube_mesh(radius, length, outward, sides=24):
    """An open tube along y."""
    from math import cos, pi, sin
    ring = [(radius * cos(2 * pi * k / sides), radius * sin(2 * pi * k / sides))
            for k in range(sides)]
    text = "".join("v %r %r %r\n" % (x, y, z)
                   for y in (-length / 2, length / 2) for x, z in ring)
    for k in range(sides):
        a, b = 1 + k, 1 + (k + 1) % sides
        quad = [(a, a + sides, b), (b, a + sides, b + sides)]
        for f in quad:
            text += "f %d %d %d\n" % (f if outward else f[::-1])
    return text


TERRAIN = ("ncols 6\nnrows 6\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
           + "0 0 0 0 0 0\n" * 6)


class Audit(InFolder):
    def both(self, text, *sentences, code=0):
        """`check` and `run` say all of it and end alike; a refused run leaves
        nothing. Returns what check said."""
        path = self.write("case.yaml", text)
        checked = self.scree("check", path, code=code)
        ran = self.scree("run", path, "--out", "result", code=code)
        words = " ".join(checked.stderr.split())
        said = " ".join((ran.stdout + ran.stderr).split())
        for sentence in sentences:
            self.assertIn(sentence, words)
            self.assertIn(sentence, said)
        if code:
            self.assertFalse(os.path.exists(self.path("result")))
        return checked.stderr

    def refused(self, text, *sentences):
        return self.both(text, *sentences, code=2)

    # ---- the mistakes ------------------------------------------------------

    def test_overlap__deep__error_with_worst_pair(self):
        bodies = (sphere(0, 0, 0.1) + sphere(0.02, 0, 0.1) + sphere(1, 0, 0.1)
                  + sphere(1.19, 0, 0.1))
        self.refused(case(bodies), "error (overlap): 2 pairs of bodies overlap",
                     "bodies 0 and 1 worst, by 0.18 m, 1.8 of")

    def test_overlap__coincident__error(self):
        self.refused(case(sphere(0, 0, 0.1) + sphere(0, 0, 0.1)),
                     "error (overlap): 1 pair of bodies overlaps",
                     "(they are at the same place)")

    def test_overlap__small__warning(self):
        self.both(case(sphere(0, 0, 0.1) + sphere(0.195, 0, 0.1)),
                  "warning (overlap): 1 pair of bodies overlaps at the start a "
                  "little: bodies 0 and 1 worst, by 0.005 m, 0.05 of")

    def test_overlap__touching__silence(self):
        said = self.both(case(sphere(0, 0, 0.1) + sphere(0.2, 0, 0.1)))
        self.assertNotIn("warning", said)

    def test_place__far_away__error(self):
        self.refused(case(sphere(0, 0, 0.1) + sphere(1e18, 0, 0.1)),
                     "error (far-away): 1 body is so far from the origin",
                     "body 1 has a coordinate of 1e+18 m")

    def test_shape__thin__error(self):
        shapes = "shapes: [{name: sheet, box: {size: [1, 1, 1e-30]}}]"
        bodies = ("  - {body: {position: [0, 0, 1]}, shape: sheet, "
                  "material: rock}\n")
        self.refused(case(bodies, more=shapes),
                     "error (thin): 1 body is very thin: body 0 is 1e-30 m")

    def test_wall__body_behind__error(self):
        self.refused(case(sphere(0, 0, 1) + sphere(1, 0, -5)),
                     "error (wall): 1 body is behind wall 'floor' at the start: "
                     "body 1 worst, by 5.1 m")

    def test_wall__body_partly_in__warning(self):
        self.both(case(sphere(0, 0, 0.09)),
                  "warning (wall): 1 body is partly in wall 'floor'")

    def test_pour__no_room__warning_before_and_after(self):
        bodies = """
  - pour: {box: {min: [0, 0, 0.3], max: [0.1, 0.1, 0.4]}, rate: 1e5, count: 5000}
    radius: 0.02
    material: rock
"""
        text = case(bodies, end=0.1)
        self.both(text, "warning (pour): bodies[0].pour can let in about")
        ran = self.scree("run", "case.yaml", "--out", "other")
        self.assertRegex(ran.stdout, r"warning: bodies\[0\]\.pour let in \d+ of "
                         "5000 bodies: its region had no room")

    def test_pour__slow__warning(self):
        bodies = """
  - pour: {box: {min: [0, 0, 0.3], max: [1, 1, 1]}, rate: 100, count: 5000}
    radius: 0.02
    material: rock
"""
        self.both(case(bodies, end=0.1),
                  "bodies[0].pour can let in 11 of 5000 bodies: its rate of 100",
                  "raise its rate")
        ran = self.scree("run", "case.yaml", "--out", "other")
        self.assertIn("pour let in 10 of 5000 bodies: its time was up",
                      ran.stdout)

    def test_mesh__beside_a_pour__its_smallest_body_counts(self):
        self.write("hut.obj", box_mesh(1.0, False))
        walls = ("walls: [{name: hut, mesh: {file: hut.obj}, material: rock}]\n")
        bodies = """
  - pour: {box: {min: [0.2, 0.2, 0.3], max: [0.8, 0.8, 0.8]}, rate: 100, count: 50}
    radius: {uniform: {min: 0.01, max: 0.04}}
    material: rock
"""
        self.write("case.yaml", case(bodies, walls, end=1))
        self.assertIn("wall 'hut' is 1 x 1 x 1 m; the smallest body is 0.02 m",
                      self.scree("check", "case.yaml").stderr)

    def test_mesh__thousand_times_too_small__error(self):
        self.write("hut.obj", box_mesh(0.001, False))
        walls = ("walls: [{name: hut, mesh: {file: hut.obj}, material: rock}]\n")
        self.refused(case(sphere(0.3, 0.3, 0.3) + sphere(0.7, 0.7, 0.7), walls),
                     "error (sizes): wall 'hut' is smaller than any body: "
                     "0.001 x 0.001 x 0.001 m beside bodies of 0.2 m")

    def test_mesh__closed_with_outward_normals__error(self):
        self.write("hut.obj", box_mesh(1, True))
        walls = "walls: [{name: hut, mesh: {file: hut.obj}, material: rock}]\n"
        self.refused(case(sphere(0.3, 0.3, 0.3) + sphere(0.7, 0.7, 0.7), walls),
                     "error (inside): 2 of 2 bodies are inside the solid mesh "
                     "'hut'", "its normals look outward")

    def test_mesh__closed_with_inward_normals__silence(self):
        self.write("hut.obj", box_mesh(1, False))
        walls = "walls: [{name: hut, mesh: {file: hut.obj}, material: rock}]\n"
        said = self.both(
            case(sphere(0.3, 0.3, 0.3) + sphere(0.7, 0.7, 0.7), walls))
        self.assertNotIn("warning", said)

    def test_mesh__tube_with_outward_normals__error(self):
        self.write("drum.obj", tube_mesh(1, 2, True))
        walls = ("walls: [{name: drum, mesh: {file: drum.obj}, material: rock}]"
                 "\n")
        self.refused(case(sphere(0, 0, 0) + sphere(0.5, 0.3, 0.1), walls),
                     "error (normals): mesh 'drum' shows its back to all bodies")
        self.write("drum.obj", tube_mesh(1, 2, False))
        said = self.both(
            case(sphere(0, 0, 0) + sphere(0.5, 0.3, 0.1), walls))
        self.assertNotIn("warning", said)

    def test_terrain__bodies_beside__error(self):
        self.write("hill.asc", TERRAIN)
        walls = "walls: [{name: hill, terrain: {file: hill.asc}, material: rock}]\n"
        self.refused(case(sphere(50, 50, 1) + sphere(-3, 1, 1), walls),
                     "error (beside): 2 of 2 bodies are beside the terrain",
                     "body 0 at x = 50 m, y = 50 m")
        self.both(case(sphere(50, 50, 1) + sphere(3, 1, 1), walls),
                  "warning (beside): 1 of 2 bodies is beside the terrain")

    def test_terrain__body_below__error(self):
        self.write("hill.asc", TERRAIN)
        walls = "walls: [{name: hill, terrain: {file: hill.asc}, material: rock}]\n"
        self.refused(case(sphere(2, 2, 1) + sphere(3, 1, -2), walls),
                     "error (wall): 1 body is behind wall 'hill'")

    def test_outputs__every_longer_than_run__warning(self):
        outputs = "outputs: [{frames: {every: 5}}, {scalars: {from: 1}}]\n"
        self.both(case(sphere(0, 0, 0.1), outputs=outputs),
                  "warning (outputs): outputs[0].frames.every is 5 s, longer "
                  "than the run of 0.02 s",
                  "outputs[1].scalars will never be written")

    def test_outputs__none__warning(self):
        self.both(case(sphere(0, 0, 0.1), outputs=""),
                  "warning (outputs): there are no outputs")

    def test_disk__frames_and_scalars__estimate_is_near(self):
        bodies = """
  - lattice: {origin: [0, 0, 0.06], counts: [10, 10, 10], spacing: 0.12}
    radius: 0.05
    material: rock
"""
        outputs = "outputs: [{frames: {every: 0.005}}, {scalars: {}}]\n"
        said = self.both(case(bodies, outputs=outputs))
        number, unit = re.search(r"will take about (\S+) (\S+) in", said).groups()
        estimate = float(number) * {"kB": 1e3, "MB": 1e6}[unit]
        size = sum(os.path.getsize(self.path("result", x))
                   for x in os.listdir(self.path("result")))
        self.assertAlmostEqual(estimate / size, 1, delta=0.1)

    def test_step__fast_body__warning_before_and_after(self):
        bodies = sphere(0, 0, 3, velocity=[0, 0, -100.0])
        self.both(case(bodies, step=0.001, end=0.01),
                  "warning (step): 1 body is fast for the step: body 0 starts "
                  "with 100 m/s and moves 0.5 of its diameter")
        ran = self.scree("run", "case.yaml", "--out", "other")
        self.assertIn("speed                0.5", ran.stdout)
        self.assertIn("warning: a body moved 0.5 of its diameter", ran.stdout)
        self.assertIn("warning: step 1 (t = 0.001 s) is long for the speeds",
                      ran.stdout)

    def test_step__fast_body__remembered_over_a_restart(self):
        bodies = sphere(0, 0, 30, velocity=[0, 0, -100.0])
        self.write("case.yaml", case(bodies, end=0.01))
        self.scree("run", "case.yaml", "--out", "x", "--max-walltime", "100")
        done = self.scree("resume", "x", "--set", "time={end: 0.02, step: 1e-4}")
        self.assertIn("speed                0.5", done.stdout)

    def test_step__long_for_gravity__warning(self):
        self.both(case(sphere(0, 0, 0.1), step=0.05, end=0.2),
                  "warning (step): the step of 0.05 s is long for the gravity")

    def test_recovery__adds_energy__warning(self):
        """Balls that start in each other: what pushes them apart lifts them."""
        bodies = "".join(sphere(0, 0, 0.08 + 0.15 * k) for k in range(8))
        text = case(bodies, end=0.4, step=0.002, more="audit: warn\n"
                    "contact: {recovery_velocity: 2}\n"
                    "solver: {unconverged_share: 1}")
        self.write("case.yaml", text)
        ran = self.scree("run", "case.yaml", "--out", "result")
        self.assertIn("warning: working off overlaps added", ran.stdout)

    # ---- other things that cannot be meant -------------------------------------

    def test_contact__none_possible__said(self):
        self.both(case(sphere(0, 0, 0.1) + sphere(1, 0, 0.1), walls=""),
                  "warning (no-contact): no contact is possible: there are no "
                  "walls")
        self.write("hill.asc", TERRAIN)
        up = case(sphere(2, 2, 1), "walls: [{name: hill, terrain: {file: "
                  "hill.asc}, material: rock}]\n").replace("-9.81", "9.81")
        self.write("case.yaml", up)
        done = self.scree("check", "case.yaml", code=2)
        self.assertIn("error (no-contact): no contact is possible", done.stderr)

    def test_stepper__without_restitution__warning(self):
        text = case(sphere(0, 0, 0.1), more="stepper: semi-implicit-3\n")
        sentence = "semi-implicit-3 knows no restitution: the 0.2 of the materials"
        self.both(text, "warning (stepper): the stepper " + sentence)
        self.write("case.yaml", text.replace("restitution: 0.2", "restitution: 0"))
        self.assertNotIn("stepper", self.scree("check", "case.yaml").stderr)

    def test_stepper__model_without_restitution__warning(self):
        text = ("name: ball\nmodel: bouncing-ball\nstepper: semi-implicit-3\n"
                "time: {end: 0.01, step: 0.001}\nparameters: {e_n: 0.5}\n"
                "outputs: [{scalars: {}}]\n")
        self.write("case.yaml", text)
        ran = self.scree("run", "case.yaml", "--out", "result")
        self.assertIn("warning (stepper): semi-implicit-3 knows no restitution: "
                      "the 0.5 of the model", " ".join(ran.stdout.split()))
        ran = self.scree("run", "case.yaml", "--out", "other", "--set",
                         "parameters.e_n=0")
        self.assertNotIn("restitution", ran.stdout)

    def test_still__nothing_moves__warning(self):
        text = case(sphere(0, 0, 0.1)).replace("-9.81", "0")
        self.both(text, "warning (no-contact): nothing moves")

    def test_wall__outside_of_time__warning(self):
        walls = FLOOR + ("  - {name: late, plane: {point: [0, 0, 5], normal: "
                         "[0, 0, -1]}, material: rock, from: 7}\n")
        self.both(case(sphere(0, 0, 0.1), walls),
                  "warning (wall): wall 'late' is never there")

    def test_audit__many_mistakes__all_at_once(self):
        bodies = sphere(0, 0, -5) + sphere(0, 0, -5) + sphere(1e18, 0, 1)
        said = self.refused(case(bodies, outputs=""), "error (overlap)",
                            "error (wall)", "error (far-away)",
                            "warning (outputs)", "3 errors in the audit")
        self.assertTrue(all(len(x) <= 100 for x in said.splitlines()
                            if not x.startswith("scree:")))

    def test_audit__warn__runs_all_the_same(self):
        bodies = sphere(0, 0, 0.1) + sphere(0.02, 0, 0.1)
        self.both(case(bodies, more="audit: warn\n"
                       "solver: {unconverged_share: 1}"),
                  "warning (overlap): 1 pair of bodies overlaps")

    def test_audit__quiet_run__errors_are_heard(self):
        self.write("case.yaml", case(sphere(0, 0, -5)))
        done = self.scree("run", "case.yaml", "--quiet", code=2)
        self.assertIn("error (wall)", done.stderr)

    def test_audit__refused__earlier_results_untouched(self):
        self.write("case.yaml", case(sphere(0, 0, 0.1)))
        self.scree("run", "case.yaml", "--out", "result")
        before = {x: os.stat(self.path("result", x)).st_mtime_ns
                  for x in os.listdir(self.path("result"))}
        self.write("case.yaml", case(sphere(0, 0, -5)))
        self.scree("run", "case.yaml", "--out", "result", "--force", code=2)
        after = {x: os.stat(self.path("result", x)).st_mtime_ns
                 for x in os.listdir(self.path("result"))}
        self.assertEqual(before, after)

    def test_audit__bits__untouched(self):
        """A run of which the audit has looked at everything has the state hash
        that it has in the library, where nobody looks."""
        self.write("case.yaml", case(sphere(0, 0, 0.1) + sphere(0.05, 0, 0.4)))
        first = self.scree("run", "case.yaml", "--out", "a").stdout
        second = self.scree("run", "case.yaml", "--out", "b", "--set",
                            "audit=warn").stdout
        self.assertEqual(first.splitlines()[-1], second.splitlines()[-1])

    # ---- ready cases -------------------------------------------------------------

    def test_cases__ready_ones__no_warnings(self):
        for path in sorted(glob.glob(os.path.join(CASES, "*.yaml"))):
            with self.subTest(path):
                done = self.scree("check", path)
                self.assertNotIn("warning", done.stderr)

    # ---- finished results ----------------------------------------------------------

    def test_finished__run_again__refused_without_force(self):
        path = self.write("case.yaml", case(sphere(0, 0, 0.1)))
        self.scree("run", path, "--out", "result")
        done = self.scree("run", path, "--out", "result", code=2)
        self.assertRegex(done.stderr, "'result' holds the results of a run that "
                         r"finished on 20\d\d-.* UTC \('mistake', 20 steps")
        self.assertIn("--force", done.stderr)
        self.scree("run", path, "--out", "result", "--force")
        self.assertTrue(os.path.exists(self.path("result", "finished.txt")))

    def test_finished__resumed_further__is_unfinished_until_its_end(self):
        path = self.write("case.yaml", case(
            sphere(0, 0, 0.1), more="checkpoint: {every: 0.01}"))
        self.scree("run", path, "--out", "result")
        self.scree("resume", "result", "--set", "time.end=0.04")
        with open(self.path("result", "finished.txt")) as file:
            self.assertIn("40 steps", file.read())

    def test_unfinished__run_again__replaced_with_a_word(self):
        path = self.write("case.yaml", case(
            sphere(0, 0, 0.1), more="checkpoint: {every: 0.01}"))
        self.scree("run", path, "--out", "result")
        os.remove(self.path("result", "finished.txt"))
        done = self.scree("run", path, "--out", "result")
        self.assertIn("warning: this run replaces an unfinished one in result",
                      done.stdout)

    # ---- steps that do not converge --------------------------------------------

    def hard(self, **options):
        """A stack that one sweep does not solve."""
        bodies = "".join(sphere(0, 0, 0.1 + 0.2 * k) for k in range(10))
        rows = ", ".join("%s: %s" % x for x in options.items())
        return self.write("case.yaml", case(
            bodies, more="solver: {iterations: 1, tolerance: 1e-12%s}"
            % (", " + rows if rows else "")))

    def test_unconverged__most_steps__exit_code_7_and_whole_results(self):
        done = self.scree("run", self.hard(), "--out", "result", code=7)
        self.assertRegex(done.stderr, r"\d+ of 20 steps \(\d+ %\) did not "
                         "converge to tolerance 1e-12")
        self.assertIn("solver.iterations (1 now)", done.stderr)
        self.assertIn("state hash", done.stdout)
        self.assertTrue(os.path.exists(self.path("result", "finished.txt")))
        with open(self.path("result", "scalars.csv")) as file:
            self.assertIn("\n20,", file.read())

    def test_unconverged__share_allowed__exit_code_0(self):
        self.scree("run", self.hard(unconverged_share=1), "--out", "result")

    def test_unconverged__stop__first_step_ends_it_with_a_checkpoint(self):
        done = self.scree("run", self.hard(unconverged="stop"), "--out",
                          "result", code=7)
        self.assertIn("did not converge, and the case says solver.unconverged: "
                      "stop", done.stderr)
        self.assertIn("resume result", done.stderr)
        files = os.listdir(self.path("result"))
        self.assertFalse("finished.txt" in files)
        (last,) = [x for x in files if x.startswith("checkpoint")]
        with open(self.path("result", "scalars.csv")) as file:
            step = file.read().splitlines()[-1].split(",")[0]
        self.assertEqual(int(last.split("-")[1].split(".")[0]), int(step))
        self.assertLess(int(step), 20)
        self.scree("resume", "result", "--set", "solver.unconverged=warn",
                   "--set", "solver.unconverged_share=1")

    def test_unconverged__model__exit_code_7_and_stop(self):
        path = os.path.join(CASES, "slider-crank.yaml")
        hard = ["--set", "solver.iterations=1", "--set", "time.end=0.05"]
        done = self.scree("run", path, *hard, "--out", "result", code=7)
        self.assertIn("of 5000 steps", done.stderr)
        done = self.scree("run", path, *hard, "--set", "solver.unconverged=stop",
                          "--out", "stopped", code=7)
        self.assertIn("(t = 0.00272 s) did not converge, and the case says",
                      done.stderr)
        self.assertIn("checkpoint-000000000272.hdf5",
                      os.listdir(self.path("stopped")))


if __name__ == "__main__":
    unittest.main()
