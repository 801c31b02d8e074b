#!/usr/bin/env python3
"""gpulint beside other tools, in one run on one machine.

usage: bench/run.py [--write] [GPULINT]  (default build/release/gpulint; needs Go, g++ and libyaml-cpp-dev)
Prints a Markdown table of the best of seven runs, and exits with 1 if a ratio is a tenth worse than in bench/README.md;
--write puts the table there. Everything that it makes is below build/bench.
"""
import argparse
import datetime
import os
import pathlib
import platform
import re
import subprocess
import sys
import time

import edits

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench"
README = ROOT / "bench" / "README.md"
KUBECONFORM = "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0"
TRIGGERS = "gpu|nvidia|toleration|taint|accelerator|flyte|plugins:|mig-"
HEAD = "| input | gpulint | compared with | ratio | at least |\n|---|---|---|---|---|\n"


def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def prepare():
    WORK.mkdir(parents=True, exist_ok=True)
    if not (WORK / "kubeconform").exists():
        go = subprocess.run([ROOT / "ci/go", "install"], check=True, capture_output=True, text=True).stdout.strip()
        run(go, "install", KUBECONFORM, env={**os.environ, "GOBIN": str(WORK)})
    if not (WORK / "yaml_events").exists():
        run("g++", "-O2", "-std=c++20", ROOT / "bench/yaml_events.cpp", "-o", WORK / "yaml_events", "-lyaml-cpp")
    if not (WORK / "mixed").exists():
        run(sys.executable, ROOT / "bench/gen_corpus.py", WORK / "mixed")
        edits.in_repository(WORK / "mixed/files")
    if not (WORK / "nodes.json").exists():
        run(sys.executable, ROOT / "bench/gen_nodes.py", WORK / "nodes.json")
    stream = (WORK / "mixed/stream.yaml").read_text()
    gpu = [text for text in stream.split("\n---\n") if "nvidia.com" in text]
    (WORK / "gpu.yaml").write_text("\n---\n".join(gpu) + "\n")
    (WORK / "small.yaml").write_text(min((text for text in gpu if "kind: Deployment" in text), key=len) + "\n")
    workloads = [text for text in gpu if "kind: Node" not in text][:500]
    (WORK / "workloads.yaml").write_text("\n---\n".join(workloads) + "\n")


def best(*command, runs=7):
    """Milliseconds of wall time; exit statuses of linters do not matter."""
    def once():
        started = time.perf_counter()
        subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return (time.perf_counter() - started) * 1000
    return min(once() for _ in range(runs))


def peak_mb(*command):
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss * 1024 / 1e6


def row(what, ours, beside, theirs, target, unit="ms"):
    """A ratio says how many times more the others need."""
    line = f"| {what} | {ours:.1f} {unit} | {beside}: {theirs:.1f} {unit} | {theirs / ours:.2f} | {target} |\n"
    print(line, end="", flush=True)
    return line


def rows(gpulint):
    check = (gpulint, "check", "--no-config", "--fail-on", "never", "--quiet", "--output", "/dev/null")
    conform = (WORK / "kubeconform", "-ignore-missing-schemas", "-schema-location", "/nonexistent")
    stream, files, gpu, small = (WORK / name for name in ("mixed/stream.yaml", "mixed/files", "gpu.yaml", "small.yaml"))
    ours = best(*check, stream)
    yield row("a stream of 50 MB", ours, "kubeconform", best(*conform, stream, runs=3), 30)
    yield row("the same", ours, "yaml-cpp's events", best(WORK / "yaml_events", stream, runs=3), 20)
    yield row("its documents about GPUs, one thread", best(*check, "--jobs", "1", gpu), "yaml-cpp's events",
              best(WORK / "yaml_events", gpu), 4)
    yield row("2,000 files", best(*check, files), "`grep -rlE`", best("grep", "-rlE", TRIGGERS, files), 0.5)
    cluster = ("--nodes", WORK / "nodes.json", WORK / "workloads.yaml")
    yield row("5,000 nodes × 500 workloads, `check`", best(*check, *cluster), "`place`",
              best(gpulint, "place", "--no-config", "--output", "/dev/null", *cluster), 0.5)
    start = best("true", runs=200)
    yield row("one small file", best(*check, small, runs=200), "`true` + 1 ms", start + 1, 1)
    yield row("peak memory, the stream", peak_mb(*check, stream), "the stream + 40 MB", stream.stat().st_size / 1e6 + 40, 1, "MB")
    for folder, goal in zip(edits.made_projects(), (10, 20, 10, 60)):
        _, times, _, memory = edits.measure(gpulint, folder, 300, 1)
        yield row(f"an edit, {folder.name}: p95", sorted(wall for wall, _ in times)[int(len(times) * 0.95)], "the goal", goal, 1)
        yield row(f"memory after the edits, {folder.name}", memory[1], "before them, + 10 %", memory[0] * 1.1, 1, "MB")


def ratios(table):
    """By input and what is beside it."""
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    return {(what, beside.split(":")[0]): float(ratio) for what, _, beside, ratio, _ in cells}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--write", action="store_true")
    options.add_argument("gpulint", type=pathlib.Path, nargs="?", default=ROOT / "build/release/gpulint")
    chosen = options.parse_args()
    prepare()
    print(HEAD, end="")
    table = HEAD + "".join(rows(chosen.gpulint.resolve()))
    readme = README.read_text()
    known = re.search(re.escape(HEAD) + r"(\|.*\n)*", readme)
    fallen = []
    if known is not None:
        before = ratios(known[0])
        fallen = [f"{' / '.join(key)}: {before[key]} → {now}" for key, now in ratios(table).items() if now < before.get(key, 0) * 0.9]
    if chosen.write:
        commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
        machine = f"{os.cpu_count()} cores ({platform.machine()}), commit {commit}, {datetime.date.today()}"
        README.write_text(re.sub(r"(?m)^Machine: .*$", f"Machine: {machine}.", readme.replace(known[0], table)))
    for each in fallen:
        print(f"a tenth worse: {each}", file=sys.stderr)
    sys.exit(1 if fallen else 0)


if __name__ == "__main__":
    main()
