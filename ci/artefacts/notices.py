#!/usr/bin/env python3
"""Prints the licences of what is linked into a release, as Debian's packages have them.

usage: notices.py
"""
import pathlib
import re
import subprocess

# Package, what it is, and how it comes in.
PARTS = [
    ("libyaml-cpp-dev", "yaml-cpp", "linked statically"),
    ("libre2-dev", "RE2", "linked statically"),
    ("libfmt-dev", "{fmt}", "compiled in"),
    ("nlohmann-json3-dev", "JSON for Modern C++", "compiled in"),
    ("libcli11-dev", "CLI11", "compiled in"),
    ("zlib1g-dev", "zlib", "linked statically"),
    ("libstdc++-12-dev", "libstdc++ and libgcc", "linked statically, under the GCC Runtime Library Exception"),
    ("libc6-dev", "the GNU C Library", "linked statically, under the LGPL 2.1"),
]
HEAD = """\
gpulint is licensed under the Apache License 2.0. Its program holds parts of others, whose licences follow.

The GNU C Library is covered by the GNU Lesser General Public License: `ci/release` of gpulint's sources, which lie beside
every release, builds the program anew with a library that you changed. Its own sources are those of Debian's package, which
https://snapshot.debian.org keeps.
"""
COMMON = pathlib.Path("/usr/share/common-licenses")


def installed_version(package):
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True).stdout


def main():
    print(HEAD)
    named = set()
    for package, name, how in PARTS:
        text = (pathlib.Path("/usr/share/doc") / package / "copyright").read_text(errors="replace")
        named |= set(re.findall(r"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", text))
        print(f"{'=' * 80}\n{name}, {how} (Debian {package} {installed_version(package)})\n{'=' * 80}\n\n{text.strip()}\n")
    for name in sorted(named):
        if (COMMON / name).is_file():
            print(f"{'=' * 80}\n{name}\n{'=' * 80}\n\n{(COMMON / name).read_text().strip()}\n")


if __name__ == "__main__":
    main()
