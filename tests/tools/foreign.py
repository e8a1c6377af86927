"""The model of the tests of `weft import` and `weft export`, and the clauses of its files."""
import array
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "record"))
import safetensors

PROGRAM = """dim batch, layer, model, head, dh = model / head, role = 3, expert = 2, half = 2, freq = dh / half, pos = 3
option linear = Linear

entry run(x: [batch, model]) -> [batch, model] {
  repeat[layer] {
    q = q: linear[model, (head, dh)](x)
    k = k: Linear[model, (head, dh)](x)
    h = qkv: Linear[model, (role, head, dh)](x)
    x = x + back: Project[(head, dh), model](q * k * h[role = 0] * h[role = 1] + h[role = 2])
    x = x + mean[expert](experts: Project[model, (expert, model)](x))
  }
  x
}
config small with layer = 2, model = 8, head = 2
weights theirs {
  "encoder.{layer}" = layer, Linear.weight: [out, in], Project.weight: [out, in], ignore "mask.{layer}"
  "in_weight" = stack[part](q.weight, k.weight), "in_bias" = concat[rows](q.bias, k.bias)
  "query" = qkv[role = 0], "key" = qkv[role = 1], "value" = qkv[role = 2], size "n_head" = head, size "width" = (head, dh)
  "expert.{expert}.weight" = experts.weight
}
weights fused {
  "h.{layer}" = layer
  "c_attn.weight" = stack[part](q.weight, k.weight): [model, (part, head, dh)]
  "c_attn.bias" = stack[part](q.bias, k.bias)
  qkv.weight: [(head, role, dh), model], qkv.bias: [(head, role, dh)], Project.weight: [in, out]
}
weights stacked {
  "wq" = layer.q.weight[dh as (half, freq)]: [layer, (head, freq, half), model], "bq" = layer.q.bias
  "k" = layer.k, "qkv" = layer.qkv, "back" = layer.back, "experts" = layer.experts
  Linear.weight: [layer, in, out], Linear.bias: [layer, out], Project.weight: [layer, in, out]
}
weights slashed { "encoder/layer_{layer}" = layer, "q/w" = q.weight, Linear.weight: [out, in], Project.weight: [in, out] }
weights swapped { Linear.weight: [in, out], Project.weight: [in, out], "encoder.{layer}" = layer }
weights part {
  "encoder.{layer}" = layer, Linear.weight: [out, in], Project.weight: [out, in], ignore "pooler.*", ignore "*.{layer}.mask"
  ignore "cls.*.dense.*", "positions" = positions()
}
weights greedy { Linear.weight: [in, out], Project.weight: [in, out], "encoder.{layer}" = layer, ignore "encoder.*" }
weights kept { Linear.weight: [in, out], Project.weight: [in, out], "encoder.{layer}" = layer, ignore "encoder.{layer}.q.bias" }
entry positions() -> [pos, half] = index(pos) + 100 * index(half)
"""
LAYERS, MODEL, HEADS, WIDTH = 2, 8, 2, 4


def floats(shape, first=0):
    count = 1
    for size in shape:
        count *= size
    return ("F32", list(shape), array.array("f", (first + i for i in range(count))))


class Foreign:
    """`model.weft` in a folder, its first parameters in `first`, and how they are imported."""
    program = PROGRAM

    def __init__(self, weft, folder):
        self.weft, self.folder = weft, folder
        (folder / "model.weft").write_text(self.program)
        self.run("init", "--seed", 3, "-o", folder / "first")

    def run(self, *words, code=0):
        done = subprocess.run([str(word) for word in (self.weft, words[0], self.folder / "model.weft", "--config", "small", *words[1:])],
                              capture_output=True, text=True)
        assert done.returncode == code, (words, done.returncode, done.stderr)
        return done.stderr

    def take(self, clause, source, out="ours", *words, code=0):
        return self.run("import", "--clause", clause, "--from", source, "-o", self.folder / out, *words, code=code)

    def parameters(self, out="ours"):
        return safetensors.read(self.folder / out / "parameters.safetensors")


def main(suite):
    """Runs what `suite`, a kind of Foreign, tests, with the compiler that the command line names."""
    with tempfile.TemporaryDirectory() as name:
        suite(sys.argv[1], pathlib.Path(name)).test()
    print("ok")
