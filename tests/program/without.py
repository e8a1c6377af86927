"""An optimizing pass can be left out: the loss and its gradients stay what they are, of one of three models, for half of the passes, drawn anew
(WEFT_SEED=N repeats it; WEFT_ALL=1: for all of them). Without a pass that the next stage needs, the compiler says which stage is not reached, and does not crash."""
import array
import os
import pathlib
import random
import re
import tempfile
import unittest

from program import ROOT, WEFT, build, half, run

import safetensors  # on program's path

SIZES = {
    "gpt/gpt": "vocab=11,position=9,model=12,head=2,layer=2",
    "gpt/llama": "vocab=11,position=9,model=8,group=2,rep=2,dh=4,ff=13,layer=2",
    "translation/translation": "svocab=11,tvocab=11,model=12,head=3,ff=10,below=2,above=2,rate=0"}
# What the next stage, or the program that is asked for, cannot do without.
NEVER = "weft-state-obligations"  # without it a program would read past what it is given
NEEDED = {NEVER, "weft-form-kernels", "weft-materialize-copies", "weft-pack-operands", "weft-choose-layouts", "weft-build-plan",
          "weft-differentiate", "weft-decode"}


def passes():
    lines = run(WEFT, "show", "--passes").stdout.splitlines()
    return sorted({line.strip() for line in lines if line.startswith("    weft-")})


def inputs(example, draw):
    """What the entry `loss` takes: ids below 11, and how many of a sequence are valid."""
    signature = re.search(r"^entry loss\((.*?)\)", (ROOT / f"examples/{example}.weft").read_text(), re.MULTILINE | re.DOTALL)
    return {name: ("I32", [2], array.array("i", [7, 4])) if kind == "int" else
                  ("I32", [2, 7], array.array("i", [draw.randrange(11) for _ in range(14)]))
            for name, kind in re.findall(r"(\w+): (\w+)\[", signature[1])}


class Without(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="weft-without-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def loss(self, example, *options):
        """The loss and its gradients, by name."""
        here = [self.folder / name for name in ("weights", "inputs", "outputs", "gradients")]
        run(WEFT, "run", ROOT / f"examples/{example}.weft", "--set", SIZES[example], "--entry", "loss", "--weights", here[0],
            "--inputs", here[1], "--outputs", here[2], "--gradients", here[3], *options)
        return safetensors.read(here[2]) | safetensors.read(here[3])

    def test_results_stay(self):
        optional = [each for each in passes() if each not in NEEDED]
        self.assertGreater(len(optional), 10)
        seed = int(os.environ.get("WEFT_SEED", random.randrange(2 ** 31)))
        print(f"WEFT_SEED={seed}")
        draw = random.Random(seed)
        of = {each: draw.choice(list(SIZES)) for each in optional}
        left = half(optional, draw)
        for example, sizes in SIZES.items():
            run(WEFT, "init", ROOT / f"examples/{example}.weft", "--set", sizes, "--seed", draw.randrange(2 ** 31), "-o", self.folder / "weights")
            safetensors.write(self.folder / "inputs", inputs(example, draw))
            expected = self.loss(example, "--interpret")
            tried = [None, *(each for each in left if of[each] == example)]
            for left_out in tried:
                found = self.loss(example, "--isa", "x86-64-v3", *(["--without", left_out] if left_out else []))
                self.assertEqual(found.keys(), expected.keys())
                whole = max(safetensors.farthest(tensor, tensor)[1] for tensor in expected.values())
                for name, tensor in expected.items():
                    most, largest = safetensors.farthest(found[name], tensor)
                    # What vanishes in exact numbers is noise of what does not.
                    self.assertLessEqual(most, 1e-4 * max(largest, 1e-3 * whole), f"WEFT_SEED={seed}, {example} without {left_out}: {name}")
            print(f"{example}: {len(expected)} tensors the same without each of {len(tried) - 1} passes")

    def test_what_is_needed_is_said(self):
        for left_out in sorted(NEEDED - {NEVER, "weft-differentiate", "weft-decode", "weft-build-plan"}):
            refused = build(ROOT / "examples/gpt/gpt.weft", "--config", "tiny", "--without", left_out, "-o",
                          self.folder / "gpt", expect=1)
            self.assertIn(f"error: without `{left_out}` there is no stage `", refused.stderr)
        refused = build(ROOT / "examples/gpt/gpt.weft", "--config", "tiny", "--without", NEVER, "-o", self.folder / "gpt", expect=1)
        self.assertIn(f"`{NEVER}` is never left out", refused.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
