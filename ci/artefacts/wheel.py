#!/usr/bin/env python3
"""Packs an installed tree as a wheel: gpulint with its manual page, completions and the two names that kubectl looks for, or
gpulint-render alone.

The program needs no C library, so that the tags name the oldest systems that pip knows: glibc 2.17 and musl 1.1.

usage: wheel.py TREE MACHINE FOLDER [gpulint-render], with the environment of ci/release; prints the wheel's name
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


RENDER_SUMMARY = "Renders Helm charts and kustomizations for gpulint check --render"


def metadata(program, version):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    is_main = program == "gpulint"
    summary = project["description"] if is_main else RENDER_SUMMARY
    lines = ["Metadata-Version: 2.1", f"Name: {program}", f"Version: {version}", f"Summary: {summary}",
             f"Home-page: {os.environ['RELEASE_HOME']}", "License: Apache-2.0", f"Keywords: {','.join(project['keywords'])}",
             *(f"Classifier: {each}" for each in project["classifiers"]), f"Requires-Python: {project['requires-python']}",
             "Description-Content-Type: text/markdown", "", (ROOT / ("README.md" if is_main else "render/README.md")).read_text()]
    return "\n".join(lines)


def contents(program, tree, version, tags):
    """Names in the wheel with their bytes, the record excepted."""
    stem = f"{program.replace('-', '_')}-{version}"
    info, data = f"{stem}.dist-info", f"{stem}.data"
    yield f"{data}/scripts/{program}", (tree / "bin" / program).read_bytes()
    if program == "gpulint":
        for name in ("kubectl-gpulint", "kubectl_complete-gpulint"):
            yield f"{data}/scripts/{name}", (ROOT / "packaging/kubectl-gpulint").read_bytes()
    for path in sorted((tree / "share").rglob("*")):
        if path.is_file() and "doc" not in path.relative_to(tree).parts:
            yield f"{data}/data/{path.relative_to(tree)}", path.read_bytes()
    doc = tree / "share/doc" / program
    for name in ("LICENSE", "THIRD_PARTY_NOTICES"):
        yield f"{info}/licenses/{name}", (doc / name).read_bytes()
    yield f"{info}/sboms/{program}.spdx.json", (doc / f"{program}.spdx.json").read_bytes()
    yield f"{info}/METADATA", metadata(program, version).encode()
    wheel = ["Wheel-Version: 1.0", "Generator: gpulint ci/release", "Root-Is-Purelib: false", *(f"Tag: {tag}" for tag in tags)]
    yield f"{info}/WHEEL", ("\n".join(wheel) + "\n").encode()


def main():
    tree, machine, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    program = sys.argv[4] if len(sys.argv) > 4 else "gpulint"
    version = os.environ["RELEASE_VERSION"]
    stem = f"{program.replace('-', '_')}-{version}"
    tags = [f"py3-none-{platform}_{machine}" for platform in PLATFORMS]
    path = folder / f"{stem}-py3-none-{'.'.join(f'{each}_{machine}' for each in PLATFORMS)}.whl"
    when = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        def add(name, content):
            entry = zipfile.ZipInfo(name, when)
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)

        for name, content in contents(program, tree, version, tags):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
            add(name, content)
        name = f"{stem}.dist-info/RECORD"
        add(name, "".join(record) + f"{name},,\n")
    print(path.name)


if __name__ == "__main__":
    main()
