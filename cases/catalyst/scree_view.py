"""What the ready scripts share: view, camera, legend, pictures, extracts.

A script exported by the ParaView GUI has all of this written out. Here it is
computed, so that the scripts fit any case: the camera looks at the box around
everything that was ever seen, and legends end at a round number.
"""
import math
import os
import sys

import numpy
from paraview import catalyst
from paraview.modules.vtkPVInSitu import vtkInSituInitializationHelper
from paraview.simple import (
    CreateExtractor, CreateView, GetColorTransferFunction, GetScalarBar, Show,
    Text)
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDoubleArray
from vtkmodules.vtkParallelCore import (
    vtkCommunicator, vtkMultiProcessController)

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import scree_scene  # noqa: E402
from scree_scene import INK, select  # noqa: E402

SIZE = [1200, 800]  # of the pictures [pixels]


def argument(key):
    """What the case says of this sink: name, extracts, live."""
    pairs = (text.split("=", 1) for text in catalyst.get_args())
    return dict(pairs).get(key, "")


def make_view():
    """A view on a pale ground."""
    view = CreateView("RenderView")
    view.ViewSize = SIZE
    view.UseColorPaletteForBackground = 0
    view.BackgroundColorMode = "Gradient"
    view.Background = [1.0, 1.0, 1.0]
    view.Background2 = [0.86, 0.89, 0.94]
    view.OrientationAxesVisibility = 1
    view.OrientationAxesLabelColor = INK
    return view


class Clock:
    """The name of the case and the time, in a corner."""

    def __init__(self, view):
        self.text = Text()
        display = Show(self.text, view, "TextSourceRepresentation")
        display.WindowLocation = "Upper Left Corner"
        display.Color = INK
        display.FontSize = 20

    def show(self, time):
        self.text.Text = "%s   t = %.3f s" % (argument("name"), time)


def update(producer):
    """Brings a channel or filter to the time of the call."""
    producer.UpdatePipeline(vtkInSituInitializationHelper.GetTime())


def others():
    """Who speaks to the other ranks; None if there are none."""
    controller = vtkMultiProcessController.GetGlobalController()
    return controller if controller and controller.GetNumberOfProcesses() > 1 \
        else None


def is_first():
    """Whether this is the rank that holds what there is only once."""
    return not others() or others().GetLocalProcessId() == 0


def over_ranks(values, operation):
    """An array combined with those of all ranks, number by number."""
    if not others():
        return values
    mine = numpy_to_vtk(numpy.ascontiguousarray(values).ravel())
    result = vtkDoubleArray()
    result.SetNumberOfTuples(mine.GetNumberOfTuples())
    others().AllReduce(mine, result, operation)
    return vtk_to_numpy(result).reshape(values.shape)


def most(values):
    """The largest over all ranks, one by one; a channel knows its part alone."""
    return list(over_ranks(numpy.array(values, float), vtkCommunicator.MAX_OP))


def total(values):
    """The sum over all ranks, number by number."""
    return over_ranks(values, vtkCommunicator.SUM_OP)


def rows_of_all(rows):
    """The rows of all ranks, on the first one; elsewhere there are none."""
    if not others():
        return rows
    mine = numpy_to_vtk(numpy.ascontiguousarray(rows).ravel())
    result = vtkDoubleArray()
    others().GatherV(mine, result, 0)
    columns = rows.shape[1]
    return vtk_to_numpy(result).reshape(-1, columns) if is_first() \
        else numpy.empty((0, columns))


def box_of(producer):
    """Bounds of a channel over all ranks; None while it is empty."""
    update(producer)
    bounds = producer.GetDataInformation().GetBounds()
    ends = [x if k % 2 else -x for k, x in enumerate(bounds)]
    ends = most(ends if bounds[0] <= bounds[1] else 6 * [-math.inf])
    return [x if k % 2 else -x for k, x in enumerate(ends)] \
        if -ends[0] <= ends[1] else None


def range_of(producer, name, cells=False):
    update(producer)
    data = producer.CellData if cells else producer.PointData
    array = data.GetArray(name)
    low, high = array.GetRange(0) if array else (1, 0)
    low, high = most([-low, high] if low <= high else 2 * [-math.inf])
    return (-low, high) if -low <= high else (0, 0)


class Camera:
    """Fits the box around all that is there, from `direction`.

    It stands still until something leaves the framed box, or until that is
    half as large again as needed. A flat world is seen from above. `around`
    adds as much along x and y, in sizes of the box.
    """

    def __init__(self, view, direction=(0.35, -1, 0.45), around=0.0):
        self.view, self.direction, self.around = view, direction, around
        self.low, self.high, self.framed = None, None, None

    def look(self, *producers):
        boxes = [box for box in map(box_of, producers) if box]
        if not boxes:
            return
        self.low = [min(box[2 * k] for box in boxes) for k in range(3)]
        self.high = [max(box[2 * k + 1] for box in boxes) for k in range(3)]
        if not self.framed or not self._fits():
            more = max(self._size()) * (0.05 if self.framed else 0)
            self.framed = ([a - more for a in self.low],
                           [b + more for b in self.high])
            flat = self._size()[2] < 1e-9 * max(self._size())
            more = self.around * max(self._size())
            sides = (more, more, 0)
            self._aim([a - m for a, m in zip(self.framed[0], sides)],
                      [b + m for b, m in zip(self.framed[1], sides)], flat)

    def _size(self):
        return [b - a for a, b in zip(self.low, self.high)]

    def _fits(self):
        low, high = self.framed
        inside = all(a <= b for a, b in zip(low + self.high, self.low + high))
        framed = max(b - a for a, b in zip(low, high))
        return inside and framed < 1.5 * max(self._size())

    def _aim(self, low, high, flat):
        scree_scene.aim(self.view, low, high, (0, 0, 1) if flat else self.direction,
                        flat, scree_scene.legend_share(SIZE))


class Legend:
    """Colours of an array from 0 to its largest value, rounded up.

    It stays as it is until the value is larger, or less than half of it."""

    def __init__(self, view, array, title, preset):
        self.view, self.array, self.top = view, array, 0.0
        self.colours = GetColorTransferFunction(array)
        self.colours.ApplyPreset(preset, True)
        self.colours.AutomaticRescaleRangeMode = "Never"
        self.bar = GetScalarBar(self.colours, view)
        scree_scene.style_legend(self.bar, title, SIZE)
        self.bar.Visibility = 1

    def colour(self, display, association="POINTS"):
        display.ColorArrayName = [association, self.array]
        display.LookupTable = self.colours
        display.SetScalarBarVisibility(self.view, True)

    def reach(self, value):
        if not self.top / 2 <= value <= self.top:
            self.top = scree_scene.round_up(value)
            self.colours.RescaleTransferFunction(0.0, self.top)


def show_spheres(bodies, view):
    """Bodies without a shape, as they are."""
    return show_bodies_as_balls(select(bodies, "POINTS", "shape", -1, -1), view)


def show_bodies_as_balls(points, view, factor=1.0):
    """A ball of the body's radius, times a factor, at every point."""
    display = scree_scene.show_balls(points, view, factor)
    display.Ambient, display.Diffuse, display.Specular = 0.35, 0.65, 0.1
    return display


def show_shapes(surfaces, view):
    """The polygons of bodies."""
    display = Show(select(surfaces, "CELLS", "id", 0, 1e18), view,
                   "UnstructuredGridRepresentation")
    display.Representation = "Surface"
    return display


def show_walls(surfaces, view):
    """Walls and terrain, from their free side only: one looks into a box."""
    display = Show(select(surfaces, "CELLS", "id", -1e18, -1), view,
                   "UnstructuredGridRepresentation")
    display.Representation = "Surface"
    display.BackfaceRepresentation = "Cull Backface"
    display.ColorArrayName = [None, ""]
    display.DiffuseColor = display.AmbientColor = [0.84, 0.82, 0.78]
    display.Ambient, display.Diffuse = 0.45, 0.55
    return display


def write_pictures(view, stem):
    """stem_000123.png, by the number of the step, whenever the sink is due."""
    png = CreateExtractor("PNG", view, registrationName=stem)
    png.Writer.FileName = stem + "_{timestep:06d}.png"
    png.Writer.ImageResolution = SIZE


def write_extract(producer, stem):
    """With `extracts: on`, data as stem_000123.vtp."""
    if argument("extracts") == "on":
        vtp = CreateExtractor("VTP", producer, registrationName=stem + "_data")
        vtp.Writer.FileName = stem + "_{timestep:06d}.vtp"
        # ParaView 5.11 with a current libexpat does not read back raw bytes.
        vtp.Writer.DataMode = "Binary"


def options():
    """Files go to the run's folder; every call of the sink counts."""
    chosen = catalyst.Options()
    chosen.ExtractsOutputDirectory = "."
    chosen.GlobalTrigger = "TimeStep"
    return chosen
