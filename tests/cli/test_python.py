"""Tasks that a walk finds in Python, and what they are held against (docs/reference/python-tasks.md)."""
import shutil
import sys
import unittest

from support import SOURCE, Case

sys.path.insert(0, str(SOURCE / "tests/python_sdks"))
from python_ast import kept_by_reader, seen_by_gpulint  # pylint: disable=wrong-import-position

VALUES = """\
configuration:
  inline:
    plugins:
      k8s:
        gpu-device-node-label: nvidia.com/gpu.product
    task_resources: {limits: {gpu: 8}}
"""
NODE = """\
apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {nvidia.com/gpu.product: Tesla-T4}}
status: {allocatable: {cpu: "8", memory: 32Gi, nvidia.com/gpu: "1", pods: "110"}}
"""
TASK = """\
from flytekit import Resources, task
from flytekit.extras.accelerators import T4


@task(requests=Resources(gpu="1"), accelerator=T4)
def train(): ...
"""
TEMPLATE = """\
apiVersion: v1
kind: PodTemplate
metadata: {name: base}
template:
  spec: {runtimeClassName: nvidia, containers: [{name: default, image: noop}]}
"""


class Walk(Case):
    def pods(self, *words):
        ran = self.run_gpulint("place", "-q", *words)
        return [line.split()[0] for line in ran.out.splitlines() if line.startswith("Pod/")]

    def test_the_sample_shows_decorator_values_and_node_in_one_finding(self):
        shutil.copytree(SOURCE / "testdata/docs/tasks", self.folder, dirs_exist_ok=True)
        ran = self.run_gpulint("check", "--format", "json", ".")
        self.assertEqual(ran.status, 1, ran)
        places = [{d["file"], *(r["file"] for r in d["related"])} for d in ran.json()["diagnostics"]]
        self.assertIn({"flyte/values.yaml", "infra/nodes.yaml", "workflows/train.py"}, places)

    def test_a_walk_joins_tasks_with_the_only_release(self):
        self.write("deploy/values.yaml", VALUES)
        self.write("deploy/nodes.yaml", NODE)
        self.write("src/flows/train.py", TASK)
        self.write("src/flows/other.py", "def helper(): return 'flyte'\n")
        self.assertTrue(any("train" in pod for pod in self.pods(".")), self.pods("."))
        self.assertFalse(any("assumed" in pod for pod in self.pods(".")), self.pods("."))
        self.assertNotIn("train", " ".join(self.pods(".", "--no-join")))

    def test_no_task_is_assumed_where_gpus_are_not_read(self):
        self.write("values.yaml", VALUES)
        self.write("nodes.yaml", NODE)
        self.assertIn("Pod/default/assumed-gpu", self.pods("."))
        self.write("serve.py", "import flyte\nfrom flyte.app import AppEnvironment\n"
                               "app = AppEnvironment(name='llm', resources=flyte.Resources(gpu='L40s:4'))\n")
        ran = self.check(".")
        self.assertIn("info[opaque-task-resources]", ran.out)
        self.assertIn("serve.py:3:44", ran.out)
        self.assertNotIn("assumed", ran.out + ran.err)
        self.assertEqual(self.pods("."), [])
        ran = self.run_gpulint("compile", ".")
        self.assertEqual(ran.out, "")
        self.assertIn("no GPU task could be read from the Python files", ran.err)

    def test_a_source_may_import_its_sdk_through_the_project(self):
        self.write("values.yaml", VALUES)
        self.write("nodes.yaml", NODE)
        self.write("lib/__init__.py", "")
        self.write("lib/settings.py", "from flytekit import Resources, task\n"
                                      "def gpu_task(n): return task(requests=Resources(gpu=n))\n")
        self.write("lib/tasks.py", "from .settings import gpu_task\n")
        self.write("train.py", "from lib.tasks import gpu_task\n@gpu_task('1')\ndef train(): ...\n")
        self.write("other.py", "from elsewhere import gpu_task\n@gpu_task('1')\ndef other(): ...\n")
        self.assertEqual(self.pods("."), ["Pod/default/train"])
        self.assertEqual(self.pods("values.yaml", "nodes.yaml", "lib/settings.py", "lib/tasks.py", "train.py"),
                         ["Pod/default/train"])
        ran = self.check(".")
        self.assertIn("1 task", ran.err)
        self.assertNotIn("opaque", ran.out)

    def test_a_source_that_is_only_context_is_not_told_of(self):
        self.git("init", "-q")
        self.write("app/values.yaml", VALUES)
        self.write("app/nodes.yaml", NODE)
        self.write("demo/cases/a/train.py", TASK)
        self.write("demo/cases/b/train.py", TASK)
        self.assertNotIn("demo", self.check("app").err)
        self.assertIn("not compared: tasks in demo/cases/a/train.py and 1 more file", self.check(".").err)

    def test_a_source_alone_is_read(self):
        self.write("train.py", TASK)
        ran = self.check("-v", "train.py")
        self.assertEqual(ran.out, "No problems found in 1 file, 1 task\n")
        self.assertIn("read: train.py: tasks in Python, named", ran.err)
        self.assertIn("read: 1 task", ran.err)
        self.assertNotIn("skipped", ran.err)
        self.write("other.py", "import flytekit\n")
        self.assertIn("Nothing to check in 1 file", self.check("other.py").out)

    def test_an_amount_that_is_computed_is_a_comment(self):
        self.write("values.yaml", VALUES)
        self.write("train.py", "import os\nfrom flytekit import Resources, task\n\n\n"
                               "@task(requests=Resources(gpu=os.environ['GPUS']))\ndef train(): ...\n")
        compiled = self.run_gpulint("compile", ".").out
        self.assertIn("# nvidia.com/gpu: computed, task.requests.gpu, train.py:5:30", compiled)
        self.assertNotIn('""', compiled)
        pod = self.run_gpulint("compile", "--format", "json", ".").json()["pods"][0]
        self.assertNotIn("nvidia.com/gpu", pod["spec"]["containers"][0]["resources"].get("limits", {}))
        self.assertIn("opaque-task-resources", self.check_json(".").ids())
        declared = self.check_json(".", "--task", "name=train,gpu=1")
        self.assertNotIn("opaque-task-resources", declared.ids())

    def test_amounts_are_checked_once_with_and_without_values(self):
        source = "from flytekit import Resources, task\n" + "".join(
            f"\n\n@task(requests=Resources(gpu='{amount}'))\ndef {name}(): ...\n"
            for name, amount in (("half", "0.5"), ("less", "-1"), ("word", "one")))
        self.write("train.py", source)
        self.assertEqual(self.check_json("train.py").ids(), ["invalid-task-amount"] * 3)
        self.write("values.yaml", VALUES)
        self.assertEqual(sorted(self.check_json(".").ids()), ["flyte-value-type", "invalid-task-amount", "task-gpu-limit"])

    def test_several_releases_are_not_guessed_between(self):
        self.write("a.yaml", VALUES)
        self.write("b.yaml", VALUES.replace("product", "machine"))
        self.write("train.py", TASK)
        ran = self.check(".")
        self.assertIn("not compared: tasks in train.py", ran.out + ran.err)
        self.write("team/values.yaml", VALUES)
        self.write("team/tasks/train.py", TASK)
        compiled = self.run_gpulint("compile", "team")
        self.assertIn("# task train, Flyte 1, team/values.yaml", compiled.out)

    def test_installed_and_ignored_sources_are_passed_over(self):
        self.write("values.yaml", VALUES)
        for folder in ("venv/lib/python3.11/site-packages/x", "web/node_modules/x", "ignored"):
            self.write(f"{folder}/train.py", TASK)
        self.write(".gitignore", "ignored/\n")
        (self.folder / ".git").mkdir()
        self.assertNotIn("# task train", self.run_gpulint("compile", ".").out)

    def test_examples_are_no_part_of_what_runs(self):
        self.write("values.yaml", VALUES)
        self.write("examples/train.py", TASK)
        self.assertNotIn("# task train", self.run_gpulint("compile", ".").out)

    def test_constants_of_modules_beside_a_source_count(self):
        self.write("values.yaml", VALUES)
        self.write("flows/train.py", "from flytekit import task\nfrom .gpus import RESOURCES\nfrom common.sizes import N\n"
                   "import gpus\nfrom flytekit import Resources\n\n\n@task(requests=RESOURCES)\ndef one(): ...\n\n\n"
                   "@task(requests=Resources(gpu=N))\ndef two(): ...\n\n\n@task(requests=gpus.RESOURCES)\ndef three(): ...\n")
        self.write("flows/gpus.py", "from flytekit import Resources\nimport sizes\n\nRESOURCES = Resources(gpu='3')\n")
        self.write("common/__init__.py", "")
        self.write("common/sizes.py", "N = '5'\n")
        out = self.run_gpulint("compile", ".").out
        amounts = [line.split('"')[1] for line in out.splitlines() if "nvidia.com/gpu:" in line]
        self.assertEqual(sorted(set(amounts)), ["3", "5"], out)
        # Two modules of one name: nobody knows which is meant.
        self.write("flows/common/sizes.py", "N = '7'\n")
        out = self.run_gpulint("compile", ".").out
        self.assertNotIn('"5"', out)
        self.assertNotIn('"7"', out)

    def test_an_environment_of_another_module(self):
        self.write("values.yaml", VALUES)
        self.write("envs.py", "import flyte\n\ngpu = flyte.TaskEnvironment(name='gpu', resources=flyte.Resources(gpu='T4:2'))\n")
        self.write("work.py", "import flyte\nfrom envs import gpu\n\n\n@gpu.task\ndef train(): ...\n")
        self.assertIn("# task gpu.train, Flyte 2, values.yaml", self.run_gpulint("compile", ".").out)

    def test_a_task_of_another_module_and_what_a_star_gives(self):
        self.write("values.yaml", VALUES)
        self.write("tasks/sizes.py", "from flytekit import Resources\nBIG = Resources(gpu='4')\n")
        self.write("tasks/train.py", TASK)
        self.write("tasks/work.py", "from flytekit import workflow\nfrom train import train\nfrom sizes import *\n\n\n"
                   "@workflow\ndef work():\n    train().with_overrides(requests=BIG, limits=BIG)\n")
        compiled = self.run_gpulint("compile", ".").out
        self.assertIn("# task train.with_overrides,", compiled)
        self.assertIn('nvidia.com/gpu: "4"', compiled)

    def test_partials_of_another_module(self):
        self.write("values.yaml", VALUES)
        self.write("kinds.py", "import functools\nfrom flytekit import Resources, task\n"
                   "gpu_task = functools.partial(task, requests=Resources(gpu='2'))\n")
        self.write("work.py", "import flytekit\nfrom kinds import gpu_task\n\n\n@gpu_task(cache=True)\ndef train(): ...\n")
        self.assertIn('nvidia.com/gpu: "2"', self.run_gpulint("compile", ".").out)

    def test_pod_templates_are_joined_with_the_release_that_needs_them(self):
        self.write("deploy/values.yaml", VALUES)
        self.write("deploy/template.yaml", TEMPLATE)
        self.write("src/train.py", TASK.replace("accelerator=T4", "pod_template_name='base'"))
        compiled = self.run_gpulint("compile", ".").out
        self.assertIn("runtimeClassName: nvidia  # PodTemplate/base.runtimeClassName, deploy/template.yaml:5:28", compiled)
        self.write("deploy/again.yaml", TEMPLATE.replace("{name: base}", "{name: base, namespace: team-production}"))
        again = self.run_gpulint("check", ".").out
        self.assertIn("PodTemplate `base` is not in the files", again)  # either of the two may be meant
        (self.folder / "deploy/again.yaml").unlink()
        (self.folder / "deploy/template.yaml").unlink()
        self.assertIn("PodTemplate `base` is not in the files", self.run_gpulint("check", ".").out)
        self.write("deploy/values.yaml", VALUES.replace("      k8s:\n", "      k8s:\n        default-pod-template-name: base\n"))
        self.write("deploy/nodes.yaml", NODE)
        self.write("src/train.py", TASK)
        ran = self.check(".")
        self.assertIn("no PodTemplate `base` for all tasks", ran.out + ran.err)

    def test_a_source_is_mended_and_its_comments_silence(self):
        self.write("train.py", TASK.replace('"1"', "1"))
        self.assertEqual(self.check_json(".").ids(), ["flytekit-int-gpu"])
        self.assertEqual(self.run_gpulint("fix", ".").status, 0)
        self.assertEqual((self.folder / "train.py").read_text(), TASK)
        self.write("train.py", TASK.replace('"1"', "1").replace("@task", "# gpulint: ignore[flytekit-int-gpu] later\n@task"))
        self.assertEqual(self.check_json(".").ids(), [])

    def test_init_names_the_sources_of_tasks(self):
        self.write("values.yaml", VALUES)
        self.write("nodes.yaml", NODE)
        self.write("flows/train.py", TASK)
        self.assertIn("flows/train.py", self.run_gpulint("init", "--output", "-").out)


class Oracle(Case):
    def test_the_reader_sees_what_python_sees(self):
        files = sorted(path for folder in ("testdata", "tests", "ci", "bench", "compiler", "rules")
                       for path in (SOURCE / folder).rglob("*.py"))
        self.assertGreater(len(files), 60)
        count = 0
        for path in files:
            told = seen_by_gpulint(self.run_gpulint("debug", "spans", str(path)).out)
            try:
                seen, all_seen = kept_by_reader(path.read_bytes())
            except SyntaxError:
                continue  # a seed of the fuzzer
            self.assertEqual(seen - told, set(), path)
            self.assertEqual(told - all_seen, set(), path)
            count += len(seen)
        self.assertGreater(count, 2000)


if __name__ == "__main__":
    unittest.main()
