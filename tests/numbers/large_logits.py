"""Softmax, its logarithm and losses of logits around 0, 1e4 and 1e6, results and gradients: what numbers of 64 bits give, to the
rounding of one float, interpreted and compiled for each instruction set.

usage: large_logits.py WEFT PROGRAM
"""
import array
import math
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "record"))
import safetensors
from arithmetic import isas

N, CLASS = 3, 37
ROUNDING = 1e-6  # of the largest element or term of a sum, as each may be rounded a few times


def softmax(row):
    top = max(row)
    e = [math.exp(x - top) for x in row]
    return [x / math.fsum(e) for x in e]


def logs(row):
    top = max(row)
    total = math.log(math.fsum(math.exp(x - top) for x in row))
    return [x - top - total for x in row]


def expected(x, t, w):
    """Each entry's results, and its gradient by x."""
    p, l = [softmax(row) for row in x], [logs(row) for row in x]
    at = lambda i, j: 1.0 if t[i] == j else 0.0
    each = lambda f: [f(i, j) for i in range(N) for j in range(CLASS)]
    loss = -math.fsum(l[i][t[i]] for i in range(N))
    smooth = 0.9 * loss - 0.1 * math.fsum(math.fsum(row) / CLASS for row in l)
    return {"logs": ([v for row in l for v in row], None),
            "loss": ([loss], each(lambda i, j: p[i][j] - at(i, j))),
            "smoothed": ([smooth], each(lambda i, j: p[i][j] - 0.9 * at(i, j) - 0.1 / CLASS)),
            "total": (None, each(lambda i, j: 0.001 * p[i][j])),
            "weighed": ([math.fsum(w[i][j] * l[i][j] for i in range(N) for j in range(CLASS))],
                        each(lambda i, j: w[i][j] - p[i][j] * math.fsum(w[i])))}


def main():
    weft, program = sys.argv[1:]
    seed = time.time_ns() // 1000 % 10**9
    print(f"seed {seed}")
    numbers = random.Random(seed)
    wrong = 0
    for base in (0, 1e4, 1e6, -1e6):
        draw = lambda: [array.array("f", [numbers.gauss(0, 2) + base for _ in range(CLASS)]) for _ in range(N)]
        x, w = draw(), [array.array("f", [numbers.gauss(0, 1) for _ in range(CLASS)]) for _ in range(N)]
        t = array.array("i", [numbers.randrange(CLASS) for _ in range(N)])
        flat = lambda rows: array.array("f", [v for row in rows for v in row])
        tensors = {"x": ("F32", [N, CLASS], flat(x)), "t": ("I32", [N], t), "w": ("F32", [N, CLASS], flat(w))}
        takes = {"logs": "x", "loss": "xt", "smoothed": "xt", "total": "x", "weighed": "xw"}
        for entry, (result, gradient) in expected(x, t, w).items():
            for how in [["--interpret"]] + [["--isa", isa] for isa in isas()]:
                with tempfile.TemporaryDirectory() as folder:
                    path = lambda name: os.path.join(folder, name)
                    safetensors.write(path("in.st"), {name: tensors[name] for name in takes[entry]})
                    command = [weft, "run", program, "--entry", entry, "--inputs", path("in.st"), "--outputs", path("out.st"), *how]
                    subprocess.run(command + (["--gradients", path("g.st")] if gradient else []), check=True)
                    found = [("result", result, safetensors.read(path("out.st"))["output"])]
                    if gradient:
                        found.append(("gradient", gradient, safetensors.read(path("g.st"))["x"]))
                for what, wanted, got in found:
                    if wanted is None:
                        continue
                    # A weighed sum may come out near 0, where what its terms were rounded by is left.
                    terms = [a * b for v, l in zip(w, map(logs, x)) for a, b in zip(v, l)] if entry == "weighed" else []
                    most = max(abs(v) for v in wanted + terms)
                    far = max(abs(a - b) for a, b in zip(wanted, got[2], strict=True))
                    if not far <= ROUNDING * most:
                        wrong += 1
                        print(f"{what} of {entry} around {base:g}, {' '.join(how)}: {far / most:.2g} off")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
