"""The Debian package that CPack makes of the build."""
import pathlib
import re
import shutil
import subprocess
import unittest

import outside
from support import GPULINT, SOURCE, Case

BUILD = pathlib.Path(GPULINT).parent


@unittest.skipIf(shutil.which("dpkg-shlibdeps") is None or shutil.which("file") is None,
                 "dpkg-dev and file are not installed: CPack finds dependencies with them")
@unittest.skipUnless((BUILD / "CPackConfig.cmake").exists(), "the program is not in its build folder")
class DebianPackage(Case):
    def test_it_holds_program_manual_and_completions(self):
        outside.run("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", self.folder,
                    cwd=self.folder)
        package = next(self.folder.glob("gpulint_*.deb"))
        fields = outside.run("dpkg-deb", "--field", package)
        self.assertIn(f"Version: {outside.VERSION}\n", fields)
        self.assertRegex(fields, r"Depends: .*libc6")
        outside.run("dpkg-deb", "--extract", package, self.folder / "root")
        root = self.folder / "root/usr"
        for name in ("share/man/man1/gpulint.1", "share/bash-completion/completions/gpulint",
                     "share/zsh/vendor-completions/_gpulint", "share/fish/vendor_completions.d/gpulint.fish"):
            self.assertTrue((root / name).stat().st_size > 0, name)
        ran = subprocess.run([root / "bin/gpulint", "--version"], capture_output=True, text=True, check=True)
        self.assertRegex(ran.stdout, outside.VERSION_LINE)


@unittest.skipUnless((BUILD / "cmake_install.cmake").exists(), "the program is not in its build folder")
class Image(Case):
    """What the Dockerfile does after the build, without a daemon."""

    def test_its_steps_exist_and_install_the_program(self):
        text = (SOURCE / "Dockerfile").read_text().replace("\\\n", " ")
        for name in re.search(r"^COPY (ci/.*) ci/$", text, re.M)[1].split():
            self.assertTrue((SOURCE / name).is_file(), name)
        command = re.search(r"cmake --install build/package --prefix /opt/gpulint (.*)$", text, re.M)[1]
        outside.run("cmake", "--install", BUILD, "--prefix", self.folder / "opt", *command.split())
        self.assertRegex(outside.run(self.folder / "opt/bin/gpulint", "--version"), outside.VERSION_LINE)
        self.assertEqual(sorted(path.name for path in (self.folder / "opt").iterdir()), ["bin", "share"])
