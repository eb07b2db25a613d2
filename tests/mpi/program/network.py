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

    def start_run(self, tune, *more):
        words = ["ip", "netns", "exec", self.hosts.a, "unshare", "--uts", "sh", "-c",
                 'hostname "$1"; shift; exec "$@"', "sh", self.hosts.a,
                 "mpirun", "-np", "2", "--host", "%s:1,%s:1" % (self.hosts.a, THERE),
                 *(["--tune", tune] if tune else []), "--mca", "plm_rsh_agent",
                 self.path("agent"), "--mca", "btl", "tcp,self", "--mca", "pml", "ob1",
                 SCREE, "run", self.path("case.yaml"), "--out", self.path("x"), "--quiet",
                 *more]
        with open(self.path("errors"), "w") as errors:
            process = subprocess.Popen(words, cwd=self.folder, text=True,
                                       stdout=subprocess.DEVNULL, stderr=errors)
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
        process.wait()

    def program_of(self, pid):
        try:
            return os.readlink("/proc/%d/exe" % pid)
        except FileNotFoundError:
            return ""

    def ranks_left(self):
        return [x for x in self.members() if self.program_of(x) == os.path.realpath(SCREE)]

    def cut_run(self, cut, tune, *more):
        """A run that has saved its state, and then no network any more."""
        process = self.start_run(tune, *more)
        self.wait_for(lambda: len(self.steps("x")) > 1 and self.steps("x")[-1] >= 40, 60)
        self.assertIsNone(process.poll())
        self.assertEqual(ip(*cut).returncode, 0)
        return process

    def check_said(self, *said):
        """Each of these once."""
        with open(self.path("errors")) as file:
            err = file.read()
        for words in said:
            self.assertEqual(err.count(words), 1, err)
        return err

    def check_goes_on(self):
        step = self.steps("x")[-1]
        self.ranks(0, "resume", "x", "--quiet", "--set", "time.end=%g" % (0.001 * (step + 5)))
        self.assertEqual(self.steps("x")[-1], step + 5)

    def check_cut(self, cut, conf="quick.conf", *more):
        process = self.cut_run(cut, self.path(conf), *more)
        begun = time.monotonic()
        self.assertNotEqual(process.wait(timeout=60), 0)
        print("ended %.0f s after the cut, code %d" % (time.monotonic() - begun,
                                                     process.returncode), file=sys.stderr)
        self.assertIn(THERE, self.check_said("lost communication with a remote daemon"))
        self.wait_for(lambda: not self.members(), 60)
        self.check_goes_on()

    def down(self):
        return ["-n", self.hosts.b, "link", "set", self.hosts.ends[1], "down"]

    def silence(self):
        """Packets of b go to nobody, and no one hears of it."""
        return ["-n", self.hosts.b, "neigh", "replace", HERE, "lladdr",
                "02:00:00:00:00:99", "dev", self.hosts.ends[1], "nud", "permanent"]

    def test_link_down__one_message_and_the_checkpoint_goes_on(self):
        self.check_cut(self.down())

    def test_silence__one_message_and_the_checkpoint_goes_on(self):
        self.check_cut(self.silence())

    def test_nobody_watches__the_ranks_end_themselves_and_say_why(self):
        """As where no mpirun listens for its daemons: without the values it waits on,
        for many minutes, for those that it cannot reach."""
        self.cut_run(self.silence(), None, "--max-silence", "1")
        begun = time.monotonic()
        self.wait_for(lambda: not self.ranks_left(), 60)
        print("ranks ended %.0f s after the cut" % (time.monotonic() - begun), file=sys.stderr)
        self.check_said("scree: rank 0 of 2: rank 1 on %s has not been heard of for " %
                        self.hosts.b, "go on from there with\n    mpirun -np 2 ")
        self.check_goes_on()

    def test_as_given__gives_up_within_a_minute(self):
        value = {k: int(v) for k, v in re.findall(r"keepalive_(\w+) (\d+)", self.conf)}
        self.assertLess(value["time"] + value["intvl"] * value["probes"], 45)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    for _, why in result.skipped:
        print("skipped:", why)
    sys.exit(SKIPPED if result.skipped and result.wasSuccessful() else
             not result.wasSuccessful())
