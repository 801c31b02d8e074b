"""The documentation's examples are true, in README.md and docs/.

`<!-- config -->` before a YAML block: it is a gpulint.yaml that is accepted.
A console block shows what its commands print when run in a copy of the folder that `<!-- in: FOLDER -->` before it names,
else from the root of the sources; `<!-- then -->` continues in the copy of the block before. GPULINT_UPDATE=1 rewrites it.
Commands of `sh` blocks and in running text are run, too; what they print is not compared.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from charts import RENDERER
from support import BROKEN_POD, GPULINT, SOURCE, Case

DOCS = SOURCE / "docs"
PAGES = [SOURCE / "README.md", *sorted(DOCS.rglob("*.md"))]
# The pages of rules: `gpulint_rules_test` writes them and runs their examples.
GENERATED = {DOCS / "reference/rules.md", *(DOCS / "reference/rules").glob("*.md")}
WRITTEN = [page for page in PAGES if page not in GENERATED]
CONFIG = re.compile(r"<!-- config -->\n```yaml\n(.*?)```", re.S)
CONSOLE = re.compile(r"((?:<!-- (in: \S+|then) -->\n)?```console\n)(.*?)(```)", re.S)
SHELL = re.compile(r"```sh\n(.*?)```", re.S)
SPAN = re.compile(r"`(gpulint [a-z][^`]*)`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#([^)]*))?\)")

# What builds or needs a daemon, and the test that runs it.
RUN_ELSEWHERE = {
    "ci/quickstart": "ci/quickstart", "ci/test": "ci/test", "pip install": "tests/integration/test_wheel.py",
    "cmake --preset package": "tests/integration/test_debian.py", "docker": "Dockerfile",
}
# Words that stand for others.
MEANT = {"[PATH…]": "values.yaml nodes.yaml", "ID": "yaml-syntax", "REF": "HEAD", "FILE": "values.yaml", "bash|zsh|fish": "bash"}


def commands_in(text):
    """The commands of the page's shell blocks, without comments."""
    for block in SHELL.findall(text):
        for line in block.splitlines():
            command = line.split("  #")[0].strip()
            if command and not command.startswith("#"):
                yield command


def heading_names(page):
    """The anchors that a page has, spelled as on GitHub."""
    for heading in re.findall(r"^#+ (.*)$", page.read_text(), re.M):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Documentation(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/gpulint").symlink_to(GPULINT)
        self.variables = dict(os.environ) | {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"}

    def test_configurations_are_accepted(self):
        texts = [text for page in WRITTEN for text in CONFIG.findall(page.read_text())]
        self.assertGreater(len(texts), 2)
        self.write("other.yaml", "a: b\n")
        for text in texts:
            self.write("gpulint.yaml", text)
            ran = self.check_json("--quiet", "--ignore", "unmatched-config-path", "other.yaml")  # the files are not here
            self.assertEqual((ran.status, ran.err), (0, ""), (text, ran))

    def test_examples_of_policies_do_what_they_say(self):
        page = (SOURCE / "rules/policy/rule.md").read_text()
        config, bad, good = re.findall(r"```yaml\n(.*?)```", page, re.S)
        policies = CONFIG.findall((DOCS / "reference/configuration.md").read_text())[-1].partition("policies:")
        for text in (config, "".join(policies[1:])):
            self.assertIn("id: org-team-label", text)
            self.write("gpulint.yaml", text)
            self.write("pod.yaml", bad)
            self.assertEqual(self.check_json("pod.yaml").ids(), ["org-team-label"], text)
            self.write("pod.yaml", good)
            self.assertEqual(self.check_json("pod.yaml").status, 0)

    def test_every_key_is_explained(self):
        page = (DOCS / "reference/configuration.md").read_text()
        schema = json.loads(self.run_gpulint("schema").out)
        sections = [section["properties"] for section in schema["definitions"].values() if "properties" in section]
        self.assertGreater(len(sections), 10)
        for section in sections:
            for key in section:
                self.assertRegex(page, rf"[`.]{re.escape(key)}[`.\[]", key)

    def test_inputs_of_the_action_are_explained(self):
        action = (SOURCE / "action.yml").read_text()
        page = (DOCS / "reference/github-action.md").read_text()
        for name in re.findall(r"^  ([a-z-]+):$", action.split("runs:")[0], re.M):
            self.assertIn(f"`{name}`", page)

    def test_hooks_are_explained(self):
        page = (DOCS / "how-to/pre-commit.md").read_text()
        for name in re.findall(r"^- id: (\S+)$", (SOURCE / ".pre-commit-hooks.yaml").read_text(), re.M):
            self.assertRegex(page, rf"(`|id: ){name}\b")

    def test_only_its_hook_renders_and_with_its_own_version(self):
        """A release of gpulint and a later gpulint-render could differ in their protocol."""
        version = re.search(r"project\(gpulint VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]
        hooks = re.split(r"^(?=- id: )", (SOURCE / ".pre-commit-hooks.yaml").read_text(), flags=re.M)[1:]
        rendering = [hook for hook in hooks if "--render" in hook]
        self.assertEqual([re.match(r"- id: (\S+)", hook)[1] for hook in rendering], ["gpulint-render"])
        self.assertIn(f"additional_dependencies: [gpulint-render=={version}]", rendering[0])

    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target, anchor in LINK.findall(page.read_text()):
                other = page.parent / target
                self.assertTrue(other.exists(), f"{page.name}: {target}")
                if anchor:
                    self.assertIn(anchor, list(heading_names(other)), f"{page.name}: {target}")

    def test_pages_are_short_and_in_the_map(self):
        targets = {(DOCS / target).resolve() for target, _ in LINK.findall((DOCS / "README.md").read_text())}
        for page in WRITTEN:
            self.assertLessEqual(len(page.read_text().splitlines()), 200, page)
            if page.parent != SOURCE and page != DOCS / "README.md":
                self.assertIn(page, targets, "docs/README.md does not link to this page")
        self.assertLessEqual(len((SOURCE / "README.md").read_text().splitlines()), 150)

    def test_console_blocks_print_what_they_show(self):
        for page in WRITTEN:
            text = page.read_text()
            updated = CONSOLE.sub(lambda match: match[1] + self.replay(match[2], match[3]) + match[4], text)
            if os.environ.get("GPULINT_UPDATE"):
                page.write_text(updated)
            else:
                self.assertMultiLineEqual(text, updated, page.name)

    def replay(self, where, block):
        if "--render" in block and RENDERER is None:
            return block
        work = self.folder / "copy" if where else SOURCE
        if where and where.startswith("in: "):
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(SOURCE / where.removeprefix("in: "), work)
        shown = ""
        for command in re.findall(r"^\$ (.*)$", block, re.M):
            ran = subprocess.run(["bash", "-c", command], cwd=work, env=self.variables, text=True, check=False,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
            shown += f"$ {command}\n{ran.stdout}"
        return shown

    def test_commands_run(self):
        work = self.prepare_project()
        commands = [(page.name, command) for page in WRITTEN for command in commands_in(page.read_text())]
        spans = [(page.name, span) for page in WRITTEN for span in SPAN.findall(page.read_text()) if not span.endswith("…")]
        self.assertGreater(len(commands), 8)
        self.assertGreater(len(spans), 8)
        for name, command in commands + spans:
            elsewhere = [file for start, file in RUN_ELSEWHERE.items() if command.startswith(start)]
            if elsewhere:
                self.assertTrue((SOURCE / elsewhere[0]).exists(), command)
                continue
            for word, meant in MEANT.items():
                command = re.sub(rf"(?<!\S){re.escape(word)}(?!\S)", meant, command)
            (work / "gpulint.yaml").unlink(missing_ok=True)  # that an earlier `gpulint init` wrote
            ran = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=work, env=self.variables, text=True,
                                 check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
            self.assertIn(ran.returncode, (0, 1), (name, command, ran))
            self.assertNotRegex(ran.stderr, "command not found|not expected", (name, command))

    def prepare_project(self):
        """A repository with the files that examples name, and stand-ins for the programs."""
        work = self.folder / "project"
        shutil.copytree(SOURCE / "testdata/showcase", work)
        self.write("project/charts/app/values.yaml", "a: b\n")
        for name in ("app", "a", "b"):
            shutil.copy(work / "job.yaml", work / f"{name}.yaml")
        for name in ("known.json", "gpulint-baseline.json"):
            self.check("--write-baseline", name, ".", folder=work)
        outputs = {"kubectl": self.read("project/nodes.yaml"), "helm": BROKEN_POD, "kustomize": BROKEN_POD}
        described = SOURCE / "testdata/events/describe-pod-insufficient.txt"
        for name, text in outputs.items():
            self.write(f"bin/{name}", f"#!/bin/sh\n[ \"$1\" = describe ] && exec cat {described}\ncat <<'END'\n{text}END\n").chmod(0o755)
        for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"],
                      ["update-ref", "refs/remotes/origin/main", "HEAD"]):
            subprocess.run(["git", *words], cwd=work, check=True, capture_output=True)
        return work


if __name__ == "__main__":
    unittest.main()
