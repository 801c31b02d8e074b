"""Whole conversations: commands one after the other in one folder, each with what it prints and its status.

A folder of conversations/ holds the inputs and the file `conversation`: its first lines say what must be true of it, a `$`
line is a command, and below it stand its standard output, its standard error, and `[status N]` unless that is 0.
GPULINT_UPDATE=1 rewrites what the commands print: read the difference against the first lines.
"""
import itertools
import os
import pathlib
import shutil
import subprocess
import unittest

from support import GPULINT, Case

FOLDERS = sorted(path for path in (pathlib.Path(__file__).parent / "conversations").iterdir() if path.is_dir())


class Conversations(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/gpulint").symlink_to(GPULINT)
        self.variables = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                          "HOME": str(self.folder)}

    def answer(self, command, folder):
        ran = subprocess.run(command, shell=True, cwd=folder, env=self.variables, stdin=subprocess.DEVNULL, text=True,
                             capture_output=True, timeout=60, check=False)
        status = f"[status {ran.returncode}]\n" if ran.returncode else ""
        return ran.stdout + ran.stderr + status

    def test_each_is_as_it_is_written(self):
        self.assertGreater(len(FOLDERS), 6)
        for source in FOLDERS:
            folder = self.folder / source.name
            shutil.copytree(source, folder)
            (folder / "conversation").unlink()
            written = (source / "conversation").read_text()
            lines = written.splitlines(keepends=True)
            heard = "".join(itertools.takewhile(lambda line: line.startswith("# "), lines))
            commands = [line for line in lines if line.startswith("$ ")]
            self.assertTrue(heard and commands, source)
            for command in commands:
                heard += "\n" + command + self.answer(command[2:], folder)
            if os.environ.get("GPULINT_UPDATE"):
                (source / "conversation").write_text(heard)
            else:
                with self.subTest(source.name):
                    self.assertEqual(heard, written)


if __name__ == "__main__":
    unittest.main()
