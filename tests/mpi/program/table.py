"""The table at the end of a run on several ranks, of a column that falls apart.

In reproducible mode contacts are those of one rank: sums of the table are known.

    table.py SCREE
"""
import json
import os
import re
import unittest

from in_ranks import InRanks

CASE = """
name: column
seed: 2
reproducible: on
time: {end: 0.2, step: 0.001}
solver: {iterations: 20, tolerance: 1e-3, unconverged_share: 1}
materials: [{name: rock, density: 2600, friction: 0.3}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
  - {name: gate, plane: {point: [0.5, 0, 0], normal: [-1, 0, 0]}, until: 0.05,
     material: rock}
bodies:
  - lattice: {origin: [0, 0, 0.05], counts: [5, 5, 16], spacing: 0.1001}
    radius: {uniform: {min: 0.045, max: 0.05}}
    velocity: [0.6, 0, -1]
    material: rock
checkpoint: {every: 0.1}
"""
BODIES, STEPS = 400, 200
NAMES = ("bodies", "copies of bodies", "contacts", "messages sent", "bytes sent",
         "memory")


class Table:
    """Figures of what a run prints at its end."""

    def __init__(self, text):
        self.text = text
        self.rows = {}
        for name in NAMES:
            found = re.findall(r"^    %s +(\S+) +(\S+) +(\S+) " % name, text, re.M)
            if found:
                self.rows[name] = tuple(map(float, found[0]))
        load = re.search(r"^    load +(\S+) of the mean at most; space was divided "
                         r"(\d+) times \((Zoltan|bisection)\)$", text, re.M)
        if load:
            self.load, self.cuts = float(load[1]), int(load[2])
        self.contacts = self.number(r"^  contacts +(\S+) per step \(mean\)$")
        self.memory = self.number(r"^  memory +(\S+) bytes per body$")

    def number(self, pattern):
        return float(re.search(pattern, self.text, re.M)[1])

    def phase(self, name):
        """(seconds, share in per cent, ms per step) of a row."""
        row = re.search(r"^  %s +(\S+) +(\S+) +(\S+)" % name, self.text, re.M)
        return tuple(map(float, row.groups()))


class Tables(InRanks):
    @classmethod
    def setUpClass(cls):
        cls.whole = {}

    def setUp(self):
        super().setUp()
        self.case = self.write("case.yaml", CASE)

    def run_whole(self, ranks):
        """The table of a run that is not stopped; one for all tests."""
        if ranks not in self.whole:
            done = self.ranks(ranks, "run", self.case, "--out", "w%d" % ranks)
            self.whole[ranks] = Table(done.stdout)
        return self.whole[ranks]

    def check(self, table, ranks):
        """What holds of every table of several ranks."""
        for name in NAMES:
            least, mean, most = table.rows[name]
            self.assertTrue(0 <= least <= mean <= most, name)
            self.assertGreater(mean, 0, name)
        self.assertAlmostEqual(table.rows["bodies"][1] * ranks, BODIES, delta=0.5)
        total = 1e6 * table.rows["memory"][1] * ranks
        self.assertAlmostEqual(table.memory, total / BODIES, delta=0.01 * table.memory)
        self.assertTrue(1 <= table.load < 1.6, table.load)
        seconds, share, _ = table.phase("- waiting")
        self.assertTrue(0 < share <= 100 and seconds > 0)
        # Right after new cuts their load is not known yet: 1, and not in the line.
        load = r"load %.2f  " % table.load if table.load > 1 else ""
        self.assertRegex(table.text, r"\n100\.0 %  t \S+ / \S+ s  ETA \S+  " + load +
                         r"bodies 400  contacts \d+  it \d+  res \S+  bal \S+\n")

    def test_four_ranks__sums_are_those_of_one(self):
        one, four = self.run_whole(0), self.run_whole(4)
        self.assertNotIn("messages", one.text)
        self.check(four, 4)
        self.assertGreater(four.cuts, 1)  # the column spreads out
        self.assertEqual(four.contacts, one.contacts)
        self.assertGreater(one.contacts, 200)
        self.assertAlmostEqual(four.rows["contacts"][1] * 4, one.contacts,
                               delta=1e-3 * one.contacts)
        self.assertNotIn("since the run went on", four.text)

    def test_memory__ranks_hold_more_than_one_does(self):
        """Copies, mail and shares, on top of what the bodies need."""
        one, four = self.run_whole(0), self.run_whole(4)
        self.assertGreater(four.memory, one.memory)

    def test_report__rank_by_rank__adds_up(self):
        """timing.json and the page have each rank; their means are the table's."""
        done = self.ranks(2, "run", self.case, "--out", "r", "--set", "report=on")
        table = Table(done.stdout)
        with open(self.path("r", "timing.json"), encoding="utf-8") as file:
            timing = json.load(file)
        each = timing["each_rank"]
        self.assertEqual([x["rank"] for x in each], [0, 1])
        self.assertEqual(sum(x["bodies"] for x in each), BODIES)
        self.assertAlmostEqual(sum(x["contacts"] for x in each) / 2,
                               table.rows["contacts"][1], delta=0.06)
        for phase in timing["phases"]:
            mean = sum(x[phase["phase"]] for x in each) / 2
            self.assertAlmostEqual(mean, phase["mean"], delta=1e-3 + 1e-2 * mean)
        with open(self.path("r", "report.html"), encoding="utf-8") as file:
            rows = re.search(r'id="ranks">(.*?)</table>', file.read(), re.S)[1]
        shown = re.findall(r'<tr><td>(\d+)</td><td class="n">(\d+)</td>', rows)
        self.assertEqual([(int(a), int(b)) for a, b in shown],
                         [(x["rank"], x["bodies"]) for x in each])

    def test_resumed__figures_per_step_are_of_the_steps_since_then(self):
        """Most of the contacts were there before: no rank must be given them."""
        one, four = self.run_whole(0), self.run_whole(4)
        self.ranks(4, "run", self.case, "--out", "x", "--set", "time.end=0.1")
        first = Table(self.ranks(0, "run", self.case, "--out", "y", "--set",
                                 "time.end=0.1").stdout)
        since = 2 * one.contacts - first.contacts  # halves of as many steps
        for ranks in (4, 2):
            done = self.ranks(ranks, "resume", "x", "--set", "time.end=0.2")
            table = Table(done.stdout)
            self.check(table, ranks)
            self.assertEqual(table.contacts, one.contacts)
            self.assertAlmostEqual(table.rows["contacts"][1] * ranks, since,
                                   delta=0.2 + 1e-3 * since)
            self.assertLess(table.rows["contacts"][2], 2 * since / ranks)
            self.assertIn("of the %d steps since the run went on" %
                          (STEPS // 2), done.stdout)
            if ranks == 4:
                for name in ("messages sent", "bytes sent"):
                    ratio = table.rows[name][1] / four.rows[name][1]
                    self.assertTrue(0.6 < ratio < 1.7, (name, ratio))
            for name in self.steps("x"):  # the next goes on from the middle again
                if name > STEPS // 2:
                    os.remove(self.checkpoint("x", name))


if __name__ == "__main__":
    unittest.main()
