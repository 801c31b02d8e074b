#!/usr/bin/env python3
"""gpulint beside kubeconform, kube-score, yaml-cpp and grep, in one run on one machine.

usage: bench/run.py [GPULINT]  (default build/release/gpulint; needs go, hyperfine, g++ and libyaml-cpp-dev)
Prints a Markdown table of medians and ratios; everything it makes is below build/bench.
"""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench"
TOOLS = {"kubeconform": "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0",
         "kube-score": "github.com/zegl/kube-score/cmd/kube-score@v1.20.0"}
TRIGGERS = "gpu|nvidia|toleration|taint|accelerator|flyte|plugins:|mig-"


def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def prepare():
    WORK.mkdir(parents=True, exist_ok=True)
    for name, module in TOOLS.items():
        if not (WORK / "bin" / name).exists():
            run("go", "install", module, env={**os.environ, "GOBIN": str(WORK / "bin")})
    if not (WORK / "yaml_events").exists():
        run("g++", "-O2", "-std=c++20", ROOT / "bench/yaml_events.cpp", "-o", WORK / "yaml_events", "-lyaml-cpp")
    if not (WORK / "mixed").exists():
        run(sys.executable, ROOT / "bench/gen_corpus.py", WORK / "mixed")
    if not (WORK / "nodes.json").exists():
        run(sys.executable, ROOT / "bench/gen_nodes.py", WORK / "nodes.json")
    stream = (WORK / "mixed/stream.yaml").read_text()
    gpu = [text for text in stream.split("\n---\n") if "nvidia.com" in text]
    (WORK / "gpu.yaml").write_text("\n---\n".join(gpu) + "\n")
    (WORK / "small.yaml").write_text(min((text for text in gpu if "kind: Deployment" in text), key=len) + "\n")
    workloads = [text for text in gpu if "kind: Node" not in text][:500]
    (WORK / "workloads.yaml").write_text("\n---\n".join(workloads) + "\n")


def median(command, runs=5):
    """Seconds of wall time; exit statuses of linters do not matter."""
    report = WORK / "hyperfine.json"
    run("hyperfine", "-N" if "|" not in command else "-S", *([] if "|" not in command else ["sh"]), "--ignore-failure",
        "--warmup", "1", "--runs", runs, "--export-json", report, command, stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())["results"][0]["median"]


def peak_mib(command):
    pid = os.fork()
    if pid == 0:
        with open(os.devnull, "wb") as null:
            os.dup2(null.fileno(), 1)
        os.execvp(command[0], command)
    _, _, usage = os.wait4(pid, 0)
    return usage.ru_maxrss / 1024


def row(title, ours, others):
    cells = [f"{name} {seconds * 1000:.0f} ms ({seconds / ours:.1f} ×)" for name, seconds in others.items()]
    print(f"| {title} | {ours * 1000:.1f} ms | {', '.join(cells)} |", flush=True)


def main():
    gpulint = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/gpulint").resolve()
    prepare()
    check = f"{gpulint} check --no-config --fail-on never --quiet --output /dev/null"
    conform = f"{WORK}/bin/kubeconform -ignore-missing-schemas -schema-location /nonexistent"
    score = f"{WORK}/bin/kube-score score --output-format ci"
    stream, files, gpu, small = (WORK / name for name in ("mixed/stream.yaml", "mixed/files", "gpu.yaml", "small.yaml"))
    print("| input | gpulint | others (× gpulint) |\n|---|---|---|")
    row("stream of 50 MB", median(f"{check} {stream}"),
        {"kubeconform": median(f"{conform} {stream}", 3), "kube-score": median(f"{score} {stream}", 1),
         "yaml-cpp events": median(f"{WORK}/yaml_events {stream}", 3)})
    row("2,000 files", median(f"{check} {files}"),
        {"kubeconform": median(f"{conform} {files}", 3), "grep -rlE": median(f"grep -rlE {TRIGGERS!r} {files}")})
    one = median(f"{check} --jobs 1 {gpu}")
    row("every document about GPUs, one thread", one, {"yaml-cpp events": median(f"{WORK}/yaml_events {gpu}", 3)})
    row("the same, two threads", median(f"{check} --jobs 2 {gpu}"), {"one thread": one})
    row("one small file", median(f"{check} {small}", 200), {"true": median("true", 200)})
    row("5,000 nodes as JSON (read, classed)", median(f"{gpulint} nodes --output /dev/null {WORK}/nodes.json"), {})
    place = f"{gpulint} place --no-config --output /dev/null --nodes {WORK}/nodes.json {WORK}/workloads.yaml"
    row("5,000 nodes × 500 workloads placed", median(place), {})
    row("the same, as JSON of 500 MB", median(f"{place} --format json"), {})
    size = stream.stat().st_size / 2**20
    print(f"\nPeak memory on the stream of {size:.0f} MiB: {peak_mib([*check.split(), str(stream)]):.0f} MiB.")


if __name__ == "__main__":
    main()
