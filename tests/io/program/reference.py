"""The reference that the program gives of itself: scree help, check --all-keys, the JSON
schema, manual pages and completion.

    reference.py SCREE SOURCE
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import jsonschema
import yaml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from in_folder import SCREE, InFolder  # noqa: E402

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None


class Core(yaml.SafeLoader):
    """YAML 1.2's core schema, as editors read it: 1e-3 is a number, on is a text."""


Core.yaml_implicit_resolvers = {}
Core.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("true|false"), "tf")
Core.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"[-+]?\d+$"), "-+0123456789")
Core.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(
    r"[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$"), "-+.0123456789")
Core.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))
Core.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))

BASE = {"time": {"end": 1, "step": 0.01}, "materials": [{"name": "a", "density": 1}],
        "bodies": [{"sphere": {"position": [0, 0, 1]}, "radius": 0.1}]}


def subschemas(schema, path=()):
    """All (path, schema) of properties that have examples."""
    if isinstance(schema, dict):
        if "examples" in schema:
            yield path, schema
        for key, value in schema.items():
            if key not in ("examples", "enum"):
                yield from subschemas(value, path + (key,))
    elif isinstance(schema, list):
        for i, value in enumerate(schema):
            yield from subschemas(value, path + (str(i),))


def paths(value, path=""):
    """All paths of keys; places in lists do not count."""
    if isinstance(value, dict):
        for key, part in value.items():
            longer = path + "." + key if path else key
            yield longer
            yield from paths(part, longer)
    elif isinstance(value, list):
        for part in value:
            yield from paths(part, path)


class Reference(InFolder):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def words(self, *kind):
        return self.scree("help", "--words", *kind).stdout.split()

    def keys(self):
        return [key.replace("[0]", "") for key in self.words("keys")]

    # ---- scree help -----------------------------------------------------------

    def test_help__overview__commands_and_sections(self):
        text = self.scree("help").stdout
        for command in self.words("commands"):
            self.assertIn("\n  %s " % command, text)
        for section in ("bodies", "solver", "parameters"):
            self.assertIn("\n  %s " % section, text)

    def test_help__key__meaning_unit_default_range_example(self):
        text = self.scree("help", "bodies.pour.rate").stdout
        for part in ("enter the region each second", "number > 0 [1/s]", "required",
                     "bodies: [{pour: {rate: 200}}]", "worlds"):
            self.assertIn(part, text)
        self.assertIn("0.85", self.scree("help", "solver.momentum").stdout)

    def test_help__each_key__is_told_of(self):
        whole = self.scree("help", "--all").stdout
        keys = self.keys()
        self.assertGreater(len(keys), 200)
        for key in keys:
            self.assertIn("| `%s` |" % key, whole)
        for row in whole.splitlines():
            if row.startswith("| `"):
                self.assertEqual(len(re.findall(r"(?<!\\)\|", row)), 7, row)

    def test_help__example_as_option__is_accepted(self):
        """What `or` tells is a whole option."""
        pathlib.Path("case.yaml").write_text(json.dumps(BASE))
        for key in ("solver.iterations", "gravity", "bodies.velocity", "checkpoint.every",
                    "outputs.frames.every"):
            option = re.search(r"--set '(.*)'", self.scree("help", key).stdout).group(1)
            self.scree("check", "case.yaml", "--set", option)

    def test_help__key__ready_cases_that_use_it(self):
        """As another reader of YAML finds them; four are named, the others counted."""
        users = {}
        for case in [*(SOURCE / "cases").glob("*.yaml"),
                     *(SOURCE / "cases/rockfall").glob("*.yaml"),
                     *(SOURCE / "cases/tutorial").glob("*.yaml")]:
            for key in paths(yaml.load(case.read_text(), Core)):
                users.setdefault(key, set()).add(str(case.relative_to(SOURCE)))
        several = 0
        for key in sorted(set(self.keys()))[::3]:
            text = re.sub(r"\n {12}", " ", self.scree("help", key).stdout)
            named, count = set(), 0
            for line in re.findall("^  used in   (.*)$", text, re.M):
                more = re.search(r" and (\d+) more$", line)
                cases = set(re.findall(r"cases/[\w/.-]+\.yaml", line))
                self.assertLessEqual(len(cases), 4)
                count += len(cases) + (int(more.group(1)) if more else 0)
                named |= cases
            self.assertEqual(count, len(users.get(key, ())), key)
            self.assertLessEqual(named, users.get(key, set()), key)
            several += len(named) > 1
        self.assertGreater(several, 25)
        self.assertIn("cases/pour.yaml", self.scree("help", "bodies.pour.rate").stdout)

    def test_help__unknown_key__nearest_are_offered(self):
        done = self.scree("help", "bodies.pour.rat", code=2)
        self.assertIn("bodies.pour.rate", done.stderr)
        self.assertIn("solver.iterations", self.scree("help", "iteratons", code=2).stderr)
        self.assertEqual(done.stdout, "")

    def test_help__search__keys_whose_text_has_the_word(self):
        text = self.scree("help", "--search", "RESTITUTION").stdout
        self.assertIn("materials.restitution", text)
        self.assertIn("contact.restitution_speed", text)
        self.assertNotIn("time.end", text)
        self.scree("help", "--search", "xyzzy", code=2)

    def test_help__command__as_its_own_help(self):
        for command in self.words("commands"):
            self.assertEqual(self.scree("help", command).stdout,
                             self.scree(command, "--help").stdout)

    # ---- the JSON schema ------------------------------------------------------

    def validator(self):
        schema = json.loads(self.scree("help", "--json-schema").stdout)
        jsonschema.Draft202012Validator.check_schema(schema)
        return jsonschema.Draft202012Validator(schema)

    def test_schema__all_cases__are_valid(self):
        validator = self.validator()
        cases = sorted(path for path in (SOURCE / "cases").rglob("*.yaml")
                       # Those are no cases; this one's model is of a library.
                       if not {"packaging", "pendulum"} & set(path.parts))
        self.assertGreater(len(cases), 20)
        for case in cases:
            errors = list(validator.iter_errors(yaml.load(case.read_text(), Core)))
            self.assertEqual(errors, [], case)

    def test_schema__broken_cases__are_not(self):
        validator = self.validator()
        self.assertTrue(validator.is_valid(BASE))
        for change in ({"sovler": {}}, {"time": {"end": 1}}, {"time": {"end": -1, "step": 1}},
                       {"gravity": "down"}, {"stepper": "euler"}, {"bodies": []},
                       {"solver": {"momentum": 1}}, {"solver": {"iterations": 1.5}},
                       {"bodies": [{"sphere": {"position": [0, 0, 1]}}]},
                       {"bodies": [{"sphere": {"position": [0, 0, 1]}, "radius": 0}]},
                       {"walls": [{"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]},
                                   "terrain": {"file": "x"}}]},
                       {"outputs": [{"frames": {"fields": ["colour"]}}]},
                       {"model": "belt"}, {"parameters": {"mu": 1}}):
            self.assertFalse(validator.is_valid({**BASE, **change}), change)
        model = {"model": "woodpecker", "time": BASE["time"]}
        self.assertTrue(validator.is_valid(model))
        self.assertFalse(validator.is_valid({**model, "parameters": {"nothing": 1}}))

    def test_schema__examples__are_valid(self):
        schema = json.loads(self.scree("help", "--json-schema").stdout)
        n = 0
        for path, part in subschemas(schema):
            for example in part["examples"]:
                jsonschema.validate(example, part)
                n += 1
        self.assertGreater(n, 200)

    # ---- a case with every key --------------------------------------------------

    def test_all_keys__is_a_case_and_has_every_key(self):
        text = self.scree("check", "--all-keys").stdout
        pathlib.Path("all.yaml").write_text(text)
        self.scree("check", "all.yaml")
        stack, seen = [], set()
        for line in text.splitlines():
            found = re.match(r"#*( *)(- )?([a-z_]+):", line)
            if not found:
                continue
            depth = len(found.group(1)) + len(found.group(2) or "")
            stack = [(d, k) for d, k in stack if d < depth] + [(depth, found.group(3))]
            seen.add(".".join(k for _, k in stack))
        inner = ("radius.", "diameter.", "orientation.", "model")
        missing = [key for key in self.keys() if key not in seen
                   and not any("." + part in "." + key for part in inner)]
        self.assertEqual(missing, [])

    def test_all_keys__without_the_mark__key_is_accepted(self):
        lines = self.scree("check", "--all-keys").stdout.splitlines()
        end = next(i for i, line in enumerate(lines) if "a model by formula" in line)
        tried = 0
        for i, line in enumerate(lines[:end]):
            if re.match(r"#([a-z]+:|    [a-z_]+:) +[^ #]", line) and "planar" not in line:
                parent = next((p for p in reversed(lines[:i]) if re.match(r"#?[a-z]", p)), "")
                if line[1] == " " and parent.startswith("#"):
                    continue  # of a section that is not there
                changed = lines[:i] + [line[1:]] + lines[i + 1:end]
                pathlib.Path("one.yaml").write_text("\n".join(changed) + "\n")
                done = subprocess.run([SCREE, "check", "one.yaml"], capture_output=True, text=True)
                # Alternatives, and what needs a shape of that name, are refused by name.
                if not re.match("#    (shape|orientation):", line):
                    self.assertEqual(done.returncode, 0, line + done.stderr)
                    tried += 1
        self.assertGreater(tried, 15)

    def test_all_keys__with_a_case__refused(self):
        self.scree("check", "x.yaml", "--all-keys", code=2)

    # ---- the manual ---------------------------------------------------------------

    def test_manual__both_pages__render_without_a_warning(self):
        for page in ("scree.1", "scree-case.5"):
            pathlib.Path(page).write_text(self.scree("help", "--man", page).stdout)
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-K", "utf8", page],
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page)
            self.assertGreater(len(done.stdout.splitlines()), 100)
        text = pathlib.Path("scree.1").read_text()
        for command in self.words("commands"):
            self.assertIn(".SS scree %s\n" % command, text)
        self.scree("help", "--man", "scree.2", code=2)

    # ---- completion -----------------------------------------------------------------

    def complete(self, *words):
        pathlib.Path("bin").mkdir(exist_ok=True)
        link = pathlib.Path("bin/scree")
        if not link.exists():
            link.symlink_to(SCREE)
        script = ("source %s; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _scree; "
                  "printf '%%s\\n' \"${COMPREPLY[@]}\"" %
                  (SOURCE / "cases/completion/scree.bash", " ".join("'%s'" % w for w in words)))
        done = subprocess.run(["bash", "-c", "PATH=$PWD/bin:$PATH; " + script],
                              capture_output=True, text=True, check=True)
        return done.stdout.split()

    def test_bash__commands_options_files_keys(self):
        pathlib.Path("my.yaml").touch()
        pathlib.Path("notes.txt").touch()
        pathlib.Path("folder").mkdir()
        self.assertEqual(self.complete("scree", "re"), ["resume", "render", "report"])
        self.assertEqual(self.complete("scree", "run", "--th"), ["--threads"])
        self.assertEqual(self.complete("scree", "run", "--ma"),
                         ["--max-walltime", "--max-silence"])
        self.assertEqual(sorted(self.complete("scree", "run", "")), ["bin/", "folder/", "my.yaml"])
        self.assertEqual(self.complete("scree", "run", "my.yaml", "--set", "bodies.pour.ra"),
                         ["bodies.pour.rate="])
        self.assertEqual(self.complete("scree", "help", "solver.mo"), ["solver.momentum"])
        self.assertEqual(self.complete("scree", "new", "h"), ["hopper"])
        self.assertIn("notes.txt", self.complete("scree", "info", ""))
        self.assertEqual(self.complete("scree", "run", "my.yaml", "--set", "seed", "="), [])

    def test_zsh__script__is_one(self):
        if not shutil.which("zsh"):
            self.skipTest("zsh is not installed")
        subprocess.run(["zsh", "-n", SOURCE / "cases/completion/_scree"], check=True)

    def test_options__of_each_command__are_taken(self):
        """What completion offers, the command knows: it never says `unknown option`."""
        for command in self.words("commands"):
            for option in self.words("options", command):
                if option == "--help":
                    continue
                done = subprocess.run([SCREE, command, option], capture_output=True, text=True,
                                      stdin=subprocess.DEVNULL, timeout=60)
                self.assertNotIn("unknown option", done.stderr, (command, option))

    # ---- scree new --------------------------------------------------------------------

    def test_new__alone__lists_what_it_can_write(self):
        names = re.findall(r"^  ([a-z]+) +\S", self.scree("new").stdout, re.M)
        self.assertEqual(names, ["column", "drum", "hopper", "model", "rockfall"])

    def test_new__each_template__passes_check_and_runs(self):
        for name in re.findall(r"^  ([a-z]+) ", self.scree("new").stdout, re.M):
            self.scree("new", name, "my-%s.yaml" % name)
            text = pathlib.Path("my-%s.yaml" % name).read_text()
            self.assertIn("#", text)
            step = re.search(r"step: ([0-9.e-]+)", text).group(1)
            checked = self.scree("check", "my-%s.yaml" % name)
            self.assertNotRegex(checked.stderr, "(?m)^(warning|error)")
            self.assertIn('name: "my-%s"' % name, checked.stdout)
            self.scree("run", "my-%s.yaml" % name, "--quiet", "--set",
                       "time.end=%g" % (20 * float(step)))
            self.assertTrue(list(pathlib.Path("out/my-%s" % name).iterdir()))

    def test_new__file_is_there__not_replaced(self):
        pathlib.Path("my.yaml").write_text("mine")
        done = self.scree("new", "drum", "my.yaml", code=2)
        self.assertIn("nothing is replaced", done.stderr)
        self.assertEqual(pathlib.Path("my.yaml").read_text(), "mine")
        pathlib.Path("link.yaml").symlink_to("nowhere.yaml")
        self.scree("new", "drum", "link.yaml", code=2)
        self.assertFalse(pathlib.Path("nowhere.yaml").exists())

    def test_new__unknown_template__nearest_is_offered(self):
        self.assertIn("did you mean 'hopper'?", self.scree("new", "hoper", "a.yaml", code=2).stderr)
        self.assertFalse(pathlib.Path("a.yaml").exists())
        self.scree("new", "../../scree/templates/drum", "a.yaml", code=2)
        self.scree("new", "drum", code=2)
        self.scree("new", "drum", "no/such/folder.yaml", code=3)


if __name__ == "__main__":
    unittest.main()
