"""`weft run --prompt` gives a model the ids that its tokenizer's own post-processor makes of the text: BERT's [CLS] and [SEP], RoBERTa's
pair, a template, or nothing; the result is that of these ids, to the byte. Usage: run_prompt.py WEFT"""
import json
import pathlib
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "weaver", "##s", "wove"]
TEMPLATE = {"type": "TemplateProcessing", "special_tokens": {name: {"id": name, "ids": [WORDS.index(name)], "tokens": [name]} for name in ("[CLS]", "[SEP]")}}


def single(*parts):
    return {**TEMPLATE, "single": [{"Sequence": {"id": "A", "type_id": 0}} if part == "A" else {"SpecialToken": {"id": part, "type_id": 0}} for part in parts]}


def main(weft, folder):
    program = [str(EXAMPLES / "bert/sentences.weft"), "--set", f"vocab={len(WORDS)},position=16,model=8,head=2,ff=16,layer=1"]

    def run(command, *words):
        done = subprocess.run([str(word) for word in (weft, command, *program, *words)], capture_output=True, text=True)
        assert done.returncode == 0, (command, words, done.stderr)
        return done.stdout

    run("init", "--seed", 1, "-o", folder / "first")
    run("export", "--from", folder / "first", "-o", folder / "theirs.safetensors")
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS) + "\n")

    def check(tokenizer, ids):
        run("import", "--from", folder / "theirs.safetensors", "--tokenizer", tokenizer, "-o", folder / "bert")
        given = ("--entry", "sentence", "--weights", folder / "bert", "--input", f"parts={[[0] * len(ids)]}", "--input", f"length={[len(ids)]}")
        asked = run("run", *given, "--prompt", "The weavers wove")
        assert asked == run("run", *given, "--input", f"tokens={[ids]}"), (tokenizer, asked)

    inner = [4, 5, 6, 7]
    check(vocabulary, [2, *inner, 3])
    document = {"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": {word: i for i, word in enumerate(WORDS)}},
                "normalizer": {"type": "BertNormalizer", "lowercase": True}, "pre_tokenizer": {"type": "BertPreTokenizer"}, "decoder": {"type": "WordPiece"},
                "added_tokens": [{"id": i, "content": WORDS[i], "special": True} for i in range(4)]}
    pair = {"sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}
    for processor, ids in ((None, inner), ({"type": "BertProcessing", **pair}, [2, *inner, 3]), ({"type": "RobertaProcessing", **pair}, [2, *inner, 3]),
                           (single("[CLS]", "A", "[SEP]"), [2, *inner, 3]), (single("[CLS]", "A"), [2, *inner]), (single("A", "[SEP]"), [*inner, 3]),
                           ({"type": "Sequence", "processors": [single("[CLS]", "A", "[SEP]")]}, [2, *inner, 3])):
        (folder / "tokenizer.json").write_text(json.dumps({**document, "post_processor": processor}))
        check(folder / "tokenizer.json", ids)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        main(sys.argv[1], pathlib.Path(name))
    print("ok")
