"""A loss over what is kept, which says by `count` how much that is: parts of a batch and batches of an evaluation weigh as much
as they keep, so that all of them together are one mean; without `count` they all weigh the same."""
import json

from program import TEXT, ProgramTest, main, run
import safetensors

# The tokens below a bound are kept: spaces and marks, so that windows of a text have many of them or few, and rows of x none,
# where the means are over nothing.
SOURCE = """
dim batch, position = 32, seq <= position, vocab = 128, model = 12
option bound = 12

block Model(tokens: vocab[batch, seq]) -> [batch, seq, vocab] {
  param table: [vocab, model] = normal(0.5)
  scores: Linear[model, vocab](table[vocab = tokens])
}
entry counted(tokens: vocab[batch, seq], next: vocab[batch, seq]) -> (loss: float, count: float, accuracy: float) {
  scores   = Model(tokens)
  real     = next < bound
  count    = sum[batch, seq](where(real, 1, 0))
  loss     = sum[batch, seq](where(real, cross_entropy[vocab](scores, next), 0)) / count
  accuracy = sum[batch, seq](where(real and argmax[vocab](scores) == next, 1, 0)) / count
}
entry plain(tokens: vocab[batch, seq], next: vocab[batch, seq]) -> (loss: float, accuracy: float) {
  scores   = Model(tokens)
  real     = next < bound
  loss     = kept_mean[(batch, seq)](cross_entropy[vocab](scores, next), real)
  accuracy = kept_mean[(batch, seq)](where(argmax[vocab](scores) == next, 1, 0), real)
}
entry train = minimize(counted, sgd(rate = 1), data = text(tokens, next))
entry alike = minimize(plain, sgd(rate = 1), data = text(tokens, next))
"""
NOTHING = "x" * 4000


class Count(ProgramTest):
    source = SOURCE

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.text = cls.folder / "text"
        cls.text.write_text(NOTHING + TEXT.read_text() + NOTHING)

    def step(self, entry, parts):
        """(parameters, line of the log) after one step on eight rows, computed in so many parts."""
        out = self.folder / f"{entry}-{parts}"
        if not out.exists():
            run(self.program, "train", "--data", f"text:{self.text}", "--tokenizer", "char", "--entry", entry, "--steps", "1",
                "--batch", "8", "--seq", "32", "--seed", "5", "--accumulate", parts, "--eval-batches", "1000", "--out", out, "--quiet")
        return safetensors.read(out / "step-1/parameters.safetensors"), json.loads((out / "log.jsonl").read_text())

    def apart(self, entry):
        """How far a step in eight parts is from the same in one: in parameters, and in what is measured."""
        (whole, said), (parts, told) = self.step(entry, 1), self.step(entry, 8)
        farthest = max(abs(a - b) for name in whole for a, b in zip(whole[name][2], parts[name][2], strict=True))
        return farthest, max(abs(said[key] - told[key]) for key in ("loss", "accuracy", "validation_loss", "validation_accuracy"))

    def test_parts_of_a_batch(self):
        farthest, measured = self.apart("train")
        self.assertLess(farthest, 1e-6)
        self.assertLess(measured, 1e-5)
        farthest, measured = self.apart("alike")
        self.assertGreater(farthest, 1e-4)
        self.assertGreater(measured, 1e-3)

    def test_batches_of_an_evaluation(self):
        self.step("train", 1)
        said = {}
        for rows in (1, 7, 2000):
            found = run(self.program, "eval", "--data", f"text:{self.text}", "--checkpoint", self.folder / "train-1", "--seq", "32",
                        "--batch", rows, "--json")
            said[rows] = json.loads(found.stdout)
            self.assertEqual(said[rows]["count"], said[1]["count"])
        kept = sorted(set(self.text.read_text()))[:12]
        self.assertAlmostEqual(said[1]["count"], sum(self.text.read_text().count(c) for c in kept), delta=32)
        for rows in (7, 2000):
            for key in ("loss", "accuracy"):
                self.assertAlmostEqual(said[rows][key], said[1][key], delta=2e-5)

    def test_which_training(self):
        """Of several, `eval` measures by the one that the checkpoint is of, or the one that is named; a file of weights says none."""
        self.step("alike", 1)
        def evaluate(*words, expect=0):
            done = run(self.program, "eval", "--data", f"text:{self.text}", "--seq", "32", "--json", *words, expect=expect)
            return json.loads(done.stdout) if expect == 0 else done.stderr

        folder = ("--checkpoint", self.folder / "alike-1")
        plain, counted = evaluate(*folder), evaluate(*folder, "--training", "train")
        self.assertNotIn("count", plain)
        self.assertGreater(counted["count"], 0)
        self.assertEqual(evaluate(*folder, "--training", "alike"), plain)
        weights = ("--checkpoint", self.folder / "alike-1/step-1/parameters.safetensors", "--tokenizer",
                   self.folder / "alike-1/step-1/tokenizer.json")
        self.assertEqual(evaluate(*weights, "--training", "train"), counted)
        said = evaluate(*weights, expect=2)
        self.assertIn("which training? this program has `train` and `alike`: add --training NAME", said)
        self.assertIn("no training `other`; this program has `train` and `alike`", evaluate(*folder, "--training", "other", expect=1))

    def test_training_says_which(self):
        out = ("train", "--data", f"text:{self.text}", "--tokenizer", "char", "--seq", "32", "--out", self.folder / "chosen")
        said = run(self.program, *out, "--steps", "2", expect=2).stderr
        self.assertIn("which training? this program has `train` and `alike`: add --entry NAME", said)
        run(self.program, *out, "--steps", "2", "--stop-at", "1", "--entry", "alike", "--quiet")
        run(self.program, "train", "--resume", "--out", self.folder / "chosen", "--quiet")
        state = json.loads((self.folder / "chosen/step-2/state.json").read_text())
        self.assertEqual(state["training"], "alike")

    def test_nothing_counts(self):
        self.step("train", 1)
        (self.folder / "nothing").write_text(NOTHING)
        found = run(self.program, "eval", "--data", f"text:{self.folder / 'nothing'}", "--checkpoint", self.folder / "train-1",
                    "--seq", "32", expect=1)
        self.assertIn("`count` is 0 in every batch: a mean over nothing", found.stderr)

    def test_facts(self):
        facts = json.loads(run(self.program, "info", "--json").stdout)
        self.assertEqual([training["metrics"] for training in facts["training"]], [["accuracy"]] * 2)


class OfNothing(ProgramTest):
    """A loss that is 0 where nothing is kept: a step that measures nothing says so, in the log and to whoever watches, and goes on."""
    source = SOURCE.replace("bound = 12", "bound = 0").replace("/ count", "/ max(count, 1)").replace("entry alike = minimize(plain, sgd(rate = 1), data = text(tokens, next))", "")

    def test_steps(self):
        text, out = self.folder / "mixed", self.folder / "run"
        text.write_text("x" * 2000)
        given = ("train", "--data", f"text:{text}", "--tokenizer", "char", "--seq", "32", "--batch", "2", "--out", out)
        said = run(self.program, *given, "--steps", "2")
        self.assertIn("loss -  accuracy -", said.stderr)
        for accumulate in ("1", "2"):
            run(self.program, "train", "--resume", "--out", out, "--steps", 2 + int(accumulate), "--quiet")
        lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
        self.assertEqual([(line["step"], line["loss"], line["accuracy"], line["norm"]) for line in lines], [(step, None, None, 0) for step in range(1, 5)])


if __name__ == "__main__":
    main()
