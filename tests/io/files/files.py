"""Files of a run, read with h5py: options of the outputs, scree info, extract
and pack, damaged files, a reader beside a run, a killed run.

    files.py SCREE
"""
import csv
import io
import json
import os
import random
import re
import resource
import shutil
import struct
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from results_case import CASE, DT, FRAMES, run  # noqa: E402
from sealing import seal  # noqa: E402

SCREE = os.path.abspath(sys.argv.pop(1))


def scree(*words, **options):
    return subprocess.run([SCREE, *map(str, words)], capture_output=True,
                          text=True, **options)


def series(folder, stem):
    return json.loads((folder / (stem + ".hdf.series")).read_text())["files"]


def frame(folder, stem, k):
    return h5py.File(folder / ("%s_%06d.hdf" % (stem, k)), "r")


def fields(file, place):
    return {k: v[:] for k, v in file["VTKHDF/" + place].items()}


class Folder(unittest.TestCase):
    """One run for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="scree-files-"))
        cls.out = run(SCREE, cls.folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def refused(self, *words, says, code=2):
        done = scree(*words)
        self.assertEqual(done.returncode, code, done.stderr)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, done.stderr)
        return done


class Options(Folder):
    def test_fields__chosen__no_others(self):
        out = run(SCREE, self.folder, "outputs[0].frames.fields=[radius, id]",
                  "outputs[1].contacts.fields=[force]",
                  "outputs[2].scalars.fields=[momentum]",
                  "outputs[3].surfaces.fields=[speed]", name="chosen")
        last = FRAMES - 1
        with frame(out, "bodies", last) as few, \
                frame(self.out, "bodies", last) as all_:
            self.assertEqual(set(few["VTKHDF/PointData"]), {"radius", "id"})
            for name in ("Points", "PointData/radius", "PointData/id"):
                self.assertTrue((few["VTKHDF"][name][:] ==
                                 all_["VTKHDF"][name][:]).all())
        with frame(out, "contacts", 4) as f:
            self.assertEqual(set(f["VTKHDF/PointData"]), {"force"})
        with frame(out, "surfaces", 4) as f:
            self.assertEqual(set(f["VTKHDF/CellData"]), {"speed"})
        head = [x for x in (out / "scalars.csv").read_text().splitlines()
                if not x.startswith("#")][0]
        self.assertEqual(head, "step,time,bodies,contacts,momentum_x,momentum_y,"
                         "momentum_z,angular_momentum_x,angular_momentum_y,"
                         "angular_momentum_z")

    def test_compression__any_level__same_numbers_in_less_space(self):
        sets = ["outputs[%d].%s.compression=6" % x
                for x in ((0, "frames"), (1, "contacts"), (3, "surfaces"))]
        out = run(SCREE, self.folder, *sets, name="small")
        with frame(out, "surfaces", 4) as small, \
                frame(self.out, "surfaces", 4) as plain:
            points = small["VTKHDF/Points"]
            self.assertEqual(points.compression, "gzip")
            self.assertTrue(points.shuffle)
            self.assertIsNone(plain["VTKHDF/Points"].compression)
            for name in ("Points", "Connectivity", "Offsets", "Types",
                         "CellData/speed"):
                self.assertTrue((small["VTKHDF"][name][:] ==
                                 plain["VTKHDF"][name][:]).all(), name)
        size = [(x / "surfaces_000004.hdf").stat().st_size
                for x in (out, self.out)]
        self.assertLess(size[0], 0.5 * size[1])

    def test_schedule__from_until_times__frames_at_those(self):
        out = run(SCREE, self.folder, "outputs[0].frames.from=0.1",
                  "outputs[0].frames.until=0.21",
                  "outputs=[{frames: {every: 0.05, from: 0.1, until: 0.21}},"
                  "{contacts: {times: [0, 0.123, 0.3]}}]", name="times")
        times = [x["time"] for x in series(out, "bodies")]
        numpy.testing.assert_allclose(times, [0.1, 0.15, 0.2])
        times = [x["time"] for x in series(out, "contacts")]
        numpy.testing.assert_allclose(times, [0, 0.124, 0.3])

    def test_check__options__printed_case_reads_the_same(self):
        sets = ["--set", "outputs=[{frames: {fields: [id], from: 0.1, until: 0.3,"
                " compression: 2}}, {surfaces: {times: [0.1, 0.2], spheres: on}},"
                " {contacts: {lines: on}}]"]
        first = scree("check", self.folder / "files.yaml", *sets)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("fields: [id]", first.stdout)
        (self.folder / "printed.yaml").write_text(first.stdout)
        again = scree("check", self.folder / "printed.yaml")
        self.assertEqual(again.stdout, first.stdout)

    def test_spheres__on__a_ball_of_80_triangles_each(self):
        with frame(self.out, "surfaces", 4) as f, \
                frame(self.out, "bodies", FRAMES - 1) as b:
            ids = f["VTKHDF/CellData/id"][:]
            n = len(b["VTKHDF/Points"])
            self.assertEqual(sorted(set(ids)), list(range(n)))
            self.assertEqual((ids == 0).sum(), 6)  # the brick
            for k in (1, n - 1):
                cells = numpy.flatnonzero(ids == k)
                self.assertEqual(len(cells), 80)
                o, c = f["VTKHDF/Offsets"][:], f["VTKHDF/Connectivity"][:]
                corners = numpy.concatenate([c[o[i]:o[i + 1]] for i in cells])
                away = f["VTKHDF/Points"][:][corners] - b["VTKHDF/Points"][k]
                numpy.testing.assert_allclose(
                    numpy.linalg.norm(away, axis=1), 0.03, rtol=1e-9)

    def test_network__lines__join_centres_and_carry_the_force(self):
        with frame(self.out, "network", 4) as lines, \
                frame(self.out, "contacts", 4) as points, \
                frame(self.out, "bodies", FRAMES - 1) as bodies:
            x, centres = lines["VTKHDF/Points"][:], bodies["VTKHDF/Points"][:]
            ends = lines["VTKHDF/Connectivity"][:].reshape(-1, 2)
            data, other = fields(lines, "CellData"), fields(points, "PointData")
            self.assertGreater(len(ends), 20)
            self.assertTrue((lines["VTKHDF/Types"][:] == 3).all())
            for name in other:
                self.assertTrue((data[name] == other[name]).all(), name)
            force = numpy.linalg.norm(data["percussion"], axis=1) / DT
            numpy.testing.assert_allclose(data["force"], force, rtol=1e-12)
            self.assertTrue((x[ends[:, 0]] == centres[data["a"]]).all())
            wall = data["b"] < 0
            self.assertTrue(wall.any() and not wall.all())
            self.assertTrue((x[ends[~wall, 1]] == centres[data["b"][~wall]]).all())
            self.assertTrue((x[ends[wall, 1]] ==
                             points["VTKHDF/Points"][:][wall]).all())


class Commands(Folder):
    def table(self, *words):
        done = scree("extract", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.reader(io.StringIO(done.stdout)))
        return rows[0], numpy.array(rows[1:], dtype=float)

    def test_info__folder__times_counts_ranges_origin(self):
        done = scree("info", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = done.stdout
        with frame(self.out, "bodies", FRAMES - 1) as f:
            speed = f["VTKHDF/PointData/speed"][:]
            state = f["scree"].attrs["state_hash"]
            n = len(speed)
        self.assertIn("bodies: %d frames, t = 0 to 0.4 s" % FRAMES, text)
        self.assertIn("step 200, %d points, %d cells, state hash %s" %
                      (n, n, state), text)
        least, most = re.search(r"speed +(\S+) +(\S+)", text).groups()
        numpy.testing.assert_allclose([float(least), float(most)],
                                      [speed.min(), speed.max()], rtol=1e-6)
        for word in ("contacts: 5", "network: 5", "surfaces: 5", "case: files",
                     "seed 3", "written by: scree "):
            self.assertIn(word, text)
        self.assertIn("frame 2, t = 0.1 s",
                      scree("info", self.out, "--frame", "2").stdout)

    def test_extract__points__as_stored(self):
        head, rows = self.table(self.out, "--frame", "3")
        with frame(self.out, "bodies", 3) as f:
            data = fields(f, "PointData")
            self.assertTrue((rows[:, :3] == f["VTKHDF/Points"][:]).all())
        self.assertEqual(head[:3], ["x", "y", "z"])
        for k, axis in enumerate("xyz"):
            column = rows[:, head.index("velocity_" + axis)]
            self.assertTrue((column == data["velocity"][:, k]).all())
        self.assertTrue((rows[:, head.index("id")] == data["id"]).all())

    def test_extract__time_and_fields__nearest_frame(self):
        target = self.folder / "t.csv"
        done = scree("extract", self.out, "--time", "0.16", "--fields",
                     "id,radius", "--csv", target)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        lines = target.read_text().splitlines()
        self.assertEqual(lines[0], "x,y,z,id,radius")
        with frame(self.out, "bodies", 3) as f:
            self.assertEqual(len(lines) - 1, len(f["VTKHDF/Points"]))

    def test_extract__cells__one_row_each_at_its_middle(self):
        head, rows = self.table(self.out, "--series", "network")
        with frame(self.out, "network", 4) as f:
            ends = f["VTKHDF/Connectivity"][:].reshape(-1, 2)
            x = f["VTKHDF/Points"][:]
            numpy.testing.assert_allclose(
                rows[:, :3], (x[ends[:, 0]] + x[ends[:, 1]]) / 2, rtol=1e-14)
            self.assertTrue((rows[:, head.index("force")] ==
                             f["VTKHDF/CellData/force"][:]).all())

    def test_errors__each__message_and_code(self):
        out = self.out
        self.refused("info", out / "nothing", says="No such file")
        self.refused("info", self.folder / "files.yaml",
                     says="not a file of a run of Scree (no HDF5 file)")
        self.refused("info", self.folder, says="no results of Scree")
        self.refused("info", says="no file or folder is given")
        self.refused("extract", out, "--frame", "9",
                     says="no frame 9: it has 9, numbered 0 to 8")
        self.refused("extract", out, "--frame", "x", says="--frame wants")
        self.refused("extract", out, "--time", "7", says="from 0 to 0.4 s")
        self.refused("extract", out, "--fields", "velocty",
                     says=["no field 'velocty'", "did you mean 'velocity'?"])
        self.refused("extract", out, "--series", "contact",
                     says=["no series 'contact'", "did you mean 'contacts'?"])
        self.refused("extract", out, "--csv", self.folder / "no" / "x.csv",
                     says="cannot write", code=3)
        self.refused("pack", out, says="-o RUN.vtkhdf")
        self.refused("pack", out, "-o", self.folder / "no" / "x.vtkhdf",
                     says="cannot write", code=3)
        self.refused("render", out, says="either -o PICTURE.png or --movie")
        self.refused("render", out, "-o", "x.png", "--size", "big",
                     says="--size wants")

    def test_foreign_hdf5__no_seal__refused(self):
        path = self.folder / "foreign.hdf"
        with h5py.File(path, "w") as f:
            f["x"] = 1
        self.refused("info", path, says="not a file of a run of Scree")

    def test_newer_format__refused(self):
        path = self.folder / "newer.hdf"
        shutil.copy(self.out / "bodies_000000.hdf", path)
        with h5py.File(path, "r+") as f:
            f["scree"].attrs["version"] = "9.1.0"
        self.refused("info", path, says="altered since it was written")
        seal(path, format_=7)
        self.refused("info", path, says=["a newer Scree wrote this (format 7,",
                                         "reads up to 1"])

    def test_no_such_format__refused(self):
        """Format 1 is the oldest."""
        path = self.folder / "older.hdf"
        whole = (self.out / "bodies_000000.hdf").read_bytes()
        path.write_bytes(whole[:-32])  # without its seal
        seal(path, format_=0)
        self.refused("info", path, says="there is no format 0")

    def test_sealed_but_wrong__refused_by_what_it_lacks(self):
        """Behind a good seal the reader still trusts no count."""
        def add(name, **options):
            return lambda f: (f.pop(name, None),
                              f.create_dataset(name, **options))

        huge = {"shape": (2**60,), "chunks": (64,), "dtype": "i8"}
        text = h5py.string_dtype()
        edits = {
            "VTKHDF/NumberOfPoints": add("VTKHDF/NumberOfPoints", data=[-1]),
            "VTKHDF/Points": add("VTKHDF/NumberOfPoints", data=[2]),
            "VTKHDF/Connectivity": add("VTKHDF/NumberOfConnectivityIds",
                                       data=[2**40]),
            "VTKHDF/Types": add("VTKHDF/Types", **huge),
            "VTKHDF/PointData": add("VTKHDF/PointData/id", **huge),
            "VTKHDF/CellData": add("VTKHDF/CellData/x", data=["a"], dtype=text),
            "'scree'": add("scree/case", data=["a", "b"] * 50, dtype=text)}
        path = self.folder / "wrong.hdf"
        for what, edit in edits.items():
            with self.subTest(what):
                shutil.copy(self.out / "bodies_000000.hdf", path)
                with h5py.File(path, "r+") as f:
                    edit(f)
                seal(path)
                for command in ("info", "extract"):
                    self.refused(command, path,
                                 says=["not as Scree writes it", what])

    def test_render__no_programs__says_what_to_install(self):
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        done = scree("render", self.out, "-o", self.folder / "x.png",
                     env={"PATH": str(empty)})
        self.assertEqual(done.returncode, 2)
        self.assertIn("apt-get install --no-install-recommends python3-paraview",
                      done.stderr)
        for program in ("pvbatch", "ffmpeg"):
            (empty / program).write_text("#!/bin/sh\n")
            (empty / program).chmod(0o755)
        done = scree("render", self.out, "-o", self.folder / "x.png",
                     env={"PATH": str(empty)})
        self.assertEqual(done.returncode, 2)
        self.assertIn("--no-install-recommends xvfb xauth", done.stderr)


class Pack(Folder):
    def pack(self, stem, *words):
        path = self.folder / (stem + ".vtkhdf")
        done = scree("pack", self.out, "-o", path, "--series", stem, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def check_layout(self, path, stem):
        """As a reader of VTKHDF 2.0 finds its way: every step equals its frame."""
        listed = series(self.out, stem)
        with h5py.File(path, "r") as file:
            g, steps = file["VTKHDF"], file["VTKHDF/Steps"]
            self.assertEqual(list(g.attrs["Version"]), [2, 0])
            self.assertEqual(g.attrs["Type"], b"UnstructuredGrid")
            n = steps.attrs["NSteps"]
            self.assertEqual(n, len(listed))
            self.assertEqual(list(steps["Values"][:]),
                             [x["time"] for x in listed])
            self.assertTrue((steps["NumberOfParts"][:] == 1).all())
            for name in ("CellOffsets", "ConnectivityIdOffsets"):
                self.assertEqual(steps[name].shape, (n, 1))
            for k in range(n):
                self.check_step(g, steps, k, stem)

    def check_step(self, g, steps, k, stem):
        part = steps["PartOffsets"][k]
        points, cells, ids = (g["NumberOf" + x][part] for x in
                              ("Points", "Cells", "ConnectivityIds"))
        at = steps["PointOffsets"][k]
        cell, first = (steps[x][k, 0] for x in
                       ("CellOffsets", "ConnectivityIdOffsets"))
        found = {"Points": g["Points"][at:at + points],
                 "Types": g["Types"][cell:cell + cells],
                 "Connectivity": g["Connectivity"][first:first + ids],
                 "Offsets": g["Offsets"][cell + part:cell + part + cells + 1]}
        for place, rows in (("PointData", points), ("CellData", cells)):
            for name, data in g[place].items():
                o = steps[place + "Offsets"][name][k]
                found[place + "/" + name] = data[o:o + rows]
        with frame(self.out, stem, k) as f:
            names = []
            f["VTKHDF"].visititems(lambda x, y: names.append(x) if isinstance(
                y, h5py.Dataset) and "NumberOf" not in x and
                not x.startswith("FieldData") else None)
            self.assertEqual(sorted(names), sorted(found))
            for name in names:
                wanted = f["VTKHDF"][name]
                self.assertEqual(wanted.dtype, found[name].dtype)
                self.assertTrue(numpy.array_equal(wanted[:], found[name]), name)

    def test_layout__every_series__steps_equal_frames(self):
        for stem in ("bodies", "contacts", "network", "surfaces"):
            with self.subTest(stem):
                self.check_layout(self.pack(stem), stem)

    def test_compressed__same_steps(self):
        path = self.pack("surfaces", "--compression", "5")
        self.check_layout(path, "surfaces")
        with h5py.File(path, "r") as file:
            self.assertEqual(file["VTKHDF/Points"].compression, "gzip")

    def test_extract__packed__as_from_the_folder(self):
        path = self.pack("bodies")
        for k in ("0", "4", "-1"):
            one, two = (scree("extract", x, "--frame", k)
                        for x in (path, self.out))
            self.assertEqual(one.stdout, two.stdout)
        text = scree("info", path).stdout
        self.assertIn("%d frames, t = 0 to 0.4 s" % FRAMES, text)

    def test_packed__packed_again__same_steps(self):
        first = self.pack("surfaces")
        path = self.folder / "again.vtkhdf"
        done = scree("pack", first, "-o", path, "--compression", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_layout(path, "surfaces")

    def test_frame_damaged__nothing_written(self):
        copy = self.folder / "copy"
        shutil.copytree(self.out, copy)
        with open(copy / "bodies_000004.hdf", "r+b") as f:
            f.truncate(3000)
        self.refused("pack", copy, "-o", self.folder / "bad.vtkhdf",
                     says="bodies_000004.hdf")
        self.assertEqual(list(self.folder.glob("bad*")), [])

    def test_no_room__message_and_nothing_left(self):
        path = self.folder / "room.vtkhdf"
        for limit in (2000, 20000, 60000):
            done = scree("pack", self.out, "-o", path, "--series", "surfaces",
                         preexec_fn=lambda: resource.setrlimit(
                             resource.RLIMIT_FSIZE, (limit, limit)))
            self.assertEqual(done.returncode, 3, (limit, done))
            self.assertIn("cannot write", done.stderr)
            self.assertEqual(list(self.folder.glob("room*")), [])


class Damage(Folder):
    def mutants(self, data, n, rng):
        for i in range(n):
            bad = bytearray(data)
            kind = i % 4
            if kind == 0:  # cut short
                bad = bad[:rng.randrange(len(bad))]
            elif kind == 1:  # one bit
                bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
            elif kind == 2:  # a stretch of noise
                at = rng.randrange(len(bad))
                bad[at:at + 64] = rng.randbytes(len(bad[at:at + 64]))
            else:  # one bit in the head, where HDF5 keeps its structure
                bad[rng.randrange(min(len(bad), 2048))] ^= 1 << rng.randrange(8)
            yield bytes(bad)

    def try_all(self, name, n):
        rng = random.Random(7)
        data = (self.out / name).read_bytes()
        path = self.folder / ("bad-" + name)
        for i, bad in enumerate(self.mutants(data, n, rng)):
            path.write_bytes(bad)
            words = ("info", path) if i % 2 else ("extract", path)
            done = scree(*words)
            self.assertEqual(done.returncode, 2, (i, done))
            self.assertIn(path.name, done.stderr)

    def test_frames__240_mutations__refused_every_time(self):
        self.try_all("bodies_000006.hdf", 160)
        self.try_all("surfaces_000002.hdf", 80)

    def test_list__mutations__no_crash(self):
        rng = random.Random(8)
        copy = self.folder / "listed"
        shutil.copytree(self.out, copy)
        path = copy / "bodies.hdf.series"
        data = path.read_bytes()
        for bad in self.mutants(data, 60, rng):
            path.write_bytes(bad)
            self.assertIn(scree("info", copy).returncode, (0, 2))


class Reader(unittest.TestCase):
    """A reader beside a run, and what a killed run leaves."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="scree-reader-"))
        (self.folder / "files.yaml").write_text(CASE)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def start(self):
        return subprocess.Popen(
            [SCREE, "run", self.folder / "files.yaml", "--out", self.out,
             "--quiet", "--set", "time.end=100", "--set",
             "outputs=[{frames: {}}, {surfaces: {every: 0.01}}]"],
            stdout=subprocess.DEVNULL)

    def read_all(self, stem, least):
        """Opens all that the list names; the number of frames."""
        path = self.out / (stem + ".hdf.series")
        if not path.exists():
            return 0
        listed = json.loads(path.read_text())["files"]
        self.assertGreaterEqual(len(listed), least)
        for entry in listed[least:]:
            with h5py.File(self.out / entry["name"], "r") as f:
                self.assertEqual(f["VTKHDF/FieldData/TimeValue"][0],
                                 entry["time"])
                n = f["VTKHDF/NumberOfPoints"][0]
                self.assertEqual(len(f["VTKHDF/Points"]), n)
        return len(listed)

    def test_reader_and_kill__every_listed_frame_is_whole(self):
        for wait in (0.3, 0.7, 1.5):
            self.out = self.folder / ("out-%g" % wait)
            process = self.start()
            try:
                seen, rounds, end = 0, 0, time.time() + wait
                while time.time() < end or seen < 3:
                    self.assertIsNone(process.poll())
                    seen = self.read_all("bodies", seen)
                    rounds += seen > 0
            finally:
                process.send_signal(signal.SIGKILL)
                process.wait()
            self.assertGreater(rounds, 1)
            n = self.read_all("bodies", 0)
            self.assertGreaterEqual(n, seen)
            self.read_all("surfaces", 0)
            done = scree("info", self.out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("bodies: %d frames" % n, done.stdout)


if __name__ == "__main__":
    unittest.main()
