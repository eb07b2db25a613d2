"""What goes wrong on several ranks: it is said once, all ranks end, none hangs.

    faults.py SCREE
"""
import os
import re
import resource
import signal
import subprocess
import time
import unittest
from pathlib import Path

from in_ranks import MPIRUN, PATIENCE, SCREE, InRanks
from open_mpi import said_lines

CASE = """
name: faults
time: {end: 0.05, step: 0.001}
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
bodies:
  - lattice: {origin: [0, 0, 0.06], counts: [6, 3, 3], spacing: 0.11}
    radius: 0.05
    material: rock
checkpoint: {every: 0.01}
"""
MODEL = """
name: ball
model: bouncing-ball
time: {end: 0.5, step: 0.01}
stepper: moreau
outputs:
  - scalars: {}
"""
LONG = ["--set", "time.end=1000"]


class Faults(InRanks):
    def setUp(self):
        super().setUp()
        self.case = self.write("case.yaml", CASE)

    def check_said_once(self, done, words):
        """Open MPI adds words of its own, that do not begin like ours."""
        said = said_lines(done.stderr)
        self.assertEqual(len(said), 1, done.stderr)
        self.assertEqual(done.stderr.count(words), 1, done.stderr)

    # ---- input -----------------------------------------------------------------

    def test_started_by_a_program_that_began_mpi_alone__has_one_rank(self):
        signs = dict(os.environ, OMPI_MCA_ess="singleton", PMIX_RANK="0",
                     PMIX_NAMESPACE="1", OMPI_MCA_pml="none_such")  # MPI cannot begin
        done = subprocess.run([SCREE, "list"], text=True, capture_output=True,
                              env=signs, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")

    def test_bad_case__code_2__said_once__nothing_written(self):
        bad = self.write("bad.yaml", CASE.replace("radius", "raduis"))
        for words in (["run", bad], ["run", self.case, "--oops"],
                      ["run", "none.yaml"], ["resume", "nowhere"]):
            with self.subTest(words):
                one = self.ranks(0, *words, "--quiet", code=2)
                done = self.ranks(3, *words, "--quiet", code=2)
                self.check_said_once(done, one.stderr.strip().split("\n")[0])
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["bad.yaml", "case.yaml"])

    def test_what_several_ranks_cannot_do__code_2__said_once(self):
        for set_, words in (("solver.method=newton",
                             "newton does not run on worlds on several ranks"),
                            ("solver.dump=all", "one rank only")):
            with self.subTest(set_):
                done = self.ranks(2, "run", self.case, "--out", "x", "--set",
                                  set_, code=2)
                self.check_said_once(done, words)
                self.assertFalse(os.path.exists(self.path("x")))

    def test_two_runs_in_one_folder__the_second_is_refused(self):
        first = self.start_ranks(2, "run", self.case, "--out", "x", *LONG)
        self.wait_for(lambda: self.steps("x"))
        for words in (["run", self.case, "--out", "x"], ["resume", "x"]):
            done = self.ranks(2, *words, code=2)
            self.check_said_once(done, "'x' is in use by another run (pid %d " %
                                 self.pids(first)[0])
        self.assertIsNone(first.poll())

    # ---- on the way ------------------------------------------------------------

    def test_rank_killed__the_others_end__the_last_checkpoint_goes_on(self):
        process = self.start_ranks(3, "run", self.case, "--out", "x", *LONG)
        self.wait_for(lambda: self.steps("x") and self.steps("x")[-1] >= 20)
        ranks = self.pids(process)
        os.kill(ranks[-1], signal.SIGKILL)
        err = process.communicate(timeout=PATIENCE)[1]
        self.assertNotEqual(process.returncode, 0)
        # The dead one cannot speak: mpirun does, once, and no other rank.
        self.assertRegex(err, r"process rank 2 with PID [^\n]* exited\s+on\s+"
                         r"signal 9 \(Killed\)")
        self.assertEqual(err.count("signal 9"), 1, err)
        self.assertNotIn("scree: ", err)
        self.wait_for(lambda: not any(os.path.exists("/proc/%d" % pid)
                                      for pid in ranks))
        step = self.steps("x")[-1]
        end = "time.end=%g" % (0.001 * (step + 5))
        self.ranks(2, "resume", "x", "--set", end)
        self.assertEqual(self.steps("x")[-1], step + 5)

    def test_body_lost__code_4__named_once__checkpoint_told(self):
        """The one that leaves is on one rank of them; all say goodbye."""
        case = self.write("lost.yaml", CASE.replace(
            "checkpoint:", "  - {sphere: {position: [0.3, 0.1, 3]}, radius: "
            "0.05, material: rock, velocity: [0, 0, 1e8]}\ncheckpoint:") +
            "gravity: [0, 0, 1e11]\n")
        for ranks in (0, 3):
            done = self.ranks(ranks, "run", case, "--out", "x", code=4)
            self.check_said_once(done, "body 54 runs away in step 9 ")
            self.assertEqual(done.stderr.count("resume x"), 1)

    def run_without_memory(self, gravity, more):
        """3 000 balls 10 m above the floor; after the first checkpoint, of step 200,
        rank 1 gets only so many more bytes. How the run ends: its errors."""
        case = self.write("large.yaml", CASE.replace("[6, 3, 3]", "[30, 10, 10]")
                          .replace("0.06]", "10]")
                          .replace("step: 0.001", "step: 0.005")
                          .replace("every: 0.01", "every: 1") +
                          "gravity: [0, 0, %g]\n" % gravity)
        # What is freed goes back to the system: none is left from the audit.
        os.environ["MALLOC_MMAP_THRESHOLD_"] = "16384"
        process = self.start_ranks(3, "run", case, "--out", "x", *LONG)
        del os.environ["MALLOC_MMAP_THRESHOLD_"]
        self.wait_for(lambda: self.steps("x") and self.steps("x")[-1] > 0)
        rank = self.pids(process)[1]
        status = Path("/proc/%d/status" % rank).read_text()
        most = more + 1024 * int(status.split("VmSize:")[1].split()[0])
        resource.prlimit(rank, resource.RLIMIT_AS, (most, most))
        err = process.communicate(timeout=PATIENCE)[1]
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(err.count("scree: "), 1, err)
        self.assertEqual(self.steps("x")[-1], 200)
        return err

    def test_one_rank_out_of_memory__says_so_and_ends_all(self):
        """The balls begin to touch at 1.4 s."""
        self.assertRegex(self.run_without_memory(-9.81, 0),
                         "scree: (rank 1 of 3: )?[^\\n]*memory")

    def test_one_rank_without_memory_for_a_checkpoint__says_so_before(self):
        """Nothing moves, and there is enough for the rows of the rank, but not for
        all that MPI's opening of a file may need, which waits for ever without."""
        self.assertIn("checkpoint-000000000400.hdf5: cannot write: Cannot allocate "
                      "memory", self.run_without_memory(0, 1 << 24))

    def test_checkpoint_cannot_be_written__code_3__said_once(self):
        os.makedirs(self.path("x", "checkpoint-000000000020.hdf5", "full"))
        done = self.ranks(3, "run", self.case, "--out", "x", code=3)
        self.check_said_once(done, "checkpoint-000000000020.hdf5")
        self.assertIn("the last checkpoint is that of step 10", done.stderr)
        self.assertIn("mpirun -np 3 ", done.stderr)

    def test_folder_swapped_for_a_link__results_of_all_ranks_stay_in_it(self):
        process = self.start_ranks(2, "run", self.case, "--out", "x", *LONG,
                                   "--set", "outputs=[{frames: {every: 0.01}}]")
        self.wait_for(lambda: self.steps("x") and self.steps("x")[-1] >= 20)
        os.mkdir(self.path("other"))
        os.rename(self.path("x"), self.path("moved"))
        os.symlink(self.path("other"), self.path("x"))
        step = self.steps("moved")[-1]
        self.wait_for(lambda: self.steps("moved")[-1] >= step + 20)
        self.assertIsNone(process.poll())
        self.assertEqual(os.listdir(self.path("other")), [])

    def test_damaged_checkpoint__all_take_the_one_before(self):
        self.ranks(2, "run", self.case, "--out", "x")
        with open(self.checkpoint("x"), "r+b") as file:
            file.seek(3000)
            file.write(b"damage")
        done = self.ranks(3, "resume", "x")
        self.assertIn("checkpoint-000000000040.hdf5 (step 40", done.stdout)
        self.assertEqual(self.steps("x")[-1], 50)

    # ---- ranks that are gone ---------------------------------------------------------

    def test_rank_silent__the_others_say_so_and_end__code_8(self):
        """A rank that is stopped is as one whose machine is lost. mpirun wakes it to end
        it, for a second: it must not be as impatient as that."""
        for silent, speaks in ((1, 0), (0, 1)):
            out = "x%d" % silent
            process = self.start_ranks(2, "run", self.case, "--out", out, *LONG,
                                       "--max-silence", "2")
            self.wait_for(lambda: self.steps(out) and self.steps(out)[-1] >= 20)
            stopped = self.pids(process)[silent]
            os.kill(stopped, signal.SIGSTOP)
            self.wait_for(lambda: self.pids(process) in ([], [stopped]), 30)
            os.kill(stopped, signal.SIGKILL)
            err = process.communicate(timeout=PATIENCE)[1]
            self.assertEqual(err.count("scree: "), 1, err)
            self.assertIn("scree: rank %d of 2: rank %d on " % (speaks, silent), err)
            # The stopped one may not have heard of the newest.
            told = re.search(r"the last checkpoint is that of step (\d+) ", err)
            self.assertIn(int(told[1]), self.steps(out)[-2:], err)
            self.assertEqual(process.returncode, 8, err)

    def test_all_stopped_for_a_while__go_on(self):
        """Time in which nothing runs is not silence; nor is a rank that works."""
        process = self.start_ranks(2, "run", self.case, "--out", "x", *LONG,
                                   "--max-silence", "1")
        self.wait_for(lambda: self.steps("x") and self.steps("x")[-1] >= 20)
        for pid in self.pids(process):
            os.kill(pid, signal.SIGSTOP)
        time.sleep(2.5)
        step = self.steps("x")[-1]
        for pid in self.pids(process):
            os.kill(pid, signal.SIGCONT)
        self.wait_for(lambda: self.steps("x")[-1] >= step + 20)
        self.assertIsNone(process.poll())

    # ---- commands that one process does ------------------------------------------

    def test_other_commands__rank_0_does_them__all_end_with_its_code(self):
        self.ranks(0, "run", self.case, "--out", "x")
        for words in (["list"], ["run", "--help"], ["info", "x"],
                      ["check", "none"], ["lisst"], []):
            with self.subTest(words):
                one = self.ranks(0, *words, code=None)
                done = self.ranks(3, *words, code=one.returncode)
                self.assertEqual(done.stdout, one.stdout)
                if one.stderr:
                    self.assertEqual(done.stderr.count(one.stderr), 1)

    def test_model__rank_0_runs_it__as_alone(self):
        case = self.write("model.yaml", MODEL)
        one = self.ranks(0, "run", case, "--out", "one")
        done = self.ranks(3, "run", case, "--out", "three")
        self.assertEqual(self.hash_of(done), self.hash_of(one))
        self.assertEqual(sorted(os.listdir(self.path("three"))),
                         ["case.yaml", "finished.txt", "model.csv", "run.log",
                          "timing.json"])
        self.assertEqual(*(Path(self.path(out, "model.csv")).read_text()
                           for out in ("one", "three")))

    # ---- cores -------------------------------------------------------------------

    def test_more_threads_than_cores__warned_once(self):
        cores = len(os.sched_getaffinity(0))
        done = self.ranks(2, "run", self.case, "--out", "x", "--threads",
                          str(cores), "--set", "time.end=0.002")
        self.assertEqual(done.stdout.count("warning: 2 ranks x %d on the " %
                                           cores), 1)
        done = self.ranks(1, "run", self.case, "--out", "x", "--force", "--set",
                          "time.end=0.002")
        self.assertNotIn("will take turns", done.stdout)

    def test_no_threads_given__ranks_share_the_cores(self):
        """Also if they are not bound to some of them."""
        here = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"}
        done = subprocess.run(
            [MPIRUN, "--bind-to", "none", "-np", "2", SCREE, "run", self.case,
             "--out", "x", "--set", "time.end=0.002"], cwd=self.folder, env=here,
            capture_output=True, text=True, timeout=PATIENCE)
        self.assertIn("2 ranks with %d thread" % max(1, physical_cores() // 2),
                      done.stdout)


def physical_cores():
    found = set()
    for cpu in os.sched_getaffinity(0):
        folder = "/sys/devices/system/cpu/cpu%d/topology/" % cpu
        found.add(tuple(Path(folder + name).read_text()
                        for name in ("physical_package_id", "core_id")))
    return len(found)


if __name__ == "__main__":
    unittest.main()
