"""Runs a bundle on the machine it lies on: check.py [--only TEXT] [--device NAME] [--json FILE]. Needs Python and what the programs need: the driver.

Each case: results, and gradients where there are some, against what is expected; twice, bit for bit. Each training: 20 steps against the CPU's, a
checkpoint of the CPU that goes on there and back, and 64 tokens that are made through the cache.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import files
import safetensors
import speed

HERE = pathlib.Path(__file__).resolve().parent
longest = 60  # seconds of one program: what hangs must not take the time of all others


class Failed(Exception):
    pass


def run(*words, cwd=None):
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=cwd, timeout=longest)
    except subprocess.TimeoutExpired:
        raise Failed(f"{' '.join(str(word) for word in words[1:4])}: no end after {longest} s: a kernel may wait for itself")
    if done.returncode:
        raise Failed(f"{' '.join(str(word) for word in words[1:4])}: {done.stderr.strip()[-600:]}")
    return done.stdout


def check(case, device):
    """What the case says of itself: how far each side is, of what it may be; and whether a second run gave the same bytes."""
    words = [HERE / "programs" / case["program"], "run", "--device", device, "--entry", case["entry"], "--inputs", HERE / "cases" / case["inputs"]]
    words += ["--weights", HERE / "cases" / case["weights"]] if case["weights"] else []
    words += ["--set", ",".join(case["set"])] if case["set"] else []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        written = []
        for turn in ("first", "second"):
            more = ["--gradients", folder / f"{turn}.gradients"] if case["gradients"] else []
            run(*words, "--outputs", folder / f"{turn}.expected", *more)
            written.append([(folder / f"{turn}.{kind}").read_bytes() for kind in ("expected", "gradients") if case[kind]])
        far, compared = [], 0
        for kind, bound in zip(("expected", "gradients"), case["bounds"]):
            if case[kind]:
                apart = files.apart(safetensors.read(folder / f"first.{kind}"), safetensors.read(HERE / "cases" / case[kind]))
                compared += len(apart)
                far.append((kind, max(apart.values(), default=0), bound, max(apart, key=apart.get, default="")))
    problem = "; ".join(f"{kind}: {tensor} is {most:.1e} off, bound {bound:.1e}" for kind, most, bound, tensor in far if not most <= bound)
    if not problem and written[0] != written[1]:
        problem = "a second run gave other bits"
    return dict(name=case["name"], far={kind: most for kind, most, _, _ in far}, compared=compared, problem=problem)


def train(training, device, folder):
    """Twenty steps here and there; ten here and ten there; tokens. Steps magnify what is rounded: two instruction sets of the CPU, where it
    has two, say by how much; the device may be four times as far."""
    program, place = HERE / "programs" / training["program"], folder / training["program"]
    kind, path = training["data"].split(":")
    words = [program, "train", "--data", f"{kind}:{HERE / 'data' / path}", *training["options"], "--steps", "20", "--seed", "7", "--eval-every", "0",
             "--quiet", "--checkpoint-every", "10"]

    def learn(out, where, *more):
        # Results do not depend on threads, and other programs run beside this one.
        run(*words, "--out", place / out, "--device", where, "--threads", "2", *more)
        return [json.loads(line)["loss"] for line in (place / out / "log.jsonl").read_text().splitlines()]

    def apart(losses):
        return max(abs(a - b) / abs(a) for a, b in zip(ours, losses))

    ours, plain = learn("cpu", "cpu"), learn("plain", "cpu", "--isa", "x86-64-v3")
    theirs, again = learn("device", device), learn("again", device)
    learn("mixed", "cpu", "--stop-at", "10")
    mixed = learn("mixed", device, "--resume")
    bound, far = max(1e-4, 4 * apart(plain)), dict(losses=apart(theirs), resumed=apart(mixed))
    problem = ""
    if not len(ours) == len(theirs) == len(mixed) == 20:
        problem = "steps are missing"
    elif theirs != again:
        problem = "a second training has other losses"
    elif not max(far.values()) <= bound:
        problem = f"losses are {max(far.values()):.1e} apart, bound {bound:.1e}"
    elif training["generates"]:
        made = [run(program, "generate", "--checkpoint", place / "cpu", "--prompt", "The ", "--max-tokens", "60", "--quiet", "--device", where)
                for where in ("cpu", device)]
        problem = "" if made[0] == made[1] else "other tokens than on the CPU"
    return dict(name=training["program"], far=far, bound=bound, compared=40, problem=problem)


def attempt(work, what, deadline):
    """The result of `work`; what would begin after the deadline is not begun."""
    try:
        if time.monotonic() > deadline:
            raise Failed("not begun: the time is over")
        result = work()
    except (Failed, OSError, ValueError) as problem:
        result = dict(name=what, far={}, compared=0, problem=str(problem))
    if result["problem"]:
        print(f"FAILED {result['name']}: {result['problem']}", flush=True)
    return result


def by_program(cases):
    """One after the other of each program: the driver compiles it once, and keeps that."""
    programs = collections.defaultdict(list)
    for case in cases:
        programs[case["program"]].append(case)
    return programs.values()


def table(results):
    """Largest differences by what was compared and in which precision."""
    most = collections.defaultdict(lambda: [0, 0.0, ""])
    for result in results:
        for kind, far in result["far"].items():
            row = most[kind, result["name"].rsplit("-", 1)[-1] if "." in result["name"] else "training"]
            row[0] += 1
            if far >= row[1]:
                row[1:] = far, result["name"]
    for (kind, precision), (count, far, name) in sorted(most.items()):
        print(f"{kind:10} {precision:9} {count:5} cases, at most {far:.1e} off: {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    bundle = json.loads((HERE / "cases.json").read_text())
    parser.add_argument("--device", default=bundle["device"])
    parser.add_argument("--jobs", type=int, default=min(8, os.cpu_count()))
    parser.add_argument("--json", type=pathlib.Path, default=HERE / "result.json")
    parser.add_argument("--only", default="", help="what has this in its name: one example, one kernel")
    parser.add_argument("--seconds", type=int, default=480, help="nothing is begun later")
    options = parser.parse_args()
    if options.device == "cuda-emulated":  # a machine that does something else, too, takes minutes for 20 steps
        global longest
        longest = 600
    for kind, name in (("cases", "name"), ("trainings", "program"), ("speeds", "name")):
        bundle[kind] = [each for each in bundle[kind] if options.only in each[name]]
    begin = time.monotonic()
    deadline = begin + options.seconds
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(attempt, lambda each=each: train(each, options.device, pathlib.Path(folder)), each["program"], deadline)
                for each in bundle["trainings"]]
        groups = pool.map(lambda cases: [attempt(lambda case=case: check(case, options.device), case["name"], deadline) for case in cases],
                          by_program(bundle["cases"]))
        results = [result for group in groups for result in group] + [job.result() for job in jobs]
    failed = [result for result in results if result["problem"]]
    table(results)
    print(f"{len(results) - len(failed)} of {len(results)} right, {sum(result['compared'] for result in results)} comparisons, "
          f"{time.monotonic() - begin:.0f} s on {options.device}", flush=True)
    rows = []
    for each in bundle["speeds"]:
        if time.monotonic() > deadline:
            print(f"{each['name']} {each['precision']}: not timed, {options.seconds} s are over")
            continue
        rows.append(speed.measure(each, options.device))
        print(speed.text(rows[-1]), flush=True)
    options.json.write_text(json.dumps(dict(device=options.device, results=results, speeds=rows), indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
