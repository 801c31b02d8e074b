"""The page of `check --format html`: what it says without a browser, how large it is, SARIF's rules."""
import json
import re
import subprocess
import sys

import page_inputs
from support import BROKEN_POD, GOOD_POD, SOURCE, Case

# 1.3 times what pages of these inputs took before they had verdicts and stories (364 and 117 KB); of the small one style
# sheet and script are the larger part, which is allowed 1.5 times 31 KB. Reasons to go beyond are rare: look for what is
# said twice.
MOST_BYTES = {"small": 47_000, "wide": 473_000, "many": 175_000}


def texts(pattern, page):
    return [re.sub("<[^>]*>", "", text) for text in re.findall(pattern, page, re.S)]


class Report(Case):
    def page(self, *words, **environment):
        ran = self.check("--no-config", "--format", "html:page.html", *words, **environment)
        self.assertNotEqual(ran.status, 2, ran)
        return self.read("page.html")

    def page_of(self, shape):
        page_inputs.SHAPES[shape](self.folder)
        return self.page(*page_inputs.arguments(shape, self.folder))

    def test_the_verdict_is_what_place_says(self):
        for shape in page_inputs.SHAPES:
            page = self.page_of(shape)
            words = page_inputs.arguments(shape, self.folder)
            placed = self.run_gpulint("place", "--no-config", "--format", "json", *words).json()["results"]
            workloads = {each["workload"] for each in placed}
            fitting = {each["workload"] for each in placed if each["fits"] and each["valid"]}
            headline = texts("<h1>(.*?)</h1>", page)[0]
            counted = re.match(r"(None|\d+) of (\d+) workloads can(not)? be placed", headline)
            refused = len(workloads) if counted[1] == "None" else int(counted[1])
            self.assertEqual((refused, int(counted[2])), (len(workloads) - len(fitting), len(workloads)), headline)
            for path in self.folder.glob("**/*.yaml"):
                path.unlink()

    def test_equal_nodes_share_a_column_that_names_them(self):
        page = self.page_of("small")
        heads = texts('<th scope="col"[^>]*>(.*?)</th>', page)
        self.assertEqual(heads[:4], ["workload", "A100-40GB × 8, 6 nodes", "T4 × 1, 3 nodes", "gke-ml-cpu-1 +2"])
        self.assertIn("<strong>T4 × 1, 3 nodes</strong>: gke-ml-t4-1, gke-ml-t4-2, gke-ml-t4-3", page)

    def test_each_workload_without_a_place_has_the_story_of_why(self):
        page = self.page_of("small")
        words = page_inputs.arguments("small", self.folder)
        stories = self.run_gpulint("why", "--no-config", "--format", "json", *words).json()["workloads"]
        told = dict(zip(re.findall('<details class="why" id="why-(.*?)"', page),
                        re.findall('<details class="why".*?</summary>(.*?)\n</details>', page, re.S)))
        self.assertEqual(len(told), len(stories))
        for text, story in zip(told.values(), stories):
            for term in story["groups"][0]["terms"]:
                self.assertIn(term["key"], text)
        self.assertEqual(len(re.findall(r'<th scope="row" class="no"><b class="no">✗</b> <a href="#why-\d+">', page)), len(stories))

    def test_a_change_that_helps_is_a_patch(self):
        page_inputs.write(self.folder, "nodes.yaml", page_inputs.node("n1", 1, {}, [page_inputs.GPU_TAINT]))
        page_inputs.write(self.folder, "pod.yaml", page_inputs.pod("a", 1, {}, [("nvidia.com/gpu", "gpu")]))
        page = self.page("nodes.yaml", "pod.yaml")
        self.assertIn("With this change it fits:", page)
        patch = texts('<div class="patch"><pre>(.*?)</pre>', page)[0]
        self.write("a.patch", patch.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))
        subprocess.run(["git", "apply", "a.patch"], cwd=self.folder, check=True)
        self.assertEqual(self.check("nodes.yaml", "pod.yaml").status, 0)

    def test_patches_of_fixes_apply(self):
        page = self.page_of("small")
        patches = texts('<details id="fix-.*?<pre>(.*?)</pre>', page)
        self.assertGreater(len(patches), 1)
        for patch in patches:
            self.write("a.patch", patch)
            subprocess.run(["git", "apply", "--check", "a.patch"], cwd=self.folder, check=True)

    def test_cells_lead_to_findings_and_back(self):
        page = self.page_of("small")
        cell, finding = re.search(r'<td class="no" id="(c\d+-\d+)"[^>]*><a href="#(finding-\d+)">gpu 8 &lt; 16', page).groups()
        at = page.index(f'id="{finding}"')
        self.assertIn(f'<a href="#{cell}">Pod/default/wide on A100-40GB × 8, 6 nodes</a>', page[at:page.index("</section>", at)])

    def test_sizes_and_structure(self):
        for shape, most in MOST_BYTES.items():
            page = self.page_of(shape)
            self.assertLess(len(page), most, shape)
            ran = subprocess.run([sys.executable, SOURCE / "ci/check_html.py", "page.html"], cwd=self.folder,
                                 capture_output=True, text=True, check=False, timeout=300)
            self.assertEqual(ran.returncode, 0, ran)
            print(ran.stdout, end="")  # where there is no browser it says so
            for path in self.folder.glob("**/*.yaml"):
                path.unlink()

    def test_nothing_is_loaded_and_no_style_stands_in_elements(self):
        page = self.page_of("many")
        policy = re.search('http-equiv="Content-Security-Policy" content="(.*?)"', page)[1]
        self.assertRegex(policy, r"^default-src 'none'; style-src 'sha256-[^ ]+'; script-src 'sha256-[^ ]+'; "
                                 r"base-uri 'none'; form-action 'none'$")
        self.assertNotRegex(page, r"<[^>]* style=|<link|<img|@import|url\(")

    def test_equal_runs_give_equal_pages(self):
        self.write("pod.yaml", BROKEN_POD)
        self.assertEqual(self.page("pod.yaml"), self.page("pod.yaml"))
        self.assertIn("1970-01-01 00:00 UTC", self.page("pod.yaml"))
        self.assertIn("2001-09-09 01:46 UTC", self.page("pod.yaml", SOURCE_DATE_EPOCH="1000000000"))
        self.assertNotIn("1970", self.page("pod.yaml", SOURCE_DATE_EPOCH="soon"))

    def test_the_page_says_what_it_was_made_of(self):
        self.write("it's here/pod.yaml", GOOD_POD)
        self.write("gpulint.yaml", "provider: gke\n")
        self.commit_all()
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=self.folder, capture_output=True, text=True, check=True)
        for _ in range(2):
            self.check("--format", "html:page.html", "it's here")
            page = self.read("page.html")
            self.assertIn("<code>gpulint check --format html:page.html &#39;it&#39;\\&#39;&#39;s here&#39;</code>", page)
            self.assertIn("<dt>configuration</dt><dd><code>gpulint.yaml</code>", page)
            self.assertIn(f"<code>{head.stdout.strip()}</code>", page)
            self.assertIn("<dd>1 workload</dd>", page)
            self.assertIn("1 workload has no nodes in the same scope", page)
            self.git("pack-refs", "--all")  # and once more, from there
        self.git("worktree", "add", "-q", "--detach", "other")
        self.check("--format", "html:page.html", ".", folder=self.folder / "other")
        self.assertIn(f"<code>{head.stdout.strip()}</code>", self.read("other/page.html"))

    def test_outside_of_repositories_and_without_configuration_that_is_said(self):
        self.write("pod.yaml", GOOD_POD)
        page = self.page("pod.yaml")
        self.assertIn("<dd>no gpulint.yaml</dd>", page)
        self.assertIn("<dd>outside of git repositories</dd>", page)

    def test_of_the_rules_sarif_has_those_that_were_found(self):
        page_inputs.SHAPES["many"](self.folder)
        self.check("--no-config", "--format", "sarif:a.sarif", *page_inputs.arguments("many", self.folder))
        run = json.loads(self.read("a.sarif"))["runs"][0]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        self.assertEqual(sorted(rules), sorted({result["ruleId"] for result in run["results"]}))
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]], result["ruleId"])

    def test_text_tells_once_what_many_workloads_share(self):
        page_inputs.SHAPES["many"](self.folder)
        words = page_inputs.arguments("many", self.folder)
        ran = self.check("--no-config", *words)
        self.assertEqual(ran.out.count("[legacy-node-label]"), 1)
        self.assertIn("= also: 23 findings like this one", ran.out)
        self.assertIn("Found 12 errors, 72 warnings in 13 files", ran.out)
        ids = self.check_json("--no-config", *words).ids()
        self.assertEqual(ids.count("legacy-node-label"), 24)
