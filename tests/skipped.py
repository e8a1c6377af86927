"""Says which tests of a run of CTest were skipped, and why: skipped.py JUNIT.xml, as `ctest --output-junit` writes it."""
import collections
import re
import sys
import xml.etree.ElementTree


def reason(case):
    """What the test itself said, or else what CTest did."""
    for line in (case.findtext("system-out") or "").splitlines():
        if match := re.search(r"^skipped:? +(.*)|(.* is absent: .*)|(there is no recorded data.*)|Skipped\s*:?\s*(.+)", line):
            return next(filter(None, match.groups())).strip()
    said = case.find("skipped")
    return said.get("message") or "it says no reason"


def main(path):
    cases = [case for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase")
             if case.find("skipped") is not None and case.get("status") != "disabled"]
    if not cases:
        return print("no test was skipped")
    groups = collections.defaultdict(list)
    for case in cases:
        groups[re.sub(r'"?/\S*/(\S+?)"? is absent', "recorded data is absent", reason(case))].append(case.get("name"))
    print(f"{len(cases)} tests were skipped:")
    for why, names in sorted(groups.items(), key=lambda group: -len(group[1])):
        shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        print(f"  {len(names)}: {why} ({shown})")


if __name__ == "__main__":
    main(sys.argv[1])
