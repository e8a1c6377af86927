"""How long `weft check` takes for long files, and how that grows: CPU seconds, and the ratio of a file to one four times as long.

python3 bench/check/long.py [--weft PATH] [--rounds N]

Pieces are GPT blocks, ten to a model, each model with its entry, all under one config, so that every entry is lowered as a build would.
Four times the lines should take four times as long. The third file has names that nobody declared.
"""
import argparse
import pathlib
import resource
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIMS = "dim batch, seq, model, key = seq, head, dh = model / head, ff = 4 * model, vocab"
CONFIG = "config tiny with vocab = 32, model = 16, head = 2"
LAYERS = 10  # of a model: an entry has at most so many operations (frontend/syntax/Limits.h)


def block(at):
    return f"""block Attention{at}(x: [.., seq, model]) -> [.., seq, model] {{
  q = Linear[model, (head, dh)](x)
  k = Linear[model, (head, dh)](x)[seq as key]
  v = Linear[model, (head, dh)](x)[seq as key]
  out: Linear[(head, dh), model](attend[seq, key, dh](q, k, v, mask = index(key) <= index(seq)))
}}
block Feed{at}(x: [.., model]) -> [.., model] = down: Linear[ff, model](gelu(up: Linear[model, ff](x)))"""


def model(at):
    blocks = range(at * LAYERS, (at + 1) * LAYERS)
    layers = [f"  x = x + attn{i}: Attention{i}(norm{i}: LayerNorm[model](x))\n  x = x + ffn{i}: Feed{i}(normf{i}: LayerNorm[model](x))" for i in blocks]
    head = f"block Model{at}(tokens: vocab[batch, seq]) -> [batch, seq, model] {{\n  param table: [vocab, model] = normal(0.02)\n  x = table[vocab = tokens]"
    entry = f"entry hidden{at}(tokens: vocab[batch, seq]) -> [batch, seq, model] = Model{at}(tokens)\n"
    return "\n".join([*map(block, blocks), head, *layers, "  x", "}", entry])


def models(lines):
    text, at = DIMS + "\n\n", 0
    while text.count("\n") < lines:
        text += model(at) + "\n"
        at += 1
    return text + CONFIG + "\n"


def unknown(names):
    lines = "".join(f"  a{at} = x + nope{at}\n" for at in range(names))
    return f"dim n\nentry run(x: [n]) -> [n] {{\n{lines}  x\n}}\n"


def seconds(weft, file):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([weft, "check", file], stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", default=ROOT / "build/bin/weft")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    texts = {"few": models(2500), "many": models(10000), "unknown": unknown(20000)}
    taken = {name: [] for name in texts}
    with tempfile.TemporaryDirectory() as folder:
        files = {name: pathlib.Path(folder) / f"{name}.weft" for name in texts}
        for name, file in files.items():
            file.write_text(texts[name])
        for _ in range(options.rounds):
            for name, file in files.items():
                taken[name].append(seconds(options.weft, file))
    middle = {name: statistics.median(each) for name, each in taken.items()}
    lines = {name: text.count("\n") for name, text in texts.items()}
    ratios = [many / few for few, many in zip(taken["few"], taken["many"])]
    print(f"check: {lines['many']} lines {middle['many']:.2f} s, {lines['few']} lines {middle['few']:.2f} s: "
          f"{statistics.median(ratios):.2f} times as long (rounds: {min(ratios):.2f} to {max(ratios):.2f}) for {lines['many'] / lines['few']:.2f} times the lines")
    print(f"  20000 unknown names: {middle['unknown']:.2f} s")


main()
