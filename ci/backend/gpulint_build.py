"""How pip makes gpulint's wheel, for `pip install`, pipx and pre-commit: it takes the wheel of the release where these sources
are exactly what that was made of, and compiles them (scikit-build-core) where they are not.

Run as a program it says which of both it is. With `gpulint-render FOLDER` it puts the renderer of that release into the folder, or
exits with 1 if there is none. GPULINT_WHEELS: a folder or address that has the wheels and their SHA256SUMS;
`none`: always compile. By default the release of this version in the repository that was cloned.
"""
import functools
import hashlib
import io
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKBUILD = ["scikit-build-core>=0.10"]


def git(*words):
    ran = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
    return ran.stdout.strip() if ran.returncode == 0 else None


def commit():
    """That the sources are of, unchanged; None where that cannot be told."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        return git("rev-parse", "HEAD") if git("diff", "--name-only", "HEAD") == "" else None
    words = (ROOT / "cmake/commit.txt").read_text().split()
    return words[0] if words and re.fullmatch("[0-9a-f]{40}", words[0]) else None


def version():
    return re.search(r"project\(gpulint VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def place():
    """Where the wheels are; None: nowhere."""
    given = os.environ.get("GPULINT_WHEELS")
    if given:
        return None if given == "none" else given if "://" in given else pathlib.Path(given).resolve().as_uri()
    home = os.environ.get("GPULINT_HOMEPAGE") or (shutil.which("git") and git("remote", "get-url", "origin")) or ""
    match = re.fullmatch(r"(?:https://(?:[^/@]*@)?|git@|ssh://git@)github\.com[/:]([\w.-]+/[\w.-]+?)(?:\.git)?", home)
    return match and f"https://github.com/{match[1]}/releases/download/v{version()}"


def fetch(address):
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read()


def is_made_of(wheel, own):
    with zipfile.ZipFile(io.BytesIO(wheel)) as files:
        name = next(name for name in files.namelist() if "/sboms/gpulint" in name)
        return json.loads(files.read(name))["packages"][0]["sourceInfo"] == f"commit {own}"


@functools.lru_cache(maxsize=None)
def released(package="gpulint"):
    """Name and bytes of the package's wheel, or None and why there is none."""
    own, base = commit(), place()
    machine = platform.machine()
    if sys.platform != "linux":
        return None, f"releases have no wheel for {sys.platform}"
    if os.environ.get("GPULINT_WHEELS") == "none":
        return None, "GPULINT_WHEELS is none"
    if own is None:
        return None, "the sources differ from their commit, or the commit is unknown"
    if base is None:
        return None, "the sources do not come from a repository on GitHub"
    name = f"{package}-{version()}-py3-none-manylinux_2_17_{machine}.manylinux2014_{machine}.musllinux_1_1_{machine}.whl"
    try:
        sums = fetch(f"{base}/SHA256SUMS").decode()
        if f"  {name}\n" not in sums:
            return None, f"{base} has no wheel for {machine}"
        wheel = fetch(f"{base}/{name}")
        if f"{hashlib.sha256(wheel).hexdigest()}  {name}\n" not in sums:
            return None, f"{base}/{name} is not what its SHA256SUMS says"
        return (name, wheel) if is_made_of(wheel, own) else (None, f"{base}/{name} is of another commit")
    except (OSError, urllib.error.URLError) as error:
        return None, f"{base}: {error}"


def decision():
    name, more = released()
    return f"gpulint: takes {place()}/{name}" if name else f"gpulint: compiles its sources, which takes minutes: {more}"


def get_requires_for_build_wheel(config_settings=None):
    print(decision(), flush=True)
    if released()[0]:
        return []
    missing = [name for name in ("cmake>=3.23", "ninja") if shutil.which(name.split(">")[0]) is None]
    return SKBUILD + missing


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name, wheel = released()
    if name:
        (pathlib.Path(wheel_directory) / name).write_bytes(wheel)
        return name
    from scikit_build_core import build
    return build.build_wheel(wheel_directory, config_settings, metadata_directory)


def get_requires_for_build_sdist(config_settings=None):
    return SKBUILD


def build_sdist(sdist_directory, config_settings=None):
    from scikit_build_core import build
    return build.build_sdist(sdist_directory, config_settings)


def put_renderer(folder):
    """Whether the release has gpulint-render, which is then in the folder."""
    name, wheel = released("gpulint_render")
    print(f"gpulint-render: takes {place()}/{name}" if name else f"gpulint-render: is compiled: {wheel}")
    if name:
        program = pathlib.Path(folder) / "gpulint-render"
        with zipfile.ZipFile(io.BytesIO(wheel)) as files:
            program.write_bytes(files.read(f"gpulint_render-{version()}.data/scripts/gpulint-render"))
        program.chmod(0o755)
    return name is not None


if __name__ == "__main__":
    if sys.argv[1:2] == ["gpulint-render"]:
        sys.exit(0 if put_renderer(sys.argv[2]) else 1)
    print(decision())
