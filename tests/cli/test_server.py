"""`gpulint server`: sessions of editors over pipes."""
import json
import os
import random
import select
import subprocess
import time
import unittest
import urllib.parse

from support import BROKEN_POD, GOOD_POD, GPULINT, WARNED_POD, Case

NODE = """\
apiVersion: v1
kind: Node
metadata:
  name: gpu-1
  labels: {gpu: a100}
spec:
  taints:
  - {key: nvidia.com/gpu, value: present, effect: NoSchedule}
status:
  allocatable: {cpu: "8", memory: 64Gi, pods: "110", nvidia.com/gpu: "8"}
"""
SELECTING_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  nodeSelector: {gpu: a100}
  tolerations:
  - {key: nvidia.com/gpu, operator: Exists}
  containers:
  - name: main
    image: train:1.0
    resources:
      limits: {nvidia.com/gpu: 1}
"""
SEVERITIES = {1: "error", 2: "warning", 3: "info"}


class Client:
    """An editor. Answers to the server's own requests are not awaited by it."""

    def __init__(self, test, folder=None, capabilities=None, words=(), cwd="/", options=None):
        self.process = subprocess.Popen([GPULINT, "server", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=cwd)
        test.addCleanup(self.end)
        self.buffer = b""
        self.messages = []
        self.lists = {}
        self.texts = {}
        self.last_id = 0
        folders = [{"uri": self.uri(folder), "name": "w"}] if folder else None
        self.told = self.ask("initialize", {"processId": os.getpid(), "capabilities": capabilities or {},
                                            "initializationOptions": options, "workspaceFolders": folders, "rootUri": None})["result"]
        self.tell("initialized", {})

    def end(self):
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except OSError:
                pass
        self.process.kill()
        self.process.wait()

    @staticmethod
    def uri(path):
        return "file://" + urllib.parse.quote(str(path))

    def write(self, *messages):
        data = b""
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0"} | message).encode()
            data += b"Content-Length: %d\r\n\r\n" % len(body) + body
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.write({"method": method, "params": params})

    def ask(self, method, params):
        self.last_id += 1
        self.write({"id": self.last_id, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.last_id and "method" not in message:
                return message

    def read(self, seconds=60):
        """The next message; all are kept, with the last list of each file."""
        end = time.monotonic() + seconds
        while True:
            header, found, rest = self.buffer.partition(b"\r\n\r\n")
            if found:
                length = int(header.removeprefix(b"Content-Length: "))  # nothing else is on standard output
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    message = json.loads(rest[:length])
                    self.messages.append(message)
                    if message.get("method") == "textDocument/publishDiagnostics":
                        self.lists[message["params"]["uri"]] = message["params"]["diagnostics"]
                    return message
            if not select.select([self.process.stdout], [], [], max(end - time.monotonic(), 0))[0]:
                raise TimeoutError("no message")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise EOFError(self.process.stderr.read())
            self.buffer += data

    def settle(self):
        """Waits until the server has said all it has to say."""
        return self.ask("textDocument/hover", {"textDocument": {"uri": "none:"}, "position": {"line": 0, "character": 0}})

    def open(self, uri, text, language="yaml"):
        self.texts[uri] = [1, text]
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})
        self.settle()

    def edit(self, uri, start, end, new):
        """Replaces the characters `start` to `end` of an open text, counted in code points."""
        version, text = self.texts[uri]
        self.texts[uri] = [version + 1, text[:start] + new + text[end:]]
        self.tell("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version + 1},
            "contentChanges": [{"range": {"start": place(text, start), "end": place(text, end)}, "text": new}]})

    def replace(self, uri, old, new):
        start = self.texts[uri][1].index(old)
        self.edit(uri, start, start + len(old), new)
        self.settle()

    def codes(self, uri):
        return [each["code"] for each in self.lists.get(uri, [])]

    def actions(self, uri, only=None, **place_of):
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
        context = {"diagnostics": []} | ({"only": only} if only else {})
        return self.ask("textDocument/codeAction",
                        {"textDocument": {"uri": uri}, "range": place_of.get("range", whole), "context": context})["result"]

    def apply(self, uri, action):
        """The text of a document after an action."""
        edit = action["edit"]
        edits = edit["changes"][uri] if "changes" in edit else next(
            each["edits"] for each in edit["documentChanges"] if each["textDocument"]["uri"] == uri)
        text = self.texts[uri][1]
        for each in reversed(edits):
            start, end = offset(text, each["range"]["start"]), offset(text, each["range"]["end"])
            text = text[:start] + each["newText"] + text[end:]
        return text


def units(text):
    return len(text.encode("utf-16-le")) // 2


def place(text, at):
    """Line and UTF-16 column of an index of the text."""
    before = text[:at].replace("\r\n", "\n")
    return {"line": before.count("\n"), "character": units(before[before.rfind("\n") + 1:])}


def offset(text, where):
    """The index of a line and a UTF-16 column."""
    lines = text.splitlines(keepends=True) + [""]
    at = sum(map(len, lines[:where["line"]]))
    line = lines[where["line"]] if where["line"] < len(lines) else ""
    count = 0
    for i, character in enumerate(line):
        if count >= where["character"]:
            return at + i
        count += units(character)
    return at + len(line)


class Lifecycle(Case):
    def test_it_leaves_with_0_after_shutdown_and_with_1_without(self):
        for asks, status in ((True, 0), (False, 1)):
            client = Client(self, self.folder)
            if asks:
                self.assertIsNone(client.ask("shutdown", None)["result"])
            client.tell("exit", None)
            self.assertEqual(client.process.wait(20), status)

    def test_it_leaves_when_the_client_dies(self):
        client = Client(self, self.folder)
        client.process.stdin.close()
        self.assertEqual(client.process.wait(20), 1)
        client = Client(self, self.folder)
        client.ask("shutdown", None)
        client.process.stdin.close()
        self.assertEqual(client.process.wait(20), 0)
        self.write("a.yaml", BROKEN_POD)
        client = Client(self)
        client.process.stdout.close()  # the other end is closed
        client.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [{"uri": client.uri(self.folder)}], "removed": []}})
        self.assertEqual(client.process.wait(20), 1)

    def test_a_script_that_closes_its_end_reads_all_answers(self):
        client = Client(self, self.folder)
        uri = client.uri(self.folder / "a.yaml")
        client.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": BROKEN_POD}})
        client.process.stdin.close()
        with self.assertRaises(EOFError):
            while True:
                client.read()
        self.assertEqual(client.codes(uri), ["duplicate-key"])

    def test_unknown_methods_and_broken_messages(self):
        client = Client(self, self.folder, words=["--stdio"])
        self.assertEqual(client.ask("no/such", {})["error"]["code"], -32601)
        client.tell("no/such", {})
        client.process.stdin.write(b"Content-Length: 3\r\n\r\n{{{")
        client.process.stdin.write(b"nonsense\r\n\r\nContent-Length: x\r\n\r\n")
        client.process.stdin.flush()
        self.assertEqual(client.read()["error"]["code"], -32700)
        self.assertIn("result", client.settle())

    def test_watchers_are_registered_only_where_the_client_says_so(self):
        def registers(capabilities):
            client = Client(self, self.folder, capabilities)
            client.settle()
            return any(each.get("method") == "client/registerCapability" for each in client.messages)
        self.assertFalse(registers({}))
        self.assertTrue(registers({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}))

    def test_options_of_other_commands_are_refused(self):
        self.assertEqual(self.run_gpulint("server", "--select", "x").status, 2)


class Diagnostics(Case):
    def client(self, **options):
        client = Client(self, self.folder, **options)
        client.settle()
        return client

    def test_a_finding_disappears_when_it_is_corrected(self):
        self.write("a.yaml", BROKEN_POD)
        client = self.client()
        uri = client.uri(self.folder / "a.yaml")
        self.assertEqual(client.codes(uri), ["duplicate-key"])
        client.open(uri, BROKEN_POD)
        client.replace(uri, "      limits: {nvidia.com/gpu: 2}\n", "")
        self.assertEqual(client.lists[uri], [])
        client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        client.settle()
        self.assertEqual(client.codes(uri), ["duplicate-key"])  # as on disk

    def test_a_finding_disappears_when_another_file_is_corrected(self):
        self.write("pod.yaml", SELECTING_POD)
        self.write("node.yaml", NODE.replace("a100", "h100"))
        client = self.client()
        pod, node = client.uri(self.folder / "pod.yaml"), client.uri(self.folder / "node.yaml")
        self.assertEqual(client.codes(pod), ["unmatched-node-selector"])
        self.assertEqual(client.lists[pod][0]["relatedInformation"][0]["location"]["uri"], node)
        client.open(node, self.read("node.yaml"))
        client.replace(node, "h100", "a100")
        self.assertEqual(client.lists[pod], [])
        client.replace(node, "a100", "h100")
        self.assertEqual(client.codes(pod), ["unmatched-node-selector"])

    def test_files_that_change_on_disk_are_read_again(self):
        self.write("a.yaml", BROKEN_POD)
        client = self.client()
        uri = client.uri(self.folder / "a.yaml")
        self.write("a.yaml", GOOD_POD)
        client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
        client.settle()
        self.assertEqual(client.lists[uri], [])

    def test_helm_templates_have_none(self):
        client = self.client()
        uri = client.uri(self.folder / "a.yaml")
        client.open(uri, BROKEN_POD, "helm")
        self.assertEqual(client.lists[uri], [])

    def test_columns_are_utf_16_unless_the_client_offers_utf_8(self):
        text = BROKEN_POD.replace("{nvidia.com/gpu: 1}", "{'😀日': 0, nvidia.com/gpu: 1, nvidia.com/gpu: 2}")
        text = text.replace("      limits: {nvidia.com/gpu: 2}\n", "").replace("\n", "\r\n")
        line = next(i for i, each in enumerate(text.split("\r\n")) if "😀" in each)
        before = text.split("\r\n")[line].rpartition("nvidia.com/gpu")[0]
        for encodings, column in ((None, units(before)), (["utf-16"], units(before)), (["utf-8", "utf-16"], len(before.encode()))):
            client = self.client(capabilities={"general": {"positionEncodings": encodings}} if encodings else {})
            uri = client.uri(self.folder / "日.yaml")
            client.open(uri, text)
            places = [each["range"]["start"] for each in client.lists[uri] if each["code"] == "duplicate-key"]
            self.assertEqual(places, [{"line": line, "character": column}])

    def test_errors_of_the_configuration_are_in_gpulint_yaml(self):
        self.write("a.yaml", BROKEN_POD)
        self.write("gpulint.yaml", "rules:\n  severity: {duplicate-key: maybe}\n")
        client = self.client()
        uri, config = client.uri(self.folder / "a.yaml"), client.uri(self.folder / "gpulint.yaml")
        self.assertEqual(client.lists[config][0]["range"]["start"]["line"], 1)
        self.assertNotIn(uri, client.lists)
        logged = [each["params"]["message"] for each in client.messages if each.get("method") == "window/logMessage"]
        self.assertEqual([message.split(":")[:2] for message in logged], [["gpulint.yaml", "2"]])
        client.open(config, self.read("gpulint.yaml"))
        client.replace(config, "maybe", "warning")
        self.assertEqual(client.lists[config], [])
        self.assertEqual([each["severity"] for each in client.lists[uri]], [2])
        client.replace(config, "warning}", "[")
        self.assertEqual(client.lists[uri], [])
        self.assertTrue(client.lists[config])

    def test_folders_come_and_go(self):
        self.write("one/a.yaml", BROKEN_POD)
        self.write("two/b.yaml", BROKEN_POD)
        client = Client(self, self.folder / "one")
        client.settle()
        one, two = client.uri(self.folder / "one/a.yaml"), client.uri(self.folder / "two/b.yaml")
        self.assertEqual([client.codes(one), client.codes(two)], [["duplicate-key"], []])
        client.tell("workspace/didChangeWorkspaceFolders", {"event": {
            "added": [{"uri": client.uri(self.folder / "two"), "name": "two"}],
            "removed": [{"uri": client.uri(self.folder / "one"), "name": "one"}]}})
        client.settle()
        self.assertEqual([client.codes(one), client.codes(two)], [[], ["duplicate-key"]])

    def test_one_check_for_edits_that_wait(self):
        self.write("a.yaml", GOOD_POD)
        client = self.client()
        uri = client.uri(self.folder / "a.yaml")
        client.open(uri, GOOD_POD)
        client.messages.clear()
        messages = []
        for version in range(2, 52):
            text = BROKEN_POD if version % 2 else GOOD_POD
            messages.append({"method": "textDocument/didChange", "params": {
                "textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}})
        client.write(*messages)
        client.settle()
        shown = [each for each in client.messages if each.get("method") == "textDocument/publishDiagnostics"]
        self.assertLess(len(shown), 10)
        self.assertEqual(client.codes(uri), ["duplicate-key"])

    def test_pulling_clients_ask_for_open_documents(self):
        client = self.client(capabilities={"textDocument": {"diagnostic": {}}})
        uri = client.uri(self.folder / "a.yaml")
        client.open(uri, BROKEN_POD)
        self.assertEqual(client.lists.get(uri, []), [])
        report = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})["result"]
        self.assertEqual([each["code"] for each in report["items"]], ["duplicate-key"])


class Actions(Case):
    def opened(self, name, text, capabilities=None):
        self.write(name, text)
        client = Client(self, self.folder, capabilities)
        uri = client.uri(self.folder / name)
        client.open(uri, text)
        return client, uri

    def test_all_safe_fixes_give_what_fix_writes(self):
        text = WARNED_POD.replace("    image:", "    env: []  # gpulint: ignore[no-node-fits] y 😀\n    image:")
        for capabilities in ({}, {"workspace": {"workspaceEdit": {"documentChanges": True}},
                                  "textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}):
            client, uri = self.opened("a.yaml", text, capabilities)
            (action,) = client.actions(uri, ["source.fixAll"])
            if "edit" not in action:
                action = client.ask("codeAction/resolve", action)["result"]
            after = client.apply(uri, action)
            self.run_gpulint("fix", ".")
            self.assertNotEqual(after, text)
            self.assertEqual(after, self.read("a.yaml"))

    def test_all_safe_fixes_of_all_documents_give_what_fix_writes(self):
        texts = {"a.yaml": WARNED_POD, "sub/b.yaml": "\ufeff" + WARNED_POD.replace("\n", "\r\n").replace("train", "eval"),
                 "sub/c.yaml": GOOD_POD.replace("train", "other") + "---\n" + WARNED_POD.replace("train", "last")}
        for name, text in texts.items():
            self.write(name, text)
        client = Client(self, self.folder)
        after = {}
        for name, text in texts.items():
            uri = client.uri(self.folder / name)
            client.open(uri, text)
            (action,) = client.actions(uri, ["source.fixAll.gpulint"])
            self.assertEqual(list(action["edit"]["changes"]), [uri])
            after[name] = client.apply(uri, action).encode()
        self.run_gpulint("fix", ".")
        for name, text in texts.items():
            self.assertNotEqual(after[name], text.encode())
            self.assertEqual(after[name], (self.folder / name).read_bytes())

    def test_fixes_say_whether_they_are_safe(self):
        client, uri = self.opened("a.yaml", WARNED_POD)
        self.assertEqual(client.lists[uri][0]["tags"], [1])
        fix = next(each for each in client.actions(uri) if not each["title"].startswith("Ignore"))
        self.assertTrue(fix["isPreferred"])
        self.assertEqual(client.apply(uri, fix), GOOD_POD)
        client, uri = self.opened("a.yaml", BROKEN_POD)
        fix = next(each for each in client.actions(uri) if "unsafe" in each["title"])
        self.assertFalse(fix["isPreferred"])
        self.run_gpulint("fix", "--unsafe-fixes", ".")
        self.assertEqual(client.apply(uri, fix), self.read("a.yaml"))
        far = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
        self.assertEqual(client.actions(uri, range=far), [])

    def test_ignoring_gives_what_add_suppressions_writes(self):
        client, uri = self.opened("a.yaml", BROKEN_POD)
        action = next(each for each in client.actions(uri) if each["title"] == "Ignore duplicate-key here")
        after = client.apply(uri, action)
        self.check(".", "--add-suppressions", "REASON")
        self.assertEqual(after, self.read("a.yaml"))


class Reading(Case):
    def test_hover_symbols_and_lenses(self):
        self.write("node.yaml", NODE + "---\n" + NODE.replace("gpu-1", "gpu-2").replace("a100", "h100"))
        self.write("pod.yaml", SELECTING_POD.replace("limits: {nvidia.com/gpu: 1}", "limits: {nvidia.com/gpu: 0.5}"))
        client = Client(self, self.folder)
        uri = client.uri(self.folder / "pod.yaml")
        client.open(uri, self.read("pod.yaml"))
        start = client.lists[uri][0]["range"]["start"]
        at = {"textDocument": {"uri": uri}, "position": start}
        self.assertIn(client.codes(uri)[0], client.ask("textDocument/hover", at)["result"]["contents"]["value"])
        symbols = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})["result"]
        self.assertEqual([each["name"] for each in symbols], ["Pod/train"])
        client.replace(uri, "0.5", "1")
        for words, told, line in (("gpu: a100", "1 of 2 nodes has the label `gpu=a100`: `gpu-1`", 4),
                                  ("{key: nvidia", "2 of 2 nodes have a taint that it tolerates: `gpu-1`, `gpu-2`", 7),
                                  ("nvidia.com/gpu: 1", "2 of 2 nodes offer `nvidia.com/gpu: 1`: `gpu-1`, `gpu-2`", 9)):
            at["position"] = place(client.texts[uri][1], client.texts[uri][1].index(words))
            self.assertEqual(client.ask("textDocument/hover", at)["result"]["contents"]["value"], told)
            first = client.ask("textDocument/definition", at)["result"][0]
            self.assertEqual(first["uri"], client.uri(self.folder / "node.yaml"))
            self.assertEqual(first["range"]["start"]["line"], line)
        lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]
        self.assertEqual([each["command"]["title"] for each in lenses], ["fits 1 of 2 nodes"])


    def test_what_workloads_want_of_a_node(self):
        affinity = """\
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - {key: gpu, operator: In, values: [a100, h100]}
"""
        self.write("node.yaml", NODE)
        self.write("pod.yaml", SELECTING_POD + "---\n" + SELECTING_POD.replace("train}", "score}").replace(
            "  nodeSelector: {gpu: a100}\n", affinity).replace("  - {key: nvidia.com/gpu, operator: Exists}\n", "  - {key: x}\n"))
        client = Client(self, self.folder)
        for name, words, told, lines in (
                ("node.yaml", "{gpu: a100", "2 of 2 workloads select this label: `Pod/default/train`, `Pod/default/score`", [4, 22]),
                ("node.yaml", "{key: nvidia", "1 of 2 workloads tolerates this taint: `Pod/default/train`", [6]),
                ("node.yaml", "com/gpu: \"8", "2 of 2 workloads request `nvidia.com/gpu`: `Pod/default/train`, `Pod/default/score`",
                 [11, 29]),
                ("pod.yaml", "{key: gpu", "1 of 1 node meets this requirement: `gpu-1`", [4])):
            uri = client.uri(self.folder / name)
            client.open(uri, self.read(name))
            at = {"textDocument": {"uri": uri}, "position": place(self.read(name), self.read(name).index(words) + 1)}
            self.assertEqual(client.ask("textDocument/hover", at)["result"]["contents"]["value"], told)
            found = client.ask("textDocument/definition", at)["result"]
            self.assertEqual([each["range"]["start"]["line"] for each in found], lines, name)

    def test_a_name_leads_to_its_object(self):
        pod = SELECTING_POD.replace("spec:\n", "spec:\n  runtimeClassName: nvidia\n", 1)
        self.write("pod.yaml", pod)
        self.write("class.yaml", "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: nvidia}\nhandler: nvidia\n")
        client = Client(self, self.folder)
        uri = client.uri(self.folder / "pod.yaml")
        client.open(uri, pod)
        at = {"textDocument": {"uri": uri}, "position": place(pod, pod.index(": nvidia\n") + 4)}
        found = client.ask("textDocument/definition", at)["result"]
        self.assertEqual([(each["uri"], each["range"]["start"]["line"]) for each in found],
                         [(client.uri(self.folder / "class.yaml"), 2)])


class Tasks(Case):
    """The pods that Flyte creates for tasks."""

    VALUES = """\
configuration:
  inline:
    plugins:
      k8s:
        gpu-device-node-label: gpu
        resource-tolerations:
        - nvidia.com/gpu:
          - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
    task_resources: {limits: {gpu: 4}}
"""
    CONFIG = """\
flyte: {values: [values.yaml], chart: flyte-binary}
nodes: [node.yaml]
tasks:
- name: train
  requests: {gpu: "1"}
  accelerator: A100
- name: score
  requests: {gpu: "2"}
- name: large
  requests: {gpu: "8"}
"""

    def opened(self, **options):
        self.write("node.yaml", NODE.replace("a100", "nvidia-tesla-a100"))
        self.write("values.yaml", self.VALUES)
        self.write("gpulint.yaml", self.CONFIG)
        client = Client(self, self.folder, **options)
        for name in ("gpulint.yaml", "values.yaml"):
            client.open(client.uri(self.folder / name), self.read(name))
        return client

    def test_a_lens_shows_the_pod_and_its_lines_lead_to_their_keys(self):
        client = self.opened(options={"commands": ["gpulint.showPod"]})
        config = {"textDocument": {"uri": client.uri(self.folder / "gpulint.yaml")}}
        lenses = client.ask("textDocument/codeLens", config)["result"]
        self.assertEqual([(each["range"]["start"]["line"], each["command"]["title"]) for each in lenses],
                         [(3, "fits 1 of 1 node"), (6, "fits 1 of 1 node"), (8, "Flyte rejects this task")])
        self.assertEqual({each["command"]["command"] for each in lenses}, {"gpulint.showPod"})
        uri = lenses[0]["command"]["arguments"][0]
        text = client.ask("workspace/textDocumentContent", {"uri": uri})["result"]["text"]
        compiled = self.run_gpulint("compile").out
        self.assertEqual(text, "---\n" + compiled.split("---\n")[1])
        # an editor opens it as a document, which is not checked
        client.open(uri, text)
        self.assertNotIn(uri, client.lists)
        for words, name, line in (("key: nvidia.com/gpu ", "values.yaml", 7), ("nvidia.com/gpu: \"1\"", "gpulint.yaml", 4),
                                  ("key: gpu", "values.yaml", 4)):
            at = {"textDocument": {"uri": uri}, "position": place(text, text.index(words))}
            found = client.ask("textDocument/definition", at)["result"]
            self.assertEqual([(each["uri"], each["range"]["start"]["line"]) for each in found],
                             [(client.uri(self.folder / name), line)])
        client.replace(client.uri(self.folder / "gpulint.yaml"), 'gpu: "1"', 'gpu: "3"')
        self.assertIn({"uri": uri}, [each.get("params") for each in client.messages
                                     if each.get("method") == "workspace/textDocumentContent/refresh"])
        again = client.ask("workspace/textDocumentContent", {"uri": uri})["result"]["text"]
        self.assertIn('nvidia.com/gpu: "3"', again)
        unknown = client.ask("workspace/textDocumentContent", {"uri": uri.replace("train", "other")})["result"]["text"]
        self.assertEqual(unknown, "# gpulint finds no pod for this task\n")

    def test_a_lens_is_only_text_where_the_client_has_no_such_command(self):
        client = self.opened()
        lenses = client.ask("textDocument/codeLens",
                            {"textDocument": {"uri": client.uri(self.folder / "gpulint.yaml")}})["result"]
        self.assertEqual([each["command"] for each in lenses], [{"title": title, "command": ""} for title in ("fits 1 of 1 node",) * 2 + ("Flyte rejects this task",)])

    def test_hover_says_where_flyte_writes_a_value(self):
        client = self.opened()
        for name, words, told in (
                ("values.yaml", "gpu\n", "1 of 1 node meets this requirement: `gpu-1`\n\nFlyte writes it to `spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
                 "nodeSelectorTerms[0].matchExpressions[0]`, `spec.tolerations[1]` of the pod of task `train`"),
                ("values.yaml", "{key: nvidia", "1 of 1 node has a taint that it tolerates: `gpu-1`\n\n"
                 "Flyte writes it to `spec.tolerations[0]` of the pods of 2 tasks"),
                ("gpulint.yaml", '"2"', "1 of 1 node offers `nvidia.com/gpu: 2`: `gpu-1`\n\nFlyte writes it to "
                 "`spec.containers[0].resources.limits[nvidia.com/gpu]`, `spec.containers[0].resources.requests[nvidia.com/gpu]`"
                 " of the pod of task `score`")):
            text = self.read(name)
            at = {"textDocument": {"uri": client.uri(self.folder / name)}, "position": place(text, text.index(words) + 1)}
            self.assertEqual(client.ask("textDocument/hover", at)["result"]["contents"]["value"], told)

    def test_tasks_in_python(self):
        source = """\
from flytekit import Resources, task
from flytekit.extras.accelerators import A100


@task(requests=Resources(gpu="1"), accelerator=A100)
def train() -> None: ...
"""
        self.write("node.yaml", NODE.replace("a100", "nvidia-tesla-a100"))
        self.write("values.yaml", self.VALUES)
        self.write("gpulint.yaml", "flyte: {values: [values.yaml], chart: flyte-binary}\nnodes: [node.yaml]\ntasks: [train.py]\n")
        self.write("train.py", source)
        client = Client(self, self.folder, options={"inlayHints": True, "commands": ["gpulint.showPod"]})
        uri = client.uri(self.folder / "train.py")
        client.open(uri, source, language="python")
        document = {"textDocument": {"uri": uri}}
        lens = client.ask("textDocument/codeLens", document)["result"][0]
        self.assertEqual((lens["range"]["start"]["line"], lens["command"]["title"]), (4, "fits 1 of 1 node"))
        pod = client.ask("workspace/textDocumentContent", {"uri": lens["command"]["arguments"][0]})["result"]["text"]
        self.assertIn("# task.requests.gpu, train.py:5:", pod)
        hints = client.ask("textDocument/inlayHint", document)["result"]
        self.assertEqual([each["label"] for each in hints], ["→ nvidia-tesla-a100", "→ nvidia.com/gpu"])
        hover = client.ask("textDocument/hover", document | {"position": place(source, source.index('"1"') + 1)})["result"]
        self.assertIn("1 of 1 node offers `nvidia.com/gpu: 1`", hover["contents"]["value"])
        self.assertIn("Flyte writes it to `spec.containers[0].resources", hover["contents"]["value"])

    def test_hints_are_shown_on_request(self):
        client = self.opened(options={"inlayHints": True})
        self.assertTrue(client.told["capabilities"]["inlayHintProvider"])
        hints = client.ask("textDocument/inlayHint", {"textDocument": {"uri": client.uri(self.folder / "gpulint.yaml")}})["result"]
        self.assertEqual({(each["position"]["line"], each["label"]) for each in hints},
                         {(4, "→ nvidia.com/gpu"), (5, "→ nvidia-tesla-a100"), (7, "→ nvidia.com/gpu")})
        self.assertFalse(self.opened().told["capabilities"]["inlayHintProvider"])


class Law(Case):
    """After any edits the findings are those of `gpulint check` on the same texts."""

    PARTS = (*NODE.splitlines(keepends=True), *SELECTING_POD.splitlines(keepends=True), *BROKEN_POD.splitlines(keepends=True),
             "a100", "h100", "2", "0", "\n", "---\n", "# 😀\r\n", "{", "'", "  ", "nvidia.com/gpu: 0.5")
    TEXTS = {
        "pod.yaml": SELECTING_POD, "sub/node.yaml": NODE, "sub/日 b.yaml": BROKEN_POD.replace("\n", "\r\n"), "new.yaml": None,
        "gpulint.yaml": "rules: {}\n", "base/pod.yaml": SELECTING_POD, "base/kustomization.yaml": "resources: [pod.yaml]\n",
        "over/kustomization.yaml": "resources: [../base]\nnamePrefix: x-\npatches:\n- path: patch.yaml\n",
        "over/patch.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: train}\nspec: {nodeSelector: {gpu: h100}}\n",
        "chart/templates/x.yaml": "a: {{ .Values.a }}\n" + SELECTING_POD, "tasks.py": """\
from flytekit import Resources, task


@task(requests=Resources(gpu="0.5"))
def train() -> None: ...
"""}

    def expected(self):
        ran = self.check_json(".")
        summaries = {}
        for each in ran.json()["diagnostics"]:
            begin = each["range"]["start"]
            name = each["file"]
            line = (self.folder / name).read_bytes().decode().split("\n")[begin["line"] - 1]
            summaries.setdefault(name, []).append(
                (each["id"], each["severity"], begin["line"] - 1, units(line[:begin["column"] - 1]), each["message"]))
        return {name: sorted(all_of) for name, all_of in summaries.items()}, ran

    def shown(self, client):
        result = {}
        for uri, found in client.lists.items():
            name = os.path.relpath(urllib.parse.unquote(uri.removeprefix("file://")), self.folder)
            found = sorted((each["code"], SEVERITIES[each["severity"]], each["range"]["start"]["line"],
                            each["range"]["start"]["character"], each["message"].split("\nalso: ")[0].split("\nhelp: ")[0])
                           for each in found if "code" in each)
            if found:
                result[name] = found
        return result

    def test_random_edits(self):
        sessions = int(os.environ.get("GPULINT_SESSIONS", "4"))
        seen = set()
        for seed in range(sessions):
            with self.subTest(seed=seed):
                seen |= self.run_session(random.Random(seed))
        self.assertGreater(len(seen), 8, seen)  # rules

    def run_session(self, chosen):
        for name, text in self.TEXTS.items():
            (self.folder / name).unlink(missing_ok=True)
            if text is not None:
                self.write(name, text)
        client = Client(self, self.folder)
        for name, text in self.TEXTS.items():
            client.open(client.uri(self.folder / name), text or "")
        seen = set()
        for step in range(40):
            uri = client.uri(self.folder / chosen.choice(list(self.TEXTS)))
            text = client.texts[uri][1]
            start = chosen.randrange(len(text) + 1)
            end = min(len(text), start + chosen.choice((0, 0, 1, 5, 30)))
            if "\r\n" in (text[start - 1:start + 1], text[end - 1:end + 1]):
                continue  # between the two no editor can be
            if chosen.random() < 0.1:
                name = os.path.relpath(urllib.parse.unquote(uri.removeprefix("file://")), self.folder)
                client.edit(uri, 0, len(text), self.TEXTS[name] or BROKEN_POD)
            else:
                client.edit(uri, start, end, chosen.choice(self.PARTS) if chosen.random() < 0.7 else "")
            if step % 4 == 3:
                client.settle()
                for each in client.texts:
                    self.write(os.path.relpath(urllib.parse.unquote(each.removeprefix("file://")), self.folder),
                               client.texts[each][1])
                expected, ran = self.expected()
                self.assertEqual(self.shown(client), expected, ran)
                seen |= {code for found in expected.values() for code, *_ in found}
        client.end()
        return seen


if __name__ == "__main__":
    unittest.main()
