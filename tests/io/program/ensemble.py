"""Ensembles of rocks by the program: files that depend on nothing but the case, what a
case must not say, stops and restarts, terrain from other files.

    ensemble.py SCREE
"""
import os
import re
import shutil
import signal
import sys
import time
import unittest

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from in_folder import InFolder  # noqa: E402

# A slope of 35 degrees along x that ends in a plain, 2 m cells, with a ripple.
NX, NY, CELL = 60, 20, 2


def height(x, y):
    return 0.7 * max(70 - x, 0) + 0.2 * ((x // CELL + y // CELL) % 3)


def grid(x0=0, y0=0, cells=CELL, holes=()):
    rows = ["ncols %d" % NX, "nrows %d" % NY, "xllcorner %d" % x0,
            "yllcorner %d" % y0, "cellsize %g" % cells, "NODATA_value -9999"]
    for j in reversed(range(NY)):
        rows.append(" ".join("-9999" if (i, j) in holes else
                             "%.3f" % height(i * CELL, j * CELL)
                             for i in range(NX)))
    return "\n".join(rows) + "\n"


CASE = """\
time: {end: 20, step: 4e-3}
materials:
  - {name: rock, density: 2700}
  - {name: ground, density: 2000, ground: medium-hard}
shapes:
  - {name: stone, rock: {diameter: {uniform: {min: 0.4, max: 0.9}}, points: 12, variants: 5}}
walls:
  - {terrain: {file: hill.asc}, material: ground}
bodies:
  - release: {line: [[X10, Y10], [X12, Y30]], height: 2, velocity_deviation: 0.5}
    velocity: [2, 0, 0]
    shape: stone
    material: rock
  - release: {points: [[X20, Y15], [X22, Y20]], height: 1.5, angular_velocity_deviation: 2}
    radius: {uniform: {min: 0.3, max: 0.5}}
    material: rock
ensemble: {trajectories: 12, every: 0.25}
"""


def case(x0=0, y0=0):
    def place(match):
        base = x0 if match.group(1) == "X" else y0
        return str(base + int(match.group(2)))
    return re.sub(r"([XY])(\d+)", place, CASE)


class Ensemble(InFolder):
    def setUp(self):
        super().setUp()
        self.write("hill.asc", grid())
        self.write("case.yaml", case())

    def run_case(self, out, *sets, name="case.yaml", more=(), code=0):
        words = ["run", name, "--out", out, *more]
        for text in sets:
            words += ["--set", text]
        return self.scree(*words, code=code)

    def same(self, some, others):
        """Names alone: what differs is long."""
        self.assertEqual(sorted(some), sorted(others))
        self.assertEqual([n for n in some if some[n] != others[n]], [])

    def results(self, out):
        """All tables and maps, as they are."""
        found = {}
        for name in sorted(os.listdir(self.path(out))):
            if name.endswith((".csv", ".asc", ".prj", ".tif")):
                with open(self.path(out, name), "rb") as file:
                    found[name] = file.read()
        self.assertIn("deposits.csv", found)
        return found

    def deposits(self, out):
        return numpy.genfromtxt(self.path(out, "deposits.csv"), delimiter=",",
                                names=True, dtype=None, encoding="utf-8")

    def raster(self, out, name):
        return numpy.loadtxt(self.path(out, "map-%s.asc" % name), skiprows=6)

    # ---- nobody else matters

    def test_threads__same_files(self):
        self.run_case("one", more=["--threads", "1"])
        one = self.results("one")
        self.assertEqual(len(one), 14)
        for threads in "23":
            self.run_case("more" + threads, more=["--threads", threads])
            self.same(self.results("more" + threads), one)

    def test_part__same_rows(self):
        self.run_case("all")
        self.run_case("part", "ensemble.first=7", "ensemble.trajectories=1")
        for name in "deposits.csv", "trajectories.csv":
            whole = self.results("all")[name].decode().splitlines()
            part = self.results("part")[name].decode().splitlines()
            wanted = [row for row in whole if row.startswith("7,")]
            self.assertGreater(len(wanted), 0)
            self.assertEqual(part[1:], wanted)

    # ---- what the files say

    def test_files__agree_with_each_other(self):
        self.run_case("out")
        rows = self.deposits("out")
        self.assertEqual(list(rows["k"]), list(range(12)))
        self.assertEqual(list(rows["release"]), [0, 1] * 6)
        self.assertTrue(set(rows["reason"]) <= {"rest", "left", "time"})
        ways = numpy.genfromtxt(self.path("out", "trajectories.csv"),
                                delimiter=",", names=True)
        passed = self.raster("out", "passages")
        self.assertEqual(passed.shape, (NY, NX))
        for row in rows:
            way = ways[ways["k"] == row["k"]]
            self.assertEqual(way["time"][0], 0)
            self.assertAlmostEqual(way["height"][0],
                                   1.5 if row["release"] else 2, 9)
            self.assertEqual(way["x"][-1], row["stop_x"])
            self.assertLessEqual(numpy.nanmax(way["height"]), row["height_max"])
            # Every sample lies in a cell that the map knows of.
            for x, y in zip(way["x"], way["y"]):
                if 0 <= x < NX * CELL and 0 <= y < NY * CELL:
                    self.assertGreater(
                        passed[NY - 1 - int(y // CELL), int(x // CELL)], 0)
        reach = self.raster("out", "reach")
        numpy.testing.assert_allclose(reach[passed > 0],
                                      passed[passed > 0] / 12, rtol=1e-8)
        stayed = numpy.isin(rows["reason"], ["rest", "time"]).sum()
        left = self.raster("out", "deposits")
        self.assertEqual(left[left > 0].sum(), stayed)
        self.assertAlmostEqual(self.raster("out", "speed-max").max(),
                               rows["speed_max"].max(), 4)
        taken = sum(rows["dissipated_" + of]
                    for of in ("normal", "friction", "turning"))
        numpy.testing.assert_allclose(
            rows["kinetic_start"] + rows["fall"] + rows["recovery_work"] +
            rows["scheme_error"], rows["kinetic_stop"] + taken,
            atol=1e-9 * rows["fall"].max())

    def test_summary__counts_reasons(self):
        done = self.run_case("out", "time.end=2")
        self.assertRegex(done.stdout, r"(?m)^  time +\d+ +[\d.]+ %  still moved")
        self.assertIn("rocks still moved at time.end = 2 s", done.stdout)
        rows = self.deposits("out")
        count = int(re.search(r"(?m)^  time +(\d+)", done.stdout).group(1))
        self.assertEqual(count, (rows["reason"] == "time").sum())
        self.assertGreater(count, 0)

    def test_large_coordinates__same_numbers(self):
        """Coordinates of a country's grid lose nothing: the same bits, moved."""
        self.run_case("small")
        self.write("hill.asc", grid(2600000, 1200000))
        self.write("hill.prj", 'PROJCS["CH1903+ / LV95"]')
        self.write("far.yaml", case(2600000, 1200000))
        self.run_case("far", name="far.yaml")
        small, far = self.deposits("small"), self.deposits("far")
        for name in small.dtype.names:
            moved = {"x": 2600000, "y": 1200000}.get(
                name[-1] if name.startswith(("start_", "stop_")) else "", 0)
            if moved:
                numpy.testing.assert_allclose(far[name] - moved, small[name],
                                              atol=1e-9)
            else:
                self.assertEqual(list(far[name]), list(small[name]), name)
        with open(self.path("far", "map-reach.asc")) as file:
            head = file.read().splitlines()
        self.assertEqual(head[2:4], ["xllcorner 2600000", "yllcorner 1200000"])
        self.assertEqual(self.results("far")["map-reach.prj"].decode(),
                         'PROJCS["CH1903+ / LV95"]')

    # ---- stops and restarts

    def test_killed__goes_on_with_the_same_files(self):
        sets = ["ensemble.trajectories=60", "checkpoint.every_wall=0.05"]
        self.run_case("whole", *sets)
        process = self.start("run", "case.yaml", "--out", "cut", "--threads", "1",
                             "--set", sets[0], "--set", sets[1])
        give_up = time.monotonic() + 100
        while not (os.path.isdir(self.path("cut")) and
                   any(re.match(r"checkpoint-0*[1-9]\d*\.hdf5$", name)
                       for name in os.listdir(self.path("cut")))):
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertFalse(os.path.exists(self.path("cut", "finished.txt")))
        self.scree("resume", "cut")
        self.same(self.results("cut"), self.results("whole"))

    def test_killed_at_once__begins_with_names(self):
        self.run_case("whole", "checkpoint.every_wall=60")
        shutil.copytree(self.path("whole"), self.path("cut"))
        for name in os.listdir(self.path("cut")):
            if re.match(r"checkpoint-0*[1-9]|map|finished", name):
                os.remove(self.path("cut", name))
        self.scree("resume", "cut")
        self.same(self.results("cut"), self.results("whole"))

    def test_more_trajectories__are_added(self):
        self.run_case("few", "checkpoint.every_wall=60")
        self.scree("resume", "few", "--set", "ensemble.trajectories=20")
        self.run_case("many", "ensemble.trajectories=20")
        self.same(self.results("few"), self.results("many"))
        for change, word in (("time.end=30", "time"), ("ensemble.first=3",
                             "ensemble"), ("materials[1].friction=1", "materials")):
            done = self.scree("resume", "few", "--set", change, code=2)
            self.assertIn("has other " + word, done.stderr)

    # ---- what a case must not say

    def refused(self, *words, sets=(), text=None):
        self.write("bad.yaml", text or case())
        command = ["run", "bad.yaml", "--out", "bad"]
        for one in sets:
            command += ["--set", one]
        done = self.scree(*command, code=2)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse(os.path.exists(self.path("bad")))

    def test_bad_keys__are_named(self):
        box = "{min: [0, 0, 0], max: [9, 9, 9]}"
        for name, value, remedy in (
                ("stop", "{speed: 1}", "ensemble.rest_speed"),
                ("domain", box, "leave it out"),
                ("outlets", "[{name: a, box: %s}]" % box, "leave them out"),
                ("cell", box[:-1] + ", periodic: x}", "leave it out"),
                ("outputs", "[{scalars: {}}]", "ensemble.every"),
                ("report", "on", "leave it out"),
                ("checkpoint.every", "1", "every_wall"),
                ("solver.dump", "hard", None),
                ("solver.unconverged", "stop", "leave it out"),
                ("planar", "on", None),
                ("joints", "[{kind: weld, a: 0, point: [0, 0, 0]}]", None)):
            words = [name.split(".")[-1]] + ([remedy] if remedy else [])
            self.refused(*words, sets=["%s=%s" % (name, value)])

    def test_bad_releases__are_named(self):
        one = "bodies[0].release"
        for sets, words in (
                (["bodies[0].release.height=0.1"],
                 ["trajectory 0 would start in the ground", "larger height"]),
                (["bodies[0].release.line=[[-50, 5], [-60, 5]]"],
                 ["release 0: its place 0 lies beside the terrain"]),
                (["bodies[0].release.line=[[5, 5]]"],
                 ["a line has two corners or more", one + ".line"]),
                (["bodies[0].release.line=[[5, 5], [5, 5]]"], ["apart"]),
                (["bodies[0].release.height=-1"], ["height", "out of range"]),
                (["bodies[0].release.count=0"], ["count"]),
                (["ensemble.trajectories=0"], ["ensemble.trajectories"]),
                (["ensemble.cell=1e-9"], ["more than a billion"]),
                (["ensemble.format=png"], ["asc, geotiff, both"])):
            self.refused(*words, sets=sets)
        self.refused("polygon has three corners", text=case().replace(
            "line: [[10, 10], [12, 30]]", "polygon: [[10, 10], [12, 30]]"))
        self.refused("cannot be with", "exactly one of", text=case().replace(
            "line: [[10, 10], [12, 30]]",
            "line: [[10, 10], [12, 30]], points: [[1, 1]]"))

    def test_others__are_refused(self):
        alone = case().replace("ensemble:", "# ensemble:")
        self.refused("bodies[0].release", "add ensemble: {trajectories: N}",
                     text=alone)
        sphere = "  - {sphere: {position: [9, 9, 90]}, radius: 1}\nensemble:"
        self.refused("bodies[2].sphere", "use 'release'",
                     text=case().replace("ensemble:", sphere))
        plane = "{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: ground}"
        self.refused("has one terrain, not 0", text=case().replace(
            "{terrain: {file: hill.asc}, material: ground}", plane))
        self.refused("has one terrain, not 2", text=case().replace(
            "bodies:", "  - {terrain: {file: hill.asc}}\nbodies:"))
        self.refused("cannot be a wall of an ensemble", text=case().replace(
            "bodies:", "  - {cylinder: {point: [0, 0, 0], axis: [0, 0, 1], "
            "radius: 9}}\nbodies:"))

    def test_what_acts_on_crowds__is_refused(self):
        wind = "[{field: {acceleration: [1, 0, 0]}}]"
        self.refused("forces", "cannot be with 'ensemble'", sets=["forces=" + wind])
        self.refused("cohesion and bonds cannot be with 'ensemble'",
                     sets=["materials[0].cohesion={force: 1}"])
        self.refused("'collide: off' cannot be with 'ensemble'", text=case().replace(
            "walls:", "pairs: [{materials: [ground, ground], collide: off}]\nwalls:"))
        self.refused("is driven, which no wall of an ensemble", text=case().replace(
            "bodies:", "  - {plane: {point: [0, 0, 999], normal: [0, 0, -1]}, "
            "servo: {force: 1}}\nbodies:"))

    def test_branch__is_refused(self):
        self.run_case("out", "checkpoint.every_wall=60")
        name = [n for n in os.listdir(self.path("out")) if "checkpoint" in n][0]
        done = self.run_case("branch", more=[
            "--restart", self.path("out", name)], code=2)
        self.assertIn("scree resume", done.stderr)

    def test_check__finds_rocks_in_the_ground(self):
        self.scree("check", "case.yaml")
        done = self.scree("check", "case.yaml", "--set",
                          "bodies[1].release.height=0.2", code=2)
        self.assertIn("release 1: trajectory 1 would start in the ground",
                      done.stderr)
        printed = self.scree("check", "case.yaml").stdout
        again = self.scree("check", self.write("printed.yaml", printed)).stdout
        self.assertEqual(printed, again)
        self.assertIn("ensemble: {trajectories: 12, ", printed)

    # ---- terrain

    def test_terrain__is_worked_on(self):
        self.write("hill.asc", grid(holes=[(50, 3), (59, 19)]))
        self.refused("no height here", "terrain.crop")
        self.refused("no height at (101, 7)", sets=[
            "walls[0].terrain.crop={min: [0, 0, 0], max: [110, 30, 0]}"])
        crop = "walls[0].terrain.crop={min: [3, 0, 0], max: [99, 36, 0]}"
        self.run_case("crop", crop)
        self.assertEqual(self.raster("crop", "reach").shape, (18, 49))
        self.run_case("fine", crop, "walls[0].terrain.cell=1",
                      "walls[0].terrain.smooth=3")
        self.assertEqual(self.raster("fine", "reach").shape, (35, 97))
        rough, smooth = self.deposits("crop"), self.deposits("fine")
        self.assertGreater(abs(rough["stop_x"] - smooth["stop_x"]).max(), 0)
        self.refused("less than 2 x 2", sets=[
            "walls[0].terrain.crop={min: [500, 0, 0], max: [600, 9, 0]}"])
        self.refused("x is not above that of 'min'", sets=[
            "walls[0].terrain.crop={min: [9, 0, 0], max: [1, 9, 0]}"])

    def test_terrain__in_degrees_or_oblong_is_refused(self):
        self.write("hill.prj", 'GEOGCS["GCS_WGS_1984"]')
        self.refused("the coordinates of the terrain are degrees", "gdalwarp")
        os.remove(self.path("hill.prj"))
        self.write("hill.asc", grid().replace("cellsize 2", "dx 2\ndy 3"))
        self.refused("the cells are no squares", "gdalwarp -tr")

    # ---- GDAL

    def has_gdal(self):
        return " gdal-" in self.scree("--version").stdout

    def test_gdal__absence_is_named(self):
        if self.has_gdal():
            self.skipTest("built with GDAL")
        self.refused("built without GDAL", "libgdal-dev",
                     sets=["ensemble.format=both"])
        shutil.copy(self.path("hill.asc"), self.path("hill.tif"))
        self.refused("built without GDAL",
                     sets=["walls[0].terrain.file=hill.tif"])

    def test_gdal__beside_the_other_hdf5(self):
        """GDAL brings a serial HDF5, checkpoints are by the program's own one: both
        write in one process, and what they wrote is read."""
        if not self.has_gdal():
            self.skipTest("built without GDAL")
        sets = ["ensemble.format=both", "checkpoint.every_wall=60"]
        self.run_case("out", *sets)
        maps = self.results("out")
        self.assertEqual(sum(name.endswith(".tif") for name in maps), 12)
        self.scree("resume", "out", "--set", "ensemble.trajectories=14")
        # A map is a terrain too: what was written comes back in its place.
        os.remove(self.path("hill.asc"))
        self.write("flat.yaml", case().replace("hill.asc", "out/map-reach.tif"))
        self.refused("no height at (", sets=[
            "walls[0].terrain.file=out/map-reach.tif"])

    def test_gdal__places(self):
        if not self.has_gdal():
            self.skipTest("built without GDAL")
        crs = ('"crs": {"type": "name", "properties": '
               '{"name": "urn:ogc:def:crs:EPSG::2056"}}, ')
        text = ('{"type": "FeatureCollection", %s"features": [{"type": "Feature", '
                '"properties": {}, "geometry": %s}]}')
        points = '{"type": "MultiPoint", "coordinates": [[10, 12], [14, 20]]}'
        self.write("places.geojson", text % (crs, points))
        asked = case().replace("line: [[10, 10], [12, 30]]", "file: places.geojson")
        self.write("places.yaml", asked)
        self.run_case("out", name="places.yaml")
        rows = self.deposits("out")
        rows = rows[rows["release"] == 0]
        self.assertEqual(list(rows["start_x"]), [10, 14] * 3)
        self.assertEqual(list(rows["start_y"]), [12, 20] * 3)
        self.write("places.geojson", text % ("", points))
        self.refused("its coordinates are degrees", text=asked)
        self.write("places.geojson", text % (crs, "null"))
        self.refused("no points, lines or polygons", text=asked)
        self.write("places.geojson", "nonsense")
        self.refused("cannot be read", text=asked)


if __name__ == "__main__":
    unittest.main()
