"""Faults around a run: folders that cannot be written or vanish, a full disk, a
body that is lost. Each is a message with its reason, the exit code of the
README, and the frames written before stay readable.

    faults.py SCREE
"""
import ctypes
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SCREE = os.path.abspath(sys.argv.pop(1))

CASE = """
name: faults
time: {end: 0.1, step: 0.001}
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
bodies:
  - lattice: {origin: [0, 0, 0.06], counts: [3, 3, 3], spacing: 0.11, jitter: 0.004}
    radius: 0.05
  - {sphere: {position: [1, 1, 3]}, radius: 0.05}
outputs:
  - frames: {every: 0.01}
  - contacts: {every: 0.02}
  - scalars: {}
"""
LOST = 27  # the id of the single sphere


def obey_modes():
    """Root passes over the modes of folders; a process without this capability
    does not, whoever it belongs to."""
    drop, dac_override = 24, 1
    ctypes.CDLL(None).prctl(drop, dac_override, 0, 0, 0)


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="scree-faults-"))
        self.case = self.folder / "case.yaml"
        self.case.write_text(CASE)
        self.out = self.folder / "out"

    def tearDown(self):
        for path in (self.folder, *self.folder.glob("*/")):
            path.chmod(0o755)
        shutil.rmtree(self.folder)

    def command(self, *words):
        return [SCREE, "run", self.case, "--out", self.out, *words]

    def run_case(self, *words, code, **options):
        done = subprocess.run(self.command(*words), capture_output=True,
                              text=True, timeout=300, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def interrupt(self, fault):
        """Lets `fault` happen to a long run that has written frames; its
        message."""
        process = subprocess.Popen(
            self.command("--set", "time.end=1000"), stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, preexec_fn=obey_modes)
        try:
            give_up = time.monotonic() + 60
            while not (self.out / "bodies_000003.hdf").exists():
                self.assertLess(time.monotonic(), give_up)
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            fault()
            message = process.communicate(timeout=60)[1]
        finally:
            process.kill()
            process.wait()
        self.assertEqual(process.returncode, 3, message)
        return message

    def check_readable(self, folder, least):
        """All that the list names is whole."""
        names = json.loads((folder / "bodies.hdf.series").read_text())["files"]
        self.assertGreaterEqual(len(names), least)
        for k in range(len(names)):
            done = subprocess.run([SCREE, "extract", folder, "--frame", str(k)],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(done.stdout.splitlines()), 1 + LOST + 1)
        done = subprocess.run([SCREE, "info", folder], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return len(names)

    # ---- folders -----------------------------------------------------------

    def test_folder__parent_read_only__code_3_nothing_written(self):
        self.folder.chmod(0o555)
        text = self.run_case(code=3, preexec_fn=obey_modes)
        self.assertIn("cannot create the folder '%s'" % self.out, text)
        self.assertIn("Permission denied", text)
        self.assertEqual(list(self.folder.iterdir()), [self.case])

    def test_folder__read_only__code_3_nothing_written(self):
        self.out.mkdir(mode=0o555)
        text = self.run_case(code=3, preexec_fn=obey_modes)
        self.assertIn(str(self.out), text)
        self.assertIn("Permission denied", text)
        self.assertEqual(list(self.out.iterdir()), [])

    def test_folder__read_only_during_the_run__frames_stay(self):
        text = self.interrupt(lambda: self.out.chmod(0o555))
        self.assertIn("Permission denied", text)
        n = self.check_readable(self.out, 3)
        self.assertIn("frames: the last complete one is number %d at t = " %
                      (n - 1), text)

    def test_folder__moved_during_the_run__goes_on_in_there(self):
        """Until it cannot write there any more."""
        moved = self.folder / "moved"

        def move():
            self.out.rename(moved)
            seen = len(list(moved.glob("bodies_*.hdf")))
            give_up = time.monotonic() + 60
            while not (moved / ("bodies_%06d.hdf" % (seen + 2))).exists():
                self.assertLess(time.monotonic(), give_up)
                time.sleep(0.01)
            moved.chmod(0o555)

        text = self.interrupt(move)
        self.assertIn("Permission denied", text)
        self.assertIn("the last complete one is number", text)
        self.check_readable(moved, 5)
        self.assertFalse(self.out.exists())

    def test_folder__removed_during_the_run__code_3(self):
        def remove():
            while self.out.exists():  # the run may write between the removals
                shutil.rmtree(self.out, ignore_errors=True)

        text = self.interrupt(remove)
        self.assertIn(str(self.out), text)
        self.assertIn("No such file or directory", text)
        self.assertFalse(self.out.exists())

    # ---- room --------------------------------------------------------------

    def test_disk__full_at_any_size__code_3_frames_stay(self):
        for size in (500, 5000, 15000, 20000, 24000):
            with self.subTest(size):
                text = self.run_case(
                    "--set", "time.end=2", code=3,
                    preexec_fn=lambda: resource.setrlimit(
                        resource.RLIMIT_FSIZE, (size, size)))
                self.assertIn("File too large", text)
                if (self.out / "bodies.hdf.series").exists():
                    self.check_readable(self.out, 1)
                self.assertFalse(list(self.out.glob("*.tmp")))
                shutil.rmtree(self.out)

    def test_extract__disk_full__code_3_and_no_file(self):
        self.run_case(code=0)
        table = self.folder / "table.csv"
        done = subprocess.run(
            [SCREE, "extract", self.out, "--csv", table], capture_output=True,
            text=True, preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_FSIZE, (100, 100)))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("table.csv: cannot write: File too large", done.stderr)
        self.assertFalse(list(self.folder.glob("table.csv*")))

    # ---- lost bodies -------------------------------------------------------

    def lose(self, velocity, *words):
        """The message of a run in which the last body starts so."""
        text = self.run_case("--set", "bodies[1].velocity=%s" % velocity, *words,
                             code=4)
        self.assertIn("body %d " % LOST, text)
        path = re.search(r"the state as it is was written to (\S+)", text)[1]
        self.assertEqual(Path(path).parent, self.out)
        done = subprocess.run([SCREE, "extract", path], capture_output=True,
                              text=True)
        self.assertEqual(len(done.stdout.splitlines()), 1 + LOST + 1, done)
        return text

    def test_body__lost_without_outputs__written_all_the_same(self):
        self.lose("[0, 0, -1e308]", "--set", "outputs=[]")
        self.assertEqual(sorted(p.name for p in self.out.iterdir()),
                         ["broken-000000000000.hdf", "case.yaml", "run.log"])
        done = subprocess.run([SCREE, "info", self.out], capture_output=True,
                              text=True)
        self.assertRegex(done.stdout, r"speed .* 1 not finite")

    def test_body__overflow__named_and_frames_stay(self):
        for stepper in ("moreau", "rattle", "semi-implicit-2", "semi-implicit-3"):
            with self.subTest(stepper):
                text = self.lose("[0, 0, -1e308]", "--set", "stepper=" + stepper)
                self.assertRegex(text, r"is not finite in step \d+ \(t = ")
                self.check_readable(self.out, 1)

    def test_body__runaway__named_with_speed_and_frames_stay(self):
        """Faster than light."""
        text = self.lose("[0, 1e10, 0]")
        self.assertRegex(text, r"runs away in step [01] \(t = .*: 1e\+10 m/s")
        self.check_readable(self.out, 1)

    def test_body__runaway_late__earlier_frames_stay(self):
        """A wall that appears at t = 0.05 s throws bodies away, faster than any
        step can follow."""
        walls = ("walls=[{name: floor, plane: {point: [0, 0, 0], normal: "
                 "[0, 0, 1]}}, {name: bat, plane: {point: [0, -50, 0], normal: "
                 "[0, 1, 0]}, motion: {velocity: [0, 1e18, 0]}, from: 0.05}]")
        text = self.run_case("--set", walls, code=4)
        self.assertRegex(text, r"body \d+ runs away in step \d+ \(t = 0\.05")
        self.check_readable(self.out, 5)

    def test_body__fast__no_runaway(self):
        self.run_case("--set", "bodies[1].velocity=[0, 1e8, 0]", code=0)


if __name__ == "__main__":
    unittest.main()
