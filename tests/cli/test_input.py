"""What is read: standard input, folders, names, configuration, excludes."""
import os
import subprocess

from support import BROKEN_POD, GOOD_POD, GPULINT, Case


class StandardInput(Case):
    def test_a_dash_reads_it_under_the_name_given(self):
        ran = self.check_json("-", stdin=BROKEN_POD)
        self.assertEqual((ran.status, ran.json()["diagnostics"][0]["file"]), (1, "<stdin>"), ran)
        ran = self.check_json("--stdin-filename", "pods/train.yaml", "-", stdin=BROKEN_POD)
        self.assertEqual(ran.json()["diagnostics"][0]["file"], "pods/train.yaml")

    def test_empty_input_is_no_crash(self):
        for text in ("", "\n", "---\n", "# nothing\n", "\ufeff"):
            self.assertEqual(self.check("-", stdin=text).status, 0, repr(text))

    def test_every_object_of_a_json_stream_is_read_and_its_fix_is_its_own(self):
        pod = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"t"},"spec":{"nodeSelector":{"nvidia.com/gpu.present":true},' \
              '"containers":[{"name":"a","image":"i","resources":{"limits":{"nvidia.com/gpu":%s}}}]}}'
        good = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"} {"}}'
        stream = "\n".join([good, pod % '"0.5"', good, pod % 1]) + "\n"
        ran = self.check_json("-", stdin=stream)
        found = [(finding["id"], finding["range"]["start"]["line"]) for finding in ran.json()["diagnostics"]]
        self.assertIn(("fractional-gpu", 2), found, ran)
        self.assertEqual({line for _, line in found}, {2, 4}, ran)
        self.write("stream.json", stream)
        self.run_gpulint("fix", "--no-config", "stream.json")
        fixed = stream.replace('present":true', 'present":"true"')
        self.assertEqual(self.read("stream.json"), fixed)

    def test_it_goes_with_files(self):
        self.write("good.yaml", GOOD_POD)
        self.assertEqual(self.check_json("good.yaml", "-", stdin=BROKEN_POD).ids(), ["duplicate-key"])


class Folders(Case):
    def test_only_yaml_and_json_names_below_them_count(self):
        for name in ("a.yaml", "b/c.yml", "b/d/e.json"):
            self.write(name, BROKEN_POD)
        self.write("f.txt", BROKEN_POD)
        self.write("g.yaml.bak", BROKEN_POD)
        ran = self.check_json()
        files = [finding["file"].removeprefix("./") for finding in ran.json()["diagnostics"]]
        self.assertEqual(files, ["a.yaml", "b/c.yml", "b/d/e.json"], ran)
        self.assertEqual(self.check_json("f.txt").ids(), ["duplicate-key"])  # named: any name

    def test_json_of_compilers_and_editors_is_left_alone_in_walks(self):
        self.write("tsconfig.json", '{\n  // options\n  "compilerOptions": {"plugins": []}\n}\n')
        self.write(".vscode/launch.json", '{\n  // nvidia.com/gpu\n  "configurations": [],\n}\n')
        self.assertEqual(self.check_json().ids(), [])
        self.assertEqual(self.check_json("tsconfig.json").ids(), ["yaml-syntax"])
        self.write("pod.json", '{"apiVersion": "v1", // nvidia.com/gpu\n"kind": "Pod"}\n')
        self.assertEqual(self.check_json().ids(), ["yaml-syntax"])

    def test_the_order_of_findings_is_stable(self):
        for i in range(40):
            self.write(f"{i % 7}/{i}.yaml", BROKEN_POD)
        runs = {self.check_json("--jobs", jobs).out for jobs in ("1", "2", "7")}
        self.assertEqual(len(runs), 1)

    def test_strange_names_are_read_and_shown_escaped(self):
        names = ["a b.yaml", "-x.yaml", "new\nline.yaml", "esc\x1b[31m.yaml", "ü\u202e.yaml", "'\".yaml"]
        for name in names:
            self.write(name, BROKEN_POD)
        for form, mark in (("text", ".yaml:10:7"), ("concise", "error[duplicate-key]")):  # text tells it once, with all places
            ran = self.check("--color", "never", "--format", form)
            self.assertEqual(ran.status, 1, ran)
            self.assertEqual(ran.out.count(mark), len(names), ran)
            self.assertNotIn("\x1b", ran.out)
            self.assertNotIn("\u202e", ran.out)
            self.assertNotIn("new\nline", ran.out)
        ran = self.check("--no-config", "no\x1b[31msuch.yaml")
        self.assertEqual(ran.status, 2)
        self.assertNotIn("\x1b", ran.err)

    def test_a_name_like_a_flag_needs_two_dashes(self):
        self.write("-x.yaml", BROKEN_POD)
        self.assertEqual(self.check("--", "-x.yaml").status, 1)

    def test_bytes_that_are_no_utf8_in_a_name(self):
        name = os.fsencode(self.folder) + b"/caf\xe9.yaml"
        with open(name, "wb") as file:
            file.write(BROKEN_POD.encode())
        ran = subprocess.run([GPULINT, "check", name], capture_output=True, timeout=60, check=False)
        self.assertEqual(ran.returncode, 1, ran)
        ran.stdout.decode()  # output is UTF-8 whatever the name is

    def test_links_that_loop_end(self):
        self.write("a/pod.yaml", BROKEN_POD)
        os.symlink("..", self.folder / "a/up")
        os.symlink("self", self.folder / "self")
        self.assertEqual(self.check_json(".").ids(), ["duplicate-key"])

    def test_pipes_in_folders_are_left_alone(self):
        os.mkfifo(self.folder / "pipe.yaml")
        self.write("pod.yaml", BROKEN_POD)
        self.assertEqual(self.check_json(".").ids(), ["duplicate-key"])

    def test_a_baseline_or_configuration_that_is_a_pipe_is_refused(self):
        os.mkfifo(self.folder / "pipe")
        self.write("pod.yaml", BROKEN_POD)
        for option in ("--baseline", "--config"):
            ran = self.check(option, "pipe", "pod.yaml")
            self.assertEqual(ran.status, 2, ran)
            self.assertIn("pipe: is a pipe, not a file", ran.err)

    def test_of_many_files_the_readable_ones_are_checked(self):
        names = [f"pods/{i:03}.yaml" for i in range(100)]  # enough for several threads
        for name in names:
            self.write(name, BROKEN_POD)
        ran = self.check_json(*names[:50], "gone.yaml", *names[50:])
        self.assertEqual([finding["file"] for finding in ran.json()["diagnostics"]], names)
        self.assertEqual((ran.status, ran.err.count("gone.yaml")), (2, 1), ran)


class Configuration(Case):
    def setUp(self):
        super().setUp()
        self.write("deep/er/pod.yaml", BROKEN_POD)

    def test_it_is_found_upward(self):
        self.write("gpulint.yaml", "rules: {ignore: [duplicate-key]}\n")
        self.assertEqual(self.check_json("deep").ids(), [])
        self.assertEqual(self.check_json(".", folder=self.folder / "deep/er").ids(), [])
        self.assertEqual(self.check_json("--no-config", "deep").ids(), ["duplicate-key"])
        self.write("other.yaml", "rules: {severity: {duplicate-key: info}}\n")
        ran = self.check_json("--config", "other.yaml", "deep")
        self.assertEqual((ran.status, ran.json()["diagnostics"][0]["severity"]), (0, "info"), ran)

    def test_it_is_not_looked_for_beyond_the_repository(self):
        self.write("gpulint.yaml", "rules: {ignore: [duplicate-key]}\n")
        (self.folder / "deep/.git").mkdir()
        self.assertEqual(self.check_json("deep").ids(), ["duplicate-key"])

    def test_a_broken_one_ends_the_run(self):
        for text, told in (("rules: [\n", "gpulint.yaml:2:1"), ("provider: azure\n", "gpulint.yaml:1:11"),
                           ("rules: {ignore: [duplicate-kee]}\n", "`duplicate-key`"),
                           ("- a\n", "mapping")):
            self.write("gpulint.yaml", text)
            ran = self.check("deep")
            self.assertEqual((ran.status, ran.out), (2, ""), (text, ran))
            self.assertIn(told, ran.err)
        ran = self.check("--config", "gone.yaml", "deep")
        self.assertEqual((ran.status, ran.out), (2, ""), ran)

    def test_unknown_keys_are_findings_at_any_depth(self):
        self.write("gpulint.yaml", "providr: gke\nnodePools:\n- {name: a, label: {}}\n"
                                   "tasks:\n- {name: t, accelerator: {devise: x}}\n")
        ran = self.check_json("--ignore", "duplicate-key", "deep")
        self.assertEqual(ran.ids(), ["unknown-config-key"] * 3, ran)
        self.assertEqual([finding["path"] for finding in ran.json()["diagnostics"]],
                         ["providr", "nodePools[0].label", "tasks[0].accelerator.devise"])

    def test_what_is_wrong_in_it_has_the_severity_that_it_gives(self):
        self.write("gpulint.yaml", "providr: gke\nnodes: [gone.yaml]\n"
                                   "rules: {severity: {unknown-config-key: info, unmatched-config-path: error}}\n")
        ran = self.check_json("--ignore", "duplicate-key", "deep")
        self.assertEqual([(finding["id"], finding["severity"]) for finding in ran.json()["diagnostics"]],
                         [("unknown-config-key", "info"), ("unmatched-config-path", "error")], ran)

    def test_excludes_hold_for_walks_and_on_demand_for_names(self):
        self.write("gpulint.yaml", "exclude: ['**/er/**']\n")
        self.assertEqual(self.check_json("deep").ids(), [])
        self.assertEqual(self.check_json("deep/er/pod.yaml").ids(), ["duplicate-key"])
        self.assertEqual(self.check_json("--force-exclude", "deep/er/pod.yaml").ids(), [])

    def test_its_nodes_are_judged_beside_files_without_gpus(self):
        self.write("plain/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
        self.write("gpulint.yaml", "nodePools:\n- name: a\n  taints: [{key: nvidia.com/gpu, effect: NoSchedul}]\n")
        self.assertEqual(self.check_json("plain").ids(), ["invalid-toleration"])

    def test_per_file_ignores(self):
        self.write("top.yaml", BROKEN_POD)
        self.write("gpulint.yaml", "per-file-ignores: {'deep/**': [reading]}\n")
        ran = self.check_json(".")
        self.assertEqual([f["file"].removeprefix("./") for f in ran.json()["diagnostics"]], ["top.yaml"])

    def test_select_and_ignore_take_ids_and_categories(self):
        self.write("bad.yaml", "a: [\n")
        for words, wanted in ((["--select", "yaml-syntax"], ["yaml-syntax"]),
                              (["--select", "reading"], ["yaml-syntax", "duplicate-key"]),
                              (["--ignore", "reading"], []),
                              (["--select", "reading", "--ignore", "yaml-syntax"], ["duplicate-key"]),
                              (["--select", "duplicate-key,yaml-syntax"], ["yaml-syntax", "duplicate-key"])):
            self.assertEqual(self.check_json(*words, "bad.yaml", "deep").ids(), wanted, words)


class Variables(Case):
    POD = """apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers:
  - name: main
    image: example.com/train:1
    resources:
      requests:
        nvidia.com/gpu: %s
      limits:
        nvidia.com/gpu: %s
"""

    def test_a_default_is_the_value_and_fixes_keep_the_variable(self):
        self.write("pod.yaml", self.POD % ("${GPU_COUNT:=1}", "2"))
        ran = self.check_json("pod.yaml")
        [finding] = ran.json()["diagnostics"]
        self.assertEqual((finding["id"], finding["range"]["start"]), ("gpu-limit-missing", {"line": 10, "column": 25, "offset": 170}), ran)
        self.assertEqual(finding["range"]["end"]["column"], 40, ran)
        self.run_gpulint("fix", "--unsafe-fixes", "pod.yaml")
        self.assertEqual(self.read("pod.yaml"), self.POD % ("${GPU_COUNT:=1}", "2"))

    def test_what_flux_substitutes_is_unknown(self):
        self.write("pod.yaml", self.POD % ("${GPU_COUNT:=1}", "2"))
        for names in ("\n      GPU_COUNT: '2'\n  path: ./apps\n", " {OTHER: a, GPU_COUNT: '2'}\n"):
            self.write("flux.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n"
                       "spec:\n  postBuild:\n    substitute:" + names)
            for paths in ((".",), ("pod.yaml", "flux.yaml")):
                self.assertEqual(self.check_json(*paths).ids(), [], names)
        self.write("flux.yaml", self.read("flux.yaml").replace("GPU_COUNT", "path"))
        self.assertEqual(self.check_json(".").ids(), ["gpu-limit-missing"])

    FLUX = ("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n"
            "spec:\n  path: ./apps\n  postBuild:\n")
    SIZES = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: sizes}\ndata: {GPU_COUNT: '2'}\n"

    def found(self):
        return self.check_json(".").ids()

    def test_values_come_from_flux_for_the_files_below_its_path(self):
        self.write("apps/pod.yaml", self.POD % ("${GPU_COUNT:=1}", "1"))
        self.assertEqual(self.found(), [])
        self.write("flux.yaml", self.FLUX + "    substitute: {GPU_COUNT: '2'}\n")
        self.assertEqual(self.found(), ["gpu-limit-missing"])
        self.write("flux.yaml", self.FLUX + "    substituteFrom: [{kind: ConfigMap, name: sizes}]\n")
        self.assertEqual(self.found(), [])  # the ConfigMap is absent
        self.write("sizes.yaml", self.SIZES)
        self.assertEqual(self.found(), ["gpu-limit-missing"])
        self.write("apps/pod.yaml", self.POD % ("${GPU_COUNT}", "1"))
        self.assertEqual(self.found(), ["gpu-limit-missing"])
        self.write("staging.yaml", self.SIZES.replace("'2'", "'1'"))  # which of both is unknown
        self.assertEqual(self.found(), [])

    def test_bases_outside_of_the_path_are_built_by_it(self):
        self.write("base/pod.yaml", self.POD % ("${GPU_COUNT:=1}", "1"))
        self.write("base/kustomization.yaml", "resources: [pod.yaml]\n")
        self.write("apps/kustomization.yaml", "resources: [../base]\n")
        self.write("flux.yaml", self.FLUX + "    substitute: {GPU_COUNT: '2'}\n")
        self.assertEqual(self.found(), ["gpu-limit-missing"])
        self.write("flux.yaml", self.FLUX + "    substitute: {OTHER: '2'}\n")  # the default holds
        self.assertEqual(self.found(), [])
        self.write("base/pod.yaml", self.POD % ("${GPU_COUNT:=2}", "1"))
        self.assertEqual(self.found(), ["gpu-limit-missing"])
        self.write("test/kustomization.yaml", "resources: [../base]\n")
        self.write("flux-test.yaml", (self.FLUX + "    substitute: {GPU_COUNT: '1'}\n").replace("./apps", "./test"))
        self.assertEqual(self.found(), [])  # the amount differs between the two

    def test_a_secret_may_set_what_nothing_else_sets(self):
        self.write("apps/pod.yaml", self.POD % ("${GPU_COUNT:=2}", "1"))
        self.assertEqual(self.found(), ["gpu-limit-missing"])
        self.write("flux.yaml", self.FLUX + "    substituteFrom: [{kind: Secret, name: s}]\n")
        self.assertEqual(self.found(), [])
        self.write("flux.yaml", self.read("flux.yaml") + "    substitute: {GPU_COUNT: '2'}\n")
        self.assertEqual(self.found(), ["gpu-limit-missing"])
        self.write("flux.yaml", self.FLUX.replace("./apps", "./other") + "    substitute: {GPU_COUNT: '2'}\n")
        self.assertEqual(self.found(), [])
        self.write("flux.yaml", self.FLUX + "    substitute: {OTHER: '2'}\n")
        self.assertEqual(self.found(), ["gpu-limit-missing"])
        self.write("patch.yaml", self.FLUX.split("spec:")[0] + "spec:\n  patches:\n  - patch: |\n      - op: add\n        path: /spec/postBuild\n")
        self.assertEqual(self.found(), [])

    def test_variables_in_the_text_of_a_config_map_have_their_defaults(self):
        self.write("sharing.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nvidia-device-plugin-configs}\ndata:\n  a: |\n"
                   "    version: v1\n    sharing:\n      timeSlicing:\n        resources:\n"
                   "        - {name: nvidia.com/gpu, replicas: ${SLICES:=1}}\n")
        self.assertEqual(self.found(), ["device-plugin-config"])

    def test_an_amount_without_a_default_is_unknown_and_said_once(self):
        self.write("pod.yaml", self.POD % ("${GPU_COUNT}", "${GPU_COUNT}"))
        ran = self.check("pod.yaml")
        self.assertEqual(ran.status, 0, ran)
        self.assertEqual(ran.err.count("`${GPU_COUNT}` in pod.yaml:10 has no default: its value is unknown\n"), 1, ran)
        self.write("pod.yaml", self.POD % ("${GPU_COUNT}", "${GPU_LIMIT}"))
        self.assertIn("its value is unknown; the same is true of 1 more variable\n", self.check("pod.yaml").err)
        for command in ("check", "why", "place"):
            self.assertNotIn("unknown", self.run_gpulint(command, "-q", "pod.yaml").err)


class Templates(Case):
    def test_an_action_in_quotes_that_breaks_yaml_shows_a_template(self):
        text = 'kind: Pod\nargs: ["{{ .Values.mode | default "train" }}"]\nlimits: {nvidia.com/gpu: 1}\n'
        self.assertEqual(self.check_json("-", stdin=text).ids(), ["unrendered-template"])

    def test_the_help_names_the_folder_to_render(self):
        text = "kind: Pod\nlimits: {nvidia.com/gpu: {{ .Values.gpus }}}\n"
        self.write("charts/infer/templates/pod.yaml", text)  # no Chart.yaml tells that it is a chart
        self.assertIn("`helm template charts/infer | gpulint check -`", self.check(".").out)
        self.assertIn("`helm template . | gpulint check -`", self.check(folder=self.folder / "charts/infer").out)
        self.assertIn("`helm template … | gpulint check -`", self.check("-", stdin=text).out)
        self.write("nodes.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {allocatable: {cpu: 1}}\n")
        self.assertIn("`helm template charts/infer | gpulint check - nodes.yaml`", self.check(".").out)
        self.write("other/nodes.yaml", self.read("nodes.yaml").replace("name: a", "name: b"))  # perhaps of another cluster
        self.assertIn("`helm template charts/infer | gpulint check -`", self.check(".").out)

    def test_a_template_that_only_gpu_pods_elsewhere_would_concern_is_not_noted(self):
        volume = "kind: PersistentVolumeClaim\nmetadata: {name: {{ .Release.Name }}-models}\n"
        bound = "kind: Pod\nspec: {nodeName: {{ .Values.node }}}\n"
        for name, text in (("pvc", volume), ("pod", bound)):
            self.write(f"charts/web/templates/{name}.yaml", text)
            self.assertEqual(self.check_json(".").ids(), [], name)
            self.assertEqual(self.check_json(f"charts/web/templates/{name}.yaml").ids(), ["unrendered-template"], name)
        self.write("charts/web/templates/pod.yaml", bound + "limits: {nvidia.com/gpu: {{ .Values.gpus }}}\n")
        self.assertEqual(self.check_json(".").ids(), ["unrendered-template"])

    def test_broken_yaml_next_to_labels_of_alerts_stays_broken(self):
        text = 'summary: "{{ $labels.gpu }} is hot"\nlimits: [nvidia.com/gpu\n'
        self.assertEqual(self.check_json("-", stdin=text).ids(), ["yaml-syntax"])
