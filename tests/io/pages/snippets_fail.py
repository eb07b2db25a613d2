"""snippets.py itself: a page with a command that fails does not pass.

    snippets_fail.py PYTHON
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PYTHON = sys.argv.pop(1) if len(sys.argv) > 1 else sys.executable
SCRIPT = pathlib.Path(__file__).with_name("snippets.py")


class Snippets(unittest.TestCase):
    def run_page(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.md")
            page.write_text(text)
            pathlib.Path(folder, "beside.txt").write_text("beside\n")
            return subprocess.run([PYTHON, SCRIPT, "/bin/true", page, *options],
                                  capture_output=True, text=True)

    def test_blocks__run_in_order_in_one_folder(self):
        done = self.run_page("```sh\ngrep beside beside.txt >a\n```\n"
                             "```python\nassert open('a').read() == 'beside\\n'\n```\n", "--least", "2")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_command__fails__is_named_with_its_line(self):
        done = self.run_page("text\n\n```sh\nfalse\necho after\n```\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("page.md:3: exit code 1", done.stderr)
        self.assertEqual(self.run_page("```sh\nfalse | true\n```\n").returncode, 1)
        self.assertEqual(self.run_page("```python\n1 / 0\n```\n").returncode, 1)

    def test_block__not_run__only_with_a_reason(self):
        text = "```sh not run: needs root\nfalse\n```\n```sh\ntrue\n```\n"
        self.assertEqual(self.run_page(text).returncode, 0)
        self.assertEqual(self.run_page("```sh later\nfalse\n```\n").returncode, 1)

    def test_page__without_blocks_or_end__does_not_pass(self):
        self.assertEqual(self.run_page("no commands\n").returncode, 1)
        self.assertEqual(self.run_page("```sh\ntrue\n").returncode, 1)
        self.assertEqual(self.run_page("```yaml\na: b\n```\n").returncode, 1)


if __name__ == "__main__":
    unittest.main()
