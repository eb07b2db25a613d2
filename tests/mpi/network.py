"""Two ranks on two hosts, with a network between that is cut: the run ends, says so
once, and goes on from its last checkpoint.

    python3 network.py SCREE NETWORK_CONF

The hosts are network namespaces of this machine with addresses of their own; a script
in place of ssh starts Open MPI's daemon in the other one. Where namespaces cannot be
made the test is skipped, with exit code 77 and the reason.
"""
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

CONF = os.path.abspath(sys.argv.pop(2))

from in_ranks import SCREE, InRanks  # noqa: E402

SKIPPED = 77
CASE = """
name: network
threads: 1
time: {end: 1000, step: 0.001}
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
bodies:
  - lattice: {origin: [0, 0, 0.06], counts: [6, 3, 1], spacing: 0.11, jitter: 0.004}
    radius: 0.05
    material: rock
checkpoint: {every: 0.02}
"""
# Open MPI takes ranks of one host name for neighbours that share memory.
AGENT = """#!/bin/sh
shift
exec ip netns exec {b} unshare --uts sh -c 'hostname {b}; eval "$*"' sh "$@"
"""
HERE, THERE = "10.213.77.1", "10.213.77.2"


def ip(*words):
    return subprocess.run(["ip", *words], text=True, capture_output=True)


class Hosts:
    """Two of them, a and b, joined by a cable."""

    def __init__(self):
        self.a, self.b = ("scree%d%s" % (os.getpid(), x) for x in "ab")
        self.ends = ["sa%d" % os.getpid(), "sb%d" % os.getpid()]

    def why_not(self):
        """None: they are there."""
        for program in ("ip", "unshare", "mpirun"):
            if not shutil.which(program):
                return "there is no %s" % program
        steps = [["netns", "add", self.a], ["netns", "add", self.b],
                 ["link", "add", self.ends[0], "type", "veth", "peer", "name", self.ends[1]]]
        for host, end, address in zip((self.a, self.b), self.ends, (HERE, THERE)):
            steps += [["link", "set", end, "netns", host],
                      ["-n", host, "addr", "add", address + "/24", "dev", end],
                      ["-n", host, "link", "set", end, "up"],
                      ["-n", host, "link", "set", "lo", "up"]]
        for words in steps:
            done = ip(*words)
            if done.returncode != 0:
                return "ip %s: %s" % (" ".join(words), done.stderr.strip())
        done = subprocess.run(["unshare", "--uts", "hostname", "test"], text=True,
                              capture_output=True)
        return None if done.returncode == 0 else done.stderr.strip()

    def remove(self):
        for host in (self.a, self.b):
            ip("netns", "del", host)


class Network(InRanks):
    def setUp(self):
        super().setUp()
        self.hosts = Hosts()
        self.addCleanup(self.hosts.remove)
        why = self.hosts.why_not()
        if why:
            self.skipTest("no hosts as network namespaces: %s" % why)
        self.write("case.yaml", CASE)
        os.chmod(self.write("agent", AGENT.format(b=self.hosts.b)), 0o755)
        with open(CONF) as file:
            self.conf = file.read()
        # As given, but faster: ranks that wait take a core each.
        quick = re.sub(r"(?m)^(-mca \S+_(?:time|intvl)) \d+$", r"\1 1", self.conf)
        self.assertNotEqual(quick, self.conf)
        self.write("quick.conf", quick)

    def start_run(self):
        words = ["ip", "netns", "exec", self.hosts.a, "unshare", "--uts", "sh", "-c",
                 'hostname "$1"; shift; exec "$@"', "sh", self.hosts.a,
                 "mpirun", "-np", "2", "--host", "%s:1,%s:1" % (self.hosts.a, THERE),
                 "--tune", self.path("quick.conf"), "--mca", "plm_rsh_agent",
                 self.path("agent"), "--mca", "btl", "tcp,self", "--mca", "pml", "ob1",
                 SCREE, "run", self.path("case.yaml"), "--out", self.path("x"), "--quiet"]
        process = subprocess.Popen(words, cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end_run, process)
        return process

    def members(self):
        """Processes in either host."""
        found = []
        for host in (self.hosts.a, self.hosts.b):
            found += ip("netns", "pids", host).stdout.split()
        return [int(x) for x in found]

    def end_run(self, process):
        for pid in self.members():
            os.kill(pid, 9)
        process.communicate()

    def check_cut(self, cut):
        process = self.start_run()
        self.wait_for(lambda: len(self.steps("x")) > 1 and self.steps("x")[-1] >= 40, 60)
        self.assertIsNone(process.poll())
        begun = time.monotonic()
        self.assertEqual(ip(*cut).returncode, 0)
        err = process.communicate(timeout=60)[1]
        print("ended %.0f s after the cut, code %d" % (time.monotonic() - begun,
                                                     process.returncode), file=sys.stderr)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(err.count("lost communication with a remote daemon"), 1, err)
        self.assertIn(THERE, err)
        self.wait_for(lambda: not self.members(), 60)
        step = self.steps("x")[-1]
        self.ranks(0, "resume", "x", "--quiet", "--set", "time.end=%g" % (0.001 * (step + 5)))
        self.assertEqual(self.steps("x")[-1], step + 5)

    def test_link_down__one_message_and_the_checkpoint_goes_on(self):
        self.check_cut(["-n", self.hosts.b, "link", "set", self.hosts.ends[1], "down"])

    def test_silence__one_message_and_the_checkpoint_goes_on(self):
        """Packets of b go to nobody, and no one hears of it."""
        self.check_cut(["-n", self.hosts.b, "neigh", "replace", HERE, "lladdr",
                        "02:00:00:00:00:99", "dev", self.hosts.ends[1], "nud",
                        "permanent"])

    def test_as_given__gives_up_within_a_minute(self):
        value = {k: int(v) for k, v in re.findall(r"keepalive_(\w+) (\d+)", self.conf)}
        self.assertLess(value["time"] + value["intvl"] * value["probes"], 45)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    for _, why in result.skipped:
        print("skipped:", why)
    sys.exit(SKIPPED if result.skipped and result.wasSuccessful() else
             not result.wasSuccessful())
