"""Runs the commands of a page: every fenced block of sh or python, in order, in a copy of
the page's folder, with the program first on the path.

    snippets.py SCREE PAGE.md [--link] [--least N]

A block that is not to run says why behind its language: ```sh not run: needs root. Other
languages are for reading. --link: the folder is large, its entries are linked, not copied.
--least: so many blocks must have run, so that a page whose fences changed does not pass.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from open_mpi import MANY_RANKS  # noqa: E402

RUNNERS = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}
SECONDS = 300  # of a block


def blocks(page):
    """(line, language, reason not to run, text) of each fenced block."""
    found, start = [], None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = re.match(r"```(.*)$", line)
        if fence and start is None:
            words = fence.group(1).split(None, 1)
            start = (number, words[0] if words else "", words[1] if len(words) > 1 else "")
            text = []
        elif fence:
            found.append((*start, "\n".join(text)))
            start = None
        elif start:
            text.append(line)
    if start:
        sys.exit("%s:%d: the block has no end" % (page, start[0]))
    return found


def fill(folder, page, link):
    for entry in page.parent.iterdir():
        if entry.name.startswith(".") or entry.name == "out":
            continue
        if link:
            (folder / entry.name).symlink_to(entry)
        elif entry.is_dir():
            shutil.copytree(entry, folder / entry.name)
        else:
            shutil.copy2(entry, folder / entry.name)


def environment(scree):
    """Tests run beside each other: one thread each."""
    return {**os.environ, "PATH": "%s:%s" % (pathlib.Path(scree).parent, os.environ["PATH"]),
            **MANY_RANKS, "OMPI_MCA_hwloc_base_binding_policy": "none",
            "MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}


def run(page, scree, folder):
    n = 0
    for line, language, reason, text in blocks(page):
        if language not in RUNNERS:
            continue
        if reason:
            if not re.match("not run: .", reason):
                sys.exit("%s:%d: say '```%s not run: WHY', not '%s'" %
                         (page, line, language, reason))
            print("%s:%d: %s" % (page.name, line, reason))
            continue
        done = subprocess.run(RUNNERS[language] + [text], cwd=folder, env=environment(scree),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=SECONDS)
        if done.returncode:
            sys.exit("%s:%d: exit code %d of\n%s\n%s" %
                     (page, line, done.returncode, text, done.stdout))
        print("%s:%d: ok" % (page.name, line))
        n += 1
    return n


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scree", type=os.path.abspath)
    parser.add_argument("page", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--link", action="store_true")
    parser.add_argument("--least", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scree-page-") as folder:
        fill(pathlib.Path(folder), given.page, given.link)
        n = run(given.page, given.scree, folder)
    if n < given.least:
        sys.exit("%s: %d blocks ran, not %d" % (given.page, n, given.least))


main()
