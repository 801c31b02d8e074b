#!/usr/bin/env python3
"""Packs an installed tree as a wheel: the program, its manual page and completions, and the two names that kubectl looks for.

The program needs no C library, so that the tags name the oldest systems that pip knows: glibc 2.17 and musl 1.1.

usage: wheel.py TREE MACHINE FOLDER, with the environment of ci/release; prints the wheel's name
"""
import base64
import hashlib
import os
import pathlib
import sys
import time
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLATFORMS = ("manylinux_2_17", "manylinux2014", "musllinux_1_1")


def metadata(version):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = ["Metadata-Version: 2.1", "Name: gpulint", f"Version: {version}", f"Summary: {project['description']}",
             f"Home-page: {os.environ['RELEASE_HOME']}", "License: Apache-2.0", f"Keywords: {','.join(project['keywords'])}",
             *(f"Classifier: {each}" for each in project["classifiers"]), f"Requires-Python: {project['requires-python']}",
             "Description-Content-Type: text/markdown", "", (ROOT / "README.md").read_text()]
    return "\n".join(lines)


def contents(tree, version, tags):
    """Names in the wheel with their bytes, the record excepted."""
    info, data = f"gpulint-{version}.dist-info", f"gpulint-{version}.data"
    yield f"{data}/scripts/gpulint", (tree / "bin/gpulint").read_bytes()
    for name in ("kubectl-gpulint", "kubectl_complete-gpulint"):
        yield f"{data}/scripts/{name}", (ROOT / "packaging/kubectl-gpulint").read_bytes()
    for path in sorted((tree / "share").rglob("*")):
        if path.is_file() and "doc" not in path.relative_to(tree).parts:
            yield f"{data}/data/{path.relative_to(tree)}", path.read_bytes()
    doc = tree / "share/doc/gpulint"
    for name in ("LICENSE", "THIRD_PARTY_NOTICES"):
        yield f"{info}/licenses/{name}", (doc / name).read_bytes()
    yield f"{info}/sboms/gpulint.spdx.json", (doc / "gpulint.spdx.json").read_bytes()
    yield f"{info}/METADATA", metadata(version).encode()
    wheel = ["Wheel-Version: 1.0", "Generator: gpulint ci/release", "Root-Is-Purelib: false", *(f"Tag: {tag}" for tag in tags)]
    yield f"{info}/WHEEL", ("\n".join(wheel) + "\n").encode()


def main():
    tree, machine, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    version = os.environ["RELEASE_VERSION"]
    tags = [f"py3-none-{platform}_{machine}" for platform in PLATFORMS]
    path = folder / f"gpulint-{version}-py3-none-{'.'.join(f'{each}_{machine}' for each in PLATFORMS)}.whl"
    when = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        def add(name, content):
            entry = zipfile.ZipInfo(name, when)
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)

        for name, content in contents(tree, version, tags):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
            add(name, content)
        name = f"gpulint-{version}.dist-info/RECORD"
        add(name, "".join(record) + f"{name},,\n")
    print(path.name)


if __name__ == "__main__":
    main()
