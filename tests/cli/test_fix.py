"""Files that are rewritten: fix and --add-suppressions."""
import os
import pty
import stat
import subprocess

from support import BROKEN_POD, GOOD_POD, GPULINT, WARNED_POD, Case


class Fix(Case):
    def test_safe_fixes_are_written_in_place(self):
        path = self.write("pod.yaml", WARNED_POD)
        path.chmod(0o640)
        ran = self.run_gpulint("fix", "pod.yaml")
        self.assertEqual(ran.status, 0, ran)
        self.assertEqual(self.read("pod.yaml"), GOOD_POD)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)

    def test_unsafe_ones_are_not_unless_asked_for(self):
        self.write("pod.yaml", BROKEN_POD)
        self.assertEqual(self.run_gpulint("fix", "pod.yaml").status, 1)
        self.assertEqual(self.read("pod.yaml"), BROKEN_POD)
        self.assertEqual(self.run_gpulint("fix", "--unsafe-fixes", "pod.yaml").status, 0)
        self.assertEqual(self.read("pod.yaml"), GOOD_POD)

    def test_a_diff_writes_nothing_and_applies(self):
        self.write("pod.yaml", WARNED_POD)
        ran = self.run_gpulint("fix", "--diff", "pod.yaml")
        self.assertEqual((ran.status, self.read("pod.yaml")), (1, WARNED_POD), ran)
        subprocess.run(["git", "apply", "-"], input=ran.out, text=True, cwd=self.folder, check=True)
        self.assertEqual(self.read("pod.yaml"), GOOD_POD)
        self.assertEqual(self.run_gpulint("fix", "--diff", "pod.yaml").status, 0)

    def test_links_stay_and_other_files_are_not_touched(self):
        self.write("real/pod.yaml", WARNED_POD)
        os.symlink("real/pod.yaml", self.folder / "link.yaml")
        other = self.write("other.yaml", GOOD_POD)
        before = other.stat()
        self.run_gpulint("fix", "link.yaml", "other.yaml")
        self.assertTrue((self.folder / "link.yaml").is_symlink())
        self.assertEqual(self.read("real/pod.yaml"), GOOD_POD)
        self.assertEqual((other.stat().st_mtime_ns, other.stat().st_ino),
                         (before.st_mtime_ns, before.st_ino))

    def test_standard_input_goes_to_standard_output(self):
        ran = self.run_gpulint("fix", "-", stdin=WARNED_POD)
        self.assertEqual((ran.status, ran.out), (0, GOOD_POD), ran)


class Ask(Case):
    """`fix --ask` at a terminal, as `git add -p`."""

    NAMES = ("a.yaml", "b.yaml", "c.yaml")

    def answer(self, keys):
        """Whether each file was fixed, and what the terminal showed; `keys` are typed at one prompt each."""
        for name in self.NAMES:
            self.write(name, WARNED_POD)
        ours, theirs = pty.openpty()
        process = subprocess.Popen([GPULINT, "fix", "--no-config", "--ask", *self.NAMES], cwd=self.folder,
                                   stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
                                   env={"PATH": os.environ["PATH"], "TERM": "xterm"})
        os.close(theirs)
        shown, asked = "", 0
        while True:
            try:
                shown += os.read(ours, 65536).decode()
            except OSError:  # the program has left
                break
            while shown.count("[y,n,a,q] ") > asked:
                os.write(ours, keys[asked].encode())
                asked += 1
        os.close(ours)
        self.assertEqual((process.wait(timeout=60) != 2, asked), (True, len(keys)), shown)
        return [self.read(name) == GOOD_POD for name in self.NAMES], shown

    def test_each_fix_is_shown_in_colour_and_taken_or_left(self):
        fixed, shown = self.answer(["y\n", "n\n", "y\n"])
        self.assertEqual(fixed, [True, False, True], shown)
        for name in self.NAMES:
            self.assertIn(f"\x1b[1m+++ b/{name}\x1b[0m", shown)
        self.assertIn("\x1b[31m-apiVersion: v1  # gpulint: ignore[yaml-syntax] x\x1b[0m", shown)
        self.assertIn("\x1b[32m+apiVersion: v1\x1b[0m", shown)

    def test_the_rest_may_be_taken_or_left_at_once(self):
        self.assertEqual(self.answer(["n\n", "a\n"])[0], [False, True, True])
        self.assertEqual(self.answer(["y\n", "q\n"])[0], [True, False, False])
        self.assertEqual(self.answer(["\x04"])[0], [False, False, False])  # end of input

    def test_like_findings_of_several_documents_are_asked_about_one_by_one(self):
        text = BROKEN_POD + "---\n" + BROKEN_POD
        self.write("pods.yaml", text)
        ran = self.run_gpulint("fix", "--no-config", "--unsafe-fixes", "--ask", "pods.yaml", stdin="n\ny\n")
        self.assertEqual(self.read("pods.yaml"), BROKEN_POD + "---\n" + GOOD_POD, ran)

    def test_other_answers_are_explained(self):
        fixed, shown = self.answer(["x\n", "q\n"])
        self.assertEqual(fixed, [False, False, False])
        self.assertIn("n: leave it", shown)


class AddSuppressions(Case):
    def suppress(self, text, reason="known since May"):
        self.write("pod.yaml", text)
        ran = self.check("--add-suppressions", reason, "pod.yaml")
        return ran, self.read("pod.yaml")

    def test_a_comment_with_the_reason_silences_each_finding(self):
        ran, text = self.suppress(BROKEN_POD)
        self.assertEqual(ran.status, 0, ran)
        self.assertEqual(text, BROKEN_POD.rstrip("\n")
                         + "  # gpulint: ignore[duplicate-key] known since May\n")
        self.assertEqual(self.check_json("pod.yaml").ids(), [])

    def test_comments_that_are_there_stay(self):
        ran, text = self.suppress(BROKEN_POD.rstrip("\n") + "  # two of them\n")
        self.assertEqual(ran.status, 0, ran)
        self.assertTrue(text.endswith("# two of them  # gpulint: ignore[duplicate-key] known since May\n"))
        ran, text = self.suppress(BROKEN_POD.rstrip("\n") + " # gpulint: ignore[yaml-syntax] old\n")
        self.assertTrue(text.endswith("# gpulint: ignore[yaml-syntax, duplicate-key] old\n"), text)

    def test_line_breaks_stay(self):
        ran, text = self.suppress(BROKEN_POD.replace("\n", "\r\n"))
        self.assertEqual(ran.status, 0, ran)
        path = self.folder / "pod.yaml"
        self.assertEqual(path.read_bytes().count(b"\r\n"), BROKEN_POD.count("\n"))
        ran, text = self.suppress(BROKEN_POD.rstrip("\n"))
        self.assertTrue(text.endswith("known since May"), text)

    def test_values_over_several_lines_get_it_above(self):
        text = "a: {nvidia.com/gpu: 1}\nb: x\nb: |\n  text\n"
        ran, text = self.suppress(text)
        self.assertEqual(self.check_json("pod.yaml").ids(), [], text)

    def test_json_cannot_hold_comments(self):
        text = '{"apiVersion": "v1", "kind": "Pod", "kind": "Pod", "x": "nvidia.com/gpu"}\n'
        self.write("pod.json", text)
        ran = self.check("--add-suppressions", "x", "pod.json")
        self.assertEqual((ran.status, self.read("pod.json")), (1, text), ran)
        self.assertIn("duplicate-key", ran.out)

    def test_what_cannot_be_parsed_is_left_alone(self):
        ran, text = self.suppress("a: [nvidia.com/gpu\n")
        self.assertEqual((ran.status, text), (1, "a: [nvidia.com/gpu\n"), ran)

    def test_reasons_stay_on_one_line(self):
        self.write("pod.yaml", BROKEN_POD)
        ran = self.check("--add-suppressions", "two\nlines", "pod.yaml")
        self.assertEqual((ran.status, self.read("pod.yaml")), (2, BROKEN_POD), ran)
