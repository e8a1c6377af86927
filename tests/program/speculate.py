"""Speculation gives the text that is made without it: greedy and drawn, of several models, instruction sets and kinds of weights, up to the end of the
context; what cannot go side by side is refused."""
import re

from generating import GPT, LLAMA, SEED, GeneratingTest
from program import half, main

MASK = "mask = index(key) <= index(seq))"
REPORT = re.compile(r"^(\d+) tokens, .* a second; (\d+) of (\d+) proposed kept, (\d+) steps; prompt of ", re.M)


class Speculate(GeneratingTest):
    compared, kept, refused = False, 0, 0

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        if cls.compared and not (cls.kept > 50 < cls.refused):
            raise AssertionError(f"{cls.kept} proposals kept and {cls.refused} not: nothing was tried")

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
        program, weights = self.made(GPT)
        for said, options in self.sets_and_threads(program):
            self.same(f"gpt, {said}", program, weights, *options)

    def test_weights_and_storage(self):
        ways = (("--weights-as", "int8,head=int8"), ("--weights-as", "int4,head=int4"), ("--precision", "bf16"), ("--cores", "1"), ("--target", "c"))
        for options in half(ways, self.random):
            program, weights = self.made(LLAMA, *options)
            for isa in self.sets(program):
                self.same(f"llama, {' '.join(options)}, {isa}", program, weights, "--isa", isa, rounds=2)
        self.same("llama, --caches-as int8", *self.made(LLAMA, "--caches-as", "int8", settings=("--set", "dh=32")), rounds=2)

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
        program, weights = self.total()
        self.generate(program, weights, [1, 2, 1, 2], "--quiet")
        refused = self.generate(program, weights, [1, 2, 1, 2], "--speculate", 2, expect=2)
        self.assertIn("--speculate: generate keeps `cache.so_far`, a running total: each step needs that of the one before, and none can be taken back; "
                      "leave it out", refused.stderr)
        program, weights = self.made(GPT, "--target", "cpu,cuda-emulated")
        for options, said in ((("0",), "--speculate 0: expected a whole number from 1 to 64"), (("65",), "--speculate 65: expected a whole number from 1 to 64"),
                              (("4", "--beam", "2"), "--speculate goes with prompts that are continued token by token"),
                              (("4", "--device", "cuda-emulated"), "steps go side by side on this machine's processors alone; leave it out")):
            refused = self.generate(program, weights, [1, 2], "--speculate", *options, expect=2)
            self.assertIn(said, refused.stderr)


if __name__ == "__main__":
    main()
