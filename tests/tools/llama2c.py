"""llama2.c files (version 0) both ways, by the clause of examples/gpt/stories.weft: what is exported has the header, the order and the
layouts of the format, what is imported again is the same; what a file says otherwise than the model, or a clause does not say, is an
error, and nothing is written. Usage: llama2c.py WEFT."""
import array
import math
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1] / "record"))
import safetensors

EXAMPLES = HERE.parents[2] / "examples" / "gpt"
VOCAB, POSITIONS, MODEL, GROUPS, REP, WIDTH, FF, LAYERS = 11, 9, 16, 2, 2, 4, 13, 2
SIZES = {"vocab": VOCAB, "position": POSITIONS, "model": MODEL, "group": GROUPS, "rep": REP, "dh": WIDTH, "ff": FF, "layer": LAYERS}
HEADER = [MODEL, FF, LAYERS, GROUPS * REP, GROUPS, VOCAB, POSITIONS]


class Suite:
    def __init__(self, weft, folder):
        self.weft, self.folder = weft, folder
        self.program = folder / "stories.weft"
        (folder / "llama.weft").write_text((EXAMPLES / "llama.weft").read_text())
        self.clause = (EXAMPLES / "stories.weft").read_text()
        self.program.write_text(self.clause)

    def run(self, command, *words, code=0, **sizes):
        setting = ",".join(f"{name}={value}" for name, value in {**SIZES, "tied": "true", **sizes}.items())
        line = [self.weft, command, self.program, "--set", setting, *words]
        done = subprocess.run([str(word) for word in line], capture_output=True, text=True)
        assert done.returncode == code, (line, done.returncode, done.stdout, done.stderr)
        return done.stderr

    def export(self, source="ours", *words, code=0, **sizes):
        (self.folder / "theirs.bin").unlink(missing_ok=True)
        error = self.run("export", "--from", self.folder / source, "-o", self.folder / "theirs.bin", *words, code=code, **sizes)
        assert (self.folder / "theirs.bin").exists() == (code == 0), "written in spite of an error"
        return error

    def take(self, content, code=0, **sizes):
        shutil.rmtree(self.folder / "back", ignore_errors=True)
        (self.folder / "given.bin").write_bytes(content)
        error = self.run("import", "--from", self.folder / "given.bin", "-o", self.folder / "back", code=code, **sizes)
        assert code == 0 or not list(self.folder.glob("back*")), "something was written"
        return error

    def both_ways(self, tied):
        """Every element where the format has it; the same bytes after another round."""
        tying = {"tied": "true" if tied else "false"}
        self.run("init", "--seed", 5, "-o", self.folder / "ours", **tying)
        self.export(**tying)
        content = (self.folder / "theirs.bin").read_bytes()
        assert list(struct.unpack("<7i", content[:28])) == [*HEADER[:5], VOCAB if tied else -VOCAB, POSITIONS]
        values, at = array.array("f", content[28:]), 0

        def take(count):
            nonlocal at
            at += count
            return values[at - count : at]

        parameters = {name: tensor[2] for name, tensor in safetensors.read(self.folder / "ours").items()}
        heads = GROUPS * REP
        assert take(VOCAB * MODEL) == parameters["table"]

        def layered(name):
            for l in range(LAYERS):
                weight = parameters[f"layer.{l}.{name}.weight"]
                yield l, weight

        def norm(name):
            for l, weight in layered(name):
                assert take(MODEL) == weight, (name, l)

        def rotated(name, count):  # the parameter is [in, head, half, pair], the file's tensor [head, pair, half, in]
            for l, weight in layered(name):
                rows = [weight[m * count * WIDTH + h * WIDTH + half * (WIDTH // 2) + pair] for h in range(count) for pair in range(WIDTH // 2)
                        for half in range(2) for m in range(MODEL)]
                assert take(count * WIDTH * MODEL) == array.array("f", rows), (name, l)

        def transposed(name, inner, outer):
            for l, weight in layered(name):
                rows = [weight[i * outer + o] for o in range(outer) for i in range(inner)]
                assert take(inner * outer) == array.array("f", rows), (name, l)

        norm("norm1")
        rotated("attn.q_proj", heads)
        rotated("attn.k_proj", GROUPS)
        transposed("attn.v_proj", MODEL, GROUPS * WIDTH)
        transposed("attn.o_proj", heads * WIDTH, MODEL)
        norm("norm2")
        transposed("mlp.gate", MODEL, FF)
        transposed("mlp.down", FF, MODEL)
        transposed("mlp.up", MODEL, FF)
        assert take(MODEL) == parameters["norm.weight"]
        for function in (math.cos, math.sin):
            table = [function(p / 10000 ** (2 * i / WIDTH)) for p in range(POSITIONS) for i in range(WIDTH // 2)]
            assert all(abs(a - b) < 1e-7 for a, b in zip(take(len(table)), table, strict=True))
        if not tied:
            rows = [parameters["head.weight"][m * VOCAB + v] for v in range(VOCAB) for m in range(MODEL)]
            assert take(len(rows)) == array.array("f", rows)
        assert at == len(values)
        self.take(content, **tying)
        assert (self.folder / "back/parameters.safetensors").read_bytes() == (self.folder / "ours").read_bytes()
        self.export("back", **tying)
        assert (self.folder / "theirs.bin").read_bytes() == content
        return content

    def one_layer(self):
        """A size of 1 changes nothing of what a layout is about."""
        self.run("init", "--seed", 5, "-o", self.folder / "ours", layer=1)
        self.export(layer=1)
        self.take((self.folder / "theirs.bin").read_bytes(), layer=1)
        assert (self.folder / "back/parameters.safetensors").read_bytes() == (self.folder / "ours").read_bytes()

    def other_models(self, content):
        """What shapes do not show: heads, positions, the base of the rotations."""
        def fails(what, content=content, **sizes):
            error = self.take(content, code=1, **sizes)
            assert what in error and "given.bin: " in error, (what, error)
            return error

        error = fails("`n_heads` is 4, here it is 8 (group = 4, rep = 2)", group=4, dh=2)
        assert "`n_kv_heads` is 2, here it is 4 (group = 4)" in error and error.count("\n") == 2, error
        fails("`n_heads` is 4, here it is 2 (group = 1, rep = 2)", group=1, dh=8)
        fails("`seq_len` is 9, here it is 10 (position = 10)", position=10)
        fails("`vocab_size` is 11, here it is 12", vocab=12)
        fails("`freq_cis_real` is", base=500)  # the second pair
        fails("`freq_cis_real` is", base=9000)  # within a hundredth
        fails("where `cosines` gives", stretch=4, trained=8)
        fails("no parameter is `wcls`", struct.pack("<7i", *HEADER[:5], -VOCAB, POSITIONS) + content[28:] + bytes(4 * VOCAB * MODEL))
        broken = bytearray(content)
        broken[-4:] = struct.pack("<f", math.nan)
        fails("`freq_cis_imag` holds nan at [8, 1]", bytes(broken))
        broken[-4:] = struct.pack("<f", 0.5)
        fails("`freq_cis_imag` is 0.5 at [8, 1], where `sines` gives 0.079", bytes(broken))
        broken[-4:] = struct.pack("<f", 0.0799)  # as near as another way to round
        self.take(bytes(broken))

    def refused(self):
        """A clause that does not say all that the format has, or says more; options that it has no room for."""
        def fails(what, old, new, **sizes):
            assert old in self.clause
            self.program.write_text(self.clause.replace(old, new))
            error = self.export(code=1, **sizes)
            assert what in error, (what, error)

        fails("the header of a llama2.c file has `seq_len`", ', size "seq_len" = position', "")
        fails("the header of a llama2.c file has no `heads`", 'size "n_heads"', 'size "heads"')
        fails("a llama2.c file has `freq_cis_imag`", ', "freq_cis_imag" = sines()', "")
        fails("a llama2.c file has no `w4`", '"w3"', '"w4"')
        fails("a llama2.c file has no `table`", '"freq_cis_imag"', '"table" = sines(), "freq_cis_imag"')
        fails("`freq_cis_real` is [9, 2] in a llama2.c file with this header, `cosines` gives [9, 4]", "-> [position, freq] = cos(angles[position, freq]",
              "-> [position, dh] = cos(angles[position, dh]")
        fails("the header would say dim = 16 of 11 heads", 'size "n_heads" = (group, rep)', 'size "n_heads" = vocab')
        content = (self.folder / "given.bin").read_bytes()
        self.program.write_text(self.clause.replace(', size "n_heads" = (group, rep)', ""))
        error = self.take(content, code=1)
        assert '`n_heads` is 4: say in the clause which dimension that is, `size "n_heads" = …`' in error and error.count("\n") == 1, error
        self.program.write_text(self.clause)
        self.take(content)
        self.run("init", "-o", self.folder / "wide", dh=6)
        error = self.export("wide", dh=6, code=1)
        assert "`wq` is [2, 4, 4, 16] in a llama2.c file with this header, its layout says" in error, error
        for option, value in (("--dtype", "f16"), ("--prefix", "model.")):
            assert "holds float32 and no names" in self.export("ours", option, value, code=2)


def main(weft):
    with tempfile.TemporaryDirectory() as name:
        suite = Suite(weft, pathlib.Path(name))
        suite.both_ways(tied=False)
        suite.one_layer()
        suite.other_models(suite.both_ways(tied=True))
        suite.refused()
    print("ok")


main(sys.argv[1])
