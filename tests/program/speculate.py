"""Speculation gives the text that is made without it: greedy and drawn, of several models, instruction sets and kinds of weights, up to the end of the
context; what cannot go side by side is refused. Prompts are new each time (WEFT_SEED=N repeats them)."""
import os
import random
import re

from program import ROOT, WEFT, ProgramTest, main, run

SEED = int(os.environ.get("WEFT_SEED", random.randrange(2 ** 31)))
LLAMA, MASK = ROOT / "examples/gpt/llama.weft", "mask = index(key) <= index(seq))"
TOTAL = """dim batch, position = 64, seq <= position, vocab = 256
block Counts(tokens: vocab[batch, seq]) -> [batch, seq, vocab] {
  param table: [vocab] = normal(1)
  so_far = cumsum[seq](table * where(index(vocab) == tokens, 1.0, 0))
  so_far + table
}
entry logits(tokens: vocab[batch, seq]) -> [batch, seq, vocab] = Counts(tokens)
entry generate = decode[seq](logits, start = 0, max = 8)
"""
REPORT = re.compile(r"^(\d+) tokens, .* a second; (\d+) of (\d+) proposed kept, (\d+) steps; prompt of ", re.M)


class Speculate(ProgramTest):
    compared, kept, refused = False, 0, 0

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.random = random.Random(SEED)
        print(f"WEFT_SEED={SEED}")

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        if cls.compared and not (cls.kept > 50 < cls.refused):
            raise AssertionError(f"{cls.kept} proposals kept and {cls.refused} not: nothing was tried")

    def made(self, source, *options, config="tiny"):
        """A program and its first weights, which repeat themselves soon."""
        program, weights = self.folder / "made", self.folder / "weights"
        given = ["--config", config] if config else []
        run(WEFT, "build", source, *given, *options, "-o", program)
        run(WEFT, "init", source, *given, "--seed", self.random.randrange(2 ** 31), "-o", weights)
        return program, weights

    def sets(self, program):
        """The instruction sets that the program has code for and this machine has."""
        def said(isa):
            return run(program, "generate", "--isa", isa, "--ids", "--prompt", "1", expect=2).stderr
        return [isa for isa in ("x86-64-v3", "avx512", "avx512-bf16", "portable") if "--checkpoint is missing" in said(isa)]

    def generate(self, program, weights, prompt, *options, **more):
        ids = " ".join(map(str, prompt))
        return run(program, "generate", "--checkpoint", weights, "--ids", "--prompt", ids, *options, **more)

    def prompt(self):
        """Ids of which some phrases come again."""
        few = [self.random.randrange(256) for _ in range(self.random.randrange(1, 5))]
        ids = [self.random.choice(few) for _ in range(self.random.randrange(1, 12))]
        for _ in range(self.random.randrange(3)):
            at = self.random.randrange(len(ids))
            ids += ids[at:at + self.random.randrange(1, 8)]
        return ids[:40]

    def drawn(self):
        """Options that choose tokens: of few candidates, so that proposals are now kept and now not."""
        return self.random.choice([(), (), ("--temperature", "0.7", "--top-k", "2"), ("--top-p", "0.02"), ("--min-p", "0.9", "--temperature", "0.5")])

    def same(self, what, program, weights, *options, rounds=3):
        """Whether all rounds give the same text."""
        kept = proposed = 0
        for _ in range(rounds):
            prompt, choice = self.prompt(), self.drawn()
            if choice:
                choice += ("--seed", self.random.randrange(100))
            # 65: one token more than there are positions needs no room
            most = self.random.choice([1, 2, 5, 30, 65 - len(prompt), 66 - len(prompt), 100])
            asked = (*options, *choice, "--max-tokens", most)
            wanted = self.generate(program, weights, prompt, *asked)
            for n in self.random.sample(range(1, 9), 2) + [self.random.choice([9, 40, 64])]:
                found = self.generate(program, weights, prompt, *asked, "--speculate", n)
                said = f"WEFT_SEED={SEED}, {what}, prompt {prompt}, {asked}, --speculate {n}"
                self.assertEqual(found.stdout, wanted.stdout, said)
                self.assertEqual("context is full" in found.stderr, "context is full" in wanted.stderr, said)
                if report := REPORT.search(found.stderr):
                    tokens, taken, tried, steps = map(int, report.groups())
                    self.assertLessEqual(taken, tried, said)
                    self.assertEqual(1 + steps + taken, tokens, said)  # the prompt gives one, a step one and what it keeps
                    kept, proposed = kept + taken, proposed + tried
        print(f"{what}: {kept} of {proposed} proposed kept")
        Speculate.compared, Speculate.kept, Speculate.refused = True, self.kept + kept, self.refused + proposed - kept

    def test_instruction_sets_and_threads(self):
        program, weights = self.made(ROOT / "examples/gpt/gpt.weft")
        for isa in self.sets(program):
            for threads in ("1", "3"):
                self.same(f"gpt, {isa}, {threads} threads", program, weights, "--isa", isa, "--threads", threads)

    def test_weights_and_storage(self):
        for options in (("--weights-as", "int8,head=int8"), ("--weights-as", "int4,head=int4"), ("--precision", "bf16"), ("--cores", "1"), ("--target", "c")):
            program, weights = self.made(LLAMA, *options)
            for isa in self.sets(program):
                self.same(f"llama, {' '.join(options)}, {isa}", program, weights, "--isa", isa, rounds=2)

    def test_windows(self):
        text = LLAMA.read_text()
        for mask in ("mask = index(key) <= index(seq) and index(key) > index(seq) - 5)",
                     "mask = index(key) <= index(seq) and (index(key) < 2 or index(seq) - index(key) < 7))"):
            self.assertIn(MASK, text)
            source = self.folder / "window.weft"
            source.write_text(text.replace(MASK, mask))
            self.same(mask, *self.made(source), rounds=5)

    def test_long_contexts(self):
        """Keys are cut into ranges, whose number depends on how many there are."""
        program, weights = self.made(LLAMA, "--set", "position=700")
        prompt = [self.random.randrange(256) for _ in range(9)] * 28
        for most, n in ((12, 3), (449, 8)):
            wanted, found = (self.generate(program, weights, prompt, "--max-tokens", most, *more) for more in ((), ("--speculate", n)))
            self.assertEqual(found.stdout, wanted.stdout, f"WEFT_SEED={SEED}")

    def test_errors(self):
        source = self.folder / "total.weft"
        source.write_text(TOTAL)
        program, weights = self.made(source, config=None)
        self.generate(program, weights, [1, 2, 1, 2], "--quiet")
        refused = self.generate(program, weights, [1, 2, 1, 2], "--speculate", 2, expect=2)
        self.assertIn("--speculate: generate keeps `cache.so_far`, a running total: each step needs that of the one before, and none can be taken back; "
                      "leave it out", refused.stderr)
        program, weights = self.made(ROOT / "examples/gpt/gpt.weft", "--target", "cpu,cuda-emulated")
        for options, said in ((("0",), "--speculate 0: expected a whole number from 1 to 64"), (("65",), "--speculate 65: expected a whole number from 1 to 64"),
                              (("4", "--beam", "2"), "--speculate goes with a prompt that is continued token by token"),
                              (("4", "--device", "cuda-emulated"), "steps go side by side on this machine's processors alone; leave it out")):
            refused = self.generate(program, weights, [1, 2], "--speculate", *options, expect=2)
            self.assertIn(said, refused.stderr)


if __name__ == "__main__":
    main()
