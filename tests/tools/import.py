"""`weft import` and `weft export`: a file of others, read as a `weights` clause says, gives our names and layouts, and goes back;
what is wrong with it is said by name. Usage: import.py WEFT"""
import array
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "record"))
import safetensors

PROGRAM = """dim batch, layer, model, head, dh = model / head

entry run(x: [batch, model]) -> [batch, model] {
  repeat[layer] {
    h = heads: Linear[model, (head, dh)](x)
    x = x + back: Project[(head, dh), model](h)
  }
  x
}
config small with layer = 2, model = 4, head = 2
weights theirs {
  "encoder.{layer}" = layer, "attn.in" = heads
  Linear.weight: [out, in]
  ignore "version"
}
weights plain { Linear.weight: [in, out] }
"""


def floats(shape, first=0):
    count = 1
    for size in shape:
        count *= size
    return ("F32", list(shape), array.array("f", range(first, first + count)))


def main(weft):
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "model.weft").write_text(PROGRAM)
    theirs = {"version": floats([1])}
    for layer in range(2):
        theirs[f"encoder.{layer}.attn.in.weight"] = floats([4, 4], 100 * layer)
        theirs[f"encoder.{layer}.attn.in.bias"] = floats([4], 100 * layer + 20)
        theirs[f"encoder.{layer}.back.weight"] = floats([4, 4], 100 * layer + 40)

    def init(tensors, *words):
        safetensors.write(folder / "theirs.safetensors", tensors)
        command = [weft, "init", folder / "model.weft", "--config", "small", "--from", folder / "theirs.safetensors",
                   "-o", folder / "ours.safetensors", *(words or ("--clause", "theirs"))]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True)

    done = init(theirs)
    assert done.returncode == 0, done.stderr
    ours = safetensors.read(folder / "ours.safetensors")
    assert len(ours) == 6, sorted(ours)
    for layer in range(2):
        kind, shape, values = ours[f"layer.{layer}.heads.weight"]  # [model, head, dh] of their [(head, dh), model]
        assert shape == [4, 2, 2], shape
        assert list(values) == [100 * layer + 4 * out + into for into in range(4) for out in range(4)], list(values)
        assert list(ours[f"layer.{layer}.heads.bias"][2]) == [100 * layer + 20 + i for i in range(4)]
        assert list(ours[f"layer.{layer}.back.weight"][2]) == [100 * layer + 40 + i for i in range(16)]

    def refused(what, tensors, *words):
        (folder / "ours.safetensors").unlink(missing_ok=True)
        done = init(tensors, *words)
        assert done.returncode == 1 and what in done.stderr, (what, done.returncode, done.stderr)
        assert not (folder / "ours.safetensors").exists()

    name = "encoder.1.attn.in.weight"
    refused(f"there is no `{name}` for `layer.heads.weight`", {k: v for k, v in theirs.items() if k != name})
    refused("no parameter is `extra`", {**theirs, "extra": floats([1])})
    refused(f"`{name}` is [2, 8]", {**theirs, name: floats([2, 8])})
    refused(f"`{name}` holds I32", {**theirs, name: ("I32", [4, 4], array.array("i", range(16)))})
    broken = floats([4, 4])
    broken[2][5] = float("nan")
    refused(f"`{name}` holds nan", {**theirs, name: broken})
    refused("no clause `weights other`", theirs, "--clause", "other")
    refused("which `weights` clause?", theirs, "--seed", "1")
    print("ok")


main(sys.argv[1])
