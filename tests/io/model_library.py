"""Libraries of models: what --model loads, runs and refuses.

    python3 model_library.py SCREE PENDULUM.so FOLDER COMPILER INCLUDES
"""
import csv
import math
import os
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, HERE)
LIBRARY, EXAMPLE, COMPILER, INCLUDES = (sys.argv.pop(2) for _ in range(4))
from in_folder import InFolder  # noqa: E402

ENTRY = """#include <scree_model.h>
const scree_model_library scree_model_library_entry = {%s};
"""


class ModelLibrary(InFolder):
    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(EXAMPLE, "pendulum.yaml"), self.folder)

    def compile(self, name, text):
        self.write(name + ".c", text)
        subprocess.run([COMPILER, "-shared", "-fPIC", "-fvisibility=hidden",
                        "-I", INCLUDES, name + ".c", "-o", name + ".so", "-lm"],
                       cwd=self.folder, check=True)
        return self.path(name + ".so")

    def changed(self, name, *changes):
        """The example with other words in it."""
        with open(os.path.join(EXAMPLE, "pendulum.c")) as file:
            text = file.read()
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.compile(name, text)

    def refused(self, library, *words):
        done = self.scree("run", "--model", library, "pendulum.yaml", code=2)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse(os.path.exists(self.path("out")))
        return done.stderr

    def rows(self):
        with open(self.path("out", "pendulum", "model.csv")) as file:
            return [{k: float(v) for k, v in row.items()}
                    for row in csv.DictReader(file)]

    def test_run__pendulum__swings_by_its_restitution(self):
        done = self.scree("run", "--model", LIBRARY, "pendulum.yaml")
        self.assertIn("the model is from %s" % os.path.realpath(LIBRARY),
                      done.stdout)
        rows = self.rows()
        hit = next(i for i, row in enumerate(rows)
                   if row["phi"] > -1e-6 and row["omega"] < 0)
        again = min(row["phi"] for row in rows[hit:])
        # After the hit the height is e^2 of that before.
        expected = -math.acos(1 - 0.25 * (1 - math.cos(1.2)))
        self.assertAlmostEqual(again, expected, delta=2e-3)

    def test_resume__with_library__same_bits(self):
        step = "time.step=0.0009765625" # 2^-10: times are exact
        self.scree("run", "--model", LIBRARY, "pendulum.yaml", "--set", step,
                   "--out", "whole")
        self.scree("run", "--model=" + LIBRARY, "pendulum.yaml", "--set", step,
                   "--set", "time.end=1", "--out", "parts")
        done = self.scree("resume", "parts", "--set", "time.end=2", code=2)
        self.assertIn("unknown model 'pendulum'", done.stderr)
        self.assertIn("--model", done.stderr)
        self.scree("resume", "parts", "--model", LIBRARY, "--set", "time.end=2")
        with open(self.path("whole", "model.csv")) as one:
            with open(self.path("parts", "model.csv")) as two:
                self.assertEqual(one.read(), two.read())

    def test_check_and_list__with_library__name_it(self):
        self.assertIn("model: pendulum", self.scree(
            "check", "--model", LIBRARY, "pendulum.yaml").stdout)
        done = self.scree("check", "--model", LIBRARY, "pendulum.yaml", "--set",
                          "parameters.e_n=2", code=2)
        self.assertIn("parameters.e_n", done.stderr)
        self.assertIn("pendulum that strikes", self.scree(
            "list", "--model", LIBRARY).stdout)
        self.assertIn("phi_0", self.scree(
            "list", "pendulum", "--model", LIBRARY).stdout)

    def test_without_library__unknown_model__remedy(self):
        done = self.scree("run", "pendulum.yaml", code=2)
        self.assertIn("unknown model 'pendulum'", done.stderr)
        self.assertIn("--model LIBRARY.so", done.stderr)

    def test_no_scripts__library__not_even_loaded(self):
        told = self.compile("told", """#include <stdio.h>
            __attribute__((constructor)) static void tell(void) {
                fclose(fopen("ran", "w"));
            }""")
        for words in (("--no-scripts", "--model", told),
                      ("--model", told, "--no-scripts")):
            done = self.scree("run", *words, "pendulum.yaml", code=2)
            self.assertIn("--no-scripts refuses to load", done.stderr)
            self.assertFalse(os.path.exists(self.path("ran")))
        done = self.scree("resume", "nowhere", "--model", told, "--no-scripts",
                          code=2)
        self.assertIn("--no-scripts refuses to load", done.stderr)
        self.assertFalse(os.path.exists(self.path("ran")))
        self.refused(told) # without it the code runs
        self.assertTrue(os.path.exists(self.path("ran")))

    def test_not_there_or_no_library__refused(self):
        self.refused("missing.so", "missing.so", "No such file")
        self.refused(self.write("text.so", "not a library"), "cannot be loaded",
                     "text.so")
        self.refused(self.compile("empty", "int nothing;"),
                     "without models", "SCREE_MODELS")

    def test_other_version__refused(self):
        size = "sizeof(scree_model_ops), sizeof(scree_law), 0, 0"
        self.refused(self.compile("new", ENTRY % ("SCREE_MODEL_VERSION + 1, " + size)),
                     "version 2", "this program version 1", "compile it again")
        self.refused(self.compile("other", ENTRY % "SCREE_MODEL_VERSION, 8, 8, 0, 0"),
                     "another scree_model.h", "8 and 8 bytes")
        self.refused(self.compile("none", ENTRY % ("SCREE_MODEL_VERSION, " + size)),
                     "shows no model")

    def test_wrong_tables__refused(self):
        self.refused(self.changed("same", ('= "pendulum"', '= "slope"')),
                     "there is a model 'slope' already")
        self.refused(self.changed("space", ('= "pendulum"', '= "a pendulum"')),
                     "no name of letters")
        self.refused(self.changed("rows", (".n_row = 1", ".n_row = 2")),
                     "row 1 is no law's")
        self.refused(self.changed("mass", (".mass = mass,", "")),
                     "start, mass or force is NULL")
        self.refused(self.changed("names", (".u_names = u_names,", "")), "u_names[0]")
        self.refused(self.changed("twice", ("SCREE_MODELS(&pendulum)",
                                            "SCREE_MODELS(&pendulum, &pendulum)")),
                     "two models 'pendulum'")


if __name__ == "__main__":
    unittest.main()
