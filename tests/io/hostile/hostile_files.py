"""Shared folders and strange names: nothing is written through a link, nothing waits
for a FIFO, no library comes from the working folder, no name is taken for an option.

    hostile_files.py SCREE BUILD_FOLDER SOURCE_FOLDER C_COMPILER
"""
import os
import shutil
import signal
import stat
import struct
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import SCREE, InFolder  # noqa: E402

BUILD, SOURCE, COMPILER = map(os.path.abspath, sys.argv[1:4])
del sys.argv[1:4]

CASE = """
time: {end: 0.01, step: 0.001}
materials: [{name: rock, density: 2600}]
bodies: [{sphere: {position: [0, 0, 1]}, radius: 0.1}]
outputs:
  - frames: {every: 0.005}
  - scalars: {}
checkpoint: {every: 0.005}
"""
MODEL = """
model: bouncing-ball
time: {end: 1, step: 0.001}
stepper: moreau
outputs: [{scalars: {every: 0.01}}, {frames: {every: 0.01}}]
checkpoint: {every: 0.02}
"""
PROBLEM = os.path.join(SOURCE, "tests/data/fclib")


# ---- libraries -----------------------------------------------------------------

def dynamic_paths(path):
    """RPATH and RUNPATH of a 64-bit little-endian ELF file, and the names of the
    libraries that it needs; None: not such a file."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != b"\x7fELF\x02\x01":
        return None
    e_phoff, = struct.unpack_from("<Q", data, 32)
    e_phentsize, e_phnum = struct.unpack_from("<HH", data, 54)
    loads, dynamic = [], None
    for i in range(e_phnum):
        kind, _, offset, address, _, size = struct.unpack_from(
            "<IIQQQQ", data, e_phoff + i * e_phentsize)
        if kind == 1:
            loads.append((address, offset, size))
        if kind == 2:
            dynamic = (offset, size)
    if not dynamic:
        return None
    entries = list(struct.iter_unpack("<qQ", data[dynamic[0]:sum(dynamic)]))
    table = next(value for tag, value in entries if tag == 5)
    start = next(table - a + o for a, o, n in loads if a <= table < a + n)

    def text(at):
        return data[start + at:data.index(b"\0", start + at)].decode()

    return ([text(v) for tag, v in entries if tag in (15, 29)],
            [text(v) for tag, v in entries if tag == 1])


class Libraries(InFolder):
    def test_binaries__run_paths__absolute_and_not_empty(self):
        seen = 0
        for folder, _, names in os.walk(BUILD):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(".o") or os.path.islink(path):
                    continue
                found = dynamic_paths(path)
                seen += found is not None
                for run_path in found[0] if found else []:
                    for entry in run_path.split(":"):
                        self.assertEqual(entry[:1], "/", "%s: %r" % (path, run_path))
        self.assertGreater(seen, 0)

    def test_version__library_in_the_working_folder__not_loaded(self):
        _, needed = dynamic_paths(SCREE)
        name = next(n for n in needed if n.startswith("libyaml"))
        self.write("trap.c", "#include <stdio.h>\n__attribute__((constructor)) "
                   "static void spring(void) { fclose(fopen(\"sprung\", \"w\")); }\n")
        subprocess.run([COMPILER, "-shared", "-fPIC", "-o", name, "trap.c"],
                       cwd=self.folder, check=True)
        environment = {k: v for k, v in os.environ.items()
                       if k != "LD_LIBRARY_PATH"}
        self.scree("--version", env=environment)
        self.assertFalse(os.path.exists(self.path("sprung")))


# ---- outputs -------------------------------------------------------------------

KINDS = {"link": "a symbolic link", "fifo": "a FIFO", "folder": "a folder"}


class Outputs(InFolder):
    def setUp(self):
        super().setUp()
        self.write("case.yaml", CASE)
        self.write("victim", "precious")

    def plant(self, kind, *parts):
        path = self.path(*parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        {"link": lambda: os.symlink(self.path("victim"), path),
         "fifo": lambda: os.mkfifo(path),
         "folder": lambda: os.mkdir(path)}[kind]()
        return path

    def check_victim(self):
        with open(self.path("victim")) as file:
            self.assertEqual(file.read(), "precious")

    def refuse(self, path, kind, *words):
        """The command neither hangs nor writes through what was planted."""
        done = self.scree(*words, code=3, timeout=60)
        self.assertIn("%s: cannot write: this is %s, not a file\n  remedy:" %
                      (os.path.basename(path), KINDS[kind]), done.stderr)
        self.check_victim()
        self.assertFalse(stat.S_ISREG(os.lstat(path).st_mode))

    def test_run__trap_in_place_of_an_output__named_error(self):
        for name in (".lock", "scalars.csv", "bodies_000000.hdf",
                     "bodies.hdf.series", "checkpoint-000000000010.hdf5",
                     "finished.txt", "run.log", "view.py", "timing.json"):
            for kind in KINDS:
                shutil.rmtree(self.path("out"), ignore_errors=True)
                with self.subTest(name=name, kind=kind):
                    path = self.plant(kind, "out", name)
                    if name == "finished.txt" and kind == "link":
                        # It is read first: a link to a file is a finished run.
                        self.scree("run", "case.yaml", "--out", "out", code=2)
                        self.check_victim()
                    elif self.clears(name, kind):
                        self.scree("run", "case.yaml", "--out", "out")
                        self.check_victim()
                    else:
                        self.refuse(path, kind, "run", "case.yaml", "--out", "out")

    @staticmethod
    def clears(name, kind):
        """A run removes what an earlier one has left, or somebody put there."""
        earlier = name.startswith(("bodies", "checkpoint", "finished", "timing"))
        return earlier and kind != "folder"

    def test_run__trap_in_place_of_a_temporary_file__replaced(self):
        for name in ("bodies_000000.hdf.tmp", "bodies.hdf.series.tmp",
                     "checkpoint-000000000010.hdf5.tmp", "finished.txt.tmp",
                     "case.yaml.tmp", "view.py.tmp", "timing.json.tmp"):
            for kind in ("link", "fifo"):
                shutil.rmtree(self.path("out"), ignore_errors=True)
                with self.subTest(name=name, kind=kind):
                    self.plant(kind, "out", name)
                    self.scree("run", "case.yaml", "--out", "out", timeout=60)
                    self.check_victim()
                    final = self.path("out", name[:-4])
                    self.assertTrue(stat.S_ISREG(os.lstat(final).st_mode))
                    self.assertFalse(os.path.lexists(self.path("out", name)))

    def test_run__folder_in_place_of_a_temporary_file__named_error(self):
        path = self.plant("folder", "out", "bodies_000000.hdf.tmp")
        self.refuse(path, "folder", "run", "case.yaml", "--out", "out")

    def test_run__folder_is_a_link__followed(self):
        """Large disks are often reached by one."""
        os.mkdir(self.path("disk"))
        os.symlink("disk", self.path("out"))
        self.scree("run", "case.yaml", "--out", "out")
        self.assertIn("scalars.csv", os.listdir(self.path("disk")))

    def test_resume__trap_in_place_of_the_log__named_error(self):
        self.scree("run", "case.yaml", "--out", "out")
        for kind in KINDS:
            with self.subTest(kind):
                path = self.plant(kind, "out", "restarts.log")
                self.refuse(path, kind, "resume", "out", "--set", "time.end=0.02")
                (os.rmdir if kind == "folder" else os.remove)(path)

    def test_commands__trap_in_place_of_the_output__named_error(self):
        self.scree("run", "case.yaml", "--out", "out")
        problem = min((os.path.join(PROBLEM, n) for n in os.listdir(PROBLEM)
                       if n.endswith(".hdf5")), key=os.path.getsize)
        for kind in KINDS:
            for name, words in (
                    ("packed", ("pack", "out", "-o", "packed")),
                    ("table", ("extract", "out", "--csv", "table")),
                    ("picture.png", ("render", "out", "-o", "picture.png")),
                    ("movie.mp4", ("render", "out", "--movie", "movie.mp4")),
                    ("solved", ("solve", problem, "--out", "solved")),
                    ("history", ("solve", problem, "--history", "history"))):
                with self.subTest(kind=kind, words=words):
                    self.refuse(self.plant(kind, name), kind, *words)
                    path = self.path(name)
                    (os.rmdir if kind == "folder" else os.remove)(path)

    def test_run__folder_removed__no_advice_to_resume(self):
        process = self.start("run", "case.yaml", "--out", "out", "--set",
                             "time.end=1000", stdout=subprocess.DEVNULL)
        while not os.path.exists(self.path("out", "bodies_000003.hdf")):
            self.assertIsNone(process.poll())
        os.rename(self.path("out"), self.path("gone"))  # all of it at once
        while os.path.exists(self.path("gone")):
            shutil.rmtree(self.path("gone"), ignore_errors=True)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3)
        self.assertNotIn("scree resume", said)
        self.assertIn("is no longer there: was out removed?", said)


    def check_swap(self, case, sign, names):
        """While it runs the folder gets another name, and a link its own: to another
        folder, with files of the same names."""
        process = self.start("run", case, "--out", "out", "--set", "time.end=1000",
                             stdout=subprocess.DEVNULL)
        while not os.path.exists(self.path("out", sign)):
            self.assertIsNone(process.poll())
        os.mkdir(self.path("other"))
        for name in names:
            self.write("other/" + name, "precious")
        os.rename(self.path("out"), self.path("moved"))
        os.symlink(self.path("other"), self.path("out"))
        kept = set(os.listdir(self.path("moved")))
        give_up = time.monotonic() + 60
        while not {x for x in os.listdir(self.path("moved")) if x.endswith(".hdf5")} - kept:
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), give_up)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, said)
        self.assertEqual(sorted(os.listdir(self.path("other"))), sorted(names))
        for name in names:
            with open(self.path("other", name)) as file:
                self.assertEqual(file.read(), "precious", name)
        found = os.listdir(self.path("moved"))
        self.assertFalse([x for x in found if x == ".lock" or x.endswith(".tmp")])
        self.scree("resume", "moved", "--max-walltime", "0.001")

    def test_run__folder_swapped_for_a_link__results_stay_in_it(self):
        self.check_swap("case.yaml", "bodies_000003.hdf",
                        [".lock", "scalars.csv", "bodies.hdf.series", "restarts.log",
                         "checkpoint-000000000000.hdf5", "bodies_000000.hdf"])

    def test_model__folder_swapped_for_a_link__results_stay_in_it(self):
        self.write("model.yaml", MODEL)
        self.check_swap("model.yaml", "checkpoint-000000000020.hdf5",
                        [".lock", "model.csv", "model.hdf5", "restarts.log",
                         "checkpoint-000000000000.hdf5"])


# ---- names and scripts ---------------------------------------------------------

class Words(InFolder):
    def program(self, name, text):
        os.makedirs(self.path("bin"), exist_ok=True)
        path = self.write("bin/" + name, "#!/bin/sh\n" + text)
        os.chmod(path, 0o755)

    def test_movie__name_like_an_option__is_a_name(self):
        """With stand-ins for the programs that draw."""
        self.write("case.yaml", CASE)
        self.scree("run", "case.yaml", "--out", "out")
        self.program("pvbatch", "exit 0\n")
        self.program("ffmpeg", "printf '%s\\n' \"$@\" > arguments\n"
                     "for last; do :; done\necho movie > \"$last\"\n")
        environment = {**os.environ, "DISPLAY": ":7",
                       "PATH": self.path("bin") + ":" + os.environ["PATH"]}
        self.scree("render", "out", "--movie=-f.mp4", env=environment)
        with open(self.path("arguments")) as file:
            arguments = file.read().split("\n")
        self.assertNotIn("-f.mp4", arguments)
        self.assertEqual(arguments[-2][:1], "/")
        with open(self.path("-f.mp4")) as file:
            self.assertEqual(file.read(), "movie\n")
        done = self.scree("render", "out", "--movie=a.mp4:x", code=2,
                          env=environment)
        self.assertIn("a movie ends in .mp4 or .gif", done.stderr)

    SCRIPT = "open('ran', 'w')\ndef catalyst_execute(info): pass\n"

    def test_no_scripts__run_and_resume__refused(self):
        self.write("script.py", self.SCRIPT)
        self.write("case.yaml", CASE + "audit: warn\n")
        output = "outputs+={catalyst: {scripts: [script.py]}}"
        for words in (("run", "case.yaml", "--set", output),
                      ("run", "case.yaml", "--catalyst", "script.py")):
            done = self.scree(*words, "--no-scripts", "--out", "out", code=2)
            self.assertIn("catalyst: --no-scripts refuses to run the script '%s'"
                          % self.path("script.py"), done.stderr)
            self.assertFalse(os.path.exists(self.path("out")))
        self.scree("run", "case.yaml", "--no-scripts", "--out", "out")
        done = self.scree("resume", "out", "--no-scripts", "--set",
                          "time.end=0.02", "--set", output, code=2)
        self.assertIn("--no-scripts refuses", done.stderr)
        self.scree("resume", "out", "--no-scripts", "--set", "time.end=0.02")

    def test_demo__no_scripts__no_pictures_asked_for(self):
        """The script, with stand-ins for all that it calls."""
        os.makedirs(self.path("cases"))
        os.makedirs(self.path("build"))
        shutil.copy(os.path.join(SOURCE, "cases/demo"), self.path("cases"))
        self.write("cases/packages.sh", "need() { :; }\nbuild_packages=(a)\n"
                   "paraview_packages=(a)\n")
        self.write("build/scree_catalyst.so", "")
        self.program("cmake", "exit 0\n")
        path = self.write("build/scree", "#!/bin/sh\necho scree \"$@\"\n")
        os.chmod(path, 0o755)
        environment = {**os.environ,
                       "PATH": self.path("bin") + ":" + os.environ["PATH"]}

        def demo(*words):
            return subprocess.run(["bash", self.path("cases/demo"), *words],
                                  env=environment, capture_output=True, text=True,
                                  check=True).stdout

        self.assertIn("--catalyst", demo())
        said = demo("--no-scripts")
        self.assertIn("--no-scripts", said)
        self.assertNotIn("--catalyst", said)


if __name__ == "__main__":
    unittest.main()
