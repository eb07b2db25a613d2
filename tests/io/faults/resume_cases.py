"""Ready cases that are killed, and go on: as if they had never been disturbed.

    python3 resume_cases.py SCREE

A silo that runs out into an outlet, and a rock that a net stops, its brakes drawn and
some of its cables torn: what leaves, what slips and what breaks is in checkpoints.
"""
import csv
import os
import random
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import SCREE  # noqa: E402
from survivor import Survivor  # noqa: E402

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "cases")
KILLS = 5
SILO = ["bodies[0].fill.count=250", "bodies[0].fill.cylinder.height=0.12",
        "walls[1].until=0.02", "time.end=0.5", "checkpoint.every=0.008"]
NET = ["nets[0].cable.breaks_at=6e4", "time.end=0.16", "time.step=5e-4",
       "checkpoint.every=0.004"]


class ResumeCases(Survivor):
    def last_row(self, table):
        with open(os.path.join(self.out, table)) as file:
            return list(csv.DictReader(file))[-1]

    def check_killed(self, name, settings):
        """Killed at moments that are drawn at random, each time nearer to its end."""
        self.case = os.path.join(CASES, name + ".yaml")
        undisturbed = self.path("undisturbed")
        sets = [word for s in settings for word in ("--set", s)]
        begun = time.monotonic()
        hash_ = self.hash_of(self.run_case(*sets, out=undisturbed))
        took = time.monotonic() - begun
        draw, kills, give_up = random.Random(5), 0, time.monotonic() + 200
        while kills < KILLS:
            self.assertLess(time.monotonic(), give_up)
            command = (["resume", self.out] if self.checkpoints() else
                       ["run", self.case, "--out", self.out, "--force", *sets])
            process = subprocess.Popen([SCREE, *command], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            try:
                process.wait(took * draw.uniform(0.05, 0.35))
                break  # the machine was faster than before
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
            process.wait()
        self.assertGreater(kills, 1)
        self.assertEqual(self.hash_of(self.resume()), hash_)
        self.check_outputs(undisturbed)

    def test_silo_outlet__killed__goes_on__as_if_never_disturbed(self):
        self.check_killed("silo-outlet", SILO)
        self.assertLess(int(self.last_row("scalars.csv")["bodies"]), 250)

    def test_net_stops_rock__killed__goes_on__as_if_never_disturbed(self):
        self.check_killed("net-stops-rock", NET)
        row = self.last_row("joints.csv")
        self.assertGreater(int(row["barrier_broken"]), 0)
        self.assertGreater(float(row["barrier_dissipated"]), 1e4)


if __name__ == "__main__":
    unittest.main()
