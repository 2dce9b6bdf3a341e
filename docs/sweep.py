#!/usr/bin/env python3
"""Checks a kernel on every benchdnn list of a folder and prints what was found as a table.

    docs/sweep.py --lists ../shared/cases/benchdnn --reports build/sweep onednn_f32 --mb 2 --seed 1

Words that it does not know go to `wgradcheck check`. A list whose report is in the folder of reports is not run
again, so a sweep that was stopped goes on where it was.
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def report_of(args, words, shapes):
    """The JSON report of one list, run now unless it is there; None where the check gave none."""
    path = args.reports / (shapes.name + ".json")
    if not path.exists():
        command = [args.program, "check", *words, "--shapes", shapes, "--json", path, "--seconds", str(args.seconds)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL)
        if done.returncode not in (0, 1, 3) or not path.exists():
            return None
    return json.loads(path.read_text())


def row(name, report):
    """One line of the table."""
    if report is None:
        return f"| {name} | 0 | | nothing ran |"
    found = ", ".join(sorted({c["property"] for c in report["counterexamples"]})) or report["verdict"]
    return f"| {name} | {report['cases']['run']} | {report['cases']['skipped']} | {found} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "wgradcheck")
    parser.add_argument("--lists", type=pathlib.Path, required=True, help="folder of benchdnn's shapes_* files")
    parser.add_argument("--reports", type=pathlib.Path, required=True, help="folder for the JSON reports")
    parser.add_argument("--seconds", type=int, default=300, help="for each list")
    args, words = parser.parse_known_args()
    args.reports.mkdir(parents=True, exist_ok=True)
    reports = {}
    for shapes in sorted(args.lists.glob("shapes_*")):
        reports[shapes.name] = report_of(args, words, shapes)
        print(row(shapes.name, reports[shapes.name]), file=sys.stderr)

    print("| list | runs | not run | found |\n|---|---|---|---|")
    for name, report in reports.items():
        print(row(name, report))
    for name, report in reports.items():
        for c in report["counterexamples"] if report else []:
            print(f"\n`{name}`: {c['property']}: {c['detail']}\n\n    {c['replay']}")
    missing = [name for name, report in reports.items() if report is None]
    return 3 if missing or not reports else 0


if __name__ == "__main__":
    sys.exit(main())
