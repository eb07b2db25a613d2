# script-version: 2.0
"""Solid fraction on an upright plane: solid_fraction_000000.png, ...

The fraction at a point is the sum of the bodies' volumes, each spread over the
ball of radius c around its centre by Lucy's kernel, whose integral is 1:

    phi(x) = sum_i V_i w(|x - x_i|),
    w(r) = 105 / (16 pi c^3) (1 + 3 r/c) (1 - r/c)^3  for r < c

c is three times the largest radius; within c of a wall the fraction falls off,
as there is nothing behind it.

    scree run cases/packing.yaml --catalyst cases/catalyst/solid_fraction.py

With `extracts: on` also the field: solid_fraction_000000.vtp, ...
"""
import os
import sys

from paraview.simple import PVTrivialProducer, ProgrammableFilter, Show

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scree_view  # noqa: E402

CELLS = 160  # along the longer side

# The plane goes through the middle of the box around the bodies, across y; each
# rank adds up its own bodies, and the first one holds the sum of all. In such a
# text ParaView replaces max, min and abs by functions of arrays.
GRID = """
import math
import numpy
import scree_view
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter

def column(name):
    return vtk_to_numpy(data.GetPointData().GetArray(name))

def extent():
    ends = numpy.full(7, -math.inf)
    if n > 0:
        ends = numpy.hstack([-x.min(axis=0), x.max(axis=0),
                             column('radius').max()])
    ends = numpy.array(scree_view.most(ends))
    return -ends[:3] - ends[6], ends[3:6] + ends[6], ends[6]

def nodes(low, n, x, c, h):
    first = int(numpy.maximum(numpy.ceil((x - c - low) / h), 0))
    last = int(numpy.minimum(numpy.floor((x + c - low) / h), n - 1))
    return slice(first, last + 1), low + h * numpy.arange(first, last + 1) - x

def fraction(y, c, h, nx, nz):
    phi = numpy.zeros((nz, nx))
    near = numpy.nonzero(numpy.absolute(x[:, 1] - y) < c)[0] if n else []
    for p in near:
        i, dx = nodes(low[0], nx, x[p, 0], c, h)
        k, dz = nodes(low[2], nz, x[p, 2], c, h)
        r = numpy.sqrt(dx[None, :]**2 + dz[:, None]**2 + (x[p, 1] - y)**2) / c
        r = numpy.minimum(r, 1)
        weight = 105 / (16 * math.pi * c**3) * (1 + 3 * r) * (1 - r)**3
        phi[k, i] += column('volume')[p] * weight
    return scree_view.total(phi)

data = self.GetInputDataObject(0, 0)
self.GetOutputDataObject(0).Initialize()  # ParaView has put the input there
n = data.GetNumberOfPoints()
x = vtk_to_numpy(data.GetPoints().GetData()) if n else None
low, high, radius = extent()
if radius > 0:
    h = numpy.max([high[0] - low[0], high[2] - low[2]]) / CELLS
    y = (low[1] + high[1]) / 2
    nx, nz = (int(numpy.ceil((high[k] - low[k]) / h)) + 1 for k in (0, 2))
    phi = fraction(y, 3 * radius, h, nx, nz)
    if scree_view.is_first():
        grid = vtkImageData()
        grid.SetDimensions(nx, 1, nz)
        grid.SetOrigin(low[0], y, low[2])
        grid.SetSpacing(h, h, h)
        array = numpy_to_vtk(phi.ravel(), deep=1)
        array.SetName('solid_fraction')
        grid.GetPointData().SetScalars(array)
        polygons = vtkDataSetSurfaceFilter()
        polygons.SetInputData(grid)
        polygons.Update()
        self.GetOutputDataObject(0).ShallowCopy(polygons.GetOutput())
"""

bodies = PVTrivialProducer(registrationName="bodies")
surfaces = PVTrivialProducer(registrationName="surfaces")

view = scree_view.make_view()
clock = scree_view.Clock(view)
camera = scree_view.Camera(view, direction=(0.15, -1, 0.2))
legend = scree_view.Legend(view, "solid_fraction", "solid fraction",
                           "Viridis (matplotlib)")

fraction = ProgrammableFilter(Input=bodies)
fraction.OutputDataSetType = "vtkPolyData"
fraction.Script = GRID.replace("CELLS", str(CELLS))
shown = Show(fraction, view, "GeometryRepresentation")
shown.Ambient, shown.Diffuse = 1.0, 0.0
legend.colour(shown)
scree_view.show_walls(surfaces, view)

scree_view.write_pictures(view, "solid_fraction")
scree_view.write_extract(fraction, "solid_fraction")
options = scree_view.options()


def catalyst_execute(info):
    clock.show(info.time)
    camera.look(bodies, surfaces)
    legend.colours.RescaleTransferFunction(0.0, 0.7)
