"""Installs validators from PyPI and npm into a folder, for the check_*.py scripts beside this file."""
import pathlib
import subprocess
import sys

REQUIREMENTS = str(pathlib.Path(__file__).resolve().parent / "requirements/tools.txt")


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def install(folder, python=(), node=()):
    """Adds what is missing. Returns why that cannot be done, or None."""
    folder.mkdir(parents=True, exist_ok=True)
    steps = []
    if not (folder / "venv/bin/pip").exists():
        steps.append([sys.executable, "-m", "venv", "venv"])
    missing = [name for name in python if not list(folder.glob(f"venv/lib/*/site-packages/{name.replace('-', '_')}"))]
    if missing:
        steps.append(["venv/bin/pip", "install", "--quiet", "--require-hashes", "-r", REQUIREMENTS])
    missing = [name for name in node if not (folder / "node_modules" / name).exists()]
    if missing:
        steps.append(["npm", "install", "--silent", "--no-save", *missing])
    for step in steps:
        try:
            result = run(*step, cwd=folder, timeout=300)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{step[0]}: {error}"
        if result.returncode != 0:
            return f"{' '.join(step)}: {(result.stderr or result.stdout).strip()[-300:]}"
    return None
