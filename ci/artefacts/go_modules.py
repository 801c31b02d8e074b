#!/usr/bin/env python3
"""Writes the licences of the Go modules that gpulint-render contains, and the list of these modules as SPDX 2.3.

usage: go_modules.py PROGRAM ARCHITECTURE FOLDER, with the environment of ci/release and the Go in GO
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from sbom import document

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LICENCE = re.compile(r"(?:LICEN[CS]E|COPYING|NOTICE)", re.I)
HEAD = """\
gpulint-render is licensed under the Apache License 2.0. It contains the Go modules below, each with its licences.
https://proxy.golang.org has the source of each module in this version.
"""


def run_go(*words):
    variables = os.environ | {"GOFLAGS": "-mod=readonly", "GOTOOLCHAIN": "local"}
    return subprocess.run([os.environ["GO"], *words], cwd=ROOT / "render", env=variables, stdout=subprocess.PIPE, text=True, check=True).stdout


def linked_modules(program):
    """Path and version of each module in the program."""
    for line in run_go("version", "-m", str(pathlib.Path(program).resolve())).splitlines():
        words = line.split()
        if words[:1] == ["dep"]:
            yield words[1], words[2]


def licences(path, version):
    """The licence files of a module, and of the packages that it copied from elsewhere."""
    folder = pathlib.Path(json.loads(run_go("mod", "download", "-json", f"{path}@{version}"))["Dir"])
    found = [file for file in sorted(folder.rglob("*")) if LICENCE.match(file.name) and file.is_file() and file.suffix != ".go"]
    kept = [file for file in found if file.parent == folder or "testdata" not in file.parts]
    if not kept:
        sys.exit(f"go_modules.py: {path} {version} has no licence")
    return kept


def own_licence():
    """The licence of Go. PyPI's package lacks the copy at the top; Go's own modules have the same text."""
    top = pathlib.Path(run_go("env", "GOROOT").strip())
    return next(file for file in (top / "LICENSE", top / "src/vendor/golang.org/x/net/LICENSE") if file.is_file())


def package(path, version):
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", path), "name": path, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:golang/{path}@{version}"}]}


def main():
    program, architecture, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    parts = [("the Go standard library and runtime", run_go("env", "GOVERSION").strip(), [own_licence()])]
    modules = list(linked_modules(program))
    parts += [(path, version, licences(path, version)) for path, version in modules]
    texts, seen = [HEAD], {}
    for name, version, files in parts:
        texts.append(f"{'=' * 80}\n{name} {version}\n{'=' * 80}\n")
        for file in files:
            text = file.read_text(errors="replace").strip()
            digest = hashlib.sha256(text.encode()).hexdigest()
            texts.append(f"The text is that of {seen[digest]}.\n" if digest in seen else f"{text}\n")
            seen.setdefault(digest, name)
    (folder / "THIRD_PARTY_NOTICES").write_text("\n".join(texts))
    shutil.copy(ROOT / "LICENSE", folder)
    packages = [package(path, version) for path, version in [("std", parts[0][1].removeprefix("go")), *modules]]
    (folder / "gpulint-render.spdx.json").write_text(document("gpulint-render", program, architecture, packages) + "\n")


if __name__ == "__main__":
    main()
