"""The documentation's examples are true.

`<!-- config -->` before a YAML block: it is a gpulint.yaml without unknown keys.
`<!-- in: FOLDER -->` before a console block: run in a copy of that folder, it prints just this (GPULINT_UPDATE=1 rewrites it).
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from support import GPULINT, SOURCE, Case

PAGES = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]
CONFIG = re.compile(r"<!-- config -->\n```yaml\n(.*?)```", re.S)
CONSOLE = re.compile(r"(<!-- in: (\S+) -->\n```console\n)(.*?)(```)", re.S)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


class Documentation(Case):
    def test_configurations_are_accepted(self):
        texts = [text for page in PAGES for text in CONFIG.findall(page.read_text())]
        self.assertGreater(len(texts), 1)
        self.write("other.yaml", "a: b\n")
        for text in texts:
            self.write("gpulint.yaml", text)
            ran = self.check_json("--quiet", "other.yaml")
            self.assertEqual((ran.status, ran.err), (0, ""), (text, ran))

    def test_every_key_is_explained(self):
        page = (SOURCE / "docs/configuration.md").read_text()
        schema = json.loads(self.run_gpulint("schema").out)
        for section in schema["definitions"].values():
            for key in section["properties"]:
                self.assertRegex(page, rf"[`.]{re.escape(key)}[`.\[]", key)

    def test_inputs_of_the_action_are_explained(self):
        action = (SOURCE / "action.yml").read_text()
        page = (SOURCE / "docs/ci.md").read_text()
        for name in re.findall(r"^  ([a-z-]+):$", action.split("runs:")[0], re.M):
            self.assertIn(f"`{name}`", page)

    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target in LINK.findall(page.read_text()):
                self.assertTrue((page.parent / target).exists(), f"{page.name}: {target}")

    def test_console_blocks_print_what_they_show(self):
        (self.folder / "bin").mkdir()
        (self.folder / "bin/gpulint").symlink_to(GPULINT)
        for page in PAGES:
            text = page.read_text()
            updated = CONSOLE.sub(lambda match: match[1] + self.replay(match[2], match[3]) + match[4], text)
            if os.environ.get("GPULINT_UPDATE"):
                page.write_text(updated)
            else:
                self.assertMultiLineEqual(text, updated, page.name)

    def replay(self, folder, block):
        work = self.folder / "copy"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(SOURCE / folder, work)
        variables = dict(os.environ) | {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        shown = ""
        for command in re.findall(r"^\$ (.*)$", block, re.M):
            ran = subprocess.run(["bash", "-c", command], cwd=work, env=variables, text=True, check=False,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
            shown += f"$ {command}\n{ran.stdout}"
        return shown


if __name__ == "__main__":
    unittest.main()
