"""Dropout, batch norm and the order of the data in one training: what is the same byte for byte, and what state is for."""
import json

from program import TEXT, ProgramTest, main, run
import safetensors

SOURCE = """
dim batch, position = 32, seq <= position, vocab = 128, model = 24, hidden = 32

block Model(tokens: vocab[batch, seq]) -> [batch, seq, vocab] {
  param table: [vocab, model] = normal(0.5)
  h = norm: BatchNorm[(batch, seq), hidden](up: Linear[model, hidden](dropout(table[vocab = tokens], 0.2)))
  scores: Linear[hidden, vocab](dropout(relu(h), 0.1))
}
entry loss(tokens: vocab[batch, seq], next: vocab[batch, seq]) -> (loss: float, accuracy: float) {
  scores   = Model(tokens)
  loss     = mean[(batch, seq)](cross_entropy[vocab](scores, next))
  accuracy = mean[(batch, seq)](where(argmax[vocab](scores) == next, 1, 0))
}
entry train = minimize(loss, adam(rate = 0.01), clip = 1, data = text(tokens, next))
"""
STEPS = 40


class State(ProgramTest):
    source = SOURCE

    def trained(self, out, *options):
        self.train(out, "--steps", STEPS, "--eval-every", "10", "--quiet", *options)
        return out

    def files(self, out):
        return {path.name: path.read_bytes() for path in (self.folder / out / f"step-{STEPS}").iterdir()}

    def log(self, out):
        rows = [json.loads(line) for line in (self.folder / out / "log.jsonl").read_text().splitlines()]
        return [{key: value for key, value in row.items() if key not in ("seconds", "tokens_per_second")} for row in rows]

    def same(self, a, b):
        first, second = self.files(a), self.files(b)
        self.assertEqual(set(first), {"parameters.safetensors", "optimizer.safetensors", "state.json", "options.json", "tokenizer.json"})
        for name in first:
            self.assertTrue(first[name] == second[name], f"{name} of {a} and {b} differ")
        self.assertEqual(self.log(a), self.log(b))

    def test_a_sample_of_one_has_no_variance(self):
        done = run(self.program, "train", "--data", f"text:{TEXT}", "--steps", "1", "--batch", "1", "--seq", "1", "--out", self.folder / "none",
                   "--quiet", expect=1)
        self.assertIn("`others` = batch * seq - 1", done.stderr)
        self.assertIn("is 0, but every size is at least 1", done.stderr)

    def test_runs_threads_and_resumption(self):
        self.trained("one", "--threads", "1")
        self.same("one", self.trained("again", "--threads", "1"))
        self.same("one", self.trained("two", "--threads", "2"))
        self.trained("parts", "--threads", "2", "--stop-at", "17")
        run(self.program, "train", "--resume", "--out", self.folder / "parts", "--quiet", "--threads", "1")
        self.same("one", "parts")
        self.assertEqual(len(self.log("one")), STEPS)
        self.assertLess(self.log("one")[-1]["validation_loss"], self.log("one")[0]["loss"] - 0.5)  # it does learn

    def test_running_statistics(self):
        self.trained("stats")
        tensors = safetensors.read(self.folder / f"stats/step-{STEPS}/parameters.safetensors")
        mean, variance = (tensors[f"norm.running_{name}"][2] for name in ("mean", "var"))
        self.assertGreater(max(map(abs, mean)), 0.1)
        self.assertTrue(all(v > 0 and abs(v - 1) > 1e-3 for v in variance))
        # They stand for the statistics of a batch: what its other rows are does not matter.
        evaluate = ["eval", "--data", f"text:{TEXT}", "--checkpoint", self.folder / "stats", "--seq", "32", "--validation", "--json"]
        one, seven = (json.loads(run(self.program, *evaluate, "--batch", rows).stdout) for rows in ("1", "7"))
        for name in ("loss", "accuracy"):
            self.assertAlmostEqual(one[name], seven[name], delta=1e-5)
        self.assertAlmostEqual(one["loss"], self.log("stats")[-1]["validation_loss"], delta=0.3)
        # Changed by hand, they change the loss: it is these that are read.
        moved = {name: (kind, shape, values) for name, (kind, shape, values) in tensors.items()}
        for i in range(len(mean)):
            mean[i] += 1
        safetensors.write(self.folder / "moved", moved)
        evaluate[4] = self.folder / "moved"
        moved = json.loads(run(self.program, *evaluate, "--tokenizer", self.folder / f"stats/step-{STEPS}/tokenizer.json").stdout)
        self.assertGreater(moved["loss"], one["loss"] + 0.1)


if __name__ == "__main__":
    main()
