"""Programs of as many operations as there may be build, and take no signal; those of one more are refused, by `check` too.

usage: long_programs.py WEFT [--slow]   as long as may be, and its gradient of a part; without --slow of a part
"""
import os
import subprocess
import sys
import tempfile

MOST = 25000  # frontend/syntax/Limits.h
WEFT, SLOW = os.path.abspath(sys.argv[1]), "--slow" in sys.argv


def source(operations, kind=""):
    steps = "".join(f"  x = x {'+' if at % 2 else '*'} 1\n" if kind else "  x = x * 0.999\n" for at in range(operations))
    return f"dim n\nentry run(x: {kind}[n]) -> {kind}[n] {{\n{steps}  x\n}}\nentry loss(x: [n]) -> float = sum[n](tanh(x))\n"


def launches(operations):
    """Maps and reductions in turn: thousands of kernels, one after the other."""
    steps = ["  x = x * 0.5\n", "  y = sum[m](x)\n  x = x + y\n", "  x = tanh(x)\n", "  z = max[n](x)\n  x = x - z\n"]
    lines = "".join(steps[at % 4] for at in range(operations * 2 // 3))
    return f"dim n, m\nentry run(x: [n, m]) -> [n, m] {{\n{lines}  x\n}}\n"


def weft(command, text, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "long.weft")
        with open(path, "w") as file:
            file.write(text)
        options = [option.replace("OUT", folder) for option in options]
        return subprocess.run([WEFT, command, path, *options], capture_output=True, text=True)


def expect(done, status, said=""):
    if done.returncode != status or said not in done.stderr:
        sys.exit(f"{' '.join(done.args[1:])}: exit {done.returncode}\n{done.stderr[-2000:]}")


long = MOST if SLOW else 4000
for kind in ("", "int"):
    expect(weft("build", source(long, kind), "--shared", "--isa", "x86-64-v3", "-o", "OUT/long.so"), 0)
expect(weft("build", launches(MOST - 2 if SLOW else 6000), "--shared", "--isa", "x86-64-v3", "-o", "OUT/long.so"), 0)
expect(weft("check", source(MOST)), 0)
called = "fn a(x: [..]) -> [..] {\n" + "  x = x * 2\n" * 200 + "  x\n}\nfn b(x: [..]) -> [..] {\n" + "  x = a(x)\n" * 200 + "  x\n}\n"
called += "dim n\nentry run(x: [n]) -> [n] = b(x)\n"  # too large through calls alone
for command in ("check", "build"):
    expect(weft(command, called, *(["-o", "OUT/long"] if command == "build" else [])), 1, "the program is too large: this is operation 25001")
for command in ("check", "build"):
    expect(weft(command, source(MOST + 1), *(["-o", "OUT/long"] if command == "build" else [])), 1, "the program is too large: this is operation 25001")
chain = source(long // 4).replace("entry run(x: [n]) -> [n]", "fn chain(x: [..]) -> [..]").replace("tanh(x)", "tanh(chain(x))")
expect(weft("show", chain, "--entry", "loss.gradient", "--at", "llvm", "--isa", "x86-64-v3"), 0)
