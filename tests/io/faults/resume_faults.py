"""Runs that are starved, disturbed or broken: the right exit code and message, and
the last complete checkpoint can still be used.

    python3 resume_faults.py SCREE
"""
import ctypes
import glob
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import unittest

import h5py

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from sealing import CHECKPOINT, seal  # noqa: E402
from survivor import LONG, Survivor  # noqa: E402


class ResumeFaults(Survivor):
    def test_two_runs_in_one_folder__second_is_told_who(self):
        first = self.start_case(*LONG)
        for command in (["run", self.case, "--out", self.out],
                        ["resume", self.out]):
            done = self.scree(*command, code=2)
            self.assertIn("in use by another run (pid %d on " % first.pid,
                          done.stderr)
            self.assertNotIn("srun", done.stderr)
        done = self.scree("run", self.case, "--out", self.out, code=2,
                          env={**os.environ, "SLURM_STEP_NUM_TASKS": "2"})
        self.assertIn("\n  remedy: srun has started several runs, not ranks of one", done.stderr)
        first.kill()
        first.wait()
        self.resume("--max-walltime", "0.05")

    def check_disk_full(self, undisturbed, hash_, reason, make_room, **options):
        done = self.run_case(code=3, **options)
        self.assertIn("cannot write: " + reason, done.stderr)
        self.assertIn("the last checkpoint is that of step", done.stderr)
        self.assertEqual(glob.glob(os.path.join(self.out, "*.tmp")), [])
        self.assertGreater(self.steps()[-1], 0)
        make_room()
        self.assertEqual(self.hash_of(self.resume()), hash_)
        self.check_outputs(undisturbed)

    def test_disk_full__code_3_and_last_checkpoint_usable(self):
        """A limit on the size of files stands for it: the checkpoint grows
        with the pour."""
        undisturbed = self.path("undisturbed")
        hash_ = self.hash_of(self.run_case(out=undisturbed))
        sizes = [os.path.getsize(p) for p in
                 glob.glob(os.path.join(undisturbed, "checkpoint-*"))]
        most = max(sizes) - 12000

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        self.check_disk_full(undisturbed, hash_, "File too large",
                             lambda: None, preexec_fn=limit)

    def test_small_tmpfs_full__code_3_and_last_checkpoint_usable(self):
        """A real one, where mounting is allowed; it grows for the resume."""
        undisturbed = self.path("undisturbed")
        hash_ = self.hash_of(self.run_case(out=undisturbed))
        size = sum(os.path.getsize(p) for p in
                   glob.glob(os.path.join(undisturbed, "*")))
        os.mkdir(self.out)
        mount = ["mount", "-t", "tmpfs", "-o", "size=%d" % (3 * size // 4),
                 "scree", self.out]
        done = subprocess.run(mount, capture_output=True, text=True)
        if done.returncode != 0:
            print("a full tmpfs was not tested, only a limit on the size of "
                  "files: %s" % done.stderr.strip(), file=sys.stderr)
            return
        self.addCleanup(subprocess.run, ["umount", self.out], check=True)
        self.check_disk_full(
            undisturbed, hash_, "No space left on device",
            lambda: subprocess.run(["mount", "-o", "remount,size=%d" %
                                    (4 * size), self.out], check=True))

    def test_output_folder_vanishes__code_3(self):
        process = self.start_case(*LONG)
        while os.path.isdir(self.out):  # a file that comes meanwhile keeps it
            shutil.rmtree(self.out, ignore_errors=True)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, err)
        self.assertIn("No such file or directory", err)

    def test_runaway__code_4_and_last_checkpoint_named(self):
        """A step size that is far too long makes bodies run away: the good
        checkpoint stays, and the run goes on from it."""
        hash_ = self.hash_of(self.run_case())
        good = ["--set", "time={end: 0.6, step: 0.001}", "--set",
                "gravity=[0, 0, -9.81]"]
        for bad, end, word in (("time.step=1e9", 1e12, "runs away"),
                               ("gravity=[0, 0, 1e306]", 1, "is not finite")):
            done = self.resume("--set", bad, "--set", "time.end=%g" % end,
                               code=4)
            self.assertRegex(done.stderr, r"body \d+ %s in step 60[01]" % word)
            self.assertIn("the last checkpoint is that of step 600",
                          done.stderr)
            self.check_broken(done.stderr)
            self.assertEqual(self.steps()[-1], 600)
            self.assertEqual(self.hash_of(self.resume(*good)), hash_)
            self.assertEqual(glob.glob(self.path("result", "broken-*")), [])

    def check_broken(self, message):
        """The state that ended the run is there to be looked at; its table."""
        path = re.search(r"the state as it is was written to (\S+)", message)[1]
        self.assertEqual(os.path.dirname(path), self.out)
        self.scree("info", path)
        header, *rows = self.scree("extract", path).stdout.splitlines()
        return header.split(","), [row.split(",") for row in rows]

    def test_not_a_number_in_one_body__code_4_named_and_written(self):
        """In its position, orientation or velocities, by a forged checkpoint."""
        hash_ = self.hash_of(self.run_case())
        newest, body = self.checkpoints()[-1], 17
        earlier = self.path("earlier")
        shutil.copytree(self.out, earlier)
        frames = len(glob.glob(os.path.join(self.out, "bodies_*.hdf")))
        for field, column, what in (
                ("position", "y", "position"),
                ("orientation", "orientation_y", "orientation"),
                ("velocity", "velocity_y", "(velocity|position)"),
                ("angular_velocity", "angular_velocity_y",
                 "(orientation|angular velocity|position)")):
            with self.subTest(field):
                with h5py.File(newest, "r+") as file:
                    row = file["state/bodies/" + field]
                    row[body] = [*row[body][:-1], float("nan")]
                seal(newest, CHECKPOINT)
                done = self.resume("--set", "time.end=0.7", code=4)
                self.assertRegex(done.stderr, r"body %d is not finite in step "
                                 r"60[01] \(t = .*: its %s" % (body, what))
                head, rows = self.check_broken(done.stderr)
                lost = {int(r[head.index("id")]) for r in rows if "nan" in
                        ",".join(r)}
                self.assertIn(body, lost)
                # No sink has seen it, and the checkpoint before is whole.
                self.assertEqual(frames, len(glob.glob(os.path.join(
                    self.out, "bodies_*.hdf"))))
                os.unlink(newest)
                self.assertEqual(self.hash_of(self.resume()), hash_)
                shutil.rmtree(self.out)
                shutil.copytree(earlier, self.out)

    def test_time_of_the_last_frame__other_step__as_it_was(self):
        """When the step changes, k dt is no longer the time of step k."""
        self.run_case()
        shutil.copytree(self.out, self.path("whole"))

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        most = max(os.path.getsize(p) for p in
                   self.checkpoints() + glob.glob(self.path("result", "*")))
        done = self.resume("--set", "time={end: 5, step: 0.002}", "--set",
                           "outputs.frames.every=0.5", code=3,
                           preexec_fn=limit)
        match = re.search(r"frames: the last complete one is number \d+ at t = "
                          r"(\S+) s \(step (\d+)\)", done.stderr)
        time_, step = float(match[1]), int(match[2])
        self.assertGreaterEqual(step, 600)
        self.assertAlmostEqual(time_, 0.6 + (step - 600) * 0.002, places=9)

    def test_info__folder_with_checkpoints_only__listed(self):
        self.run_case("--set", "outputs=[]", "--set", "time.end=0.02")
        done = self.scree("info", self.out)
        for step in (13, 20):
            self.assertIn("checkpoint-%012d.hdf5: checkpoint, t = %g s, step %d\n"
                          % (step, step * 1e-3, step), done.stdout)
        self.assertEqual(done.stdout.count("scree resume"), 1)

    def test_folder_without_locks__warned(self):
        """A file system that knows no locks, by a filter of system calls."""
        number = {"x86_64": 73, "aarch64": 32}[os.uname().machine]
        unsupported = 38  # ENOSYS, as Lustre says it

        def no_flock():
            def instruction(code, jump_true, jump_false, k):
                return struct.pack("<HBBI", code, jump_true, jump_false, k)

            program = ctypes.create_string_buffer(
                instruction(0x20, 0, 0, 0) +  # the number of the call
                instruction(0x15, 0, 1, number) +
                instruction(0x06, 0, 0, 0x00050000 | unsupported) +
                instruction(0x06, 0, 0, 0x7fff0000))  # all others pass
            filter_ = struct.pack("<HxxxxxxQ", 4, ctypes.addressof(program))
            libc = ctypes.CDLL(None, use_errno=True)
            if (libc.prctl(38, 1, 0, 0, 0) != 0 or
                    libc.prctl(22, 2, ctypes.c_char_p(filter_), 0, 0) != 0):
                raise OSError(ctypes.get_errno(), "prctl")

        short = ["--set", "time.end=0.02"]
        for command in (["run", self.case, "--out", self.out, *short],
                        ["resume", self.out]):
            done = self.scree(*command, preexec_fn=no_flock)
            self.assertIn("warning: %s cannot be locked (Function not "
                          "implemented)" % self.out, done.stdout)
        self.assertNotIn("locked", self.resume().stdout)


if __name__ == "__main__":
    unittest.main()
