"""Case files that are made to hurt: each is answered with a sentence that names the
limit, within 2 s of the processor and 200 MB.

    hostile_cases.py SCREE
"""
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import SCREE, InFolder  # noqa: E402
from sealing import CHECKPOINT, seal  # noqa: E402

# Sanitizers are slower and keep what was freed.
SANITIZED = b"__asan_init" in open(SCREE, "rb").read()
SECONDS, MEGABYTES = (20, 2000) if SANITIZED else (2, 200)
HANG = 120  # s of the clock: nothing here comes near

TIME = "time: {end: 0.01, step: 0.001}\n"
WORLD = (TIME + "materials: [{name: rock, density: 2600}]\n"
         "bodies: [{sphere: {position: [0, 0, 1]}, radius: 0.1}]\n")
FLUX = WORLD + "outputs: [{flux: {every: 0.01, %sgates: [%s]}}]\n"


def laughs():
    yield "a0: &a0 [0, 0, 0, 0, 0, 0, 0, 0, 0]\n"
    for i in range(1, 12):
        yield "a%d: &a%d [%s]\n" % (i, i, ", ".join(["*a%d" % (i - 1)] * 9))


# name: (text, what the message says). One text at a time: what the parent holds when it
# starts the program counts as the memory of the program.
BOMBS = {
    "aliases of a long text": (lambda:
        "a: &a '%s'\nb: [%s]\n" % ("x" * 200000, ",".join(["*a"] * 330000)),
        ":2: more than 16 MB of text once all aliases are written out"),
    "many aliases": (lambda: "a: &a 1\nb: [%s]\n" % ",".join(["*a"] * 300000),
                     ":2: more than 10000 aliases"),
    "billions of values": (lambda: "".join(laughs()),
                           ":7: more than 1000000 values once all aliases are "
                           "written out"),
    "deep lists": (lambda: "[" * 1000000, ":1: nested more than 64 levels deep"),
    "deep maps": (lambda: "{a: " * 200000, ":1: nested more than 64 levels deep"),
    "deep blocks": (lambda: "- " * 500000, ":1: nested more than 64 levels deep"),
    "deep alias": (lambda: "a: &a %s1%s\nb: [[[[[*a]]]]]\n" % ("[" * 60, "]" * 60),
                   ":2: nested more than 64 levels deep"),
    "keys that are maps": (lambda: "? " * 500000, ":1: a key must be text"),
    "anchors": (lambda: "[%s]\n" % ",".join("&a%d x" % i for i in range(280000)),
                ":1: expected a mapping"),
    "values": (lambda: "a: [%s]\n" % ("1," * 4900000), ":1: more than 1000000 values"),
    "larger than the limit": (lambda: "a: [%s]\n" % ("1," * 5000000),
                              ": larger than 10 MB, too large for a case file"),
    "documents": (lambda: "---\n" * 2400000, ":2: a second YAML document starts here"),
    "a long text": (lambda: "name: '%s'\n" % ("x" * 9900000), ":1: name: too long"),
    "many lines": (lambda: "name: '%s'\n" % ("x\n" * 4900000),
                   ":1: name: too long"),
    "keys": (lambda: "".join("k%d: 1\n" % i for i in range(700000)),
             ":1: k0: unknown key"),
    "one key": (lambda: "seed: 1\n" * 800000, ":2: seed: the key is given twice"),
    "tags": (lambda: "a: [%s]\n" % ("!!binary x," * 800000),
             ":1: the tag !!binary has no meaning here"),
    "a long tag": (lambda: "a: !%s 1\n" % ("x" * 9000000), ":1: the tag !xxx"),
    "directives": (lambda: "".join("%%TAG !a%d! x\n" % i for i in range(500000)) +
                   "---\na: 1\n", ":17: more than 16 lines begin with %"),
    "comments": (lambda: "# x\n" * 2400000, ":1: the file is empty"),
    "many balls": (lambda:
        TIME + "materials: [{name: rock, density: 2600}]\nshapes:\n"
        "- {name: s, clump: {balls: [%s]}}\n" % ("[0, 0, 0, 1]," * 100000) +
        "bodies: [{body: {position: [0, 0, 1]}, shape: s}]\n",
        ":4: shapes[0].clump.balls: too many\n  allowed: list of [x, y, z, "
        "radius], radius > 0 [m], at most 1000"),
    "clumps": (lambda:
        TIME + "materials: [{name: rock, density: 2600}]\nshapes:\n" +
        "".join("- {name: s%d, clump: {balls: [%s]}}\n" % (k, ", ".join(
            "[%g, %g, 0, 1]" % (0.01 * i, 0.001 * i * i) for i in range(30)))
            for k in range(2000)) +
        "bodies: [{body: {position: [0, 0, 1]}, shape: s0}]\n",
        ".clump: too many balls overlap each other"),
    "gates of one name": (lambda: FLUX % ("", ", ".join(
        ["{name: g%d, plane: {point: [0, 0, 1], normal: [0, 0, 1]}}" % i
         for i in range(60000)] + ["{name: g7, plane: {point: [0, 0, 1], normal: [0, 0, 1]}}"])),
        ".flux.gates[60000].name: gates[7] has the name 'g7' already"),
    "gates": (lambda: FLUX % ("", ", ".join(
        "{name: g%d, plane: {point: [0, 0, 1], normal: [0, 0, 1]}}" % i for i in range(60000))),
        ".flux.gates: 60000 gates with 1 classes each are too many"),
    "gates times sizes": (lambda: FLUX % (
        "sizes: [%s], " % ", ".join("%d" % (i + 1) for i in range(99)), ", ".join(
            "{name: g%d, plane: {point: [0, 0, 1], normal: [0, 0, 1]}}" % i for i in range(1000))),
        ".flux.gates: 1000 gates with 101 classes each are too many"),
    "sizes": (lambda: FLUX % (
        "sizes: [%s], " % ", ".join("%d" % (i + 1) for i in range(800000)),
        "{name: g, plane: {point: [0, 0, 1], normal: [0, 0, 1]}}"),
        ".flux.sizes: too many\n  allowed: list of numbers > 0 [m], at most 100"),
    "outlets of one name": (lambda:
        TIME + "materials: [{name: rock, density: 2600}]\noutlets:\n" + "".join(
            "- {name: o%d, box: {min: [0, 0, 0], max: [1, 1, 1]}}\n" % (i % 80000)
            for i in range(80001)) + "bodies: [{sphere: {position: [0, 0, 1]}, radius: 1}]\n",
        ":80004: outlets[80000].name: outlets[0] has the name 'o0' already"),
    "an unknown material among many": (lambda:
        TIME + "materials:\n" +
        "".join("- {name: m%d, density: 1}\n" % i for i in range(100000)) +
        "walls:\n- plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n  material: " +
        "q" * 60 + "\n", "unknown material 'qqq"),
}


class Hostile(InFolder):
    def measure(self, *words, code, **options):
        """What the program says, if it keeps to the limits."""
        process = subprocess.Popen(
            [SCREE, *words], cwd=self.folder, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, **options)
        timer = threading.Timer(HANG, process.kill)
        timer.start()
        said = process.stdout.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
        process.stdout.close()
        self.assertEqual(process.returncode, code, said[-1000:])
        self.assertLess(usage.ru_utime + usage.ru_stime, SECONDS)
        self.assertLess(usage.ru_maxrss / 1024, MEGABYTES)
        return said

    # ---- limits ------------------------------------------------------------

    def test_check__bombs__one_sentence_within_the_limits(self):
        for name, (text, says) in BOMBS.items():
            with self.subTest(name):
                self.write("case.yaml", text())
                said = self.measure("check", "case.yaml", code=2)
                self.assertIn("case.yaml" + says if says[0] == ":" else says, said)

    def test_run__bomb__refused_and_nothing_written(self):
        self.write("case.yaml", BOMBS["deep maps"][0]())
        said = self.measure("run", "case.yaml", code=2)
        self.assertIn("nested more than 64 levels", said)
        self.assertEqual(os.listdir(self.folder), ["case.yaml"])

    def test_set__bomb__refused(self):
        self.write("case.yaml", WORLD)
        said = self.measure("check", "case.yaml", "--set",
                            "seed=" + "[" * 100000, code=2)
        self.assertIn("nested more than 64 levels", said)

    def test_resume__bomb_in_the_checkpoint__refused(self):
        self.write("case.yaml", WORLD)
        self.scree("run", "case.yaml", "--out", "out", "--max-walltime", "100")
        path = self.path("out", sorted(
            n for n in os.listdir(self.path("out")) if "checkpoint" in n)[-1])
        with h5py.File(path, "r+") as file:
            kind = file["state/case/text"].dtype
            del file["state/case/text"]
            file["state/case/text"] = numpy.frombuffer(
                BOMBS["deep maps"][0]().encode(), kind)
        os.remove(self.path("out", "finished.txt"))
        seal(path, CHECKPOINT, 1)
        said = self.measure("resume", "out", "--set", "time.end=1", code=2)
        self.assertIn("nested more than 64 levels", said)

    def test_case__many_materials_or_bodies__answered(self):
        self.write("case.yaml", TIME + "materials:\n" + "".join(
            "- {name: m%d, density: 1}\n" % i for i in range(100000)) +
            "pairs:\n" + "".join(
                "- {materials: [m%d, m%d], friction: 0.1}\n" % (i, 7 * i + 1)
                for i in range(14000)) + WORLD.splitlines()[-1] + "\n")
        self.measure("check", "case.yaml", code=0)
        self.write("case.yaml", TIME + "materials: [{name: m, density: 1}]\n"
                   "bodies:\n" + "".join(
                       "- {sphere: {position: [%d, %d, 1]}, radius: 0.1}\n" %
                       (i % 300, i // 300) for i in range(80000)))
        self.measure("check", "case.yaml", code=0)

    def test_check__scenes_of_extreme_size__answered_within_the_limits(self):
        scene = TIME + "materials: [{name: rock, density: 2600}]\n%s" + \
            WORLD.splitlines()[-1] + "\n"
        many_rocks = "shapes:\n" + "".join(
            "- {name: s%d, rock: {diameter: 1, points: 1000, variants: 10000}}\n"
            % i for i in range(80000))
        for name, code, part, says in (
                ("boxes", 2, "walls:\n" + "".join(
                    "- {name: w%d, box: {min: [0, 0, 0], max: [1, 1, 1]}}\n" % i
                    for i in range(90000)),
                 "walls: 540000 planes, boxes and prisms written out, are more "
                 "than 20000"),
                ("planes", 0, "walls:\n" + "".join(
                    "- {plane: {point: [0, 0, -%d], normal: [0, 0, 1]}}\n" % i
                    for i in range(20000)), ""),
                ("shapes", 2, "shapes:\n" + "".join(
                    "- {name: s%d, box: {size: [1, 1, 1]}}\n" % i
                    for i in range(120000)), "shapes[20000].name: more than 20000"),
                ("rocks", 0, "shapes:\n- {name: s, rock: {diameter: 1, points: "
                 "1000, variants: 10000}}\n",
                 "9940 forms of rocks were not made and not looked at"),
                ("all of them", 2, many_rocks, "more than 20000 shapes")):
            with self.subTest(name):
                self.write("case.yaml", scene % part)
                self.assertIn(says, self.measure("check", "case.yaml", code=code))

    # ---- what is no file ---------------------------------------------------

    def test_case__no_file__code_2_at_once(self):
        os.mkfifo(self.path("fifo"))
        os.mkdir(self.path("folder"))
        os.symlink("fifo", self.path("link"))
        for path, kind in (("fifo", "a FIFO"), ("link", "a FIFO"),
                           ("folder", "a directory"), ("/dev/zero", "a device"),
                           ("/dev/null", "a device")):
            for command in ("check", "run"):
                with self.subTest(path=path, command=command):
                    said = self.measure(command, path, code=2)
                    self.assertIn("%s: this is %s, not a case file" %
                                  (path, kind), said)
        for command in ("resume", "info", "extract", "solve"):
            with self.subTest(command):
                self.assertIn("fifo", self.measure(command, "fifo", code=2))

    def test_mesh__fifo__refused_at_once(self):
        os.mkfifo(self.path("mesh.obj"))
        self.write("case.yaml", WORLD + "walls: [{mesh: {file: mesh.obj}}]\n")
        self.assertIn("this is a FIFO",
                      self.measure("check", "case.yaml", code=2))

    # ---- many materials ----------------------------------------------------

    def write_materials(self, n):
        self.write("case.yaml", TIME + "materials:\n" + "".join(
            "- {name: m%d, density: 1000, friction: 0.%d, restitution: 0.%d}\n" %
            (i, i + 1, i + 1) for i in range(n)) + "bodies:\n" + "".join(
                "- {sphere: {position: [%d, %d, 0.1]}, radius: 0.1, velocity: "
                "[1, 0, -1], material: m%d}\n" % (i % 20, i // 20, i * (n // 200))
                for i in range(200)) +
            "walls:\n- {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, "
            "material: m7}\n")

    def hash_of(self, text):
        return re.search(r"state hash: (\w+)", text)[1]

    def test_run__20000_materials__starts_and_resumes(self):
        self.write_materials(20000)
        whole = self.hash_of(self.measure(
            "run", "case.yaml", "--out", "whole", "--threads", "1", code=0))
        self.measure("run", "case.yaml", "--out", "out", "--threads", "1",
                     "--set", "time.end=0.005", "--set", "checkpoint.every=0.005",
                     code=0)
        said = self.measure("resume", "out", "--set", "time.end=0.01",
                            "--threads", "1", code=0)
        self.assertEqual(self.hash_of(said), whole)

    def test_run__table_or_mixed_on_demand__same_bits(self):
        """256 materials have a table of their laws, 257 have not."""
        self.write_materials(256)
        with_table = self.hash_of(self.measure("run", "case.yaml", code=0))
        with open(self.path("case.yaml")) as file:
            text = file.read()
        self.write("case.yaml", text.replace(
            "bodies:", "- {name: more, density: 1, friction: 0.1, restitution: "
            "0.1}\nbodies:"))
        self.assertEqual(self.hash_of(self.measure(
            "run", "case.yaml", "--force", code=0)), with_table)

    # ---- signals while the world is made -----------------------------------

    def test_sigterm__while_the_world_is_made__ends_at_once(self):
        self.write("case.yaml", TIME +
                   "materials: [{name: rock, density: 2600}]\nbodies:\n"
                   "- {fill: {box: {min: [0, 0, 0], max: [600, 300, 300]}, count: "
                   "6000000}, radius: 0.5}\n")
        process = self.start("run", "case.yaml", "--out", "out")
        time.sleep(1)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 143)
        self.assertIn("before the first step; nothing was changed", said)
        self.assertFalse(os.path.exists(self.path("out")))


if __name__ == "__main__":
    unittest.main()
