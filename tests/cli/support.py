"""What every test of the command line needs: a folder of its own and a way to run gpulint in it."""
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile
import unittest

GPULINT = os.environ["GPULINT"]
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent

# A pod as it should be but for one error (duplicate-key) at 10:7, with an unsafe fix.
BROKEN_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers:
  - name: main
    image: train:1.0
    resources:
      limits: {nvidia.com/gpu: 2}
      limits: {nvidia.com/gpu: 1}
"""
GOOD_POD = BROKEN_POD.replace("      limits: {nvidia.com/gpu: 2}\n", "", 1)
# One warning (unused-suppression) at the end of line 1, with a safe fix.
WARNED_POD = GOOD_POD.replace("apiVersion: v1\n", "apiVersion: v1  # gpulint: ignore[yaml-syntax] x\n")


def without_summary(text):
    return re.sub(r"gpulint: (read: (\d|neither)|\d+ workloads? (was|were) not compared with any nodes: ).*\r?\n", "", text)


class Ran:
    """What a run left behind."""

    def __init__(self, process):
        self.status = process.returncode
        self.out = process.stdout
        self.err = process.stderr

    @property
    def trouble(self):
        """Standard error without the lines on what was read and what was not compared with any nodes."""
        return without_summary(self.err)

    def json(self):
        return json.loads(self.out)

    def ids(self):
        return [finding["id"] for finding in self.json()["diagnostics"]]

    def __repr__(self):
        return f"status {self.status}\n--- out\n{self.out}\n--- err\n{self.err}"


def read_terminal(ours, theirs, process):
    """What the process prints on the pseudo-terminal; closes both ends. What a program printed last is lost where nobody
    else holds its end, so `theirs` stays open until all is read."""
    text = b""
    while True:
        has_left = process.poll() is not None
        if select.select([ours], [], [], 0.1)[0]:
            text += os.read(ours, 65536)
        elif has_left:
            break
    os.close(theirs)
    os.close(ours)
    return text.decode()


class Case(unittest.TestCase):
    """A test in a temporary folder outside of every repository."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gpulint-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, name):
        return (self.folder / name).read_text()

    def run_gpulint(self, *words, stdin="", folder=None, user=None, **environment):
        variables = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "0"}
        process = subprocess.run(
            [GPULINT, *map(os.fspath, words)], cwd=folder or self.folder, input=stdin, text=True,
            capture_output=True, env=variables | environment, timeout=120, check=False, user=user)
        return Ran(process)

    def check(self, *words, **options):
        return self.run_gpulint("check", *words, **options)

    def check_json(self, *words, **options):
        return self.check("--format", "json", *words, **options)

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words],
                       cwd=self.folder, check=True, capture_output=True)

    def commit_all(self):
        self.git("init", "-q", ".")
        self.git("add", "-A")
        self.git("commit", "-qm", "x")
