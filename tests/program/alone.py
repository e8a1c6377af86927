"""Programs and libraries that carry what they need, in a folder that holds nothing else: translation between its two vocabularies,
images seen as in the training."""
import ctypes
import json
import os
import pathlib
import resource
import shutil
import tempfile
import unittest

from program import ROOT, WEFT, ProgramTest, build, newest_step, run
from images import png

import shared_library

SENTENCES = ("He sings today.", "The cat eats here.")
WHO = [("i", "je"), ("he", "il"), ("she", "elle"), ("the cat", "le chat")]
WHAT = [("sings", "chante"), ("eats", "mange"), ("runs", "court")]
WHEN = [("", ""), (" today", " aujourd'hui"), (" here", " ici")]
SIZES = "svocab=24,tvocab=24,model=32,head=2,ff=32,below=1,above=1"


class Alone(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pairs, cls.digits, cls.grey = cls.folder / "pairs.tsv", cls.folder / "digits", cls.folder / "grey"
        cls.pairs.write_text("".join(f"{a} {b}{c}.\t{x} {y}{z}.\n" for a, x in WHO for b, y in WHAT for c, z in WHEN))
        cls.model = (ROOT / "examples/translation/translation.weft", "--config", "full", "--set", SIZES, "--isa", "x86-64-v3")
        cls.translate = cls.folder / "translate"
        build(*cls.model, "-o", cls.translate)
        run(cls.translate, "train", "--data", f"pairs:{cls.pairs}", "--validate-on", "6", "--held-out", "random", "--min-count", "1",
            "--epochs", "60", "--batch", "8", "--seed", "1", "--out", cls.folder / "run", "--quiet")

    def alone(self, name, *options):
        """A folder with nothing but what is built."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        build(*options, "-o", folder / name)
        self.assertEqual(os.listdir(folder), [name])
        return folder

    def says(self, folder, *words, expect=0):
        return run("./program", *words, expect=expect, cwd=folder, env={})

    def sources(self):
        return [word for sentence in SENTENCES for word in ("--source", sentence)]

    def test_empty_lines_stay(self):
        lines, generate = self.folder / "lines", (self.translate, "generate", "--checkpoint", self.folder / "run", "--quiet")
        told = run(*generate, *self.sources()).stdout.splitlines()
        lines.write_text(f"\n{SENTENCES[0]}\n\n \n" + "\n".join(SENTENCES[1:]))
        self.assertEqual(run(*generate, "--source-file", lines).stdout.splitlines(), ["", told[0], "", "", *told[1:]])
        lines.write_text("\n \n")
        self.assertIn("there is no sentence to translate", run(*generate, "--source-file", lines, expect=1).stderr)

    def test_program_translates(self):
        told = run(self.translate, "generate", "--checkpoint", self.folder / "run", *self.sources(), "--quiet").stdout
        self.assertEqual(len(set(told.splitlines())), 2, told)
        evaluated = ("eval", "--data", f"pairs:{self.pairs}", "--validation", "--bleu", "--json")
        scored = run(self.translate, *evaluated, "--checkpoint", self.folder / "run").stdout
        prompted = ("run", "--entry", "memory", "--prompt", SENTENCES[0], "--input", "valid=[5]", "--print")
        remembered = run(self.translate, *prompted, "--weights", self.folder / "run").stdout
        folder = self.alone("program", *self.model, "--weights", self.folder / "run")
        shutil.move(self.folder / "run", self.folder / "away")  # what the program knows, it carries
        try:
            self.assertEqual(self.says(folder, "generate", *self.sources(), "--quiet").stdout, told)
            self.assertEqual(self.says(folder, *evaluated).stdout, scored)  # the splits of the training, too
            self.assertEqual(self.says(folder, *prompted).stdout, remembered)
            self.assertIn("with tokenizers of source and target", self.says(folder, "info").stdout)
            self.assertNotIn(str(self.folder).encode(), (folder / "program").read_bytes())  # whose machine it was is no matter
        finally:
            shutil.move(self.folder / "away", self.folder / "run")

    def test_vocabularies_may_be_given(self):
        kept = newest_step(self.folder / "run")
        weights = kept / "parameters.safetensors"
        folder = self.alone("program", *self.model, "--inference", "--weights", weights, "--tokenizer", kept / "tokenizer.json")
        self.assertIn("this program has no source vocabulary", self.says(folder, "generate", *self.sources(), expect=2).stderr)
        self.assertIn("this program has no source-tokenizer.json",
                      self.says(folder, "eval", "--data", f"pairs:{self.pairs}", expect=1).stderr)
        build(*self.model, "--inference", "--weights", weights, "--tokenizer", kept / "tokenizer.json", "--source-tokenizer",
            kept / "source-tokenizer.json", "-o", folder / "program")
        told = run(self.translate, "generate", "--checkpoint", self.folder / "run", *self.sources(), "--quiet").stdout
        self.assertEqual(self.says(folder, "generate", *self.sources(), "--quiet").stdout, told)
        said = build(*self.model, "--weights", weights, "--source-tokenizer", kept / "tokenizer.json", "--tokenizer",
                   kept / "source-tokenizer.json", "-o", folder / "none", expect=1)
        self.assertRegex(said.stderr, "the tokenizer \\(words\\) has|vocabulary of the other language")
        for option in ("--end", "--suppress"):
            said = self.says(folder, "generate", *self.sources(), option, "zzz", expect=1)
            self.assertIn(f"{option}: `zzz` is no word of the vocabulary", said.stderr)
        (folder / "words.txt").write_text("<s>\nun\n")
        said = self.says(folder, "generate", *self.sources(), "--tokenizer", "words:words.txt", expect=1)
        self.assertIn("the tokenizer (words) has 3 ids, but the model's tvocab is", said.stderr)
        for command in ("train", "eval"):
            shown = run(self.translate, command, "--help").stdout
            self.assertNotIn("\n  --tokenizer ", shown)  # of texts
            self.assertEqual(["\n  --" + option in shown for option in ("seq ", "pairs ", "keep-case ", "mean ")], [True, True, True, False])
        self.assertIn("\n  --tokenizer ", run(self.translate, "generate", "--help").stdout)
        self.assertIn(" byte, merges:FILE, words:FILE, or a FILE: ", run(self.translate, "generate", "--help").stdout)
        said = build(*self.model, "--source-tokenizer", kept / "source-tokenizer.json", "-o", folder / "none", expect=2)
        self.assertIn("--source-tokenizer goes with --weights", said.stderr)

    def test_exchanged_vocabularies_are_named(self):
        """By the hashes of the checkpoint, and where an earlier version wrote none, by how they begin."""
        wrong = self.folder / "wrong"
        shutil.copytree(self.folder / "run", wrong)
        kept = newest_step(wrong)
        for older in set(wrong.glob("step-*")) - {kept}:
            shutil.rmtree(older)
        source, target, state = kept / "source-tokenizer.json", kept / "tokenizer.json", kept / "state.json"
        first = source.read_text()
        source.write_text(target.read_text())
        target.write_text(first)
        commands = ((self.translate, "generate", "--checkpoint", wrong, *self.sources()),
                    (self.translate, "eval", "--checkpoint", wrong, "--data", f"pairs:{self.pairs}", "--bleu"),
                    (self.translate, "run", "--entry", "memory", "--weights", wrong, "--prompt", SENTENCES[0], "--input", "valid=[5]"),
                    (self.translate, "train", "--resume", "--out", wrong, "--epochs", "61"),
                    (WEFT, "build", *self.model, "--weights", wrong, "-o", self.folder / "none"))

        def say(*what):
            for command in commands:
                said = run(*command, expect=1).stderr
                self.assertTrue(any(f": {text}\n" in said for text in what), (command, said))
                self.assertEqual(said.count("\n"), 1, said)
            self.assertFalse(list(self.folder.glob("none*")))

        say(f"{wrong}: holds no whole checkpoint: {target}: is not the tokenizer of this training: the file was changed or exchanged since")
        earlier = json.loads(state.read_text())
        del earlier["tokenizers"]
        state.write_text(json.dumps(earlier))
        exchanged = "is the vocabulary of the other language: are those of sources and targets exchanged?"
        say(f"{source}: {exchanged}", f"{target}: {exchanged}")
        source.write_text(first[:-9])
        target.write_text(first[:-9])
        say(*(f"{file}: is not a whole tokenizer: it is not JSON: it ends too early" for file in (source, target)))

    def test_library_translates(self):
        told = run(self.translate, "generate", "--checkpoint", self.folder / "run", *self.sources(), "--quiet").stdout
        folder = self.alone("library.so", *self.model, "--inference", "--weights", self.folder / "run", "--shared")
        library = shared_library.load(folder / "library.so", os.RTLD_NOW | os.RTLD_LOCAL)
        for name in ("weft_open", "weft_tokenizer_carried", "weft_source_tokenizer_carried", "weft_generator_open"):
            getattr(library, name).restype = ctypes.c_void_p
        library.weft_error.restype = ctypes.c_char_p
        for name in ("weft_encode", "weft_decode_all", "weft_generator_vocabulary"):
            getattr(library, name).restype = ctypes.c_int64
        library.weft_advance.restype = ctypes.POINTER(ctypes.c_float)

        def opened(name, *arguments):
            handle = getattr(library, name)(*arguments)
            self.assertTrue(handle, library.weft_error())
            return ctypes.c_void_p(handle)

        model = opened("weft_open", None)
        source, target = opened("weft_source_tokenizer_carried", model), opened("weft_tokenizer_carried", model)
        generator = opened("weft_generator_open", model, None, ctypes.c_int64(9))
        lines, end = [], library.weft_tokenizer_end(target)
        for sentence in SENTENCES:
            text, ids = sentence.encode(), (ctypes.c_int32 * 16)()
            count = library.weft_encode(source, text, ctypes.c_size_t(len(text)), ids, ctypes.c_int64(15))
            ids[count] = library.weft_tokenizer_end(source)
            count += 1
            for name, data, shape in (("source", ids, (1, count)), ("valid", (ctypes.c_int32 * 1)(count), (1,))):
                self.assertEqual(library.weft_generator_input(generator, name.encode(), data, (ctypes.c_int64 * len(shape))(*shape),
                                                              ctypes.c_int32(len(shape))), 0, library.weft_error())
            found, fresh = [], library.weft_tokenizer_start(target)
            while fresh != end and len(found) < 9:
                logits = library.weft_advance(generator, (ctypes.c_int32 * 1)(fresh), ctypes.c_int64(1))
                self.assertTrue(logits, library.weft_error())
                fresh = max(range(library.weft_generator_vocabulary(generator)), key=lambda i: logits[i])
                found += [] if fresh == end else [fresh]
            bytes_ = ctypes.create_string_buffer(200)
            length = library.weft_decode_all(target, (ctypes.c_int32 * len(found))(*found), ctypes.c_int64(len(found)), bytes_,
                                             ctypes.c_int64(200))
            lines.append(bytes_.raw[:length].decode())
        self.assertEqual(lines, told.splitlines())

    def test_images_are_seen_as_in_the_training(self):
        sizes = (ROOT / "examples/vit/mnist.weft", "--config", "small", "--set", "digit=2,layer=1,model=32,ff=32,dh=8", "--isa",
                 "x86-64-v3")
        build(*sizes, "-o", self.digits)
        for part, count in (("train", 12), ("test", 6)):
            for number in range(count):
                for name, level in (("dark", 60), ("light", 120)):
                    path = self.grey / part / name / f"{number}.png"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(png(28, level))
        data = ("--data", f"images:{self.grey}")
        run(self.digits, "train", *data, "--out", self.folder / "seen", "--steps", "8", "--batch", "4", "--mean", "0.4", "--std", "0.2",
            "--flip", "--quiet")
        normal = run(self.digits, "eval", *data, "--checkpoint", self.folder / "seen", "--json")
        self.assertEqual(normal.stderr, "")
        folder = self.alone("program", *sizes, "--weights", self.folder / "seen")
        shutil.rmtree(self.folder / "seen")
        again = self.says(folder, "eval", *data, "--json")
        self.assertEqual((again.stdout, again.stderr), (normal.stdout, ""))
        told = self.says(folder, "eval", *data, "--json", "--mean", "0.4")
        self.assertEqual((told.stdout, told.stderr), (normal.stdout, ""))
        other = self.says(folder, "eval", *data, "--json", "--mean", "0", "--std", "1")
        self.assertNotEqual(other.stdout, normal.stdout)
        self.assertEqual(other.stderr, "warning: --mean 0: the training had --mean 0.4\n"
                                       "warning: --std 1: the training had --std 0.2\n")
        said = run(folder / "program", "eval", *data, "--flip", expect=2).stderr
        self.assertIn("--flip changes rows in training alone", said)
        self.assertNotIn("--flip", run(folder / "program", "eval", "--help").stdout)
        self.assertIn("--flip", run(folder / "program", "train", "--help").stdout)
        commands = [line.split()[0] for line in run(folder / "program", "--help").stdout.splitlines() if line.startswith("  ")]
        self.assertEqual(commands, ["train", "eval", "run", "bench", "profile", "info"])

    @unittest.skipIf(shared_library.preloaded(), "a sanitizer's own memory is beyond the limit")
    def test_a_sentence_beyond_memory_is_named(self):
        long = self.folder / "long.tsv"
        long.write_text(self.pairs.read_text() + " ".join(["the"] * 300000) + "\tle chat.\n" + self.pairs.read_text())
        least = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))  # noqa: E731
        data = ("--data", f"pairs:{long}", "--validate-on", "6", "--min-count", "1")
        train = (self.translate, "train", *data, "--steps", "1", "--quiet", "--out", self.folder / "long")
        named = f"the longest sentence, at {long}:{len(WHO) * len(WHAT) * len(WHEN) + 1}, has 300001 tokens: leave it out, or cut"
        self.assertIn(named, run(*train, expect=1, preexec_fn=least).stderr)
        run(*train, "--seq", "8", preexec_fn=least)

    def test_help_is_of_this_program(self):
        def options(program, command):
            return {line.split()[0] for line in run(program, command, "--help").stdout.splitlines() if line.startswith("  --")}
        sources, of_pairs = {"--source", "--source-file", "--source-tokenizer", "--inputs"}, options(self.translate, "generate")
        self.assertLessEqual(sources | {"--beam", "--prompt"}, of_pairs)
        gpt = self.program
        of_text = options(gpt, "generate")
        self.assertEqual(of_pairs - of_text, sources)
        scores = {"--bleu", "--translations", "--beam", "--length-penalty", "--entry"}
        self.assertLessEqual(scores, options(self.translate, "eval"))
        self.assertFalse((scores | {"--samples", "--mean"}) & options(gpt, "eval"))
        for program, kinds in ((gpt, "text:FILE"), (self.translate, "pairs:FILE.tsv")):
            for command in ("train", "eval"):
                self.assertIn(f"  --data KIND:PATH             {kinds} or tensors:FILE.safetensors\n", run(program, command, "--help").stdout)
        self.assertIn("words:FILE", run(self.translate, "generate", "--help").stdout)
        self.assertNotIn("words:FILE", run(gpt, "generate", "--help").stdout)
        for words, said in ((("--source", "He sings."), "takes no source: it goes on from a --prompt"), (("--sources", "x"), "unknown option")):
            weights = ("--ids", "--prompt", "1")
            run(WEFT, "init", ROOT / "examples/gpt/gpt.weft", "--config", "tiny", "--seed", "1", "-o", self.folder / "weights")
            code = 1 if words[0] == "--source" else 2
            self.assertIn(said, run(gpt, "generate", "--checkpoint", self.folder / "weights", *weights, *words, expect=code).stderr)

    def test_what_is_missing_is_said(self):
        said = run(self.translate, "generate", "--checkpoint", self.folder / "run", "--prompt", "il", expect=2).stderr
        self.assertIn("translate needs `source` and `valid` besides the ids: give a sentence with --source TEXT, or --inputs FILE", said)
        said = run(self.translate, "bench", "--entry", "translate", expect=2).stderr
        self.assertIn("translate needs `source` besides the ids: time its entry with --entry translate.advance", said)
        run(self.translate, "bench", "--entry", "translate.advance", "--set", "batch=1,new=1,capacity=9,known=4,src=5", "--runs", "2")
        prompt = ("run", "--weights", self.folder / "run", "--prompt", "il chante")
        # the decoding goes on from `target`; with that given, there is only the source left
        said = run(self.translate, *prompt, "--entry", "logits", expect=1).stderr
        self.assertIn("entry logits needs `source` and `valid`", said)
        given = ("--input", "source=[[3, 4, 5]]", "--input", "valid=[3]")
        done = run(self.translate, *prompt, "--entry", "logits", *given).stdout
        self.assertIn("output [batch 1, tgt 3, tvocab 24]", done)
        loss = run(self.translate, *prompt, "--entry", "loss", *given, "--input", "label=[[4, 1, 1]]", "--input", "length=[3]").stdout
        self.assertIn("loss", loss)
        said = run(self.translate, *prompt, "--entry", "logits", *given, "--input", "target=[[1]]", expect=2).stderr
        self.assertIn("the inputs `source` and `target` are given already", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
