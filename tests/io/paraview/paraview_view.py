"""`paraview --script FOLDER/view.py` shows a run without further steps.

    python3 paraview_view.py SCREE PVPYTHON

One body of the case is far away from all others: the camera looks at those.
"""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from png import coloured, pixels  # noqa: E402

CASE = """
name: view
seed: 2
time: {end: 0.2, step: 0.002}
gravity: [0, 0, -9.81]
materials: [{name: rock, density: 2600, friction: 0.5}]
shapes: [{name: brick, box: {size: [0.06, 0.05, 0.04]}}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
bodies:
  - lattice: {origin: [0, 0, 0.06], counts: [4, 4, 3], spacing: 0.11, jitter: 0.004}
    radius: 0.05
    material: rock
  - {body: {position: [0.15, 0.15, 0.45]}, shape: brick, material: rock}
  - {sphere: {position: [0, 0, 80]}, radius: 0.05, material: rock}
outputs:
  - frames: {every: 0.05}
  - surfaces: {every: 0.05}
"""

# What ParaView's window does: no __file__, and the name on its command line.
LOOK = """
import json
import sys
from paraview import simple as pv
path = sys.argv[1].split("=", 1)[1]
names = {"__name__": "__main__"}
exec(compile(open(path).read(), path, "exec"), names)
view = pv.GetActiveView()
times = list(pv.GetAnimationScene().TimeKeeper.TimestepValues)
pv.SaveScreenshot(sys.argv[2], view, ImageResolution=[400, 300])
edges = pv.FindSource("edges")
edges.UpdatePipeline(view.ViewTime)
balls = pv.GetDisplayProperties(pv.FindSource("spheres"), view)
print(json.dumps({
    "time": view.ViewTime, "times": times,
    "focus": list(view.CameraFocalPoint), "eye": list(view.CameraPosition),
    "edges": edges.GetDataInformation().GetNumberOfCells(),
    "balls": [str(balls.Representation), str(balls.SelectScaleArray),
              balls.ScaleFactor],
    "colour": list(balls.ColorArrayName)}))
"""


def look(pvpython, script, picture, folder):
    """From a folder that has nothing to do with the run."""
    (folder / "look.py").write_text(LOOK)
    done = subprocess.run(
        ["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24 -noreset", pvpython,
         folder / "look.py", "--script=%s" % script, picture],
        cwd="/", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def main(scree, pvpython):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scree-view-"))
    (folder / "view.yaml").write_text(CASE)
    done = subprocess.run([scree, "run", "view.yaml", "--out", "it's my run"],
                          cwd=folder, check=True, capture_output=True, text=True)
    line, = [x for x in done.stdout.splitlines() if "open with: " in x]
    words = shlex.split(line.split("open with: ")[1])
    assert words == ["paraview", "--script", "it's my run/view.py"], words
    # The folder may be moved: nothing in it knows where it was.
    shutil.move(folder / "it's my run", folder / "moved to")
    script = folder / "moved to" / "view.py"
    assert str(folder) not in script.read_text()
    seen = look(pvpython, script, folder / "first.png", folder)
    assert len(seen["times"]) == 5 and seen["time"] == 0.0, seen
    assert seen["balls"] == ["'3D Glyphs'", "'radius'", 2.0], seen
    assert seen["colour"][:2] == ["POINTS", "speed"], seen
    assert seen["edges"] == 12, seen  # of one brick
    assert all(abs(x) < 1 for x in seen["focus"]), seen
    assert all(abs(x) < 5 for x in seen["eye"]), seen
    assert coloured(pixels(folder / "first.png")[2]) > 2000
    shutil.rmtree(folder)
    print("ok")


main(os.path.abspath(sys.argv[1]), sys.argv[2])
