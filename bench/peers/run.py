#!/usr/bin/env python3
"""Weft beside the systems that it is to beat, timed in turn in one run: run.py [w2 w3 …] [--cases bf16] [--peers openvino,weft] [--keep].

The kit is a folder of workloads (`--kit`, WEFT_PEER_KIT), each a script w*_NAME.py over its harness.py; `setup` in it fills the folder WEFT_PEERS with the
systems themselves. Prints a table: Weft, the best of the others, their ratio, and that ratio when it was last kept on such a machine. `--keep` adds the
figures to history.jsonl, which is committed: what is lost by a change is seen in the next run."""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
HISTORY = HERE / "history.jsonl"


def measured(kit, workload, options, out):
    """Runs one workload; its figures go to `out`, a JSON line each."""
    peers = pathlib.Path(os.environ.get("WEFT_PEERS", pathlib.Path.home() / ".cache" / "weft-peers"))
    python = peers / "venv" / "bin" / "python"
    if not python.exists():
        sys.exit(f"bench: there is no {python}: run {kit}/setup, or name the folder that it filled with WEFT_PEERS")
    environment = dict(os.environ, WEFT_PEERS=str(peers), WEFT_PEER_KIT=str(kit), WEFT_PEER_WORKLOAD=workload.name)
    environment.setdefault("WEFT", str(ROOT / "build" / "bin" / "weft"))
    environment.setdefault("WEFT_EXAMPLES", str(ROOT / "examples"))
    command = [python, HERE / "workload.py", "--threads", str(options.threads), "--out", out]
    for name in ("peers", "cases", "rounds"):
        if (given := getattr(options, name)) is not None:
            command += ["--" + name, str(given)]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)


def figures(lines):
    """Of each workload, precision and number of threads: what Weft did, and the best of the others. Seconds and megabytes are better where they are
    fewer."""
    found, peaks = {}, {}
    for line in lines:
        one = json.loads(line)
        key = (one["workload"], one["dtype"], one["threads"])
        if one["peer"].startswith("machine"):
            peaks[key[::2]] = one["value"]
        elif one["value"] is not None:
            found.setdefault(key, []).append(one)
        elif one["peer"] == "weft":
            print(f'bench: {one["workload"]}, {one["dtype"]}: Weft gave nothing: {one["why"]}', file=sys.stderr)
    for (workload, dtype, threads), all_of_it in found.items():
        ours = next((one for one in all_of_it if one["peer"] == "weft"), None)
        sign = -1 if all_of_it[0]["unit"] in ("s", "MB") else 1
        others = sorted((one for one in all_of_it if one["peer"] != "weft"), key=lambda one: -sign * one["value"])
        if not ours or not others:
            continue
        best = others[0]
        yield {"workload": workload, "dtype": dtype, "threads": threads, "unit": ours["unit"], "weft": ours["value"], "kernels": ours["version"],
               "best": best["value"], "peer": f'{best["peer"]} {best["version"]}', "ratio": round((ours["value"] / best["value"]) ** sign, 3),
               "spread": max(ours["spread"], best["spread"]), "fma_gflops": peaks.get((workload, threads)), "isa": ours["isa"]}


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return model.group(1) if model else "unknown"


def kept():
    """The last figure of each workload on a machine with these instructions."""
    lines = HISTORY.read_text().splitlines() if HISTORY.exists() else []
    return {(one["workload"], one["dtype"], one["threads"], one["isa"]): one for one in map(json.loads, lines)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", help="w1 to w8 (all)")
    parser.add_argument("--kit", type=pathlib.Path, default=os.environ.get("WEFT_PEER_KIT", ROOT.parent / "shared" / "peers"))
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--peers", help="those alone, and weft among them: openvino,llama.cpp,weft")
    parser.add_argument("--cases", help="parts of `name:dtype`: bf16,B8:f32")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--keep", action="store_true", help="add the figures to history.jsonl")
    options = parser.parse_args()
    scripts = {path.name.split("_")[0]: path for path in sorted(options.kit.glob("w[0-9]_*.py"))}
    if not scripts:
        sys.exit(f"bench: no workloads w*_NAME.py in {options.kit}: name the kit of peers with --kit or WEFT_PEER_KIT")
    for name in options.workloads:
        if name not in scripts:
            parser.error(f"there is no workload `{name}`: {', '.join(scripts)}")
    before = kept()
    print("| workload | dtype | threads | Weft | best of the others | ratio | kept before |\n|---|---|---:|---:|---|---:|---:|")
    for name in options.workloads or scripts:
        with tempfile.NamedTemporaryFile("r", suffix=".jsonl") as out:
            measured(options.kit, scripts[name], options, out.name)
            for one in figures(out):
                last = before.get((one["workload"], one["dtype"], one["threads"], one["isa"]))
                row = (one["workload"], one["dtype"], one["threads"], f'{one["weft"]:.4g} {one["unit"]}', f'{one["best"]:.4g}, {one["peer"]}',
                       one["ratio"], last["ratio"] if last else "")
                print("| " + " | ".join(map(str, row)) + " |", flush=True)
                if options.keep:
                    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
                    with HISTORY.open("a") as history:
                        history.write(json.dumps({"date": str(datetime.date.today()), "commit": commit, "machine": machine(), **one}) + "\n")


main()
