#!/usr/bin/env python3
"""Checks SARIF logs with a JSON schema and with Microsoft's multitool: each finds what the other does not.

The schema sees wrong shapes, which the multitool does not report (it prints nothing for a log it
cannot read); the multitool sees wrong contents: empty locations, bad indexes, absolute paths. Its
exit status is 0 either way, so its report is read.

usage: check_sarif.py --tools FOLDER FILE...
The tools are installed into FOLDER on first use. Exit status: 0 good, 1 findings, 77 tools not to be had.
"""
import argparse
import json
import pathlib
import sys

from validators import install, run

MULTITOOL = "node_modules/@microsoft/sarif-multitool-linux"
# What is no fault of a log, and why.
ACCEPTED = {
    "SARIF2005": "only asks for an informationUri: a build may have no home page",
    "SARIF2006": "only says that the schema's address cannot be reached",
}


def check_schema(tools, log):
    result = run(tools / "venv/bin/check-jsonschema", "--schemafile",
                 tools / MULTITOOL / "sarif-2.1.0.json", log)
    return [] if result.returncode == 0 else [f"{log}: schema: {result.stdout.strip()}"]


def check_contents(tools, log):
    report = tools / "report.sarif"
    report.unlink(missing_ok=True)
    result = run(tools / MULTITOOL / "Sarif.Multitool", "validate", log, "--rule-kind",
                 "Sarif;Ghas", "--level", "Error;Warning;Note", "-o", report, "--log",
                 "ForceOverwrite")
    if not report.exists():
        return [f"{log}: multitool wrote no report: {result.stdout.strip()}"]
    findings = json.loads(report.read_text(encoding="utf-8-sig"))["runs"][0].get("results", [])
    if not findings:
        return [f"{log}: multitool could not read the log (even a good one has notes)"]
    return [
        f"{log}: {finding['ruleId']} {finding.get('level', 'warning')}: "
        f"{finding['message'].get('arguments', '')}" for finding in findings
        if finding.get("level", "warning") != "note" and finding["ruleId"] not in ACCEPTED
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=pathlib.Path, required=True)
    parser.add_argument("logs", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    tools = arguments.tools.resolve()
    missing = install(tools, python=["check-jsonschema"], node=["@microsoft/sarif-multitool"])
    if missing:
        print(f"SKIPPED: SARIF logs are not validated, the tools cannot be installed: {missing}")
        return 77
    (tools / MULTITOOL / "Sarif.Multitool").chmod(0o755)  # npm does not make it executable
    problems = []
    for log in arguments.logs:
        problems += check_schema(tools, log) + check_contents(tools, log)
    print("\n".join(problems) or f"{len(arguments.logs)} SARIF logs are good")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
