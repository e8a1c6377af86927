"""A training that PyTorch recorded, through the trainer of a compiled program: loss, norm and parameters over 20 steps."""
import json
import os
import pathlib
import sys
import tempfile
import unittest

import tensors
from program import ROOT, SKIPPED, WEFT, run

DATA = pathlib.Path(os.environ.get("WEFT_DATA", ROOT.parent / "shared/data")) / "seeds/train-gpt.safetensors"
HEADS = [4, 8]


def ours(recorded, prefix):
    """The recorded parameters under our names, weights as [in, out]: {name: (shape, numbers)}."""
    out = {}

    def take(name, theirs, shape=None, transpose=False):
        found, values = recorded[prefix + theirs]
        values = tensors.transposed(found, values) if transpose else list(values)
        out[name] = (shape or (found[::-1] if transpose else found), values)

    take("table", "tokens.weight")
    take("place", "positions.weight")
    for part in ("weight", "bias"):
        take(f"norm.{part}", f"norm.{part}")
        for layer in (0, 1):
            to, of = f"layer.{layer}", f"block{layer}"
            for norm in ("norm1", "norm2"):
                take(f"{to}.{norm}.{part}", f"{of}.{norm}.{part}")
            matrix = part == "weight"
            for letter in "qkv":
                take(f"{to}.attn.{letter}.{part}", f"{of}.attn.W_{letter}.{part}", ([32] if matrix else []) + HEADS, matrix)
            take(f"{to}.attn.out.{part}", f"{of}.attn.W_o.{part}", HEADS + [32] if matrix else [32], matrix)
            for linear in ("up", "down"):
                take(f"{to}.ffn.{linear}.{part}", f"{of}.ffn.{linear}.{part}", None, matrix)
    return out


class Recorded(unittest.TestCase):
    def test_training(self):
        recorded = tensors.read(DATA)
        with tempfile.TemporaryDirectory(prefix="weft-recorded-") as folder:
            folder = pathlib.Path(folder)
            run(WEFT, "build", pathlib.Path(__file__).with_name("recorded.weft"), "--config", "small", "-o", folder / "gpt")
            tensors.write(folder / "init", ours(recorded, "init."))
            run(folder / "gpt", "train", "--data", f"tensors:{DATA}", "--init", folder / "init", "--steps", "20", "--out",
                folder / "run", "--quiet")
            log = [json.loads(line) for line in (folder / "run/log.jsonl").read_text().splitlines()]
            final = tensors.read(folder / "run/step-20/parameters.safetensors")
        self.assertEqual(len(log), 20)
        for name, key, tolerance in (("loss", "out.loss", 2e-6), ("norm", "out.grad_norm", 1e-5), ("rate", "out.lr", 1e-9)):
            worst = max(abs(row[name] - value) for row, value in zip(log, recorded[key][1]))
            print(f"{name}: at most {worst:.1e} from the record")
            self.assertLess(worst, tolerance, name)
        worst = {}
        for name, (shape, values) in ours(recorded, "final.").items():
            self.assertEqual(final[name][0], shape, name)
            if not name.endswith("attn.k.bias"):  # its gradient is rounding: softmax ignores it
                worst[name] = max(abs(a - b) for a, b in zip(final[name][1], values))
        name = max(worst, key=worst.get)
        print(f"{len(worst)} parameters: at most {worst[name]:.1e} from the record ({name})")
        self.assertLess(worst[name], 5e-6, name)


if __name__ == "__main__":
    if not DATA.exists():
        print(f"{DATA} is absent (WEFT_DATA)")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
