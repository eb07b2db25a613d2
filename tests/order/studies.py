"""Every study finds what the papers print: its table has a row for each published
figure, and none of them differs.

    python3 studies.py SCREE
"""
import os
import re
import sys
import unittest

sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "io"))
from in_folder import InFolder  # noqa: E402

# Least number of figures in each table. bouncing-ball: io/studies.
FIGURES = {"belt": 30, "cradle": 39, "falling-mass": 22, "friction-laws": 10,
           "lobatto-examples": 30, "oscillator-order": 12, "painleve": 43,
           "signorini": 12, "slider-crank": 20, "sliding-bodies": 48, "sliding-mass": 18,
           "slope-order": 50, "tippedisk": 16, "woodpecker": 21, "woodpecker-lcp": 9}


class Published(InFolder):
    def check_study(self, name):
        done = self.scree("study", name, "--out", self.path("out"), code=None)
        self.assertIn(done.returncode, (0, 3), done.stderr)  # 3: no gnuplot
        verdicts = re.findall(r"  (ok|DIFFERS)$", done.stdout, re.MULTILINE)
        self.assertGreaterEqual(len(verdicts), FIGURES[name], done.stdout)
        self.assertEqual(set(verdicts), {"ok"}, done.stdout)

    def test_tables__published_figures__none_differs(self):
        for name in FIGURES:
            with self.subTest(study=name):
                self.check_study(name)


if __name__ == "__main__":
    unittest.main()
