"""`weft tune` on a small program within seconds, and what is built with what it writes: right programs, whatever becomes of the file.
Usage: tuned.py WEFT"""
import array
import hashlib
import json
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = """
dim batch, model = 96, hidden = 200
block Net(x: [batch, model]) -> [batch, model] {
  h = up: Linear[model, hidden](x)
  x + down: Linear[hidden, model](max(h, 0))
}
entry answer(x: [batch, model]) -> [batch, model] = net: Net(x)
entry loss(x: [batch, model]) -> float {
  y = net: Net(x)
  mean[(batch, model)](y * y)
}
"""
SIZE = ["--size", "batch=37"]
ISA = ["--isa", "x86-64-v3"]  # which all machines run that run anything: its default is known here


def run(*command, code=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == code, ([str(word)[:80] for word in command], done.returncode, done.stdout, done.stderr)
    return done.stdout, done.stderr


def entries(text):
    return re.findall(r"^kernel .*\n(?:  .*\n)+", text, re.M)


def signed(entry):
    """The entry with the sum that its other lines have."""
    body = re.sub(r"  sum .*\n", "", entry)
    return f"{body}  sum {hashlib.md5(body.encode()).hexdigest()[:8]}\n"


def tuned_to(entry, schedule):
    """An entry that says that this schedule was found."""
    return signed(re.sub(r"pairs .*", "pairs 20, untried 0", re.sub(r"tuned (\S+) us .*", rf"tuned \1 us {schedule}", entry)))


class Tuned:
    def __init__(self, weft, folder):
        self.weft, self.folder = weft, folder
        self.program = folder / "small.weft"
        self.program.write_text(PROGRAM)
        self.file = folder / "with space, and comma" / "tuned"
        self.file.parent.mkdir()
        self.inputs = "x=[" + ", ".join("[" + ", ".join(f"{(i * 7 + j * 3) % 11 / 11 - 0.5:.3f}" for j in range(96)) + "]" for i in range(5)) + "]"
        self.want = self.answer("--interpret")

    def answer(self, *options):
        isa = [] if "--interpret" in options else ISA
        results = self.folder / "results"
        _, self.said = run(self.weft, "run", self.program, *isa, "--entry", "answer", "--initialize", "1", "--input", self.inputs, "--outputs", results, *options)
        data = results.read_bytes()
        begin = 8 + int.from_bytes(data[:8], "little")
        assert json.loads(data[8:begin])["output"]["dtype"] == "F32"
        return array.array("f", data[begin:])

    def holds(self, count):
        """Whether a program with these tunings is right and has so many tuned kernels; gives the warnings."""
        got = self.answer("--tuned", self.file)
        assert len(got) == len(self.want) == 5 * 96
        assert all(abs(a - b) <= 1e-4 * (1 + abs(b)) for a, b in zip(got, self.want))
        explained, said = run(self.weft, "explain", self.program, "--tuned", self.file)
        found = re.search(r"^(\d+) of \d+ kernels have a tuned schedule", explained, re.M)
        assert int(found[1]) == count, (count, explained, said)
        return said

    def tune(self, *options, code=0):
        return run(self.weft, "tune", self.program, *SIZE, *ISA, "-o", self.file, *options, code=code)


def searches(tuned):
    """A search ends with a file that builds. Then every kernel gets a schedule that is not the default."""
    for limit in ("20s", "1m", "4m"):  # a machine that others use may have found too little by then
        out, said = tuned.tune("--time", limit, "--again", "--explain", "--entry", "answer")
        if tuned.file.exists() and tuned.file.read_text().count("contraction \"") >= 2:
            break
    assert "predicted measured" in out and re.search(r" default +#cpu\.", out), out
    assert "% contraction" in said, said
    text = tuned.file.read_text()
    found = entries(text)
    assert found and all(signed(entry) == entry for entry in found), text
    better = sum("pairs 0" not in entry for entry in found)
    tuned.holds(better)
    others = []
    for entry in found:
        usual = re.search(r"default \S+ us (.*)", entry)[1]
        if usual.startswith("#cpu.contraction"):
            others.append(tuned_to(entry, re.sub(r"tile = 6x16", "tile = 4x16", usual)))
    assert len(others) >= 2, text
    tuned.file.write_text("".join(others))
    assert tuned.holds(len(others)) == ""
    run(tuned.weft, "kernel", tuned.program, *ISA, "--check", "--tuned", tuned.file)
    shown, _ = run(tuned.weft, "show", tuned.program, "--at", "kernel", "--tuned", tuned.file, *ISA)
    assert shown.count('cpu.tuned = ["x86-64-v3"]') >= len(others) and "tile = 4x16" in shown, shown  # kernels that are the same are one in the plan
    run(tuned.weft, "build", tuned.program, *ISA, "--tuned", tuned.file, "-o", tuned.folder / "built")
    info, _ = run(tuned.folder / "built", "info")
    assert f", {len(others)} tuned" in info, info
    run(tuned.weft, "build", tuned.program, *ISA, "-o", tuned.folder / "plain")
    assert "tuned" not in run(tuned.folder / "plain", "info")[0]
    return others


def damaged(tuned, others):
    """What cannot be used is a warning at its line, and the rest is used."""
    first, rest = others[0], others[1:]
    usual = re.search(r"default \S+ us (.*)", first)[1]
    lines = len(first.splitlines())
    cases = [
        ("it is by weft 0.0.1", signed(re.sub("by weft [^,]*", "by weft 0.0.1", first))),
        ("contraction 0, and this is", signed(re.sub(r"(by weft [^,]*, contraction) \d+", r"\1 0", first))),
        ("it is of another machine: a toaster", signed(re.sub(", .* cores?\n", ", a toaster\n", first, count=1))),
        ("does not fit the 16 registers", tuned_to(first, usual.replace("6x16", "24x16"))),
        ("is no schedule of contraction", tuned_to(first, "#cpu.rows<unroll = 1, elements = 64>")),
        ("is no schedule", tuned_to(first, "#cpu.contraction<tile = 4x16>")),
        ("is no schedule", tuned_to(first, "#cpu." + "<" * 900)),
        ("is no schedule", tuned_to(first, "dense<1> : tensor<9xi64>")),
        ("another default", signed(re.sub(r"(default \S+ us .*)accumulators = 12", r"\1accumulators = 11", first))),
        ("it is not as it was written", first.replace("pairs 20", "pairs 21")),
        ("expected `sizes", re.sub("  sizes .*\n", "", first)),
        ("expected `kernel", "garbage \x01\xff" + first),
    ]
    for why, entry in cases:
        assert entry != first, why
        for begin, text in ((1, entry + "".join(rest)), (lines * len(rest) + 1, "".join(rest) + entry)):
            tuned.file.write_text(text)
            said = tuned.holds(len(rest))
            warned = re.findall(rf"^{re.escape(str(tuned.file))}:(\d+):1: warning: this tuning is not used: (.*)", said, re.M)
            assert len(warned) == 1 and why in warned[0][1] and begin <= int(warned[0][0]) < begin + lines + 1, (why, said)
    for _ in range(12):  # any byte of the file
        text = "".join(others).encode()
        at = random.randrange(len(text) - 1)
        tuned.file.write_bytes(text[:at] + bytes([(text[at] + 1) % 256]) + text[at + 1:])
        got = tuned.answer("--tuned", tuned.file)
        assert "this tuning is not used" in tuned.said and all(abs(a - b) <= 1e-4 * (1 + abs(b)) for a, b in zip(got, tuned.want)), at


def interrupted(tuned):
    """Ctrl-C keeps what was found, and the same command goes on."""
    tuned.file.unlink()
    command = [tuned.weft, "tune", tuned.program, *SIZE, *ISA, "--time", "120s", "--entry", "answer", "-o", tuned.file]
    process = subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True)
    begin, said = time.time(), ""
    while "[1/" not in said:
        said += process.stderr.readline()
        assert time.time() - begin < 110, said
    process.send_signal(signal.SIGINT)
    said += process.stderr.read()
    assert process.wait() == 0 and "interrupted: what was found so far is kept" in said, said
    kept = entries(tuned.file.read_text()) if tuned.file.exists() else []
    assert kept, said
    assert not list(tuned.file.parent.glob("*.partial"))
    tuned.holds(sum("pairs 0" not in entry for entry in kept))
    before = tuned.file.read_text()
    done = sum("untried 0" in entry for entry in kept)
    _, said = tuned.tune("--time", "0.1s", "--entry", "answer")
    assert not done or f", {done} in {tuned.file} already" in said, said
    assert tuned.file.read_text() == before, said


def goes_on(tuned, others):
    """What an earlier search had no time for is searched, and what it has found stays where nothing is better. What is there is not searched again."""
    claim = re.sub(r"default \S+ us", "default 900.00 us", re.sub(r"tuned \S+ us", "tuned 9.00 us", others[0]))
    tuned.file.write_text(signed(claim.replace("untried 0", "untried 3")) + signed(others[1]))
    label = re.search(r'contraction "(.*)"', claim)[1]
    _, said = tuned.tune("--time", "60s", "--only", label, "--entry", "answer")
    assert "what was found before stays" in said and "1 kernel is faster than by default" in said, said
    text = tuned.file.read_text()
    went_on = next(entry for entry in entries(text) if label in entry)
    assert "pairs 20, untried 0" in went_on and "tile = 4x16" in went_on and others[1] in text, text
    _, said = tuned.tune("--time", "60s", "--only", label, "--entry", "answer")
    assert "0 to search" in said and "nothing new for" in said and tuned.file.read_text() == text, said


def merges(tuned, others):
    """Files are joined: an entry that is better founded wins, in either order."""
    weak, strong = others[0], signed(others[0].replace("pairs 20", "pairs 40"))
    a, b, both = (tuned.folder / name for name in ("a", "b", "both"))
    a.write_text(weak + others[1])
    b.write_text("# by hand\n" + strong)
    for files in ((a, b), (b, a)):
        run(tuned.weft, "tune", "--merge", *files, "-o", both)
        assert sorted(entries(both.read_text())) == sorted([strong, others[1]])
    tuned.file.write_text(a.read_text() + b.read_text())
    assert tuned.holds(2) == ""


def refuses(tuned):
    def wrong(text, *options, code=2):
        assert text in run(tuned.weft, *options, code=code)[1], options
    wrong("where to? add `-o FILE`", "tune", tuned.program)
    wrong("--time takes 90s, 10m or 1h, not `soon`", "tune", tuned.program, "-o", tuned.file, "--time", "soon")
    wrong("sizes are missing: add batch=N to --size", "tune", tuned.program, "-o", tuned.file)
    notes = tuned.folder / "notes"
    notes.write_text("to be kept\n")
    wrong(f"{notes}:1: there are no tunings in this file, which would be overwritten", "tune", tuned.program, "-o", notes, *SIZE, code=1)
    assert notes.read_text() == "to be kept\n"
    wrong("/nowhere/tuned: cannot create it", "tune", tuned.program, "-o", "/nowhere/tuned", *SIZE, code=1)
    wrong("--size: there is no dimension `nope`", "tune", tuned.program, "-o", tuned.file, "--size", "batch=2,nope=3")
    wrong("which does not come with the data", "tune", tuned.program, "-o", tuned.file, "--size", "batch=2,model=3")
    wrong("there is no entry `nope`", "tune", tuned.program, "-o", tuned.file, *SIZE, "--entry", "nope")
    wrong("there is no such kernel", "tune", tuned.program, "-o", tuned.file, *SIZE, "--only", "nope", code=1)
    wrong("it tunes kernels of `cpu`, not of `c`", "tune", tuned.program, "-o", tuned.file, *SIZE, "--target", "c")
    wrong("--isa amx: products by AMX have schedules of their own", "tune", tuned.program, "-o", tuned.file, *SIZE, "--isa", "amx")
    wrong("--tuned is for the target `cpu`; kernels of `c` are not tuned", "build", tuned.program, "--target", "c", "--tuned", tuned.file, "-o", tuned.folder / "no")
    wrong("--tuned: cannot read", "build", tuned.program, "--tuned", tuned.folder / "nowhere", "-o", tuned.folder / "no")
    wrong("--tuned: cannot read", "build", tuned.program, "--tuned", tuned.folder, "-o", tuned.folder / "no")


def main(weft):
    seed = random.randrange(1 << 32)
    random.seed(seed)
    print(f"seed {seed}")
    with tempfile.TemporaryDirectory() as name:
        tuned = Tuned(weft, pathlib.Path(name))
        others = searches(tuned)
        damaged(tuned, others)
        merges(tuned, others)
        interrupted(tuned)
        goes_on(tuned, others)
        refuses(tuned)


if __name__ == "__main__":
    main(*sys.argv[1:])
