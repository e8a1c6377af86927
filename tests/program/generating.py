"""What the tests of continued texts share: programs with random weights, which soon repeat themselves, prompts and ways to choose tokens. They are new each
time (WEFT_SEED=N repeats them)."""
import os
import random

from program import ROOT, WEFT, ProgramTest, run

SEED = int(os.environ.get("WEFT_SEED", random.randrange(2 ** 31)))
GPT, LLAMA = ROOT / "examples/gpt/gpt.weft", ROOT / "examples/gpt/llama.weft"
# A running total, which is no memory of single positions.
TOTAL = """dim batch, position = 64, seq <= position, vocab = 256
block Counts(tokens: vocab[batch, seq]) -> [batch, seq, vocab] {
  param table: [vocab] = normal(1)
  so_far = cumsum[seq](table * where(index(vocab) == tokens, 1.0, 0))
  so_far + table
}
entry logits(tokens: vocab[batch, seq]) -> [batch, seq, vocab] = Counts(tokens)
entry generate = decode[seq](logits, start = 0, max = 8)
"""


class GeneratingTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.random = random.Random(SEED)
        cls.programs = {}
        print(f"WEFT_SEED={SEED}")

    def made(self, source, *options, config="tiny", settings=()):
        """A program, for inference where it is for CPUs alone, and its first weights, which repeat themselves soon."""
        given = [*(["--config", config] if config else []), *settings]
        program, weights = self.program_of(source, *given, *options), self.folder / "weights"
        run(WEFT, "init", source, *given, "--seed", self.random.randrange(2 ** 31), "-o", weights)
        return program, weights

    def program_of(self, source, *options):
        """The same for the same text and options."""
        key = source.read_text(), options
        if key not in self.programs:
            self.programs[key] = self.folder / f"made{len(self.programs)}"
            alone = () if "--target" in options else ("--inference",)
            run(WEFT, "build", source, *options, *alone, "-o", self.programs[key])
        return self.programs[key]

    def total(self):
        source = self.folder / "total.weft"
        source.write_text(TOTAL)
        return self.made(source, config=None)

    def sets(self, program):
        """The instruction sets that the program has code for and this machine has."""
        def said(isa):
            return run(program, "generate", "--isa", isa, "--ids", "--prompt", "1", expect=2).stderr
        return [isa for isa in ("x86-64-v3", "avx512", "avx512-bf16", "portable") if "--checkpoint is missing" in said(isa)]

    def sets_and_threads(self, program):
        """What to say of each instruction set with some threads, and the options that ask for it."""
        for isa in self.sets(program):
            for threads in ("1", "3"):
                yield f"{isa}, {threads} threads", ("--isa", isa, "--threads", threads)

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
