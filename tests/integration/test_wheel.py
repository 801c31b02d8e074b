"""`pip install gpulint`: one file that needs nothing but the C library."""
import os
import subprocess
import unittest
import zipfile

import outside
from support import BROKEN_POD, Case
from test_action import ActionCase

# What Debian's libc6 package provides.
LIBC = {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"}


@outside.needs_registry
class Wheel(Case):
    def setUp(self):
        super().setUp()
        wheel = outside.wheel()
        outside.run(outside.sys.executable, "-m", "venv", self.folder / "venv")
        outside.run(self.folder / "venv/bin/pip", "install", "--quiet", "--no-index", wheel)
        self.gpulint = self.folder / "venv/bin/gpulint"
        self.wheel = wheel

    def test_it_installs_without_a_network_and_runs(self):
        self.write("pod.yaml", BROKEN_POD)
        self.assertRegex(outside.run(self.gpulint, "--version"), outside.VERSION_LINE)
        ran = subprocess.run([self.gpulint, "check", "pod.yaml"], cwd=self.folder, capture_output=True,
                             text=True, check=False)
        self.assertEqual(ran.returncode, 1, ran)
        self.assertIn("error[duplicate-key]", ran.stdout)

    def test_pipx_installs_the_program(self):
        pipx = outside.environment("tools") / "pipx"
        variables = dict(os.environ) | {"PIPX_HOME": str(self.folder / "pipx"), "PIPX_BIN_DIR": str(self.folder / "bin"),
                                        "PIPX_MAN_DIR": str(self.folder / "man")}
        outside.run(pipx, "install", self.wheel, env=variables)
        self.assertRegex(outside.run(self.folder / "bin/gpulint", "--version"), outside.VERSION_LINE)

    def test_only_the_c_library_remains_dynamic(self):
        names = {line.split()[0].rsplit("/", 1)[-1] for line in outside.run("ldd", self.gpulint).splitlines()}
        loaders = {name for name in names if name.startswith("ld-linux")}
        self.assertEqual(names - LIBC - loaders, set())

    def test_it_is_named_for_any_python_and_holds_no_sources(self):
        self.assertRegex(self.wheel.name, rf"\Agpulint-{outside.VERSION}-py3-none-.*\.whl\Z")
        names = zipfile.ZipFile(self.wheel).namelist()
        self.assertFalse([name for name in names if name.endswith((".py", ".cpp", ".h", ".a", ".so"))], names)
        for wanted in ("/scripts/gpulint", "/man/man1/gpulint.1", "LICENSE"):
            self.assertTrue([name for name in names if name.endswith(wanted)], (wanted, names))


class ActionWithVersion(ActionCase):
    def test_a_wheel_of_a_version_is_installed(self):
        outside.wheel()
        ran = self.run_action(version=outside.VERSION, paths="two words/good.yaml")
        self.assertEqual((ran["failed"], ran["outputs"]["findings"]), (False, "0"), ran)
        self.assertTrue(self.run_action(version="999.0")["failed"])


if __name__ == "__main__":
    unittest.main()
