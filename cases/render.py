"""Pictures of results, for `scree render`: run by pvbatch, not by hand.

    pvbatch render.py [--bodies FILE] [--surfaces FILE] [--walls FILE]
        [--joints FILE] [--contacts FILE] [--trails=N] [--color=FIELD] [--range=LOW,HIGH]
        [--camera=X,Y,Z] [--box=X0,X1,Y0,Y1,Z0,Z1]
        --planes=px,py,pz,nx,ny,nz,... --times=FILE --size=W,H --out=FILE

How things are drawn is in scree_scene.py. Of planes, which have no end, the part
is drawn that bounds the space around the bodies. The file of times has one a
line; with several the picture's name has a %06d. Trails are those of at most N
bodies.
"""
import argparse
import os
import sys
import time

import numpy
from paraview import simple as pv
from paraview.servermanager import Fetch
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scree_scene  # noqa: E402

TRAIL = [0.90, 0.45, 0.10]


def numbers(text):
    return [float(x) for x in text.split(",") if x]


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("bodies", "surfaces", "walls", "joints", "contacts"):
        parser.add_argument("--" + name)
    for name in ("planes", "range", "camera", "box"):
        parser.add_argument("--" + name, type=numbers, default=[])
    parser.add_argument("--trails", type=int, default=0)
    parser.add_argument("--color", default="speed")
    parser.add_argument("--times", required=True)
    parser.add_argument("--size", type=numbers, required=True)
    parser.add_argument("--out", required=True)
    a = parser.parse_args()
    with open(a.times) as file:
        a.times = [float(line) for line in file]
    a.size = [int(x) for x in a.size]
    return a


# ---- contacts -----------------------------------------------------------------

class Contacts:
    """The chains of force: lines as tubes, the thicker the more they carry."""

    def __init__(self, path, scene, view):
        self.reader = pv.OpenDataFile(path)
        largest = self.largest(scene.times)
        size = numpy.linalg.norm(scene.high - scene.low)
        thin, thick = 0.0006 * size, 0.008 * size
        width = pv.Calculator(Input=pv.CellDatatoPointData(
            Input=pv.ExtractSurface(Input=self.reader)))
        width.ResultArrayName = "width"
        width.Function = "%.9g + force * %.9g" % (thin, (thick - thin) / largest)
        tubes = pv.Tube(Input=width)
        tubes.Scalars = ["POINTS", "width"]
        tubes.VaryRadius = "By Absolute Scalar"
        tubes.NumberofSides = 8
        display = pv.Show(tubes, view)
        scree_scene.plain(display, 1.0, [0.55, 0.08, 0.08])

    def largest(self, times):
        found = [0.0]
        for t in (times[0], times[len(times) // 2], times[-1]):
            self.reader.UpdatePipeline(t)
            force = self.reader.CellData.GetArray("force")
            if force and force.GetNumberOfTuples() > 0:
                found.append(force.GetRange(0)[1])
        return float(numpy.max(found)) or 1.0


# ---- trails -------------------------------------------------------------------

class Trails:
    """The way of bodies from the first frame of the run to the one drawn."""

    def __init__(self, scene, most, view):
        self.all = scene.all_times()
        self.scene, self.most, self.paths, self.read = scene, most, {}, 0
        self.source = pv.TrivialProducer()
        self.show(scene.times[0])
        display = pv.Show(self.source, view)
        scree_scene.plain(display, 0.8, TRAIL)
        display.LineWidth = 2.0

    def add_frame(self, t):
        self.scene.bodies.UpdatePipeline(t)
        grid = Fetch(self.scene.bodies)
        n = grid.GetNumberOfPoints()
        if n == 0:
            return
        x = vtk_to_numpy(grid.GetPoints().GetData())
        step = -(-n // self.most)
        for i in range(0, n, step):
            self.paths.setdefault(i, []).append(x[i].copy())

    def show(self, t):
        while self.read < len(self.all) and self.all[self.read] <= t * (1 + 1e-12):
            self.add_frame(self.all[self.read])
            self.read += 1
        points, lines = vtkPoints(), vtkCellArray()
        for path in self.paths.values():
            lines.InsertNextCell(len(path))
            for x in path:
                lines.InsertCellPoint(points.InsertNextPoint(x))
        data = vtkPolyData()
        data.SetPoints(points)
        data.SetLines(lines)
        self.source.GetClientSideObject().SetOutput(data)
        self.source.MarkModified(self.source)


# ---- the pictures -------------------------------------------------------------

def make_view(size):
    view = pv.CreateView("RenderView")
    view.ViewSize = size
    view.OrientationAxesVisibility = 0
    scree_scene.style_view(view)
    return view


def box_of(a, scene):
    if not a.box:
        return scene.low, scene.high
    return numpy.array(a.box[0::2]), numpy.array(a.box[1::2])


def draw(a, scene, view):
    direction = scree_scene.unit(a.camera) if a.camera \
        else scree_scene.eye_of(scene.planar)
    ends = tuple(a.range) or scene.range()
    displays = scree_scene.draw(scene, view, a.planes, direction, ends)
    if a.contacts:
        Contacts(a.contacts, scene, view)
        for display in displays:
            display.Opacity = 0.15
    share = scree_scene.legend_share(a.size)
    scree_scene.aim(view, *box_of(a, scene), direction,
                    scene.planar and not a.camera, share)


def main():
    a = arguments()
    pv._DisableFirstRenderCameraReset()
    files = {name: getattr(a, name) for name in scree_scene.SERIES
             if getattr(a, name)}
    scene = scree_scene.Scene(files, a.times, a.color)
    view = make_view(a.size)
    draw(a, scene, view)
    trails = Trails(scene, a.trails, view) if a.trails and scene.bodies else None
    begun = said = time.time()
    n = len(a.times)
    for k, t in enumerate(a.times):
        if trails:
            trails.show(t)
        view.ViewTime = t
        pv.SaveScreenshot(a.out % k if n > 1 else a.out.replace("%06d", "%06d" % k),
                          view, ImageResolution=a.size)
        now = time.time()
        if n > 1 and (now - said > 2 or k == n - 1):
            said = now
            print("rendered %d of %d frames, %.0f s to go" %
                  (k + 1, n, (now - begun) / (k + 1) * (n - k - 1)), flush=True)
    sys.stdout.flush()


main()
