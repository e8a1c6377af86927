"""Compiled programs that search for continuations against the record (WEFT_DATA, else shared/data beside the repository):
greedy steps of 003#translate through the derived caches, the trained transliterator, beams of a GPT-2.
Usage: translation.py WEFT. Exits with 77 where the data is absent."""
import array
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import safetensors
import shared_library

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("WEFT_DATA") or ROOT.parent / "shared/data")
EXAMPLES = ROOT / "examples/translation"
GPT2 = """use gpt2
entry generate = decode[seq](logits, start = 0, max = 8)
config tiny with vocab = 1000, position = 512, model = 32, head = 4, layer = 5
weights tiny {
  "transformer.h.{layer}" = layer, "transformer.wte.weight" = wte, "transformer.wpe.weight" = wpe
  "transformer.ln_f" = ln_f
  copy "lm_head.weight" = wte, Linear.weight: [in, out], wpe: [position, model]
}
"""


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stderr}")
    return done.stdout


class Record:
    def __init__(self, weft, folder):
        self.weft, self.folder, self.compared, self.failed = weft, pathlib.Path(folder), 0, []

    def expect(self, what, found, expected):
        self.compared += 1
        if found != expected:
            self.failed.append(f"{what}: {found}, recorded {expected}")

    def near(self, what, most, bound):
        self.compared += 1
        print(f"{what:44} {most:.1e}, bound {bound:.1e}")
        if not most <= bound:
            self.failed.append(f"{what}: {most:.1e} is above {bound:.1e}")

    def decoding(self):
        """Nine greedy steps of four sentences side by side: ids by the command, logits by the library."""
        recorded = safetensors.read(DATA / "seeds/003-decode-correct.safetensors")
        sizes = "svocab=17,tvocab=13,model=12,head=3,ff=10,below=2,above=2"
        program = [EXAMPLES / "translation.weft", "--set", sizes]
        foreign, imported, inputs = self.folder / "theirs", self.folder / "ours", self.folder / "inputs"
        weights = {n.removeprefix("param."): t for n, t in recorded.items() if n.startswith("param.")}
        safetensors.write(foreign, weights)
        safetensors.write(inputs, {name: recorded[f"in.{name}"] for name in ("source", "valid")})
        run(self.weft, "import", *program, "--from", foreign, "--clause", "torch", "-o", imported)
        run(self.weft, "build", "--isa", "native", *program, "-o", self.folder / "translate")
        lines = run(self.folder / "translate", "generate", "--checkpoint", imported, "--inputs", inputs, "--ids", "--quiet").splitlines()
        _, (rows, steps), ids = recorded["out.ids"]
        for row in range(rows):
            self.expect(f"003-decode-correct {row}", lines[row], " ".join(map(str, [1, *ids[row * steps:(row + 1) * steps]])))
        run(self.weft, "build", "--isa", "native", *program, "--shared", "-o", self.folder / "libtranslate.so")
        library = shared_library.load(self.folder / "libtranslate.so")
        for name in ("weft_open", "weft_generator_open", "weft_error"):
            getattr(library, name).restype = ctypes.c_char_p if name == "weft_error" else ctypes.c_void_p
        library.weft_advance.restype = ctypes.POINTER(ctypes.c_float)

        def call(name, *arguments):
            result = getattr(library, name)(*arguments)
            if (result != 0) if name in ("weft_load", "weft_generator_rows", "weft_generator_input") else not result:
                sys.exit(f"{name}: {library.weft_error().decode()}")
            return result

        model = ctypes.c_void_p(call("weft_open", None))
        call("weft_load", model, str(imported).encode())
        generator = ctypes.c_void_p(call("weft_generator_open", model, None, ctypes.c_int64(steps)))
        call("weft_generator_rows", generator, ctypes.c_int64(rows))
        for name in ("source", "valid"):
            _, shape, values = recorded[f"in.{name}"]
            call("weft_generator_input", generator, name.encode(), (ctypes.c_int32 * len(values))(*values),
                 (ctypes.c_int64 * len(shape))(*shape), ctypes.c_int32(len(shape)))
        _, (_, _, words), logits = recorded["out.output"]
        fresh, most = [1] * rows, 0.0
        for step in range(steps):
            found = call("weft_advance", generator, (ctypes.c_int32 * rows)(*fresh), ctypes.c_int64(1))
            for row in range(rows):
                for word in range(words):
                    most = max(most, abs(found[row * words + word] - logits[(row * steps + step) * words + word]))
            fresh = [ids[row * steps + step] for row in range(rows)]
        self.near("003-decode-correct logits", most, 1e-5 * max(map(abs, logits)))
        words = {"weft_tokenizer": 1, "kind": "words", "words": ["<unk>", "go", "."], "marks": {"unknown": "<unk>"},
                 "lower": True, "spaced": True, "closes": False}
        (self.folder / "words.json").write_text(json.dumps(words))
        library.weft_tokenizer_open.restype, library.weft_tokenizer_size.restype = ctypes.c_void_p, ctypes.c_int64
        tokenizer = ctypes.c_void_p(call("weft_tokenizer_open", str(self.folder / "words.json").encode()))
        self.expect("words that a library reads", library.weft_tokenizer_size(tokenizer), len(words["words"]))

    def transliteration(self):
        data = DATA / "transliteration"
        expected = json.loads((data / "ref/expected.json").read_text())
        vocabularies = {side: (data / f"{side}_vocabulary.txt").read_text().splitlines() + ["<unk>"] for side in ("source", "target")}
        source, target = ({word: i for i, word in enumerate(words)} for words in vocabularies.values())
        program, weights, out = EXAMPLES / "transliteration.weft", self.folder / "weights", self.folder / "transliterate"
        texts = ["--source-tokenizer", f"words:{data}/source_vocabulary.txt", "--tokenizer", f"words:{data}/target_vocabulary.txt"]
        run(self.weft, "import", program, "--config", "trained", "--from", data / "aren-transliteration.f32.safetensors",
            "--clause", "trained", "-o", weights, *texts)
        run(self.weft, "build", "--isa", "native", program, "--config", "trained", "--weights", weights, "-o", out)
        most = 0.0
        for case in expected["scoring"]:
            ids = [target[expected["bos"]], *(target[word] for word in case["target"]), target[expected["eos"]]]
            tensors = {"source": [source[word] for word in case["source"]], "target": ids[:-1]}
            safetensors.write(self.folder / "inputs", {n: ("I32", [1, len(v)], array.array("i", v)) for n, v in tensors.items()})
            run(out, "run", "--entry", "scores", "--weights", weights, "--inputs", self.folder / "inputs", "--outputs", self.folder / "scores")
            scores = safetensors.read(self.folder / "scores")["output"][2]
            for place, word in enumerate(ids[1:]):
                most = max(most, abs(scores[place * len(target) + word] - case["token_scores"][place]))
        self.near("transliteration log-probabilities", most, 1e-5)
        bare = weights / "parameters.safetensors"
        # the recorded search divides scores by the length, its authors' default
        for number, case in enumerate(expected["translate"]):
            # the vocabularies are given, lie beside the weights, or are carried with them
            given = (["--checkpoint", bare, *texts], ["--checkpoint", weights], [])[number % 3]
            options = [word for run in case.get("suppress_sequences", []) for word in ("--suppress", " ".join(run))]
            options += ["--end", case["end_token"]] if "end_token" in case else []
            prompt = ["--prompt", " ".join(case["prefix"])] if "prefix" in case else []
            for beams in case["beams"]:
                limit = ["--max-tokens", case["max_decoding_length"]] if "max_decoding_length" in case else []
                found = run(out, "generate", *given, "--source", " ".join(case["source"]), *prompt, *limit, *options,
                            "--length-penalty", 1, "--beam", beams, "--quiet").split()
                if "output" in case:
                    self.expect(f"{' '.join(case['source'])}, {beams} beams", found, case["output"])
                else:
                    self.expect("length", len(found), case["output_length"])

    def beams(self):
        expected = json.loads((DATA / "gpt2-tiny/expected_beam.json").read_text())
        model = next((ROOT / "examples").rglob("gpt2.weft"))
        (self.folder / "gpt2.weft").write_text(model.read_text())
        tiny, weights, out = (self.folder / name for name in ("tiny.weft", "gpt2-weights", "gpt2"))
        tiny.write_text(GPT2)
        run(self.weft, "import", tiny, "--config", "tiny", "--from", DATA / "gpt2-tiny/tiny_gpt2.f32.safetensors", "--clause", "tiny", "-o", weights)
        run(self.weft, "build", "--isa", "native", tiny, "--config", "tiny", "-o", out)
        for given, wanted in zip(expected["input_ids"], expected["expected"]):
            found = run(out, "generate", "--checkpoint", weights, "--ids", "--prompt", " ".join(map(str, given)), "--beam",
                        expected["num_beams"], "--length-penalty", expected["length_penalty"], "--max-tokens",
                        expected["max_length"] - len(given), "--quiet")
            self.expect(f"beams behind {given[-3:]}", [int(word) for word in found.split()], wanted)


def main(weft):
    if not (DATA / "transliteration").is_dir():
        print(f"skipped: there is no {DATA}/transliteration; WEFT_DATA names the folder with recorded tensors")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        record = Record(weft, folder)
        for part in (record.decoding, record.transliteration, record.beams):
            part()
    print(f"{record.compared} comparisons with the record, {len(record.failed)} failures")
    print("\n".join(record.failed))
    return 1 if record.failed or not record.compared else 0


sys.exit(main(sys.argv[1]))
