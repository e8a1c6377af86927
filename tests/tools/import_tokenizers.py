"""Tokenizers that go with weights, into a folder (`weft import --tokenizer`) or a program (`weft build --weights`): each is held against
the vocabulary that it is for; of what does not fit, nothing is written. Usage: import_tokenizers.py WEFT"""
import json
import pathlib
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
GPT = (EXAMPLES / "gpt/gpt.weft", "--config", "tiny")
SMALL = (*GPT, "--set", "vocab=9,model=8,head=2,layer=1,position=8")
PAIRS = (EXAMPLES / "translation/translation.weft", "--set", "svocab=7,tvocab=9,model=8,head=2,ff=8,below=1,above=1")
WORDS = ("<pad>", "<bos>", "<eos>", "<unk>", "to", "be", "or", "not", "the")


class Suite:
    def __init__(self, weft, folder):
        self.weft, self.folder = weft, folder
        self.words(8, "eight")
        self.words(9, "nine")
        self.words(10, "ten")
        (folder / "merges").write_text("t h\n")
        (folder / "sources").write_text("\n".join(word for word in WORDS[:8] if word != "<bos>") + "\n")

    def words(self, count, name):
        (self.folder / name).write_text("\n".join([*WORDS, "question"][:count]) + "\n")

    def run(self, *words, code=0):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
        assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        return done.stderr if code else done.stdout

    def file(self, name):
        return f"words:{self.folder / name}"

    def foreign(self, model):
        self.run(self.weft, "init", *model, "--seed", 1, "-o", self.folder / "ours")
        self.run(self.weft, "export", *model, "--clause", "torch", "--from", self.folder / "ours", "-o", self.folder / "theirs")
        return self.folder / "theirs"

    def both(self, model, *options, code=0, said=""):
        """Import and build, which say the same; what is written is there after a success and only then."""
        foreign = self.foreign(model)
        before = sorted(self.folder.rglob("*"))
        for made, command in (("import", ("import", "--clause", "torch", "--from", foreign)),
                              ("program", ("build", "--weights", self.folder / "ours", "--isa", "x86-64-v3"))):
            error = self.run(self.weft, command[0], *model, *command[1:], *options, "-o", self.folder / made, code=code)
            if code:
                assert said in error and error.count("\n") == 1, (command, error)
                assert sorted(self.folder.rglob("*")) == before, "something was written"

    def test(self):
        self.fits()
        self.folder_to_program()
        self.refused()
        self.broken()
        self.pairs()

    def fits(self):
        self.both(SMALL, "--tokenizer", self.file("nine"))
        kept = json.loads((self.folder / "import/tokenizer.json").read_text())
        assert kept["kind"] == "words" and kept["words"] == list(WORDS), kept
        self.run(self.weft, "import", *GPT, "--clause", "torch", "--from", self.foreign(GPT), "--tokenizer", "byte", "-o", self.folder / "import")
        assert json.loads((self.folder / "import/tokenizer.json").read_text())["kind"] == "bytes"

    def folder_to_program(self):
        """An import with its tokenizer becomes a program, which encodes and decodes as the file does."""
        program, bare = self.folder / "program", self.folder / "bare"
        self.run(self.weft, "build", *GPT, "--weights", self.folder / "import", "--isa", "x86-64-v3", "-o", program)
        self.run(self.weft, "build", *GPT, "--isa", "x86-64-v3", "-o", bare)
        generate = ("generate", "--prompt", "To be", "--max-tokens", 5, "--quiet")
        assert self.run(program, *generate) == self.run(bare, *generate, "--checkpoint", self.folder / "import")
        bare.unlink()
        kept = (self.folder / "import/tokenizer.json")
        kept.write_text(kept.read_text()[:-4])
        before, names = program.read_bytes(), sorted(self.folder.rglob("*"))
        error = self.run(self.weft, "build", *GPT, "--weights", self.folder / "import", "-o", program, code=1)
        assert str(kept) in error and error.count("\n") == 1, error
        words = {"weft_tokenizer": 1, "kind": "words", "lower": True, "spaced": True, "closes": True,
                 "marks": {"unknown": "<unk>", "end": "<eos>"}, "words": ["<unk>", "<eos>", *(f"w{i}" for i in range(300))]}
        kept.write_text(json.dumps(words))
        error = self.run(self.weft, "build", *GPT, "--weights", self.folder / "import", "-o", program, code=1)
        assert f"{kept}: the tokenizer (words) has 302 ids, but the model's vocab is 256" in error, error
        assert program.read_bytes() == before and sorted(self.folder.rglob("*")) == names

    def refused(self):
        for made in ("import", "program"):
            self.run("rm", "-r", self.folder / made)
        self.both(SMALL, "--tokenizer", self.file("ten"), code=1,
                  said=f"--tokenizer {self.file('ten')}: the tokenizer (words) has 10 ids, but the model's vocab is 9; build with --set vocab=10 or")
        self.both(SMALL, "--tokenizer", self.file("eight"), code=1, said="has 8 ids, but the model's vocab is 9")
        self.both(SMALL, "--tokenizer", "byte", code=1, said="--tokenizer byte: the tokenizer (bytes) has 256 ids, but the model's vocab is 9")
        self.both(GPT, "--tokenizer", f"merges:{self.folder / 'merges'}", code=1, said="the tokenizer (bpe) has 258 ids, but the model's vocab is 256")
        self.both(SMALL, "--source-tokenizer", self.file("nine"), code=1,
                  said=f"--source-tokenizer {self.file('nine')}: the tokenizer (words) has 9 ids, and no input of the model that takes sources is an index")

    def broken(self):
        for content, said in ((b"", "broken: is empty, expected a token on each line"), (b"<s>\na\n\nb\n", "broken:3: is empty"),
                              (b"a\na\n", "broken: is no vocabulary: id 1, `a`, is there twice"), (b"<s>\na\xff\n", "broken:2: is not UTF-8"),
                              (b"<s>\r\na\r\n", "broken:1: ends with")):
            (self.folder / "broken").write_bytes(content)
            self.both(SMALL, "--tokenizer", self.file("broken"), code=1, said=said)
        self.both(SMALL, "--tokenizer", self.folder / "nowhere.json", code=1, said="nowhere.json: ")
        self.both(SMALL, "--tokenizer", "char", code=1, said="the tokenizer of the training is needed")

    def pairs(self):
        """Two vocabularies, which are told apart by what they index and by how they begin."""
        self.both(PAIRS, "--tokenizer", self.file("nine"), "--source-tokenizer", self.file("sources"))
        source = json.loads((self.folder / "import/source-tokenizer.json").read_text())
        assert len(source["words"]) == 7 and "begin" not in source["marks"], source
        for made in ("import", "program"):
            self.run("rm", "-r", self.folder / made)
        self.both(PAIRS, "--tokenizer", self.file("sources"), "--source-tokenizer", self.file("nine"), code=1, said="the model's tvocab is 9")
        self.both(PAIRS, "--source-tokenizer", self.file("nine"), code=1, said="has 9 ids, but the model's svocab is 7")
        equal = (PAIRS[0], "--set", PAIRS[2].replace("svocab=7", "svocab=9"))
        (self.folder / "sources").write_text((self.folder / "sources").read_text() + "a\nb\n")
        self.both(equal, "--tokenizer", self.file("sources"), "--source-tokenizer", self.file("nine"), code=1,
                  said=f"--tokenizer {self.file('sources')} and --source-tokenizer {self.file('nine')} are exchanged")


with tempfile.TemporaryDirectory() as name:
    Suite(sys.argv[1], pathlib.Path(name)).test()
print("ok")
