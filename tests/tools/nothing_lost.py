"""Nothing that is read is written over: each output of each command, of `weft` and of a program, given each file that the command
reads, or the place of another output. Usage: nothing_lost.py WEFT"""
import hashlib
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

SOURCE = """use lib
dim b, m = 3
block B(x: [b, m]) -> [b, m] = l: Linear[m, m](twice(x))
entry f(x: [b, m]) -> [b, m] = B(x)
entry loss(x: [b, m]) -> float = mean[(b, m)](B(x) ^ 2)
entry train = minimize(loss, adam(rate = 0.1), data = tensors(x))
weights theirs { Linear.weight: [out, in] }
"""
TEXTS = """dim batch, seq, vocab = 258, model = 4
block Model(tokens: vocab[batch, seq]) -> [batch, seq, vocab] {
  param table: [vocab, model]
  out: Linear[model, vocab](table[vocab = tokens])
}
entry logits(tokens: vocab[batch, seq]) -> [batch, seq, vocab] = Model(tokens)
entry loss(tokens: vocab[batch, seq], next: vocab[batch, seq]) -> float = mean[(batch, seq)](cross_entropy[vocab](Model(tokens), next))
entry train = minimize(loss, adam(rate = 0.01), data = text(tokens, next))
"""
IMAGES = """dim batch, row = 28, column = 28, channel = 1, class = 10
block Model(image: [batch, channel, row, column]) -> [batch, class] = out: Linear[(channel, row, column), class](image)
entry scores(image: [batch, channel, row, column]) -> [batch, class] = Model(image)
entry loss(image: [batch, channel, row, column], label: class[batch]) -> float = mean[batch](cross_entropy[class](Model(image), label))
entry train = minimize(loss, adam(rate = 0.01), data = images(image, label))
"""
TRANSLATION = pathlib.Path(__file__).resolve().parents[2] / "examples/translation/translation.weft"
LOST = re.compile(r"--[\w-]+ .*: this is `.*`, (which is read|the program that runs), and would be lost; give another name$", re.M)
TWICE = re.compile(r"--[\w-]+ .*: --[\w-]+ writes there too; give each a file of its own$", re.M)


def said(*words, code=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == code or (code is None and done.returncode), (words, done.returncode, done.stdout[:400], done.stderr)
    return done.stdout if code == 0 else done.stderr


def contents(folder):
    return {path: hashlib.sha256(path.read_bytes()).digest() for path in folder.rglob("*") if path.is_file()}


class Table:
    """Which outputs of which commands were tried; what was not is an error."""

    def __init__(self, folder):
        self.folder, self.tried, self.count = folder, set(), 0

    def refuse(self, wanted, *words):
        before = contents(self.folder)
        error = said(*words, code=None)
        assert wanted.search(error), (words, error)
        assert contents(self.folder) == before, words
        self.count += 1

    def rows(self, command, words, outputs, inputs):
        """`command`: as the help has it; `outputs`: options that name one; `inputs`: all that it reads."""
        for output in outputs:
            self.tried.add((command, output))
            for path in inputs:
                assert pathlib.Path(path).is_file(), path
                link = self.folder / "link"
                link.symlink_to(path)
                for name in (path, link):
                    self.refuse(LOST, *words, output, name)
                link.unlink()
            for other in outputs:
                if other != output:
                    self.refuse(TWICE, *words, output, self.folder / "new", other, self.folder / "." / "new")


def idx(path, kind, shape, values):
    path.write_bytes(bytes([0, 0, 8, len(shape)]) + b"".join(struct.pack(">I", size) for size in shape) + bytes(values))


def safetensors(path, name, shape, values):
    header = json.dumps({name: {"dtype": "F32", "shape": shape, "data_offsets": [0, 4 * len(values)]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + struct.pack(f"<{len(values)}f", *values))


def compiler(table, weft, folder):
    """The commands of `weft`. With a checkpoint, what is read is a file in the newest step of its folder."""
    source, lib, inputs, run = folder / "g.weft", folder / "lib.weft", folder / "i", folder / "o"
    sources, newest = [source, lib], run / "step-5/parameters.safetensors"
    for command, words in (("build", ["--isa", "x86-64-v3"]), ("show", []), ("draw", []), ("init", []), ("tune", ["--size", "b=2"])):
        table.rows(command, [weft, command, source, *words], ["--output"], sources)
    table.rows("build", [weft, "build", source, "--isa", "x86-64-v3", "--weights", run], ["--output"], [newest, run / "step-5/state.json"])
    tuned = folder / "tuned"
    tuned.write_text("# none\n")
    table.rows("build", [weft, "build", source, "--isa", "x86-64-v3", "--tuned", tuned], ["--output"], [tuned])
    for name in ("include/weft.h", "lib/pkgconfig/g.pc", "lib/libg.so"):
        package = folder / "package" / name
        package.parent.mkdir(parents=True, exist_ok=True)
        package.write_bytes(source.read_bytes())
        (package.parent / "lib.weft").write_bytes(lib.read_bytes())
        table.refuse(LOST, weft, "build", package, "--shared", "--prefix", folder / "package", "-o", "libg.so")
    table.tried.add(("build", "--prefix"))
    table.rows("reduce", [weft, "reduce", source, "--seconds", "1"], ["--output"], sources)
    for weights in (run, run / "step-5"):
        table.rows("export", [weft, "export", source, "--from", weights], ["--output"], [*sources, newest, run / "step-5/state.json"])
    for way in (["--interpret"], ["--isa", "x86-64-v3"]):
        outputs = ["--outputs", "--gradients"] + (["--plot"] if way[0] == "--isa" else [])
        words = [weft, "run", source, "--entry", "loss", "--inputs", inputs, "--weights", run, *way]
        table.rows("run", words, outputs, [*sources, inputs, newest])

    foreign, into, names = folder / "theirs.safetensors", folder / "into", ["parameters.safetensors", "options.json"]
    said(weft, "export", source, "--from", run, "-o", foreign)
    dumps = folder / "dumps"
    dumps.mkdir()
    for command, words in (("show", []), ("explain", []), ("draw", ["-o", folder / "never"]), ("build", ["-o", folder / "never"]),
                           ("run", ["--entry", "f", "--inputs", inputs, "--initialize", 1]), ("import", ["--from", foreign, "-o", into]),
                           ("kernel", []), ("tune", ["-o", folder / "never"])):
        table.tried.add((command, "--each-pass"))
        for path in (source, lib, *([inputs] if command == "run" else []), *([foreign] if command == "import" else [])):
            (dumps / "01-source.mlir").symlink_to(path)
            table.refuse(LOST, weft, command, source, *words, "--each-pass", dumps)
            (dumps / "01-source.mlir").unlink()
    table.refuse(TWICE, weft, "show", source, "--at", "model", "--each-pass", dumps, "-o", dumps / "01-source.mlir")

    table.tried.add(("import", "--output"))
    said(weft, "import", source, "--from", foreign, "-o", into)
    said(weft, "import", source, "--from", foreign, "-o", into)  # an older import may go
    said(weft, "import", source, "--from", into / names[0], "-o", folder / "other", code=0)
    table.refuse(LOST, weft, "import", source, "--from", into / names[0], "-o", into)
    table.refuse(LOST, weft, "import", source, "--from", foreign, "--expect", into / names[0], "-o", into)


def program(table, weft, folder):
    """A program's commands; one that carries its weights is read too."""
    source, inputs, run, own = folder / "g.weft", folder / "i", folder / "o", folder / "own"
    bare = folder / "g"
    said(weft, "build", source, "--isa", "x86-64-v3", "--weights", run, "-o", own)
    newest, outputs = run / "step-5/parameters.safetensors", ["--outputs", "--gradients", "--plot"]
    words = ["run", "--entry", "loss", "--inputs", inputs]
    table.rows("program run", [own, *words], outputs, [own, inputs])
    for weights in (run, run / "step-5", newest):
        table.rows("program run", [bare, *words, "--weights", weights], outputs, [bare, inputs, newest])
    log = folder / "later/log.jsonl"
    log.parent.mkdir()
    for name in ("log.jsonl", "loss.svg"):
        data = log.parent / name
        data.write_bytes((folder / "data").read_bytes())
        table.refuse(LOST, bare, "train", "--data", f"tensors:{data}", "--steps", 2, "--out", log.parent)
        data.unlink()
    log.parent.rmdir()
    table.tried.add(("program train", "--out"))
    said(bare, "train", "--resume", "--out", run, "--steps", "6", "--quiet")  # it reads and writes its own


def texts_images_pairs(table, weft, folder):
    """What tokenizers and data are read from."""
    (folder / "texts.weft").write_text(TEXTS)
    merges = folder / "merges.txt"
    merges.write_text("t h\n")
    said(weft, "build", folder / "texts.weft", "--isa", "x86-64-v3", "-o", folder / "texts")
    table.rows("program run", [folder / "texts", "run", "--entry", "logits", "--prompt", "the", "--tokenizer", f"merges:{merges}", "--set", "batch=1", "--initialize", 1],
               ["--outputs", "--plot"], [merges])
    (folder / "images.weft").write_text(IMAGES)
    images = folder / "images"
    images.mkdir()
    for part in ("train", "t10k"):
        idx(images / f"{part}-images-idx3-ubyte", 8, (20, 28, 28), [7] * (20 * 28 * 28))
        idx(images / f"{part}-labels-idx1-ubyte", 8, (20,), [3] * 20)
    said(weft, "build", folder / "images.weft", "--isa", "x86-64-v3", "-o", folder / "look")
    said(weft, "init", folder / "images.weft", "-o", folder / "w")
    table.rows("program eval", [folder / "look", "eval", "--data", f"images:{images}", "--checkpoint", folder / "w"], ["--samples"],
               [folder / "w", folder / "look", images / "t10k-images-idx3-ubyte", images / "t10k-labels-idx1-ubyte"])
    pairs = folder / "pairs.tsv"
    pairs.write_text("the cat sleeps\tle chat dort\nthe dog eats\tle chien mange\nthe dog sleeps\tle chien dort\n")
    said(weft, "build", TRANSLATION, "--config", "full", "--set", "svocab=8,tvocab=9,model=16,head=2", "--isa", "x86-64-v3", "-o", folder / "translate")
    said(folder / "translate", "train", "--data", f"pairs:{pairs}", "--min-count", "1", "--validate-on", "1", "--steps", "1", "--batch", "2", "--quiet", "--out", folder / "p")
    table.rows("program eval", [folder / "translate", "eval", "--data", f"pairs:{pairs}", "--bleu", "--checkpoint", folder / "p"], ["--translations"],
               [pairs, *(folder / "p/step-1" / name for name in ("parameters.safetensors", "tokenizer.json", "source-tokenizer.json"))])


def outputs_of(text):
    """The options that name what is written, as a help lists them."""
    named = re.findall(r"^  (?:-\w \[ )?--([\w-]+)(?: \])?", text, re.M)
    written = {"output", "outputs", "gradients", "plot", "each-pass", "prefix", "out", "samples", "translations"}
    return {f"--{name}" for name in named if name in written}


def main(weft):
    with tempfile.TemporaryDirectory(prefix="weft-lost-") as name:
        folder = pathlib.Path(name)
        (folder / "g.weft").write_text(SOURCE)
        (folder / "lib.weft").write_text("fn twice(x: [..]) -> [..] = 2 * x\n")
        safetensors(folder / "i", "x", [2, 3], range(6))
        safetensors(folder / "data", "x", [8, 2, 3], range(48))
        said(weft, "build", folder / "g.weft", "--isa", "x86-64-v3", "-o", folder / "g")
        said(folder / "g", "train", "--data", f"tensors:{folder / 'data'}", "--steps", "5", "--out", folder / "o", "--quiet")
        table = Table(folder)
        compiler(table, weft, folder)
        program(table, weft, folder)
        texts_images_pairs(table, weft, folder)
        wanted = set()
        for command in re.findall(r"^  (\w+) ", said(weft, "--help"), re.M):
            wanted |= {(command, option) for option in outputs_of(said(weft, command, "--help"))}
        for each in ("g", "texts", "look", "translate"):
            for command in re.findall(r"^  (\w+) ", said(folder / each, "--help"), re.M):
                wanted |= {(f"program {command}", option) for option in outputs_of(said(folder / each, command, "--help"))}
        wanted -= {("export", "--prefix"), ("import", "--prefix")}  # of names in a file
        assert table.tried == wanted, (wanted - table.tried, table.tried - wanted)
    print(f"{len(wanted)} outputs, {table.count} refusals")


main(*sys.argv[1:])
