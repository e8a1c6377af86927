"""Says which tests of a run of CTest were skipped, and why, and what those that failed said last, for a log of which only the end is
kept: summary.py JUNIT.xml, as `ctest --output-junit` writes it."""
import collections
import re
import sys
import xml.etree.ElementTree

LINES = 30  # of what one test said
TESTS = 10


def reason(case):
    """What the test itself said, or else what CTest did."""
    for line in (case.findtext("system-out") or "").splitlines():
        if match := re.search(r"^skipped:? +(.*)|(.* is absent: .*)|(there is no recorded data.*)|Skipped\s*:?\s*(.+)", line):
            return next(filter(None, match.groups())).strip()
    said = case.find("skipped")
    return said.get("message") or "it says no reason"


def say_skipped(cases):
    groups = collections.defaultdict(list)
    for case in cases:
        groups[re.sub(r'"?/\S*/(\S+?)"? is absent', "recorded data is absent", reason(case))].append(case.get("name"))
    print(f"{len(cases)} tests were skipped:" if cases else "no test was skipped")
    for why, names in sorted(groups.items(), key=lambda group: -len(group[1])):
        shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        print(f"  {len(names)}: {why} ({shown})")


# How tests say what they draw from. The hunter's word of a slow program is no failure.
SEED = re.compile(r"seeds?\b\D{0,3}\d|_SEED=\d|from \d{4,}|^\S+\.cpp:\d+: \d{4,}$", re.IGNORECASE)
NO_SEED = re.compile(r"more than half of what it may take|^\[ +\w+ +\]")


def say_failed(cases):
    """A random program that failed can be made again only from the seed that its test printed: seeds come last."""
    seeds = []
    for case in cases[:TESTS]:
        said = (case.findtext("system-out") or "").splitlines()
        why = case.find("failure").get("message")
        print(f"{case.get('name')} failed after {float(case.get('time')):.0f} s{f' ({why})' if why else ''}; it said last:")
        print("\n".join(f"  {line}" for line in said[-LINES:]))
        seeds += [f"  {case.get('name')}: {line}" for line in said if SEED.search(line) and not NO_SEED.search(line)][-3:]
    if len(cases) > TESTS:
        print(f"{len(cases) - TESTS} more tests failed: {', '.join(case.get('name') for case in cases[TESTS:])}")
    if seeds:
        print("seeds of tests that failed:", *seeds, sep="\n")


def main(path):
    cases = list(xml.etree.ElementTree.parse(path).getroot().iter("testcase"))
    say_skipped([case for case in cases if case.find("skipped") is not None and case.get("status") != "disabled"])
    say_failed([case for case in cases if case.find("failure") is not None])


if __name__ == "__main__":
    main(sys.argv[1])
