#!/usr/bin/env python3
"""The structs of io/python/scree/layout.py are those of the headers: sizes and offsets,
as a C compiler has them.

    tests/io/python_layout.py SOURCE_DIR C_COMPILER
"""
import ctypes
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path


def load_layout(root):
    spec = importlib.util.spec_from_file_location("layout", root / "io/python/scree/layout.py")
    layout = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(layout)
    return layout


def member_of(name):
    return "from" if name == "from_" else name


def program_for(structs):
    lines = ["#include <scree_case.h>", "#include <scree_forces.h>", "#include <stddef.h>", "#include <stdio.h>",
             "int main(void) {"]
    for kind in structs:
        name = kind.__name__
        lines.append('printf("%s %%zu\\n", sizeof(%s));' % (name, name))
        for member, _ in kind._fields_:
            lines.append('printf("%s.%s %%zu %%zu\\n", offsetof(%s, %s), sizeof((%s){0}.%s));' % (
                name, member, name, member_of(member), name, member_of(member)))
    return "\n".join(lines + ["return 0;", "}", ""])


def expected_of(structs):
    for kind in structs:
        yield "%s %d" % (kind.__name__, ctypes.sizeof(kind))
        for member, type_ in kind._fields_:
            yield "%s.%s %d %d" % (kind.__name__, member, getattr(kind, member).offset,
                                   ctypes.sizeof(type_))


def main(root, compiler):
    root = Path(root)
    structs = load_layout(root).ALL
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "layout.c")
        source.write_text(program_for(structs))
        program = Path(folder, "layout")
        subprocess.run([compiler, "-I", root / "engine", "-I", root / "io", source,
                        "-o", program], check=True)
        found = subprocess.run([program], check=True, capture_output=True,
                               text=True).stdout.splitlines()
    wrong = [pair for pair in zip(expected_of(structs), found) if pair[0] != pair[1]]
    for python, c in wrong:
        print("python has %s, C has %s" % (python, c))
    print("%d structs, %d lines, %d differ" % (len(structs), len(found), len(wrong)))
    return bool(wrong) or len(structs) < 15


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
