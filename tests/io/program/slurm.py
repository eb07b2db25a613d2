"""cases/cluster/slurm.sh under SLURM: a job is queued, stopped by its time limit,
queued again by itself, goes on, and ends with the state of an undisturbed run. On two
ranks, where SLURM has PMIx: the tasks of a job are ranks of one run, and one that falls
silent ends the run with a sentence and exit code 8.

    python3 slurm.py SCREE SLURM_SH

The test starts munged, slurmctld and slurmd of its own, with a configuration in a
temporary folder, and ends them by their process numbers. Where they are not
installed or cannot start it is skipped, with exit code 77 and the reason.
"""
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from open_mpi import MANY_RANKS  # noqa: E402

SCREE, SCRIPT = (os.path.abspath(x) for x in sys.argv[1:3])
SKIPPED = 77
PROGRAMS = ["munged", "munge", "slurmctld", "slurmd", "sbatch", "srun", "scontrol", "sinfo"]

CASE = """
name: queued
seed: 3
threads: 1
time: {end: 0.2, step: 0.001}
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
bodies:
  - lattice: {origin: [0, 0, 0.06], counts: [3, 3, 3], spacing: 0.11, jitter: 0.004}
    radius: 0.05
    material: rock
outputs: [{scalars: {every: 0.01}}]
checkpoint: {every: 0.02}
"""

# SLURM looks at its limits every half minute. So that the run takes as long without
# the work, its first part stands still until the signal comes.
SLOWLY = """#!/usr/bin/env bash
trap 'heard=yes; kill -USR1 $run; kill -CONT $run' USR1
{scree} "$@" &
run=$!
if [[ $1 == run ]]; then
  until compgen -G '{out}/checkpoint-*20.hdf5' >/dev/null; do sleep 0.01; done
  kill -STOP $run
fi
wait $run; code=$?
if [[ $heard ]]; then wait $run; code=$?; fi
exit $code
"""

# A job that is queued again begins when the credentials of its first part have
# expired: after two minutes, or the 5 s that SLURM allows at least.
CONF = """
ClusterName=test
SlurmctldHost={host}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={root}/munge.socket,cred_expire=5
CredType=cred/munge
SlurmctldPort={port}
SlurmdPort={next}
SlurmctldPidFile={root}/slurmctld.pid
SlurmdPidFile={root}/slurmd.pid
SlurmctldLogFile={root}/slurmctld.log
SlurmdLogFile={root}/slurmd.log
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
KillWait=5
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Skip(Exception):
    pass


def free_ports():
    """Two, one after the other."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1] // 2 * 2


class Cluster:
    """SLURM on this machine."""

    def __init__(self, root):
        self.root, self.processes = root, []
        self.host = socket.gethostname().split(".")[0]
        port = free_ports()
        for name in ("state", "spool"):
            (root / name).mkdir()
        (root / "slurm.conf").write_text(CONF.format(
            root=root, host=self.host, port=port, next=port + 1, cpus=os.cpu_count(),
            user=subprocess.check_output(["id", "-un"], text=True).strip()))
        self.environment = {**os.environ, "SLURM_CONF": str(root / "slurm.conf")}

    def start(self):
        key = self.root / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        self.begin("munged", "--foreground", "--force", "--key-file", key,
                   "--socket", self.root / "munge.socket", "--pid-file",
                   self.root / "munged.pid", "--log-file", self.root / "munged.log",
                   "--seed-file", self.root / "munged.seed")
        self.wait_for("munged", lambda: (self.root / "munge.socket").exists(), 20)
        self.begin("slurmctld", "-D", "-f", self.root / "slurm.conf")
        self.begin("slurmd", "-D", "-f", self.root / "slurm.conf", "-N", self.host)
        self.wait_for("a node", self.is_ready, 40)

    def begin(self, name, *words):
        with open(self.root / (name + ".out"), "w") as out:
            self.processes.append((name, subprocess.Popen(
                [shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin"),
                 *map(str, words)],
                stdout=out, stderr=out, stdin=subprocess.DEVNULL, env=self.environment)))

    def is_ready(self):
        done = self.call("sinfo", "-h", "-o", "%t", "-n", self.host)
        return done.returncode == 0 and done.stdout.strip() == "idle"

    def wait_for(self, what, ready, seconds):
        give_up = time.monotonic() + seconds
        while not ready():
            for name, process in self.processes:
                if process.poll() is not None:
                    raise Skip("%s does not start: %s" % (name, self.last_words(name)))
            if time.monotonic() > give_up:
                raise Skip("no %s after %d s: %s" % (what, seconds, self.last_words("slurmd")))
            time.sleep(0.1)

    def last_words(self, name):
        lines = [x for suffix in (".out", ".log") for x in
                 ((self.root / (name + suffix)).read_text(errors="replace").splitlines()
                  if (self.root / (name + suffix)).exists() else [])]
        return " | ".join(lines[-3:])

    def call(self, *words, seconds=60, **more):
        return subprocess.run([*map(str, words)], text=True, capture_output=True,
                              timeout=seconds, env={**self.environment, **more}, cwd=self.root)

    def stop(self):
        for _, process in reversed(self.processes):
            process.terminate()
        for _, process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def job(self, number):
        return dict(x.split("=", 1) for x in
                    self.call("scontrol", "show", "job", number).stdout.split() if "=" in x)


def hash_of(text):
    return re.findall(r"state hash: (\w+)", text)


def undisturbed(root):
    done = subprocess.run([SCREE, "run", root / "case.yaml", "--out", root / "whole", "--quiet"],
                          text=True, capture_output=True, check=True)
    return hash_of(done.stdout)[-1]


def submit(cluster, root):
    slowly = root / "slowly"
    slowly.write_text(SLOWLY.format(scree=SCREE, out=root / "x"))
    slowly.chmod(0o755)
    done = cluster.call("sbatch", "--parsable", "--time=1", "--signal=B:USR1@58",
                        "--cpus-per-task=1", "--output", root / "job.txt", SCRIPT,
                        CASE=str(root / "case.yaml"), OUT=str(root / "x"), SCREE=str(slowly))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def check(cluster, root):
    (root / "case.yaml").write_text(CASE)
    expected = undisturbed(root)
    number = submit(cluster, root)
    states, give_up = [], time.monotonic() + 300
    while not states or states[-1] not in ("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED"):
        job = cluster.job(number)
        if job.get("JobState") not in states[-1:]:
            states.append(job.get("JobState"))
            if states[-2:] == ["RUNNING", "PENDING"]:  # now it has time enough
                cluster.call("scontrol", "update", "JobId=" + number, "TimeLimit=60")
        assert time.monotonic() < give_up, "still %s" % states
        time.sleep(0.3)
    text = (root / "job.txt").read_text()
    print("states: %s, restarts %s" % (", ".join(map(str, states)), job["Restarts"]))
    assert states[-1] == "COMPLETED", text
    restarts = int(job["Restarts"])  # more than one where the machine is slow
    assert restarts >= 1, text
    assert "stopped by signal 10" in text, text
    log = (root / "x" / "restarts.log").read_text()
    assert len(log.splitlines()) == restarts, log
    assert hash_of(text)[-1] == expected, text


# ---- ranks ----------------------------------------------------------------------

def process_of(folder, rank):
    """The process of a rank: SLURM tells each its number."""
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().split(b"\0")
            told = (path / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0] == SCREE.encode() and folder.encode() in words and \
                b"SLURM_PROCID=%d" % rank in told:
            return int(path.name)
    raise AssertionError("rank %d is not there" % rank)


def check_job_of_ranks(cluster, root):
    """The script finds out how SLURM starts ranks."""
    (root / "case.yaml").write_text(CASE.replace("end: 0.2", "end: 0.02"))
    done = cluster.call("sbatch", "--wait", "--ntasks=2", "--cpus-per-task=1",
                        "--output", root / "ranks.txt", SCRIPT, SCREE=SCREE, seconds=200,
                        CASE=str(root / "case.yaml"), OUT=str(root / "ranks"))
    text = (root / "ranks.txt").read_text()
    assert done.returncode == 0, text
    assert "2 ranks with" in (root / "ranks" / "run.log").read_text(), text


def check_silent_rank(cluster, root):
    """Stopped, as a machine that is lost: SLURM itself sees nothing."""
    (root / "case.yaml").write_text(CASE.replace("end: 0.2", "end: 2000"))
    folder = str(root / "lost")
    with open(root / "lost.txt", "w") as out:
        run = subprocess.Popen(
            ["srun", "--ntasks=2", "--mpi=pmix", SCREE, "run", "case.yaml", "--quiet",
             "--out", folder, "--max-silence", "3"],
            stdout=out, stderr=out, cwd=root, env=cluster.environment)
    try:
        cluster.wait_for("checkpoint", lambda: any((root / "lost").glob("checkpoint-*.hdf5")), 60)
        time.sleep(2)  # a packet a second
        began = time.monotonic()
        stopped = process_of(folder, 1)
        os.kill(stopped, signal.SIGSTOP)
        code = run.wait(60)
    finally:
        run.kill()
        run.wait()
    text = (root / "lost.txt").read_text()
    print("a silent rank ends the run after %.0f s" % (time.monotonic() - began))
    assert code == 8, (code, text)
    said = [x for x in text.splitlines() if x.startswith("scree: ")]
    assert len(said) == 1 and "rank 1 on" in said[0] and "has not been heard of" in said[0], text
    assert "the last checkpoint is that of step" in text, text


def check_ranks(cluster, root):
    listed = cluster.call("srun", "--mpi=list")
    built = cluster.call(SCREE, "--version").stdout
    if os.cpu_count() < 2 or "pmix" not in listed.stdout + listed.stderr or "openmpi" not in built:
        print("skipped: ranks under srun, which need two cores, Open MPI and SLURM's PMIx")
        return
    cluster.environment.update(MANY_RANKS)
    check_job_of_ranks(cluster, root)
    check_silent_rank(cluster, root)


def main():
    missing = [x for x in PROGRAMS
               if not shutil.which(x, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
    root = Path(tempfile.mkdtemp(prefix="scree-slurm-"))
    root.chmod(0o755)  # munged wants to know who may change its folder
    cluster = Cluster(root)
    try:
        if missing:
            raise Skip("not installed: %s (Debian: slurm-wlm, munge)" % ", ".join(missing))
        cluster.start()
        check(cluster, root)
        check_ranks(cluster, root)
    except Skip as why:
        print("skipped: SLURM cannot be tested here: %s" % why)
        sys.exit(SKIPPED)
    finally:
        cluster.stop()
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
