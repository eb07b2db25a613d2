"""What tests of the program on several ranks share."""
import os
import signal
import subprocess
import sys
import time

import h5py

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "io"))
from in_folder import SCREE, InFolder  # noqa: E402
from open_mpi import MANY_RANKS, MPIRUN  # noqa: E402

os.environ.update(MANY_RANKS, OMP_NUM_THREADS="1")

PATIENCE = 200  # [s] that no run needs, even beside others: after that it hangs


def line(ranks, *arguments):
    start = [MPIRUN, "-np", str(ranks)] if ranks else []
    return [*start, SCREE, *arguments]


class InRanks(InFolder):
    # Memory where there is such a folder: runs sync what they write.
    root = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

    def ranks(self, ranks, *arguments, code=0):
        """Runs the program to its end; 0 ranks: without mpirun. Any exit code will
        do with None."""
        done = subprocess.run(line(ranks, *arguments), cwd=self.folder, text=True,
                              capture_output=True, timeout=PATIENCE)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def start_ranks(self, ranks, *arguments):
        """In the background; whoever is left ends with the test."""
        process = subprocess.Popen(line(ranks, *arguments), cwd=self.folder,
                                   text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        for pid in self.pids(process):
            os.kill(pid, signal.SIGKILL)
        process.kill()
        process.communicate()

    def pids(self, process):
        """Of the ranks, in their order."""
        path = "/proc/%d/task/%d/children" % (process.pid, process.pid)
        if not os.path.exists(path):
            return []
        with open(path) as file:
            return sorted(map(int, file.read().split()))

    def wait_for(self, what, seconds=PATIENCE):
        give_up = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.02)

    def steps(self, folder):
        """Of the checkpoints in a folder, ascending."""
        if not os.path.isdir(self.path(folder)):
            return []
        return sorted(int(name[11:23]) for name in os.listdir(self.path(folder))
                      if name.startswith("checkpoint-") and name.endswith(".hdf5"))

    def checkpoint(self, folder, step=None):
        step = self.steps(folder)[-1] if step is None else step
        return self.path(folder, "checkpoint-%012d.hdf5" % step)

    def state(self, folder, step=None):
        """All arrays of a checkpoint, the newest one, by name."""
        arrays = {}

        def keep(name, item):
            if isinstance(item, h5py.Dataset):
                arrays[name] = item[()]
        with h5py.File(self.checkpoint(folder, step)) as file:
            file["state"].visititems(keep)
        return arrays

    def hash_of(self, done):
        self.assertEqual(done.stdout.count("state hash: "), 1, done.stdout)
        return done.stdout.split("state hash: ")[1].split()[0]
