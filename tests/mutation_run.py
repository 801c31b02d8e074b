#!/usr/bin/env python3
"""Damages real files at random and runs gpulint over each: none may make it fall, hang, take memory out of proportion, or be
passed over in silence.

usage: mutation_run.py GPULINT [--reader READER] [--seconds CPU] [--seed SEED] [--found FOLDER]

READER is the program of tests/kubernetes_yaml: what Kubernetes' own reader refuses must be a finding. Seconds are those of
GPULINT alone. What fell is kept in FOLDER; the same seed makes the same files. Exit status 1 where a law was broken.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent
sys.path.insert(0, str(HERE / "kubernetes_yaml"))
import compare  # noqa: E402
import mutants  # noqa: E402

LONGEST = 20_000  # characters of a source that are damaged
BATCH = 100       # files that the reader is asked about at a time
HANG = 10         # seconds
# Bytes beside ten for each of the input's (SECURITY.md: memory in proportion to the size); sanitizers keep a multiple.
MEMORY = 200 << 20
REPORTS = ["--format", "text"] + [word for name in ("json", "sarif", "html", "gitlab", "junit", "markdown", "github", "concise",
                                                           "openreports", "policyreport", "jsonl", "checkstyle", "rdjson", "azure", "sonar")
                                  for word in ("--format", f"{name}:report.{name}")]
RUNS = [["check", "--no-config", *REPORTS, "in.yaml"], ["fix", "--diff", "--unsafe-fixes", "--no-config", "in.yaml"]]
OTHERS = [["compile", "--no-config", "--task", "gpu=1,accelerator=A100", "in.yaml"], ["place", "--no-config", "in.yaml"],
          ["nodes", "--no-config", "in.yaml"], ["generate", "--no-config", "--task", "gpu=1", "in.yaml"],
          ["compile", "--no-config", "--values", "in.yaml", "--task", "gpu=1"], ["check", "--config", "in.yaml", "good.yaml"],
          ["check", "--no-config", "--nodes", "in.yaml", "good.yaml"], ["place", "--no-config", "--tasks", "in.yaml", "good.yaml"],
          ["check", "--no-config", "--baseline", "in.yaml", "good.yaml"]]
GOOD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]}\n"


class Runner:
    def __init__(self, gpulint, folder):
        self.gpulint = os.path.abspath(gpulint)
        self.folder = pathlib.Path(folder)
        self.has_sanitizer = b"__asan_init" in pathlib.Path(self.gpulint).read_bytes()
        self.cpu = 0.0
        self.longest = 0.0  # seconds
        self.largest = 0    # bytes
        (self.folder / "good.yaml").write_text(GOOD)

    def run(self, words, size):
        """What law a run broke, in words; empty where none."""
        with open(self.folder / "out", "wb") as out, open(self.folder / "err", "wb") as err:
            started = time.monotonic()
            process = subprocess.Popen([self.gpulint, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            try:
                signal.signal(signal.SIGALRM, lambda *_: process.kill())
                signal.alarm(HANG * (6 if self.has_sanitizer else 1))
                _, status, usage = os.wait4(process.pid, 0)
                signal.alarm(0)
            finally:
                process.returncode = 0
        took = time.monotonic() - started
        status = os.waitstatus_to_exitcode(status)
        self.cpu += usage.ru_utime + usage.ru_stime
        memory = usage.ru_maxrss << 10
        self.longest = max(self.longest, took)
        self.largest = max(self.largest, memory)
        if status == -signal.SIGKILL:
            return f"still running after {took:.0f} s"
        said = (self.folder / "err").read_bytes()
        if status not in (0, 1, 2) or b"Sanitizer" in said or b"runtime error" in said or b"basic_string" in said:
            return f"fell ({status}): {said[-2000:].decode(errors='replace')}"
        if status == 2 and not said:
            return "exit status 2 and not a word"
        if status == 2 and words in RUNS:
            return f"a file that is there ends the run: {said[-500:].decode(errors='replace')}"
        if memory > 10 * size + MEMORY and not self.has_sanitizer:
            return f"{memory >> 20} MiB"
        return ""

    def is_silent(self):
        """Whether the last check said nothing at all: no finding, no note that there was nothing to read."""
        has_note = (self.folder / "err").stat().st_size > 0
        return not has_note and not json.loads((self.folder / "report.json").read_bytes())["diagnostics"]


def refused(reader, texts):
    """Why Kubernetes refuses each of the texts; None where it does not, or nobody can be asked."""
    if not reader:
        return [None] * len(texts)
    return [answer.get("error") for answer in compare.ask_kubernetes(reader, texts)]


def judge(runner, text, why_refused, other):
    """Each law that a text breaks: the command and the words for it."""
    data = compare.to_bytes(text)
    (runner.folder / "in.yaml").write_bytes(data)
    for words in [*RUNS, other]:
        broken = runner.run(words, len(data))
        if broken:
            yield words, broken
        elif words[0] == "check" and words in RUNS and why_refused and runner.is_silent():
            seen = {"ids": set(), "messages": [], "documents": [], "unstable": False}
            if not compare.deviation(text, {"error": why_refused}, seen):
                yield words, f"silence about what Kubernetes refuses: {why_refused}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gpulint")
    parser.add_argument("--reader")
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--seed", default=str(int(time.time())))
    parser.add_argument("--found", default="build/mutants")
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    folders = [SOURCE / "rules", SOURCE / "testdata", SOURCE.parent / "shared/corpus"]
    source = mutants.Mutator(asked.seed, mutants.read_sources([folder for folder in folders if folder.is_dir()]))
    files = broken_laws = 0
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        runner = Runner(asked.gpulint, folder)
        while runner.cpu < asked.seconds:
            made = [source.mutant(LONGEST) for _ in range(BATCH)]
            texts = [text for text, _ in made]
            for (text, how), error in zip(made, refused(asked.reader, texts), strict=True):
                for words, law in judge(runner, text, error, OTHERS[files % len(OTHERS)]):
                    broken_laws += 1
                    kept = pathlib.Path(asked.found, f"{asked.seed}-{files}.yaml")
                    kept.parent.mkdir(parents=True, exist_ok=True)
                    kept.write_bytes(compare.to_bytes(text))
                    print(f"{kept} ({' '.join(how)}), {words[0]}: {law}", flush=True)
                files += 1
    print(f"{files} files, {runner.cpu:.0f} s of CPU, {broken_laws} laws broken; at most {runner.longest:.1f} s and "
          f"{runner.largest >> 20} MiB", flush=True)
    return 1 if broken_laws else 0


if __name__ == "__main__":
    sys.exit(main())
