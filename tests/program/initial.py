"""What parameters begin with: the same numbers from `weft init`, `weft run --initialize`, `OUT run --initialize` and the first
step of `OUT train`, for every kind of draw and layer by layer."""
import array
import math

from program import WEFT, ProgramTest, main, run
import safetensors

SOURCE = """
dim batch, model = 40, other = model, layer = 2

block Line(x: [batch, model]) -> [batch, model] {
  param cut:   [model, other] = truncated_normal(0.02)
  param whole: [model, other] = normal(0.02)
  param flat:  [model, other] = uniform(0.02)
  sum[model](x * (cut + whole + flat))[other as model]
}
block Model(x: [batch, model]) -> [batch, model] {
  repeat[layer] {
    x = x + line: Line(x)
  }
  x
}
entry model(x: [batch, model]) -> [batch, model] = Model(x)
entry loss(x: [batch, model]) -> float = mean[(batch, model)](Model(x) ^ 2)
entry train = minimize(loss, sgd(rate = 0), data = tensors(x))
"""
SEED, DEVIATION = 7, 0.02


class Initial(ProgramTest):
    source = SOURCE

    def test_one_beginning(self):
        model, batches, x = (self.folder / name for name in ("model.weft", "batches", "x"))
        rows = array.array("f", (math.sin(i) for i in range(3 * 40)))
        safetensors.write(batches, {"x": ("F32", [1, 3, 40], rows)})
        safetensors.write(x, {"x": ("F32", [3, 40], rows)})
        weights, out = self.folder / "weights.safetensors", self.folder / "out"
        run(WEFT, "init", model, "--seed", SEED, "-o", weights)
        run(self.program, "train", "--data", f"tensors:{batches}", "--steps", "1", "--seed", SEED, "--out", out, "--quiet")
        self.assertIn('"rows_per_second": ', (out / "log.jsonl").read_text())  # no tokens, no images
        trained = out / "step-1/parameters.safetensors"
        self.assertEqual(safetensors.read(weights), safetensors.read(trained))
        for kind, most in (("cut", 2 * DEVIATION), ("flat", DEVIATION), ("whole", 6 * DEVIATION)):
            first, second = (safetensors.read(weights)[f"layer.{i}.line.{kind}"][2] for i in range(2))
            self.assertNotEqual(list(first), list(second))
            self.assertLessEqual(max(map(abs, first)), most * (1 + 1e-6))
            self.assertGreater(max(map(abs, first)), 0.9 * most if kind != "whole" else 2 * DEVIATION)

        def result(name, *command):
            run(*command, "--entry", "model", "--inputs", x, "--outputs", self.folder / name)
            return safetensors.read(self.folder / name)

        for command in ((WEFT, "run", model), (self.program, "run")):
            told = result("told", *command, "--initialize", SEED)
            self.assertEqual(told, result("read", *command, "--weights", weights))
            self.assertNotEqual(told, result("other", *command, "--initialize", SEED + 1))


if __name__ == "__main__":
    main()
