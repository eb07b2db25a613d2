#!/usr/bin/env python3
"""The Spack recipe and the container file say what CMakeLists.txt knows. Spack itself is
not asked: its directives are stood in for, and the recipe is carried out with them.

    tests/io/recipes.py SOURCE_DIR
"""
import re
import sys
import types
import unittest
from pathlib import Path

ROOT = Path(sys.argv[1])
PACKAGING = ROOT / "cases" / "packaging"


def known_options():
    """Names that the build's own files take with -D."""
    files = [ROOT / "CMakeLists.txt", *ROOT.glob("*/*.cmake"), *ROOT.glob("*/*/*.cmake")]
    text = "\n".join(path.read_text() for path in files)
    found = set(re.findall(r"^\s*option\((\w+)", text, re.M))
    found |= set(re.findall(r"^\s*set\((\w+) [^)]*CACHE", text, re.M))
    return found | {name for name in ("HDF5_ROOT", "Zoltan_ROOT") if name in text}


class Spec:
    """A spec with these variants."""

    def __init__(self, *variants):
        self.variants = variants

    def satisfies(self, variant):
        return variant in self.variants

    def __getitem__(self, name):
        return types.SimpleNamespace(prefix="/" + name)


class Base:
    """What a recipe inherits."""

    def define(self, name, value):
        return name, value

    def define_from_variant(self, name, variant):
        return name, self.spec.satisfies("+" + variant)


def load_recipe():
    told = []

    def directive(kind):
        return lambda *words, **more: told.append((kind, words, more))
    spack, package = types.ModuleType("spack"), types.ModuleType("spack.package")
    package.CMakePackage = Base
    for kind in ("license", "version", "variant", "depends_on", "conflicts"):
        setattr(package, kind, directive(kind))
    sys.modules.update({"spack": spack, "spack.package": package})
    path = PACKAGING / "spack/packages/scree/package.py"
    names = {"__file__": str(path)}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names["Scree"], told


class Packaging(unittest.TestCase):
    def test_spack__options_are_known(self):
        recipe, told = load_recipe()
        variants = [words[0] for kind, words, _ in told if kind == "variant"]
        self.assertEqual(sorted(variants), ["catalyst", "mpi", "shared"])
        for chosen in ([], ["+mpi"], ["+mpi", "+shared", "+catalyst"]):
            package = recipe()
            package.spec = Spec(*chosen)
            given = dict(package.cmake_args())
            self.assertEqual(set(given) - known_options(), set())
            self.assertEqual(given["SCREE_MPI"], "+mpi" in chosen)
            self.assertEqual(given["BUILD_SHARED_LIBS"], "+shared" in chosen)

    def test_spack__wants_what_the_build_looks_for(self):
        recipe, told = load_recipe()
        wanted = {re.split("[@+~]", words[0])[0] for kind, words, _ in told
                  if kind == "depends_on"}
        self.assertLessEqual({"libyaml", "qhull", "suite-sparse", "hdf5", "mpi", "zoltan"}, wanted)
        self.assertEqual(Path(recipe.git.replace("file://", "")).resolve(), ROOT.resolve())
        least = re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)\)",
                          (ROOT / "CMakeLists.txt").read_text()).group(1)
        self.assertIn(("cmake@%s:" % least,), [words for _, words, _ in told])

    def test_container__names_what_is_there(self):
        text = (PACKAGING / "Containerfile").read_text()
        self.assertEqual(set(re.findall(r"-D(\w+)=", text)) - known_options(), set())
        presets = (ROOT / "CMakePresets.json").read_text()
        for preset in re.findall(r"--preset (\w+)", text):
            self.assertIn('"name": "%s"' % preset, presets)
        self.assertIn("build_packages=(", (ROOT / "cases/packages.sh").read_text())

    def test_readme__options_are_known(self):
        text = (PACKAGING / "README.md").read_text()
        named = set(re.findall(r"`(?:-D)?((?:SCREE|BUILD|HDF5|Zoltan)_\w+)", text))
        self.assertGreaterEqual(len(named), 5)
        self.assertEqual(named - known_options(), set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
