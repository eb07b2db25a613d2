"""ParaView in situ: pictures with content, extracts, errors, displays, live.

    pvpython paraview_catalyst.py SCREE SCRIPTS

SCRIPTS is the folder of the ready scripts, cases/catalyst.
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

SCREE, SCRIPTS = map(os.path.abspath, sys.argv[1:3])

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
ROCKS = """
name: rocks
time: {end: 1, step: 0.005}
threads: 1
materials: [{name: rock, density: 2600, friction: 0.3, restitution: 0.2}]
shapes: [{name: stone, rock: {diameter: 0.6, points: 12, variants: 3}}]
walls: [{name: hill, terrain: {file: hill.asc}, material: rock}]
bodies:
  - {lattice: {origin: [2, 6, 8], counts: [2, 3, 1], spacing: 1.2}, shape: stone, material: rock}
  - {pour: {box: {min: [1, 1, 9], max: [7, 4, 12]}, rate: 8, count: 4}, shape: stone, material: rock}
outputs:
  - catalyst: {scripts: [%s/terrain.py, %s/speed.py], every: 0.25, extracts: on}
""" % (SCRIPTS, SCRIPTS)
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
    if ranks.GetLocalProcessId() == 1:
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


def parent(pid):
    """0 for one that is no more."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def displays(above):
    """Process ids of the virtual displays that a process, or one that it began,
    has started."""
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
    return found


needs_ranks = unittest.skipIf(
    "mpi-" not in subprocess.run([SCREE, "--version"], text=True,
                                 capture_output=True).stdout,
    "built without MPI")


class InSitu(unittest.TestCase):
    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="scree-insitu-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("case.yaml", CASE)
        self.environment = {k: v for k, v in os.environ.items()
                            if k not in ("DISPLAY", "SCREE_CATALYST_PLUGIN")}

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def command(self, *arguments, case="case.yaml"):
        return [SCREE, "run", case, "--out", "out", *arguments]

    def scree(self, *arguments, case="case.yaml", code=0):
        done = subprocess.run(
            self.command(*arguments, case=case), cwd=self.folder,
            env=self.environment, capture_output=True, text=True, timeout=500)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def hash_of(self, done):
        return re.search("state hash: (.*)", done.stdout).group(1)

    def array(self, name, array, cells=False):
        data = read(self.path("out", name))
        data = data.GetCellData() if cells else data.GetPointData()
        return vtk_to_numpy(data.GetArray(array))

    def assert_drawn(self, name, share=0.02):
        """Something covers a share of the ground, which is the same along each
        row, and it has shades."""
        image = pixels(self.path("out", name))
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
                       if not k.startswith(("OMPI_", "PMIX_", "ORTE_"))}
        environment.update(
            OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
            OMPI_MCA_rmaps_base_oversubscribe="1",
            OMPI_MCA_mpi_yield_when_idle="1", OMP_NUM_THREADS="1")
        run = subprocess.Popen(
            ["mpirun", "-np", "2", *self.command(*arguments, case=case)],
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
    def test_ranks__two__spheres_as_on_one(self):
        """The ranks' parts are composited, sums and scales are those of all."""
        names = ("speed", "force_chains", "solid_fraction")
        words = [word for name in names
                 for word in ("--catalyst", SCRIPTS + "/" + name + ".py")]
        words += ["--set", "time.end=0.02", "--set", "reproducible=on",
                  "--set", "outputs.catalyst.every=0.02",
                  "--set", "outputs.catalyst.extracts=on"]
        self.scree(*words)
        os.rename(self.path("out"), self.path("one"))
        self.on_two_ranks(*words)
        for name in names:
            for step in ("000000", "000020"):
                self.assertTrue(self.close_to(*(
                    pixels(self.path(where, f"{name}_{step}.png"))
                    for where in ("one", "out"))), name + step)
        self.assert_drawn("force_chains_000020.png")
        one, two = (read(self.path(where, "solid_fraction_000020.vtp"))
                    for where in ("one", "out"))
        self.assertEqual(two.GetNumberOfPolys(), one.GetNumberOfPolys())
        for get in (lambda d: d.GetPoints().GetData(),
                    lambda d: d.GetPointData().GetArray("solid_fraction")):
            numpy.testing.assert_allclose(
                vtk_to_numpy(get(two)), vtk_to_numpy(get(one)), atol=1e-12)
        for name in names[:2]:
            one, two = (read(self.path(where, name + "_000020.vtp"))
                        for where in ("one", "out"))
            self.assertEqual(two.GetNumberOfPoints(), one.GetNumberOfPoints())
            self.assertEqual(two.GetNumberOfLines(), one.GetNumberOfLines())

    def trails(self, where):
        """Of terrain.py at the end: the points of each, in order of the first."""
        data = read(self.path(where, "terrain_000200.vtp"))
        cells = (data.GetCell(i) for i in range(data.GetNumberOfCells()))
        return sorted(tuple(cell.GetPoints().GetPoint(k)
                            for k in range(cell.GetNumberOfPoints()))
                      for cell in cells)

    @needs_ranks
    def test_ranks__two__trails_as_on_one(self):
        """While rocks are poured the ranks get other ids, but a trail is that
        of one rock."""
        self.write("hill.asc", HILL)
        self.write("rocks.yaml", ROCKS)
        self.scree("--set", "reproducible=on", case="rocks.yaml")
        os.rename(self.path("out"), self.path("one"))
        self.on_two_ranks("--set", "reproducible=on", case="rocks.yaml")
        self.assert_drawn("terrain_000200.png", 0.1)
        one, two = self.trails("one"), self.trails("out")
        self.assertEqual([len(t) for t in one].count(5), 6)  # since the start
        self.assertEqual(len(one), 10)
        self.assertEqual(two, one)
        for name in ("terrain", "speed"):
            self.assertTrue(self.close_to(*(
                pixels(self.path(where, name + "_000200.png"))
                for where in ("one", "out"))), name)

    @needs_ranks
    def test_ranks__one_fails__all_stop_with_one_message(self):
        self.write("bad.py", BARE + SECOND_FAILS)
        out, err = self.on_two_ranks("--catalyst", "bad.py", code=3)
        at = self.path("bad.py") + ":11: NameError: name 'no_such_name'"
        self.assertEqual(err.count("catalyst: " + at), 1, err)
        out, err = self.on_two_ranks(
            "--catalyst", "bad.py", "--set",
            "outputs.catalyst.on_error=continue")
        self.assertEqual(out.count("warning: catalyst: " + at), 1, out)
        self.assertIn("state hash", out)

    # ---- pictures and data -------------------------------------------------

    def test_scripts__spheres__pictures_and_extracts(self):
        done = self.scree("--catalyst", SCRIPTS + "/speed.py",
                          "--catalyst", SCRIPTS + "/force_chains.py",
                          "--catalyst", SCRIPTS + "/solid_fraction.py",
                          "--set", "outputs.catalyst.every=0.1",
                          "--set", "outputs.catalyst.extracts=on")
        self.assertRegex(done.stdout, r"\n  - catalyst +\d")
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.hash_of(done), self.hash_of(self.scree()))
        for step in ("000000", "000100"):
            self.assert_drawn(f"speed_{step}.png", 0.1)
            self.assert_drawn(f"solid_fraction_{step}.png", 0.1)
        self.assert_drawn("force_chains_000100.png")
        self.check_extracts()

    def check_extracts(self):
        points = read(self.path("out", "speed_000100.vtp"))
        self.assertEqual(points.GetNumberOfPoints(), COUNT)
        numpy.testing.assert_array_equal(self.array("speed_000100.vtp", "id"),
                                         numpy.arange(COUNT))
        v = self.array("speed_000100.vtp", "velocity")
        numpy.testing.assert_allclose(self.array("speed_000100.vtp", "speed"),
                                      (v * v).sum(axis=1)**0.5, atol=1e-15)
        lines = read(self.path("out", "force_chains_000100.vtp"))
        n = lines.GetNumberOfLines()
        self.assertGreaterEqual(n, COUNT // 4)
        self.assertEqual(lines.GetNumberOfVerts(), n)
        self.assertEqual(lines.GetNumberOfPoints(), 3 * n)

    def test_solid_fraction__one_ball__is_lucys_kernel(self):
        """phi = V w(r) with c = 3 R at every point of the plane."""
        self.scree("--catalyst", SCRIPTS + "/solid_fraction.py",
                   "--set", "bodies=[{sphere: {position: [0, 0, 1]}, radius: 1}]",
                   "--set", "outputs.catalyst.extracts=on",
                   "--set", "gravity=[0, 0, 0]", "--set", "time.end=0.001",
                   "--set", "outputs.catalyst.every=1")
        name = "solid_fraction_000000.vtp"
        x = vtk_to_numpy(read(self.path("out", name)).GetPoints().GetData())
        self.assertEqual(len(x), 161 * 161)
        r = ((x - [0, 0, 1])**2).sum(axis=1)**0.5 / 3
        phi = 105 / (12 * 27) * (1 + 3 * r) * (1 - r)**3
        numpy.testing.assert_allclose(self.array(name, "solid_fraction"), phi,
                                      atol=1e-7)  # points in single precision

    # ---- errors ------------------------------------------------------------

    def test_error__in_script__named_with_its_line(self):
        self.write("bad.py", BARE + "    if info.timestep > 0:\n"
                                    "        no_such_name\n")
        at = self.path("bad.py") + ":9: NameError: name 'no_such_name'"
        done = self.scree("--catalyst", "bad.py", code=3)
        self.assertIn("catalyst: " + at, done.stderr)
        done = self.scree("--catalyst", "bad.py",
                          "--set", "outputs.catalyst.on_error=continue")
        self.assertIn("warning: catalyst: " + at, done.stdout)
        self.assertIn("state hash", done.stdout)

    def test_error__in_syntax__named_with_its_line(self):
        self.write("bad.py", "# script-version: 2.0\nx = (1 +\n")
        done = self.scree("--catalyst", "bad.py", code=3)
        self.assertIn(self.path("bad.py") + ":2: SyntaxError", done.stderr)

    # ---- displays, signals -------------------------------------------------

    def stopped_by(self, number):
        """A long run, stopped in its middle; its exit code."""
        self.write("bare.py", BARE + "    print('at work', flush=True)\n")
        run = subprocess.Popen(
            self.command("--catalyst", "bare.py", "--set", "time.end=1e6",
                         "--set", "outputs.catalyst.every=0.01"),
            cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
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
        self.assertEqual(self.stopped_by(signal.SIGINT), 128 + signal.SIGINT)
        self.assertEqual(self.stopped_by(signal.SIGKILL), -signal.SIGKILL)

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
