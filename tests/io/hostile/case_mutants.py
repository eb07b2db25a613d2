"""Case files that were cut short or altered, through the program: exit code 2 with
the file and the line, or a case that is still one; never a crash, and nothing is
written. tests/fuzz/case.c does the same to the reader, many thousand times.

    case_mutants.py SCREE SEED.yaml ...
"""
import os
import random
import re
import sys
import unittest

SEEDS = [os.path.abspath(path) for path in sys.argv[2:]]
del sys.argv[2:]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import InFolder  # noqa: E402

WORDS = (b"-1", b"1e999", b"nan", b"[", b"{", b": ", b"\n- ", b"*a", b"\t", b"!!x ",
         b"\xff\xfe", b"\0", b"2147483648", b"null", b"\n")


def mutant(draw, data):
    """Cut short, a bit flipped, or with a word that does not belong there."""
    at, kind = draw.randrange(len(data)), draw.randrange(3)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1:]
    cut = draw.randrange(4)
    return data[:at] + draw.choice(WORDS) + data[at + cut:]


class Mutants(InFolder):
    def check_refusal(self, done, path):
        self.assertEqual(done.stdout, "")
        self.assertIn(path, done.stderr)
        if not re.search(re.escape(path) + r":\d+: ", done.stderr):
            # What is not there has no line.
            self.assertRegex(done.stderr, "required|missing|empty|not UTF-8|zero")

    def test_mutants__code_2_with_file_and_line__or_still_a_case(self):
        draw, refused, accepted = random.Random(5), 0, 0
        path = self.path("case.yaml")
        for k in range(240):
            with open(SEEDS[k % len(SEEDS)], "rb") as file:
                data = mutant(draw, file.read())
            with open(path, "wb") as file:
                file.write(data)
            done = self.scree("check", path, code=None)
            with self.subTest(k):
                self.assertIn(done.returncode, (0, 2), done.stderr)
                if done.returncode == 0:
                    accepted += 1
                    continue
                refused += 1
                self.check_refusal(done, path)
                if refused % 4 == 0:
                    done = self.scree("run", path, "--out", "out", code=2)
                    self.check_refusal(done, path)
                self.assertEqual(os.listdir(self.folder), ["case.yaml"])
        self.assertGreater(refused, 100)
        self.assertGreater(accepted, 10)


if __name__ == "__main__":
    unittest.main()
