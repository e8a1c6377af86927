"""Looking into a model of pairs: a source and a beginning of its translation as texts, both beside the cells."""
import json
import re

from program import ROOT, WEFT, ProgramTest, build, main, run
import safetensors  # in tests/record, which `program` adds to the path

PAIRS = "The cat sleeps.\tLe chat dort.\nThe dog sleeps.\tLe chien dort.\nThe cat eats.\tLe chat mange.\nThe dog eats.\tLe chien mange.\n"
SIZES = ("--config", "full", "--set", "svocab=9,tvocab=10,model=16,head=2")
CROSS, SELF = "decoder.above.cross.weights", "decoder.above.attn.weights"


class LookPairs(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.folder / "pairs.tsv").write_text(PAIRS)
        cls.program = cls.folder / "translate"
        build(ROOT / "examples/translation/translation.weft", *SIZES, "--probe", f"{CROSS},{SELF}", "-o", cls.program)
        run(cls.program, "train", "--data", f"pairs:{cls.folder / 'pairs.tsv'}", "--min-count", "1", "--steps", "4", "--batch", "2",
            "--validate-on", "1", "--quiet", "--seed", "1", "--out", cls.folder / "run")

    def look(self, *words, expect=0, program=None, entry="logits"):
        return run(program or self.program, "run", "--entry", entry, "--weights", self.folder / "run", *words, expect=expect)

    def labels(self, saved, source, prompt, *more):
        """What stands beside the first panel, down and across."""
        picture = self.folder / "picture.svg"
        self.look("--source", source, "--prompt", prompt, "--save", saved, "--plot", picture, *more)
        panel = picture.read_text().split('class="frame"')[1].split("</g>")[0]
        label = r'<text class="small" %s[^>]*>([^<]*)</text>'
        return re.findall(label % 'x="-5"', panel), re.findall(label % "transform", panel)

    def test_words_of_both_sides(self):
        source, prompt = ["the", "cat", "sleeps", ".", "&lt;eos>"], ["&lt;bos>", "le", "chat"]
        self.assertEqual(self.labels(CROSS, "The cat sleeps.", "Le chat"), (prompt, source))
        self.assertEqual(self.labels(SELF, "The cat sleeps.", "Le chat"), (prompt, prompt))
        self.assertEqual(self.labels(CROSS, "The barks.", "Le")[1], ["the", "&lt;unk>", ".", "&lt;eos>"])

    def test_words_as_many_on_both_sides(self):
        source, prompt = ["the", "cat", "sleeps", ".", "&lt;eos>"], ["&lt;bos>", "le", "chat", "dort", "."]
        self.assertEqual(self.labels(CROSS, "The cat sleeps.", "Le chat dort."), (prompt, source))
        self.assertEqual(self.labels(SELF, "The cat sleeps.", "Le chat dort.", "--at", "above=1"), (prompt, prompt))

    def test_as_with_ids(self):
        files = {name: self.folder / name for name in ("texts", "ids")}
        vocabularies = {side: json.loads(next((self.folder / "run").glob(f"step-*/{side}")).read_text())["words"]
                        for side in ("source-tokenizer.json", "tokenizer.json")}
        source = [vocabularies["source-tokenizer.json"].index(word) for word in ("the", "dog", "eats", ".", "<eos>")]
        target = [vocabularies["tokenizer.json"].index(word) for word in ("<bos>", "le", "chien")]
        self.look("--source", "The dog eats.", "--prompt", "Le chien", "--outputs", files["texts"])
        self.look("--input", f"source=[{source}]", "--input", "valid=[5]", "--input", f"target=[{target}]", "--outputs", files["ids"])
        self.assertEqual(*(path.read_bytes() for path in files.values()))
        self.look("--source", "The dog eats.", "--input", f"target=[{target}]", "--outputs", files["texts"])
        self.assertEqual(*(path.read_bytes() for path in files.values()))

    def test_built_for_the_occasion(self):
        picture = self.folder / "occasion.svg"
        run(WEFT, "run", ROOT / "examples/translation/translation.weft", *SIZES, "--entry", "logits", "--weights", self.folder / "run",
            "--source", "The cat eats.", "--prompt", "Le", "--save", CROSS, "--plot", picture, "--at", "above=0,head=1")
        self.assertIn(f">{CROSS}, above 0, head 1: tgt down, src across</text>", picture.read_text())
        self.assertIn(">eats</text>", picture.read_text())

    def test_fixed_lengths_are_padded(self):
        fixed = self.folder / "fixed"
        build(ROOT / "examples/translation/translation.weft", SIZES[0], SIZES[1], SIZES[2], SIZES[3] + ",src=6", "--probe",
            CROSS, "-o", fixed)
        picture = self.folder / "padded.svg"
        self.look("--source", "The cat eats.", "--prompt", "Le", "--save", CROSS, "--plot", picture, program=fixed)
        self.assertIn(">&lt;pad></text>", picture.read_text())
        said = self.look("--source", "The cat eats the dog.", "--prompt", "Le", program=fixed, expect=1).stderr
        self.assertIn("input source", said)

    def test_what_makes_no_sense(self):
        for words, code, said in (
                (("--prompt", "Le"), 1, "entry logits needs `source` and `valid`"),
                (("--source", "The cat.", "--source", "The dog.", "--prompt", "Le"), 2, "--source is given twice"),
                (("--source", "The cat.", "--input", "source=[[1]]", "--prompt", "Le"), 2, "the input `source` is given already"),
                (("--source", "The cat.", "--input", "valid=[1]", "--prompt", "Le"), 2, "the input `valid` is given already"),
                (("--source", " ", "--prompt", "Le"), 1, "--source: has no words")):
            self.assertIn(said, self.look(*words, expect=code).stderr)
        said = self.look("--source", "The cat.", "--prompt", "Le", entry="decoder", expect=2).stderr
        self.assertIn("--source: entry decoder has no input `source` of ids in rows", said)
        bare = next((self.folder / "run").glob("step-*")) / "parameters.safetensors"
        said = run(self.program, "run", "--entry", "logits", "--weights", bare, "--source", "The cat.", expect=2).stderr
        self.assertIn("there is no source vocabulary beside the weights", said)
        plain = self.folder / "plain"
        build(ROOT / "examples/gpt/gpt.weft", "--config", "tiny", "-o", plain)
        said = run(plain, "run", "--entry", "logits", "--initialize", "1", "--source", "The cat.", expect=2).stderr
        self.assertIn("--source: this program takes no source", said)
        self.assertIn("  --source TEXT", run(self.program, "run", "--help").stdout)
        self.assertNotIn("--source", run(plain, "run", "--help").stdout)


if __name__ == "__main__":
    main()
