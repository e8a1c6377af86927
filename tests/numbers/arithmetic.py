"""One arithmetic: random expressions at the edges of int and float are the same number at build time, folded, not folded,
interpreted and compiled for each instruction set; and the one that docs/language/values.md says (oracle.py says it again).

usage: arithmetic.py WEFT [--seed N] [--count N]     without a seed a new one, which is printed
"""
import argparse
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
import sizes
from expressions import VARIABLES, compute, literal, refused, text, tree, value
from oracle import Differs

ROWS, EACH = 53, 12  # rows of data: whole vectors and a rest; expressions of a program
CODES = {"int": ("I32", "i"), "float": ("F32", "f"), "bool": ("BOOL", "B")}
DEFAULTS = {"int": "0", "float": "0.0", "bool": "true"}
UNFOLDED = ["--without", "canonicalize,weft-cse,weft-fold-sizes"]


def isas():
    return ["x86-64-v3"] + (["avx512"] if "avx512f" in open("/proc/cpuinfo").read() else [])


class Trial:
    def __init__(self, weft, folder, numbers):
        self.weft, self.folder, self.numbers, self.problems, self.compared = weft, folder, numbers, [], 0

    def results(self, source, inputs, how):
        """Each result by name, or what the compiler said."""
        path, out = (os.path.join(self.folder, name) for name in ("program.weft", "out.st"))
        with open(path, "w") as file:
            file.write(source)
        command = [self.weft, "run", path, "--entry", "run", "--outputs", out, *how]
        if inputs:
            safetensors.write(os.path.join(self.folder, "in.st"), inputs)
            command += ["--inputs", os.path.join(self.folder, "in.st")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        if done.returncode:
            return done.stderr.strip() or f"exit {done.returncode}"
        return {name: values for name, (_, _, values) in safetensors.read(out).items()}

    def compare(self, source, inputs, wanted, ways):
        """`wanted`: of each result its text and what each row is, None where it is not compared."""
        for how in ways:
            found = self.results(source, inputs, how)
            if isinstance(found, str):
                self.problems.append(f"{' '.join(how)}: {found}\n{source}")
                continue
            for name, (shown, rows) in wanted.items():
                for at, (want, got) in enumerate(zip(rows, found[name])):
                    if want is None:
                        continue
                    self.compared += 1
                    equal = want == got or (isinstance(want, float) and math.isnan(want) and math.isnan(got))
                    if not equal or (want == 0 and math.copysign(1, want) != math.copysign(1, got)):
                        self.problems.append(f"{' '.join(how)}: {shown} is {got}, not {want}; "
                                             + ", ".join(f"{n} = {literal(v[2][at])}" for n, v in inputs.items()))
                        break

    def data(self):
        """Nothing is known when the program is built: variables are data."""
        rows = [{name: value(kind, self.numbers) for kind, names in VARIABLES.items() for name in names} for _ in range(ROWS)]
        inputs = {name: (CODES[kind][0], [ROWS], array.array(CODES[kind][1], [row[name] for row in rows]))
                  for kind, names in VARIABLES.items() for name in names}
        wanted, results, lines = {}, [], []
        while len(wanted) < EACH:
            at, kind = len(wanted), self.numbers.choice(list(VARIABLES))
            node = tree(kind, self.numbers.randrange(1, 5), self.numbers)
            if refused(node, rows[0]):
                continue
            lines.append(f"  r{at} = expand[n]({text(node)})")
            results.append(f"r{at}: {kind}[n]")
            wanted[f"r{at}"] = (text(node), [self.one(node, row) for row in rows])
        arguments = ", ".join(f"{name}: {kind}[n]" for kind, names in VARIABLES.items() for name in names)
        source = f"dim n\nentry run({arguments}) -> ({', '.join(results)}) {{\n" + "\n".join(lines) + "\n}\n"
        self.compare(source, inputs, wanted, [["--interpret"], UNFOLDED] + [["--isa", isa] for isa in isas()])

    @staticmethod
    def one(node, row):
        try:
            return compute(node, row)
        except Differs:
            return None

    def known(self):
        """Everything is known: as an argument that is fixed at build time, and as an expression of literals."""
        wanted, results, lines = {}, [], []
        while len(wanted) < EACH:
            kind = self.numbers.choice(list(VARIABLES))
            fixed = self.numbers.random() < 0.5
            node = tree(kind, self.numbers.randrange(1, 5), self.numbers, data=not fixed)
            row = {name: value(of, self.numbers) for of, names in VARIABLES.items() for name in names}
            if refused(node, row, known=True):
                continue
            try:
                want = compute(node, row, known=True)
            except Differs:
                continue
            name, shown = f"r{len(wanted)}", text(node, row)
            lines.append(f"  {name} = {kind}_({shown})" if fixed else f"  {name} = {shown}")
            results.append(f"{name}: {kind}")
            wanted[name] = (shown, [want])
        keep = "".join(f"fn {kind}_(v = {start}) -> {kind} = v\n" for kind, start in DEFAULTS.items())
        source = f"{keep}entry run() -> ({', '.join(results)}) {{\n" + "\n".join(lines) + "\n}\n"
        self.compare(source, {}, wanted, [["--interpret"], ["--isa", isas()[-1]], ["--isa", isas()[0], *UNFOLDED]])

    def sizes(self):
        """Of dimensions whose sizes come with the data, and whose sizes are set."""
        size = {name: self.numbers.choice(sizes.SIZES) for name in "ab"}
        inputs = {name: ("F32", [size[name]], array.array("f", bytes(4 * size[name]))) for name in "ab"}
        wanted, results, lines = {}, [], []
        while len(wanted) < EACH:
            node = sizes.tree(self.numbers.randrange(1, 4), self.numbers)
            found, ones = sizes.compute(node, size), sizes.compute(node, {"a": 0, "b": 0})
            if ones.refused or abs(found.magnitude) > 2**62:  # made of literals alone; beyond what anything has
                continue
            whole, name = self.numbers.random() < 0.5, f"r{len(wanted)}"
            lines.append(f"  {name} = {sizes.text(node)}" if whole else f"  {name} = 1.0 * {sizes.text(node)}")
            results.append(f"{name}: {'int' if whole else 'float'}")
            wanted[name] = (sizes.text(node), whole, found)
        source = (f"dim a, b\nentry run(x: [a], y: [b]) -> ({', '.join(results)}) {{\n" + "\n".join(lines) + "\n}\n")
        inputs = {"x": inputs["a"], "y": inputs["b"]}
        known = ["--set", f"a={size['a']},b={size['b']}"]
        refused = any(found.refused if whole else found.beyond for _, whole, found in wanted.values())
        for how in ([], ["--interpret"], ["--isa", isas()[0], *UNFOLDED], known, known + UNFOLDED):
            found = self.results(source, inputs, how)
            if isinstance(found, str):
                if not (refused and "E0613" in found):
                    self.problems.append(f"{' '.join(how)}: {found}\n{source}")
                continue
            if refused and how[:1] == ["--set"]:
                self.problems.append(f"{' '.join(how)}: a whole number that is no int is not refused\n{source}")
            for name, (shown, whole, want) in wanted.items():
                got, expected = found[name][0], want.value if whole else float(want.number)
                self.compared += 1
                if abs(got - expected) > (0 if whole else 3e-7 * max(abs(want.magnitude), abs(expected))):
                    self.problems.append(f"{' '.join(how)}: {shown} is {got}, not {expected}, of {size}")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("weft")
    arguments.add_argument("--seed", type=int, default=time.time_ns() // 1000 % 10**9)
    arguments.add_argument("--count", type=int, default=3)
    options = arguments.parse_args()
    print(f"seed {options.seed}", flush=True)
    failed = compared = 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(os.path.abspath(options.weft), folder, random.Random(seed))
            trial.data()
            trial.known()
            trial.sizes()
        failed += bool(trial.problems)
        compared += trial.compared
        for problem in trial.problems[:5]:
            print(f"== seed {seed}: {problem}", flush=True)
    print(f"{options.count} seeds, {failed} failed; {compared} numbers compared")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
