"""`place` and `why` with rendered charts: rendered objects are workloads like written ones."""
from charts import JOB, NODES, RenderedCharts


class Places(RenderedCharts):
    words = ("--render", "app", "--values", "mine.yaml", "nodes.yaml")

    def setUp(self):
        super().setUp()
        self.write("nodes.yaml", NODES.replace("status:", "spec: {taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}\nstatus:"))
        self.write("mine.yaml", "resources:\n  limits:\n    nvidia.com/gpu: 4\n")

    def test_place_has_a_row_for_each_rendered_workload(self):
        self.write("app/templates/job.yaml", JOB)
        ran = self.run_gpulint("place", *self.words)
        self.assertEqual(ran.status, 1)
        rows = [line.split()[0] for line in ran.out.splitlines()[1:3]]
        self.assertEqual(rows, ["Deployment/default/release-name-app", "Job/default/release-name-app-job"])

    def test_place_accepts_what_fits(self):
        self.write("mine.yaml", "resources: {limits: {nvidia.com/gpu: 2}}\ntolerations: [{key: nvidia.com/gpu, operator: Exists}]\n")
        ran = self.run_gpulint("place", *self.words)
        self.assertEqual(ran.status, 0, ran)
        self.assertIn("fits", ran.out)

    def test_why_names_the_line_of_the_values(self):
        ran = self.run_gpulint("why", *self.words)
        self.assertIn("needs 4 `nvidia.com/gpu`, offers 2", ran.out)
        self.assertIn("required by mine.yaml:3:5", ran.out)
        self.assertIn("a chart renders the pod; change the values of the chart", ran.out)
        self.assertNotRegex(ran.out, r"app/templates/deployment.yaml:1:1")

    def test_why_in_json_names_the_line_of_the_values(self):
        story = self.run_gpulint("why", "--format", "json", *self.words).json()["workloads"][0]
        places = [term["demandedBy"] for group in story["groups"] for term in group["terms"] if term["kind"] == "insufficient-resource"]
        self.assertEqual([(place["file"], place["range"]["start"]["line"]) for place in places], [("mine.yaml", 3)])

    def test_why_writes_no_change_into_the_chart(self):
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        self.run_gpulint("why", "--fix", *self.words)
        self.assertEqual(before, {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()})
