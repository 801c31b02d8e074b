#!/usr/bin/env python3
"""Does gpulint read YAML as Kubernetes does? Damaged real files decide.

usage: run.py check GPULINT                            the recorded and the chosen texts of testdata/yaml-mutants
       run.py fresh GPULINT READER [--count N] [--seed SEED]   new mutants, read by READER (the program of this folder)
       run.py record READER                            writes the recorded mutants anew, and the answers to the chosen texts
"""
import argparse
import collections
import json
import pathlib
import sys
import time

import compare

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
RECORDED = SOURCE / "testdata/yaml-mutants/mutants.jsonl"
RECORDED_COUNT = 1000
CHOSEN = SOURCE / "testdata/yaml-mutants/chosen.jsonl"
LONGEST = 600  # characters of a source that are damaged
BATCH = 5000   # texts that are in memory at a time
SHOWN = 50     # differences that are printed whole
# Damage at random always finds forms that no reason covers: one such difference in so many mutants is no failure.
RARE = 10_000


class Report:
    """Counts differences, and deviations that are meant by name."""

    def __init__(self):
        self.texts = 0
        self.verdicts = collections.Counter()
        self.deviations = collections.Counter()
        self.differences = 0

    def add(self, text, kubernetes, gpulint, how):
        self.texts += 1
        self.verdicts[compare.verdict(kubernetes)] += 1
        difference = compare.difference(text, kubernetes, gpulint)
        if not difference:
            return
        deviation = compare.deviation(text, kubernetes, gpulint)
        if deviation:
            self.deviations[deviation] += 1
            return
        self.differences += 1
        if self.differences <= SHOWN:
            print(f"--- {how}: {difference[:2000]}\n{compare.to_bytes(text).decode('utf-8', 'backslashreplace')}")

    def end(self):
        print(f"{self.texts} mutants ({dict(self.verdicts)}), {self.differences} differences, meant: {dict(self.deviations)}")
        return 1 if self.differences > self.texts // RARE else 0


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def to_line(how, text, answer):
    return json.dumps({"how": how, "text": text, **answer}, separators=(",", ":"))


def check(gpulint):
    chosen = read_lines(CHOSEN)
    recorded = read_lines(RECORDED) + chosen
    report = Report()
    for one, seen in zip(recorded, compare.ask_gpulint(gpulint, [one["text"] for one in recorded]), strict=True):
        report.add(one["text"], one, seen, one["how"])
    assert report.texts == RECORDED_COUNT + len(chosen)
    return report.end()


def mutator(seed, folders):
    import mutants  # needs PyYAML, which the recorded mutants do without
    return mutants.Mutator(seed, mutants.read_sources([folder for folder in folders if folder.is_dir()]))


def own_files():
    return [SOURCE / "rules", SOURCE / "testdata"]


def fresh(gpulint, reader, count, seed):
    print(f"seed {seed}", flush=True)
    source = mutator(seed, own_files() + [SOURCE.parent / "shared/corpus"])
    report = Report()
    while report.texts < count:
        made = [source.mutant(LONGEST) for _ in range(min(BATCH, count - report.texts))]
        texts = [text for text, _ in made]
        for (text, how), *answers in zip(made, compare.ask_kubernetes(reader, texts), compare.ask_gpulint(gpulint, texts)):
            report.add(text, *answers, " ".join(how))
    return report.end()


def record_chosen(reader):
    chosen = read_lines(CHOSEN)
    answers = compare.ask_kubernetes(reader, [one["text"] for one in chosen])
    lines = [to_line(one["how"], one["text"], answer) for one, answer in zip(chosen, answers, strict=True)]
    CHOSEN.write_text("\n".join(lines) + "\n")


def record(reader):
    """Mutants of this repository's files: as many of each kind of damage and verdict as there are."""
    source = mutator("recorded", own_files())
    made = {}
    for _ in range(12 * RECORDED_COUNT):
        text, how = source.mutant(LONGEST)
        made.setdefault(text, how)
    groups = collections.defaultdict(list)
    for (text, how), answer in zip(made.items(), compare.ask_kubernetes(reader, list(made)), strict=True):
        if len(text) + len(str(answer)) < 3 * LONGEST:
            groups[how[0], compare.verdict(answer)].append(to_line(" ".join(how), text, answer))
    lines = []
    while len(lines) < RECORDED_COUNT:
        for _, group in sorted(groups.items()):
            if group and len(lines) < RECORDED_COUNT:
                lines.append(group.pop())
    RECORDED.parent.mkdir(exist_ok=True)
    RECORDED.write_text("\n".join(sorted(lines)) + "\n")
    record_chosen(reader)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check").add_argument("gpulint")
    new = commands.add_parser("fresh")
    new.add_argument("gpulint")
    new.add_argument("reader")
    new.add_argument("--count", type=int, default=100_000)
    new.add_argument("--seed", default=str(int(time.time())))
    commands.add_parser("record").add_argument("reader")
    asked = parser.parse_args()
    if asked.command == "check":
        return check(asked.gpulint)
    if asked.command == "fresh":
        return fresh(asked.gpulint, asked.reader, asked.count, asked.seed)
    record(asked.reader)
    return 0


if __name__ == "__main__":
    sys.exit(main())
