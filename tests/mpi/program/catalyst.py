"""The sink catalyst on two ranks, with a backend that writes down what it gets: the
parts of all ranks together are what one rank hands over.

    catalyst.py SCREE FAKE_PLUGIN
"""
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "io"))
from in_folder import SCREE, InFolder  # noqa: E402
from open_mpi import MANY_RANKS, MPIRUN  # noqa: E402

FAKE = os.path.abspath(sys.argv.pop(1))

os.environ.update(MANY_RANKS, OMP_NUM_THREADS="1", SCREE_CATALYST_PLUGIN=FAKE)

# Balls and boxes that lie on the floor, far from each other, and a pair of balls
# that touch.
CASE = """
name: parts
time: {end: 0.02, step: 0.001}
gravity: [0, 0, -9.81]
solver: {iterations: 2000, tolerance: 1e-12}
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0}]
shapes: [{name: brick, box: {size: [0.1, 0.1, 0.2]}}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
bodies:
  - {lattice: {origin: [0, 0, 0.05], counts: [4, 2, 1], spacing: 0.3}, radius: 0.05,
     material: rock}
  - {lattice: {origin: [2, 0, 0.3], counts: [2, 2, 1], spacing: 0.5}, shape: brick,
     material: rock}
  - {sphere: {position: [-1, 0, 0.05]}, radius: 0.05, material: rock}
  - {sphere: {position: [-0.9, 0, 0.05]}, radius: 0.05, material: rock}
outputs:
  - catalyst: {scripts: [a.py], every: 0.02}
"""


def channels(path, step):
    """{channel: {name: [values]}} of one step."""
    found, now, channel = {}, None, None
    with open(path) as file:
        for line in file:
            key, *values = line.split()
            if key == "step":
                now = int(values[0])
            elif key == "channel":
                channel = values[0]
            elif now == step:
                found.setdefault(channel, {})[key] = values
    return found


def rows(table, names):
    """Rows of a table of texts; vectors have several columns."""
    n = len(table["id" if "id" in table else "a"])
    columns = []
    for name in names:
        width = len(table[name]) // n if n else 1
        columns.append([tuple(round(float(x), 9) + 0.0 for x in table[name][
            i * width:(i + 1) * width]) for i in range(n)])
    return sorted(zip(*columns))


def lines(table):
    """Ends of the lines, as places."""
    points = [tuple(round(float(x), 9) + 0.0 for x in table["points"][3 * i:3 * i + 3])
              for i in range(len(table["points"]) // 3)]
    return sorted(tuple(points[int(k)] for k in cell.split(","))
                  for cell in table["lines"])


class Parts(InFolder):
    def run_on(self, ranks, case=CASE, code=0):
        self.write("a.py", "")
        self.write("raise.py", "")
        self.write("raise-on-1.py", "")
        path = self.write("case.yaml", case)
        launcher = [MPIRUN, "-np", str(ranks)] if ranks > 1 else []
        out = self.path("out%d" % ranks)
        done = subprocess.run([*launcher, SCREE, "run", path, "--out", out, "--force"],
                              capture_output=True, text=True, timeout=200)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        notes = ["fake.txt"] + ["fake-%d.txt" % r for r in range(1, ranks)]
        return [os.path.join(out, name) for name in notes], done

    def test_parts__two_ranks__are_the_whole(self):
        (alone,), _ = self.run_on(1)
        several, _ = self.run_on(2)
        for step in (0, 20):
            one = channels(alone, step)
            two = [channels(path, step) for path in several]
            for name, fields in (
                    ("bodies", ("id", "points", "radius", "velocity", "volume",
                                "orientation", "shape", "material")),
                    ("contacts", ("a", "b", "points", "normal", "force"))):
                whole = sorted(sum((rows(t[name], fields) for t in two), []))
                self.assertEqual(whole, rows(one[name], fields), name)
            self.assertEqual(sorted(sum((lines(t["contacts"]) for t in two), [])),
                             lines(one["contacts"]))
            ids = sorted(sum((t["surfaces"]["id"] for t in two), []))
            self.assertEqual(ids, sorted(one["surfaces"]["id"]))
        self.assertGreater(len(one["contacts"]["lines"]), 5)

    def test_parts__blocks_of_ids(self):
        """Each rank has its half of the bodies, and the floor is drawn once."""
        several, _ = self.run_on(2)
        ids = [channels(path, 20)["bodies"]["id"] for path in several]
        self.assertEqual(ids, [[str(i) for i in range(7)],
                               [str(i) for i in range(7, 14)]])
        walls = [channels(path, 20)["surfaces"]["id"].count("-1")
                 for path in several]
        self.assertEqual(walls, [1, 0])

    def test_failure__one_message(self):
        _, done = self.run_on(2, CASE.replace("a.py", "raise.py"), code=3)
        self.assertEqual(done.stderr.count("ZeroDivisionError"), 1, done.stderr)

    def test_failure__of_the_second_rank__stops_all_with_one_message(self):
        at = self.path("raise-on-1.py") + ":7: ZeroDivisionError"
        case = CASE.replace("a.py", "raise-on-1.py, a.py")
        _, done = self.run_on(2, case, code=3)
        self.assertEqual(done.stderr.count("catalyst: " + at), 1, done.stderr)
        self.assertEqual(done.stderr.count("ZeroDivisionError"), 1, done.stderr)

    def test_failure__of_the_second_rank__goes_on_without_the_script(self):
        case = CASE.replace("a.py]", "raise-on-1.py], on_error: continue").replace(
            "every: 0.02", "every: 0.005")
        several, done = self.run_on(2, case)
        self.assertEqual(done.stdout.count("warning: catalyst: "), 1, done.stdout)
        self.assertIn("raise-on-1.py:7: ZeroDivisionError", done.stdout)
        for path in several:
            self.assertTrue(channels(path, 20))


if __name__ == "__main__":
    unittest.main()
