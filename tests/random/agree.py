"""Programs at random: what `check` accepts builds, and compiled results and gradients are the interpreter's.

usage: agree.py WEFT [--seed N] [--count N] [--steps N] [--keep FOLDER]
       agree.py WEFT FILE...   programs with sizes in their first line; gradients also against differences
"""
import argparse
import os
import sys
import tempfile

from program import Program
from trial import Failed, Given, Trial


def attempt(weft, seed, program, differences):
    """What is wrong with the program, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(weft, folder, seed, program)
        try:
            point = trial.agrees()
            if differences and "loss" in program.entries:
                trial.differs(point)
        except Failed as problem:
            return str(problem)
    return None


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("weft")
    arguments.add_argument("files", nargs="*")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=50)
    arguments.add_argument("--steps", type=int, default=10, help="values of a program")
    arguments.add_argument("--keep", help="where programs that fail go")
    options = arguments.parse_args()
    if options.files:
        cases = [(path, 1, Given(path)) for path in options.files]
    else:
        cases = [(f"seed {seed}", seed, Program(seed, options.steps)) for seed in range(options.seed, options.seed + options.count)]
    failures = 0
    for name, seed, program in cases:
        problem = attempt(options.weft, seed, program, bool(options.files))
        if not problem:
            continue
        failures += 1
        print(f"== {name}\n{problem}", program.text if not options.files else "", sep="\n", flush=True)
        if options.keep and not options.files:
            os.makedirs(options.keep, exist_ok=True)
            with open(os.path.join(options.keep, f"{seed}.weft"), "w") as file:
                file.write(f"# {problem.splitlines()[0]}\n{program.text}")
    print(f"{len(cases)} programs, {failures} failed")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
