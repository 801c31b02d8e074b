"""What a walk leaves out is what git leaves out: held against git itself on generated trees."""
import os
import random
import shutil
import subprocess
import unittest

from support import Case

FAULTY = "nvidia.com/gpu: 1\nnvidia.com/gpu: 1\n"  # duplicate-key: each file that is read shows

FOLDERS = ["", "a/", "b/", "a/b/", "a/b/c/", "A/", "a b/", "foo/", "foo/bar/", "x[1]/", "a/foo/"]
NAMES = ["a.yaml", "b.yaml", "A.yaml", "ab.yaml", "a b.yaml", "x .yaml", "foo.yaml", "foobar.yaml", "a*.yaml",
         "[a].yaml", "!a.yaml", "#a.yaml", "a\\b.yaml", "-.yaml", "]x.yaml", "1.yaml", "é.yaml", "a\tb.yaml"]
PIECES = ["a", "b", "A", "foo", "*", "**", "?", "[ab]", "[!a]", "[^b]", "[a-f]", "[[:alpha:]]", "[[:digit:]]",
          "[[:upper:][:digit:]]", "[[:nope:]]", "[]a]", "[a\\]]", "[", "\\*", "\\[", "\\ ", "\\a", "\\!", "\\#", " ", "!",
          "#", ".yaml", ".yaml", ".YAML", "/", "/", "/**/", "**/", "/**", "***", "é", "x", "[--0]", "[a-", "[[:alpha:]",
          "\t", "bar", "[\\--0]", "1", "[[a]", "[/]", "a/b", "**b"]
ENDS = ["", "", "", "", " ", "   ", "\\ ", "\\", "\\\\ ", "/", "\r", " \r", "\t"]
KNOWN = ["./a.yaml", "!a/b", "a/**/b.yaml", "foo**/bar", "a/*", "!a/b/", "/*", "!/a/", "*.yaml", "!*.yaml", "\\", "/", "//",
         "a//b.yaml", "a/./b.yaml", "**", "*/", "**/", "/**", "foo/**", "foo/*", "!foo/bar/", "\\!a.yaml", "\\#a.yaml",
         "#a.yaml", "!#a.yaml", "[[:space:]]", "a[[:blank:]]b.yaml", "x \\.yaml", "a*b*c*.yaml", "\\**.yaml", "", " ",
         "/a.yaml", "b/", "a/b/c", "A.YAML", "[A-z].yaml", "**/c", "c/**", "a/**", "!a/b/c/a.yaml", "**/**/a.yaml"]


def random_line(dice):
    if dice.random() < 0.3:
        line = dice.choice(KNOWN)
    else:
        line = "".join(dice.choice(PIECES) for _ in range(dice.randint(1, 5)))
    return ("!" if dice.random() < 0.15 else "") + line + dice.choice(ENDS)


@unittest.skipUnless(shutil.which("git"), "no git here")
class Ignored(Case):
    TREES = 400 if os.environ.get("GPULINT_LARGE") else 60

    def git_out(self, *words):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=self.folder / "tree",
                              env=environment, check=True, capture_output=True).stdout

    def seen_by_git(self):
        """Tracked files and those that are new and not ignored."""
        out = self.git_out("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        return {os.fsdecode(name) for name in out.split(b"\0") if name.endswith((b".yaml", b".yml", b".json"))}

    def seen_by_gpulint(self):
        ran = self.check_json("--no-config", ".", folder=self.folder / "tree")
        return {finding["file"] for finding in ran.json()["diagnostics"] if finding["id"] == "duplicate-key"}

    def make_tree(self, folders=FOLDERS, names=NAMES):
        shutil.rmtree(self.folder / "tree", ignore_errors=True)
        for folder in folders:
            for name in names:
                self.write(f"tree/{folder}{name}", FAULTY)
        self.git_out("init", "-q", ".")

    def test_random_patterns(self):
        self.make_tree()
        for seed in range(self.TREES):
            dice = random.Random(seed)
            places = dice.sample([folder for folder in FOLDERS if folder], 2)
            files = {f"tree/{folder}.gitignore": "\n".join(random_line(dice) for _ in range(dice.randint(1, 4)))
                     + dice.choice(["", "\n"]) for folder in ["", *places]}
            for name, text in files.items():
                self.write(name, text)
            git, ours = self.seen_by_git(), self.seen_by_gpulint()
            self.assertEqual((seed, files, sorted(git - ours), sorted(ours - git)), (seed, files, [], []))
            for name in files:
                (self.folder / name).unlink()

    def test_one_pattern_at_a_time(self):
        self.make_tree(["", "a/", "a/b/", "foo/bar/"])
        for line in [*KNOWN, *PIECES]:
            self.write("tree/.gitignore", "*.json\n" + line + "\n")
            git, ours = self.seen_by_git(), self.seen_by_gpulint()
            self.assertEqual((line, sorted(git - ours), sorted(ours - git)), (line, [], []))

    def test_tracked_files_are_never_ignored(self):
        for version in (2, 3, 4):
            for settings in ([], ["-c", "core.splitIndex=true"], ["-c", "index.skipHash=true"]):
                self.make_tree()
                tracked = [f"{folder}a.yaml" for folder in FOLDERS]
                self.git_out(*settings, "add", "-f", "--", *tracked)
                self.git_out(*settings, "update-index", "--index-version", str(version))
                self.git_out(*settings, "add", "-f", "-N", "--", "b/b.yaml")  # version 3 has it
                self.write("tree/.gitignore", "a/\n*.yaml\n!b.yaml\n")
                git, ours = self.seen_by_git(), self.seen_by_gpulint()
                self.assertEqual((version, settings, git), (version, settings, ours))
                self.assertLessEqual(set(tracked), ours)

    def test_a_sha256_repository(self):
        self.make_tree(["", "a/"])
        shutil.rmtree(self.folder / "tree" / ".git")
        self.git_out("init", "-q", "--object-format=sha256", ".")
        self.git_out("add", "a/a.yaml")
        self.write("tree/.gitignore", "a\n")
        self.assertEqual(self.seen_by_git(), self.seen_by_gpulint())

    def test_an_index_that_is_none_lists_nothing(self):
        self.make_tree([""])
        self.git_out("add", ".")
        self.write("tree/.gitignore", "*.yaml\n")
        whole = (self.folder / "tree/.git/index").read_bytes()
        self.assertEqual(len(self.seen_by_gpulint()), len(NAMES))
        dice = random.Random(1)
        for turn in range(60):
            broken = bytearray(whole[:dice.randrange(len(whole))] if turn % 2 else whole)
            for _ in range(dice.randint(1, 8)):
                broken[dice.randrange(len(broken))] = dice.choice([0, 255, dice.randrange(256)])
            (self.folder / "tree/.git/index").write_bytes(broken)
            self.assertLessEqual(len(self.seen_by_gpulint()), len(NAMES))

    def test_linked_work_trees_and_submodules_have_their_own(self):
        self.make_tree(["", "a/"], ["a.yaml", "b.yaml"])
        self.git_out("add", ".")
        self.git_out("commit", "-qm", "x")
        self.write("tree/.git/info/exclude", "b.yaml\n")
        self.git_out("worktree", "add", "-q", "--detach", "../linked")
        linked = self.folder / "linked"
        for name in ("b.yaml", "c/b.yaml", "c/c.yaml"):
            self.write(f"linked/{name}", FAULTY)
        ran = self.check_json("--no-config", ".", folder=linked)
        self.assertEqual({finding["file"] for finding in ran.json()["diagnostics"]},
                         {"a.yaml", "b.yaml", "a/a.yaml", "a/b.yaml", "c/c.yaml"})
        self.write("tree/.gitignore", "*.yaml\n")
        self.git_out("-c", "protocol.file.allow=always", "clone", "-q", ".", "nested")
        self.write("tree/nested/new.yaml", FAULTY)
        self.assertIn("nested/new.yaml", self.seen_by_gpulint())

    def test_a_link_is_no_gitignore(self):
        self.make_tree([""], ["a.yaml"])
        self.write("elsewhere", "*.yaml\n")
        os.symlink("../elsewhere", self.folder / "tree/.gitignore")
        self.assertEqual((self.seen_by_git(), self.seen_by_gpulint()), ({"a.yaml"}, {"a.yaml"}))
