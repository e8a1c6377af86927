"""Texts that are continued side by side are what each of them is alone, to the last bit of every token: of different lengths, in batches of any size, drawn
with seeds of their own, with phrases proposed, on every instruction set; as text, ids and JSON, in the order of their prompts."""
import ctypes
import json
import re
import subprocess
import time

from generating import GPT, LLAMA, SEED, GeneratingTest
from program import ROOT, WEFT, build, half, main, run
import shared_library

REPORT = re.compile(r"^(\d+) texts, (\d+) tokens, .* a second(?:; (\d+) of (\d+) proposed kept, \d+ steps)?; prompts of (\d+) in ", re.M)


# A text reads as much of `rel` as it is long.
RELATIVE = """dim batch, position = 64, seq <= position, key = seq, rest = position - seq, parts = key | rest
dim vocab = 256, model = 32, small = 4
block Net(tokens: vocab[batch, seq]) -> [batch, seq, vocab] {
  param table: [vocab, model] = normal(1)
  param down: [model, small] = normal(1)
  param rel: [parts, small] = normal(1)
  x = table[vocab = tokens]
  s = sum[small](sum[model](x * down) * rel[parts = key])
  y = sum[key](where(index(key) <= index(seq), s, 0) * x[seq as key])
  sum[model](y * table)
}
entry logits(tokens: vocab[batch, seq]) -> [batch, seq, vocab] = Net(tokens)
entry generate = decode[seq](logits, start = 0, max = 8)
"""


class Together(GeneratingTest):
    texts, lengths, full, proposed = 0, set(), 0, 0

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        if cls.texts and not (cls.texts > 100 and len(cls.lengths) > 10 and cls.full > 5 and cls.proposed > 50):
            raise AssertionError(f"{cls.texts} texts of {len(cls.lengths)} lengths, {cls.full} of them full, {cls.proposed} proposed: nothing was tried")

    def together(self, program, weights, prompts, *options, **more):
        """All prompts in one run: some as options, the others as lines of a file."""
        cut = self.random.randrange(len(prompts) + 1)
        lines = self.folder / "prompts.txt"
        lines.write_text("".join(" ".join(map(str, each)) + "\n" for each in prompts[cut:]))
        given = [word for each in prompts[:cut] for word in ("--prompt", " ".join(map(str, each)))]
        return run(program, "generate", "--checkpoint", weights, "--ids", *given, *(["--prompt-file", lines] if cut < len(prompts) else []), *options, **more)

    def same(self, what, program, weights, *options, rounds=2, speculate=True):
        for _ in range(rounds):
            choice = self.drawn()
            seed = self.random.randrange(100)
            samples = self.random.choice([1, 1, 2, 3]) if choice else 1
            prompts = [self.prompt() for _ in range(self.random.randrange(2, 7))]
            if self.random.random() < 0.3:
                prompts[1] = prompts[0]  # is taken in once
            asked = (*options, *choice, "--max-tokens", self.random.choice([1, 3, 20, 64]))
            alone = {}
            for prompt in map(tuple, prompts):
                for i in range(samples):
                    alone[prompt, i] = self.generate(program, weights, prompt, *asked, *(("--seed", seed + i) if choice else ()))
            wanted = [alone[tuple(prompt), i] for prompt in prompts for i in range(samples)]
            for batch in self.random.sample([1, 2, 3, 5, 8, 40], 2):
                more = ["--batch", batch] + (["--seed", seed] if choice else []) + (["--samples", samples] if samples > 1 else [])
                if speculate and self.random.random() < 0.5:
                    more += ["--speculate", self.random.randrange(1, 9)]
                if self.random.random() < 0.4:
                    more.append("--json")
                found = self.together(program, weights, prompts, *asked, *more)
                said = f"WEFT_SEED={SEED}, {what}, prompts {prompts}, {asked}, {more}"
                lines = found.stdout.splitlines()
                if "--json" in more:
                    lines = [" ".join(map(str, line["prompt"] + line["text"])) for line in map(json.loads, lines)]
                self.assertEqual(lines, [each.stdout.rstrip("\n") for each in wanted], said)
                full = sum("context is full" in each.stderr for each in wanted)
                self.assertEqual(f"the context is full for {full} of {len(wanted)} texts: " in found.stderr, full > 0, said)
                report = REPORT.search(found.stderr)
                taken_in = sum(len(each) for i, each in enumerate(prompts) if i == 0 or each != prompts[i - 1])  # equal neighbours once
                self.assertEqual(report.group(1, 5), (str(len(wanted)), str(taken_in)), said)
                made = [len(each.stdout.split()) for each in wanted]
                self.assertEqual(int(report[2]), sum(made) - samples * sum(map(len, prompts)), said)
                Together.texts += len(wanted)
                Together.lengths |= set(made)
                Together.full += full
                Together.proposed += int(report[4] or 0)

    def test_parts_of_a_parameter_as_long_as_the_text(self):
        """What is packed of such a parameter varies with the text."""
        source = self.folder / "relative.weft"
        source.write_text(RELATIVE)
        self.same("relative", *self.made(source, config=None), rounds=8)

    def test_instruction_sets_and_threads(self):
        program, weights = self.made(GPT)
        for said, options in self.sets_and_threads(program):
            self.same(f"gpt, {said}", program, weights, *options)

    def test_weights_and_storage(self):
        for options in half((("--weights-as", "int8,head=int8"), ("--precision", "bf16"), ("--target", "c")), self.random):
            self.same(f"llama, {' '.join(options)}", *self.made(LLAMA, *options), rounds=3)
        self.same("llama, --caches-as int8", *self.made(LLAMA, "--caches-as", "int8", settings=("--set", "dh=32")), rounds=3)

    def test_running_totals(self):
        """Each text has its own: they may go side by side, though the steps of one may not."""
        self.same("totals", *self.total(), rounds=3, speculate=False)

    def test_a_device_takes_one_after_the_other(self):
        self.same("device", *self.made(GPT, "--target", "cuda-emulated"), rounds=1, speculate=False)

    def test_text_and_json(self):
        self.train("run", "--steps", "2")
        prompts = ["The", "a b", "copyright"]
        options = ("--checkpoint", self.folder / "run", "--max-tokens", 9, "--seed", 3)
        lines = self.folder / "lines.txt"
        lines.write_bytes(b"a b\r\ncopyright")  # the last line has no end
        alone = [run(self.program, "generate", *options, "--prompt", each).stdout for each in prompts]
        found = run(self.program, "generate", *options, "--prompt", "The", "--prompt-file", lines)
        self.assertEqual(found.stdout, "\n".join(alone))  # an empty line between texts
        found = run(self.program, "generate", *options, "--prompt-file", "-", "--quiet", input="The\na b\ncopyright\n")
        self.assertEqual((found.stdout, found.stderr), ("\n".join(alone), ""))
        found = run(self.program, "generate", *options, "--prompt", "The", "--prompt-file", lines, "--json", "--samples", 2, "--batch", 4)
        texts = [json.loads(line) for line in found.stdout.splitlines()]
        self.assertEqual([(each["prompt"], each["seed"]) for each in texts], [(p, s) for p in prompts for s in (3, 4)])
        self.assertEqual([each["prompt"] + each["text"] + "\n" for each in texts[::2]], alone)
        self.assertEqual({(each["tokens"], each["ended"]) for each in texts}, {(9, False)})
        found = run(self.program, "generate", "--checkpoint", self.folder / "run", "--max-tokens", 4, "--ids", "--prompt", "1 2", "--json")
        only = json.loads(found.stdout)
        self.assertEqual((only["prompt"], len(only["text"]), "seed" in only), ([1, 2], 4, False))
        later = run(self.program, "generate", "--checkpoint", self.folder / "run", "--max-tokens", 64, "--ids", "--prompt", "1", "--prompt", "1 2 3 4 5", "--json")
        self.assertEqual([json.loads(line)["prompt"] for line in later.stdout.splitlines()], [[1], [1, 2, 3, 4, 5]])  # which is full sooner
        started = run(self.program, "generate", *options, "--prompt", "", "--json", "--prompt", "a")  # with what the model names
        self.assertEqual([json.loads(line)["tokens"] for line in started.stdout.splitlines()], [9, 9])

    def test_a_sequence_begins_anew_after_an_error(self):
        """What `begin` makes of the inputs, here the encoder's, is of the parameters that there are when the first ids are taken in."""
        source, library = ROOT / "examples/translation/translation.weft", self.folder / "library.so"
        build(source, "--config", "full", "--shared", "-o", library)
        for i in (1, 2):
            run(WEFT, "init", source, "--config", "full", "--seed", i, "-o", self.folder / f"weights{i}")
        weft = shared_library.load(library)
        weft.weft_open.restype = weft.weft_generator_open.restype = ctypes.c_void_p
        weft.weft_advance.restype = ctypes.POINTER(ctypes.c_float)
        weft.weft_generator_vocabulary.restype = ctypes.c_int64
        model = ctypes.c_void_p(weft.weft_open(None))

        def opened():
            generator = ctypes.c_void_p(weft.weft_generator_open(model, None, ctypes.c_int64(9)))
            for name, values, shape in ((b"source", [4, 5, 6], [1, 3]), (b"valid", [3], [1])):
                data, sizes = (ctypes.c_int32 * len(values))(*values), (ctypes.c_int64 * len(shape))(*shape)
                self.assertEqual(weft.weft_generator_input(generator, name, data, sizes, len(shape)), 0)
            return generator

        def advance(generator, given):
            logits = weft.weft_advance(generator, ctypes.byref(ctypes.c_int32(given)), ctypes.c_int64(1))
            return logits and logits[:weft.weft_generator_vocabulary(generator)]

        self.assertEqual(weft.weft_load(model, str(self.folder / "weights1").encode()), 0)
        generator = opened()
        self.assertFalse(advance(generator, 100000))
        self.assertEqual(weft.weft_load(model, str(self.folder / "weights2").encode()), 0)
        self.assertEqual(advance(generator, 1), advance(opened(), 1))

    def test_errors(self):
        program, weights = self.made(GPT)
        long = self.folder / "long.txt"
        long.write_text("1\n" + "2 " * 65 + "\n")
        bad, zero = self.folder / "bad.txt", self.folder / "zero.txt"
        bad.write_text("1\n2\n999\n4\n")
        zero.write_bytes(b"1\0002\n")
        empty = self.folder / "empty.txt"
        empty.write_text("")
        for options, said in ((("--samples", "2"), "--samples: the most likely continuation is always the same; draw them at random"),
                              (("--samples", "0"), "--samples 0: expected a whole number from 1 to"),
                              (("--batch", "0"), "--batch 0: expected a whole number from 1 to"),
                              (("--prompt-file", long), f"{long}:2 has 65 tokens, this build has room for 64"),
                              (("--prompt-file", self.folder / "absent"), "absent: cannot be opened: No such file"),
                              (("--prompt", "1 x"), '--prompt "1 x": with --ids, expected ids'),
                              (("--prompt", "300"), '--prompt "300": the id 300, but vocab has size 256'),
                              (("--prompt-file", bad), f"{bad}:3: the id 999, but vocab has size 256"),
                              (("--prompt-file", zero), f"{zero}:1: with --ids"),
                              (("--prompt-file", self.folder), f"{self.folder}: cannot be read: Is a directory"),
                              (("--prompt-file", "-", "--prompt-file", "-"), "standard input, `-`, is given twice"),
                              (("--batch", "2", "--beam", "2"), "--batch goes with prompts that are continued token by token"),
                              (("--prompt", "2", "--beam", "2"), "search for what follows one")):
            found = run(program, "generate", "--checkpoint", weights, "--ids", "--prompt", "1", *options, expect=None)
            self.assertNotEqual(found.returncode, 0, options)
            self.assertIn(said, found.stderr)
        found = run(program, "generate", "--checkpoint", weights, "--ids", "--prompt-file", bad, expect=None)
        self.assertEqual(found.stdout, "")  # all prompts are looked at before anything is computed
        with open("/dev/full", "w") as full:
            started = time.monotonic()
            done = subprocess.run([program, "generate", "--checkpoint", weights, "--ids", "--prompt", "1", "--samples", "100000", "--seed", "1"], stdout=full,
                                  stderr=subprocess.PIPE, text=True)
            self.assertIn("cannot write the output: No space left on device", done.stderr)
            self.assertLess(time.monotonic() - started, 60)  # and not all of them are made
        found = run(program, "generate", "--checkpoint", weights, "--ids", "--prompt-file", empty, expect=None)
        self.assertIn("--prompt-file: there is no prompt, not even an empty line", found.stderr)


if __name__ == "__main__":
    main()
