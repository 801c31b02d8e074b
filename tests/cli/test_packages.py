"""What `pyflyte package` wrote as an input beside values, nodes and sources (docs/reference/python-tasks.md)."""
import io
import json
import shutil
import tarfile
import unittest

from support import SOURCE, Case
from test_python import NODE, TASK, VALUES


def varint(value):
    rest = [value & 0x7F]
    while value := value >> 7:
        rest[-1] |= 0x80
        rest.append(value & 0x7F)
    return bytes(rest)


def number(field, value):
    return varint(field << 3) + varint(value)


def part(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def identifier(kind, name):
    return number(1, kind) + part(4, name)


def resources(gpu):
    return part(1, number(1, 2) + part(2, gpu))


def task(name, gpu="1", device="nvidia-tesla-a100"):
    """A TaskSpec of flyteidl's; numbers of its descriptors."""
    extended = part(9, part(1, part(1, device))) if device else b""
    return part(1, part(1, identifier(1, name)) + part(2, "python-task") + part(6, part(4, resources(gpu))) + extended)


def package(**files):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name + ".pb")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return made.getvalue()


class Packages(Case):
    def write_cluster(self):
        self.write("values.yaml", VALUES)
        self.write("nodes.yaml", NODE)

    def names(self, *words):
        ran = self.run_gpulint("place", "-q", *words)
        return sorted({line.split()[0].split("/")[2] for line in ran.out.splitlines()
                       if line.startswith("Pod/") and ": " not in line})

    def test_a_package_is_held_against_values_and_nodes(self):
        self.write_cluster()
        self.write("package.tgz", package(a_1=task("flows.train.train"), b_1=task("flows.train.cpu", "0", "")))
        ran = self.check("values.yaml", "nodes.yaml", "package.tgz")
        self.assertEqual(ran.status, 1, ran)
        self.assertIn("task `flows.train.train` requires `nvidia.com/gpu.product=nvidia-tesla-a100`", ran.out)
        self.assertIn("--> package.tgz\n", ran.out)
        self.assertNotIn("\0", ran.out)
        self.assertIn("1 task", ran.err)
        self.assertEqual(self.names("values.yaml", "nodes.yaml", "package.tgz"), ["flows.train.train"])
        self.assertIn("# task flows.train.train, Flyte 1", self.run_gpulint("compile", "values.yaml", "package.tgz").out)
        self.assertIn("nvidia-tesla-a100", self.run_gpulint("why", "values.yaml", "nodes.yaml", "package.tgz").out)

    def test_unpacked_files_are_read_as_well(self):
        self.write_cluster()
        overridden = part(6, part(1, identifier(1, "train")) + part(2, part(1, resources("4"))))
        workflow = part(1, part(1, identifier(2, "work")) + part(4, overridden))
        self.write("p/0_train_1.pb", task("train", "1", ""))
        self.write("p/1_work_2.pb", workflow)
        self.write("p/2_work_3.pb", part(1, identifier(3, "work")))
        names = self.names("values.yaml", "nodes.yaml", "p/0_train_1.pb", "p/1_work_2.pb", "p/2_work_3.pb")
        self.assertEqual(names, ["train", "train.with_overrides"])

    def test_a_package_stands_before_its_source(self):
        self.write_cluster()
        self.write("flows/train.py", TASK)
        self.write("package.tgz", package(a_1=task("flows.train.train", "4", "nvidia-tesla-t4")))
        ran = self.check_json(".", "package.tgz")
        found = {finding["id"]: finding for finding in ran.json()["diagnostics"]}
        differs = found["declared-task-differs"]
        self.assertEqual(differs["message"], "task `train` requests 1 GPU of `nvidia-tesla-t4` in Python, but its package "
                         "requests 4 GPUs of `nvidia-tesla-t4`")
        self.assertEqual((differs["file"], differs["range"]["start"]["line"]), ("flows/train.py", 5))
        self.assertEqual([each["file"] for each in differs["related"]], ["package.tgz"])
        self.assertEqual(self.names(".", "package.tgz"), ["flows.train.train"])
        # Where both say the same the source's line is worth more.
        self.write("package.tgz", package(a_1=task("flows.train.train", "1", "nvidia-tesla-t4")))
        self.assertNotIn("declared-task-differs", self.check_json(".", "package.tgz").ids())
        self.assertEqual(self.names(".", "package.tgz"), ["train"])
        # Another module's task of the same name is another task.
        self.write("package.tgz", package(a_1=task("flows.other.train", "4", "nvidia-tesla-t4")))
        self.assertEqual(self.names(".", "package.tgz"), ["flows.other.train", "train"])

    def test_what_flytekit_packaged_is_what_its_source_says(self):
        self.write_cluster()
        for name in ("flytekit_tasks.py", "flytekit_package.tgz"):
            shutil.copy(SOURCE / "testdata/python" / name, self.folder)
        names = self.names(".")
        self.assertGreater(len(names), 50)
        self.assertEqual(self.names(".", "flytekit_package.tgz"), names)
        ids = self.check_json("--select", "python", ".", "flytekit_package.tgz").ids()
        self.assertEqual(ids, self.check_json("--select", "python", ".").ids())
        self.assertNotIn("declared-task-differs", ids)

    def test_what_a_source_computes_is_known_from_the_package(self):
        self.write_cluster()
        self.write("train.py", TASK.replace("accelerator=T4", "accelerator=choose()"))
        alone = self.check_json("--select", "opaque-task-resources", ".")
        self.assertEqual(alone.ids(), ["opaque-task-resources"])
        self.write("package.tgz", package(a_1=task("train.train", "1", "nvidia-tesla-t4")))
        self.assertEqual(self.check_json("--select", "opaque-task-resources", ".", "package.tgz").ids(), [])
        self.assertEqual(self.names(".", "package.tgz"), ["train.train"])

    def test_what_the_user_declares_stands_before_a_package(self):
        self.write_cluster()
        self.write("package.tgz", package(a_1=task("flows.train.train", "4", "")))
        ran = self.check_json("values.yaml", "nodes.yaml", "package.tgz", "--task", "name=train,gpu=1")
        self.assertEqual(ran.ids(), ["declared-task-differs"])
        self.assertIn("its declaration requests 1 GPU", ran.out)

    def test_gpulint_yaml_names_packages(self):
        self.write_cluster()
        self.write("build/package.tgz", package(a_1=task("train")))
        self.write("gpulint.yaml", "nodes: [nodes.yaml]\nflyte: {values: [values.yaml]}\nworkloads: [build/package.tgz]\n")
        self.assertIn("device-value-mismatch", self.check_json().ids())
        (self.folder / "gpulint.yaml").unlink()
        self.assertNotIn("package.tgz", self.check().out)  # a walk looks into no package

    def test_what_is_no_package_is_told(self):
        for content, why in ((package(a_1=b"\x0a\x09"), "contains no task, workflow or launch plan"),
                             (package(a_1=task("t"))[:40], "it is cut off"),
                             (b"PK\3\4", "contains no task"), (b"", "contains no task")):
            self.write("package.tgz", content)
            ran = self.check("package.tgz")
            self.assertEqual(ran.status, 2, ran)
            self.assertIn("package.tgz: cannot be read as output of `pyflyte package`", ran.err)
            self.assertIn(why, ran.err)

    def test_every_format_points_at_the_file(self):
        self.write_cluster()
        self.write("package.tgz", package(a_1=task("flows.train.train")))
        for output in ("concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "html", "markdown", "checkstyle", "rdjson",
                       "azure", "sonar", "openreports", "policyreport"):
            with self.subTest(output):
                ran = self.check("--format", output, "values.yaml", "nodes.yaml", "package.tgz")
                self.assertEqual(ran.status, 1, ran)
                self.assertIn("package.tgz", ran.out)
                self.assertFalse(any(ord(c) < 32 and c not in "\n\r\t" for c in ran.out))
        (found,) = self.check_json("values.yaml", "nodes.yaml", "package.tgz").json()["diagnostics"]
        begin = {"line": 1, "column": 1, "offset": 0}
        self.assertEqual(found["range"], {"start": begin, "end": begin})
        sonar = json.loads(self.check("--format", "sonar", "values.yaml", "nodes.yaml", "package.tgz").out)
        self.assertNotIn("textRange", sonar["issues"][0]["primaryLocation"])

    def test_a_package_is_never_written(self):
        self.write_cluster()
        self.write("train.py", TASK.replace('"1"', "1"))
        before = package(a_1=task("train.train", "1", "nvidia-tesla-k80"))
        self.write("package.tgz", before)
        self.run_gpulint("fix", "--unsafe-fixes", ".", "package.tgz")
        self.assertEqual((self.folder / "package.tgz").read_bytes(), before)
        self.assertEqual(self.read("train.py"), TASK)


if __name__ == "__main__":
    unittest.main()
