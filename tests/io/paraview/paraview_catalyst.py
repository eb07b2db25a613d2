"""ParaView in situ: pictures with content, extracts, errors, displays, live.

    pvpython paraview_catalyst.py SCREE
"""
import glob
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader
from vtkmodules.vtkIOXML import vtkXMLGenericDataObjectReader

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from open_mpi import MANY_RANKS, MPIRUN  # noqa: E402

SCREE = os.path.abspath(sys.argv[1])

RADIUS, COUNT = 0.05, 64
CASE = f"""
name: insitu
seed: 5
time: {{end: 0.1, step: 0.001}}
threads: 1
materials: [{{name: rock, density: 2600, friction: 0.5, restitution: 0.2}}]
walls:
  - {{name: floor, plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}, material: rock}}
bodies:
  - lattice: {{origin: [0, 0, 0.05], counts: [4, 4, 4], spacing: 0.101, jitter: 0.0004}}
    radius: {RADIUS}
    material: rock
"""
HILL = """ncols 12
nrows 12
xllcorner 0
yllcorner 0
cellsize 1
""" + "\n".join(" ".join(str(0.3 * (24 - i - j)) for i in range(12))
                for j in range(12)) + "\n"
# All ready scripts at once: rocks, some of them poured, and balls on a hill. In
# few steps and sweeps: with the same bits on two ranks each sweep has messages,
# which take long where other programs are at work.
READY = ("speed", "force_chains", "terrain", "solid_fraction")
ROCKS, POURED = 6, 4
SCENE = f"""
name: scene
time: {{end: 1, step: 0.02}}
threads: 1
reproducible: on
solver: {{iterations: 20, unconverged_share: 1}}
materials: [{{name: rock, density: 2600, friction: 0.3, restitution: 0.2}}]
shapes: [{{name: stone, rock: {{diameter: 0.6, points: 12, variants: 3}}}}]
walls: [{{name: hill, terrain: {{file: hill.asc}}, material: rock}}]
bodies:
  - {{lattice: {{origin: [2, 6, 8], counts: [2, 3, 1], spacing: 1.2}}, shape: stone, material: rock}}
  - {{lattice: {{origin: [7, 8, 5.2], counts: [4, 4, 4], spacing: 0.61}}, radius: 0.3, material: rock}}
  - {{pour: {{box: {{min: [1, 1, 9], max: [7, 4, 12]}}, rate: 8, count: {POURED}}}, shape: stone, material: rock}}
"""
PICTURES = ["--set", "outputs=[{catalyst: {scripts: [%s], every: 1, extracts: on, "
            "on_error: continue}}]" % ", ".join(f"{name}.py" for name in READY)]
# Without a picture: quick.
BARE = """# script-version: 2.0
from paraview.simple import PVTrivialProducer
from paraview import catalyst
bodies = PVTrivialProducer(registrationName='bodies')
options = catalyst.Options()
options.GlobalTrigger = 'TimeStep'
def catalyst_execute(info):
"""
SECOND_FAILS = """\
    from vtkmodules.vtkParallelCore import vtkMultiProcessController
    ranks = vtkMultiProcessController.GetGlobalController()
    if ranks.GetLocalProcessId() == 1 and info.timestep > 0:
        no_such_name
"""
LATE = """\
    if info.timestep > 0:
        no_such_name
"""
CLIENT = """
import sys, time
from paraview import live
from paraview.simple import FindSource
seen = []
def created(link, event):
    live.ExtractCatalystData(link, 'bodies')
    live.ProcessServerNotifications()
def updated(link, event):
    source = FindSource('bodies')
    if source:
        source.UpdatePipeline()
        seen.append(source.GetDataInformation().GetNumberOfPoints())
def closed(link, event):
    print('closed', seen, flush=True)
    sys.exit(0)
link = live.ConnectToCatalyst('localhost', int(sys.argv[1]))
link.AddObserver('ConnectionCreatedEvent', created)
link.AddObserver('UpdateEvent', updated)
link.AddObserver('ConnectionClosedEvent', closed)
print('listening', flush=True)
end = time.time() + 120
while time.time() < end:
    live.ProcessServerNotifications()
    time.sleep(0.02)
"""


def pixels(path):
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    image = reader.GetOutput()
    width, height, _ = image.GetDimensions()
    data = vtk_to_numpy(image.GetPointData().GetScalars())
    return data.reshape(height, width, -1)[:, :, :3].astype(int)


def read(path):
    reader = vtkXMLGenericDataObjectReader()
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutput()
    while hasattr(data, "GetNumberOfPartitions"):
        assert data.GetNumberOfPartitions() == 1
        data = data.GetPartition(0)
    return data


def array(path, name):
    return vtk_to_numpy(read(path).GetPointData().GetArray(name))


def lay_out(folder):
    """The files that the tests begin with."""
    for name, text in (("case.yaml", CASE), ("scene.yaml", SCENE),
                       ("hill.asc", HILL)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)


def parent(pid):
    """0 for one that is no more."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def displays(above):
    """Process ids of the virtual displays that a process, or one that it began,
    has started. Until it becomes another program, a child of a display, which
    calls the keymap compiler, has its command line: it is none."""
    found = set()
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        pid = int(path.split("/")[2])
        try:
            with open(path, "rb") as file:
                is_display = b"Xvfb" in file.read()
        except OSError:
            continue
        at = pid if is_display else 0
        while at not in (0, above):
            at = parent(at)
        if at == above:
            found.add(pid)
    return {pid for pid in found if parent(pid) not in found}


needs_ranks = unittest.skipIf(
    "mpi-" not in subprocess.run([SCREE, "--version"], text=True,
                                 capture_output=True).stdout,
    "built without MPI")


class InSitu(unittest.TestCase):
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("DISPLAY", "SCREE_CATALYST_PLUGIN")}

    @classmethod
    def setUpClass(cls):
        """The scene on one rank, which several tests look at."""
        folder = tempfile.mkdtemp(prefix="scree-insitu-")
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.one = os.path.join(folder, "out")
        lay_out(folder)
        done = subprocess.run([SCREE, "run", "scene.yaml", "--out", "out", "--force",
                               *PICTURES],
                              cwd=folder, env=cls.environment,
                              capture_output=True, text=True, timeout=500)
        cls.one_rank = done.stdout
        assert done.returncode == 0 and not done.stderr, done

    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="scree-insitu-"))
        self.addCleanup(shutil.rmtree, self.folder)
        lay_out(self.folder)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def command(self, *arguments, case="case.yaml", out="out"):
        return [SCREE, "run", case, "--out", out, "--force", *arguments]

    def scree(self, *arguments, case="case.yaml", code=0):
        done = subprocess.run(
            self.command(*arguments, case=case), cwd=self.folder,
            env=self.environment, capture_output=True, text=True, timeout=500)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    @staticmethod
    def hash_in(text):
        return re.search("state hash: (.*)", text).group(1)

    def assert_drawn(self, name, share=0.02):
        """Something covers a share of the ground, which is the same along each
        row, and it has shades."""
        image = pixels(os.path.join(self.one, name))
        self.assertEqual(image.shape, (800, 1200, 3))
        inside = image[:, :1000].reshape(-1, 3)  # without the legend
        ground = numpy.repeat(image[:, 0], 1000, axis=0)
        drawn = inside[abs(inside - ground).sum(axis=1) > 60]
        self.assertGreater(len(drawn), share * len(inside), name)
        self.assertGreater(len(numpy.unique(drawn, axis=0)), 100, name)
        legend = image[200:600, 1060:1090].reshape(-1, 3)
        self.assertGreater(len(numpy.unique(legend, axis=0)), 50, name)

    # ---- ranks ---------------------------------------------------------------

    def on_two_ranks(self, *arguments, case="case.yaml", code=0):
        """One display serves both."""
        # pvpython is a run of MPI itself.
        environment = {k: v for k, v in self.environment.items()
                       if not k.startswith(("OMPI_", "PMIX_", "ORTE_", "PRTE_"))}
        environment.update(MANY_RANKS, OMP_NUM_THREADS="1")
        run = subprocess.Popen(
            [MPIRUN, "-np", "2", *self.command(*arguments, case=case)],
            cwd=self.folder, env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        most, give_up = 0, time.monotonic() + 400
        while run.poll() is None and time.monotonic() < give_up:
            most = max(most, len(displays(run.pid)))
            time.sleep(0.2)
        self.assertIsNotNone(run.poll(), "hangs")
        out, err = run.communicate()
        self.assertEqual(run.returncode, code, out + err)
        self.assertLessEqual(most, 1)
        return out, err

    @staticmethod
    def close_to(one, two):
        return (abs(one - two).max(axis=2) > 20).mean() < 1e-4

    @needs_ranks
    def test_ranks__two__as_on_one(self):
        """The ranks' parts are composited, sums and scales are those of all;
        while rocks are poured the ranks get other ids, but a trail is that of
        one rock. A script that fails on one of them leaves the others alone."""
        self.write("bad.py", BARE + SECOND_FAILS)
        out, err = self.on_two_ranks(*PICTURES, "--catalyst", "bad.py",
                                     case="scene.yaml")
        self.assertEqual(out.count("warning: catalyst: " + self.second_fails()),
                         1, out)
        self.assertEqual(self.hash_in(out), self.hash_in(self.one_rank))
        for name in READY:
            for step in ("000000", "000050"):
                self.assertTrue(self.close_to(*(
                    pixels(os.path.join(where, f"{name}_{step}.png"))
                    for where in (self.one, self.path("out")))), name + step)
        self.assertEqual(self.trails(self.path("out")), self.trails(self.one))
        self.compare_extracts()

    def compare_extracts(self):
        of = {name: [read(os.path.join(where, name + "_000050.vtp"))
                     for where in (self.one, self.path("out"))]
              for name in READY}
        for one, two in of.values():
            self.assertEqual(two.GetNumberOfPoints(), one.GetNumberOfPoints())
            self.assertEqual(two.GetNumberOfLines(), one.GetNumberOfLines())
            self.assertEqual(two.GetNumberOfPolys(), one.GetNumberOfPolys())
        one, two = of["solid_fraction"]
        for get in (lambda d: d.GetPoints().GetData(),
                    lambda d: d.GetPointData().GetArray("solid_fraction")):
            numpy.testing.assert_allclose(
                vtk_to_numpy(get(two)), vtk_to_numpy(get(one)), atol=1e-12)

    @staticmethod
    def trails(where):
        """Of terrain.py at the end: the points of each, in order of the first."""
        data = read(os.path.join(where, "terrain_000050.vtp"))
        cells = (data.GetCell(i) for i in range(data.GetNumberOfCells()))
        return sorted(tuple(cell.GetPoints().GetPoint(k)
                            for k in range(cell.GetNumberOfPoints()))
                      for cell in cells)

    def second_fails(self):
        return self.path("bad.py") + ":11: NameError: name 'no_such_name'"

    @needs_ranks
    def test_ranks__one_fails__all_stop_with_one_message(self):
        self.write("bad.py", BARE + SECOND_FAILS)
        out, err = self.on_two_ranks("--catalyst", "bad.py", "--set",
                                     "time.end=0.01", code=3)
        self.assertEqual(err.count("catalyst: " + self.second_fails()), 1, err)

    # ---- pictures and data -------------------------------------------------

    def test_scripts__one_rank__pictures_and_extracts(self):
        self.assertRegex(self.one_rank, r"\n  - catalyst +\d")
        self.assertEqual(self.hash_in(self.one_rank),
                         self.hash_in(self.scree(case="scene.yaml").stdout))
        for step in ("000000", "000050"):
            self.assert_drawn(f"speed_{step}.png", 0.1)
            self.assert_drawn(f"solid_fraction_{step}.png", 0.1)
            self.assert_drawn(f"terrain_{step}.png", 0.1)
        self.assert_drawn("force_chains_000050.png")

    def test_scripts__one_rank__extracts_of_all_bodies(self):
        n = ROCKS + COUNT + POURED
        name = os.path.join(self.one, "speed_000050.vtp")
        self.assertEqual(read(name).GetNumberOfPoints(), n)
        numpy.testing.assert_array_equal(array(name, "id"), numpy.arange(n))
        v = array(name, "velocity")
        numpy.testing.assert_allclose(array(name, "speed"),
                                      (v * v).sum(axis=1)**0.5, atol=1e-15)
        lines = read(os.path.join(self.one, "force_chains_000050.vtp"))
        contacts = lines.GetNumberOfLines()
        self.assertGreaterEqual(contacts, COUNT // 4)
        self.assertEqual(lines.GetNumberOfVerts(), contacts)
        self.assertEqual(lines.GetNumberOfPoints(), 3 * contacts)
        self.assertEqual([len(trail) for trail in self.trails(self.one)],
                         [2] * (ROCKS + COUNT))  # those seen twice

    # ---- errors ------------------------------------------------------------

    def test_error__continue__named_and_the_rest_goes_on(self):
        """A script that fails late and one that Python cannot read. The one
        that goes on draws phi = V w(r) of a ball with c = 3 R, Lucy's kernel,
        at every point of the plane."""
        self.write("bad.py", BARE + LATE)
        self.write("worse.py", "# script-version: 2.0\nx = (1 +\n")
        done = self.scree("--catalyst", "bad.py", "--catalyst", "worse.py",
                          "--catalyst", "solid_fraction.py",
                          "--set", "bodies=[{sphere: {position: [0, 0, 1]}, radius: 1}]",
                          "--set", "outputs.catalyst.extracts=on",
                          "--set", "outputs.catalyst.on_error=continue",
                          "--set", "gravity=[0, 0, 0]", "--set", "time.end=0.001",
                          "--set", "outputs.catalyst.every=0")
        for at in ("bad.py:9: NameError: name 'no_such_name'",
                   "worse.py:2: SyntaxError"):
            self.assertEqual(
                done.stdout.count("warning: catalyst: " + self.path(at)), 1)
        self.assertIn("state hash", done.stdout)
        name = self.path("out", "solid_fraction_000001.vtp")
        x = vtk_to_numpy(read(name).GetPoints().GetData())
        self.assertEqual(len(x), 161 * 161)
        r = ((x - [0, 0, 1])**2).sum(axis=1)**0.5 / 3
        phi = 105 / (12 * 27) * (1 + 3 * r) * (1 - r)**3
        numpy.testing.assert_allclose(array(name, "solid_fraction"), phi,
                                      atol=1e-7)  # points in single precision

    def test_error__of_the_run__is_what_is_said(self):
        """A wall appears and throws the bodies away, faster than any step can
        follow: the run ends as without a script, and its pictures stay."""
        words = ("--set", "time.step=0.01", "--set",
                 "walls+={name: bat, plane: {point: [0, -50, 0], normal: [0, 1, 0]}, "
                 "motion: {velocity: [0, 1e18, 0]}, from: 0.05}")
        alone = self.scree(*words, code=4)
        done = self.scree(*words, "--catalyst", "speed.py",
                          "--set", "outputs.catalyst.every=0.04", code=4)
        self.assertRegex(done.stderr, r"body \d+ runs away in step [56] \(t = 0\.0")
        self.assertEqual(done.stderr, alone.stderr)
        pictures = sorted(glob.glob(self.path("out", "*.png")))
        self.assertEqual([os.path.basename(path) for path in pictures],
                         [f"speed_00000{step}.png" for step in (0, 4)])
        for path in pictures:
            self.assert_drawn(path, 0.1)

    # ---- displays, signals -------------------------------------------------

    def start_long_run(self, out):
        run = subprocess.Popen(
            self.command("--catalyst", "bare.py", "--set", "time.end=1e6",
                         "--set", "outputs.catalyst.every=0.01", out=out),
            cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        return run

    def stop(self, run, number):
        """In the middle of its work; its exit code."""
        lines = []
        while not lines or "at work" not in lines[-1]:
            self.assertIsNone(run.poll(), "".join(lines))
            lines.append(run.stdout.readline())
        display, = displays(run.pid)
        run.send_signal(number)
        run.communicate(timeout=100)
        give_up = time.monotonic() + 10
        while parent(display) and time.monotonic() < give_up:
            time.sleep(0.05)
        self.assertEqual(parent(display), 0)
        return run.returncode

    def test_signal__display__ends_with_the_run(self):
        self.write("bare.py", BARE + "    print('at work', flush=True)\n")
        asked, killed = map(self.start_long_run, ("asked", "killed"))
        self.assertEqual(self.stop(asked, signal.SIGINT), 128 + signal.SIGINT)
        self.assertEqual(self.stop(killed, signal.SIGKILL), -signal.SIGKILL)

    # ---- live --------------------------------------------------------------

    def test_live__client__gets_the_bodies(self):
        with socket.socket() as probe:
            probe.bind(("localhost", 0))
            port = str(probe.getsockname()[1])
        self.write("client.py", CLIENT)
        self.write("bare.py", BARE + "    pass\n")
        client = subprocess.Popen(
            [shutil.which("pvpython"), self.path("client.py"), port],
            env=self.environment, stdout=subprocess.PIPE, text=True)
        self.addCleanup(client.communicate)
        self.addCleanup(client.kill)
        while client.stdout.readline() != "listening\n":
            self.assertIsNone(client.poll())
        self.scree("--catalyst", "bare.py",
                   "--set", "outputs.catalyst.every=0.01",
                   "--set", "outputs.catalyst.live='localhost:" + port + "'")
        out = client.communicate(timeout=60)[0]
        seen = eval(re.search(r"closed (\[.*\])", out).group(1))
        self.assertGreater(len(seen), 3)
        self.assertEqual(set(seen), {COUNT})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
