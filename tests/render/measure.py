"""Measures `gpulint check --render` on the charts of charts.txt.

Usage: measure.py GPULINT RENDERER CLONES [PART_OF_NAME]
CLONES has a folder OWNER+NAME/repo for each repository, a git repository with the commit. Needs PyYAML.

Values with mistakes are made wherever the chart's values have `resources` or `tolerations`. A finding is right if its line alone,
changed, changes the scalar that it names in the rendered object.
"""
import collections
import copy
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import yaml

RESOURCES = ({"limits": {"nvidia.com/gpu": 1.5}}, {"requests": {"nvidia.com/gpu": 2}, "limits": {"nvidia.com/gpu": 1}})
TOLERATIONS = ([{"key": "nvidia.com/gpu", "operator": "Exists", "value": "present", "effect": "NoSchedule"}],
               [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedul"}])
OPTIONS = {"release": "one", "namespace": "gpu", "kubeVersion": "1.34.0"}


def sow(values, count):
    """What a user could write who sets everything that is about GPUs; with mistakes."""
    sown = {}
    for key, value in values.items():
        is_empty = value is None or value in ({}, [])
        if key == "resources" and (is_empty or isinstance(value, dict)) and not any(isinstance(each, list) for each in (value or {}).values()):
            sown[key] = copy.deepcopy(RESOURCES[next(count) % 2])
        elif key == "tolerations" and (is_empty or isinstance(value, list)):
            sown[key] = copy.deepcopy(TOLERATIONS[next(count) % 2])
        elif isinstance(value, dict) and (below := sow(value, count)):
            sown[key] = below
    return sown


def merge(values, more):
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(values.get(key), dict):
            merge(values[key], value)
        else:
            values[key] = value


class Renderer:
    """gpulint-render."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def render(self, chart, mine, files):
        """The documents of each template; None if the chart does not render."""
        request = {"id": 1, "chart": str(chart), "values": [{"name": "mine.yaml", "text": mine}], "files": files, "checkSchema": False}
        self.process.stdin.write(json.dumps(request | OPTIONS) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            return None
        return {each["name"]: each["text"] for each in answer["templates"]}


class Loader(yaml.SafeLoader):
    """YAML whose scalars stay texts: `1` and `"1"` are different only in their text."""


Loader.yaml_implicit_resolvers = {}


def paths_in(node, path="", found=None):
    """The text of each scalar and the shape of each collection, by their dotted path."""
    found = {} if found is None else found
    found[path] = json.dumps(node, default=str)
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        step = f"[{key}]" if isinstance(node, list) else ("." if path else "") + str(key)
        paths_in(value, path + step, found)
    return found


def text_at(templates, place):
    """What a rendered object has at the path of a finding; None if nothing."""
    kind, _, name = place["object"].split("/") if place["object"].count("/") == 2 else (place["object"].split("/") + ["", ""])[:3]
    try:
        documents = list(yaml.load_all(templates.get(place["template"], ""), Loader))
    except yaml.YAMLError:
        return None
    for document in documents:
        if isinstance(document, dict) and document.get("kind") == kind and (document.get("metadata") or {}).get("name") == (name or _):
            path = re.split(r"(?<=\])/", place["path"])[0]  # a document in a text: the text
            return paths_in(document).get(re.sub(r'\["?([^\]"\d][^\]"]*)"?\]', r".\1", path))
    return None


def changes_of(text, finding):
    """The text with the finding's line changed, in a few ways."""
    data = text.encode()
    begin, end = (finding["range"][side]["offset"] for side in ("start", "end"))
    token = data[begin:end].decode()
    line_begin = data.rfind(b"\n", 0, begin) + 1
    line_end = data.find(b"\n", begin) % (len(data) + 1)
    ways = [(line_begin, line_end, "")] if finding["decidedBy"] == "template" else []
    is_number = re.fullmatch(r"[\d.]+", token)
    ways += [(begin, end, "7" if is_number else token[:-1] + "x" + token[-1:]), (begin, end, token + "x"), (begin, end, "7"), (line_begin, line_end, "")]
    return [(data[:a] + new.encode() + data[b:]).decode() for a, b, new in ways]


def judge(renderer, root, chart, mine, finding):
    """Whether the line of a finding decides what it names: right, wrong or not tried."""
    place = finding["rendered"]
    plain = renderer.render(chart, mine, {})
    before = text_at(plain, place)
    if before is None:
        return "not tried: " + place["object"] + " " + place["path"]
    name = finding["file"]
    text = mine if name == "mine.yaml" else (root / name).read_text()
    verdict = "not tried"
    for changed in changes_of(text, finding):
        is_mine = name == "mine.yaml"
        files = {} if is_mine else {str((root / name).relative_to(chart)): changed}
        templates = renderer.render(chart, changed if is_mine else mine, files)
        if templates is None:
            continue
        if text_at(templates, place) != before:
            return "right"
        verdict = "wrong"
    return verdict


def run_gpulint(gpulint, renderer_program, root, words):
    """The report, how often something was rendered, and the processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run([gpulint, "check", "-v", "--no-config", "--format", "json", "--render", *words], cwd=root, capture_output=True,
                         text=True, env={"PATH": str(pathlib.Path(renderer_program).parent)}, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    count = re.search(r"were rendered (\d+) times", ran.stderr)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(ran.stdout), int(count[1]) if count else 0, seconds


def lay_out(clone, commit, folder, root):
    """Extracts the chart. Dependencies that it names by `file://` are copied into `charts/`."""
    def extract(path):
        archive = subprocess.run(["git", "-C", clone, "archive", commit, path], capture_output=True, check=True)
        subprocess.run(["tar", "x"], input=archive.stdout, cwd=root, check=True)

    extract(folder)
    chart = root / folder
    for dependency in yaml.safe_load((chart / "Chart.yaml").read_text()).get("dependencies", ()):
        address = dependency.get("repository", "")
        there = chart / "charts" / dependency["name"]
        if address.startswith("file://") and not there.exists():
            source = pathlib.PurePosixPath(os.path.normpath(f"{folder}/{address.removeprefix('file://')}"))
            if not (root / source).exists():
                lay_out(clone, commit, str(source), root)
            shutil.copytree(root / source, there)
    return chart


def measure(gpulint, program, clones, line):
    repository, commit, folder, *extra = line.split(None, 3)
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        chart = lay_out(clones / repository.replace("/", "+") / "repo", commit, folder, root)
        values = yaml.safe_load((chart / "values.yaml").read_text()) or {}
        sown = sow(values, iter(range(10_000)))
        for each in extra:
            merge(sown, json.loads(each))
        mine = yaml.safe_dump(sown, sort_keys=False)
        (root / "mine.yaml").write_text(mine)
        report, renders, seconds = run_gpulint(gpulint, program, root, [folder, "--values", "mine.yaml", "--namespace", OPTIONS["namespace"],
                                                                        "--release", OPTIONS["release"]])
        findings = [each for each in report["diagnostics"] if "decidedBy" in each]
        result = collections.Counter(each["decidedBy"] for each in findings)
        renderer = Renderer(program)
        for each in findings:
            if each["decidedBy"] != "file":
                verdict = judge(renderer, root, chart, mine, each)
                result[verdict.split(":")[0]] += 1
                if verdict != "right":
                    print(f"  {verdict}: {each['id']} {each['file']}:{each['range']['start']['line']} {each['rendered']}")
        renderer.process.stdin.close()
        result.update(findings=len(findings), fixes=sum(each["fix"] is not None for each in findings),
                      unproven=sum(each["fix"] is None and bool(re.search(r"(^|; )(write|remove|set) [^;]*$", each["help"] or "")) and each["file"] == "mine.yaml"
                                   for each in findings))
        print(f"{repository} {folder}: {dict(result)}, {renders} renders, {seconds:.2f} s", *(each["why"] for each in report["read"]["notRead"]), flush=True)
        return result, renders, seconds


def main():
    gpulint, program, clones = map(os.path.abspath, sys.argv[1:4])
    part = sys.argv[4:]
    lines = (pathlib.Path(__file__).parent / "charts.txt").read_text().splitlines()
    results = [measure(gpulint, program, pathlib.Path(clones), line) for line in lines
               if not line.startswith("#") and (not part or part[0] in line)]
    total = sum((result for result, _, _ in results), collections.Counter())
    print(f"{len(results)} charts: {dict(total)}; renders: median {statistics.median(renders for _, renders, _ in results)}, "
          f"most {max(renders for _, renders, _ in results)}; processor time: most {max(seconds for _, _, seconds in results):.2f} s")


if __name__ == "__main__":
    main()
