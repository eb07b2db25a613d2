"""ParaView opens the grids of measures as time series: times, cells, values.

    pvpython paraview_measures.py SCREE FOLDER
"""
import csv
import os
import subprocess
import sys

from paraview.servermanager import Fetch
from paraview.simple import OpenDataFile
from vtkmodules.numpy_interface import dataset_adapter

CASE = """
name: paraview
seed: 3
time: {end: 0.2, step: 0.002}
gravity: [0, 0, -9.81]
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.1}]
walls: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}]
bodies:
  - fill: {box: {min: [-0.3, -0.3, 0], max: [0.3, 0.3, 0.4]}, count: 60}
    radius: 0.04
    material: rock
outputs:
  - fields: {every: 0.1, GRID}
  - walls: {every: 0.1, cells: 0.2, box: {min: [-0.3, -0.3, 0], max: [0.3, 0.3, 0.6]}}
"""
BOX = "box: {min: [-0.3, -0.3, -0.1], max: [0.3, 0.3, 0.5]}, cells: [1, 1, 6]"
ROUND = ("cylinder: {base: [0, 0, 0], axis: [0, 0, 1], radius: 0.5, height: 0.6}, "
         "cells: [2, 6, 3]")


def run(scree, folder, grid):
    os.makedirs(folder, exist_ok=True)
    case = os.path.join(folder, "paraview.yaml")
    with open(case, "w") as file:
        file.write(CASE.replace("GRID", grid))
    out = os.path.join(folder, "out")
    subprocess.run([scree, "run", case, "--out", out, "--quiet", "--force"], check=True)
    return out


def frames(out, stem):
    reader = OpenDataFile(os.path.join(out, stem + ".hdf.series"))
    assert reader is not None, "ParaView has no reader for " + stem
    times = list(reader.TimestepValues)
    assert len(times) == 3 and abs(times[-1] - 0.2) < 1e-9, times
    for time in times:
        reader.UpdatePipeline(time)
        yield dataset_adapter.WrapDataObject(Fetch(reader))


def main(scree, folder):
    out = run(scree, folder, BOX)
    with open(os.path.join(out, "profile.csv")) as file:
        rows = list(csv.DictReader(file))
    for k, grid in enumerate(frames(out, "fields")):
        assert grid.VTKObject.GetNumberOfCells() == 6
        for name, column in (("density", "density"), ("solid_fraction",) * 2):
            want = [float(row[column]) for row in rows[6 * k:6 * k + 6]]
            assert list(grid.CellData[name]) == want, (name, want)
        assert grid.CellData["contact_stress"].shape[-1] in (3, 9)
        assert list(grid.VTKObject.GetBounds()) == [-0.3, 0.3, -0.3, 0.3, -0.1, 0.5]
    for grid in frames(out, "pressure"):
        assert grid.VTKObject.GetNumberOfCells() == 9
        last = grid.CellData["pressure"]
    assert max(last) > 0
    volume = [grid.VTKObject.GetNumberOfCells()
              for grid in frames(run(scree, folder, ROUND), "fields")]
    assert volume == [36] * 3, volume
    print("ParaView reads what was measured")


main(*sys.argv[1:3])
