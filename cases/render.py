"""Pictures of results, for `scree render`: run by pvbatch, not by hand.

    pvbatch render.py [--bodies FILE] [--surfaces FILE] [--walls FILE]
        --planes=px,py,pz,nx,ny,nz,... --times=FILE --size=W,H --out=FILE

Bodies are drawn as spheres with their radius (if there are surfaces, only those
that are spheres), surfaces as they are, both coloured by speed; walls in grey.
Of planes, which have no end, the part is drawn that bounds the space around the
bodies. The file of times has one a line; with several the picture's name has a
%06d.
"""
import argparse
import sys
import time

import numpy
from paraview import simple as pv
from paraview.servermanager import Fetch
from vtkmodules.util.numpy_support import vtk_to_numpy

BACKGROUND = [1.0, 1.0, 1.0]
INK = [0.15, 0.15, 0.18]
WALL = [0.80, 0.79, 0.76]
COLOURS = "Viridis (matplotlib)"


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("bodies", "surfaces", "walls"):
        parser.add_argument("--" + name)
    parser.add_argument("--planes", default="")
    parser.add_argument("--times", required=True)
    parser.add_argument("--size", required=True)
    parser.add_argument("--out", required=True)
    a = parser.parse_args()
    numbers = [float(x) for x in a.planes.split(",") if x]
    a.planes = numpy.array(numbers).reshape(-1, 6)
    with open(a.times) as file:
        a.times = [float(line) for line in file]
    a.size = [int(x) for x in a.size.split(",")]
    return a


# ---- data ---------------------------------------------------------------------

def array(data, name):
    found = data.GetArray(name)
    return vtk_to_numpy(found) if found is not None else None


class Scene:
    """The readers, and what of them decides how the picture looks."""

    def __init__(self, a):
        self.bodies = pv.OpenDataFile(a.bodies) if a.bodies else None
        self.surfaces = pv.OpenDataFile(a.surfaces) if a.surfaces else None
        self.walls = pv.OpenDataFile(a.walls) if a.walls else None
        self.low = numpy.full(3, numpy.inf)
        self.high = numpy.full(3, -numpy.inf)
        self.speeds = []
        self.fields = set()  # ("POINTS", "radius"), ...
        self.most = 0
        # A movie keeps its view: some of its frames stand for all.
        n = len(a.times)
        for k in sorted({0, n // 4, n // 2, 3 * n // 4, n - 1}):
            self.look(a.times[k])
        if not numpy.isfinite(self.low).all():  # nothing is there yet
            self.low, self.high = -numpy.ones(3), numpy.ones(3)
        self.planar = self.high[2] - self.low[2] < 1e-12

    def look(self, t):
        if self.bodies:
            self.bodies.UpdatePipeline(t)
            grid = Fetch(self.bodies)
            self.list_fields("POINTS", grid.GetPointData())
            if grid.GetNumberOfPoints() > 0:
                x = vtk_to_numpy(grid.GetPoints().GetData())
                r = array(grid.GetPointData(), "radius")[:, None]
                flat = (x[:, 2] == 0).all()
                r = r * [1, 1, 0] if flat else r
                self.include(x - r, x + r)
                self.keep(array(grid.GetPointData(), "speed"))
                self.most = max(self.most, len(x))
        if self.surfaces:
            self.surfaces.UpdatePipeline(t)
            grid = Fetch(self.surfaces)
            self.list_fields("CELLS", grid.GetCellData())
            if grid.GetNumberOfPoints() > 0:
                x = vtk_to_numpy(grid.GetPoints().GetData())
                self.include(x, x)
                self.keep(array(grid.GetCellData(), "speed"))

    def list_fields(self, place, data):
        for i in range(data.GetNumberOfArrays()):
            self.fields.add((place, data.GetArrayName(i)))

    def include(self, low, high):
        self.low = numpy.minimum(self.low, low.min(axis=0))
        self.high = numpy.maximum(self.high, high.max(axis=0))

    def keep(self, speed):
        if speed is not None:
            self.speeds.append(numpy.quantile(speed, 0.995))

    def fastest(self):
        """The top of the colours: a round number that few bodies exceed."""
        top = max(self.speeds, default=0.0)
        if top <= 1e-9:
            return 1.0
        step = 10.0 ** numpy.floor(numpy.log10(top))
        for factor in (1, 1.5, 2, 3, 4, 5, 6, 8, 10):
            if top <= factor * step * 1.0001:
                return factor * step
        return top


# ---- planes -------------------------------------------------------------------

def clipped(polygon, point, normal):
    """The part of a polygon in front of a plane."""
    kept = []
    for a, b in zip(polygon, polygon[1:] + polygon[:1]):
        da, db = (a - point) @ normal, (b - point) @ normal
        if da >= 0:
            kept.append(a)
        if da * db < 0:
            kept.append(a + (b - a) * da / (da - db))
    return kept


def plane_polygons(scene, planes):
    """(polygon, normal) of each plane, cut by the others and by a room a little
    larger than what the bodies take."""
    size = numpy.linalg.norm(scene.high - scene.low)
    room = 0.12 * size
    bounds = [(scene.low - room, axis) for axis in numpy.eye(3)]
    bounds += [(scene.high + room, -axis) for axis in numpy.eye(3)]
    middle = (scene.low + scene.high) / 2
    for i, plane in enumerate(planes):
        point, normal = plane[:3], plane[3:] / numpy.linalg.norm(plane[3:])
        side = numpy.cross(normal, numpy.eye(3)[abs(normal).argmin()])
        side /= numpy.linalg.norm(side)
        other = numpy.cross(normal, side)
        at = middle - ((middle - point) @ normal) * normal
        polygon = [at + 3 * size * (x * side + y * other)
                   for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        for k, (p, n) in enumerate([(q[:3], q[3:]) for q in planes] + bounds):
            if k != i and len(polygon) >= 3:
                polygon = clipped(polygon, p - 1e-9 * size * n, n)
        if len(polygon) >= 3:
            yield polygon, normal


def polygon_source(polygon):
    script = """
import vtk
points = vtk.vtkPoints()
polygon = vtk.vtkCellArray()
polygon.InsertNextCell(%d)
for i, x in enumerate(%r):
    points.InsertNextPoint(x)
    polygon.InsertCellPoint(i)
output.SetPoints(points)
output.SetPolys(polygon)
""" % (len(polygon), [[float(c) for c in x] for x in polygon])
    return pv.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=script)


def plain(display, opacity, colour=WALL):
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = colour
    display.Ambient = 0.3
    display.Opacity = opacity
    display.Specular = 0.0


def draw_planes(scene, view, planes, direction):
    """Planes that the eye looks at from inside are solid; those between the eye
    and the bodies are left out but for their outline."""
    for polygon, normal in plane_polygons(scene, planes):
        source = polygon_source(polygon)
        behind = normal @ direction > 0.05
        display = pv.Show(source, view)
        plain(display, 1.0, WALL if behind else INK)
        if not behind:
            display.SetRepresentationType("Wireframe")
            display.Opacity = 0.35
        elif normal[2] < 0.3:
            display.Opacity = 0.45


# ---- bodies -------------------------------------------------------------------

def colour_by_speed(scene, display, view, place, top):
    if (place, "speed") not in scene.fields:
        plain(display, 1.0, [0.45, 0.55, 0.7])
        return
    pv.ColorBy(display, (place, "speed"))
    table = pv.GetColorTransferFunction("speed")
    table.ApplyPreset(COLOURS, True)
    table.RescaleTransferFunction(0.0, top)
    table.AutomaticRescaleRangeMode = "Never"
    bar = pv.GetScalarBar(table, view)
    bar.Title, bar.ComponentTitle = "speed [m/s]", ""
    bar.TitleColor = bar.LabelColor = INK
    bar.TitleFontSize, bar.LabelFontSize = 16, 14
    bar.ScalarBarThickness, bar.ScalarBarLength = 14, 0.45
    bar.WindowLocation = "Any Location"
    bar.Position = [0.90, 0.27]
    bar.HorizontalTitle = 1
    bar.DrawTickMarks = 0
    bar.RangeLabelFormat = bar.LabelFormat = "%-.3g"
    bar.AutomaticLabelFormat = 0
    bar.UseCustomLabels = 1
    bar.CustomLabels = [top * i / 4 for i in range(1, 4)]
    display.SetScalarBarVisibility(view, True)


def draw_bodies(scene, view, top):
    source = scene.bodies
    if scene.surfaces and ("POINTS", "shape") in scene.fields:
        source = pv.Threshold(Input=source, Scalars=["POINTS", "shape"],
                              LowerThreshold=-1, UpperThreshold=-1)
    display = pv.Show(source, view)
    display.SetRepresentationType("3D Glyphs")
    display.GlyphType = "Sphere"
    fine = 24 if scene.most < 3000 else 16 if scene.most < 30000 else 10
    display.GlyphType.ThetaResolution = fine
    display.GlyphType.PhiResolution = fine
    display.Scaling = 1
    display.ScaleMode = "Magnitude"
    display.SelectScaleArray = "radius"
    display.ScaleFactor = 2.0
    display.Specular = 0.25
    display.SpecularPower = 40
    colour_by_speed(scene, display, view, "POINTS", top)


def draw_surfaces(scene, view, top):
    # Corners that faces share would be shaded as if the edges were round.
    display = pv.Show(scene.surfaces, view)
    display.SetRepresentationType("Surface")
    display.Interpolation = "Flat"
    colour_by_speed(scene, display, view, "CELLS", top)


def draw_walls(scene, view):
    display = pv.Show(scene.walls, view)
    display.SetRepresentationType("Surface")
    display.Interpolation = "Flat"
    size = scene.walls.GetDataInformation().GetBounds()
    ground = size[5] - size[4] < 0.5 * max(size[1] - size[0], size[3] - size[2])
    plain(display, 1.0 if ground else 0.25)


# ---- the picture --------------------------------------------------------------

def make_view(size):
    view = pv.CreateView("RenderView")
    view.ViewSize = size
    view.Background = BACKGROUND
    view.UseColorPaletteForBackground = 0
    view.OrientationAxesVisibility = 0
    view.UseFXAA = 1
    return view


def eye(scene):
    """From where the eye looks, as a direction from the bodies to it."""
    if scene.planar:
        return numpy.array([0.0, 0.0, 1.0])
    direction = numpy.array([0.55, -1.0, 0.45])
    return direction / numpy.linalg.norm(direction)


def aim(scene, view, direction, aspect):
    """All of the bodies' box is in the picture, with room at the right for the
    colours."""
    middle = (scene.low + scene.high) / 2
    up = numpy.array([0.0, 1.0, 0.0] if scene.planar else [0.0, 0.0, 1.0])
    right = numpy.cross(up, direction)
    right /= numpy.linalg.norm(right)
    up = numpy.cross(direction, right)
    half = (scene.high - scene.low) / 2
    # The reach of a box along a direction is the sum of that of its sides.
    wide = half @ abs(right) * 1.28 / aspect
    tall = half @ abs(up) * 1.12
    deep = half @ abs(direction)
    scale = wide if wide > tall else tall
    focus = middle + 0.06 * scale * aspect * right
    view.CameraFocalPoint = list(focus)
    view.CameraViewUp = list(up)
    if scene.planar:
        view.CameraParallelProjection = 1
        view.CameraParallelScale = scale
        view.CameraPosition = list(focus + 10 * scale * direction)
    else:
        view.CameraViewAngle = 25
        distance = scale / numpy.tan(numpy.radians(12.5)) + deep
        view.CameraPosition = list(focus + distance * direction)


def main():
    a = arguments()
    pv._DisableFirstRenderCameraReset()
    scene = Scene(a)
    view = make_view(a.size)
    top = scene.fastest()
    direction = eye(scene)
    if scene.bodies:
        draw_bodies(scene, view, top)
    if scene.surfaces:
        draw_surfaces(scene, view, top)
    if scene.walls:
        scene.walls.UpdatePipeline(a.times[0])
        draw_walls(scene, view)
    draw_planes(scene, view, a.planes, direction)
    clock = pv.Text()
    label = pv.Show(clock, view)
    label.Color, label.FontSize = INK, 16
    label.WindowLocation = "Lower Left Corner"
    aim(scene, view, direction, a.size[0] / a.size[1])

    digits = 3 if a.times[-1] < 10 else 2
    begun = said = time.time()
    n = len(a.times)
    for k, t in enumerate(a.times):
        view.ViewTime = t
        clock.Text = " t = %.*f s" % (digits, t)
        pv.SaveScreenshot(a.out % k if n > 1 else a.out.replace("%06d", "%06d" % k),
                          view, ImageResolution=a.size)
        now = time.time()
        if n > 1 and (now - said > 2 or k == n - 1):
            said = now
            print("rendered %d of %d frames, %.0f s to go" %
                  (k + 1, n, (now - begun) / (k + 1) * (n - k - 1)), flush=True)
    sys.stdout.flush()


main()
