"""ParaView opens surfaces and walls: right times, counts, areas, volumes.

    pvpython paraview_surfaces.py SCENE FOLDER

SCENE is the program of paraview_scene.c, whose sizes stand below.
"""
import json
import math
import os
import subprocess
import sys

import numpy
from paraview.servermanager import Fetch
from paraview.simple import ExtractSurface, OpenDataFile
from vtkmodules.util.numpy_support import vtk_to_numpy

BODIES, SHAPES, FRAMES = 60, 6, 5
BOX = (0.2, 0.15, 0.1)
CYLINDER = (0.05, 0.15)  # radius, length; drawn with 16 sides
TROUGH, PADDLE = 5, 6  # walls, after five planes


def run(scene, folder):
    os.makedirs(folder, exist_ok=True)
    subprocess.run([scene, folder, "0.4", str(FRAMES)], check=True)


def frames(folder, stem):
    """(time, polygons) of every frame, as ParaView draws them."""
    path = os.path.join(folder, stem + ".hdf.series")
    reader = OpenDataFile(path)
    assert reader is not None, "ParaView has no reader for " + path
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    listed = json.load(open(path))["files"]
    assert times == [entry["time"] for entry in listed], (times, listed)
    surface = ExtractSurface(Input=reader)
    for time in times:
        surface.UpdatePipeline(time)
        yield time, Fetch(surface)


def cell_data(polygons, name):
    return vtk_to_numpy(polygons.GetCellData().GetArray(name))


def areas(polygons):
    """Area times normal of each polygon, and a point of it."""
    points = vtk_to_numpy(polygons.GetPoints().GetData())
    for i in range(polygons.GetNumberOfCells()):
        ids = polygons.GetCell(i).GetPointIds()
        x = points[[ids.GetId(k) for k in range(ids.GetNumberOfIds())]]
        fan = numpy.cross(x[1:-1] - x[0], x[2:] - x[0])
        yield 0.5 * fan.sum(axis=0), x[0]


def near(a, b):
    return abs(a - b) <= 1e-9 * (1 + abs(b))


def check_body(shape, area, volume):
    a, b, c = BOX
    if shape == 0:
        assert near(area, 2 * (a * b + b * c + c * a)), area
        assert near(volume, a * b * c), volume
    elif shape == 3:
        r, length = CYLINDER
        cap = 8 * r * r * math.sin(math.pi / 8)
        side = 32 * r * math.sin(math.pi / 16) * length
        assert near(area, 2 * cap + side), area
        assert near(volume, cap * length), volume
    assert volume > 1e-4  # all look outward


def check_surfaces(folder):
    seen = list(frames(folder, "surfaces"))
    assert len(seen) == FRAMES
    for time, polygons in seen:
        ids, shapes = cell_data(polygons, "id"), cell_data(polygons, "shape")
        assert sorted(set(ids)) == list(range(BODIES))
        assert (shapes == ids % SHAPES).all()
        assert (cell_data(polygons, "material") == 0).all()
        assert (cell_data(polygons, "speed") >= 0).all()
        area, volume = numpy.zeros(BODIES), numpy.zeros(BODIES)
        for body, (A, x) in zip(ids, areas(polygons)):
            area[body] += (A @ A) ** 0.5
            volume[body] += A @ x / 3
        for body in range(BODIES):
            check_body(body % SHAPES, area[body], volume[body])
    assert cell_data(seen[-1][1], "speed").max() > 0


def check_walls(folder):
    seen = list(frames(folder, "walls"))
    assert len(seen) == FRAMES  # the paddle turns
    for time, polygons in seen:
        walls = cell_data(polygons, "wall")
        assert sorted(walls) == 4 * [TROUGH] + 2 * [PADDLE]
        A = sum(a for w, (a, _) in zip(walls, areas(polygons)) if w == PADDLE)
        turned = 0.12 * numpy.array([math.sin(3 * time), 0, math.cos(3 * time)])
        assert abs(A - turned).max() < 1e-12, (time, A, turned)


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2])
    check_surfaces(sys.argv[2])
    check_walls(sys.argv[2])
    print("ok")
