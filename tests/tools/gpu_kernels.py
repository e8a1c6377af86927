"""Every kernel of every example, forward and backward, on the emulated device against the float64 interpreter: at sizes of 1, about a tile and odd
ones, in float32, tf32 and bf16, by both images, each in five orders of warps, which give the same bits, with races looked for. Usage: gpu_kernels.py WEFT [TEXT: only examples with it]"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench/gpu"))

from cases import EXAMPLES

BOUND = 1e-4  # of one kernel; the farthest are quotients of an optimizer
# What dimensions get that only come with the data. A cache is as large as what is in it, where that is not said.
SIZES = [dict(batch=1, usual=1), dict(batch=2, head=3, known=29, new=33, usual=65), dict(batch=3, head=2, known=31, new=1, usual=31)]


def run(*command):
    done = subprocess.run(["nice", *(str(word) for word in command)], capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else done.stdout, done.returncode


def sizes_of(weft, source, options):
    """`--size`, in all ways that are tried."""
    said, code = run(weft, "show", source, *options, "--at", "kernel", "--target", "cuda", "--bare")
    assert code == 0, said
    dims = re.findall(r"^ *model\.dim @(\w+)(?: or_empty)?(?: bound <(\w+)>)?$", said, re.M)
    known = {name: int(size) for name, size in re.findall(r"model\.dim @(\w+) = <(\d+)>", said)}
    bounds = set(re.findall(r"bound <(\w+)>", said))
    most = {name: int(known.get(bound, bound if bound.isdigit() else 1000)) for name, bound in dims if bound}
    return sorted({",".join(f"{name}={min(each.get(name, each['usual']), most.get(name, 1000))}" for name, _ in dims
                            if name not in bounds) for each in SIZES})


def check(weft, name, options, precision, image, sizes):
    what = f"{name} {precision} {image} {sizes}"
    words = ["--size", sizes] if sizes else []
    said, code = run(weft, "kernel", ROOT / f"examples/{name}.weft", *options, "--precision", precision, "--target", "cuda-emulated", "--isa", image,
                     "--check", *words)
    rows = [(line, float(found[1])) for line in said.splitlines() if (found := re.search(r"(\d\.\de[+-]\d+|nan|inf)$", line))]
    wrong = [line for line in said.splitlines() if "WRONG" in line or "error" in line] + [line for line, off in rows if not off <= BOUND]
    if code or wrong or not rows:
        return what, 0, 0.0, "\n".join(wrong) or said
    return what, len(rows), max(off for _, off in rows), None


def main(weft, only=""):
    tasks = []
    for name, given in EXAMPLES.items():
        if only not in name:
            continue
        options = ["--set", ",".join(f"{dim}={size}" for dim, size in given.items())] if given else []
        each = sizes_of(weft, ROOT / f"examples/{name}.weft", options)
        tasks += [(weft, name, options, precision, image, sizes) for precision in ("float32", "tf32", "bf16") for image in ("sm_80", "sm_90a") for sizes in each]
    failed = kernels = 0
    largest = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for what, count, off, problem in pool.map(lambda task: check(*task), tasks):
            kernels += count
            precision = what.split()[1]
            largest[precision] = max(largest.get(precision, (0, "")), (off, what))
            if problem:
                failed += 1
                print(f"FAILED {what}\n{problem}", flush=True)
    print(f"{len(tasks) - failed} of {len(tasks)} runs right, {kernels} kernels")
    for precision, (off, what) in largest.items():
        print(f"{precision}: at most {off:.1e}, {what}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main(*sys.argv[1:])
