#!/usr/bin/env python3
"""Prints what a program holds as SPDX 2.3, in JSON.

usage: sbom.py PROGRAM ARCHITECTURE, with the environment of ci/release
"""
import datetime
import hashlib
import json
import os
import pathlib
import sys

from notices import PARTS, installed_version

LICENSES = {
    "libyaml-cpp-dev": "MIT", "libre2-dev": "BSD-3-Clause", "libfmt-dev": "MIT", "nlohmann-json3-dev": "MIT",
    "libcli11-dev": "BSD-3-Clause", "zlib1g-dev": "Zlib", "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libc6-dev": "LGPL-2.1-or-later",
}


def part(package, architecture):
    version = installed_version(package)
    purl = f"pkg:deb/debian/{package.replace('+', '%2B')}@{version.replace('+', '%2B')}?arch={architecture}&distro=bookworm"
    return {"SPDXID": "SPDXRef-" + package.replace("+", "-plus"), "name": package, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": LICENSES[package],
            "licenseDeclared": LICENSES[package], "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]}


def document(name, program, architecture, parts):
    """The SPDX document of a program of this commit and of what is linked into it."""
    version, commit, home = (os.environ[f"RELEASE_{each}"] for each in ("VERSION", "COMMIT", "HOME"))
    digest = hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    own = {"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": version, "primaryPackagePurpose": "APPLICATION",
           "downloadLocation": f"git+{home}@{commit}", "sourceInfo": f"commit {commit}", "filesAnalyzed": False,
           "checksums": [{"algorithm": "SHA256", "checksumValue": digest}], "licenseConcluded": "Apache-2.0",
           "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION"}
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{name}-{version}-{architecture}", "documentNamespace": f"{home}/spdx/{version}-{architecture}-{digest}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": [f"Tool: gpulint-ci-release-{version}"]},
        "packages": [own, *parts],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]},
            *({"spdxElementId": own["SPDXID"], "relationshipType": "STATIC_LINK", "relatedSpdxElement": each["SPDXID"]}
              for each in parts)]}, indent=1)


def main():
    program, architecture = sys.argv[1:]
    print(document("gpulint", program, architecture, [part(package, architecture) for package, *_ in PARTS]))


if __name__ == "__main__":
    main()
