"""The trained decoders of llama2.c (WEFT_DATA, else shared/data beside the repository), from their files to compiled programs:
greedy texts and ids, logits, the loss of each token, the gradient of the small one; a program that carries its weights. Usage:
stories.py WEFT. Exits with 77 where the data is absent."""
import array
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

import safetensors

HERE = pathlib.Path(__file__).resolve().parent
DATA = pathlib.Path(os.environ.get("WEFT_DATA", HERE.parents[1].parent / "shared" / "data")) / "stories"
PROGRAM = HERE.parents[1] / "examples" / "gpt" / "stories.weft"
GRADIENTS = {"tok_emb": "token_embedding_table", "rms_att": "rms_att_weight", "rms_ffn": "rms_ffn_weight", "rms_final": "rms_final_weight"}


class Model:
    """`name` is a config and a file; `tokenizer` the one that its ids are of."""

    def __init__(self, weft, folder, name, tokenizer):
        self.weft, self.name, self.folder = weft, name, folder / name
        self.failed, self.compared = [], 0
        self.folder.mkdir()
        self.recorded = safetensors.read(DATA / "ref" / f"{name}.logits.safetensors")
        self.ids = json.loads((DATA / "ref" / f"{name}.tokens.json").read_text())
        self.checkpoint, self.program = self.folder / "checkpoint", self.folder / "program"
        self.compiler("import", "--clause", "llama2c", "--from", DATA / f"{name}.bin", "--tokenizer", DATA / tokenizer, "-o", self.checkpoint)
        self.compiler("build", "--isa", "native", "-o", self.program)

    def compiler(self, command, *words):
        self.call(self.weft, command, PROGRAM, "--config", self.name, *words)

    def call(self, *words):
        return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode()

    def expect(self, what, holds):
        self.compared += 1
        if not holds:
            self.failed.append(f"{self.name}: {what}")

    def near(self, what, found, expected, bound):
        most, largest = safetensors.farthest(found, expected)
        print(f"{self.name} {what:24} {most:.1e} of {largest:.1e}")
        self.expect(f"{what}: {most:.1e} above {bound:.1e}", most <= bound)

    def greedy(self):
        ids = self.ids["greedy_ids_noprompt"]
        made = self.call(self.program, "generate", "--checkpoint", self.checkpoint, "--ids", "--max-tokens", len(ids) - 1, "--quiet")
        self.expect("greedy ids", [int(word) for word in made.split()] == ids)
        for prompt in ("noprompt", "prompt1", "prompt2"):
            text = (DATA / "ref" / f"{self.name}.t0.n256.{prompt}.txt").read_text()
            begin = self.ids["prompts"].get(prompt[-1], "") if prompt != "noprompt" else ""
            made = self.call(self.program, "generate", "--checkpoint", self.checkpoint, "--prompt", begin, "--max-tokens", 256, "--quiet")
            self.expect(f"greedy text, {prompt}: {made!r}", made.strip().startswith(text.strip()))
        print(f"{self.name} greedy: {len(ids)} ids and 3 texts")

    def logits(self, ids, name="logits", **more):
        kind, count, values = ids
        values = values[: len(values) - 1] if more else values
        safetensors.write(self.folder / "inputs", {"tokens": (kind, [1, len(values)], values), **more})
        self.call(self.program, "run", "--entry", name, "--weights", self.checkpoint, "--inputs", self.folder / "inputs",
                  "--outputs", self.folder / "outputs", *(("--gradients", self.folder / "gradients") if more else ()))
        return safetensors.read(self.folder / "outputs")["output"]

    def scores(self):
        self.near("logits", self.logits(self.recorded["input_ids"]), self.recorded["logits_f32"], 1e-4)
        kind, (count,), ids = self.recorded["nll_ids"]
        _, (_, _, vocab), logits = self.logits((kind, [count - 1], ids[:-1]))
        losses = array.array("d")
        for i in range(count - 1):
            row = logits[i * vocab : (i + 1) * vocab]
            top = max(row)
            losses.append(top + math.log(math.fsum(math.exp(x - top) for x in row)) - row[ids[i + 1]])
        self.near("losses by token", ("F64", [count - 1], losses), self.recorded["nll_f64"], 1e-4)

    def gradient(self):
        recorded = safetensors.read(DATA / "ref" / f"{self.name}.grad.safetensors")
        kind, (count,), ids = recorded["ids"]
        loss = self.logits(recorded["ids"], "loss", next=(kind, [1, count - 1], ids[1:]))
        self.near("loss", loss, recorded["loss_f64"], 1e-5)
        self.compiler("export", "--clause", "llama2c", "--from", self.folder / "gradients", "-o", self.folder / "theirs")
        found = safetensors.read(self.folder / "theirs")
        for name in ("freq_cis_real", "freq_cis_imag"):  # computed, no gradients
            del found[name]
        for name in found:
            expected = recorded[{exported: original for original, exported in GRADIENTS.items()}.get(name, name)]
            self.near("d" + name, found[name], expected, 1e-4 * max(map(abs, expected[2])))
        self.expect("11 gradients", len(found) == 11)

    def exported(self):
        """The file comes back, byte by byte but for the two tables: Weft's are rounded once, the file's at each step of PyTorch's."""
        self.compiler("export", "--clause", "llama2c", "--from", self.checkpoint, "-o", self.folder / "back.bin")
        original, back = ((folder / name).read_bytes() for folder, name in ((DATA, f"{self.name}.bin"), (self.folder, "back.bin")))
        dim, _, _, heads, _, _, positions = struct.unpack("<7i", original[:28])
        tables = 2 * 4 * positions * (dim // heads // 2)  # they come last where the table is the classifier
        self.expect("the header and all weights are the file's", back[:-tables] == original[:-tables])
        given, found = (array.array("f", content[-tables:]) for content in (original, back))
        equal = sum(a == b for a, b in zip(given, found))
        print(f"{self.name} rotations: {equal} of {len(found)} equal to the bit")
        self.expect(f"{equal} of {len(found)} numbers of the tables are equal", len(given) == len(found) and equal > len(found) / 2)
        self.near("rotations", ("F32", [], found), ("F32", [], given), 2.5e-6)
        self.compiler("import", "--clause", "llama2c", "--from", self.folder / "back.bin", "-o", self.folder / "again")
        same = [(folder / "parameters.safetensors").read_bytes() for folder in (self.checkpoint, self.folder / "again")]
        self.expect("import(export(x)) is x", same[0] == same[1])
        self.compiler("export", "--clause", "llama2c", "--from", self.folder / "again", "-o", self.folder / "twice.bin")
        self.expect("export(import(y)) is y", (self.folder / "twice.bin").read_bytes() == back)
        self.compiler("export", "--clause", "llama2c", "--from", self.checkpoint, "-o", self.folder / "back")
        values = b"".join(tensor[2].tobytes() for tensor in safetensors.read(self.folder / "back").values())
        self.expect("a safetensors file has the same numbers", sorted(array.array("f", values)) == sorted(array.array("f", back[28:])))


def main(weft):
    if not DATA.is_dir():
        print(f"skipped: there is no {DATA}")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        small, large = Model(weft, folder, "stories260K", "tok512.bin"), Model(weft, folder, "stories15M", "tokenizer.bin")
        for model in (small, large):
            model.greedy()
            model.scores()
        small.exported()
        small.gradient()
    failed = small.failed + large.failed
    print(f"{small.compared + large.compared} comparisons with the record, {len(failed)} failures")
    print("\n".join(failed))
    return 1 if failed else 0


sys.exit(main(sys.argv[1]))
