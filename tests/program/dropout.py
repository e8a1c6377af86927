"""Dropout in a built program: nothing where the model is used, counted random numbers where it is trained."""
import array
import json

from program import ROOT, TEXT, WEFT, ProgramTest, main, run
import safetensors

RATE = 0.2


class Dropout(ProgramTest):
    """`program` is examples/gpt as it is, `dropping` the same with dropout; `frozen` has it too, and learns nothing."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.dropping, cls.frozen = cls.folder / "dropping", cls.folder / "frozen"
        cls.build("--set", f"rate={RATE}", "-o", cls.dropping)
        cls.build("--set", f"rate={RATE},peak=0", "-o", cls.frozen)

    def log(self, out):
        return [json.loads(line) for line in (self.folder / out / "log.jsonl").read_text().splitlines()]

    def same(self, a, b):
        for name in ("parameters.safetensors", "optimizer.safetensors"):
            first, second = ((self.folder / out / "step-20" / name).read_bytes() for out in (a, b))
            self.assertTrue(first == second, f"{name} of {a} and {b} differ")

    def test_changes_the_training_alone(self):
        self.train("with", "--steps", "20", "--quiet", program=self.dropping)
        self.train("without", "--steps", "20", "--quiet")
        with_it, without = self.log("with"), self.log("without")
        self.assertNotEqual(with_it[0]["loss"], without[0]["loss"])  # from the same parameters on the same rows
        self.assertAlmostEqual(with_it[0]["loss"], without[0]["loss"], delta=0.5)
        checkpoint = ["--checkpoint", self.folder / "with"]
        for command in (["eval", "--data", f"text:{TEXT}"], ["generate", "--prompt", "The ", "--quiet"]):
            used = [run(program, *command, *checkpoint).stdout for program in (self.program, self.dropping)]
            self.assertEqual(*used)

    def test_threads_and_resumption_do_not_matter(self):
        self.train("one", "--steps", "20", "--quiet", "--threads", "1", program=self.dropping)
        self.train("two", "--steps", "20", "--quiet", "--threads", "2", program=self.dropping)
        self.same("one", "two")
        self.train("parts", "--steps", "20", "--stop-at", "7", "--quiet", program=self.dropping)
        run(self.dropping, "train", "--resume", "--out", self.folder / "parts", "--quiet")
        self.same("one", "parts")

    def test_numbers_are_counted_by_seed_and_step(self):
        steps, rows, tokens = 8, 2, 16
        batch = array.array("i", [(7 * i) % 251 for i in range(rows * tokens)] * steps)
        data, weights = self.folder / "batches.safetensors", self.folder / "weights.safetensors"
        safetensors.write(data, {name: ("I32", [steps, rows, tokens], batch) for name in ("tokens", "next")})
        run(WEFT, "init", ROOT / "examples/gpt/gpt.weft", "--config", "tiny", "-o", weights)

        def losses(out, seed):
            run(self.frozen, "train", "--data", f"tensors:{data}", "--init", weights, "--steps", steps, "--seed", seed,
                "--out", self.folder / out, "--quiet")
            return [row["loss"] for row in self.log(out)]

        first = losses("first", 1)
        self.assertEqual(len(set(first)), steps)  # the same batch, the same parameters: only what is dropped differs
        self.assertEqual(first, losses("again", 1))
        self.assertFalse(set(first) & set(losses("other", 2)))


if __name__ == "__main__":
    main()
