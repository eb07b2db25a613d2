"""Outputs of runs on several ranks: one file a frame, with what one rank writes.

The first state is the same bits whatever the number of ranks; later ones, of bodies
that fly or meet one by one, are the same up to rounding.

    outputs.py SCREE
"""
import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "io"))
from open_mpi import MANY_RANKS, MPIRUN  # noqa: E402

SCREE = os.path.abspath(sys.argv.pop(1))

os.environ.update(MANY_RANKS, OMP_NUM_THREADS="1")
# Memory where there is such a folder: runs sync what they write.
ROOT = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

# Bodies far from each other that fall, or lie on the floor: no two contacts share a
# body that moves, so the order of a solver's sweep does not matter. Two of them hit
# each other in the air.
DILUTE = """
name: dilute
seed: 7
time: {end: 0.2, step: 0.001}
gravity: [0, 0, -9.81]
solver: {iterations: 500, tolerance: 1e-12}
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.4}]
shapes: [{name: brick, box: {size: [0.1, 0.08, 0.12]}}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
  - {name: step, mesh: {file: step.stl}, material: rock}
bodies:
  - lattice: {origin: [0, 0, 0.05], counts: [6, 6, 9], spacing: 0.3}
    radius: 0.05
    material: rock
  - lattice: {origin: [3, 0, 0.1], counts: [3, 3, 2], spacing: 0.3}
    shape: brick
    material: rock
  - {sphere: {position: [-1, 0, 0.6]}, velocity: [1, 0, 0], radius: 0.05}
  - {sphere: {position: [-0.8, 0, 0.6]}, velocity: [-1, 0, 0], radius: 0.05}
outputs:
  - frames: {every: 0.1, compression: COMPRESSION}
  - contacts: {every: 0.1, compression: COMPRESSION, lines: on}
  - surfaces: {every: 0.1, compression: COMPRESSION}
  - scalars: {every: 0.1}
"""

STL = """solid step
facet normal 0 0 1
outer loop
vertex -3 -3 -0.1
vertex -2 -3 -0.1
vertex -2 -2 -0.1
endloop
endfacet
endsolid step
"""

SERIES = ("bodies", "contacts", "network", "surfaces", "walls")


def everything(path):
    """All datasets and attributes of a file, but the hash of the state."""
    found = {}

    def take(name, thing):
        for key, value in thing.attrs.items():
            if key != "state_hash":
                found[name + "@" + key] = value
        if isinstance(thing, h5py.Dataset):
            found[name] = thing[()]

    with h5py.File(path, "r") as file:
        file.visititems(take)
    return found


def process_of(launcher, rank):
    """The process of a rank, from what the launcher told it."""
    want = b"OMPI_COMM_WORLD_RANK=%d" % rank
    for pid in os.listdir("/proc"):
        try:
            about = Path("/proc", pid, "stat").read_text()
            words = Path("/proc", pid, "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if about.rpartition(")")[2].split()[1] == str(launcher) and want in words:
            return int(pid)
    raise LookupError("no process of rank %d" % rank)


class Ranks(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="scree-ranks-", dir=ROOT))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "step.stl").write_text(STL)

    def run_on(self, ranks, case, *words, code=0, **options):
        out = self.folder / ("out%d" % ranks)
        path = self.folder / "case.yaml"
        path.write_text(case)
        launcher = [MPIRUN, "-np", str(ranks)] if ranks > 1 else []
        done = subprocess.run(
            [*launcher, SCREE, "run", path, "--out", out, *words],
            capture_output=True, text=True, timeout=200, **options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(list(out.glob("*.tmp")), [])
        return out, done

    def same(self, x, y, name, to):
        self.assertEqual(type(x), type(y), name)
        if isinstance(x, numpy.ndarray):
            self.assertEqual((x.shape, x.dtype), (y.shape, y.dtype), name)
        if to == 0 or numpy.asarray(x).dtype.kind != "f":
            numpy.testing.assert_array_equal(x, y, name)
        elif numpy.size(x):
            scale = 1 + numpy.abs(x).max()
            numpy.testing.assert_allclose(y, x, rtol=0, atol=to * scale,
                                          err_msg=name)

    def compare(self, one, many, to):
        """Frame 0 to the bit, the others up to `to`."""
        names = sorted(p.name for p in one.iterdir())
        self.assertEqual(names, sorted(p.name for p in many.iterdir()))
        for stem in SERIES:
            listed = (one / (stem + ".hdf.series")).read_bytes()
            self.assertEqual(listed, (many / (stem + ".hdf.series")).read_bytes())
            for k, entry in enumerate(json.loads(listed)["files"]):
                x, y = everything(one / entry["name"]), everything(
                    many / entry["name"])
                self.assertEqual(list(x), list(y), entry)
                for key in x:
                    self.same(x[key], y[key], entry["name"] + ":" + key,
                              0 if k == 0 else to)

    def compare_scalars(self, one, many):
        tables = []
        for folder in (one, many):
            lines = (folder / "scalars.csv").read_text().splitlines()
            tables.append(list(csv.reader(x for x in lines if x[0] != "#")))
        self.assertEqual(tables[0][0], tables[1][0])
        self.assertEqual(len(tables[0]), len(tables[1]))
        free = {"iterations", "residual", "balance", "normal", "cone", "stop", "by"}
        for x, y in zip(tables[0][1:], tables[1][1:]):
            for name, a, b in zip(tables[0][0], x, y):
                if name not in free:
                    self.assertAlmostEqual(float(a), float(b), msg=name,
                                           delta=1e-9 * (1 + abs(float(a))))

    def check(self, compression, *several):
        case = DILUTE.replace("COMPRESSION", str(compression))
        one, _ = self.run_on(1, case)
        with h5py.File(one / "contacts_000002.hdf") as file:
            self.assertGreater(file["VTKHDF/NumberOfPoints"][0], 20)
        for ranks in several:
            many, _ = self.run_on(ranks, case)
            self.compare(one, many, 1e-9)
            self.compare_scalars(one, many)
            self.read_by_program(many)

    def read_by_program(self, folder):
        """Seals are whole, and the list of frames is in order."""
        for words in (["info", folder], ["extract", folder, "--series",
                                         "contacts"]):
            done = subprocess.run([SCREE, *words], capture_output=True,
                                  text=True, timeout=200)
            self.assertEqual(done.returncode, 0, done.stderr)

    # ---- what is written -------------------------------------------------------

    def test_plain__as_one_rank(self):
        self.check(0, 2, 4)

    def test_compressed__as_one_rank_and_as_small(self):
        self.check(6, 4)
        sizes = [sum(p.stat().st_size for p in (self.folder / name).iterdir())
                 for name in ("out1", "out4")]
        self.assertLess(sizes[1], 1.3 * sizes[0])

    def test_few_bodies__ranks_without_any(self):
        """Two bodies on four ranks, then none that touch anything."""
        case = DILUTE.replace("COMPRESSION", "0")
        head, tail = case.split("bodies:")
        body = "  - {sphere: {position: [0, 0, 3]}, radius: 0.05}\n"
        case = head + "bodies:\n" + body + body.replace("3]", "2]") + \
            "outputs:" + tail.split("outputs:")[1]
        one, _ = self.run_on(1, case)
        many, _ = self.run_on(4, case)
        self.compare(one, many, 1e-9)

    # ---- what fails --------------------------------------------------------------

    def fill_disk_of(self, rank):
        """Runs on two ranks, both of which write, until one of them cannot. The
        row of scalars is the last that is written of a state."""
        case = DILUTE.replace("COMPRESSION", "0").replace("end: 0.2", "end: 99")
        (self.folder / "case.yaml").write_text(case.replace("every: 0.1",
                                                            "every: 0.2"))
        out = self.folder / "out"
        table = out / "scalars.csv"
        with subprocess.Popen(
                [MPIRUN, "-np", "2", SCREE, "run", self.folder / "case.yaml",
                 "--out", out], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True, env={**os.environ,
                                "OMPI_MCA_io_ompio_num_aggregators": "2"}) as run:
            try:
                while not table.exists() or table.read_text().count("\n") < 7:
                    self.assertIsNone(run.poll())
                    time.sleep(0.01)
                resource.prlimit(process_of(run.pid, rank),
                                 resource.RLIMIT_FSIZE, (3000, 3000))
                output, errors = run.communicate(timeout=200)
            finally:
                run.terminate()
        self.assertEqual(run.returncode, 3, output + errors)
        return out, errors

    def test_disk_full__on_any_rank__one_message_and_earlier_frames(self):
        for rank in range(2):
            out, errors = self.fill_disk_of(rank)
            self.assertEqual(errors.count("cannot write: "), 1, errors)
            self.assertEqual(list(out.glob("*.tmp")), [])
            self.assertGreaterEqual(len(list(out.glob("bodies_*.hdf"))), 2)
            self.read_by_program(out)
            shutil.rmtree(out)

    def test_table__cannot_be_opened__one_message(self):
        """Rank 0 alone opens it."""
        case = DILUTE.replace("COMPRESSION", "0")
        (self.folder / "out2" / "scalars.csv").mkdir(parents=True)
        _, done = self.run_on(2, case, code=3)
        self.assertEqual(done.stderr.count("this is a folder, not a file"), 1, done.stderr)

    def test_folder_lost__one_message(self):
        """A frame that cannot be renamed: its name is a folder."""
        case = DILUTE.replace("COMPRESSION", "0")
        (self.folder / "out2" / "bodies_000001.hdf").mkdir(parents=True)
        out, done = self.run_on(2, case, code=3)
        self.assertEqual(done.stderr.count("this is a folder, not a file"), 1, done.stderr)
        self.assertIn("the last complete one is number 0", done.stderr)


if __name__ == "__main__":
    unittest.main()
