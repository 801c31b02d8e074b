"""Environments and programs from registries, made once and kept in GPULINT_WORK."""
import fcntl
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from support import SOURCE

WORK = pathlib.Path(os.environ["GPULINT_WORK"])
WORK.mkdir(parents=True, exist_ok=True)
VERSION = next(line.split("VERSION ")[1].split()[0]
               for line in (SOURCE / "CMakeLists.txt").read_text().splitlines()
               if line.startswith("project(gpulint"))
# With the commit where it was built from a clone.
VERSION_LINE = rf"\Agpulint {VERSION}( \(commit [0-9a-f]+ of [0-9-]+\))?\n\Z"


class Lock:
    """Lets one test at a time make something in WORK."""

    def __enter__(self):
        self.file = open(WORK / "lock", "w")
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def __exit__(self, *_):
        self.file.close()


def run(*words, **options):
    """Runs a program; its output is shown where it fails."""
    options = {"capture_output": True, "text": True, "timeout": 3400} | options
    process = subprocess.run([os.fspath(word) for word in words], check=False, **options)
    if process.returncode != 0:
        raise AssertionError(f"{words} left with {process.returncode}:\n{process.stdout}\n{process.stderr}")
    return process.stdout


@functools.cache
def registry_answers():
    try:
        ran = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest",
                              WORK / "probe", "packaging"], capture_output=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        return False
    return ran.returncode == 0


def needs_registry(test):
    return unittest.skipUnless(registry_answers(), "the Python package registry is out of reach")(test)


def environment(name):
    """The bin folder of a virtual environment with the packages of ci/requirements/tools.txt."""
    folder = WORK / f"venv-{name}"
    with Lock():
        if not (folder / "done").exists():
            shutil.rmtree(folder, ignore_errors=True)
            run(sys.executable, "-m", "venv", folder)
            run(folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
                "-r", SOURCE / "ci/requirements/tools.txt")
            (folder / "done").touch()
    return folder / "bin"


def snapshot(folder):
    """A repository of its own with the sources as they are now, committed."""
    names = run("git", "-C", SOURCE, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, names.split("\0")):
        if (SOURCE / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(SOURCE / name, folder / name)
    run("git", "-C", folder, "init", "-q")
    run("git", "-C", folder, "add", "-A")
    commit(folder, "snapshot")
    return folder


def commit(folder, message, check=True):
    """Commits what is staged, hooks included; returns the process."""
    process = subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "-C", folder, "commit",
                              "-qm", message], capture_output=True, text=True, timeout=1800, check=False)
    if check and process.returncode != 0:
        raise AssertionError(process.stdout + process.stderr)
    return process


def build_variables():
    """Lets builds of the same sources in different places share what they compiled, where ccache is."""
    if shutil.which("ccache") is None:
        return dict(os.environ)
    return dict(os.environ) | {
        "CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "SKBUILD_BUILD_DIR": "build/wheel",
        "CCACHE_DIR": os.environ.get("CCACHE_DIR", str(WORK / "ccache")),
        "CCACHE_BASEDIR": str(WORK), "CCACHE_NOHASHDIR": "1"}


def wheel():
    """The wheel of the sources as they are now, built by pip as for a release."""
    folder = WORK / "wheel"
    stamp = folder / "stamp"
    names = run("git", "-C", SOURCE, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    state = "\n".join(f"{name} {(SOURCE / name).stat().st_mtime_ns}" for name in names.split("\0")
                      if name and (SOURCE / name).is_file())
    with Lock():
        if not stamp.exists() or stamp.read_text() != state:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.rmtree(WORK / "sources", ignore_errors=True)
            sources = snapshot(WORK / "sources")
            run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder,
                sources, env=build_variables())
            stamp.write_text(state)
    return next(folder.glob("gpulint-*.whl"))
