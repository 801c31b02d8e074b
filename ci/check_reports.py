#!/usr/bin/env python3
"""Checks reports of GitLab, reviewdog, SonarQube, JUnit and Checkstyle with the schemas in testdata/schemas, told by their
names: `*.gitlab.json`, `*.rdjson.json`, `*.sonar.json`, `*.junit.xml`, `*.checkstyle.xml`.

JUnit counts are added up again, which no schema does; so is that Sonar's ranges are not empty and its rules are listed.

usage: check_reports.py --tools FOLDER FILE...
The tools are installed into FOLDER on first use. Exit status: 0 good, 1 findings, 77 tools not to be had.
"""
import argparse
import json
import pathlib
import sys
import xml.etree.ElementTree

from validators import install, run

SCHEMAS = pathlib.Path(__file__).resolve().parent.parent / "testdata/schemas"


def check_schema(tools, schema, path):
    program = "check-jsonschema --schemafile" if path.suffix == ".json" else "xmlschema-validate --schema"
    name, flag = program.split()
    result = run(tools / "venv/bin" / name, flag, SCHEMAS / schema, path)
    return [] if result.returncode == 0 else [f"{path}: {(result.stdout + result.stderr).strip()}"]


def check_sonar(path):
    problems = []
    report = json.loads(path.read_text(encoding="utf-8"))
    rules = {rule["id"] for rule in report["rules"]}
    for issue in report["issues"]:
        if issue["ruleId"] not in rules:
            problems.append(f"{path}: no rule {issue['ruleId']}")
        for place in [issue["primaryLocation"], *issue.get("secondaryLocations", [])]:
            at = place["textRange"]
            if "startColumn" in at and (at["startLine"], at["startColumn"]) >= (at["endLine"], at["endColumn"]):
                problems.append(f"{path}: empty range {at}")
    return problems


def check_junit(path):
    problems = []
    suites = xml.etree.ElementTree.parse(path).getroot()
    for element in [suites, *suites.iter("testsuite")]:
        for attribute, tag in (("tests", "testcase"), ("failures", "failure")):
            counted = len(list(element.iter(tag)))
            if int(element.get(attribute)) != counted:
                problems.append(f"{path}: {element.get('name')}: {attribute} is not {counted}")
    return problems


KINDS = {  # of reports: the end of the name, the schema, what no schema can say
    "gitlab.json": ("gitlab-code-quality.schema.json", None),
    "rdjson.json": ("reviewdog.schema.json", None),
    "sonar.json": ("sonar-issues.schema.json", check_sonar),
    "junit.xml": ("junit.xsd", check_junit),
    "checkstyle.xml": ("checkstyle.xsd", None),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=pathlib.Path, required=True)
    parser.add_argument("reports", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    tools = arguments.tools.resolve()
    missing = install(tools, python=["check-jsonschema", "xmlschema"])
    if missing:
        print(f"SKIPPED: reports are not validated, the tools cannot be installed: {missing}")
        return 77
    problems = []
    for path in arguments.reports:
        schema, check = KINDS[".".join(path.name.split(".")[-2:])]
        problems += check_schema(tools, schema, path)
        problems += check(path) if check else []
    print("\n".join(problems) or f"{len(arguments.reports)} reports are good")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
