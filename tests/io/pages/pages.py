"""What pages say is there: each block of a language that runs is run by a test or says why
not, cases in YAML are accepted, commands, options and keys exist, and so do files.

    pages.py SCREE SOURCE --run PAGE.md ...
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import SCREE, InFolder  # noqa: E402

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
at = sys.argv.index("--run")
RUN, sys.argv[at:] = sys.argv[at + 1:], []
PAGES = sorted(path for path in SOURCE.rglob("*.md")
               if not re.match(r"build|out|\.", path.relative_to(SOURCE).parts[0]))
ROOMS = ("cases", "contact", "engine", "io", "solvers", "tests")
# Around a part of a case, so that it is a whole one.
WHOLE = {"time": {"end": 1, "step": 0.01},
         "materials": [{"name": "a", "density": 1}],
         "bodies": [{"sphere": {"position": [0, 0, 1]}, "radius": 0.1}]}


def name_of(page):
    return str(page.relative_to(SOURCE))


def blocks(page):
    """(language, reason, text) of each fenced block."""
    for found in re.finditer(r"^```(\w*)([^\n]*)\n(.*?)^```$", page.read_text(), re.M | re.S):
        yield found.group(1), found.group(2).strip(), found.group(3)


def code(page):
    """Inline code, and the lines of blocks of sh."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
    yield from (" ".join(x.split()) for x in re.findall(r"`([^`]+)`", text))
    for language, _, block in blocks(page):
        if language == "sh":
            yield from (line.split("  #")[0] for line in block.splitlines())


class Pages(InFolder):
    @classmethod
    def setUpClass(cls):
        ask = ["help", "--words"]
        cls.commands = cls.words(*ask, "commands")
        cls.options = {c: cls.words(*ask, "options", c) for c in cls.commands}
        cls.keys = {re.sub(r"\[0\]", "", key) for key in cls.words(*ask, "keys")}

    @staticmethod
    def words(*arguments):
        return subprocess.run([SCREE, *arguments], check=True, capture_output=True,
                              text=True).stdout.split()

    def test_pages__are_many(self):
        self.assertGreater(len(PAGES), 10)

    def test_blocks__run_by_a_test_or_say_why_not(self):
        for page in PAGES:
            for language, reason, _ in blocks(page):
                if language in ("sh", "python", "bash", "console", "c"):
                    self.assertTrue(name_of(page) in RUN or re.match("not run: .", reason),
                                    "%s: a block of %s is run by no test" % (page, language))

    def test_yaml__is_part_of_a_case(self):
        """Files that it names need not be there."""
        n = 0
        for page in PAGES:
            for language, _, text in blocks(page):
                if language != "yaml":
                    continue
                sections = re.findall(r"^(\w+):", text, re.M)
                whole = "".join("%s: %s\n" % (key, json.dumps(value))
                                for key, value in WHOLE.items() if key not in sections)
                case = pathlib.Path(self.path("case.yaml"))
                case.write_text(whole + text)
                done = subprocess.run([SCREE, "check", case], text=True,
                                      capture_output=True)
                for said in re.findall(r"^scree: (.*)", done.stderr, re.M):
                    self.assertRegex(said, "No such file", name_of(page))
                n += 1
        self.assertGreater(n, 1)

    def test_commands__command_and_options_are_known(self):
        n = 0
        for page in PAGES:
            for line in code(page):
                for found in re.finditer(r"^(?:(?:mpirun|srun) .*?)?(?:build/)?scree ([-a-z].*)",
                                         line):
                    words = found.group(1).split()
                    n += 1
                    if words[0] in ("--version", "--help"):
                        continue
                    self.assertIn(words[0], self.commands, "%s: %s" % (name_of(page), line))
                    for option in re.findall(r"(?<=\s)--[a-z-]+", found.group(1)):
                        self.assertIn(option, self.options[words[0]],
                                      "%s: %s" % (name_of(page), line))
        self.assertGreater(n, 50)

    def test_settings__keys_are_known(self):
        n = 0
        for page in PAGES:
            for line in code(page):
                for key in re.findall(r"--set '?([a-z_.\[\]0-9]+)\+?=", line):
                    self.assertIn(re.sub(r"\[\d+\]", "", key), self.keys,
                                  "%s: %s" % (name_of(page), line))
                    n += 1
        self.assertGreater(n, 5)

    def test_files__are_there(self):
        """Of the project, named with their folder from its root."""
        n = 0
        for page in PAGES:
            if page.name == "CHANGELOG.md":
                continue  # it tells of files that went
            for line in code(page):
                found = re.match(r"((?:%s)/[\w./-]*\w)$" % "|".join(ROOMS), line)
                if found:
                    path = SOURCE / found.group(1)
                    self.assertTrue(path.exists() or path.with_suffix(".c").exists(),
                                    "%s: %s" % (name_of(page), line))
                    n += 1
        self.assertGreater(n, 30)

    def test_links__lead_somewhere(self):
        n = 0
        for page in PAGES:
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
                self.assertTrue((page.parent / target).exists(), "%s: %s" % (name_of(page), target))
                n += 1
        self.assertGreater(n, 50)


if __name__ == "__main__":
    unittest.main()
