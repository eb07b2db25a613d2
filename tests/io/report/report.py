"""scree report and `report: on`, opened in a browser.

    python3 report.py SCREE CHROMIUM
"""
import csv
import html
import os
import re
import subprocess
import sys
import unittest

CHROMIUM = sys.argv.pop(2)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import InFolder  # noqa: E402

CASE = """
name: "a <b>report</b> & more"
seed: 5
time: {end: 0.1, step: 0.001}
gravity: [0, 0, -9.81]
solver: {tolerance: 2e-5}
materials: [{name: rock, density: 2600, friction: 0.5}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
bodies:
  - lattice: {origin: [0, 0, 0.03], counts: [3, 3, 3], spacing: 0.061}
    radius: 0.03
    material: rock
  - pour:
      box: {min: [-0.3, -0.3, 0.4], max: [0.3, 0.3, 0.8]}
      rate: 400
      count: 500
    radius: 0.03
    material: rock
outputs: [{scalars: {every: 0}}]
report: on
"""
MODEL = """
name: model
time: {end: 2, step: 0.01}
model: belt
outputs: [{scalars: {every: 0}}]
report: on
"""
TALK = ("<!DOCTYPE html><title>t</title><script>nothing_of_this_name()</script>"
        "<svg class='plot'></svg>")


class Report(InFolder):
    def browse(self, path):
        """The page after its scripts have run, and what the console says."""
        done = subprocess.run(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--user-data-dir=" + self.path("profile"), "--enable-logging=stderr",
             "--virtual-time-budget=2000", "--dump-dom", "file://" + path],
            capture_output=True, text=True, timeout=120)
        said = [x for x in done.stderr.splitlines() if "CONSOLE" in x]
        return done.stdout, said

    def check_page(self, folder, titles):
        page, said = self.browse(self.path(folder, "report.html"))
        self.assertEqual(said, [])
        plots = re.findall(r'<svg class="plot".*?</svg>', page, re.S)
        self.assertEqual([re.search('aria-label="([^"]*)"', x)[1] for x in plots],
                         titles)
        for plot in plots:
            self.assertRegex(plot, r'points="[\d.]+,[\d.]+ ')
        # No network: nothing is fetched from anywhere.
        for place in re.findall(r'(?:src|href)="([^"]*)"', page):
            self.assertTrue(place.startswith("data:"), place)
        self.assertNotIn("<script", page)
        return page, plots

    def test_browser__page_with_an_error__is_told_of(self):
        page, said = self.browse(self.write("bad.html", TALK))
        self.assertIn("svg", page)
        self.assertEqual(len(said), 1, said)

    def test_world__report_on__plots_hold_the_table(self):
        self.write("case.yaml", CASE)
        done = self.scree("run", "case.yaml", "--out", "out")
        page, plots = self.check_page("out", [
            "Energy", "Residual", "Iterations", "Contacts and bodies", "Penetration",
            "Losses"])
        self.assertIn("  report: out/report.html\n", done.stdout)
        hash_ = done.stdout.split("state hash: ")[1].strip()
        self.assertIn(hash_, page)
        self.assertIn("a &lt;b&gt;report&lt;/b&gt; &amp; more", page)
        self.assertIn('<div class="warn">warning (pour): ', page)
        self.assertIn("<td>solve</td>", page)
        changes = html.unescape(re.search('<pre id="changes">(.*?)</pre>', page,
                                          re.S)[1])
        self.assertIn("solver: {tolerance: 2e-05}\n", changes)
        self.assertNotIn("stepper", changes)
        self.check_bodies(plots[3])

    def check_bodies(self, plot):
        """The second line, of bodies, is the column: a scale that fits the first
        and the last point fits all."""
        with open(self.path("out", "scalars.csv")) as file:
            values = [float(r["bodies"]) for r in csv.DictReader(file)]
        lines = re.findall(r'points="([^"]*)"', plot)
        points = [tuple(map(float, p.split(","))) for p in lines[-1].split()]
        self.assertEqual(len(points), len(values))
        scale = (points[-1][1] - points[0][1]) / (values[-1] - values[0])
        for (_, y), value in zip(points, values):
            self.assertAlmostEqual(y, points[0][1] + scale * (value - values[0]),
                                   delta=0.2)

    def test_model__report_on__own_plots(self):
        self.write("model.yaml", MODEL)
        self.scree("run", "model.yaml", "--out", "out")
        page, _ = self.check_page("out", [
            "Coordinates and velocities", "Percussions", "Residual",
            "Iterations"])
        self.assertIn("No warnings.", page)
        self.assertNotIn("<b>bodies</b>", page)

    def test_command__run_that_was_stopped__said(self):
        self.write("case.yaml", CASE.replace("report: on", "report: off"))
        self.scree("run", "case.yaml", "--out", "out", "--max-walltime", "0.0001")
        self.assertFalse(os.path.exists(self.path("out", "report.html")))
        self.scree("report", "out", "--no-pictures", "-o", "there.html")
        with open(self.path("there.html")) as file:
            self.assertIn("stopped before its end", file.read())

    def test_command__no_run__refused(self):
        os.mkdir(self.path("empty"))
        for folder in ("empty", "nowhere"):
            done = self.scree("report", folder, code=2)
            self.assertIn("this is not the folder of a run", done.stderr)


if __name__ == "__main__":
    unittest.main()
