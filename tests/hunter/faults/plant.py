"""Faults that are planted on purpose: the hunter must find each within ten minutes on two cores.

usage: plant.py --check                     every old text of list.json occurs once in its file
       plant.py NAME... | --all             in this tree: plants one, builds, hunts, records, restores; one after the other
           [--build FOLDER] [--minutes N] [--jobs N]
A fault that was found says so in list.json: the program's number, the seconds, the seed, and what the hunter called it.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
LIST = pathlib.Path(__file__).with_name("list.json")


def occurrences(fault):
    return (ROOT / fault["file"]).read_text().count(fault["old"]) if (ROOT / fault["file"]).exists() else 0


def check(faults):
    wrong = [f"{f['name']}: its text occurs {occurrences(f)} times in {f['file']}, not once" for f in faults if occurrences(f) != 1]
    names = [f["name"] for f in faults]
    wrong += [f"{name}: twice in the list" for name in set(names) if names.count(name) > 1]
    wrong += [f"{f['name']}: changes nothing" for f in faults if f["old"] == f["new"]]
    found = sum("found" in f for f in faults)
    print("\n".join(wrong) or f"{len(faults)} faults can be planted; {found} of them were found by a hunt")
    return bool(wrong)


def build(folder):
    return subprocess.run(["ninja", "-C", folder, "weft-hunter"], capture_output=True, text=True)


def hunt(fault, options):
    path = ROOT / fault["file"]
    text = path.read_text()
    try:
        path.write_text(text.replace(fault["old"], fault["new"]))
        made = build(options.build)
        if made.returncode:
            return f"does not build: {made.stdout[-1500:]}"
        command = [f"{options.build}/bin/weft-hunter", "--minutes", str(options.minutes), "--jobs", str(options.jobs), "--shrink", "0"]
        for kind in fault["kinds"]:
            command += ["--stop", kind]
        said = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout
    finally:
        path.write_text(text)
    kinds = "|".join(fault["kinds"])  # what the tree itself does wrong in another way does not count
    met = re.search(rf"^seed (\d+), program (\d+) after (\d+) s: ({kinds}): (.*)$", said, re.M)
    if not met:
        return f"not found: {said.strip().splitlines()[-1] if said.strip() else 'the hunter said nothing'}"
    fault["found"] = {"program": int(met[2]), "seconds": int(met[3]), "seed": int(met[1]), "as": met[4]}
    return f"program {met[2]}, {met[3]} s: {met[4]}: {met[5][:120]}"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--all", action="store_true")
    arguments.add_argument("--build", default=str(ROOT / "build"))
    arguments.add_argument("--minutes", type=float, default=10)
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    faults = json.loads(LIST.read_text())
    if options.check:
        return check(faults)
    unknown = set(options.names) - {f["name"] for f in faults}
    if unknown or not (options.names or options.all):
        print(f"no fault {', '.join(sorted(unknown)) or 'named'}; there are {', '.join(f['name'] for f in faults)}")
        return 2
    if check(faults):
        return 1
    missed = 0
    for fault in faults:
        if options.all or fault["name"] in options.names:
            fault.pop("found", None)
            print(f"{fault['name']}: {hunt(fault, options)}", flush=True)
            missed += "found" not in fault
            LIST.write_text(json.dumps(faults, indent=1, ensure_ascii=False) + "\n")
    build(options.build)  # as it was
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
