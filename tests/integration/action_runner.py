"""Runs the steps of a composite action as the runner does, as far as this repository's action goes.

usage: action_runner.py ACTION_FOLDER WORKSPACE TEMP < inputs.json; needs PyYAML.
Prints {"outputs", "failed", "used": [{"uses", "with"}], "log", "summary"} as JSON.
Known: inputs with defaults, env, expressions of inputs, steps and github.action_path, `if` with always(),
GITHUB_OUTPUT, GITHUB_PATH, GITHUB_STEP_SUMMARY, steps that use other actions (noted, not run).
"""
import json
import os
import pathlib
import re
import subprocess
import sys

import yaml


class Runner:
    def __init__(self, folder, workspace, temp):
        self.folder, self.workspace, self.temp = folder, workspace, temp
        self.action = yaml.safe_load((folder / "action.yml").read_text())
        given = json.load(sys.stdin)
        unknown = set(given) - set(self.action["inputs"])
        if unknown:
            sys.exit(f"no such inputs: {unknown}")
        self.inputs = {name: given.get(name, spec.get("default", ""))
                       for name, spec in self.action["inputs"].items()}
        self.steps, self.used, self.log, self.path, self.failed = {}, [], "", [], False
        self.summary = temp / "summary.md"
        self.summary.write_text("")

    def value(self, expression):
        words = expression.strip().split(".")
        if expression.strip() == "github.action_path":
            return str(self.folder)
        if expression.strip() == "github.action_repository":
            return ""
        if words[0] == "inputs":
            return self.inputs[words[1]]
        if words[0] == "steps" and words[2] == "outputs":
            return self.steps.get(words[1], {}).get(words[3], "")
        sys.exit(f"unknown expression {expression}")

    def expand(self, text):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda match: self.value(match.group(1)), str(text))

    def wanted(self, condition):
        if condition is None:
            return not self.failed
        terms = [term.strip() for term in condition.strip("${} ").split("&&")]
        held = "always()" in terms or not self.failed
        for term in terms:
            if match := re.fullmatch(r"(\S+) (==|!=) '(.*)'", term):
                held = held and (self.value(match[1]) == match[3]) == (match[2] == "==")
            elif term != "always()":
                sys.exit(f"unknown condition {term}")
        return held

    def run_step(self, step):
        files = {name: self.temp / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH")}
        for file in files.values():
            file.write_text("")
        if "${{" in step["run"]:
            sys.exit("an expression inside of a script is an injection")
        variables = dict(os.environ) | {name: str(file) for name, file in files.items()}
        variables |= {name: self.expand(value) for name, value in step.get("env", {}).items()}
        variables |= {"RUNNER_TEMP": str(self.temp), "GITHUB_STEP_SUMMARY": str(self.summary),
                      "PATH": ":".join([*self.path, os.environ["PATH"]]), "CI": "true"}
        process = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], text=True, check=False,
            cwd=self.workspace, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.log += process.stdout
        self.failed = self.failed or process.returncode != 0
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        self.steps[step.get("id", "")] = outputs
        self.path += files["GITHUB_PATH"].read_text().split()

    def run(self):
        for step in self.action["runs"]["steps"]:
            if not self.wanted(step.get("if")):
                continue
            if "uses" in step:
                arguments = {name: self.expand(value) for name, value in step.get("with", {}).items()}
                self.used.append({"uses": step["uses"], "with": arguments})
            else:
                self.run_step(step)
        return {"outputs": {name: self.expand(spec["value"]) for name, spec in self.action["outputs"].items()},
                "failed": self.failed, "used": self.used, "log": self.log, "summary": self.summary.read_text()}


if __name__ == "__main__":
    print(json.dumps(Runner(*(pathlib.Path(word).resolve() for word in sys.argv[1:4])).run()))
