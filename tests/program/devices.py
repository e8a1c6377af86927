"""Programs on the device that this machine stands in for, as on its processor: training of text, pairs and images, decoding, checkpoints there and back, `run`."""
import json
import os
import pathlib
import re

from program import ROOT, TEXT, WEFT, ProgramTest, build, compile_c, main, newest_step, run
import safetensors  # in tests/record, which `program` adds to the path
from images import png
from look_pairs import PAIRS

TARGETS = ("--target", "cpu,cuda-emulated")
DEVICES = ("cpu", "cuda-emulated")
GPT = (ROOT / "examples/gpt/gpt.weft", "--config", "tiny", "--set", "layer=2,model=32,head=2,position=80")
# Of a loss in float32, by the order of sums; in bf16 a number that they move is rounded to the other side.
NEAR = {"float32": 2e-6, "bf16": 2e-4}
STEPS = 20


class Devices(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.programs = {}
        for precision in NEAR:
            cls.programs[precision] = cls.folder / f"gpt-{precision}"
            build(*GPT, *TARGETS, "--precision", precision, "-o", cls.programs[precision])

    def losses(self, out):
        rows = [json.loads(line) for line in (self.folder / out / "log.jsonl").read_text().splitlines()]
        return [row["loss"] for row in rows]

    def learn(self, program, out, device, *options, steps=STEPS):
        run(program, "train", "--out", self.folder / out, "--device", device, "--seed", "5", "--steps", str(steps), "--quiet", *options)

    def both(self, program, *options, near=NEAR["float32"]):
        """Trains on either, and compares each step's loss."""
        found = []
        for device in DEVICES:
            out = f"{program.name}-{device}"
            self.learn(program, out, device, *options)
            found.append(self.losses(out))
        worst = max(abs(a / b - 1) for a, b in zip(*found))
        print(f"{program.name}: {len(found[0])} steps, losses at most {worst:.1e} apart")
        self.assertEqual([len(each) for each in found], [STEPS, STEPS])
        self.assertLess(worst, near)
        self.assertLess(found[0][-1], found[0][0], "it learns")
        return found

    def text(self, batch=2, seq=13):
        return "--data", f"text:{TEXT}", "--tokenizer", "char", "--batch", str(batch), "--seq", str(seq)

    def test_trains_on_text(self):
        for precision, near in NEAR.items():
            with self.subTest(precision):
                self.both(self.programs[precision], *self.text(), near=near)

    def test_trains_on_pairs(self):
        pairs, program = self.folder / "pairs.tsv", self.folder / "translate"
        pairs.write_text(PAIRS)
        build(ROOT / "examples/translation/translation.weft", "--config", "full", "--set", "svocab=9,tvocab=10,model=16,head=2,ff=20", *TARGETS,
            "-o", program)
        self.both(program, "--data", f"pairs:{pairs}", "--min-count", "1", "--batch", "2", "--validate-on", "1")

    def test_trains_on_images(self):
        program, grey = self.folder / "digits", self.folder / "grey"
        build(ROOT / "examples/vit/mnist.weft", "--config", "small", "--set", "digit=2,layer=1,model=32,ff=32,dh=8", *TARGETS, "-o", program)
        for part, count in (("train", 8), ("test", 4)):
            for number in range(count):
                for name, level in (("dark", 20), ("light", 180)):
                    path = grey / part / name / f"{number}.png"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(png(28, level))
        self.both(program, "--data", f"images:{grey}", "--batch", "2")

    def test_goes_on_elsewhere(self):
        """Some steps here, some there, and back, as if all had been here; the same bytes where all were there."""
        program = self.programs["float32"]
        self.learn(program, "whole", "cpu", *self.text(), steps=9)
        self.learn(program, "moved", "cpu", *self.text(), "--stop-at", "3", steps=9)
        for device, stop in (("cuda-emulated", ("--stop-at", "6")), ("cpu", ())):
            run(program, "train", "--resume", "--out", self.folder / "moved", "--device", device, "--quiet", *stop)
        for whole, moved in zip(self.losses("whole"), self.losses("moved"), strict=True):
            self.assertLess(abs(whole / moved - 1), NEAR["float32"])
        self.learn(program, "there", "cuda-emulated", *self.text(), steps=4)
        self.learn(program, "parts", "cuda-emulated", *self.text(), "--stop-at", "2", steps=4)
        run(program, "train", "--resume", "--out", self.folder / "parts", "--device", "cuda-emulated", "--quiet")
        files = [{path.name: path.read_bytes() for path in newest_step(self.folder / out).iterdir()} for out in ("there", "parts")]
        self.assertTrue(files[0] == files[1])

    def test_decodes_as_it_recomputes(self):
        compare = self.folder / "compare"
        for precision, (near, tie) in {"float32": (2e-5, 0), "bf16": (0.05, 0.05)}.items():
            library, weights = self.folder / f"libgpt-{precision}.so", self.folder / f"weights-{precision}"
            build(*GPT, "--precision", precision, "--target", "cuda-emulated", "--shared", "-o", library)
            run(WEFT, "init", *GPT, "--seed", "3", "-o", weights)
            compile_c(pathlib.Path(__file__).with_name("decode.c"), library, "-lm", "-Wl,-rpath,$ORIGIN", "-o", compare)
            worst = float(run(compare, weights, 64, tie, env={**os.environ, "WEFT_DEVICE": "cuda-emulated"}).stdout)
            print(f"{precision}: 64 tokens, logits at most {worst:.1e} apart")
            self.assertLess(worst, near)

    def test_generates_the_same(self):
        program = self.programs["float32"]
        self.learn(program, "speaking", "cpu", *self.text(8, 32), steps=60)
        said = [run(program, "generate", "--checkpoint", self.folder / "speaking", "--prompt", "The", "--max-tokens", "24", "--seed", "2", "--device",
                    device).stdout for device in DEVICES]
        self.assertEqual(*said)

    def test_runs_an_entry(self):
        for precision, near in {"float32": 1e-5, "bf16": 2e-2}.items():
            found = []
            for device in DEVICES:
                file = self.folder / f"{precision}-{device}"
                said = run(self.programs[precision], "run", "--entry", "logits", "--initialize", "3", "--input", "tokens=[[1, 5, 2, 9, 9, 3, 0]]", "--outputs",
                           file, "--device", device)
                found.append(safetensors.read(file)["output"][2])
            largest = max(map(abs, found[0]))
            self.assertEqual(len(found[0]), len(found[1]))
            self.assertLess(max(abs(a - b) for a, b in zip(*found)) / largest, near)


if __name__ == "__main__":
    main()
