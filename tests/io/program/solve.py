"""scree solve from outside: exit codes, history, written files, bad files.

    python3 solve.py SCREE DATA EDIT

EDIT is the program of tests/io/fclib_edit.c, which reads and damages copies of
problems through the HDF5 library.
"""
import csv
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import InFolder  # noqa: E402

EDIT = os.path.abspath(sys.argv.pop())
DATA = os.path.abspath(sys.argv.pop())
CAPSULES = os.path.join(DATA, "Capsules-i125-1213.hdf5")
LMGC = os.path.join(DATA, "LMGC_GlobalFrictionContactProblem00046.hdf5")
METHODS = ("auto", "pgs", "jacobi", "apgd", "newton", "path", "prox", "lemke")

PLANE = """
name: plane
planar: on
time: {end: 0.2, step: 2e-3}
solver: {dump: all, tolerance: 1e-8}
materials: [{name: stone, density: 2500, friction: 0.5}]
walls: [{plane: {point: [0, 0], normal: [0.1, 1]}}]
bodies: [{lattice: {origin: [0, 0.12], counts: [3, 2], spacing: 0.21},
  radius: 0.1}]
"""


class Solve(InFolder):
    def solve(self, *arguments, code=0):
        return self.scree("solve", *arguments, code=code)

    def copy(self, source, *edit):
        """A copy with one dataset changed."""
        shutil.copy(source, self.path("copy.hdf5"))
        os.chmod(self.path("copy.hdf5"), 0o644)
        subprocess.run([EDIT, self.path("copy.hdf5"), *edit], check=True,
                       timeout=60)
        return self.path("copy.hdf5")

    def test_solve__capsules__converged_and_told(self):
        done = self.solve(CAPSULES)
        for word in ("contacts: 286 in 3D", "iterations: ", "seconds: ",
                     "residual: ", "converged: yes (tolerance reached, by "):
            self.assertIn(word, done.stdout)
        self.assertEqual(os.listdir(self.folder), [])

    def test_solve__percussion_hash__same_again_and_other_by_another_method(self):
        def hash_by(method):
            lines = self.solve(CAPSULES, "--method", method).stdout.splitlines()
            found = [x for x in lines if x.startswith("percussion hash: ")]
            self.assertEqual(len(found), 1)
            return found[0]
        self.assertEqual(hash_by("pgs"), hash_by("pgs"))
        self.assertNotEqual(hash_by("pgs"), hash_by("apgd"))

    def test_solve__few_iterations__code_6(self):
        done = self.solve(CAPSULES, "--method", "pgs", "--iterations", "3",
                          code=6)
        self.assertIn("converged: no (iterations used up, by pgs)", done.stdout)
        self.assertIn("iterations: 3\n", done.stdout)

    def test_solve__history__iterations_ascend_to_the_tolerance(self):
        for method in METHODS:
            if method in ("prox", "lemke"):  # dense: slow; not in space
                continue
            self.solve(CAPSULES, "--method", method, "--history", "h.csv")
            with open(self.path("h.csv")) as file:
                rows = list(csv.DictReader(file))
            counts = [int(r["iteration"]) for r in rows]
            self.assertEqual(counts, sorted(counts))
            self.assertEqual(counts[0], 0)
            self.assertLessEqual(float(rows[-1]["residual"]), 1e-6)
            self.assertGreater(float(rows[0]["residual"]), 1e-6)

    def test_solve__out__problem_and_solution_come_back(self):
        for source in (CAPSULES, LMGC):
            self.solve(source, "--out", self.path("solved.hdf5"))
            done = subprocess.run([EDIT, self.path("solved.hdf5"), "check"],
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLessEqual(float(done.stdout), 1e-12)
            self.solve(self.path("solved.hdf5"))

    def test_solve__guess_of_the_file__is_where_it_starts(self):
        self.solve(CAPSULES, "--tolerance", "1e-10", "--out",
                   self.path("solved.hdf5"))
        copy = self.copy(self.path("solved.hdf5"), "guess", "solution/r")
        for method in ("auto", "pgs", "jacobi", "apgd", "newton", "path"):
            done = self.solve(copy, "--guess", "2", "--method", method)
            self.assertIn("start: guess 2 of the file", done.stdout)
            self.assertIn("iterations: 0\n", done.stdout, method)
            self.assertNotIn("iterations: 0\n", self.solve(
                copy, "--method", method).stdout)
        self.solve(CAPSULES, "--guess", "1")
        done = self.solve(CAPSULES, "--guess", "2", code=2)
        self.assertIn("guesses/2/r: is missing", done.stderr)

    def test_solve__out_into_nowhere__code_3(self):
        done = self.solve(CAPSULES, "--out", "nowhere/x.hdf5", code=3)
        self.assertIn("nowhere/x.hdf5", done.stderr)
        self.solve(CAPSULES, "--history", "nowhere/x.csv", code=3)
        self.assertEqual(os.listdir(self.folder), [])

    def test_solve__bad_file__code_2_names_file_and_dataset(self):
        local, both = "fclib_local/", "fclib_global/"
        for source, edit, where, reason in (
                (CAPSULES, "missing", local + "W/x", "is missing"),
                (CAPSULES, "missing", local + "W/p", "is missing"),
                (CAPSULES, "missing", local + "vectors/mu", "is missing"),
                (CAPSULES, "missing", local + "vectors/q", "is missing"),
                (CAPSULES, "missing", local + "spacedim", "is missing"),
                (CAPSULES, "nan", local + "vectors/q", "not finite"),
                (CAPSULES, "nan", local + "vectors/mu", "not finite"),
                (CAPSULES, "nan", local + "W/x", "not finite"),
                (CAPSULES, "short", local + "vectors/q", "holds 857 numbers"),
                (CAPSULES, "short", local + "W/x", "is too short"),
                (CAPSULES, "short", local + "W/p", "is too short"),
                (CAPSULES, "huge", local + "W/i", "outside the matrix"),
                (CAPSULES, "huge", local + "W/p", "ascending"),
                (CAPSULES, "huge", local + "W/m", "too short"),
                (CAPSULES, "huge", local + "spacedim", "neither 2 nor 3"),
                (CAPSULES, "short", "solution/u", "holds 857 numbers"),
                (LMGC, "missing", both + "H/i", "is missing"),
                (LMGC, "nan", both + "M/x", "not finite"),
                (LMGC, "zero", both + "M/x", "not positive definite"),
                (LMGC, "huge", both + "H/i", "outside the matrix"),
                (LMGC, "huge", both + "M/nz", "is too short"),
                (LMGC, "short", both + "vectors/f", "holds 161 numbers")):
            done = self.solve(self.copy(source, edit, where), code=2)
            self.assertIn("copy.hdf5: ", done.stderr)
            self.assertIn(reason, done.stderr, where)
            if "is too short" not in reason and "too short" not in reason:
                self.assertIn(where.replace("M/x", "M"), done.stderr)

    def test_solve__no_problem_in_it__code_2(self):
        with open(CAPSULES, "rb") as file:
            whole = file.read()
        for size in (0, 100, 2000, len(whole) // 2, len(whole) - 8):
            with open(self.path("cut.hdf5"), "wb") as file:
                file.write(whole[:size])
            done = self.solve(self.path("cut.hdf5"), code=2)
            self.assertIn("cut.hdf5: ", done.stderr)
        self.solve("nowhere.hdf5", code=2)
        done = self.solve(self.copy(CAPSULES, "missing", "fclib_local"), code=2)
        self.assertIn("neither fclib_local nor fclib_global", done.stderr)

    def test_solve__usage_wrong__code_2_and_a_hint(self):
        for arguments, hint in (
                ([], "no problem is given"),
                ([CAPSULES, "--method", "pgss"], "did you mean 'pgs'?"),
                ([CAPSULES, "--tolerance", "0"], "above 0"),
                ([CAPSULES, "--tolerance", "x"], "above 0"),
                ([CAPSULES, "--iterations", "-1"], "whole number"),
                ([CAPSULES, "--guess", "0"], "from 1 on"),
                ([CAPSULES, "--methd", "pgs"], "'--method'?"),
                ([CAPSULES, "--method", "lemke"],
                 "lemke does not run on problems from files with friction in "
                 "space, which pgs, jacobi, apgd, newton, path, prox and auto do"),
                ([CAPSULES, "--method", "dense"],
                 "dense does not run on problems from files, which "
                 "pgs, jacobi, apgd, newton, path, prox and auto do"),
                ([CAPSULES, "--iterations", "3000000000"], "whole number")):
            self.assertIn(hint, self.solve(*arguments, code=2).stderr)

    def test_solve__dump_of_a_plane_world__in_2d_by_every_method(self):
        self.write("plane.yaml", PLANE)
        self.scree("run", "plane.yaml", "--out", "out", "--quiet")
        saved = sorted(x for x in os.listdir(self.path("out"))
                       if x.startswith("problem-"))[-1]
        for method in METHODS:
            done = self.solve(self.path("out", saved), "--method", method)
            self.assertIn(" in 2D,", done.stdout)

    def test_list__methods(self):
        done = self.scree("list")
        for name in METHODS:
            self.assertRegex(done.stdout, r"\n  %s +\w" % name)

    def test_help__code_6(self):
        self.assertIn("  6      solve did not", self.solve("--help").stdout)


if __name__ == "__main__":
    unittest.main()
