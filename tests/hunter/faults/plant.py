"""Faults that are planted on purpose: the hunter must find each within ten minutes on two cores, 1200 seconds of computing.

usage: plant.py --check                     every old text of list.json occurs once in its file
       plant.py NAME... | --all | --open    in this tree: plants one, builds, hunts, records, restores; one after the other
           [--build FOLDER] [--seconds N] [--jobs N] [--nice N]
       plant.py --confirm                   the tree as it is has nothing at the seeds by which faults were found
--open: those that no hunt has found yet. A fault that was found says so in list.json: how many programs it took, seconds of
computing, the seed, and what the hunter called it. A fault may need more than one change: `also`.
One of another target than the CPU says which, `target`; one of another precision than float32, `precision`; one of weights that are
whole numbers, `weights-as`; one of caches, `caches-as`; one of an instruction set, `isa`.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
LIST = pathlib.Path(__file__).with_name("list.json")


def changes(fault):
    return [fault, *fault.get("also", [])]


def occurrences(change):
    return (ROOT / change["file"]).read_text().count(change["old"]) if (ROOT / change["file"]).exists() else 0


def check(faults):
    wrong = [f"{f['name']}: `{c['old'][:40]}` occurs {occurrences(c)} times in {c['file']}, not once"
             for f in faults for c in changes(f) if occurrences(c) != 1]
    names = [f["name"] for f in faults]
    wrong += [f"{name}: twice in the list" for name in set(names) if names.count(name) > 1]
    wrong += [f"{f['name']}: changes nothing" for f in faults for c in changes(f) if c["old"] == c["new"]]
    found = sum("found" in f for f in faults)
    print("\n".join(wrong) or f"{len(faults)} faults can be planted; {found} of them were found by a hunt")
    return bool(wrong)


def build(folder):
    return subprocess.run(["ninja", "-C", folder, "weft-hunter"], capture_output=True, text=True)


def hunt(fault, options):
    texts = {c["file"]: (ROOT / c["file"]).read_text() for c in changes(fault)}
    try:
        for change in changes(fault):
            path = ROOT / change["file"]
            path.write_text(path.read_text().replace(change["old"], change["new"]))
        made = build(options.build)
        if made.returncode:
            return f"does not build: {made.stdout[-1500:]}"
        command = ["nice", "-n", str(options.nice), f"{options.build}/bin/weft-hunter", "--computing", str(options.seconds), "--jobs", str(options.jobs), "--shrink", "0"]
        for given in ("target", "precision", "weights-as", "caches-as", "isa"):
            if given in fault:
                command += [f"--{given}", fault[given]]
        for kind in fault["kinds"]:
            command += ["--stop", kind]
        if fault["kinds"][0] == "hang":
            command += ["--limit", "10"]  # seconds of computing, of which a program needs one or two
        if fault["kinds"][0] in ("stage", "derivative", "refusal", "invalid", "refused") or fault["file"].startswith("passes/plan/"):
            command += ["--passes"]  # which show before anything is compiled
        said = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout
    finally:
        for file, text in texts.items():
            (ROOT / file).write_text(text)
    kinds = "|".join(fault["kinds"])  # what the tree itself does wrong in another way does not count
    met = re.search(rf"^seed (\d+), program (\d+) after (\d+) s: ({kinds}): (.*)$", said, re.M)
    if not met:
        return f"not found: {said.strip().splitlines()[-1] if said.strip() else 'the hunter said nothing'}"
    fault["found"] = {"program": int(met[2]), "seconds": int(met[3]), "seed": int(met[1]), "as": met[4]}
    return f"program {met[2]}, {met[3]} s: {met[4]}: {met[5][:120]}"


def confirm(faults, folder):
    wrong = 0
    for fault in faults:
        if "found" in fault:
            command = [f"{folder}/bin/weft-hunter", "--seed", str(fault["found"]["seed"]), "--count", "1", "--shrink", "0",
                       "--target", fault.get("target", "cpu"), "--precision", fault.get("precision", "float32"),
                       "--weights-as", fault.get("weights-as", "float32"), "--caches-as", fault.get("caches-as", "float32")]
            command += ["--isa", fault["isa"]] if "isa" in fault else []
            made = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
            if made.returncode:
                wrong += 1
                print(f"{fault['name']}: its program fails without it too: {made.stdout.strip().splitlines()[1][:150]}", flush=True)
    print(f"{wrong} programs fail without the fault")
    return wrong > 0


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--confirm", action="store_true")
    arguments.add_argument("--all", action="store_true")
    arguments.add_argument("--build", default=str(ROOT / "build"))
    arguments.add_argument("--open", action="store_true")
    arguments.add_argument("--seconds", type=float, default=1200)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--nice", type=int, default=0, help="of the hunt, not of the builds")
    options = arguments.parse_args()
    faults = json.loads(LIST.read_text())
    if options.check:
        return check(faults)
    if options.confirm:
        return confirm(faults, options.build)
    unknown = set(options.names) - {f["name"] for f in faults}
    if unknown or not (options.names or options.all or options.open):
        print(f"no fault {', '.join(sorted(unknown)) or 'named'}; there are {', '.join(f['name'] for f in faults)}")
        return 2
    wanted = [f for f in faults if options.all or f["name"] in options.names or (options.open and "found" not in f)]
    if check(wanted):
        return 1
    missed = 0
    for fault in wanted:
        fault.pop("found", None)
        print(f"{fault['name']}: {hunt(fault, options)}", flush=True)
        missed += "found" not in fault
        now = json.loads(LIST.read_text())  # it may have grown meanwhile
        faults_now = [fault if f["name"] == fault["name"] else f for f in now]
        LIST.write_text(json.dumps(faults_now, indent=1, ensure_ascii=False) + "\n")
    build(options.build)  # as it was
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
