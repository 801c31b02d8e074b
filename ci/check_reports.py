#!/usr/bin/env python3
"""Checks GitLab (.gitlab.json) and JUnit (.junit.xml) reports with the schemas in testdata/schemas.

JUnit counts are added up again, which no schema does.

usage: check_reports.py --tools FOLDER FILE...
The tools are installed into FOLDER on first use. Exit status: 0 good, 1 findings, 77 tools not to be had.
"""
import argparse
import pathlib
import sys
import xml.etree.ElementTree

from validators import install, run

SCHEMAS = pathlib.Path(__file__).resolve().parent.parent / "testdata/schemas"


def check_gitlab(tools, path):
    schema = SCHEMAS / "gitlab-code-quality.schema.json"
    result = run(tools / "venv/bin/check-jsonschema", "--schemafile", schema, path)
    return [] if result.returncode == 0 else [f"{path}: {result.stdout.strip()}"]


def check_junit(tools, path):
    result = run(tools / "venv/bin/xmlschema-validate", "--schema", SCHEMAS / "junit.xsd", path)
    problems = [] if result.returncode == 0 else [f"{path}: {(result.stdout + result.stderr).strip()}"]
    suites = xml.etree.ElementTree.parse(path).getroot()
    for element in [suites, *suites.iter("testsuite")]:
        for attribute, tag in (("tests", "testcase"), ("failures", "failure")):
            counted = len(list(element.iter(tag)))
            if int(element.get(attribute)) != counted:
                problems.append(f"{path}: {element.get('name')}: {attribute} is not {counted}")
    return problems


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
        check = check_junit if path.suffix == ".xml" else check_gitlab
        problems += check(tools, path)
    print("\n".join(problems) or f"{len(arguments.reports)} reports are good")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
