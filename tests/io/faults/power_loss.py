"""Loss of power at any moment: what was saved before can be used.

    python3 power_loss.py SCREE RECORDING [--trials N] [--seed S]

RECORDING is the library of shims/recording.c, by which one run tells all that it
does to its folder. A trial takes the record up to a random point, and makes the
folder as a disk might hold it then:

    bytes of a file   those of its last sync; of what was written since then each
                      piece may be there, lost, torn, or zeros where it was to be,
                      whatever the order
    names in a folder those of the folder's last sync; of what was done since then
                      (created, renamed, removed) each may have come to be or not

A checkpoint counts as saved when the run syncs the folder after renaming it. From
then on `scree resume` goes on from it or from a later one, to the files of a run
that was never disturbed; and whatever there is, readers end by themselves.
"""
import argparse
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections import Counter, namedtuple
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from open_mpi import MANY_RANKS, MPIRUN  # noqa: E402

CASE = """
name: power
seed: 3
threads: 1
time: {end: 0.02, step: 0.001}
materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2}]
walls:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}
bodies:
  - lattice: {origin: [0, 0, 0.051], counts: [2, 2, 2], spacing: 0.101}
    radius: 0.05
    velocity: [0, 0, -1]
    material: rock
  - pour: {box: {min: [0, 0, 1], max: [0.4, 0.4, 1.2]}, rate: 500}
    radius: {uniform: {min: 0.03, max: 0.05}}
    material: rock
outputs:
  - frames: {every: 0.004}
  - contacts: {every: 0.004}
  - scalars: {every: 0.001}
  - surfaces: {every: 0.008}
checkpoint: {every: 0.003}
reproducible: on
"""
HEAD = struct.Struct("<qqiiIIc7x")
Record = namedtuple("Record", "what process fd offset size path more")
SECTOR = 512


def read_records(path):
    data, at = path.read_bytes(), 0
    while at < len(data):
        offset, size, process, fd, n, m, what = HEAD.unpack_from(data, at)
        at += HEAD.size
        yield Record(what.decode(), process, fd, offset, size,
                     os.path.normpath(data[at:at + n].decode()), data[at + n:at + n + m])
        at += n + m


class File:
    """What is on the disk for sure, and what may have come after it."""

    def __init__(self, content=b""):
        self.durable, self.pending = bytearray(content), []

    @staticmethod
    def apply(content, change):
        at, data = change
        if data is None:  # the size
            if at < len(content):
                del content[at:]
            content.extend(bytes(at - len(content)))
            return
        content.extend(bytes(max(0, at - len(content))))
        content[at:at + len(data)] = data

    def sync(self):
        for change in self.pending:
            self.apply(self.durable, change)
        self.pending = []

    def after_loss(self, chance):
        content = bytearray(self.durable)
        mode = chance.choice(["none", "all", "some", "some"])
        for at, data in self.pending:
            fate = chance.choice(["kept", "lost", "torn", "zeros"]) if mode == "some" else mode
            if fate in ("lost", "none"):
                continue
            if data is not None and fate == "torn":
                data = data[:chance.randrange(len(data) + 1) // SECTOR * SECTOR]
            if data is not None and fate == "zeros":
                data = bytes(len(data))
            self.apply(content, (at, data))
        return bytes(content)


class Disk:
    """Names are whole paths; each folder has those in it for sure, and what may have
    been done to them since."""

    def __init__(self, root):
        self.names = {}  # as the program sees them: path to File, or None: a folder
        self.durable = {}
        self.pending = []  # (folder, path, File or None: a folder or "gone")
        self.open = {}
        for path in [root, *sorted(root.rglob("*"))]:
            self.names[str(path)] = None if path.is_dir() else File(path.read_bytes())
        self.durable = dict(self.names)

    def name(self, path, what):
        self.pending.append((os.path.dirname(path), path, what))
        if what == "gone":
            self.names.pop(path, None)
        else:
            self.names[path] = what

    def rename(self, path, to):
        """At once: one of its names is there, never both or none."""
        moved = self.names.pop(path)
        self.names[to] = moved
        self.pending.append((os.path.dirname(to), (path, to), moved))

    def sync_folder(self, folder):
        for change in [c for c in self.pending if c[0] == folder]:
            self.carry_out(self.durable, change)
        self.pending = [c for c in self.pending if c[0] != folder]

    @staticmethod
    def carry_out(names, change):
        _, path, what = change
        if isinstance(path, tuple):
            names.pop(path[0], None)
            path = path[1]
        if isinstance(what, str):
            names.pop(path, None)
        else:
            names[path] = what

    def take(self, r):
        key = (r.process, r.fd)
        if r.what == "O":
            if r.path not in self.names:
                assert r.offset, r  # created
                self.name(r.path, File())
            self.open[key] = r.path, self.names[r.path]
            if r.size and self.names[r.path]:
                self.names[r.path].pending.append((0, None))
        elif r.what in "WTS":
            path, file = self.open[key]
            if r.what == "S" and file is None:
                self.sync_folder(path)
            elif r.what == "S":
                file.sync()
            else:
                file.pending.append((r.offset, r.more) if r.what == "W" else (r.size, None))
        elif r.what == "R":
            self.rename(r.path, r.more.decode())
        elif r.what == "U":
            self.name(r.path, "gone")
        elif r.what == "M":
            self.name(r.path, None)

    def write_out(self, chance, root):
        """As the disk may be after power was lost, in an empty folder."""
        names = dict(self.durable)
        share = chance.choice([0, 0.5, 0.9, 1])
        for change in self.pending:
            if chance.random() < share:
                self.carry_out(names, change)
        fates = {}
        for path, file in sorted(names.items()):
            if file is None:
                Path(path).mkdir(parents=True, exist_ok=True)
            elif file not in fates:
                fates[file] = file.after_loss(chance)
        for path, file in names.items():
            if file is not None and os.path.isdir(os.path.dirname(path)):
                Path(path).write_bytes(fates[file])


class Bench:
    def __init__(self, scree, shim, root):
        self.scree, self.shim = scree, shim
        self.root, self.work = root, root / "work"
        self.out = self.work / "x"
        self.case = root / "case.yaml"
        self.case.write_text(CASE)
        self.run = ["run", str(self.case), "--out", "x", "--quiet"]

    def clear(self, with_=None):
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()
        if with_:
            shutil.copytree(with_, self.out)

    def call(self, words, ranks=0, **environment):
        forward = [x for k in environment for x in ("-x", k)]
        start = [MPIRUN, "-np", str(ranks), *forward] if ranks else []
        return subprocess.run([*start, self.scree, *words], cwd=self.work, text=True,
                              errors="replace", capture_output=True, timeout=100,
                              env={**os.environ, **environment})

    def record(self, words, ranks=0, with_=None):
        """What the command does to its folder, and how that was before."""
        self.clear(with_)
        before = Disk(self.work)
        path = self.root / "record"
        path.unlink(missing_ok=True)
        done = self.call(words, ranks, RECORD_UNDER=str(self.work),
                         RECORD_TO=str(path), LD_PRELOAD=self.shim)
        assert done.returncode == 0, done.stderr
        return before, list(read_records(path)), done.stdout

    def results(self, folder):
        return {p.name: p.read_bytes() for p in folder.glob("*")
                if not p.name.startswith(("checkpoint-", "restarts.log", "run.log",
                                         "timing.json", ".lock"))
                and ".tmp" not in p.name}


def saved_step(path):
    found = re.fullmatch(r".*/checkpoint-(\d+)\.hdf5", path)
    return int(found[1]) if found else None


def newest_promised(records, before):
    """The newest checkpoint that is saved: renamed, and the folder synced after it."""
    steps = [saved_step(p) for p in before]
    renamed, promised, folders = [], max([s for s in steps if s is not None], default=None), {}
    for r in records:
        if r.what == "O":
            folders[r.process, r.fd] = r.path
        if r.what == "R" and saved_step(r.more.decode()) is not None:
            renamed.append(saved_step(r.more.decode()))
        if r.what == "S" and renamed and folders.get((r.process, r.fd), "").endswith("/x"):
            promised, renamed = renamed[-1], []
    return promised


def replay(before, records, root):
    disk = Disk(root)
    disk.names = {p: f and File(f.durable) for p, f in before.items()}
    disk.durable = dict(disk.names)
    for r in records:
        disk.take(r)
    return disk


def try_once(bench, scenario, chance, whole, hash_, same_bytes):
    """A word for what happened; raises AssertionError. Several ranks lay the same
    values out otherwise in a file."""
    before, records, _ = scenario
    n = chance.randrange(1, len(records) + 1)
    promised = newest_promised(records[:n], before.names)
    bench.clear()
    disk = replay(before.names, records[:n], bench.work)
    disk.write_out(chance, bench.work)
    for words in (["info", "x"], ["extract", "x"]):
        done = bench.call(words)
        assert done.returncode in (0, 2, 3), "%s: code %d\n%s" % (words, done.returncode, done.stderr)
    done = bench.call(["resume", "x", "--quiet"])
    if done.returncode != 0 and promised is None:
        assert done.returncode == 2, done.stderr
        done = bench.call([*bench.run, "--force"])
        word = "began anew"
    else:
        word = "resumed"
    assert done.returncode == 0, "after %d records, step %s saved: %s" % (n, promised, done.stderr)
    assert done.stdout == hash_, "other hash"
    found = bench.results(bench.out)
    assert sorted(found) == sorted(whole), "files: %s" % (set(found) ^ set(whole))
    other = [k for k in whole if same_bytes and found[k] != whole[k]]
    assert not other, "other bytes: %s" % other
    return word


def make_scenarios(bench, ranks):
    """A run, what goes on from its middle, and a run on two ranks."""
    run = bench.record(bench.run)
    whole, hash_ = bench.results(bench.out), run[2]
    half = bench.root / "half"
    max(bench.out.glob("checkpoint-*")).unlink()
    (bench.out / "finished.txt").unlink()
    shutil.copytree(bench.out, half)
    resume = bench.record(["resume", "x", "--quiet"], with_=half)
    scenarios = {"run": run, "resume": resume}
    if ranks:
        scenarios["two ranks"] = bench.record(bench.run, 2)
    return scenarios, whole, hash_


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scree")
    parser.add_argument("shim")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ranks", action="store_true", help="of two ranks too")
    return parser.parse_args()


def main():
    given = parse()
    os.environ.update(MANY_RANKS, OMP_NUM_THREADS="1")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    root = Path(tempfile.mkdtemp(prefix="scree-power-", dir=memory))
    counts, wrong = Counter(), 0
    try:
        bench = Bench(os.path.abspath(given.scree), os.path.abspath(given.shim), root)
        scenarios, whole, hash_ = make_scenarios(bench, given.ranks)
        for name, scenario in scenarios.items():
            print("%s: %d records" % (name, len(scenario[1])))
        for k in range(given.trials):
            chance = random.Random(given.seed * 1000003 + k)
            name = chance.choice(list(scenarios))
            try:
                counts[name, try_once(bench, scenarios[name], chance, whole, hash_,
                                      name != "two ranks")] += 1
            except AssertionError as why:
                wrong += 1
                print("WRONG: trial %d of %s, seed %d: %s" % (k, name, given.seed, why), flush=True)
    finally:
        shutil.rmtree(root)
    for (name, word), n in sorted(counts.items()):
        print("%s: %d %s" % (name, n, word))
    print("%d losses of power, %d wrong" % (given.trials, wrong))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
