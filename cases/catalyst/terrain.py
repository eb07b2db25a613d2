# script-version: 2.0
"""Terrain by height, rocks and the trails behind them: terrain_000000.png, ...

Rocks are drawn as balls, larger than they are, to be seen on a mountain.

    scree run cases/rock-on-terrain.yaml --catalyst cases/catalyst/terrain.py

With `extracts: on` also the trails: terrain_000000.vtp, ...
"""
import os
import sys

from paraview.simple import (
    Elevation, PVTrivialProducer, ProgrammableFilter, Show, Tube)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scree_view  # noqa: E402

ENLARGED = 4.0  # balls, against the radius of the rocks

# Appends the places of now to the path of each body, once in a step. The first
# rank keeps the paths of all, by id: where bodies come and go the others hand
# over other ones from call to call. They are kept in memory and not in a file:
# those of a resumed run begin anew.
TRAILS = """
import numpy
import scree_view
from paraview.modules.vtkPVInSitu import vtkInSituInitializationHelper
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray

def places():
    data = self.GetInputDataObject(0, 0)
    if data.GetNumberOfPoints() == 0:
        return numpy.empty((0, 4))
    return numpy.column_stack([
        vtk_to_numpy(data.GetPointData().GetArray('id')),
        vtk_to_numpy(data.GetPoints().GetData())])

if not hasattr(self, 'paths'):
    self.paths, self.step = {}, None
step = vtkInSituInitializationHelper.GetTimeStep()
if step != self.step:
    for body, *place in scree_view.rows_of_all(places()):
        self.paths.setdefault(int(body), []).append(place)
self.step = step
out = self.GetOutputDataObject(0)
out.Initialize()  # ParaView has put the input there
points, lines = vtkPoints(), vtkCellArray()
for path in self.paths.values():
    if len(path) > 1:
        lines.InsertNextCell(len(path))
        for x in path:
            lines.InsertCellPoint(points.InsertNextPoint(x))
out.SetPoints(points)
out.SetLines(lines)
"""

bodies = PVTrivialProducer(registrationName="bodies")
surfaces = PVTrivialProducer(registrationName="surfaces")

view = scree_view.make_view()
clock = scree_view.Clock(view)
camera = scree_view.Camera(view, direction=(-0.5, -1, 0.8), around=0.3)

ground = scree_view.select(surfaces, "CELLS", "id", -1e18, -1)
height = Elevation(Input=ground)
shown = Show(height, view, "UnstructuredGridRepresentation")
shown.Representation = "Surface"
shown.Specular = 0.0
legend = scree_view.Legend(view, "Elevation", "height [m]", "Grayscale")
legend.colours.RGBPoints = [0.0, 0.33, 0.47, 0.30, 0.35, 0.62, 0.66, 0.42,
                            0.7, 0.80, 0.72, 0.56, 1.0, 0.97, 0.96, 0.94]
legend.colour(shown)

rocks = scree_view.show_bodies_as_balls(bodies, view, ENLARGED)
rocks.ColorArrayName = [None, ""]
rocks.DiffuseColor = rocks.AmbientColor = [0.75, 0.1, 0.05]

trails = ProgrammableFilter(Input=bodies)
trails.OutputDataSetType = "vtkPolyData"
trails.Script = TRAILS
tubes = Tube(Input=trails)
tubes.NumberofSides = 6
tubes.VaryRadius = "Off"
path = Show(tubes, view, "GeometryRepresentation")
path.ColorArrayName = [None, ""]
path.DiffuseColor = path.AmbientColor = [0.95, 0.55, 0.1]

scree_view.write_pictures(view, "terrain")
scree_view.write_extract(trails, "terrain")
options = scree_view.options()


def catalyst_execute(info):
    clock.show(info.time)
    camera.look(trails, bodies)
    low, high = scree_view.box_of(ground)[4:]
    height.LowPoint, height.HighPoint = [0, 0, low], [0, 0, high]
    height.ScalarRange = [low, high]
    legend.colours.RescaleTransferFunction(low, high)
    tubes.Radius = 0.8 * scree_view.range_of(bodies, "radius")[1]
