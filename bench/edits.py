#!/usr/bin/env python3
"""How long an editor waits: from an edit of one digit to the diagnostics, and from a request to a proven fix.

usage: bench/edits.py [--edits N] [--seed N] GPULINT [FOLDER…]
Without folders it makes its projects below build/bench. Prints a Markdown table of milliseconds: medians and 95th percentiles of
wall time and of CPU time of the server, and its memory (MB) before and after the edits.
"""
import argparse
import json
import pathlib
import queue
import random
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench"
DIGIT = re.compile(r"(?<=[:=] )\d(?=\n)|(?<=-)\d(?=\n)")  # at the end of a value


class Server:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last = 0
        self.messages = queue.SimpleQueue()
        threading.Thread(target=self.read_all, daemon=True).start()
        capabilities = {"textDocument": {"diagnostic": {}, "codeAction": {"resolveSupport": {"properties": ["edit"]}}},
                        "general": {"positionEncodings": ["utf-8"]}}
        self.ask("initialize", {"capabilities": capabilities, "rootUri": folder.resolve().as_uri()})
        self.tell("initialized", {})

    def write(self, message):
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.write({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method, params):
        self.last += 1
        self.write({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        while True:
            message = self.messages.get(timeout=60)
            if message.get("id") == self.last and "method" not in message:
                return message.get("result")

    def read_all(self):
        """A server waits until its messages are read."""
        while header := self.process.stdout.readline():
            self.process.stdout.readline()
            self.messages.put(json.loads(self.process.stdout.read(int(header.split(b":")[1]))))

    def cpu(self):
        """Milliseconds of all threads."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e6

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def timed(self, act):
        cpu, wall = self.cpu(), time.perf_counter()
        act()
        return (time.perf_counter() - wall) * 1000, self.cpu() - cpu


def measure(program, folder, edits, seed):
    chance = random.Random(seed)
    server = Server(program, folder)
    files = sorted(path for path in folder.rglob("*.yaml") if path.name not in ("gpulint.yaml", "stream.yaml"))
    texts = {path: path.read_text() for path in chance.sample(files, min(len(files), 40))}
    texts = {path: text for path, text in texts.items() if DIGIT.search(text)}

    def begin_to_edit():
        for path, text in texts.items():
            server.tell("textDocument/didOpen", {
                "textDocument": {"uri": path.resolve().as_uri(), "languageId": "yaml", "version": 0, "text": text}})
        server.ask("textDocument/diagnostic", {"textDocument": {"uri": files[0].resolve().as_uri()}})
    begin = server.timed(begin_to_edit)
    times, fixes = [], []
    for version in range(1, edits + 1):
        path = chance.choice(list(texts))
        text = texts[path]
        at = chance.choice([match.start() for match in DIGIT.finditer(text)])
        digit = str(chance.randrange(1, 9))
        texts[path] = text[:at] + digit + text[at + 1:]
        document = {"uri": path.resolve().as_uri()}
        line, column = text.count("\n", 0, at), len(text[text.rfind("\n", 0, at) + 1:at].encode())
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n") + 1, "character": 0}}

        def edit():
            server.tell("textDocument/didChange", {
                "textDocument": {**document, "version": version},
                "contentChanges": [{"range": {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 1}}, "text": digit}]})
            server.ask("textDocument/diagnostic", {"textDocument": document})
        times.append(server.timed(edit))
        if version % 10 == 0:
            fixes.append(server.timed(lambda: server.ask("textDocument/codeAction", {"textDocument": document, "range": whole, "context": {"diagnostics": []}})))
        if version == edits // 10:
            before = server.memory()
    after = server.memory()
    server.ask("shutdown", None)
    server.tell("exit", None)
    return begin, times, fixes, (before, after)


def shown(times):
    """`p50 / p95` of wall time, and of CPU time."""
    columns = [sorted(each[i] for each in times) for i in (0, 1)]
    return [f"{statistics.median(column):.1f} / {column[int(len(column) * 0.95)]:.1f}" for column in columns]


def in_repository(folder):
    """Without one, the whole repository around build/bench would be searched for nodes."""
    if not (folder / ".git").exists():
        subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


def made_nested(folder):
    """100 applications, each a base and two overlays that patch it: 1,500 files."""
    if folder.exists():
        return
    for app in range(100):
        base = folder / f"app-{app}" / "base"
        base.mkdir(parents=True)
        names = [f"part-{i}.yaml" for i in range(8)]
        (base / "kustomization.yaml").write_text("resources:\n" + "".join(f"- {name}\n" for name in names))
        for i, name in enumerate(names):
            (base / name).write_text(
                f"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: part-{i}\nspec:\n  replicas: 2\n  selector:\n    matchLabels:\n      app: part-{i}\n"
                f"  template:\n    metadata:\n      labels:\n        app: part-{i}\n    spec:\n      containers:\n      - name: main\n        image: example.org/app:{i}\n"
                f"        resources:\n          limits:\n            cpu: 2\n            nvidia.com/gpu: 1\n")
        for overlay in ("dev", "prod"):
            place = folder / f"app-{app}" / overlay
            place.mkdir()
            (place / "kustomization.yaml").write_text("resources:\n- ../base\npatches:\n- path: patch.yaml\n- path: more.yaml\n")
            for name, part in (("patch.yaml", 0), ("more.yaml", 1)):
                (place / name).write_text(f"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: part-{part}\nspec:\n  replicas: 3\n")


def made_projects():
    def corpus(name, files):
        folder = WORK / name
        if not folder.exists():
            made = WORK / "corpus"
            subprocess.run([sys.executable, ROOT / "bench/gen_corpus.py", made, "--files", str(files * 2), "--mb", "1"], check=True)
            folder.mkdir()
            parts = sorted((made / "files").iterdir())
            for one, other in zip(parts[::2], parts[1::2]):
                (folder / one.name).write_text(f"{one.read_text()}---\n{other.read_text()}")
            shutil.rmtree(made)
        return folder
    many = [corpus("500 files", 500), corpus("5,000 files", 5000)]
    one = corpus("500 files, one scope", 500)
    (one / "gpulint.yaml").write_text("nodes: [nodes.yaml]\nworkloads: [\"m*.yaml\"]\n")
    (one / "nodes.yaml").write_text("".join(
        f"---\napiVersion: v1\nkind: Node\nmetadata:\n  name: gpu-{i}\n  labels:\n    nvidia.com/gpu.product: {product}\n    rack: r-{i % 9}\n"
        f"status:\n  allocatable:\n    cpu: 32\n    memory: 256Gi\n    nvidia.com/gpu: 8\n    pods: 110\n"
        for i, product in enumerate(["NVIDIA-A100-SXM4-40GB", "NVIDIA-H100-80GB-HBM3", "Tesla-T4", "NVIDIA-L4"] * 50)))
    made_nested(WORK / "1,500 files of kustomize")
    return [in_repository(folder) for folder in (*many, one, WORK / "1,500 files of kustomize")]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--edits", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("program", type=pathlib.Path)
    options.add_argument("folders", type=pathlib.Path, nargs="*")
    chosen = options.parse_args()
    print("| project | first check | edit p50 / p95 | of CPU | fixes p50 / p95 | of CPU | memory |\n|---|---|---|---|---|---|---|")
    for folder in chosen.folders or made_projects():
        begin, times, fixes, memory = measure(chosen.program.resolve(), folder, chosen.edits, chosen.seed)
        cells = [folder.name, f"{begin[0]:.0f}", *shown(times), *shown(fixes), f"{memory[0]:.0f} → {memory[1]:.0f}"]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
