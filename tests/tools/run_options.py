"""`weft run` and a program's `run` have the same options with the same help, but for those that are about building; the interpreter
says which of them it does not take, and all others reach the program. Usage: run_options.py WEFT"""
import pathlib
import re
import subprocess
import sys
import tempfile

ATTENTION = pathlib.Path(__file__).resolve().parents[2] / "examples/attention/attention.weft"
BUILDING = {"config", "set", "json", "without", "each-pass", "precision", "weights-as", "caches-as", "inference", "recompute-budget", "tuned", "probe", "threads", "device", "target", "isa", "cores", "interpret", "help"}  # of `weft run`
OWN = {"set", "threads", "device", "isa", "help"}  # of the program, meaning something else or said for all its commands
COMPILED = {"source", "source-tokenizer", "prompt", "tokenizer", "save", "plot", "value", "at", "threads", "device", "target", "isa", "cores", "tuned", "recompute-budget", "without"}


def said(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def options(text):
    """Of a help: name -> (value, what it says), in order."""
    rows = re.findall(r"^  (?:-\w \[ )?--([\w-]+)(?: \])?(?: (\S+))? +(\S.*(?:\n {20,}.*)*)", text, re.M)
    return {name: (value, " ".join(about.split())) for name, value, about in rows}


def main(weft):
    with tempfile.TemporaryDirectory(prefix="weft-run-options-") as folder:
        program = pathlib.Path(folder) / "attention"
        code, _, error = said(weft, "build", ATTENTION, "--isa", "x86-64-v3", "-o", program)
        assert code == 0, error
        of_weft, of_program = options(said(weft, "run", "--help")[1]), options(said(program, "run", "--help")[1])
        shared = [name for name in of_program if name not in OWN]
        sources = [name for name in of_weft if name.startswith("source")]  # of programs that translate, which this is not
        assert [name for name in of_weft if name not in BUILDING and name not in sources] == shared, (list(of_weft), list(of_program))
        for name in shared:
            assert of_weft[name] == of_program[name] or (name == "tokenizer" and of_weft[name][0] == of_program[name][0]), (name, of_weft[name], of_program[name])

        line = [weft, "run", ATTENTION, "--entry", "plain"]
        for name in [*shared, *sources, "threads", "device", "target", "isa", "cores", "tuned", "recompute-budget", "without"]:
            if name in ("entry", "interpret"):
                continue
            _, _, error = said(*line, "--interpret", f"--{name}", *(["1"] if of_weft[name][0] else []))
            assert (f"weft run: --{name} is for compiled code, not for --interpret\n" == error) == (name in COMPILED), (name, error)
        # what the program is told, it answers for: each of these says its own name
        for name, value in (("seed", "x"), ("threads", "x"), ("input", "x"), ("inputs", "none"), ("save", "none"), ("source", "x")):
            code, _, error = said(*line, f"--{name}", value)
            assert code != 0 and (f"--{name}" in error or value in error), (name, error)
    print(f"{len(shared)} options of both")


main(*sys.argv[1:])
