"""`weft import` and `weft export`: a foreign file, read as a `weights` clause says, gets the program's names and layouts, and goes
back again; what is wrong with it is said by name, and nothing is written. Usage: import.py WEFT"""
import array
import json
import pathlib
import shutil
import struct
import subprocess

from foreign import HEADS, LAYERS, MODEL, WIDTH, Foreign, floats, main
import safetensors


class Imports(Foreign):
    def test(self):
        foreign = self.round_trips()
        self.files(foreign)
        self.narrow()
        self.refused(foreign)
        self.left_out()
        self.configured(foreign)
        self.llama2c()
        self.page()

    def round_trips(self):
        """import(export(x)) is x to the byte, and each clause puts the elements where it says."""
        parameters = safetensors.read(self.folder / "first")
        files = {}
        for clause in ("theirs", "fused", "stacked", "slashed"):
            self.run("export", "--clause", clause, "--from", self.folder / "first", "-o", self.folder / clause)
            self.take(clause, self.folder / clause, "back-" + clause)
            assert (self.folder / f"back-{clause}/parameters.safetensors").read_bytes() == (self.folder / "first").read_bytes(), clause
            self.run("export", "--clause", clause, "--from", self.folder / f"back-{clause}", "-o", self.folder / "again")
            assert (self.folder / "again").read_bytes() == (self.folder / clause).read_bytes(), clause
            files[clause] = safetensors.read(self.folder / clause)
        indices = [(l, h, d, m) for l in range(LAYERS) for h in range(HEADS) for d in range(WIDTH) for m in range(MODEL)]
        for l, h, d, m in indices:
            out = h * WIDTH + d
            q = parameters[f"layer.{l}.q.weight"][2][m * MODEL + out]
            k = parameters[f"layer.{l}.k.weight"][2][m * MODEL + out]
            assert files["theirs"][f"encoder.{l}.in_weight"][2][out * MODEL + m] == q
            assert files["theirs"][f"encoder.{l}.in_weight"][2][(MODEL + out) * MODEL + m] == k
            assert files["fused"][f"h.{l}.c_attn.weight"][2][m * 2 * MODEL + out] == q
            assert files["fused"][f"h.{l}.c_attn.weight"][2][m * 2 * MODEL + MODEL + out] == k
            pair = h * WIDTH + d % 2 * 2 + d // 2  # pairs are half a head apart in parameters, adjacent in the file
            assert files["stacked"]["wq"][2][(l * MODEL + pair) * MODEL + m] == q
            for role, name in enumerate(("query", "key", "value")):
                each = parameters[f"layer.{l}.qkv.weight"][2][(m * 3 + role) * MODEL + out]
                assert files["theirs"][f"encoder.{l}.{name}.weight"][2][out * MODEL + m] == each
                row = (h * 3 + role) * WIDTH + d
                assert files["fused"][f"h.{l}.qkv.weight"][2][row * MODEL + m] == each
        assert {"encoder/layer_1/q/w", "encoder/layer_0/k/bias", "encoder/layer_0/back/weight"} < files["slashed"].keys()
        for l in range(LAYERS):
            bias = list(parameters[f"layer.{l}.q.bias"][2]) + list(parameters[f"layer.{l}.k.bias"][2])
            assert list(files["theirs"][f"encoder.{l}.in_bias"][2]) == bias
            assert list(files["fused"][f"h.{l}.c_attn.bias"][2]) == bias
        return files["theirs"]

    def files(self, foreign):
        """Shards and their index, a folder, other element types, a prefix: the same numbers."""
        expected = self.parameters("back-theirs")
        folder = self.folder / "sharded"
        folder.mkdir()
        names = sorted(foreign)
        shards = {"one.safetensors": names[:5], "two.safetensors": names[5:]}
        for shard, part in shards.items():
            safetensors.write(folder / shard, {name: foreign[name] for name in part})
        index = {"weight_map": {name: shard for shard, part in shards.items() for name in part}}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index))
        self.take("theirs", folder)
        assert self.parameters() == expected
        self.take("theirs", folder / "one.safetensors", "ours", "--from", folder / "two.safetensors")
        assert self.parameters() == expected
        index["weight_map"]["extra"] = "two.safetensors"
        (folder / "model.safetensors.index.json").write_text(json.dumps(index))
        assert "which it has not" in self.take("theirs", folder, code=1)

        def written(tensors):
            safetensors.write(self.folder / "file", tensors)
            return self.folder / "file"

        self.take("theirs", written({**foreign, "mask.0": floats([1]), "mask.11": floats([1])}))
        assert self.parameters() == expected
        self.take("theirs", written({"model." + name: tensor for name, tensor in foreign.items()}), "ours", "--prefix", "model.")
        assert self.parameters() == expected
        doubles = {name: ("F64", shape, array.array("d", values)) for name, (_, shape, values) in foreign.items()}
        self.take("theirs", written(doubles))
        assert self.parameters() == expected

    def narrow(self):
        """--dtype: each number rounded as Python rounds it (f16), or to the nearer half of a float (bf16), the even one of two."""
        def exported(dtype, values, code=0):
            parameters = safetensors.read(self.folder / "first")
            name = "layer.1.q.weight"
            kind, shape, before = parameters[name]
            parameters[name] = (kind, shape, array.array("f", [*values, *before[len(values):]]))
            safetensors.write(self.folder / "ours.safetensors", parameters)
            error = self.run("export", "--clause", "swapped", "--from", self.folder / "ours.safetensors", "--dtype", dtype, "-o",
                             self.folder / "narrow", code=code)
            if code:
                return error
            wide, found = parameters[name][2], safetensors.read(self.folder / "narrow")["encoder.1.q.weight"]
            self.take("swapped", self.folder / "narrow", "read")
            assert self.parameters("read")[name][2] == found[2], "what is imported is what was rounded"
            return wide, found

        def upper(value):
            bits = struct.unpack("<I", struct.pack("<f", value))[0]
            low, up = bits & 0xFFFF, bits >> 16
            up += low > 0x8000 or (low == 0x8000 and up & 1)
            return struct.unpack("<f", struct.pack("<I", up << 16))[0]

        ties = [1 + 2**-11, 1 + 3 * 2**-11, -1 - 2**-11, 65504, 65519.99, 2**-14, 2**-14 - 2**-26, 3 * 2**-25, 2**-25, 1.01 * 2**-25,
                -5 * 2**-26, 0.0, -0.0, 1 + 2**-8, 1 + 3 * 2**-8, 2047.5]
        wide, (kind, _, values) = exported("f16", ties)
        assert kind == "F16" and values.tobytes() == array.array("f", struct.unpack("<64e", struct.pack("<64e", *wide))).tobytes()
        wide, (kind, _, values) = exported("bf16", [*ties, 1e38, -1e-40, 1e-45])
        assert kind == "BF16" and values.tobytes() == array.array("f", map(upper, wide)).tobytes()
        assert exported("f32", ties)[1][0] == "F32"
        for dtype, value in (("f16", 65520.0), ("f16", -1e5), ("bf16", 3.4e38)):
            (self.folder / "narrow").unlink(missing_ok=True)
            error = exported(dtype, [0.0, 1.0, value], code=1)
            assert "`encoder.1.q.weight` holds" in error and f"at [0, 2], too large for {dtype.upper()}" in error, error
            assert not (self.folder / "narrow").exists()
        assert "expected f32, f16 or bf16" in exported("f64", [], code=2)

    def refused(self, foreign):
        def fails(what, tensors, clause="theirs", *words):
            safetensors.write(self.folder / "file", tensors)
            error = self.take(clause, self.folder / "file", "none", *words, code=1)
            assert what in error, (what, error)
            assert not list(self.folder.glob("none*")), "something was written"
            return error

        name = "encoder.1.key.weight"
        fails(f"there is no `{name}` for `layer.qkv.weight`", {k: v for k, v in foreign.items() if k != name})
        fails("is it `encoder.1.kye.weight`?", {k.replace("1.key.w", "1.kye.w"): v for k, v in foreign.items()})
        error = fails("give `--prefix model.`", {"model." + k: v for k, v in foreign.items()})
        assert error.count("\n") < 12, "a line for every tensor"
        fails("no parameter is `extra`", {**foreign, "extra": floats([1])})
        fails(f"`{name}` is [4, 16], the layout of `layer.qkv.weight` says [(head = 2, dh = 4), model = 8]",
              {**foreign, name: floats([4, 16])})
        fails(f"`{name}` holds I32", {**foreign, name: ("I32", [8, 8], array.array("i", range(64)))})
        broken = floats([8, 8])
        broken[2][13] = float("nan")
        fails(f"`{name}` holds nan at [1, 5]", {**foreign, name: broken})
        fails("no clause `weights other`", foreign, "other")
        whole = (self.folder / "theirs").read_bytes()
        (self.folder / "cut").write_bytes(whole[:-9])
        assert "cut: " in self.take("theirs", self.folder / "cut", "none", code=1)
        self.run("import", "--from", self.folder / "theirs", "-o", self.folder / "none", code=1)
        (self.folder / "mine").mkdir()
        (self.folder / "mine" / "notes").write_text("keep me")
        assert "is no import" in self.take("theirs", self.folder / "theirs", "mine", code=1)
        assert (self.folder / "mine" / "notes").read_text() == "keep me"

    def left_out(self):
        """What is ignored may lie deep, may be absent, and hides nothing; a computed tensor is compared where it is there."""
        self.run("export", "--clause", "part", "--from", self.folder / "first", "-o", self.folder / "file")
        whole = safetensors.read(self.folder / "file")
        assert list(whole["positions"][2]) == [0, 100, 1, 101, 2, 102]
        deep = ["pooler.dense.weight", "pooler.x", "encoder.0.mask", "encoder.7.attn.3.mask", "cls.predictions.dense.bias"]

        def taken(tensors, *words, code=0):
            safetensors.write(self.folder / "file", tensors)
            shutil.rmtree(self.folder / "ours", ignore_errors=True)
            done = subprocess.run([self.weft, "import", self.folder / "model.weft", "--config", "small", "--clause", "part", "--from",
                                   self.folder / "file", "-o", self.folder / "ours", *words], capture_output=True, text=True)
            assert done.returncode == code and (code == 0) == (self.folder / "ours").exists(), done.stderr
            return done.stdout + done.stderr

        assert "tensors, 5 ignored" in taken({**whole, **{name: floats([1]) for name in deep}})
        assert self.parameters() == self.parameters("back-theirs")
        assert "ignored" not in taken(whole)
        prefixed = {"model." + name: tensor for name, tensor in whole.items()}
        assert "3 ignored" in taken({**prefixed, "model.pooler.x": floats([1]), "pooler.x": floats([1]), "cls.a.b.dense.c": floats([1])},
                                    "--prefix", "model.")
        for name in ("pooler", "poolers.x", "cls.dense.x", "cls.a.dense", "a.pooler.x", "encoder.0.masks", "encoder.x.mask"):
            error = taken({**whole, name: floats([1])}, code=1)
            assert f"no parameter is `{name}`" in error, error
            assert "also ignores `pooler.*`, `*.{layer}.mask`, `cls.*.dense.*`" in error, error
        assert "also ignores `*.{layer}.mask`, `cls.*.dense.*`" in taken({**whole, "x": floats([1]), "pooler.x": floats([1])}, code=1)
        taken({name: tensor for name, tensor in whole.items() if name != "positions"})
        assert "`positions` is [6], `positions` gives [3, 2]" in taken({**whole, "positions": floats([6])}, code=1)
        wrong = floats([3, 2])
        assert "`positions` is 1 at [0, 1], where `positions` gives 100" in taken({**whole, "positions": wrong}, code=1)
        error = self.run("import", "--clause", "greedy", "--from", self.folder / "file", "-o", self.folder / "none", code=1)
        assert "E0624" in error and "`encoder.*` would leave out `encoder.0." in error, error
        # One name, which this config uses and another has not.
        self.run("export", "--clause", "swapped", "--from", self.folder / "first", "-o", self.folder / "file")
        error = self.take("kept", self.folder / "file", "none", code=1)
        assert "E0624" in error and "`encoder.{layer}.q.bias` would leave out `encoder.0.q.bias`, which is `layer.q.bias`" in error, error
        self.take("kept", self.folder / "file", "ours", "--set", "linear=Project")
        assert "layer.0.q.bias" not in self.parameters() and "layer.0.k.bias" in self.parameters()

    def configured(self, foreign):
        """What `config.json` of a folder says of sizes is what they are here."""
        folder = self.folder / "configured"
        folder.mkdir()
        safetensors.write(folder / "model.safetensors", foreign)

        def said(what, code=0, **sizes):
            (folder / "config.json").write_text(json.dumps({"model_type": "other", "eps": 1e-5, **sizes}))
            error = self.take("theirs", folder, "ours" if code == 0 else "none", code=code)
            assert what in error, (what, error)
            return error

        said("", n_head=2, width=8, other=7)
        error = said("config.json: `n_head` is 4, here it is 2 (head = 2)", 1, n_head=4, width=8)
        assert error.count("\n") == 1, error
        said("`width` is 9, here it is 8 (head = 2, dh = 4)", 1, n_head=2, width=9)
        said("config.json: it says no `n_head`; is it `n_heads`?", 1, n_heads=2, width=8)
        said("it says no `width`", 1, n_head=2)
        for value, text in ((-4, "-4"), ("4", '"4"'), (4.5, "4.5"), (None, "null"), (1e20, "1e+20"), (2**63, "9223372036854775808"), (True, "true")):
            error = said(f"config.json: `n_head` is {text}, and no size; here it is 2 (head = 2)", 1, n_head=value, width=8, other=value)
            assert error.count("\n") == 1, error
        assert said("", 1, n_head="4", width=None).count("\n") == 2
        said("")
        (folder / "config.json").unlink()
        (folder / "config.json").symlink_to("nowhere")
        assert "config.json: " in self.take("theirs", folder, "none", code=1)
        (folder / "config.json").unlink()
        (folder / "config.json").write_text("[")
        assert "config.json: is not the JSON" in self.take("theirs", folder, "none", code=1)

    def llama2c(self):
        """What is no llama2.c file is said to be none, and why."""
        def fails(what, content):
            (self.folder / "file.bin").write_bytes(content)
            error = self.take("theirs", self.folder / "file.bin", "none", code=1)
            assert what in error and "file.bin" in error, (what, error)

        header = [8, 16, 1, 2, 1, 10, 4]
        fails("by its header it would have", struct.pack("<7i", *header))
        fails("its header alone has 28", b"1234")
        fails("n_layers = -1", struct.pack("<7i", 8, 16, -1, 2, 1, 10, 4))
        fails("more than any file", struct.pack("<7i", 2**30, 2**30, 2**30, 2, 1, 2**30, 2**30))
        fails("each of an even width", struct.pack("<7i", 10, 16, 1, 3, 1, 10, 4))
        fails("only version 0 is read", b"24ka" + bytes(300))
        fails("a file of PyTorch", b"PK\3\4" + bytes(300))

    def page(self):
        """The page of the language: where pairs lie beside each other, biases lie as the rows of their weights."""
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs/language/weights.md").read_text()
        program = self.folder / "page.weft"
        program.write_text(next(block for block in page.split("```")[1::2] if "weights pairs" in block).removeprefix("weft\n"))

        def run(*words):
            subprocess.run([self.weft, words[0], program, "--set", "model=16,head=2", *words[1:]], check=True, capture_output=True)

        run("init", "--seed", "1", "-o", self.folder / "paged")
        parameters = safetensors.read(self.folder / "paged")
        for name in "qkv":
            values = parameters[f"attn.{name}.bias"][2]
            values[:] = array.array("f", range(len(values)))
            weight = parameters[f"attn.{name}.weight"][2]
            weight[:] = array.array("f", (out for _ in range(16) for out in range(16)))  # each says its row
        safetensors.write(self.folder / "paged", parameters)
        run("export", "--clause", "pairs", "--from", self.folder / "paged", "-o", self.folder / "pairs")
        foreign = safetensors.read(self.folder / "pairs")
        turned = [head * 8 + half * 4 + freq for head in range(2) for freq in range(4) for half in range(2)]
        for name, rows in (("q", turned), ("k", turned), ("v", list(range(16)))):
            assert list(foreign[f"attn.{name}.weight"][2]) == [row for row in rows for _ in range(16)], name
            assert list(foreign[f"attn.{name}.bias"][2]) == rows, name


main(Imports)
