"""A draft proposes and the model decides: the text is that without it, greedy and drawn, whatever library proposes, up to the end of either
context; what cannot propose is refused."""
import re

from generating import GPT, LLAMA, SEED, TOTAL, GeneratingTest
from program import WEFT, build, main, run

REPORT = re.compile(r"; (\d+) of (\d+) proposed kept, (\d+) steps; ", re.M)


class DraftTest(GeneratingTest):
    def library(self, name, source, weights, *options, config=("--config", "tiny")):
        path = self.folder / f"{name}.so"
        build(source, *config, "--weights", weights, "--shared", "-o", path, *options)
        return path

    def weights(self, name, source, *options, config=("--config", "tiny")):
        path = self.folder / f"{name}.weights"
        run(WEFT, "init", source, *config, *options, "--seed", "1", "-o", path)
        return path

    def counts(self, text):
        return tuple(map(int, REPORT.search(text).groups()))

    def same(self, what, program, weights, draft, *options, rounds=4):
        """Every round gives the same text; how many of the proposed tokens were kept."""
        kept = proposed = 0
        for number in range(rounds):
            prompt, choice = self.prompt(), self.drawn()
            if choice:
                choice += ("--seed", self.random.randrange(100))
            # at least once so many that something is proposed
            most = self.random.choice([2, 5, 30, 65 - len(prompt), 66 - len(prompt), 100]) if number > 0 else 30
            asked = (*options, *choice, "--max-tokens", most)
            wanted = self.generate(program, weights, prompt, *asked)
            for n in (self.random.randrange(1, 9), self.random.choice([1, 17, 64])):
                found = self.generate(program, weights, prompt, *asked, "--draft", draft, "--speculate", n)
                self.assertEqual(found.stdout, wanted.stdout, f"WEFT_SEED={SEED}, {what}, prompt {prompt}, {asked}, --speculate {n}")
                if REPORT.search(found.stderr):
                    taken, tried, steps = self.counts(found.stderr)
                    tokens = int(found.stderr.split()[found.stderr.split().index("tokens,") - 1])
                    self.assertEqual(1 + steps + taken, tokens)
                    kept, proposed = kept + taken, proposed + tried
        print(f"{what}: {kept} of {proposed} proposed kept")
        return kept, proposed

    def test_the_text_stays(self):
        program, weights = self.made(GPT)
        itself = self.library("itself", GPT, weights)
        kept, proposed = self.same("gpt, by itself", program, weights, itself)
        self.assertGreater(proposed, 20)
        narrow = self.library("narrow", GPT, weights, "--weights-as", "int4,head=int4", "--inference")
        self.assertGreater(self.same("gpt, by 4 bits of it", program, weights, narrow)[0], 0)
        stranger = self.library("stranger", LLAMA, self.weights("llama", LLAMA))  # another model of as many ids
        kept, proposed = self.same("gpt, by a llama", program, weights, stranger)
        self.assertLess(kept, proposed)
        # what chooses the likeliest takes all that the same model proposes
        said = self.generate(program, weights, [5, 6, 7], "--max-tokens", "41", "--draft", itself).stderr
        taken, tried, steps = self.counts(said)
        self.assertEqual((taken, tried, steps), (32, 32, 8))

    def test_a_short_context_proposes_while_it_can(self):
        program, weights = self.made(GPT)
        draft = self.library("short", GPT, self.weights("short", GPT, "--set", "position=11"), "--set", "position=11")
        self.same("gpt, by one of 11 positions", program, weights, draft)
        said = self.generate(program, weights, list(range(30)), "--max-tokens", "9", "--draft", draft).stderr
        self.assertIn("0 of 0 proposed kept, 8 steps", said)

    def test_several_texts(self):
        program, weights = self.made(GPT)
        draft = self.library("several", GPT, weights)
        prompts = [word for _ in range(5) for word in ("--prompt", " ".join(map(str, self.prompt())))]
        asked = (program, "generate", "--checkpoint", weights, "--ids", *prompts, "--samples", "2", "--top-k", "3", "--seed", "4", "--batch", "3",
                 "--max-tokens", "20")
        self.assertEqual(run(*asked).stdout, run(*asked, "--draft", draft).stdout)

    def test_what_cannot_propose_is_refused(self):
        source = self.folder / "total.weft"
        source.write_text(TOTAL)
        program, weights = self.made(GPT)
        (self.folder / "text.so").write_text("no library")
        total = self.library("total", source, self.weights("total", source, config=()), config=())
        build(GPT, "--config", "tiny", "--shared", "-o", self.folder / "bare.so")
        prefix = self.library("prefix", GPT, weights, "--symbol-prefix", "my_")
        nine = self.library("nine", GPT, self.weights("nine", GPT, "--set", "vocab=9"), "--set", "vocab=9")
        fine = self.library("fine", GPT, weights)
        for draft, said in ((self.folder / "none.so", "cannot be opened"), (self.folder / "text.so", "cannot be opened"),
                            (self.folder / "bare.so", "carries no weights: build it with --weights"),
                            (prefix, "is no library of a model; `weft build --shared --weights W -o DRAFT.so` makes one"),
                            (nine, "has 9 ids, and this model has 256"), (total, "running total")):
            refused = self.generate(program, weights, [1, 2], "--draft", draft, expect=None)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn(f"--draft {draft}: ", refused.stderr)
            self.assertIn(said, refused.stderr)
            self.assertEqual(refused.stdout, "")
        refused = self.generate(program, weights, [1, 2], "--draft", fine, "--beam", "2", expect=2)
        self.assertIn("--draft goes with prompts that are continued token by token", refused.stderr)
        there, of_there = self.total()
        refused = self.generate(there, of_there, [1, 2], "--draft", fine, expect=2)
        self.assertIn("--draft: generate keeps `cache.so_far`, a running total", refused.stderr)


if __name__ == "__main__":
    main()
