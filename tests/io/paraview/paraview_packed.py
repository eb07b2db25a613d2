"""ParaView opens the XDMF file beside a packed run: the right times, points and
values; and the force chains of the run as lines.

    pvpython paraview_packed.py SCREE FOLDER
"""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from paraview.servermanager import Fetch
from paraview.simple import OpenDataFile
from vtkmodules.numpy_interface import dataset_adapter

from results_case import FRAMES, run  # noqa: E402


def frames(path):
    reader = OpenDataFile(str(path))
    assert reader is not None, "ParaView has no reader for %s" % path
    reader.UpdatePipelineInformation()
    for time in reader.TimestepValues:
        reader.UpdatePipeline(time)
        yield time, dataset_adapter.WrapDataObject(Fetch(reader))


def same(packed, plain, n):
    """Both readers find the same grids with the same data."""
    count = 0
    for (t, a), (u, b) in zip(frames(packed), frames(plain)):
        count += 1
        assert abs(t - u) < 1e-12, (t, u)
        assert a.GetNumberOfPoints() == b.GetNumberOfPoints(), t
        assert a.GetNumberOfCells() == b.GetNumberOfCells(), t
        if a.GetNumberOfPoints() > 0:
            assert (a.Points == b.Points).all(), t
        for x, y in ((a.PointData, b.PointData), (a.CellData, b.CellData)):
            for name in y.keys():
                if len(y[name]) > 0:
                    assert x[name].shape == y[name].shape, (t, name)
                    assert (x[name] == y[name]).all(), (t, name)
    assert count == n, (count, n)


def main(scree, folder):
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    out = run(scree, folder)
    for stem, n in (("bodies", FRAMES), ("network", 5), ("surfaces", 5)):
        packed = folder / (stem + ".vtkhdf")
        subprocess.run([scree, "pack", out, "-o", packed, "--series", stem,
                        "--quiet"], check=True)
        same(packed.with_suffix(".xmf"), out / (stem + ".hdf.series"), n)
    lines = list(frames(out / "network.hdf.series"))[-1][1]
    assert lines.GetNumberOfCells() > 20
    assert all(lines.GetCellType(i) == 3 for i in range(lines.GetNumberOfCells()))
    print("ok")


main(sys.argv[1], sys.argv[2])
