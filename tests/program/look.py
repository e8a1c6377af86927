"""Looking into a model: values by their paths, attention as heat maps with the tokens beside them."""
import math
import re

from program import ProgramTest, main, run
import safetensors  # in tests/record, which `program` adds to the path

PROMPT = "The free <software>"


class Look(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.probed = cls.folder / "probed"
        cls.build("--probe", "layer.attn.weights,x", "-o", cls.probed)
        cls.train(cls(), "run", "--steps", "5", "--quiet")

    def look(self, *more, program=None, expect=0):
        return run(program or self.probed, "run", "--entry", "logits", "--weights", self.folder / "run", *more, expect=expect)

    def test_weights_of_every_block(self):
        out = self.folder / "out.safetensors"
        self.look("--prompt", PROMPT, "--save", "layer.attn.weights", "--outputs", out)
        saved = safetensors.read(out)
        self.assertEqual(sorted(saved), ["layer.attn.weights", "output"])
        _, shape, values = saved["layer.attn.weights"]
        length = len(PROMPT)
        self.assertEqual(sorted(shape), sorted([2, 1, length, 4, length]))
        for row in range(0, len(values), length):
            self.assertAlmostEqual(math.fsum(values[row:row + length]), 1, places=5)

    def test_the_same_without_probes(self):
        self.look("--prompt", PROMPT, "--save", "x", "--outputs", self.folder / "with")
        self.look("--prompt", PROMPT, "--outputs", self.folder / "without", program=self.program)
        a, b = (safetensors.read(self.folder / name)["output"] for name in ("with", "without"))
        most, largest = safetensors.farthest(a, b)
        self.assertLessEqual(most, 1e-5 * largest)

    def test_heat_maps(self):
        picture = self.folder / "heat.svg"
        self.look("--prompt", PROMPT, "--save", "layer.attn.weights", "--plot", picture)
        drawn = picture.read_text()
        self.assertIn("layer.attn.weights: seq down, key across", drawn)
        for panel in ("layer 0, head 0", "layer 1, head 3"):
            self.assertIn(f">{panel}</text>", drawn)
        labels = re.findall(r'class="small"[^>]*>([^<]*)</text>', drawn)
        self.assertEqual(labels[:len(PROMPT)], [c.replace("<", "&lt;").replace(" ", "␣") for c in PROMPT])
        self.look("--prompt", PROMPT, "--save", "layer.attn.weights", "--plot", picture, "--at", "layer=1,head=2")
        self.assertEqual(picture.read_text().count('class="frame"'), 1)
        self.look("--prompt", PROMPT, "--plot", picture)
        self.assertIn("output: seq down, vocab across", picture.read_text())

    def test_what_makes_no_sense(self):
        for words, code, said in (
                (("--save", "layer.attn.scores"), 1, "add `--probe layer.attn.scores` to `weft build`"),
                (("--plot", "x.svg", "--value", "nothing"), 1, "gives no such result; it gives `output`"),
                (("--plot", "x.svg", "--at", "head=0"), 1, "output has no such dimension; it has `batch`, `seq` and `vocab`"),
                (("--plot", "x.svg", "--at", "vocab=256"), 1, "`vocab` of output has positions 0 to 255"),
                (("--at", "seq=0"), 2, "--at goes with --plot FILE.svg"),
                (("--input", "tokens=[[1]]"), 2, "the input `tokens` is given already")):
            self.assertIn(said, self.look("--prompt", PROMPT, *words, expect=code).stderr)
        self.assertIn("--save x: logits was built without it", self.look("--prompt", PROMPT, "--save", "x", program=self.program,
                                                                          expect=1).stderr)
        self.assertIn("--prompt: is empty", self.look("--prompt", "", expect=1).stderr)


if __name__ == "__main__":
    main()
