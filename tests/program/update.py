"""What one training step changes: gradients of a tied table and of a loss with smoothed labels and padding, groups of parameters, frozen
ones, and clipped numbers; against the same model in plain Python and central differences."""
import array
import json
import math
import random

from program import ProgramTest, main, run
import safetensors

SOURCE = """
dim batch, seq, vocab = 7, model = 5

block Model(tokens: vocab[batch, seq]) -> [batch, seq, vocab] {
  param table: [vocab, model] = normal(0.5)
  x = table[vocab = tokens]
  h = x + tanh(mix: Linear[model, model](x))
  sum[model](norm: LayerNorm[model](h) * table)
}
entry loss(tokens: vocab[batch, seq], next: vocab[batch, seq]) -> (loss: float, accuracy: float) {
  scores   = Model(tokens)
  real     = next != 0
  loss     = kept_mean[(batch, seq)](smoothed_cross_entropy[vocab](scores, next, 0.2), real)
  accuracy = kept_mean[(batch, seq)](where(argmax[vocab](scores) == next, 1, 0), real)
}
entry all     = minimize(loss, sgd(rate = 1))
entry some    = minimize(loss, sgd(rate = 1), freeze(table), group(sgd(rate = 0.5, decay = 0.1), norm, mix.bias))
entry bounded = minimize(loss, sgd(rate = 1), clip_value = 0.01)
entry short   = minimize(loss, sgd(rate = 1), clip_value = 0.01, clip = 0.02)
entry behind  = minimize(loss, sgd(rate = 1), group(sgd(rate = 0.5), norm, bias), freeze(mix, table))
"""
VOCAB, MODEL = 7, 5
TOKENS, NEXT = [1, 4, 4, 0, 6, 2], [4, 4, 0, 0, 2, 1]  # 0 is padding


def forward(weights):
    """(loss, accuracy) in float64; `weights` by name, as flat lists."""
    table = [weights["table"][i * MODEL : (i + 1) * MODEL] for i in range(VOCAB)]
    total = right = count = 0
    for token, target in zip(TOKENS, NEXT):
        if target == 0:
            continue
        x = table[token]
        h = [x[o] + math.tanh(sum(x[i] * weights["mix.weight"][i * MODEL + o] for i in range(MODEL)) + weights["mix.bias"][o])
             for o in range(MODEL)]
        mean = sum(h) / MODEL
        root = math.sqrt(sum((v - mean) ** 2 for v in h) / MODEL + 1e-5)
        y = [(v - mean) / root * g + b for v, g, b in zip(h, weights["norm.weight"], weights["norm.bias"])]
        scores = [sum(a * b for a, b in zip(y, row)) for row in table]
        whole = math.log(sum(math.exp(s) for s in scores))
        total += whole - 0.8 * scores[target] - 0.2 * sum(scores) / VOCAB
        right += scores.index(max(scores)) == target
        count += 1
    return total / count, right / count


def gradients(weights):
    out, step = {}, 1e-5
    for name, values in weights.items():
        out[name] = []
        for i in range(len(values)):
            sides = []
            for side in (step, -step):
                moved = {**weights, name: [*values[:i], values[i] + side, *values[i + 1 :]]}
                sides.append(forward(moved)[0])
            out[name].append((sides[0] - sides[1]) / (2 * step))
    return out


class Update(ProgramTest):
    source = SOURCE

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.init, cls.data = cls.folder / "init", cls.folder / "data"
        draw = random.Random(1)
        shapes = {"table": [VOCAB, MODEL], "mix.weight": [MODEL, MODEL], "mix.bias": [MODEL], "norm.weight": [MODEL],
                  "norm.bias": [MODEL]}
        start = {name: array.array("f", [draw.gauss(0, 0.7) for _ in range(math.prod(shape))]) for name, shape in shapes.items()}
        safetensors.write(cls.init, {name: ("F32", shapes[name], values) for name, values in start.items()})
        rows = {"tokens": TOKENS, "next": NEXT}
        safetensors.write(cls.data, {name: ("I32", [1, 2, 3], array.array("i", ids)) for name, ids in rows.items()})
        cls.start = {name: list(values) for name, values in start.items()}
        cls.gradient = gradients(cls.start)

    def step(self, entry):
        """What one step takes away from each parameter, and its line of the log."""
        out = self.folder / entry
        run(self.program, "train", "--entry", entry, "--data", f"tensors:{self.data}", "--init", self.init, "--steps", 1, "--out", out,
            "--quiet")
        tensors = safetensors.read(out / "step-1/parameters.safetensors")
        taken = {name: [a - b for a, b in zip(self.start[name], values)] for name, (_, _, values) in tensors.items()}
        return taken, json.loads((out / "log.jsonl").read_text())

    def near(self, found, expected):
        self.assertEqual(set(found), set(expected))
        for name, values in expected.items():
            for a, b in zip(found[name], values, strict=True):
                self.assertAlmostEqual(a, b, delta=2e-6, msg=name)

    def test_gradients_and_metrics(self):
        taken, row = self.step("all")
        self.near(taken, self.gradient)
        loss, accuracy = forward(self.start)
        self.assertAlmostEqual(row["loss"], loss, delta=1e-6)
        self.assertAlmostEqual(row["accuracy"], accuracy, delta=1e-6)
        squares = sum(g * g for values in self.gradient.values() for g in values)
        self.assertAlmostEqual(row["norm"], math.sqrt(squares), delta=1e-5)

    def test_groups_and_frozen(self):
        taken, row = self.step("some")
        half = {name: [0.5 * (g + 0.1 * w) for g, w in zip(self.gradient[name], self.start[name])]
                for name in ("norm.weight", "norm.bias", "mix.bias")}
        self.near(taken, {**half, "mix.weight": self.gradient["mix.weight"], "table": [0.0] * VOCAB * MODEL})
        self.assertEqual(taken["table"], [0.0] * VOCAB * MODEL)
        squares = sum(g * g for name, values in self.gradient.items() for g in values if name != "table")
        self.assertAlmostEqual(row["norm"], math.sqrt(squares), delta=1e-5)
        kept = safetensors.read(self.folder / "some/step-1/optimizer.safetensors")
        self.assertIn("velocity/mix.weight", kept)

    def test_frozen_has_no_gradient(self):
        facts = json.loads(run(self.program, "info", "--json").stdout)
        entries = {entry["name"]: entry for entry in facts["entries"]}
        outputs = [output["gradient_of"] for output in entries["some.gradient"]["outputs"]]
        self.assertEqual([of for of in outputs if of], ["mix.weight", "mix.bias", "norm.weight", "norm.bias"])
        self.assertEqual([training["metrics"] for training in facts["training"]], [["accuracy"]] * 5)

    def test_what_a_group_holds_too_is_frozen(self):
        taken, _ = self.step("behind")
        self.near(taken, {**{name: [0.0] * len(values) for name, values in self.start.items()},
                          **{name: [0.5 * g for g in self.gradient[name]] for name in ("norm.weight", "norm.bias")}})

    def test_clipped(self):
        least = {name: [max(-0.01, min(0.01, g)) for g in values] for name, values in self.gradient.items()}
        taken, row = self.step("bounded")
        self.near(taken, least)
        norm = math.sqrt(sum(g * g for values in least.values() for g in values))
        self.assertGreater(row["norm"], 2 * norm)  # before clipping
        self.assertGreater(norm, 0.02)
        taken, _ = self.step("short")
        self.near(taken, {name: [g * 0.02 / norm for g in values] for name, values in least.items()})


if __name__ == "__main__":
    main()
