"""Keys that operators read, out of their own repositories: operator_keys.py CLONES >operator-keys.json.

CLONES holds one git directory a repository, `OWNER+NAME/repo`. Of a chart: values.yaml, what its templates
refer to, and the names of its dependencies; of a custom resource: its schema. Types are those of the newest
commit, keys those of the releases below, too. Needs PyYAML; run by hand, never by the build.
"""
import json
import re
import subprocess
import sys

import yaml

from operator_schema import add, all_keys, fill, merge, near, of_schema, of_values, open_whole, refer
from operator_sources import CHARTS, KINDS, SIGNS


class Clone:
    def __init__(self, folder, name):
        self.name, self.folder = name, f"{folder}/{name.replace('/', '+')}/repo"

    def run(self, *argv):
        done = subprocess.run(["git", "-C", self.folder, *argv], capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else ""

    def commits(self, releases):
        tags = self.run("tag").split()
        return ["HEAD"] + [tag for tag in releases if tag in tags]

    def files(self, commit, under):
        listed = self.run("ls-tree", "-r", "--name-only", commit, under + "/").split("\n")
        return [name for name in listed if name and "/charts/" not in name.removeprefix(under)]

    def show(self, commit, path):
        return self.run("show", f"{commit}:{path}")


def of_chart(clone, commit, folder):
    text = clone.show(commit, folder + "/values.yaml")
    if not text:
        return {}, set()
    keys = of_values(yaml.load(text, yaml.CSafeLoader))
    keys = keys if isinstance(keys, dict) else {}
    whole, words = [], set(re.findall(r"#\s*([a-z][\w-]*):", text))
    for name in clone.files(commit, folder + "/templates"):
        template = re.sub(r'index \$?\.Values "([^"]+)"', r".Values.\1", clone.show(commit, name))
        words |= set(re.findall(r"[\s({]\.([a-z]\w*)", template))
        for match in re.finditer(r"\.Values((?:\.[A-Za-z_][\w-]*)+)", template):
            path = match[1][1:].split(".")
            refer(keys, path)
            line = template[template.rfind("\n", 0, match.start()) + 1:template.find("\n", match.end())]
            if re.search(r"toYaml|range", line):
                whole.append(path)
    for path in whole:
        open_whole(keys, path)
    chart = yaml.load(clone.show(commit, folder + "/Chart.yaml"), yaml.CSafeLoader) or {}
    for dependency in chart.get("dependencies") or []:
        open_whole(keys, [dependency.get("alias") or dependency["name"]])
    keys["global"] = True
    return keys, words


def of_kind(clone, commit, path):
    text = re.sub(r"^\s*\{\{.*\}\}\s*$", "", clone.show(commit, path), flags=re.M)
    text = re.sub(r"\{\{[^}]*\}\}", "x", text)
    definitions = [found for found in yaml.load_all(text, yaml.CSafeLoader) if found]
    keys = None
    for definition in definitions:
        for version in definition["spec"]["versions"]:
            spec = version["schema"]["openAPIV3Schema"]["properties"].get("spec", {})
            found = of_schema(spec)
            keys = found if keys is None else merge(keys, found)
    return keys


def main():
    schemas = []
    for row in KINDS:
        clone = Clone(sys.argv[1], row["repository"])
        keys = None
        for commit in clone.commits(row.get("releases", [])):
            for path in row["paths"]:
                found = of_kind(clone, commit, path) if clone.show(commit, path) else None
                if found:
                    keys = found if keys is None else merge(keys, found)
        schemas.append({"name": row["kind"], "group": row["group"], "kind": row["kind"], "keys": keys,
                        "source": f"{row['repository']} {clone.run('rev-parse', '--short=12', 'HEAD').strip()}"})
    policy = schemas[0]["keys"]
    for row in CHARTS:
        clone = Clone(sys.argv[1], row["repository"])
        keys, words = {}, set()
        for commit in clone.commits(row.get("releases", [])):
            for folder in row["folders"]:
                found, more = of_chart(clone, commit, folder)
                keys, words = add(keys, found) if keys else found, words | more
        if row["name"] == "GPU Operator":
            fill(keys, policy)
        known = all_keys(keys)
        also = sorted(word for word in words - known if any(near(word, key) for key in known))
        schemas.append({"name": row["name"], "charts": row["charts"], "keys": keys, "also": also,
                        "signs": SIGNS.get(row["name"], []),
                        "source": f"{row['repository']} {clone.run('rev-parse', '--short=12', 'HEAD').strip()}"})
    rows = ",\n".join(json.dumps(row, sort_keys=True, separators=(",", ":")) for row in schemas)
    print('{"schemas": [\n' + rows + "\n]}")


if __name__ == "__main__":
    main()
