"""scree study from outside: table, CSV, picture, messages, exit codes.

    python3 studies.py SCREE
"""
import csv
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import InFolder  # noqa: E402

CHEAP = "bouncing-ball"
NAMES = ["belt", "bouncing-ball", "oscillator-order", "slider-crank",
         "slope-order", "tippedisk", "turning-slip", "woodpecker"]


class Studies(InFolder):
    def setUp(self):
        super().setUp()
        self.out = self.path("it's a result")

    def study(self, *arguments, code, **options):
        return self.scree("study", *arguments, code=code, **options)

    def rows(self, name):
        """The numbers of a CSV file, as dictionaries."""
        with open(os.path.join(self.out, name)) as file:
            lines = [line for line in file if not line.startswith("#")]
        return [{key: float(value) for key, value in row.items()}
                for row in csv.DictReader(lines)]

    def check_table(self, text):
        verdicts = re.findall(r"  (ok|DIFFERS)$", text, re.MULTILINE)
        self.assertGreater(len(verdicts), 15)
        self.assertEqual(set(verdicts), {"ok"}, text)
        self.assertIn(f"{len(verdicts)} ok, 0 differ", text)

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_cheap_study__table_csv_picture(self):
        done = self.study(CHEAP, "--out", self.out, code=0)
        self.check_table(done.stdout)
        impact = max(self.rows("case-1.csv"), key=lambda row: row["dP_N"])
        self.assertAlmostEqual(impact["t"], 0.43)
        self.assertAlmostEqual(impact["dP_N"], 6.2784, delta=1e-4)
        with open(os.path.join(self.out, CHEAP + ".png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_script__redraws(self):
        self.study(CHEAP, "--out", self.out, code=0)
        picture = os.path.join(self.out, CHEAP + ".png")
        os.remove(picture)
        subprocess.run(["gnuplot", CHEAP + ".gp"], cwd=self.out, check=True)
        self.assertGreater(os.path.getsize(picture), 1000)

    def test_no_gnuplot__table_and_csv_and_package(self):
        empty = os.path.join(self.folder, "bin")
        os.mkdir(empty)
        done = self.study(CHEAP, "--out", self.out, code=3,
                          env={**os.environ, "PATH": empty})
        self.check_table(done.stdout)
        self.assertIn("gnuplot-nox", done.stderr)
        self.assertEqual(len(self.rows("case-1.csv")), 150)
        self.assertFalse(os.path.exists(
            os.path.join(self.out, CHEAP + ".png")))

    def test_default_folder(self):
        empty = os.path.join(self.folder, "bin")
        os.mkdir(empty)
        self.study(CHEAP, code=3, env={**os.environ, "PATH": empty})
        self.assertTrue(os.path.exists(os.path.join(
            self.folder, "out", "studies", CHEAP, "case-1.csv")))

    def test_no_name__list(self):
        for arguments in [], ["--help"]:
            done = self.study(*arguments, code=0)
            for name in NAMES:
                self.assertRegex(done.stdout, rf"(?m)^  {name} ")
        self.assertIn("differs from its reference", done.stdout)

    def test_unknown_name__nearest(self):
        for given, meant in ("wodpecker", "woodpecker"), ("slope",
                                                          "slope-order"):
            done = self.study(given, code=2)
            self.assertIn(f"did you mean '{meant}'", done.stderr)
        done = self.study(CHEAP, "belt", code=2)
        self.assertIn("one study at a time", done.stderr)
        self.study(CHEAP, "--ot", self.out, code=2)

    def test_folder_is_a_file__message(self):
        with open(self.out, "w"):
            pass
        done = self.study(CHEAP, "--out", self.out, code=3)
        self.assertIn("it is a file", done.stderr)


if __name__ == "__main__":
    unittest.main()
