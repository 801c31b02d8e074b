"""One more file with a mistake gives its own findings, however known findings are left out; one less gives none."""
import re
from collections import Counter

import yaml

from support import SOURCE, Case

WORKLOAD = re.compile(r"^kind: (Pod|Job|CronJob|Deployment|StatefulSet|ReplicaSet|RayCluster|PyTorchJob|Notebook)$", re.M)
NODE = re.compile(r"^kind: (Node|NodePool|Provisioner|MachinePool|InstanceGroup)$", re.M)
# Rules whose findings were about several workloads once: all their cases. Of other rules one each.
PLACING = {"contradictory-node-affinity", "mig-strategy-mismatch", "no-node-fits", "request-exceeds-node",
           "resource-not-offered", "toleration-value-mismatch", "unmatched-node-selector", "untolerated-taint"}

def is_sum(found):
    """A finding that adds up the pods of several workloads: one more file may well be the one that is too much."""
    return found["id"] == "gpu-demand-exceeds-nodes" and any(re.match(r"\d+ for ", label["message"]) for label in found["related"])


def documents(text):
    return [part.strip("\n") + "\n" for part in re.split(r"^---.*\n", text, flags=re.M) if part.strip()]


def renamed(text):
    """The same objects under other names."""
    name = re.compile(r"(^metadata:\s*(?:\{|\n(?:  .*\n)*?  )(?:.*\b)?name: )([\w.-]+)", re.M)
    return "---\n".join(name.sub(r"\1\2-copy", part, count=1) for part in documents(text))


def shapes(ran, file):
    """What is found in the file, without the names of objects."""
    return Counter((found["id"], found["severity"], re.sub(r"`[^`]*`", "``", found["message"]))
                   for found in ran.json()["diagnostics"] if found["file"] == file and not is_sum(found))


class OneMoreFile(Case):
    @staticmethod
    def cases():
        """Cases of rules that hold nodes and workloads, as a file of each."""
        rules = set()
        for path in sorted(SOURCE.glob("rules/*/cases/*.yaml")):
            rule = path.parent.parent.name
            parts = documents(path.read_text(errors="replace"))
            of_nodes = [part for part in parts if NODE.search(part)]
            others = [part for part in parts if not NODE.search(part)]
            is_plain = all(WORKLOAD.search(part) for part in others)
            if path.name.startswith("ok-") or not of_nodes or not others or not is_plain:
                continue
            if rule in rules and rule not in PLACING:
                continue
            rules.add(rule)
            yield path.relative_to(SOURCE), {"nodes.yaml": "---\n".join(of_nodes), "w.yaml": "---\n".join(others)}, "w.yaml"

    @staticmethod
    def mistakes():
        """The worked examples, each with one mistake in a manifest."""
        for path in sorted(SOURCE.glob("testdata/projects/*/mistakes.yaml")):
            files = {str(file.relative_to(path.parent)): file.read_text()
                     for file in sorted(path.parent.rglob("*.yaml")) if file != path}
            for mistake in yaml.safe_load(path.read_text()):
                name = mistake["file"]
                if WORKLOAD.search(files[name]):
                    wrong = files[name].replace(mistake["old"], mistake["new"], 1)
                    config = files["gpulint.yaml"].replace(name, name.replace(".yaml", "*.yaml"))
                    yield f"{path.parent.name}: {mistake['mistake']}", files | {name: wrong, "gpulint.yaml": config}, name

    def holds(self, files, original):
        """The ways in which the law fails for a project; nothing where nothing is found in the file."""
        for path in [path for path in self.folder.rglob("*") if path.is_file() and ".git" not in path.parts]:
            path.unlink()
        for name, text in files.items():
            self.write("project/" + name, text)
        before = self.check_json(".", folder=self.project)
        expected = shapes(before, original)
        if not expected:
            return None
        copy = original.replace(".yaml", "-copy.yaml")
        wrong = []

        def compare(way, ran, told=expected):
            found = [one for one in ran.json()["diagnostics"] if not is_sum(one)]
            if shapes(ran, copy) != told or any(one["file"] != copy for one in found):
                wrong.append((way, ran))

        self.check("--write-baseline", "../known.json", ".", folder=self.project)
        self.git("-C", "project", "add", "-A")
        self.git("-C", "project", "commit", "-qm", "x")
        self.write("project/" + copy, renamed(files[original]))
        compare("baseline", self.check_json("--baseline", "../known.json", ".", folder=self.project))
        compare("changed since", self.check_json("--changed-since", "HEAD", ".", folder=self.project))
        compare("in tree", self.check_json("--in-tree", copy, folder=self.project))
        self.check("--write-baseline", "../known.json", ".", folder=self.project)
        (self.project / original).unlink()
        compare("deleted", self.check_json("--baseline", "../known.json", ".", folder=self.project), Counter())
        (self.project / copy).unlink()
        self.write("project/" + original, files[original])
        self.check("--add-suppressions", "old", ".", folder=self.project)
        self.write("project/" + copy, renamed(files[original]))
        compare("suppressions", self.check_json(".", folder=self.project))
        return wrong

    def hold_all(self, projects, fewest):
        self.project = self.folder / "project"
        self.git("init", "-q", "project")
        held = 0
        for name, files, original in projects:
            wrong = self.holds(files, original)
            held += wrong is not None
            with self.subTest(name):
                self.assertFalse(wrong)
        self.assertGreaterEqual(held, fewest)

    def test_cases_of_rules(self):
        self.hold_all(self.cases(), 40)

    def test_worked_examples(self):
        self.hold_all(self.mistakes(), 8)
