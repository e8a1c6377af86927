"""Damaged files that `weft` and the programs that it builds read: sources, configurations, indices and weights of others, what a program
carries. Refused with an error, or used: never a signal, a hang, or memory without end. WEFT_DAMAGED says how many of each (12),
WEFT_SEED which. Usage: tools.py WEFT"""
import json
import os
import pathlib
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "tools/gguf"))
from gguf import gguf

COUNT = int(os.environ.get("WEFT_DAMAGED") or 12)
SEED = int(os.environ.get("WEFT_SEED") or random.SystemRandom().randrange(1 << 32))
LIMIT = (1 << 30) + (1 << 29)  # bytes: the compiler itself needs some, a small file does not need more


def flipped(data, moments):
    data = bytearray(data)
    for _ in range(moments.randint(1, 8)):
        if data:
            data[moments.randrange(len(data))] ^= 1 << moments.randrange(8)
    return bytes(data)


def resized(data, moments):
    if len(data) < 8:
        return data
    at = moments.randrange(min(64, len(data) - 7) if moments.random() < 0.5 else len(data) - 7)
    number = moments.choice((0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 40, (1 << 63) - 1, (1 << 64) - 1))
    return data[:at] + struct.pack("<Q", number) + data[at + 8:]


def renumbered(data, moments):
    digits = [at for at, byte in enumerate(data) if 48 <= byte < 58]
    if not digits:
        return flipped(data, moments)
    at = moments.choice(digits)
    return data[:at] + moments.choice((b"-1", b"0", b"99999999999999999999999", b"2147483648", b"1e999", b"1.5", b"-0")) + data[at + 1:]


def nested(data, moments):
    inside = moments.choice((b"[", b'{"a":', b"(", b"{", b"-", b"repeat[layer] {", b"max(", b"[[", b"x = (")) * (1 << moments.randrange(16))
    at = moments.randrange(len(data) + 1)
    return data[:at] + inside + data[at:]


def moved(data, moments):
    begin = moments.randrange(len(data) + 1)
    end = min(len(data), begin + moments.randrange(200))
    piece, rest = data[begin:end], data[:begin] + data[end:]
    at = moments.randrange(len(rest) + 1)
    return moments.choice((rest, data[:end] + piece + data[end:], rest[:at] + piece + rest[at:], data[:begin] + moments.randbytes(end - begin) + data[end:]))


def damaged(data, moments):
    kinds = (flipped, flipped, lambda data, moments: data[:moments.randrange(len(data) + 1)], resized, renumbered, nested, moved)
    for _ in range(moments.choice((1, 1, 1, 2))):
        data = moments.choice(kinds)(data, moments)
    return data


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    if not os.environ.get("WEFT_SANITIZED"):
        resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))


class Hunt:
    def __init__(self):
        self.failed = 0

    def format(self, name, path, command, whole=None, begin=0):
        """Damages `path` from byte `begin` on, as often as is asked for; `command` reads it."""
        data = whole or path.read_bytes()
        path.write_bytes(data)
        done = subprocess.run(command, capture_output=True)
        assert done.returncode == 0, (name, done.stderr.decode(errors="replace"))
        used = 0
        for number in range(COUNT):
            path.write_bytes(data[:begin] + damaged(data[begin:], random.Random(f"{SEED} {name} {number}")))
            done = subprocess.run(command, capture_output=True, preexec_fn=limited)
            used += done.returncode == 0
            if done.returncode in (0, 1, 2) and (done.returncode == 0 or done.stderr):
                continue
            self.failed += 1
            kept = pathlib.Path(tempfile.gettempdir()) / f"weft-damaged-{name}-{number}"
            shutil.copy(path, kept)
            print(f"{name}, number {number} of WEFT_SEED={SEED}: exit {done.returncode}, kept as {kept}\n{done.stderr[-300:]}")
        path.write_bytes(data)
        print(f"{name}: {COUNT} damaged, {used} of which could be used", flush=True)


def main(weft):
    root = pathlib.Path(__file__).resolve().parents[2]
    print(f"WEFT_SEED={SEED}")
    hunt = Hunt()
    with tempfile.TemporaryDirectory(prefix="weft-damage-") as name:
        folder = pathlib.Path(name)

        def run(*words):
            done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
            assert done.returncode == 0, (words, done.stderr)

        source = folder / "gpt.weft"
        shutil.copy(root / "examples/gpt/gpt.weft", source)
        hunt.format("source", source, [weft, "check", source])

        model = ("--config", "tiny")
        weights, foreign, made = folder / "weights", folder / "theirs", folder / "made"
        foreign.mkdir()
        run(weft, "init", source, *model, "--seed", 1, "-o", weights)
        clause = "torch"
        run(weft, "export", source, *model, "--clause", clause, "--from", weights, "-o", foreign / "model.safetensors")
        config = foreign / "config.json"
        config.write_text(json.dumps({"model_type": "gpt2", "n_layer": 2, "nested": {"a": [1, 2, {"b": None}]}}))
        take = [weft, "import", source, *model, "--clause", clause, "--from", foreign, "-o", made]
        hunt.format("config", config, take)
        hunt.format("weights-of-others", foreign / "model.safetensors", take)
        header = struct.unpack("<Q", (foreign / "model.safetensors").read_bytes()[:8])[0]
        names = json.loads((foreign / "model.safetensors").read_bytes()[8:8 + header])
        (foreign / "model.safetensors").rename(foreign / "model-1.safetensors")
        index = foreign / "model.safetensors.index.json"
        index.write_text(json.dumps({"weight_map": {each: "model-1.safetensors" for each in names if each != "__metadata__"}}))
        hunt.format("index", index, take)

        plain, blocks = folder / "plain.weft", folder / "theirs.gguf"
        plain.write_text("dim batch, row = 2, column = 64\n"
                         "block Scaled(x: [batch, column]) -> [batch, row] {\n  param w: [row, column] = 0\n  sum[column](x * w)\n}\n"
                         "entry run(x: [batch, column]) -> [batch, row] = Scaled(x)\n"
                         "weights theirs { \"w\" = w: [row, column], option \"rope_theta\" = 10000, ignore option \"architecture\" }\n")
        keys = {"general.architecture": "llama", "llama.rope.freq_base": 10000.0, "llama.block_count": 2, "tokenizer.ggml.tokens": ["a", "b"]}
        hunt.format("gguf", blocks, [weft, "import", plain, "--from", blocks, "-o", folder / "from-gguf"], gguf(keys, {"w": (8, (2, 64), bytes(136))}))

        program, bare = folder / "program", folder / "bare"
        run(weft, "build", "--isa", "native", source, *model, "-o", bare)
        run(weft, "build", "--isa", "native", source, *model, "--weights", weights, "--tokenizer", "byte", "-o", program)
        generate = [program, "generate", "--prompt", "To be", "--max-tokens", "2", "--quiet"]
        hunt.format("carried", program, generate, begin=(bare.stat().st_size + 4095) // 4096 * 4096 + 4096)
    return 1 if hunt.failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
