"""scree render makes pictures with content, and movies with all frames.

    render.py SCREE
"""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

from results_case import FRAMES, run


def pixels(path):
    """Width, height and rows of an 8-bit RGB or RGBA PNG file."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    assert depth == 8 and colour in (2, 6), (depth, colour)
    step = 3 if colour == 2 else 4
    raw, rows, last = zlib.decompress(packed), [], bytearray(width * step)
    for y in range(height):
        begin = y * (width * step + 1)
        last = unfilter(raw[begin], raw[begin + 1:begin + 1 + width * step],
                        last, step)
        rows.append([tuple(last[i:i + 3]) for i in range(0, len(last), step)])
    return width, height, rows


def unfilter(kind, line, above, step):
    out = bytearray(line)
    for i, x in enumerate(line):
        a = out[i - step] if i >= step else 0
        b, c = above[i], above[i - step] if i >= step else 0
        if kind == 1:
            x += a
        elif kind == 2:
            x += b
        elif kind == 3:
            x += (a + b) // 2
        elif kind == 4:
            p = a + b - c
            near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))
            x += near[2]
        out[i] = x & 255
    return out


def coloured(rows):
    """Pixels that are neither grey nor white: bodies, coloured by speed."""
    return sum(max(p) - min(p) > 40 for row in rows for p in row)


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
    check_long_movie(scree, out, folder)
    shutil.rmtree(folder)
    print("ok")


main(os.path.abspath(sys.argv[1]))
