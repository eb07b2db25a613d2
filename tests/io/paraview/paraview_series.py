"""ParaView opens a run as a time series: the right times, points and values.

    pvpython paraview_series.py SCREE FOLDER

The case lets spheres in during the run, so that the first frame is empty and
the number of points changes from frame to frame.
"""
import csv
import json
import os
import subprocess
import sys

from paraview.servermanager import Fetch
from paraview.simple import CSVReader, OpenDataFile
from vtkmodules.numpy_interface import dataset_adapter

CASE = """
name: paraview
seed: 3
time: {end: 0.4, step: 0.002}
gravity: [0, 0, -9.81]
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.1}]
walls: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}]
bodies:
  - pour:
      box: {min: [-0.3, -0.3, 0.05], max: [0.3, 0.3, 0.4]}
      rate: 200
      count: 50
      start: 0.01
    radius: 0.03
    material: rock
    velocity: [0.25, 0, -1]
outputs:
  - frames: {every: 0.05}
  - contacts: {every: 0.1, idle: on}
  - scalars: {every: 0.05}
"""


def run(scree, folder):
    os.makedirs(folder, exist_ok=True)
    case = os.path.join(folder, "paraview.yaml")
    with open(case, "w") as file:
        file.write(CASE)
    out = os.path.join(folder, "out")
    subprocess.run([scree, "run", case, "--out", out, "--quiet", "--force"],
                   check=True)
    return out


def rows(out):
    with open(os.path.join(out, "scalars.csv")) as file:
        return list(csv.DictReader(file))


def frames(out, stem):
    """(time, points, data arrays) of every frame that ParaView finds."""
    path = os.path.join(out, stem + ".hdf.series")
    reader = OpenDataFile(path)
    assert reader is not None, "ParaView has no reader for " + path
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    listed = json.load(open(path))["files"]
    assert times == [entry["time"] for entry in listed], (times, listed)
    for time in times:
        reader.UpdatePipeline(time)
        grid = dataset_adapter.WrapDataObject(Fetch(reader))
        yield time, grid.Points, grid.PointData, grid.GetNumberOfCells()


def near(a, b):
    return abs(a - b) <= 1e-9 * (1 + abs(b))


def check_bodies(out):
    expected = rows(out)
    seen = list(frames(out, "bodies"))
    assert len(seen) == len(expected) == 9, (len(seen), len(expected))
    assert int(expected[0]["bodies"]) == 0 and int(expected[-1]["bodies"]) == 50
    for row, (time, points, data, cells) in zip(expected, seen):
        n = int(row["bodies"])
        assert near(time, float(row["time"]))
        assert cells == n, (time, cells, n)
        if n == 0:
            continue
        assert points.shape == (n, 3)
        assert list(data["id"]) == list(range(n))
        assert data["orientation"].shape == (n, 4)
        assert data["angular_velocity"].shape == (n, 3)
        assert (data["radius"] == 0.03).all() and (data["material"] == 0).all()
        mass = 2600 * 4 / 3 * 3.141592653589793 * 0.03**3
        for k, axis in enumerate("xyz"):
            momentum = mass * float(data["velocity"][:, k].sum())
            assert near(momentum, float(row["momentum_" + axis])), (time, axis)
        speed = (data["velocity"] ** 2).sum(axis=1) ** 0.5
        assert abs(data["speed"] - speed).max() < 1e-12


def check_contacts(out):
    expected = [r for r in rows(out)][::2]
    seen = list(frames(out, "contacts"))
    assert len(seen) == len(expected) == 5
    for row, (time, points, data, cells) in zip(expected, seen):
        n = int(row["contacts"])
        assert cells == n, (time, cells, n)
        if n == 0:
            continue
        assert points.shape == (n, 3) and data["normal"].shape == (n, 3)
        wall = data["b"] == -1
        force = float(data["percussion"][:, 2][wall].sum()) / 0.002
        assert near(-force, float(row["force_floor_z"])), (time, force, row)
    assert int(expected[-1]["contacts"]) > 0


def check_table(out):
    """The table, as ParaView's reader of such files takes it."""
    reader = CSVReader(FileName=[os.path.join(out, "scalars.csv")])
    reader.UpdatePipeline()
    table = dataset_adapter.WrapDataObject(Fetch(reader)).RowData
    expected = rows(out)
    assert sorted(table.keys()) == sorted(expected[0]), table.keys()
    for name in ("time", "kinetic", "force_floor_z"):
        column = [float(r[name]) for r in expected]
        assert list(table[name]) == column, name


if __name__ == "__main__":
    folder = run(sys.argv[1], sys.argv[2])
    check_bodies(folder)
    check_contacts(folder)
    check_table(folder)
    print("ok")
