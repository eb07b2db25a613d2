"""Runs that are stopped, killed or starved, and go on: the program from outside.

    python3 resume.py SCREE
"""
import glob
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

from in_folder import SCREE, InFolder

CASE = """
name: survivor
seed: 3
threads: 1
time: {end: 0.6, step: 0.001}
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock,
     motion: {oscillation: {amplitude: [0, 0, 0.01], frequency: 10}}}
bodies:
  - lattice: {origin: [0, 0, 0.06], counts: [4, 4, 6], spacing: 0.11, jitter: 0.004}
    radius: 0.05
    material: rock
  - pour: {box: {min: [0, 0, 1], max: [0.4, 0.4, 1.2]}, rate: 100}
    radius: {uniform: {min: 0.03, max: 0.05}}
    material: rock
outputs:
  - frames: {every: 0.05}
  - contacts: {every: 0.1}
  - scalars: {every: 0.002}
checkpoint: {every: 0.013}
"""
LONG = ["--set", "time.end=1000"]
NOT_OUTPUTS = ("checkpoint-", "restarts.log", ".lock")


class Resume(InFolder):
    # Memory where there is such a folder: runs sync what they write.
    root = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

    def setUp(self):
        super().setUp()
        self.case = self.write("case.yaml", CASE)
        self.out = self.path("result")

    def run_case(self, *arguments, out=None, **options):
        return self.scree("run", self.case, "--out", out or self.out,
                          *arguments, **options)

    def resume(self, *arguments, **options):
        return self.scree("resume", self.out, *arguments, **options)

    def hash_of(self, done):
        self.assertIn("state hash: ", done.stdout)
        return done.stdout.split("state hash: ")[1].split()[0]

    def start_case(self, *arguments):
        """A run that has written a checkpoint beyond its first step."""
        process = self.start("run", self.case, "--out", self.out, *arguments)
        give_up = time.monotonic() + 60
        while not self.steps() or self.steps()[-1] == 0:
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.01)
        return process

    def checkpoints(self):
        return sorted(glob.glob(os.path.join(self.out, "checkpoint-*.hdf5")))

    def steps(self):
        return [int(p[-17:-5]) for p in self.checkpoints()]

    def outputs(self, out=None):
        content = {}
        for name in os.listdir(out or self.out):
            if name.startswith(NOT_OUTPUTS):
                continue
            with open(os.path.join(out or self.out, name), "rb") as file:
                content[name] = file.read()
        return content

    def check_outputs(self, undisturbed):
        """The same files with the same bytes, nothing missing or left over."""
        expected, found = self.outputs(undisturbed), self.outputs()
        self.assertEqual(sorted(expected), sorted(found))
        for name in expected:
            self.assertTrue(expected[name] == found[name], name)
        with open(os.path.join(self.out, "bodies.hdf.series")) as file:
            frames = json.load(file)["files"]
        names = [f["name"] for f in frames]
        self.assertEqual(names, sorted(set(names)))
        self.assertEqual([f["time"] for f in frames],
                         sorted({f["time"] for f in frames}))

    # ---- kill -9 -------------------------------------------------------------

    def test_killed_50_times__goes_on__as_if_never_disturbed(self):
        """Each part of the run may live for a while that is drawn at random and
        ends without warning; what is written must always be enough to go on."""
        draw = random.Random(11)
        undisturbed = self.path("undisturbed")
        stretch = ["--set", "checkpoint.every_wall=0.01"]
        hash_ = self.hash_of(self.run_case(*stretch, out=undisturbed))
        kills, give_up = 0, time.monotonic() + 200
        while kills < 50:
            self.assertLess(time.monotonic(), give_up)
            command = (["resume", self.out] if self.checkpoints() else
                       ["run", self.case, "--out", self.out, *stretch])
            process = subprocess.Popen([SCREE, *command],
                                       stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE)
            try:
                process.wait(draw.uniform(0.02, 0.15))
                # It came to its end: the rest of the kills hit a run that is
                # cut back to an earlier checkpoint.
                self.assertEqual(process.returncode, 0,
                                 process.stderr.read())
                while len(self.checkpoints()) > 1:
                    os.unlink(self.checkpoints()[-1])
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
            process.communicate()
        done = self.resume()
        self.assertEqual(self.hash_of(done), hash_)
        self.check_outputs(undisturbed)

    # ---- planned stops and signals ---------------------------------------------

    def stop_by(self, number, code):
        process = self.start_case(*LONG)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, out + err)
        self.assertIn("stopped by signal %d" % number, out)
        return out

    def test_signals__finish_the_step_and_say_how_to_go_on(self):
        for number, code in ((signal.SIGUSR1, 0), (signal.SIGTERM, 143),
                             (signal.SIGINT, 130)):
            with self.subTest(number):
                out = self.stop_by(number, code)
                step = int(out.split(", step ")[1].split()[0])
                self.assertEqual(self.steps()[-1], step)
                command = out.split("continue with: ")[1].splitlines()[0]
                self.assertEqual(command, "%s resume %s" % (SCREE, self.out))
                done = subprocess.run(
                    command + " --set time.end=%g" % ((step + 5) * 1e-3),
                    shell=True, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("(step %d, " % step, done.stdout)
                shutil.rmtree(self.out)

    def test_stopped_by_signal__goes_on__same_outputs(self):
        undisturbed = self.path("undisturbed")
        hash_ = self.hash_of(self.run_case(out=undisturbed))
        process = self.start_case()
        process.send_signal(signal.SIGUSR1)
        process.communicate(timeout=60)
        done = self.resume()
        self.assertEqual(self.hash_of(done), hash_)
        self.check_outputs(undisturbed)

    def test_stop_without_checkpoints_in_the_case__leaves_one(self):
        self.run_case("--set", "checkpoint={}", "--max-walltime", "0.05", *LONG)
        self.assertEqual(len(self.checkpoints()), 1)

    def test_max_walltime__stops_in_time_with_code_0(self):
        for given in ("1", "00:00:01"):
            begun = time.monotonic()
            done = self.run_case("--max-walltime", given, *LONG)
            self.assertLess(time.monotonic() - begun, 20)
            self.assertIn("stopped by --max-walltime", done.stdout)
            self.assertGreater(self.steps()[-1], 0)
            self.assertIn("resume " + self.out, done.stdout)

    def test_max_walltime__not_a_time__code_2(self):
        for given in ("", "x", "-1", "0", "1:2", "1:2:3:4", "nan", "1:x:3"):
            done = self.run_case("--max-walltime", given, code=2)
            self.assertIn("HH:MM:SS", done.stderr)

    # ---- resume ------------------------------------------------------------------

    def test_resume__nothing_there__code_2_with_remedy(self):
        done = self.resume(code=2)
        self.assertIn("not the folder of a run", done.stderr)
        os.mkdir(self.out)
        done = self.resume(code=2)
        self.assertIn("there is no checkpoint", done.stderr)
        self.assertIn("scree run", done.stderr)

    def test_resume__finished_run__nothing_changes(self):
        hash_ = self.hash_of(self.run_case())
        before = self.outputs()
        self.assertEqual(self.hash_of(self.resume()), hash_)
        self.assertEqual(before, self.outputs())

    def test_info__checkpoint__what_it_is_and_how_to_go_on(self):
        hash_ = self.hash_of(self.run_case("--set", "seed=9"))
        path = self.checkpoints()[-1]
        done = self.scree("info", path)
        for line in ("checkpoint-000000000600.hdf5: checkpoint, t = 0.6 s, step "
                     "600\n", "scree resume %s goes on" % self.out,
                     "--restart %s from this one\n" % path, "case: survivor (",
                     "seed 9\n", "  --set seed=9\n", "state hash: " + hash_):
            self.assertIn(line, done.stdout)
        done = self.scree("info", os.path.basename(path), cwd=self.out)
        self.assertIn("scree resume . goes on", done.stdout)
        for command in (["extract", path], ["pack", path, "-o", "x.vtkhdf"]):
            done = self.scree(*command, code=2)
            self.assertIn("a checkpoint holds no frames; scree resume goes on",
                          done.stderr)

    def test_restart__not_a_checkpoint__code_2(self):
        self.run_case()
        for path, word in ((os.path.join(self.out, "bodies_000000.hdf"),
                            "a result of a run, not a checkpoint"),
                           (self.case, "no HDF5 file"),
                           (self.path("nothing"), "No such file")):
            done = self.run_case("--restart", path, code=2)
            self.assertIn(word, done.stderr)

    def test_resume__change_of_numerics__logged(self):
        self.run_case()
        self.resume("--set", "time.end=0.7", "--set", "solver.iterations=7",
                    "--threads", "2")
        with open(os.path.join(self.out, "restarts.log")) as file:
            log = file.read()
        self.assertIn("--set time.end=0.7 --set solver.iterations=7 --set "
                      "threads=2", log)
        self.assertEqual(self.steps()[-1], 700)

    def test_resume__unknown_key__code_2_and_nothing_changes(self):
        self.run_case()
        before = self.outputs()
        done = self.resume("--set", "solver.iteratoins=7", code=2)
        self.assertIn("iterations", done.stderr)
        self.assertEqual(before, self.outputs())

    def test_restart__other_bodies__code_2_with_remedy(self):
        self.run_case()
        done = self.run_case("--restart", self.checkpoints()[-1], "--set",
                             "bodies[0].radius=0.04", code=2)
        self.assertIn("other bodies than the checkpoint", done.stderr)

    def test_restart__in_its_folder__outputs_go_on(self):
        undisturbed = self.path("undisturbed")
        hash_ = self.hash_of(self.run_case(out=undisturbed))
        self.run_case()
        done = self.run_case("--restart", self.checkpoints()[0])
        self.assertEqual(self.hash_of(done), hash_)
        self.check_outputs(undisturbed)

    def test_resume__table_has_lost_rows__code_2_with_remedy(self):
        self.run_case()
        with open(os.path.join(self.out, "scalars.csv"), "r+") as file:
            file.truncate(1000)
        done = self.resume(code=2)
        self.assertIn("scalars.csv: has lost rows", done.stderr)
        self.assertIn("--restart", done.stderr)

    # ---- faults --------------------------------------------------------------------

    def test_two_runs_in_one_folder__second_is_told_who(self):
        first = self.start_case(*LONG)
        for command in (["run", self.case, "--out", self.out],
                        ["resume", self.out]):
            done = self.scree(*command, code=2)
            self.assertIn("in use by another run (pid %d on " % first.pid,
                          done.stderr)
        first.kill()
        first.wait()
        self.resume("--max-walltime", "0.05")

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

        done = self.run_case(code=3, preexec_fn=limit)
        self.assertIn("cannot write: File too large",
                      done.stderr)
        self.assertIn("the last checkpoint is that of step", done.stderr)
        self.assertEqual(glob.glob(os.path.join(self.out, "*.tmp")), [])
        self.assertGreater(self.steps()[-1], 0)
        self.assertEqual(self.hash_of(self.resume()), hash_)
        self.check_outputs(undisturbed)

    def test_output_folder_vanishes__code_3(self):
        process = self.start_case(*LONG)
        shutil.rmtree(self.out, ignore_errors=True)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, err)
        self.assertIn("No such file or directory", err)

    def test_runaway__code_4_and_last_checkpoint_named(self):
        """A step size that is far too long makes bodies run away: the good
        checkpoint stays, and the run goes on from it."""
        hash_ = self.hash_of(self.run_case())
        for bad, end, word in (("time.step=1e9", 1e12, "runs away"),
                               ("gravity=[0, 0, 1e306]", 1, "is not finite")):
            done = self.resume("--set", bad, "--set", "time.end=%g" % end,
                               code=4)
            self.assertRegex(done.stderr, r"body \d+ %s in step 601" % word)
            self.assertIn("the last checkpoint is that of step 600",
                          done.stderr)
            self.assertEqual(self.steps()[-1], 600)
            self.assertEqual(self.hash_of(self.resume()), hash_)

    # ---- cluster --------------------------------------------------------------------

    def test_slurm_script__stopped_and_requeued__comes_to_its_end(self):
        """The script with a scontrol of our own, which is enough to see that it
        starts, stops on SIGUSR1, asks to be queued again, and resumes."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                              "..", "..", "cases", "cluster", "slurm.sh")
        tools = self.path("tools")
        os.mkdir(tools)
        for name, text in (("scontrol", 'echo "$@" >>"%s"' %
                            self.path("asked")),
                           ("srun", 'exec "$@"')):
            with open(os.path.join(tools, name), "w") as file:
                file.write("#!/bin/sh\n%s\n" % text)
            os.chmod(os.path.join(tools, name), 0o755)
        env = {**os.environ, "PATH": tools + ":" + os.environ["PATH"],
               "SCREE": SCREE, "SLURM_JOB_ID": "42", "CASE": self.case,
               "OUT": self.out}
        undisturbed = self.path("undisturbed")
        hash_ = self.hash_of(self.run_case(out=undisturbed))
        job = subprocess.Popen(["bash", script], env=env, cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
        self.addCleanup(job.kill)
        give_up = time.monotonic() + 60
        while not self.checkpoints():
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.005)
        job.send_signal(signal.SIGUSR1)
        out, err = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0, out + err)
        if self.steps()[-1] < 600:
            with open(self.path("asked")) as file:
                self.assertEqual(file.read(), "requeue 42\n")
        done = subprocess.run(["bash", script], env=env, cwd=self.folder,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.hash_of(done), hash_)
        self.check_outputs(undisturbed)


if __name__ == "__main__":
    unittest.main()
