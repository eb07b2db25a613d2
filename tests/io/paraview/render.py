"""scree render makes pictures with content, and movies with all frames.

    render.py SCREE
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from png import coloured, pixels  # noqa: E402
from results_case import FRAMES, run  # noqa: E402


def check_movie(scree, out, path):
    """All frames at the rate asked for, sides made even, progress on the way."""
    assert shutil.which("ffmpeg") and shutil.which("ffprobe"), \
        "movies are tested with ffmpeg: apt-get install ffmpeg"
    done = subprocess.run([scree, "render", out, "--movie", path, "--size",
                           "301x201", "--fps", "3"], check=True,
                          capture_output=True, text=True)
    assert "rendered %d of %d frames, 0 s to go" % (FRAMES, FRAMES) in done.stderr
    assert "written: %s" % path in done.stdout
    told = subprocess.run(
        ["ffprobe", "-v", "error", "-count_frames", "-show_entries",
         "stream=codec_name,width,height,nb_read_frames:format=duration", "-of",
         "json", path], check=True, capture_output=True, text=True).stdout
    about = json.loads(told)
    stream, = about["streams"]
    assert (stream["codec_name"], stream["width"], stream["height"],
            int(stream["nb_read_frames"])) == ("h264", 300, 200, FRAMES), told
    assert abs(float(about["format"]["duration"]) - FRAMES / 3) < 0.01, told


def check_long_movie(scree, out, folder):
    """More times than one argument can hold come to the script; programs of our
    own stand for ParaView and ffmpeg."""
    tools, long, n = folder / "tools", folder / "long", 20000
    tools.mkdir()
    long.mkdir()
    frame = shutil.copy(out / "bodies_000000.hdf", long)
    entries = ",".join('\n  {"name":"%s","time":%.17g}' %
                       (os.path.basename(frame), k / 3) for k in range(n))
    (long / "bodies.hdf.series").write_text(
        '{"file-series-version":"1.0","files":[%s\n]}\n' % entries)
    for name, text in (
            ("pvbatch", 'for a; do case "$a" in --times=*) wc -l <"${a#*=}" '
             '>"%s/count";; esac; done' % folder),
            ("ffmpeg", 'for a; do last=$a; done; echo movie >"$last"')):
        (tools / name).write_text("#!/bin/sh\n%s\n" % text)
        (tools / name).chmod(0o755)
    env = {**os.environ, "DISPLAY": ":0",
           "PATH": "%s:%s" % (tools, os.environ["PATH"])}
    subprocess.run([scree, "render", long, "--movie", folder / "long.mp4"],
                   check=True, env=env)
    assert int((folder / "count").read_text()) == n


def check_gif(scree, out, folder):
    """Movies may be GIF; a picture may not, and what it may be is said."""
    subprocess.run([scree, "render", out, "--movie", folder / "run.gif", "--size",
                    "160x120"], check=True, capture_output=True)
    told = subprocess.run(
        ["ffprobe", "-v", "error", "-count_frames", "-show_entries",
         "stream=codec_name,nb_read_frames", "-of", "csv=p=0",
         folder / "run.gif"], check=True, capture_output=True, text=True).stdout
    assert told.split() == ["gif,%d" % FRAMES], told
    refuse(scree, out, "a picture ends in .png or .jpg; movies are made with "
           "--movie FILE", "-o", folder / "x.gif")
    refuse(scree, out, "a movie ends in .mp4 or .gif", "--movie", folder / "x.png")


def refuse(scree, out, words, *options):
    bad = subprocess.run([scree, "render", out, *options], capture_output=True,
                         text=True)
    assert bad.returncode == 2 and words in bad.stderr, bad


def check_options(scree, out, folder):
    """All at once, small: the legend is not cut, contacts are red, trails are
    orange; and what cannot be is refused."""
    path = folder / "looks.png"
    subprocess.run([scree, "render", out, "-o", path, "--size", "300x220",
                    "--color", "mass", "--range", "0,0.5", "--camera", "front",
                    "--contacts", "--trails"], check=True, capture_output=True)
    width, height, rows = pixels(path)
    assert all(row[x] == (255, 255, 255) for row in rows for x in (-1, -2))
    legend = sum(p != (255, 255, 255) for row in rows for p in row[-70:])
    assert legend > 200, legend
    red = sum(r > 80 and g < 60 and b < 60 for row in rows for r, g, b in row)
    orange = sum(r > 180 and 80 < g < 190 and b < 120 and r - b > 90
                 for row in rows for r, g, b in row)
    green = sum(g > r + 20 and g > b for row in rows for r, g, b in row[:-80])
    assert red >= 3 and orange > 20 and green > 20, (red, orange, green)
    refuse(scree, out, "--color: no field 'sped'; bodies has: ", "-o", path,
           "--color", "sped")
    refuse(scree, out, "--range wants two numbers LOW,HIGH", "-o", path,
           "--range", "2,1")
    refuse(scree, out, "--camera wants front, back", "-o", path, "--camera", "up")
    refuse(scree, out, "--box wants six numbers", "-o", path, "--box", "1,2,3")


def check_box(scree, out, folder, near):
    """What --box names is in the picture: in a large one bodies are small."""
    path = folder / "box.png"
    subprocess.run([scree, "render", out, "-o", path, "--size", "400x300",
                    "--box=-3,3,-3,3,0,6"], check=True, capture_output=True)
    far = bodies_in(pixels(path)[2])
    assert 0 < far < near / 10, (far, near)


# A ball on a cable, and another far from its hinge.
SWINGS = """
name: swings
time: {end: 0.01, step: 0.005}
materials: [{name: rock, density: 2600}]
bodies:
  - {sphere: {position: [0, 0, 0]}, radius: 0.1}
  - {sphere: {position: [1, 0, 0]}, radius: 0.1}
joints:
  - {kind: cable, a: 0, to: [0, 0, 1]}
  - {kind: hinge, a: 1, point: [1, 0, 0.8], axis: [0, 1, 0]}
outputs: [{frames: {every: 0.01}}, {joints: {every: 0.01}}]
"""


def check_joints(scree, folder):
    """Cables are brown lines, hinges orange dots; view.py knows the series too."""
    out = run(scree, folder, case=SWINGS, name="swings")
    path = folder / "swings.png"
    subprocess.run([scree, "render", out, "-o", path, "--size", "400x300", "--camera",
                    "front", "--box=-0.2,1.2,-0.2,0.2,-0.2,1.1"], check=True,
                   capture_output=True)
    rows = [row[:-110] for row in pixels(path)[2]]
    brown = sum(50 < r < 120 and r > b + 15 and b < 90 for row in rows for r, g, b in row)
    orange = sum(r > 120 and r > 1.7 * g and g > b for row in rows for r, g, b in row)
    assert brown > 50 and orange > 1, (brown, orange)
    assert '"joints"' in (out / "view.py").read_text()


def bodies_in(rows):
    """Coloured pixels but for the legend."""
    return coloured([row[:-110] for row in rows])


def main(scree):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scree-render-"))
    out = run(scree, folder)
    picture, size = folder / "last.png", "400x300"
    subprocess.run([scree, "render", out, "-o", picture, "--size", size],
                   check=True)
    width, height, rows = pixels(picture)
    assert (width, height) == (400, 300)
    assert coloured(rows) > 1000, coloured(rows)
    assert rows[0][0] == rows[0][-1] == (255, 255, 255)
    assert not any(r > 80 and g < 60 and b < 60 for row in rows for r, g, b in row)

    # A packed run, by a name without a folder.
    subprocess.run([scree, "pack", out, "-o", "run.vtkhdf", "--quiet"],
                   check=True, cwd=folder)
    subprocess.run([scree, "render", "run.vtkhdf", "-o", "packed.png", "--size",
                    size], check=True, cwd=folder)
    assert coloured(pixels(folder / "packed.png")[2]) > 1000

    bad = subprocess.run([scree, "render", out, "-o", folder / "x.png",
                          "--frame", "99"], capture_output=True, text=True)
    assert bad.returncode == 2 and "numbered 0 to 8" in bad.stderr, bad

    bad = subprocess.run([scree, "render", out, "-o", folder / "no" / "x.png",
                          "--size", size], capture_output=True, text=True)
    assert bad.returncode == 3 and "x.png: cannot write: No such file" in bad.stderr, bad

    check_movie(scree, out, folder / "run.mp4")
    check_gif(scree, out, folder)
    check_options(scree, out, folder)
    check_joints(scree, folder)
    check_box(scree, out, folder, bodies_in(rows))
    check_long_movie(scree, out, folder)
    shutil.rmtree(folder)
    print("ok")


main(os.path.abspath(sys.argv[1]))
