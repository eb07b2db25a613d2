"""What a picture of a run looks like: bodies, surfaces, walls, colours, camera.

`scree render` draws with this module, the scripts of cases/catalyst share its
balls, legend and camera, and a copy of it is the first part of the view.py that
a run writes into its folder: what ParaView shows and what a picture shows are
the same.
"""
import math
import os

import numpy
from paraview import simple as pv
from paraview.servermanager import Fetch
from vtkmodules.util.numpy_support import vtk_to_numpy

BACKGROUND = [1.0, 1.0, 1.0]
INK = [0.15, 0.15, 0.18]
WALL = [0.80, 0.79, 0.76]
PLAIN = [0.45, 0.55, 0.7]
WIRE = [0.30, 0.22, 0.18]
SERIES = ("bodies", "surfaces", "walls", "joints")
COLOURS = "Viridis (matplotlib)"
UNITS = {"speed": "m/s", "velocity": "m/s", "angular_velocity": "rad/s",
         "radius": "m", "mass": "kg", "volume": "m^3", "force": "N"}
ANGLE = 25.0  # of the camera [degrees]


# ---- numbers ------------------------------------------------------------------

def round_up(x):
    """The next of 1, 1.5, 2, 3, 5, 7 times a power of ten."""
    if not x > 0:
        return 1e-3
    power = 10 ** math.floor(math.log10(x))
    steps = (1, 1.5, 2, 3, 5, 7, 10)
    return power * min(k for k in steps if k * power >= 0.999 * x)


def unit(vector):
    return numpy.asarray(vector, float) / numpy.linalg.norm(vector)


def array(data, name):
    found = data.GetArray(name)
    return vtk_to_numpy(found) if found is not None else None


def magnitudes(values):
    """One number for each row: its length if it is a vector."""
    return values if values.ndim == 1 else numpy.linalg.norm(values, axis=1)


def core_of(low, high):
    """The box of most bodies, from the ends of each: along every axis the ends,
    unless they lie farther out than the middle 96 % of the bodies are wide. One
    body that was shot away does not make all others small."""
    if len(low) < 20:
        return low.min(axis=0), high.max(axis=0)
    first, last = numpy.quantile(low, 0.02, axis=0), numpy.quantile(high, 0.98, axis=0)
    reach = last - first
    return (numpy.maximum(low.min(axis=0), first - reach),
            numpy.minimum(high.max(axis=0), last + reach))


# ---- data ---------------------------------------------------------------------

class Scene:
    """The readers, and what of them decides how the picture looks.

    `files` has the paths of SERIES as far as they are there; `times` are those that will be shown, None: all."""

    def __init__(self, files, times=None, field="speed"):
        readers = {name: pv.OpenDataFile(path) for name, path in files.items()}
        for name, reader in readers.items():
            pv.RenameSource(name, reader)
        self.bodies = readers.get("bodies")
        self.surfaces = readers.get("surfaces")
        self.walls = readers.get("walls")
        self.joints = readers.get("joints")
        self.times = times or self.all_times()
        self.field = field
        self.lows, self.highs, self.values = [], [], []
        self.fields = set()  # ("POINTS", "radius"), ...
        self.most = 0
        # A movie keeps its view: some of its frames stand for all.
        n = len(self.times)
        for k in sorted({0, n // 4, n // 2, 3 * n // 4, n - 1}):
            self.look(self.times[k])
        self.low, self.high = -numpy.ones(3), numpy.ones(3)
        if self.lows:
            self.low, self.high = core_of(numpy.vstack(self.lows), numpy.vstack(self.highs))
        self.planar = self.high[2] - self.low[2] < 1e-12

    def all_times(self):
        main = self.bodies or self.surfaces
        main.UpdatePipelineInformation()
        times = main.TimestepValues
        return list(times) if hasattr(times, "__len__") else [times]

    def look(self, t):
        if self.bodies:
            self.bodies.UpdatePipeline(t)
            grid = Fetch(self.bodies)
            self.keep("POINTS", grid.GetPointData())
            if grid.GetNumberOfPoints() > 0:
                x = vtk_to_numpy(grid.GetPoints().GetData())
                r = array(grid.GetPointData(), "radius")
                r = numpy.zeros((len(x), 1)) if r is None else r[:, None]
                r = r * [1, 1, 0] if (x[:, 2] == 0).all() else r
                self.lows.append(x - r)
                self.highs.append(x + r)
                self.most = max(self.most, len(x))
        if self.surfaces:
            self.surfaces.UpdatePipeline(t)
            grid = Fetch(self.surfaces)
            self.keep("CELLS", grid.GetCellData())
            if grid.GetNumberOfPoints() > 0:
                x = vtk_to_numpy(grid.GetPoints().GetData())
                self.lows.append(x)
                self.highs.append(x)

    def keep(self, place, data):
        for i in range(data.GetNumberOfArrays()):
            self.fields.add((place, data.GetArrayName(i)))
        values = array(data, self.field)
        if values is not None and len(values) > 0:
            self.values.append(magnitudes(values))

    def range(self):
        """Of the colours: of speeds from 0 to a round number that few bodies
        exceed, of other fields from the least to the most."""
        if not self.values:
            return 0.0, 1.0
        values = numpy.concatenate(self.values)
        if self.field == "speed":
            top = numpy.quantile(values, 0.995)
            return 0.0, round_up(top) if top > 1e-9 else 1.0
        low, high = float(values.min()), float(values.max())
        return (low, high) if high > low else (low - 0.5, high + 0.5)


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
    room = 0.08 * size
    bounds = [(scene.low - room, axis) for axis in numpy.eye(3)]
    bounds += [(scene.high + room, -axis) for axis in numpy.eye(3)]
    middle = (scene.low + scene.high) / 2
    for i, plane in enumerate(planes):
        point, normal = plane[:3], unit(plane[3:])
        side = unit(numpy.cross(normal, numpy.eye(3)[abs(normal).argmin()]))
        other = numpy.cross(normal, side)
        at = middle - ((middle - point) @ normal) * normal
        polygon = [at + 3 * size * (x * side + y * other)
                   for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        for k, (p, n) in enumerate([(q[:3], q[3:]) for q in planes] + bounds):
            if k != i and len(polygon) >= 3:
                polygon = clipped(polygon, p - 1e-9 * size * n, n)
        if len(polygon) >= 3:
            yield polygon, normal


def outline_of(polygon):
    # Not a ProgrammableSource: running one replaces max, min and abs in the
    # script that ParaView is running by functions of arrays.
    corners = [float(c) for x in polygon for c in x]
    return pv.PolyLineSource(Points=corners, Closed=1)


def draw_planes(scene, view, planes, direction):
    """Planes that the eye looks at from inside are solid; those between the eye
    and the bodies are left out but for their outline."""
    for polygon, normal in plane_polygons(scene, planes):
        outline = outline_of(polygon)
        if normal @ direction <= 0.05:
            plain(pv.Show(outline, view), 0.35, INK)
            continue
        solid = pv.Delaunay2D(Input=outline)
        solid.ProjectionPlaneMode = "Best-Fitting Plane"
        display = pv.Show(solid, view)
        plain(display, 1.0 if normal[2] >= 0.3 else 0.45)


# ---- displays -----------------------------------------------------------------

def plain(display, opacity, colour=WALL):
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = colour
    display.Ambient = 0.3
    display.Opacity = opacity
    display.Specular = 0.0


def select(source, place, name, low, high):
    """Points or cells with low <= name <= high."""
    some = pv.Threshold(Input=source)
    some.Scalars = [place, name]
    some.ThresholdMethod = "Between"
    some.LowerThreshold, some.UpperThreshold = low, high
    some.AllScalars = 0
    return some


def show_balls(points, view, factor=1.0, fine=12):
    """A ball of the body's radius, times a factor, at every point."""
    display = pv.Show(points, view)
    display.SetRepresentationType("3D Glyphs")
    display.GlyphType = "Sphere"
    display.GlyphType.ThetaResolution = fine
    display.GlyphType.PhiResolution = fine
    display.Orient = 0
    display.Scaling = 1
    display.ScaleMode = "Magnitude"
    display.SelectScaleArray = "radius"
    display.ScaleFactor = 2.0 * factor  # the sphere has radius 0.5
    display.Specular = 0.25
    display.SpecularPower = 40
    return display


def font_of(size):
    """Letters that fit a picture of that size [points]."""
    return int(min(max(min(size[0], size[1] * 1.3) / 50, 7), 18))


def legend_share(size):
    """What part of the width the legend takes: nothing of a very small one."""
    need = 9.5 * font_of(size)
    return min(need / size[0], 0.4) if size[0] >= 160 else 0.0


def style_legend(bar, title, size):
    """The bar of colours, at the right, within the picture."""
    bar.Title, bar.ComponentTitle = title, ""
    bar.TitleColor = bar.LabelColor = INK
    bar.TitleFontSize = bar.LabelFontSize = font_of(size)
    bar.TitleBold = 0
    bar.ScalarBarThickness = font_of(size)
    bar.ScalarBarLength = 0.45
    bar.WindowLocation = "Any Location"
    bar.Position = [1.0 - 0.9 * legend_share(size), 0.27]
    bar.HorizontalTitle = 1
    bar.DrawTickMarks = 0
    bar.AutomaticLabelFormat = 0
    bar.LabelFormat = bar.RangeLabelFormat = "%-.4g"


def colour(scene, display, view, place, ends):
    name = scene.field
    if (place, name) not in scene.fields:
        plain(display, 1.0, PLAIN)
        return
    # Not ColorBy: it looks for the range of the data, and warns if there are none.
    table = pv.GetColorTransferFunction(name)
    display.ColorArrayName = [place, name]
    display.LookupTable = table
    table.ApplyPreset(COLOURS, True)
    table.RescaleTransferFunction(*ends)
    table.AutomaticRescaleRangeMode = "Never"
    bar = pv.GetScalarBar(table, view)
    title = "%s [%s]" % (name, UNITS[name]) if name in UNITS else name
    style_legend(bar, title, view.ViewSize)
    bar.UseCustomLabels = 1
    bar.CustomLabels = [ends[0] + (ends[1] - ends[0]) * i / 4 for i in (1, 2, 3)]
    display.SetScalarBarVisibility(view, legend_share(view.ViewSize) > 0)


def draw_bodies(scene, view, ends):
    """As spheres; if there are surfaces, only those that are spheres."""
    source = scene.bodies
    if scene.surfaces and ("POINTS", "shape") in scene.fields:
        source = select(source, "POINTS", "shape", -1, -1)
        pv.RenameSource("spheres", source)
    fine = 24 if scene.most < 3000 else 16 if scene.most < 30000 else 10
    display = show_balls(source, view, fine=fine)
    colour(scene, display, view, "POINTS", ends)
    return [display]


# Polygons know the id of their body, which is the number of its point.
OF_BODIES = """
values = inputs[1].PointData["%s"]
if len(values) > 0:
    output.CellData.append(values[inputs[0].CellData["id"]], "%s")
"""


def surfaces_with_field(scene):
    """The surfaces, with the field of the colours if only bodies have it."""
    name, source = scene.field, scene.surfaces
    wanted = ("CELLS", name) not in scene.fields and scene.bodies
    if not (wanted and {("POINTS", name), ("CELLS", "id")} <= scene.fields):
        return source
    both = pv.ProgrammableFilter(Input=[source, scene.bodies])
    both.Script = OF_BODIES % (name, name)
    both.CopyArrays = 1
    scene.fields.add(("CELLS", name))
    return both


def draw_surfaces(scene, view, ends):
    """With their edges: bodies at rest have one colour and would melt into one.
    Facets of round bodies meet at small angles and get none."""
    display = pv.Show(surfaces_with_field(scene), view)
    display.SetRepresentationType("Surface")
    # Corners that faces share would be shaded as if the edges were round.
    display.Interpolation = "Flat"
    colour(scene, display, view, "CELLS", ends)
    edges = pv.FeatureEdges(Input=pv.ExtractSurface(Input=scene.surfaces))
    pv.RenameSource("edges", edges)
    edges.FeatureAngle = 31.0
    edges.ManifoldEdges = edges.NonManifoldEdges = edges.Coloring = 0
    lines = pv.Show(edges, view)
    # Bodies at rest are dark: light lines part them.
    plain(lines, 0.8 if scene.planar else 0.4, [0.88, 0.88, 0.88])
    lines.LineWidth = 1.0
    return [display, lines]


def draw_walls(scene, view):
    scene.walls.UpdatePipeline(scene.times[0])
    display = pv.Show(scene.walls, view)
    display.SetRepresentationType("Surface")
    display.Interpolation = "Flat"
    size = scene.walls.GetDataInformation().GetBounds()
    ground = size[5] - size[4] < 0.5 * max(size[1] - size[0], size[3] - size[2])
    plain(display, 1.0 if ground else 0.25)


def draw_joints(scene, view):
    """Cables, springs and rods as lines; balls, hinges, sliders, fixed joints as dots
    where they hold."""
    lines = pv.Show(scene.joints, view)
    lines.SetRepresentationType("Wireframe")
    plain(lines, 1.0, WIRE)
    lines.LineWidth = 1.5
    lines.RenderLinesAsTubes = 1
    dots = pv.Show(select(scene.joints, "CELLS", "kind", 0, 3), view)
    dots.SetRepresentationType("3D Glyphs")
    dots.GlyphType = "Sphere"
    dots.GlyphType.ThetaResolution = dots.GlyphType.PhiResolution = 16
    dots.GlyphType.Radius = 0.006 * numpy.linalg.norm(scene.high - scene.low)
    dots.Orient = dots.Scaling = 0
    plain(dots, 1.0, [0.85, 0.35, 0.10])
    if scene.planar:  # before the bodies
        lines.Position = dots.Position = [0, 0, 2 * dots.GlyphType.Radius]


def draw_clock(view, end):
    """The time of what is seen, in a corner; it follows the animation."""
    clock = pv.AnnotateTime()
    clock.Format = " t = {time:.%df} s" % (3 if end < 10 else 2)
    label = pv.Show(clock, view)
    label.Color, label.FontSize = INK, font_of(view.ViewSize)
    label.WindowLocation = "Lower Left Corner"


# ---- the camera ---------------------------------------------------------------

def eye_of(planar):
    """From where the eye looks, as a direction from the bodies to it."""
    return unit([0, 0, 1] if planar else [0.55, -1.0, 0.45])


def aim(view, low, high, direction, planar=False, share=0.0):
    """All of the box is in the picture, with a share of it free at the right."""
    low, high, back = numpy.asarray(low), numpy.asarray(high), unit(direction)
    # Who looks straight down has no up but another axis.
    steep = planar or abs(back[2]) > 0.999
    right = unit(numpy.cross([0, 1, 0] if steep else [0, 0, 1], back))
    up = numpy.cross(back, right)
    middle, aspect = (low + high) / 2, view.ViewSize[0] / view.ViewSize[1]
    corners = numpy.array([[(high if i >> k & 1 else low)[k] for k in range(3)]
                           for i in range(8)]) - middle
    wide, tall = 0.90 * (1 - share) * aspect, 0.85
    across, along = abs(corners @ right), abs(corners @ up)
    if planar:
        scale = max((across / wide).max(), (along / tall).max(), 1e-12)
        view.CameraParallelProjection = 1
        view.CameraParallelScale = scale
        half, distance = scale, 10 * scale
    else:
        tangent = math.tan(math.radians(ANGLE) / 2)
        near = corners @ back
        distance = max((near + across / (wide * tangent)).max(),
                       (near + along / (tall * tangent)).max(), 1e-12)
        view.CameraViewAngle = ANGLE
        half = distance * tangent
    focus = middle + share * half * aspect * right
    view.CameraFocalPoint = list(focus)
    view.CameraPosition = list(focus + distance * back)
    view.CameraViewUp = list(up)
    view.CenterOfRotation = list(middle)


# ---- the picture --------------------------------------------------------------

def style_view(view):
    view.UseColorPaletteForBackground = 0
    view.BackgroundColorMode = "Single Color"
    view.Background = BACKGROUND
    view.UseFXAA = 1


def draw(scene, view, planes, direction, ends):
    """All but the camera; returns the displays of bodies."""
    displays = draw_bodies(scene, view, ends) if scene.bodies else []
    if scene.surfaces:
        displays += draw_surfaces(scene, view, ends)
    if scene.walls:
        draw_walls(scene, view)
    if scene.joints:
        draw_joints(scene, view)
    draw_planes(scene, view, numpy.reshape(planes, (-1, 6)), direction)
    draw_clock(view, scene.times[-1])
    return displays


def show_run(folder, planes):
    """The run of a folder in the view that is open, at its first frame."""
    files = {name: os.path.join(folder, name + ".hdf.series")
             for name in SERIES}
    files = {name: path for name, path in files.items() if os.path.exists(path)}
    if not ("bodies" in files or "surfaces" in files):
        raise SystemExit("%s: no bodies.hdf.series and no surfaces.hdf.series "
                         "are here: nothing to show" % folder)
    pv._DisableFirstRenderCameraReset()
    view = pv.GetActiveViewOrCreate("RenderView")
    style_view(view)
    view.OrientationAxesVisibility = 1
    scene = Scene(files)
    direction = eye_of(scene.planar)
    draw(scene, view, planes, direction, scene.range())
    aim(view, scene.low, scene.high, direction, scene.planar,
        legend_share(view.ViewSize))
    animation = pv.GetAnimationScene()
    animation.UpdateAnimationUsingDataTimeSteps()
    animation.AnimationTime = view.ViewTime = scene.times[0]
    pv.SetActiveSource(scene.bodies or scene.surfaces)
    pv.Render(view)
    return view


def own_folder(names):
    """Where this script lies. ParaView's window does not tell a script its name
    (`__file__`), but the system knows the command that it was started with."""
    if "__file__" in names:
        return os.path.dirname(os.path.abspath(names["__file__"]))
    try:
        with open("/proc/self/cmdline", "rb") as file:
            words = [os.fsdecode(word) for word in file.read().split(b"\0")]
    except OSError:
        words = []
    for word in words:
        path = word.split("=", 1)[1] if word.startswith("--script=") else word
        if os.path.basename(path) == "view.py" and os.path.exists(path):
            return os.path.dirname(os.path.abspath(path))
    return os.getcwd()
