"""Runs that are stopped or killed, and go on: the program from outside.

    python3 resume.py SCREE
"""
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import SCREE  # noqa: E402
from survivor import CASE, LONG, Survivor  # noqa: E402


class Resume(Survivor):
    # ---- kill -9 -------------------------------------------------------------

    def test_killed_50_times__goes_on__as_if_never_disturbed(self):
        """Each part of the run may live for a while that is drawn at random and
        ends without warning; what is written must always be enough to go on."""
        draw = random.Random(11)
        undisturbed = self.path("undisturbed")
        stretch = ["--set", "checkpoint.every_wall=0.01"]
        hash_ = self.hash_of(self.run_case(*stretch, out=undisturbed))
        kills, longest, give_up = 0, 0.15, time.monotonic() + 200
        while kills < 50:
            self.assertLess(time.monotonic(), give_up)
            command = (["resume", self.out] if self.checkpoints() else
                       ["run", self.case, "--out", self.out, *stretch])
            process = subprocess.Popen([SCREE, *command],
                                       stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE)
            try:
                process.wait(draw.uniform(0.02, longest))
                # It came to its end: the rest of the kills hit a new one. (Cut back to
                # an earlier checkpoint it would end again before it could be killed.)
                self.assertEqual(process.returncode, 0,
                                 process.stderr.read())
                self.assertEqual(self.hash_of(self.resume()), hash_)
                self.check_outputs(undisturbed)
                shutil.rmtree(self.out)
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
                if not self.checkpoints():  # not there yet: the machine is busy
                    longest *= 1.5
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
        process = self.start("run", self.case, "--out", self.out, "--set",
                             "checkpoint={}", *LONG)
        self.wait_for(lambda: os.path.exists(self.path(
            "result", "bodies_000002.hdf")))
        self.assertEqual(self.checkpoints(), [])
        process.send_signal(signal.SIGUSR1)
        process.communicate(timeout=60)
        self.assertEqual(len(self.checkpoints()), 1)

    def test_max_walltime__first_checkpoint_is_saved_and_timed_at_once(self):
        """Also if the case asks for none: how long it takes must be known before
        it is urgent. One that goes on saves that one again."""
        off = ["--set", "checkpoint={}", "--max-walltime", "600"]
        self.run_case(*off, "--set", "time.end=0.01")
        self.assertEqual(self.steps(), [0, 10])
        before = os.stat(self.checkpoints()[-1]).st_ino
        self.resume("--max-walltime", "600")
        self.assertNotEqual(os.stat(self.checkpoints()[-1]).st_ino, before)

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

    # ---- changes -----------------------------------------------------------------

    def log(self, out=None):
        with open(os.path.join(out or self.out, "restarts.log")) as file:
            return file.read()

    def check_lines(self, lines, *patterns):
        for pattern in patterns:
            sign = re.escape("  " + pattern[0])
            self.assertTrue(any(re.fullmatch(sign + pattern[1:], line)
                                for line in lines), (pattern, lines))

    def test_resume__change_of_numerics__logged(self):
        self.run_case()
        self.resume("--set", "time.end=0.7", "--set", "solver.iterations=7",
                    "--threads", "2")
        self.resume()
        first, *lines = self.log().splitlines()
        self.assertRegex(first, r"from .*checkpoint-0+600.hdf5, step 600, t = ")
        self.assertTrue(first.endswith("; --set time.end=0.7 --set "
                                       "solver.iterations=7 --set threads=2"))
        self.check_lines(lines, "- threads: 1", "+ threads: 2",
                         "- solver: .* iterations: 1000,.*",
                         "+ solver: .* iterations: 7,.*",
                         "- time: {end: 0.6, step: 0.001, motion: 0.1}",
                         "+ time: {end: 0.7, step: 0.001, motion: 0.1}")
        # The second continuation changed nothing.
        self.assertRegex(lines[-1], r"step 700, t = 0\.\d+ s$")
        self.assertEqual(self.steps()[-1], 700)

    def test_resume__second_change__only_it_is_said(self):
        """Options that were set before are no change, nor are parts of words."""
        self.run_case("--set", "solver.iterations=7")
        said = []
        for sets in (["threads=1"], ["threads=1", "time.end=0.62"]):
            words = [word for s in sets for word in ("--set", s)]
            done = self.resume(*words, "--set", "checkpoint.keep=2")
            said += [line for line in done.stdout.splitlines()
                     if line.startswith("changed:")]
        self.assertEqual(said[0], "changed: --set threads=1 --set checkpoint.keep=2")
        self.assertNotIn("  ", said[1])
        self.assertTrue(said[1].startswith("changed: --set threads=1 --set time.end=0.62"),
                        said[1])

    def test_resume__set_then_killed_at_once__the_next_one_keeps_it(self):
        """What was set stays set, also if no checkpoint came after it."""
        self.run_case()
        reference = self.path("reference")
        shutil.copytree(self.out, reference)
        few = ["--set", "solver.iterations=7"]
        hash_ = self.hash_of(self.scree("resume", reference, *few, "--set",
                                        "time.end=0.65"))
        process = self.start("resume", self.out, *few, "--set",
                             "time.end=1000", "--set", "checkpoint={}")
        newest = self.checkpoints()[-1]
        self.wait_for(lambda: "--set solver.iterations=7" in
                      self.scree("info", newest).stdout)
        process.kill()
        process.wait()
        self.assertEqual(self.steps()[-1], 600)
        done = self.resume("--set", "time.end=0.65")
        self.assertEqual(self.hash_of(done), hash_)

    def test_resume__set_but_no_room__old_checkpoint_stays(self):
        hash_ = self.hash_of(self.run_case())
        newest = self.checkpoints()[-1]
        with open(newest, "rb") as file:
            before = file.read()

        def limit():
            most = len(before) - 5000
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        self.resume("--set", "solver.iterations=7", code=3, preexec_fn=limit)
        with open(newest, "rb") as file:
            self.assertTrue(file.read() == before)
        self.assertEqual(self.hash_of(self.resume()), hash_)

    def test_restart__branch_with_changes__logged_there(self):
        self.run_case()
        branch, newest = self.path("branch"), self.checkpoints()[-1]
        self.run_case("--restart", newest, "--set", "solver.iterations=7",
                      "--set", "time.end=0.61", out=branch)
        first, *lines = self.log(branch).splitlines()
        self.assertIn("from %s, step 600" % newest, first)
        self.assertTrue(first.endswith("--set solver.iterations=7 --set "
                                       "time.end=0.61"))
        self.check_lines(lines, "+ solver: .* iterations: 7,.*")
        self.assertFalse(os.path.exists(os.path.join(self.out, "restarts.log")))
        # A new run has no past.
        self.run_case("--set", "time.end=0.01", "--force", out=branch)
        self.assertFalse(os.path.exists(os.path.join(branch, "restarts.log")))

    def test_restart__edited_case__logged_with_its_lines_and_options(self):
        self.run_case()
        self.write("case.yaml", CASE.replace("friction: 0.5", "friction: 0.25"))
        self.run_case("--restart", self.checkpoints()[-1], "--set",
                      "time.end=0.61")
        first, *lines = self.log().splitlines()
        self.assertTrue(first.endswith(
            "; another case text with --set time.end=0.61"))
        self.assertIn("    materials:", lines)
        self.check_lines(lines, "- +friction: 0.5", "+ +friction: 0.25")

    def test_restart__folder_in_use__refused_and_not_logged(self):
        process = self.start_case(*LONG)
        self.run_case("--restart", self.checkpoints()[-1], *LONG, code=2)
        process.kill()
        process.wait()
        self.assertFalse(os.path.exists(os.path.join(self.out, "restarts.log")))

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

    # ---- cluster --------------------------------------------------------------------

    def test_slurm_script__stopped_and_requeued__comes_to_its_end(self):
        """The script with a scontrol of our own, which is enough to see that it
        starts, stops on SIGUSR1, asks to be queued again, and resumes."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                              "..", "..", "..", "cases", "cluster", "slurm.sh")
        tools = self.path("tools")
        os.mkdir(tools)
        for name, text in (("scontrol", 'echo "$@" >>"%s"' %
                            self.path("asked")),
                           ("srun", 'exec "$@"')):
            with open(os.path.join(tools, name), "w") as file:
                file.write("#!/bin/sh\n%s\n" % text)
            os.chmod(os.path.join(tools, name), 0o755)
        self.write("case.yaml", CASE.replace("end: 0.6", "end: 1000"))
        env = {**os.environ, "PATH": tools + ":" + os.environ["PATH"],
               "SCREE": SCREE, "SLURM_JOB_ID": "42", "CASE": self.case,
               "OUT": self.out}
        job = subprocess.Popen(["bash", script], env=env, cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
        self.addCleanup(job.kill)
        self.wait_for(lambda: self.steps() and self.steps()[-1] > 0)
        job.send_signal(signal.SIGUSR1)
        out, err = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0, out + err)
        with open(self.path("asked")) as file:
            self.assertEqual(file.read(), "requeue 42\n")
        # Queued again, it goes on; here it is given an end.
        end = "time.end=%g" % ((self.steps()[-1] + 100) * 1e-3)
        shorter = self.path("tools", "shorter")
        with open(shorter, "w") as file:
            file.write('#!/bin/sh\nexec "%s" "$@" --set %s\n' % (SCREE, end))
        os.chmod(shorter, 0o755)
        done = subprocess.run(["bash", script], env={**env, "SCREE": shorter},
                              cwd=self.folder, capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("continues from", done.stdout)
        with open(self.path("asked")) as file:
            self.assertEqual(file.read(), "requeue 42\n")
        whole = self.run_case("--set", end, out=self.path("undisturbed"))
        self.assertEqual(self.hash_of(done), self.hash_of(whole))


if __name__ == "__main__":
    unittest.main()
