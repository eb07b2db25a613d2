"""The scree program from outside: exit codes, messages, files, signals.

    python3 program.py SCREE
"""
import csv
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import InFolder  # noqa: E402

CASE = """
name: program
seed: 5
time: {end: 0.1, step: 0.001}
gravity: [0, 0, -9.81]
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
bodies:
  - lattice: {origin: [0, 0, 0.06], counts: [4, 4, 4], spacing: 0.11, jitter: 0.004}
    radius: 0.05
    material: rock
"""
OUTPUTS = """
outputs:
  - frames: {every: 0.025}
  - contacts: {every: 0.05}
  - scalars: {every: 0}
"""
LONG = ["--set", "time.end=1000"]


class Program(InFolder):
    def setUp(self):
        super().setUp()
        self.case = self.write("case.yaml", CASE + OUTPUTS)
        self.out = self.path("result")

    def scree(self, *arguments, code=None, **options):
        return super().scree(*arguments, code=code, **options)

    def run_case(self, *arguments, code=0, **options):
        """Runs into the same folder again and again."""
        return self.scree("run", self.case, "--out", self.out, "--force",
                          *arguments, code=code, **options)

    def start_case(self, *arguments, until):
        """A run that has written the file `until`."""
        process = self.start("run", self.case, "--out", self.out, *arguments)
        give_up = time.monotonic() + 60
        while not os.path.exists(self.path("result", until)):
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.01)
        return process

    def start_long(self, *arguments):
        return self.start_case(*LONG, *arguments, until="bodies_000001.hdf")

    def series(self, stem="bodies"):
        """Entries of the series; every one of them is a file."""
        with open(self.path("result", stem + ".hdf.series")) as file:
            entries = json.load(file)["files"]
        for entry in entries:
            self.assertTrue(os.path.exists(self.path("result", entry["name"])))
        return entries

    def times(self, stem="bodies"):
        return [round(entry["time"], 9) for entry in self.series(stem)]

    def rows(self):
        with open(self.path("result", "scalars.csv")) as file:
            text = file.read()
        self.assertTrue(text.endswith("\n"))
        lines = [x for x in text.splitlines() if not x.startswith("#")]
        return list(csv.DictReader(lines))

    @staticmethod
    def state_hash(done):
        lines = [x for x in done.stdout.splitlines() if "state hash: " in x]
        (line,) = lines
        assert line == done.stdout.splitlines()[-1]
        assert len(line) == len("state hash: ") + 16
        return line

    # ---- what a run leaves -------------------------------------------------

    def test_run__outputs__written_on_schedule(self):
        done = self.run_case()
        self.assertEqual(self.times(), [0, 0.025, 0.05, 0.075, 0.1])
        self.assertEqual(self.times("contacts"), [0, 0.05, 0.1])
        rows = self.rows()
        self.assertEqual([int(r["step"]) for r in rows], list(range(101)))
        self.assertEqual(rows[-1]["bodies"], "64")
        self.assertGreater(float(rows[-1]["force_floor_z"]), -1e4)
        self.assertFalse([x for x in os.listdir(self.out) if "tmp" in x])
        for word in ("broad", "solve", "output", "other", "total", "paraview "):
            self.assertIn(word, done.stdout)
        self.assertTrue(all(len(x) <= 100 for x in done.stdout.splitlines()))

    def test_run__end_between_writings__final_state_written(self):
        self.run_case("--set", "time.end=0.06")
        self.assertEqual(self.times(), [0, 0.025, 0.05, 0.06])

    def test_run__energy__balances_in_every_row(self):
        self.run_case()
        for r in self.rows():
            r = {k: float(v) for k, v in r.items() if k not in ("stop", "by")}
            left = r["kinetic"] + r["potential"] + r["dissipated"]
            right = r["inserted"] + r["wall_work"] + r["recovery_work"]
            self.assertAlmostEqual(left - right, r["scheme_error"], delta=1e-12 * abs(r["inserted"]))
            self.assertAlmostEqual(r["scheme_error"], 0, delta=1e-9 * abs(r["inserted"]))
            parts = r["dissipated_normal"] + r["dissipated_friction"] + r["dissipated_turning"]
            self.assertAlmostEqual(parts, r["dissipated"], delta=1e-12 * abs(r["inserted"]))

    def test_run__twice__same_hash(self):
        first = self.state_hash(self.run_case())
        self.assertEqual(self.state_hash(self.run_case("--quiet")), first)

    def test_run__other_outputs__same_hash(self):
        first = self.state_hash(self.run_case())
        self.write("case.yaml", CASE)
        self.assertEqual(self.state_hash(self.run_case()), first)
        self.write("case.yaml", CASE + "outputs: [{contacts: {every: 0}}]\n")
        self.assertEqual(self.state_hash(self.run_case()), first)

    def test_run__other_threads__same_hash(self):
        first = self.state_hash(self.run_case("--threads", "1"))
        self.assertEqual(self.state_hash(self.run_case("--threads=2")), first)
        third = self.run_case("--set", "threads=2")
        self.assertEqual(self.state_hash(third), first)

    def test_run__other_seed__other_hash(self):
        first = self.state_hash(self.run_case())
        second = self.state_hash(self.run_case("--set", "seed=6"))
        self.assertNotEqual(first, second)

    def test_run__quiet__only_the_hash(self):
        done = self.run_case("--quiet")
        self.assertEqual(len(done.stdout.splitlines()), 1)
        self.state_hash(done)

    def test_run__no_out__folder_named_after_the_case(self):
        elsewhere = self.path("elsewhere")
        os.mkdir(elsewhere)
        for path in (self.case, "../case.yaml"):
            done = self.scree("run", path, "--quiet", "--force",
                              cwd=elsewhere)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(os.path.exists(
                self.path("elsewhere", "out", "program", "bodies.hdf.series")))

    def test_run__name_like_a_path__stays_inside_out(self):
        self.write("case.yaml", CASE.replace("name: program", "name: ../a b") +
                   OUTPUTS)
        done = self.scree("run", self.case, "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.listdir(self.path("out")), ["_._a_b"])

    def test_run__tolerance_not_reached__warned_once_and_counted(self):
        done = self.run_case("--set", "solver.iterations=1",
                             "--set", "solver.clusters=0",
                             "--set", "solver.tolerance=1e-12", code=7)
        self.assertEqual(done.stdout.count("warning: step "), 1)
        self.assertRegex(done.stdout, r"after \d+ iterations "
                                      r"\(iterations used up, by pgs\)")
        said = re.search(r"warning: (\d+) of 100 steps did not reach tolerance "
                         r"1e-12 \(worst residual \S+; iterations used up: "
                         r"(\d+)\)", done.stdout)
        self.assertEqual(said.group(1), said.group(2))
        stops = [row["stop"] for row in self.rows()[1:]]
        self.assertEqual(stops.count("iterations"), int(said.group(1)))
        self.assertEqual(set(stops), {"iterations", "tolerance"})
        self.assertEqual({row["by"] for row in self.rows()[1:]}, {"pgs"})

    # ---- what goes wrong ---------------------------------------------------

    def test_run__dump__problems_can_be_solved_again(self):
        self.check_dump()

    def test_run__dump_of_anisotropic_friction__stretched_and_said(self):
        saved = self.check_dump("--set", "materials[0].anisotropy="
                                "{ratio: 0.3, direction: [1, 2, 0]}")
        with open(saved, "rb") as file:
            self.assertIn(b"tangents stretched", file.read())

    def check_dump(self, *more):
        done = self.run_case("--set", "solver.dump=unconverged",
                             "--set", "solver.iterations=2",
                             "--set", "solver.clusters=0",
                             "--set", "solver.tolerance=1e-9",
                             "--set", "time.end=0.1", *more, code=7)
        self.assertIn("problems saved", done.stdout)
        saved = sorted(name for name in os.listdir(self.out)
                       if name.startswith("problem-"))
        self.assertTrue(saved)
        self.assertRegex(saved[0], r"^problem-\d{8}\.hdf5$")
        row = self.rows()[int(saved[-1][8:16])]
        self.assertGreater(float(row["residual"]), 1e-9)
        again = self.scree("solve", os.path.join(self.out, saved[-1]),
                           "--method", "pgs", "--tolerance", "1e-9")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("contacts: %s in 3D" % row["contacts"], again.stdout)
        self.assertIn("converged: yes", again.stdout)
        return os.path.join(self.out, saved[-1])

    def test_run__all_converged__no_problem_saved(self):
        self.run_case("--set", "solver.dump=unconverged",
                      "--set", "solver.iterations=2000")
        self.assertFalse([name for name in os.listdir(self.out)
                          if name.startswith("problem-")])

    def test_run__dump_of_midslip__refused_with_remedy(self):
        for key, word in (("solver.dump=all", "solver.dump"),
                          ("solver.method=newton", "solver.method")):
            done = self.run_case("--set", "stepper=rattle", "--set", key,
                                 code=2)
            self.assertIn(word, done.stderr)
            self.assertIn("friction: total", done.stderr)
            self.run_case("--set", "stepper=rattle", "--set", key, "--set",
                          "stepping.friction=total")

    def test_run__every_method__same_rest(self):
        self.check_methods()

    def test_run__every_method_anisotropic__same_rest(self):
        self.check_methods("--set", "materials[0].anisotropy="
                           "{ratio: 0.3, direction: [1, 2, 0]}")

    def check_methods(self, *more):
        energy = {}
        for method in "pgs", "jacobi", "apgd", "newton", "auto", "dense":
            self.run_case("--set", "solver.method=" + method,
                          "--set", "solver.tolerance=1e-8",
                          "--set", "solver.iterations=20000",
                          "--set", "solver.dump=unconverged",
                          "--set", "contact.gap_control=off", *more)
            last = self.rows()[-1]
            self.assertGreater(int(last["contacts"]), 16)
            self.assertLessEqual(float(last["residual"]), 1e-8)
            energy[method] = float(last["kinetic"])
        for method, value in energy.items():
            self.assertAlmostEqual(value / energy["dense"], 1, 4, method)

    def test_run__disk_full__code_3_and_last_complete_frame(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (34000, 34000))

        self.write("case.yaml", CASE + OUTPUTS)
        done = self.run_case("--set", "time.end=1", code=3, preexec_fn=limit)
        self.assertIn("File too large", done.stderr)
        self.assertRegex(done.stderr, r"frames: the last complete one is number "
                                      r"\d+ at t = ")
        entries = self.series()
        self.assertIn("number %d at" % (len(entries) - 1), done.stderr)
        self.assertFalse([x for x in os.listdir(self.out) if "tmp" in x])
        self.rows()

    def test_run__folder_under_a_file__code_3(self):
        for out in (self.path("case.yaml", "x"), self.case):
            done = self.scree("run", self.case, "--out", out)
            self.assertEqual(done.returncode, 3)
            self.assertIn("cannot create the folder '%s'" % out, done.stderr)

    def test_run__state_not_finite__code_4_names_body_writes_state(self):
        self.write("case.yaml", CASE.replace(
            "    material: rock\n",
            "    material: rock\n    velocity: [1.5e308, 0, 0]\n") + OUTPUTS)
        done = self.run_case("--set", "time.step=1", "--set", "time.end=50",
                             code=4)
        self.assertRegex(done.stderr, r"body \d+")
        self.assertRegex(done.stderr, r"written to %s/broken-\d+\.hdf\n?" %
                         self.out)
        self.assertEqual(len(self.series()), 1)

    def test_run__bad_case__code_2_writes_nothing(self):
        self.write("case.yaml", CASE + "solvr: {}\n")
        done = self.run_case(code=2)
        self.assertIn("solvr", done.stderr)
        self.assertEqual(os.listdir(self.folder), ["case.yaml"])

    def test_run__no_case_file__code_2(self):
        done = self.scree("run", "nowhere.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere.yaml", done.stderr)

    # ---- signals and pipes -------------------------------------------------

    def stop_with(self, number):
        process = self.start_long()
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + number, err)
        self.assertIn("stopped by signal %d" % number, out)
        self.assertIn("state hash: ", out)
        step = int(self.rows()[-1]["step"])
        self.assertAlmostEqual(self.times()[-1], step * 0.001, places=9)
        self.assertIn("step %d of 1000000" % step, out)

    def test_run__sigterm__state_written_and_code_143(self):
        self.stop_with(signal.SIGTERM)

    def test_run__sigint__state_written_and_code_130(self):
        self.stop_with(signal.SIGINT)

    def test_run__sigkill__files_stay_whole(self):
        process = self.start_long("--quiet")
        process.kill()
        process.communicate()
        self.assertGreaterEqual(len(self.series()), 1)
        row = self.rows()[-1]
        self.assertNotIn(None, row.values())

    def test_run__reader_gone__run_goes_on(self):
        read, write = os.pipe()
        os.close(read)
        self.run_case(capture_output=False, stdout=write, stderr=write)
        os.close(write)
        self.assertEqual(self.times()[-1], 0.1)

    def test_run__streams_closed__no_text_in_result_files(self):
        def close():
            for fd in (0, 1, 2):
                os.close(fd)

        self.run_case(capture_output=False, preexec_fn=close)
        self.assertEqual(len(self.rows()), 101)
        with open(self.path("result", "bodies_000000.hdf"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89HDF\r\n\x1a\n")

    def test_list__stdout_full__code_3(self):
        with open("/dev/full", "w") as full:
            done = self.scree("list", capture_output=False, stdout=full,
                              stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)
        self.assertIn("No space left", done.stderr)

    # ---- the other commands ------------------------------------------------

    def test_check__good_case__printed_and_nothing_written(self):
        done = self.scree("check", self.case, "--set", "time.end=7")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("end: 7", done.stdout)
        self.assertEqual(os.listdir(self.folder), ["case.yaml"])

    def test_check__its_output__is_the_same_case(self):
        first = self.state_hash(self.run_case())
        self.write("case.yaml", self.scree("check", self.case).stdout)
        self.assertEqual(self.state_hash(self.run_case()), first)

    def test_version__four_lines(self):
        done = self.scree("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^scree \d+\.\d+\.\d+\ncommit: \S+\n"
                                      r"compiler: \S.*\nfeatures: .*hdf5")
        if "mpi-" in done.stdout:  # and who cuts space among ranks
            self.assertRegex(done.stdout, r"\bmpi-\S+( openmpi| mpich)? (zoltan|bisection)\n")

    def test_list__names_every_table(self):
        done = self.scree("list")
        self.assertEqual(done.returncode, 0)
        for word in ("steppers", "solvers", "shapes", "outputs", "moreau",
                     "sphere", "frames", "contacts", "scalars", "models",
                     "woodpecker"):
            self.assertIn(word, done.stdout)

    def test_list__model__parameters_with_default_unit_and_words(self):
        done = self.scree("list", "bouncing-ball")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"\n  e_n +0\.5 +1 +normal restitution; "
                         r">= 0 and <= 1\n")

    def test_help__tells_exit_codes(self):
        for arguments in (["--help"], ["run", "--help"], ["check", "--help"]):
            done = self.scree(*arguments)
            self.assertEqual(done.returncode, 0)
            for code in "012345678":
                self.assertRegex(done.stdout, r"(?s)Exit codes:.*\n  %s  " % code)

    def test_usage__wrong__code_2_and_a_hint(self):
        for arguments, hint in (
                ([], "scree run CASE.yaml"),
                (["rnu"], "did you mean 'run'?"),
                (["--verson"], "did you mean '--version'?"),
                (["run", self.case, "--thread", "2"], "'--threads'?"),
                (["run", self.case, "-q"], "unknown option '-q'"),
                (["run", self.case, "--threads", "0"], "1 to 1024"),
                (["run", self.case, "--threads", "1025"], "1 to 1024"),
                (["run", self.case, "--threads", "two"], "1 to 1024"),
                (["run", self.case, "--set"], "wants a value"),
                (["run", self.case, "--quiet=yes"], "does not take a value"),
                (["run", self.case, "--set", "time.ende=1"], "time.end"),
                (["run"], "no case file"),
                (["run", self.case, "other.yaml"], "one case file"),
                (["check", self.case, "--out", "x"], "unknown option '--out'"),
                (["list", "woodpeker"], "did you mean 'woodpecker'?"),
                (["list", "belt", "top"], "one model at a time")):
            done = self.scree(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(hint, done.stderr, arguments)
            self.assertEqual(done.stdout, "", arguments)
        self.assertEqual(os.listdir(self.folder), ["case.yaml"])


MODEL = """
name: ball
time: {end: 0.5, step: 0.001}
model: bouncing-ball
parameters: {omega: 10}
stepper: rattle
outputs: [{scalars: {every: 0.01}}, {frames: {}}]
"""


class Model(Program):
    """Cases that describe a model. The tests of worlds are not run again."""

    def setUp(self):
        super().setUp()
        self.case = self.write("case.yaml", MODEL)

    def model_rows(self):
        with open(self.path("result", "model.csv")) as file:
            text = file.read()
        self.assertTrue(text.endswith("\n"))
        lines = [x for x in text.splitlines() if not x.startswith("#")]
        return list(csv.DictReader(lines))

    def test_model__outputs__on_schedule(self):
        done = self.run_case()
        times = [float(r["t"]) for r in self.model_rows()]
        self.assertEqual(len(times), 51)
        for k, t in enumerate(times):
            self.assertAlmostEqual(t, 0.01 * k, delta=1e-9)
        with open(self.path("result", "model.hdf5"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89HDF\r\n\x1a\n")
        self.assertEqual(sorted(os.listdir(self.out)),
                         ["case.yaml", "finished.txt", "model.csv", "model.hdf5",
                          "run.log", "timing.json"])
        for word in ("result: " + self.out, "steps per second", "least gap"):
            self.assertIn(word, done.stdout)
        self.assertTrue(all(len(x) <= 100 for x in done.stdout.splitlines()
                            if "result" not in x))

    def test_model__twice_and_quiet__same_hash(self):
        first = self.state_hash(self.run_case())
        done = self.run_case("--quiet")
        self.assertEqual(self.state_hash(done), first)
        self.assertEqual(len(done.stdout.splitlines()), 1)
        self.write("case.yaml", self.scree("check", self.case).stdout)
        self.assertEqual(self.state_hash(self.run_case()), first)
        self.write("case.yaml", MODEL.replace("outputs", "#"))
        self.assertEqual(self.state_hash(self.run_case()), first)

    def test_model__sets__change_the_run(self):
        first = self.state_hash(self.run_case())
        hashes = {first}
        for text in ("parameters.mu=0.1", "stepper=lobatto", "stepper=moreau",
                     "time.step=0.002"):
            hashes.add(self.state_hash(self.run_case("--set", text)))
        self.assertEqual(len(hashes), 5)

    def test_model__bad__code_2_writes_nothing(self):
        for text, hint in (("parameters.mi=1", "did you mean 'mu'?"),
                           ("model=bounce", "unknown model 'bounce'"),
                           ("stepper=ratle", "did you mean 'rattle'?"),
                           ("gravity=[0, 0, 1]", "cannot be with 'model'")):
            done = self.run_case("--set", text, code=2)
            self.assertIn(hint, done.stderr)
        self.assertEqual(os.listdir(self.folder), ["case.yaml"])

    def test_world__too_large_for_its_stepper__code_2_and_a_sentence(self):
        self.write("case.yaml", """
time: {end: 0.1, step: 1e-3}
materials: [{name: rock, density: 2600}]
bodies: [{lattice: {origin: [0, 0, 0], counts: [5, 5, 5], spacing: 0.3}, radius: 0.1}]
""")
        for stepper in ("lobatto", "generalized-alpha"):
            done = self.scree("run", self.case, "--set", "stepper=" + stepper)
            self.assertEqual(done.returncode, 2)
            self.assertIn(stepper + " is for small worlds: 125 bodies", done.stderr)
            self.assertIn("take rattle", done.stderr)

    def test_model__solver_without_its_laws__code_2_writes_nothing(self):
        done = self.run_case("--set", "model=tippedisk", "--set",
                             "parameters={}", "--set", "solver.method=lemke",
                             code=2)
        self.assertIn("'lemke' is not supported for the model 'tippedisk'",
                      done.stderr)
        self.assertEqual(os.listdir(self.folder), ["case.yaml"])

    def test_model__state_not_finite__code_4_and_last_state(self):
        done = self.run_case("--set", "parameters.gravity=1e9", "--set",
                             "time.end=1e302", "--set", "time.step=1e300",
                             code=4)
        self.assertIn("not finite", done.stderr)
        path = re.search(r"state as it is was written to (\S+)", done.stderr)[1]
        self.assertIn("run of a model", self.scree("info", path).stdout)
        self.assertGreaterEqual(len(self.model_rows()), 1)

    def test_model__disk_full__code_3_and_whole_lines(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))

        done = self.run_case(code=3, preexec_fn=limit)
        self.assertIn("File too large", done.stderr)
        self.assertNotIn(None, self.model_rows()[-1].values())
        self.assertEqual(sorted(os.listdir(self.out)),
                         ["case.yaml", "model.csv", "run.log"])

    def test_model__sigterm__state_written_and_code_143(self):
        process = self.start_case("--set", "time.end=100000",
                                  until="model.csv")
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143, err)
        step = int(self.model_rows()[-1]["step"])
        self.assertIn("stopped by signal 15", out)
        self.assertIn("step %d;" % step, out)
        self.assertTrue(os.path.exists(self.path("result", "model.hdf5")))


for inherited in [x for x in vars(Program) if x.startswith("test_")]:
    setattr(Model, inherited, None)


if __name__ == "__main__":
    unittest.main()
