"""The audit on several ranks: the same findings, whoever has the bodies.

    python3 audit.py SCREE
"""
import random
import unittest

from in_ranks import InRanks

HEAD = """
name: audit
time: {end: 0.02, step: 0.001}
gravity: [0, 0, -9.81]
materials: [{name: rock, density: 2600, friction: 0.5}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
outputs: [{scalars: {}}]
bodies:
"""


def crowd(n):
    """Balls of all sizes that overlap, some of them behind the floor."""
    rng = random.Random(5)
    return "".join(
        "  - {sphere: {position: [%r, %r, %r]}, radius: %r, material: rock}\n" % (
            rng.uniform(0, 4), rng.uniform(0, 1), rng.uniform(-0.2, 1),
            rng.choice([0.02, 0.04, 0.06, 0.5])) for _ in range(n))


def findings(text):
    """Without what depends on the order of sums."""
    text = " ".join(text.split())
    return [x for x in text.replace("warning (", "\nerror (").split("\nerror (")
            if not x.startswith("bodies")]


class Audit(InRanks):
    def test_overlaps_and_walls__any_number_of_ranks__same_findings(self):
        case = self.write("case.yaml", HEAD + crowd(150))
        one = self.ranks(0, "run", case, "--out", "x", code=2)
        self.assertIn("pairs of bodies overlap", one.stderr)
        self.assertIn("behind wall 'floor'", one.stderr)
        for ranks in (1, 2, 4):
            done = self.ranks(ranks, "run", case, "--out", "x", code=2)
            for sentence in findings(one.stderr.split("scree: ")[0]):
                self.assertEqual(
                    " ".join(done.stderr.split()).count(sentence.strip()), 1,
                    "%d ranks: %s\n%s" % (ranks, sentence, done.stderr))

    def test_clean__two_ranks__no_word_and_the_same_hash(self):
        bodies = "".join(
            "  - {sphere: {position: [%g, 0, 0.06]}, radius: 0.05, material: "
            "rock}\n" % (0.1 * k) for k in range(20))
        case = self.write("case.yaml", HEAD + bodies + "reproducible: on\n")
        one = self.ranks(0, "run", case, "--out", "a")
        two = self.ranks(2, "run", case, "--out", "b", "--set", "threads=1")
        self.assertEqual(self.hash_of(one), self.hash_of(two))
        self.assertNotIn("(overlap)", two.stdout)

    def test_fast_body__on_one_rank__warned_once(self):
        bodies = "".join(
            "  - {sphere: {position: [%g, 0, 0.05]}, radius: 0.05, material: "
            "rock, velocity: [0, %g, 0]}\n" % (k, 50 * (k == 9))
            for k in range(10))
        case = self.write("case.yaml", HEAD + bodies)
        done = self.ranks(2, "run", case, "--out", "x", "--set", "threads=1")
        self.assertEqual(done.stdout.count("is long for the speeds"), 1)
        self.assertIn("a body moved 0.5 of its diameter", done.stdout)

    def test_finished__ranks__refused_once(self):
        case = self.write("case.yaml", HEAD + "  - {sphere: {position: [0, 0, "
                          "0.1]}, radius: 0.1, material: rock}\n")
        self.ranks(2, "run", case, "--out", "x", "--set", "threads=1")
        done = self.ranks(2, "run", case, "--out", "x", code=2)
        self.assertEqual(done.stderr.count("holds the results of a run"), 1)
        self.ranks(3, "run", case, "--out", "x", "--force", "--set", "threads=1")


if __name__ == "__main__":
    unittest.main()
