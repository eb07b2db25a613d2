"""A short run with bodies of two kinds that come in during the run, for tests of
its files: the first frame has one body, later ones have more."""
import subprocess

CASE = """
name: files
seed: 3
time: {end: 0.4, step: 0.002}
gravity: [0, 0, -9.81]
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.1}]
shapes: [{name: brick, box: {size: [0.06, 0.04, 0.03]}}]
walls: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}]
bodies:
  - {body: {position: [0, 0, 0.5]}, shape: brick, material: rock}
  - pour:
      box: {min: [-0.3, -0.3, 0.05], max: [0.3, 0.3, 0.4]}
      rate: 200
      count: 50
      start: 0.01
    radius: 0.03
    material: rock
outputs:
  - frames: {every: 0.05}
  - contacts: {every: 0.1, lines: on}
  - scalars: {every: 0.05}
  - surfaces: {every: 0.1, spheres: on}
"""
FRAMES = 9
DT = 0.002


def run(scree, folder, *sets, case=CASE, name="out"):
    """Runs the case; returns the folder of its results."""
    (folder / "files.yaml").write_text(case)
    out = folder / name
    options = [x for s in sets for x in ("--set", s)]
    subprocess.run([scree, "run", folder / "files.yaml", "--out", out, "--quiet", "--force",
                    *options], check=True, stdout=subprocess.DEVNULL)
    return out
