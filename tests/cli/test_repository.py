"""Repositories that want more than to be looked at: what gpulint.yaml, links, names and git's settings lead to."""
import os
import pty
import shutil
import subprocess
import sys
import unittest

from support import BROKEN_POD, GOOD_POD, GPULINT, WARNED_POD, Case, read_terminal

SECRET = "nvidia.com/gpu: hunter2\nnvidia.com/gpu: hunter2\n"  # duplicate-key


@unittest.skipUnless(shutil.which("git"), "no git here")
class Programs(Case):
    """--changed-since runs git, and nothing that a repository names."""

    def run_changed(self):
        self.commit_all()
        for name in ("pod.yaml", "sub/pod.yaml"):
            if (self.folder / name).exists():
                self.write(name, BROKEN_POD + "# changed\n")
        return self.check_json("--no-config", "--changed-since", "HEAD", ".")

    def held(self, config, attributes="*.yaml filter=x diff=x merge=x ident\n"):
        """Whether nothing ran although the repository's settings ask for it; TOUCH leaves a trace."""
        trace = self.folder / "trace"
        self.write("pod.yaml", GOOD_POD)
        self.commit_all()
        self.write(".gitattributes", attributes)
        with open(self.folder / ".git/config", "a", encoding="utf-8") as file:
            file.write(config.replace("TOUCH", f"touch {trace};"))
        self.write("pod.yaml", BROKEN_POD)
        ran = self.check_json("--no-config", "--changed-since", "HEAD", ".")
        self.assertFalse(trace.exists(), config)
        shutil.rmtree(self.folder / ".git")
        return ran

    def test_filters_are_off(self):
        for kind in ("clean", "process"):
            for extra in ("", "required = true\n"):
                ran = self.held(f'[filter "x"]\n{kind} = "TOUCH cat"\n{extra}')
                self.assertEqual((ran.status, ran.ids()), (1, ["duplicate-key"]), ran)

    def test_whatever_they_are_called(self):
        for name in ("a b", "ä", "a.b", "A", "a\\\"b", "a\\\\b", "-c"):
            bare = name.replace("\\\\", "\\").replace('\\"', '"')
            ran = self.held(f'[filter "{name}"]\nclean = "TOUCH cat"\n', f'"*.yaml" filter={bare}\n')
            self.assertEqual((ran.status, ran.ids()), (1, ["duplicate-key"]), (name, ran))

    def test_one_that_cannot_be_switched_off_ends_the_run(self):
        ran = self.held('[filter "a=b"]\nclean = "TOUCH cat"\n', "*.yaml filter=a=b\n")
        self.assertEqual(ran.status, 2, ran)
        self.assertIn("filter.a=b", ran.err)

    def test_included_settings_are_off_too(self):
        included = self.write("included", '[filter "x"]\nclean = "touch %s; cat"\n' % (self.folder / "trace"))
        for section in ("[include]", f'[includeIf "gitdir:{self.folder}/"]', '[includeIf "onbranch:**"]'):
            ran = self.held(f"{section}\npath = {included}\n")
            self.assertEqual((ran.status, ran.ids()), (1, ["duplicate-key"]), ran)

    def test_other_programs_are_off(self):
        hook = self.write("hooks/post-index-change", f"#!/bin/sh\ntouch {self.folder}/trace\n")
        hook.chmod(0o755)
        for config in ('[diff "x"]\ntextconv = "TOUCH cat"\ncommand = "TOUCH true"\n',
                       '[diff]\nexternal = "TOUCH true"\n', '[core]\nfsmonitor = "TOUCH true"\n',
                       '[core]\npager = "TOUCH cat"\n[pager]\ndiff = "TOUCH cat"\n',
                       '[alias]\ndiff = "!TOUCH true"\nconfig = "!TOUCH true"\n',
                       f"[core]\nhooksPath = {self.folder}/hooks\n"):
            ran = self.held(config)
            self.assertEqual((ran.status, ran.ids()), (1, ["duplicate-key"]), (config, ran))

    def test_nothing_is_fetched(self):
        self.write("pod.yaml", GOOD_POD)
        self.commit_all()
        blob = subprocess.run(["git", "rev-parse", "HEAD:pod.yaml"], cwd=self.folder, check=True, capture_output=True,
                              text=True).stdout.strip()
        (self.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
        with open(self.folder / ".git/config", "a", encoding="utf-8") as file:
            file.write("[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n[protocol]\n"
                       f'allow = always\n[remote "origin"]\npromisor = true\nurl = {self.folder}\n'
                       f'uploadpack = "touch {self.folder}/trace; git-upload-pack"\n'
                       '[protocol "file"]\nallow = always\n')
        self.write("pod.yaml", BROKEN_POD)
        self.check("--no-config", "--changed-since", "HEAD", ".")
        self.assertFalse((self.folder / "trace").exists())

    def test_submodules_are_not_asked(self):
        inner = self.folder / "inner"
        inner.mkdir()
        for words in (["init", "-q", "."], ["commit", "-qm", "x", "--allow-empty"]):
            subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=inner, check=True)
        self.write("pod.yaml", GOOD_POD)
        self.write("inner/pod.yaml", GOOD_POD)
        subprocess.run(["git", "add", "."], cwd=inner, check=True)
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "y"], cwd=inner, check=True)
        self.git("init", "-q", ".")
        self.git("-c", "advice.addEmbeddedRepo=false", "add", ".")
        self.git("commit", "-qm", "x")
        self.write("inner/.gitattributes", "*.yaml filter=x\n")
        self.write("inner/pod.yaml", BROKEN_POD)
        with open(inner / ".git/config", "a", encoding="utf-8") as file:
            file.write(f'[filter "x"]\nclean = "touch {self.folder}/trace; cat"\n')
        self.check("--no-config", "--changed-since", "HEAD", ".")
        self.assertFalse((self.folder / "trace").exists())


class Outside(Case):
    """The repository is `repo`; what lies beside it is none of its business."""

    def setUp(self):
        super().setUp()
        self.write("repo/pod.yaml", GOOD_POD)
        self.write("secret.yaml", SECRET)

    def at(self, *words, **options):
        return self.run_gpulint(*words, folder=self.folder / "repo", **options)

    def each_kind(self):
        """Outside of git, then in a work tree."""
        yield "folder"
        if shutil.which("git"):
            subprocess.run(["git", "init", "-q", "."], cwd=self.folder / "repo", check=True)
            yield "work tree"

    def test_gpulint_yaml_reads_nothing_there(self):
        inside = "in.yaml"
        for kind in self.each_kind():
            for path in ("../secret.yaml", str(self.folder / "secret.yaml"), "link.yaml", "folder/secret.yaml",
                         "/proc/self/environ", "li*.yaml"):
                for config in (f"nodes: ['{path}', {inside}]\n", f"flyte: {{values: ['{path}', {inside}]}}\n"):
                    with self.subTest(kind=kind, config=config):
                        self.write("repo/gpulint.yaml", config)
                        self.write("repo/" + inside, BROKEN_POD)
                        for name, target in (("link.yaml", "../secret.yaml"), ("folder", "..")):
                            if not (self.folder / "repo" / name).is_symlink():
                                os.symlink(target, self.folder / "repo" / name)
                        ran = self.at("check", "pod.yaml", TOKEN="hunter2")
                        self.assertEqual(ran.status, 2, ran)
                        self.assertNotIn("hunter2", ran.out + ran.err)
                        self.assertIn("not read (--allow-outside permits it)", ran.err)
                        self.assertIn("in.yaml:10:7", ran.out)  # what lies inside is read all the same
                        ran = self.at("check", "--allow-outside", "pod.yaml", TOKEN="hunter2")
                        self.assertNotIn("left out", ran.err)
                        if path != "/proc/self/environ":
                            self.assertEqual(ran.status, 1, ran)
                            self.assertIn("hunter2", ran.out)

    def test_links_and_globs_within_the_repository_are_followed(self):
        subprocess.run(["git", "init", "-q", "."], cwd=self.folder / "repo", check=True)
        self.write("repo/cluster/gpulint.yaml", "nodes: [../nodes.yaml, link.yaml]\n")
        self.write("repo/nodes.yaml", BROKEN_POD)
        self.write("repo/other.yaml", BROKEN_POD)
        os.symlink("../other.yaml", self.folder / "repo/cluster/link.yaml")
        self.write("repo/cluster/pod.yaml", GOOD_POD)
        ran = self.at("check", "--format", "json", "cluster/pod.yaml")
        self.assertEqual((ran.status, ran.trouble), (1, ""), ran)
        self.assertEqual({finding["file"] for finding in ran.json()["diagnostics"]}, {"cluster/link.yaml", "nodes.yaml"})

    def test_a_walk_does_not_follow_links_there(self):
        os.symlink("../secret.yaml", self.folder / "repo/link.yaml")
        os.symlink("/proc/self/environ", self.folder / "repo/environment.yaml")
        for _ in self.each_kind():
            ran = self.at("check", ".", TOKEN="hunter2")
            self.assertEqual((ran.status, ran.err.count("not read")), (2, 2), ran)
            self.assertNotIn("hunter2", ran.out + ran.err)
            self.assertEqual(self.at("check", "--allow-outside", "link.yaml", ".").status, 1)

    def test_a_configuration_that_is_elsewhere_is_not_searched_for(self):
        self.write("config", "nodes: [x\n")
        os.symlink("../config", self.folder / "repo/gpulint.yaml")
        ran = self.at("check", "pod.yaml")
        self.assertEqual(ran.status, 2, ran)
        self.assertIn("a link leads out of its repository", ran.err)
        self.write("config", "provider: gke\n")
        for words in (["--allow-outside"], ["--config", "gpulint.yaml"]):
            self.assertEqual(self.at("check", *words, "pod.yaml").status, 0)

    def test_fix_writes_nothing_there(self):
        self.write("secret.yaml", WARNED_POD)
        os.symlink("../secret.yaml", self.folder / "repo/link.yaml")
        os.symlink("..", self.folder / "repo/folder")
        for kind in self.each_kind():
            self.write("repo/gpulint.yaml", "flyte: {values: [../secret.yaml]}\n")
            # Without a work tree a folder that is a link is the user's own.
            through_folder = [["folder/secret.yaml"]] if kind == "work tree" else []
            for words in (["."], ["link.yaml"], ["pod.yaml"], *through_folder):
                with self.subTest(kind=kind, words=words):
                    for command in (["fix"], ["check", "--add-suppressions", "x"]):
                        self.assertNotEqual(self.at(*command, *words).status, 0)
                        self.assertEqual(self.read("secret.yaml"), WARNED_POD)
        self.at("fix", "--allow-outside", "link.yaml")
        self.assertEqual(self.read("secret.yaml"), GOOD_POD)

    def test_init_writes_nothing_there(self):
        self.write("gpulint.yaml", "provider: gke\n")
        os.symlink("../gpulint.yaml", self.folder / "repo/gpulint.yaml")
        for _ in self.each_kind():
            ran = self.at("init", "--force")
            self.assertEqual((ran.status, self.read("gpulint.yaml")), (2, "provider: gke\n"), ran)
            self.assertIn("leads out of", ran.err)
        self.assertEqual(self.at("init", "--force", "--allow-outside").status, 0)
        self.assertNotEqual(self.read("gpulint.yaml"), "provider: gke\n")

    def test_no_report_is_written_there(self):
        self.write("outside.json", "precious")
        os.symlink("../outside.json", self.folder / "repo/report.json")
        os.symlink("../new.json", self.folder / "repo/dangling.json")
        for _ in self.each_kind():
            self.write("repo/gpulint.yaml", "provider: gke\n")
            for name in ("report.json", "dangling.json"):
                for words in (["--format", f"json:{name}"], ["--write-baseline", name]):
                    ran = self.at("check", *words, "pod.yaml")
                    self.assertEqual(ran.status, 2, ran)
                    self.assertIn("leads out of", ran.err)
        self.assertEqual(self.read("outside.json"), "precious")
        self.assertFalse((self.folder / "new.json").exists())
        # A file that the user names beyond the repository is what was asked for.
        self.assertEqual(self.at("check", "--format", "json:../asked.json", "pod.yaml").status, 0)


class Names(Case):
    NAMES = ["a\nb.yaml", "tab\there.yaml", "q\"uote.yaml", "back\\slash.yaml", "bell\a\b\v\f\r.yaml", "esc\x1b[31m.yaml",
             "two words.yaml", "line\n--- a/pod.yaml\n+++ b/pod.yaml", "ü.yaml", "c1\u009b31m.yaml", "rtl\u202e.yaml"]

    def diff(self, name):
        self.write(name, WARNED_POD)
        ran = self.run_gpulint("fix", "--diff", "--no-config", name)
        self.assertEqual(ran.status, 1, ran)
        return ran.out

    def test_a_diff_quotes_them_as_git_does(self):
        for name in self.NAMES:
            out = self.diff(name)
            heads = [line for line in out.split("\n") if line.startswith(("---", "+++"))]
            self.assertEqual(len(heads), 2, out)
            for byte in out.replace("\n", "").replace("\t", ""):
                self.assertTrue(byte >= " " and byte != "\x7f" and not "\x80" <= byte <= "\x9f", repr(out))
            if shutil.which("git") is None:
                continue
            shutil.rmtree(self.folder / ".git", ignore_errors=True)
            self.git("init", "-q", ".")
            subprocess.run(["git", "apply", "-"], input=out, text=True, cwd=self.folder, check=True)
            self.assertEqual(self.read(name), GOOD_POD)
            self.git("add", "--", name)
            self.write(name, WARNED_POD)
            ours = subprocess.run(["git", "-c", "core.quotePath=false", "diff", "--", name], cwd=self.folder, check=True,
                                  capture_output=True, text=True, errors="surrogateescape").stdout
            if "\x9b" not in name and "\u202e" not in name:  # which git leaves to the terminal
                self.assertEqual([line for line in ours.split("\n") if line.startswith("---")], heads[:1])
            (self.folder / name).unlink()

    @unittest.skipUnless(shutil.which("patch"), "no patch here")
    def test_patch_reads_them(self):
        for name in self.NAMES:
            if "\n" in name:
                continue  # patch(1) refuses these
            out = self.diff(name)
            subprocess.run(["patch", "-p1", "-s"], input=out, text=True, cwd=self.folder, check=True)
            self.assertEqual(self.read(name), GOOD_POD)

    def test_a_terminal_gets_no_control_characters(self):
        self.write("pod.yaml", WARNED_POD.replace("metadata:", "# \u202e\nmetadata:"))
        self.write("broken.yaml", WARNED_POD.replace("metadata:", "# \u009b31m \u202e \x07\x1b[31m\nmetadata:"))
        for words, stdin in ((["--diff", "pod.yaml"], None), (["-"], "broken.yaml")):
            ours, theirs = pty.openpty()
            with open(self.folder / stdin if stdin else os.devnull, "rb") as given:
                process = subprocess.Popen([GPULINT, "fix", "--no-config", *words], cwd=self.folder, stdin=given, stdout=theirs,
                                           stderr=theirs, env={"PATH": os.environ["PATH"], "TERM": "dumb"})
                text = read_terminal(ours, theirs, process)
            self.assertIn("metadata", text)
            for character in ("\x07", "\x1b", "\x9b", "\u202e"):
                self.assertNotIn(character, text)


class OneFile(Case):
    """Under two names a file is one."""

    def names(self):
        self.write("pod.yaml", WARNED_POD)
        os.symlink("pod.yaml", self.folder / "a-link.yaml")
        os.link(self.folder / "pod.yaml", self.folder / "hard.yaml")
        return ["pod.yaml", "a-link.yaml", "hard.yaml", "./pod.yaml", "sub/../pod.yaml", str(self.folder / "pod.yaml")]

    def test_it_is_fixed_once(self):
        for words in (self.names(), ["."]):
            self.write("pod.yaml", WARNED_POD)
            os.remove(self.folder / "hard.yaml")
            os.link(self.folder / "pod.yaml", self.folder / "hard.yaml")
            ran = self.run_gpulint("fix", "--no-config", *words)
            self.assertEqual((ran.status, ran.trouble), (0, "fixed 1 in 1 file\n"), ran)

    def test_it_is_found_and_counted_once(self):
        for words in (self.names(), ["."], [".", "pod.yaml"]):
            ran = self.check_json("--no-config", *words)
            self.assertEqual((len(ran.ids()), ran.json()["summary"]["files"]), (1, 1), ran)

    def test_a_walk_speaks_of_the_file_not_of_its_links(self):
        self.names()
        (self.folder / "hard.yaml").unlink()
        ran = self.check_json("--no-config", ".")
        self.assertEqual([finding["file"] for finding in ran.json()["diagnostics"]], ["pod.yaml"])

    def test_it_may_belong_to_two_scopes(self):
        self.write("a/pod.yaml", BROKEN_POD)
        (self.folder / "b").mkdir()
        os.symlink("../a/pod.yaml", self.folder / "b/pod.yaml")
        self.write("gpulint.yaml", "scopes:\n- {name: one, paths: [a/**]}\n- {name: two, paths: [b/**]}\n"
                                   "policies:\n- {id: org-two, message: m, severity: error, scope: two, match: {kind: Pod},\n"
                                   "   require: {path: metadata.labels.team, pattern: x}}\n")
        ran = self.check_json(".")
        self.assertNotEqual(ran.status, 2, ran)
        self.assertIn("org-two", ran.ids())

    def test_a_layer_may_be_a_link(self):
        self.write("base.yaml", "configmap: {k8s: {plugins: {k8s: {gpu-resource-name: a.b/gpu}}}}\n")
        self.write("over.yaml", "configmap: {k8s: {plugins: {k8s: {gpu-resource-name: nvidia.com/gpu}}}}\n")
        os.symlink("base.yaml", self.folder / "link.yaml")
        words = ["compile", "--no-config", "--task", "gpu=1"]
        plain = self.run_gpulint(*words, "--values", "base.yaml", "--values", "over.yaml")
        linked = self.run_gpulint(*words, "base.yaml", "--values", "link.yaml", "--values", "over.yaml")
        self.assertEqual((plain.status, plain.out), (linked.status, linked.out))


if __name__ == "__main__":
    sys.exit("run by cli_test.py")
