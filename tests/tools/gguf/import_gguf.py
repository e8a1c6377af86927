"""`weft import` of GGUF files: blocks are what ggml's own Python says they are (blocks.json), a Llama is that of the same weights in
safetensors, what a file says of its model is compared, and what is damaged is refused. Usage: import_gguf.py WEFT"""
import array
import json
import pathlib
import random
import struct
import sys

HERE = pathlib.Path(__file__).resolve()
sys.path.append(str(HERE.parents[1]))
from foreign import Foreign, main
import safetensors
from gguf import TYPES, gguf

ROOT = HERE.parents[3]
BLOCKS = json.loads((HERE.parent / "blocks.json").read_text())["types"]
SIZES = dict(vocab=11, position=9, model=16, group=2, rep=2, dh=16, ff=13, layer=2)
PLAIN = """dim batch, row = 2, column
block Scaled(x: [batch, column]) -> [batch, row] {
  param w: [row, column] = 0
  sum[column](x * w)
}
entry run(x: [batch, column]) -> [batch, row] = Scaled(x)
config small with column = 256
weights theirs { "w" = w: [row, column] }
"""


def packed(kind, values):
    """Numbers that each type holds exactly."""
    if kind == "BF16":
        return b"".join(struct.pack("<f", value)[2:] for value in values)
    return struct.pack(f"<{len(values)}{dict(F32='f', F64='d', F16='e', I8='b', I32='i')[kind]}", *values)


class Gguf(Foreign):
    program = PLAIN

    def test(self):
        self.rng = random.Random(seed := random.SystemRandom().randrange(1 << 32))
        print(f"seed {seed}")
        self.elements()
        self.blocks()
        self.llama()
        self.damaged()

    def one(self, kind, content, code=0, shape=(2, 256), keys={}, alignment=32, name="w"):
        """A file of one tensor; gives what is said, and the numbers."""
        path = self.folder / "one.gguf"
        path.write_bytes(gguf(keys, {name: (kind, shape, content)}, alignment))
        said = self.take("theirs", path, "one", code=code)
        assert code == 0 or str(path) in said, said
        return said, self.parameters("one")["w"][2] if code == 0 else None

    def elements(self):
        values = [self.rng.randrange(-64, 64) for _ in range(512)]
        for kind in ("F32", "F16", "BF16", "F64"):
            for alignment in (8, 32, 64):
                _, got = self.one(TYPES[kind], packed(kind, values), alignment=alignment)
                assert list(got) == values, kind
        for kind in ("I8", "I32"):
            said, _ = self.one(TYPES[kind], packed(kind, values), code=1)
            assert f"`w` holds {kind}, not floats" in said, said
        # a vocabulary that makes the header longer than what is read of it at first
        _, got = self.one(0, packed("F32", values), keys={"tokenizer.ggml.tokens": [f"token {i}" for i in range(200000)]})
        assert list(got) == values

    def blocks(self):
        for name, each in BLOCKS.items():
            _, got = self.one(each["number"], bytes.fromhex(each["bytes"]) * 2)
            assert got.tobytes() == bytes.fromhex(each["floats"]) * 2, name
        said, _ = self.one(20, bytes(200), code=1)
        assert "`w` is of ggml's type 20; of blocks Weft reads Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K" in said, said
        said, _ = self.one(8, bytes(34 * 16), code=1, shape=(32, 16))
        assert "`w` has rows that are no whole blocks" in said, said
        said, _ = self.one(8, bytes(34 * 16), code=1, shape=(4, 128))
        assert "`w` is [4, 128], the layout of `w` says [row = 2, column = 256]" in said, said
        said, _ = self.one(8, (b"\x00\x7c" + bytes([1] * 32)) * 16, code=1)
        assert "`w` holds inf at [0, 0]" in said, said
        said, _ = self.one(8, bytes(34 * 16), code=1, name="v")
        assert "no parameter is `v`" in said, said

    def llama(self):
        for name in ("llama", "stories", "gguf"):
            (self.folder / f"{name}.weft").write_text((ROOT / f"examples/gpt/{name}.weft").read_text())
        program = self.folder / "gguf.weft"
        (self.folder / "model.weft").rename(self.folder / "plain.weft")
        program.rename(self.folder / "model.weft")
        text = (self.folder / "model.weft").read_text()
        (self.folder / "model.weft").write_text(text + "config small with " + ", ".join(f"{name} = {size}" for name, size in SIZES.items())
                                                + ", eps = 1e-5, base = 3, stretch = 4.0, trained = 40\n")
        self.run("init", "--seed", self.rng.randrange(1000), "-o", self.folder / "trained")
        self.run("export", "--clause", "huggingface", "--from", self.folder / "trained", "-o", self.folder / "theirs")
        theirs = {name: (shape, list(values)) for name, (_, shape, values) in safetensors.read(self.folder / "theirs").items()}
        tensors = self.renamed(theirs)
        keys = {"general.architecture": "llama", "general.name": "a small one", "llama.attention.head_count": 4, "llama.attention.head_count_kv": 2,
                "llama.attention.layer_norm_rms_epsilon": 1e-5, "llama.rope.freq_base": 3.0, "llama.embedding_length": 16,
                "llama.attention.key_length": 16, "llama.rope.dimension_count": 16, "llama.block_count": 2, "llama.attention.sliding_window": 0,
                "other.is": "another's"}

        def take(keys, tensors, code=0, more=()):
            path = self.folder / "model.gguf"
            path.write_bytes(gguf(keys, tensors))
            said = self.take("gguf", path, "taken", *more, code=code)
            assert code == 0 or str(self.folder) in said or "there is no `" in said, said
            return said
        assert take(keys, tensors) == ""
        trained = safetensors.read(self.folder / "trained")
        assert self.parameters("taken") == trained
        take({**keys, "llama.attention.head_count": [4, 4], "llama.rope.scaling.type": "linear", "llama.rope.scaling.factor": 1.0}, tensors)
        # in two files, of which the second says nothing of the model
        second, output = self.folder / "second.gguf", tensors.pop("output.weight")
        second.write_bytes(gguf({"split.no": 1}, {"output.weight": output}))
        take(keys, tensors, more=(second,))
        assert self.parameters("taken") == trained
        assert "there is no `output.weight` for `head.weight`" in take(keys, tensors, code=1)
        second.write_bytes(gguf({"general.architecture": "llama", "llama.rope.freq_base": 3.5}, {"output.weight": output}))
        assert "`rope_theta` is 3.5, and 3.0 in another file: which one counts?" in take(keys, tensors, code=1, more=(second,))
        second.write_bytes(gguf({}, {"output.weight": output, "output_norm.weight": tensors["output_norm.weight"]}))
        assert "has `output_norm.weight`, and so has" in take(keys, tensors, code=1, more=(second,))
        tensors["output.weight"] = output
        unread = "`{} is {}, and the clause does not say what that is here"
        for name, value, text in (
                ("attention.head_count", 8, "`num_attention_heads` is 8, here it is 4 (group = 2, rep = 2)"),
                ("attention.head_count", [4, 2], "`num_attention_heads` is [4,2], and no size"),
                ("attention.head_count_kv", None, "`num_key_value_heads` is 4, here it is 2 (group = 2)"),
                ("attention.layer_norm_rms_epsilon", 1e-6, "`rms_norm_eps` is"),
                ("attention.layer_norm_rms_epsilon", None, "it says no `rms_norm_eps`"),
                ("rope.freq_base", 10000.0, "a program that fits is made with `--set base=10000`"),
                ("rope.freq_base", None, "`rope_theta` is not said, which means 10000"),
                ("rope.freq_base", float("nan"), "`llama.rope.freq_base` is no finite number"),
                ("rope_theta", 3.0, "says something that another of its keys says, too"),
                ("rope.dimension_count", 4, unread.format("rotary_dim`", 4)),
                ("attention.sliding_window", 4096, unread.format("sliding_window`", 4096)),
                ("attention.causal", False, unread.format("attention.causal`", "false")),
                ("rope.scaling.type", "yarn", unread.format("rope_scaling.rope_type`", '"yarn"')),
                ("rope.scale_linear", 2.0, unread.format("rope_scaling.factor`", "2.0")),
                ("rope.scaling.yarn_beta_fast", 2.0, ""),
                ("rope.dimension_sections", [1, 1, 2, 0], unread.format("rope.dimension_sections`", "[1,1,2,0]")),
                ("new.names", ["a", "b"], unread.format("new.names`", '"values that are not read"')),
                ("final_logit_softcapping", 30.0, unread.format("final_logit_softcapping`", "30.0"))):
            changed = {**keys, "llama." + name: value}
            said = take({each: value for each, value in changed.items() if value is not None}, tensors, code=1 if text else 0)
            assert text in said, (name, said)
        for architecture in ("gemma", "qwen2"):
            other = {name.replace("llama.", architecture + "."): value for name, value in keys.items()}
            said = take({**other, "general.architecture": architecture}, tensors, code=1)
            assert f'`architecture` is "{architecture}", the clause says "llama"' in said, said
        del other["general.architecture"], other["other.is"]
        assert "it says no `general.architecture`, so nobody knows what `qwen2." in take(other, tensors, code=1)
        assert "its `general.architecture` is no name" in take({**keys, "general.architecture": 3}, tensors, code=1)
        kind, shape, content = tensors["rope_freqs.weight"]
        tensors["rope_freqs.weight"] = (kind, shape, content[:-4] + struct.pack("<f", 3.9))
        assert "where `stretches` gives" in take(keys, tensors, code=1)
        del tensors["rope_freqs.weight"]  # positions are not stretched there
        assert "`rope_freqs` is not said, which means false" in take(keys, tensors, code=1)
        (self.folder / "model.weft").write_text((self.folder / "plain.weft").read_text())

    @staticmethod
    def renamed(theirs):
        """The tensors of a Llama as llama.cpp's convert_hf_to_gguf.py has them."""
        pieces = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
                  "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm",
                  "post_attention_layernorm": "ffn_norm", "model.layers": "blk", "model.embed_tokens": "token_embd", "model.norm": "output_norm",
                  "lm_head": "output"}
        tensors = {}
        for name, (shape, values) in theirs.items():
            for old, new in pieces.items():
                name = name.replace(old, new)
            if "attn_q" in name or "attn_k" in name:  # rows of a head: 0, 4, 1, 5, …
                dh, width = SIZES["dh"], shape[1]
                order = [head + half * dh // 2 + i for head in range(0, shape[0], dh) for i in range(dh // 2) for half in (0, 1)]
                values = [value for row in order for value in values[row * width:(row + 1) * width]]
            tensors[name] = (0, shape, array.array("f", values).tobytes())
        # Llama 3.1: short waves are kept, long ones are stretched by 4, those between by something between
        factors = []
        for i in range(SIZES["dh"] // 2):
            wave = 2 * 3.141592653589793 * 3 ** (2 * i / SIZES["dh"])
            smooth = (40 / wave - 1) / (4 - 1)
            factors.append(1.0 if wave < 40 / 4 else 4.0 if wave > 40 else 1 / ((1 - smooth) / 4 + smooth))
        assert factors[0] == 1 and any(1 < factor < 4 for factor in factors), factors
        tensors["rope_freqs.weight"] = (0, [len(factors)], array.array("f", factors).tobytes())
        return tensors

    def damaged(self):
        blocks = bytes.fromhex(BLOCKS["Q8_0"]["bytes"])
        keys, w = {"general.architecture": "llama", "llama.block_count": 2}, (8, (1, 256), blocks)
        whole = gguf(keys, {"w": w})
        path = self.folder / "damaged.gguf"

        def refused(content, text):
            path.write_bytes(content)
            said = self.take("theirs", path, "none", code=1)
            assert f"{path}: is no GGUF file: " in said and text in said and "\x1b" not in said, (said, text)
        for end in (4, 7, 23, 24, 40, 60, 100, 140, len(whole) - 1):
            refused(whole[:end], "")
        refused(whole[:4] + struct.pack("<I", 1) + whole[8:], "its version is 1, expected 2 or 3")
        refused(whole[:4] + struct.pack(">I", 3) + whole[8:], "it is big-endian")
        refused(whole[:8] + struct.pack("<Q", 1 << 40) + whole[16:], "1099511627776 tensors and 2 values, more than 65536")
        refused(whole.replace(struct.pack("<I", 4) + struct.pack("<I", 2), struct.pack("<I", 13) + struct.pack("<I", 2)),
                "the value of `llama.block_count` is of a type that is not read (13)")
        twice = gguf({"llama.block_counu": 2, **keys}, {"w": w}).replace(b"block_counu", b"block_count")
        refused(twice, "`llama.block_count` stands in it twice")
        two = gguf(keys, {"v": w, "w": w})
        refused(two.replace(struct.pack("<IQ", 8, 288), struct.pack("<IQ", 8, 0)), "does not begin where the one before it ends")
        refused(gguf(keys, {"\x1b[31m": (99, (1, 256), blocks)}), "`\\x1b[31m` is of ggml's type 99")
        path.write_bytes(two.replace(b"\x01\0\0\0\0\0\0\0v", b"\x01\0\0\0\0\0\0\0w"))
        assert "has `w` twice" in self.take("theirs", path, "none", code=1)
        assert not (self.folder / "none").exists()


if __name__ == "__main__":
    main(Gguf)
