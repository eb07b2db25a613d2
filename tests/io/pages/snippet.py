"""The Python snippet of the README runs as it stands and finds the profile that
another way of counting gives.

    snippet.py SCREE README
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py
import matplotlib
import numpy

CASE = """
name: packing
time: {end: 0.02, step: 0.002}
materials: [{name: rock, density: 2600}]
walls: [{name: room, box: {min: [0, 0, 0], max: [1, 1, 1]}}]
bodies:
  - {fill: {box: {min: [0, 0, 0], max: [1, 1, 0.7]}, count: 300}, radius: 0.04}
outputs: [{frames: {every: 0.01}}]
"""


def main(scree, readme):
    text = pathlib.Path(readme).read_text()
    snippet = re.search(r"```python\n(.*?)```", text, re.S).group(1)
    matplotlib.use("Agg")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pathlib.Path("packing.yaml").write_text(CASE)
        subprocess.run([scree, "run", "packing.yaml", "--quiet"], check=True)
        names = {}
        exec(compile(snippet, "README.md", "exec"), names)
        assert pathlib.Path("profile.png").stat().st_size > 5000
        with h5py.File(names["path"]) as f:
            z, r = f["VTKHDF/Points"][:, 2], f["VTKHDF/PointData/radius"][:]
            speed = f["VTKHDF/PointData/speed"][:]
    layer, mean = names["layer"], names["mean"]
    for i, value in enumerate(mean):
        inside = [s for x, s in zip(z, speed) if layer[i] <= x < layer[i + 1]]
        if inside:
            numpy.testing.assert_allclose(value, sum(inside) / len(inside))
    assert len(z) == 300 and (r == 0.04).all()
    print("ok")


main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
