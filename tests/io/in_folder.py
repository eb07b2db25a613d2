"""What tests of the program share: each test has a folder of its own, and scree
runs in there. The program is the first argument of the script."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SCREE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "scree"


class InFolder(unittest.TestCase):
    root = None  # where the folders are made, None: where temporary files are

    def setUp(self):
        self.folder = os.path.realpath(
            tempfile.mkdtemp(prefix="scree-test-", dir=self.root))
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def scree(self, *arguments, code=0, **options):
        """Runs the program; any exit code will do with None."""
        options = {"cwd": self.folder, "capture_output": True, "text": True,
                   "timeout": 300, **options}
        done = subprocess.run([SCREE, *arguments], **options)
        if code is not None:
            self.assertEqual(done.returncode, code,
                             "%s\n%s" % (done.stdout, done.stderr))
        return done

    def start(self, *arguments, **options):
        """The program in the background; it ends with the test."""
        process = subprocess.Popen(
            [SCREE, *arguments],
            **{"cwd": self.folder, "stdout": subprocess.PIPE,
               "stderr": subprocess.PIPE, "text": True, **options})
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process
