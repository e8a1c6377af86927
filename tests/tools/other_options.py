"""Weights that were made with other options or sizes than a program has are refused, even where all shapes agree; those that only
training reads may differ. Usage: other_options.py WEFT"""
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "record"))
import shared_library  # noqa: E402

SOURCE = """dim batch, position = 32, seq <= position, vocab = 256, model, head, dh = model / head
option act = gelu_tanh, drop = 0.1, peak = 0.01, smoothing = 0.1

block Model(tokens: vocab[batch, seq]) -> [batch, seq, vocab] {
  param table: [vocab, model] = normal(0.1)
  h = up: Linear[model, model](dropout(table[vocab = tokens], drop))
  scores: Linear[model, vocab](act(softmax[dh](h[model as (head, dh)])[(head, dh) as model]))
}
entry logits(tokens: vocab[batch, seq]) -> [batch, seq, vocab] = Model(tokens)
entry loss(tokens: vocab[batch, seq], next: vocab[batch, seq]) -> float =
  mean[(batch, seq)](smoothed_cross_entropy[vocab](Model(tokens), next, smoothing))
entry train    = minimize(loss, adam(rate = peak), data = text(tokens, next))
entry generate = decode[seq](logits, start = 0, max = 4)
config small with model = 8, head = 2
weights theirs { Linear.weight: [out, in] }
"""
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="weft-options-"))
WEFT, MODEL, RUN, STEP = pathlib.Path(sys.argv[1]), FOLDER / "model.weft", FOLDER / "run", FOLDER / "run/step-4"
DATA = ("--data", f"text:{MODEL}")
IDS = ("--input", "tokens=[[84, 111]]")
DIFFERS = "its weights were made with {}, and this program is built with {}; build it with `--set {}`, or give {}/parameters.safetensors to use them all the same"


def run(*words, code=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout if code == 0 else done.stderr


def built(name, settings, *options, code=0):
    program = FOLDER / name
    said = run(WEFT, "build", MODEL, "--isa", "x86-64-v3", "--config", "small", *(("--set", settings) if settings else ()), *options, "-o", program, code=code)
    return program if code == 0 else said


def refused(said, there, here, folder=STEP):
    assert said.count("\n") == 1 and said.strip().endswith(f"{folder}: " + DIFFERS.format(there, here, there, folder)), said


def uses(program):
    """What a program prints that uses the checkpoint in every way."""
    return {"generate": (program, "generate", "--checkpoint", RUN, "--prompt", "dim", "--quiet"),
            "eval": (program, "eval", "--checkpoint", RUN, *DATA),
            "run": (program, "run", "--entry", "logits", "--weights", RUN, *IDS),
            "advance": (program, "generate", "--checkpoint", RUN, "--prompt", "dim", "--beam", "2")}


def library(settings):
    """What the calls say that read a checkpoint: weft_load."""
    path = built("lib-" + settings + ".so", settings, "--shared")  # a name is loaded once
    calls = shared_library.load(str(path), os.RTLD_NOW | os.RTLD_LOCAL)
    calls.weft_open.restype = ctypes.c_void_p
    calls.weft_error.restype = ctypes.c_char_p
    model = ctypes.c_void_p(calls.weft_open(None))
    failed = calls.weft_load(model, os.fsencode(RUN))
    said = calls.weft_error().decode() + "\n" if failed else ""
    calls.weft_close(model)
    return said


def other_function(program):
    """An activation: of the right shape, and another model."""
    there, here = "act=gelu_tanh", "act=relu"
    other = built("relu", here)
    for command in uses(other).values():
        refused(run(*command, code=1), there, here)
    small = ("--config", "small", "--set", here)
    refused(run(other, "train", "--init", RUN, *DATA, "--steps", "1", "--out", FOLDER / "never", code=1), there, here)
    refused(built("never", here, "--weights", RUN, code=1), there, here)
    for interpreted in ((), ("--interpret",)):
        refused(run(WEFT, "run", MODEL, *small, "--entry", "logits", "--weights", RUN, *IDS, *interpreted, code=1), there, here)
    refused(run(WEFT, "export", MODEL, *small, "--from", RUN, "-o", FOLDER / "never", code=1), there, here)
    refused(library(here), there, here)
    assert library("") == "" and not (FOLDER / "never").exists()
    # The two ways out that the sentence names.
    wanted = {name: run(*command) for name, command in uses(program).items()}
    assert {name: run(*command) for name, command in uses(built("again", there)).items()} == wanted
    bare = run(other, "run", "--entry", "logits", "--weights", STEP / "parameters.safetensors", *IDS)
    assert bare != wanted["run"]
    return wanted


def training_alone(wanted):
    """Rates and dropout are nobody's business but a training's; a loss reads its smoothing, a generation does not."""
    other = built("rates", "drop=0.5,peak=0.1")
    assert {name: run(*command) for name, command in uses(other).items()} == wanted
    assert built("carries", "drop=0.5,peak=0.1", "--weights", RUN).exists() and library("drop=0.5,peak=0.1") == ""
    run(other, "train", "--init", RUN, *DATA, "--steps", "1", "--out", FOLDER / "tuned", "--tokenizer", "byte", "--quiet")
    said = run(other, "train", "--resume", "--out", RUN, "--steps", "6", code=1)
    assert "was made with drop=0.1,peak=0.01, and this program is built with drop=0.5,peak=0.1; build it with `--set drop=0.1,peak=0.01`" in said, said
    other = built("smooth", "smoothing=0.3")
    said = uses(other)
    assert run(*said["generate"]) == wanted["generate"] and run(*said["run"]) == wanted["run"]
    refused(run(*said["eval"], code=1), "smoothing=0.1", "smoothing=0.3")
    refused(built("never", "smoothing=0.3", "--weights", RUN, code=1), "smoothing=0.1", "smoothing=0.3")


def sizes():
    """A size that no parameter has; with another of the shapes, both are named."""
    refused(run(*uses(built("heads", "head=4"))["generate"], code=1), "head=2", "head=4")
    refused(run(*uses(built("wide", "model=16,head=4,act=relu"))["run"], code=1), "act=gelu_tanh,head=2,model=8", "act=relu,head=4,model=16")


def damaged(program, wanted):
    """Without the record nothing is compared; a broken one is named."""
    relu, record = FOLDER / "relu", STEP / "options.json"
    assert json.loads(record.read_text()) == {"act": "gelu_tanh", "drop": 0.1, "head": 2, "model": 8, "peak": 0.01, "smoothing": 0.1}
    whole = record.read_bytes()
    record.unlink()
    assert run(*uses(relu)["run"]) != wanted["run"] and run(*uses(program)["run"]) == wanted["run"]
    for broken in ("", "[]", '{"act": '):
        record.write_text(broken)
        said = run(program, "run", "--entry", "logits", "--weights", STEP, *IDS, code=1)
        assert f"{record}: is not the options of a checkpoint" in said, said
    record.write_text(json.dumps({"act": {"\x1b[31m": "x" * 100}, "head": "\x1b[31m2", "other": 1}))
    said = run(*uses(program)["run"], code=1)
    assert "\x1b" not in said and "x" * 50 not in said and "other" not in said, said
    record.write_bytes(whole)


def imported(program):
    """An import says what it was made for, also when it takes an older one's place."""
    foreign, into = FOLDER / "theirs.safetensors", FOLDER / "imported"
    run(WEFT, "export", MODEL, "--config", "small", "--from", RUN, "-o", foreign)
    for settings in ("act=relu", "act=gelu_tanh"):
        run(WEFT, "import", MODEL, "--config", "small", "--set", settings, "--from", foreign, "-o", into)
    used = ("run", "--entry", "logits", "--weights", into, *IDS)
    assert run(program, *used) == run(*uses(program)["run"])
    refused(run(FOLDER / "relu", *used, code=1), "act=gelu_tanh", "act=relu", into)
    assert "drop" not in json.loads((into / "options.json").read_text())


def carried():
    """A program's own weights are for it; others are compared."""
    bare = (STEP / "parameters.safetensors", "--tokenizer", STEP / "tokenizer.json")
    own = built("own", "act=relu", "--weights", *bare)
    assert run(own, "generate", "--prompt", "dim", "--quiet").startswith("dim")
    refused(run(own, "generate", "--checkpoint", RUN, "--prompt", "dim", code=1), "act=gelu_tanh", "act=relu")


def main():
    MODEL.write_text(SOURCE)
    program = built("program", "")
    run(program, "train", *DATA, "--out", RUN, "--steps", "4", "--checkpoint-every", "2", "--batch", "2", "--seq", "8", "--tokenizer", "byte", "--seed", "1", "--quiet")
    wanted = other_function(program)
    training_alone(wanted)
    sizes()
    damaged(program, wanted)
    imported(program)
    carried()
    run(program, "train", "--resume", "--out", RUN, "--steps", "6", "--quiet")


try:
    main()
finally:
    shutil.rmtree(FOLDER)
