"""The Debian package that CPack makes of the build."""
import pathlib
import shutil
import subprocess
import unittest

import outside
from support import GPULINT, Case

BUILD = pathlib.Path(GPULINT).parent


@unittest.skipIf(shutil.which("dpkg-deb") is None, "dpkg-deb is not installed")
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
        self.assertEqual(ran.stdout, f"gpulint {outside.VERSION}\n")
