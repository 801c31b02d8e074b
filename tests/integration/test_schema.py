"""`gpulint schema`, judged by a validator of JSON Schema."""
import gzip
import json
import os
import pathlib
import re
import subprocess

import outside
from support import SOURCE, Case

SHARED = pathlib.Path(os.environ.get("GPULINT_SHARED_DIR", SOURCE.parent / "shared"))

GOOD_CONFIGS = ["", "{}", "provider: gke", "flyte: {version: 1, chart: flyte-core, values: v.yaml}",
                "flyte: {version: '2', values: [a, b]}", "nodes: cluster/*.yaml",
                "nodePools: [{name: a, taints: [{key: k, effect: NoSchedule}, 'k=v:NoSchedule'], "
                "allocatable: {nvidia.com/gpu: 8, memory: 80Gi}}]",
                "tasks: [{name: t, requests: {gpu: '1'}, accelerator: A100.partition_2g_10gb}]",
                "tasks: [{name: t, accelerator: {device: nvidia-l4, unpartitioned: true}}]",
                "rules: {select: [placement, yaml-syntax], ignore: idle-gpu-nodes, severity: {legacy-node-label: error}}",
                "rules: {select: [own-rule], ignore: }\npolicies: [{id: own-rule, message: m, forbid: {path: a}}]",
                "scopes: [{name: a, paths: ['a/**'], rules: {ignore: [own-rule]}, "
                "policies: [{id: own-rule, message: m, forbid: {path: a}}]}]",
                "per-file-ignores: {'tests/**': [resources]}", "cluster: {kubernetes: 1.31, migStrategy: mixed}",
                "scopes: [{name: a, paths: ['a/**'], provider: eks}]",
                "policies: [{id: x, message: m, match: {kind: Pod, requestsGpu: true}, "
                "require: {path: metadata.labels.team, pattern: '[a-z]+'}}]"]
BAD_CONFIGS = ["providr: gke", "provider: azure", "flyte: 1", "flyte: {version: 3}", "flyte: {charts: x}",
               "cluster: {migStrategy: both}", "rules: {severity: {legacy-node-label: fatal}}",
               "rules: {ignore: [untolerated-taintt]}", "rules: {select: placment}", "rules: {severity: {legacy-node-labl: error}}",
               "per-file-ignores: {'tests/**': [resorces]}", "scopes: [{name: a, paths: [a], rules: {ignore: [own-rule]}}]",
               "scopes: [{name: a, paths: [a], per-file-ignores: {b: own-rule}}]", "nodePools: [{label: {}}]",
               "tasks: [{accelerator: {devise: x}}]", "policies: [{message: m}]", "- a"]


# Flyte takes unknown keys without a word where they hold nothing, and a text for a list of tolerations where it can make
# nothing of it: mistakes all the same, which a schema should show.
HOLDS_NOTHING = re.compile(r"^ +(- nvidia.com/gpu: oops|K8S: {}|default-toleration: {}|bogus: {}|bogus:\n +a: null|"
                           r"gpu-resource-nam: null)\n", re.M)

# The schema is for both versions.
OF_ONE_VERSION = {"accelerator-devices", "accelerator-device-classes", "disable-inject-owner-references",
                  "enable-distributed-error-aggregation"}


@outside.needs_registry
class Schema(Case):
    def setUp(self):
        super().setUp()
        self.python = outside.environment("tools") / "python"

    def judge(self, name, documents):
        """Whether the schema accepts each of the YAML texts; None where a text is not YAML."""
        self.write("schema.json", self.run_gpulint("schema", name).out)
        script = (
            "import json, sys, yaml, jsonschema\n"
            "schema = json.load(open(sys.argv[1]))\n"
            "jsonschema.Draft7Validator.check_schema(schema)\n"
            "validator = jsonschema.Draft7Validator(schema)\n"
            "verdicts = []\n"
            "def keyed(value):\n"
            "    if isinstance(value, list): return [keyed(item) for item in value]\n"
            "    if not isinstance(value, dict): return value\n"
            "    return {str(key): keyed(item) for key, item in value.items()}\n"
            "for text in json.load(sys.stdin):\n"
            "    try:\n"
            "        verdicts.append(validator.is_valid(keyed(yaml.safe_load(text) or {})))\n"
            "    except (yaml.YAMLError, ValueError):\n"
            "        verdicts.append(None)\n"
            "print(json.dumps(verdicts))\n")
        ran = subprocess.run([self.python, "-c", script, self.folder / "schema.json"], text=True, check=False,
                             input=json.dumps(documents), capture_output=True, timeout=600)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout)

    def test_configurations(self):
        self.assertEqual(self.judge("config", GOOD_CONFIGS), [True] * len(GOOD_CONFIGS))
        self.assertEqual(self.judge("config", BAD_CONFIGS), [False] * len(BAD_CONFIGS))

    def test_gpulint_and_the_schema_agree_on_configurations(self):
        self.write("pod.yaml", "a: b\n")
        for texts, wanted in ((GOOD_CONFIGS, False), (BAD_CONFIGS, True)):
            for text in texts:
                self.write("gpulint.yaml", text + "\n")
                ran = self.check("--quiet", "pod.yaml")
                refused = ran.status == 2 or "unknown-config-key" in ran.out
                if text != "policies: [{message: m}]":
                    self.assertEqual(refused, wanted, (text, ran))

    def test_values_that_flyte_takes_are_taken(self):
        with gzip.open(SOURCE / "testdata/golden/flyte-strict.jsonl.gz", "rt") as golden:
            cases = [json.loads(line) for line in golden]
        verdicts = self.judge("flyte-values", [HOLDS_NOTHING.sub("", case["config"]) for case in cases])
        known_only = [case for case in cases if not case["invalid_keys"] and not case["error"]]
        self.assertGreater(len(known_only), 50)
        for case, verdict in zip(cases, verdicts):
            if case in known_only:
                self.assertIsNot(verdict, False, case)
        unknown = [verdict for case, verdict in zip(cases, verdicts)
                   if any(key.startswith("plugins.k8s.") and key.split(".")[2] not in OF_ONE_VERSION
                          for key in case["invalid_keys"])]
        self.assertGreater(len(unknown), 50)
        self.assertNotIn(True, unknown)

    def test_the_corpus_of_charts_is_taken(self):
        values = sorted(pathlib.Path(SHARED / "corpus/files").rglob("values*.yaml"))
        if not values:
            self.skipTest("the corpus is not here")
        texts = [path.read_text(errors="replace") for path in values]
        verdicts = self.judge("flyte-values", texts)
        refused = [str(path) for path, verdict in zip(values, verdicts) if verdict is False]
        self.assertEqual(refused, [])
