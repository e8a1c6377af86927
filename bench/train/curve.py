"""A GPT on the characters of a text, trained by a program and by PyTorch from the same weights on the same batches: both curves.

python3 bench/train/curve.py --text tinyshakespeare.txt --out DIR --steps 3000 [--model 192 …] [--precision float32,bf16] [--peer]

DIR gets a folder for each precision, with the program and its training (run/), and curve.json: the losses of every step on both sides, seconds, and validation losses.
`--peer` needs PyTorch in this interpreter. `--minutes` stops the program's training when that much time is over, at a checkpoint.
"""
import argparse
import array
import json
import math
import pathlib
import random
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/record"), str(ROOT / "bench/train")]  # before another package called safetensors
import safetensors  # noqa: E402

SIZES = ("position", "model", "head", "layer")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--weft", default=ROOT / "build/bin/weft")
    for name, usual in (("position", 128), ("model", 192), ("head", 6), ("layer", 4), ("batch", 16), ("steps", 1000),
                        ("warmup", 100), ("threads", 2), ("seed", 1)):
        parser.add_argument("--" + name, type=int, default=usual)
    for name, usual in (("peak", 0.003), ("least", 0.0003), ("rate", 0.0), ("minutes", 0.0)):
        parser.add_argument("--" + name, type=float, default=usual)
    parser.add_argument("--precision", default="float32", help="of the program; several with commas, from the same weights on the same batches")
    parser.add_argument("--peer", action="store_true")
    options = parser.parse_args()
    options.precision = options.precision.split(",")
    if wrong := set(options.precision) - {"float32", "tf32", "bf16"}:
        parser.error(f"--precision takes float32, tf32 or bf16, or several with commas, not `{wrong.pop()}`")
    return options


def tokens_of(text):
    """Ids by code point, as the tokenizer `char` gives them, and how many there are."""
    ids = {character: i for i, character in enumerate(sorted(set(text)))}
    return [ids[character] for character in text], len(ids)


def write_batches(path, tokens, options):
    """Windows that begin anywhere in the first nine tenths."""
    draw, length, last = random.Random(options.seed), options.position, len(tokens) * 9 // 10 - options.position - 1
    sides = {"tokens": array.array("i"), "next": array.array("i")}
    for _ in range(options.steps * options.batch):
        start = draw.randrange(last)
        sides["tokens"].extend(tokens[start : start + length])
        sides["next"].extend(tokens[start + 1 : start + 1 + length])
    shape = [options.steps, options.batch, length]
    safetensors.write(path, {name: ("I32", shape, values) for name, values in sides.items()})


def setting(options, vocab):
    """The model, as `weft build` and `weft init` take it."""
    settings = {name: getattr(options, name) for name in (*SIZES, "rate", "peak", "least", "warmup")}
    return [ROOT / "examples/gpt/gpt.weft", "--set", ",".join(f"{name}={value}" for name, value in {"vocab": vocab, **settings}.items())]


def write_start(options, model):
    """What all trainings begin with: weights, and the tokenizer that the validation reads its text by."""
    subprocess.run([options.weft, "init", *model, "--seed", str(options.seed), "-o", options.out / "weights"], check=True)
    (options.out / "tokenizer.json").write_text(json.dumps(
        {"weft_tokenizer": 1, "kind": "characters", "characters": "".join(sorted(set(options.text.read_text())))}))


def ours(options, model, precision):
    """Builds, trains and evaluates: the program's side of the result."""
    folder = options.out / precision
    folder.mkdir(exist_ok=True)
    program, out = folder / "gpt", folder / "run"
    subprocess.run([options.weft, "build", *model, "--precision", precision, "-o", program], check=True)
    began = time.monotonic()
    training = subprocess.Popen([program, "train", "--data", f"tensors:{options.out / 'batches'}", "--init", options.out / "weights", "--steps",
                                 str(options.steps), "--checkpoint-every", "500", "--threads", str(options.threads), "--out", out])
    try:
        training.wait(options.minutes * 60 or None)
    except subprocess.TimeoutExpired:
        training.send_signal(signal.SIGINT)  # it finishes its step and writes a checkpoint
        training.wait()
    seconds = time.monotonic() - began
    losses = [json.loads(line)["loss"] for line in (out / "log.jsonl").read_text().splitlines()]
    said = subprocess.run([program, "eval", "--data", f"text:{options.text}", "--validation", "--checkpoint", out, "--tokenizer",
                           options.out / "tokenizer.json", "--json"], check=True, capture_output=True, text=True)
    return {"losses": losses, "seconds": seconds, "validation": json.loads(said.stdout)["loss"]}


def load(model, weights, torch):
    """Our weights into the peer's modules, which have one projection for q, k and v."""
    tensor = {name: torch.tensor(list(values)).view(shape) for name, (_, shape, values) in weights.items()}
    flat = {"table": model.table.weight, "place": model.place.weight, "norm.weight": model.norm.weight, "norm.bias": model.norm.bias}
    with torch.no_grad():
        for name, parameter in flat.items():
            parameter.copy_(tensor.pop(name))
        for i, block in enumerate(model.blocks):
            def take(name):
                return tensor.pop(f"layer.{i}.{name}")

            width = block.out.weight.shape[0]
            block.qkv.weight.copy_(torch.cat([take(f"attn.{role}.weight").reshape(width, width).T for role in "qkv"]))
            block.qkv.bias.copy_(torch.cat([take(f"attn.{role}.bias").flatten() for role in "qkv"]))
            block.out.weight.copy_(take("attn.out.weight").reshape(width, width).T)
            block.out.bias.copy_(take("attn.out.bias"))
            for side in ("up", "down"):
                getattr(block, side).weight.copy_(take(f"ffn.{side}.weight").T)
                getattr(block, side).bias.copy_(take(f"ffn.{side}.bias"))
            for norm in ("norm1", "norm2"):
                getattr(block, norm).weight.copy_(take(f"{norm}.weight"))
                getattr(block, norm).bias.copy_(take(f"{norm}.bias"))
    assert not tensor, f"left over: {sorted(tensor)}"


def theirs(options, vocab, tokens):
    import torch
    from torch.nn import functional as F
    from torch_gpt import GPT
    from torch_steps import update

    torch.set_num_threads(options.threads)
    model = GPT(vocab, options.position, options.model, options.head, options.layer)
    load(model, safetensors.read(options.out / "weights"), torch)
    matrices = [p for p in model.parameters() if p.dim() > 1]
    vectors = [p for p in model.parameters() if p.dim() == 1]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=options.peak, betas=(0.9, 0.95), eps=1e-8, fused=True)
    batches = safetensors.read(options.out / "batches")
    sides = {name: torch.tensor(values, dtype=torch.int64).view(shape) for name, (_, shape, values) in batches.items()}
    losses, began = [], time.monotonic()
    for step in range(1, options.steps + 1):
        done = min(1, max(0, step - options.warmup) / max(1, options.steps - options.warmup))
        down = options.least + (options.peak - options.least) * 0.5 * (1 + math.cos(math.pi * done))
        for group in optimizer.param_groups:
            group["lr"] = min(1, step / max(options.warmup, 1)) * down
        inputs, labels = sides["tokens"][step - 1], sides["next"][step - 1].flatten()
        losses.append(update(model, optimizer, lambda: F.cross_entropy(model(inputs).flatten(0, 1), labels)).item())
    seconds = time.monotonic() - began
    held = torch.tensor(tokens[len(tokens) * 9 // 10 :])
    rows = (len(held) - 1) // options.position
    inputs, labels = (held[i : i + rows * options.position].view(rows, -1) for i in (0, 1))
    with torch.no_grad():
        total = sum(F.cross_entropy(model(inputs[i : i + 64]).flatten(0, 1), labels[i : i + 64].flatten(), reduction="sum").item()
                    for i in range(0, rows, 64))
    return {"losses": losses, "seconds": seconds, "validation": total / (rows * options.position)}


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    tokens, vocab = tokens_of(options.text.read_text())
    write_batches(options.out / "batches", tokens, options)
    model = setting(options, vocab)
    write_start(options, model)
    result = {precision: ours(options, model, precision) for precision in options.precision}
    if options.peer:
        result["peer"] = theirs(options, vocab, tokens)
    (options.out / "curve.json").write_text(json.dumps(result))
    each = max(1, options.steps // 10)
    print("mean training loss up to a step")
    for last in range(each, options.steps + 1, each):
        means = [side["losses"][last - each : last] for side in result.values()]
        print(f"{last:7}  " + "  ".join(f"{name} {sum(some) / max(1, len(some)):.4f}" for name, some in zip(result, means) if some))
    for name, side in result.items():
        print(f"{name}: validation {side['validation']:.4f} nats per character, {side['seconds']:.0f} s, {len(side['losses'])} steps")


if __name__ == "__main__":
    main()
