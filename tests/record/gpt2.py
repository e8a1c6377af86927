"""A GPT-2 of Hugging Face (WEFT_DATA, else shared/data beside the repository), from its checkpoint through a `weights` clause to
the logits of a compiled program, in two models: one with its fused projection, one with q, k and v of their own. Usage: gpt2.py
WEFT. Exits with 77 where the data is absent."""
import os
import pathlib
import subprocess
import sys
import tempfile

import safetensors

HERE = pathlib.Path(__file__).resolve().parent
DATA = pathlib.Path(os.environ.get("WEFT_DATA", HERE.parents[1].parent / "shared" / "data")) / "gpt2-tiny"
EXAMPLES = HERE.parents[1] / "examples" / "gpt"
SIZES = "vocab=1000,position=512,model=32,head=4,layer=5"


def main(weft):
    if not DATA.is_dir():
        print(f"skipped: there is no {DATA}")
        return 77
    original = safetensors.read(DATA / "tiny_gpt2.f32.safetensors")
    recorded = safetensors.read(DATA / "logits.safetensors")
    kind, shape, ids = recorded["input_ids"]
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        safetensors.write(folder / "record", {"tokens": (kind, [1, *shape], ids), "output": recorded["logits_f32"]})

        def command(file, *words):
            subprocess.run([weft, words[0], EXAMPLES / f"{file}.weft", "--set", SIZES, *words[1:]], check=True)

        for file in ("gpt2", "huggingface"):
            mapped = ("--clause", "huggingface", "--prefix", "transformer.")
            command(file, "import", *mapped, "--from", DATA / "tiny_gpt2.f32.safetensors", "--expect", folder / "record",
                    "--entry", "logits", "--tolerance", "1e-5", "-o", folder / file)
            safetensors.write(folder / "inputs", {"tokens": (kind, [1, *shape], ids)})
            command(file, "run", "--entry", "logits", "--weights", folder / file, "--inputs", folder / "inputs",
                    "--outputs", folder / "outputs")
            most, largest = safetensors.farthest(safetensors.read(folder / "outputs")["output"], recorded["logits_f32"])
            print(f"GPT-2 (tiny) by {file}.weft: {most:.1e} of {largest:.1e}")
            failed += not most <= 1e-5 * largest
            command(file, "export", *mapped, "--from", folder / file, "-o", folder / "back")
            back = safetensors.read(folder / "back")
            same = {name: tensor for name, tensor in original.items() if name != "lm_head.weight"}  # a copy: not written
            failed += back != same
            print(f"{len(back)} tensors exported, {sum(back[name] == same.get(name) for name in back)} as they were")
    return 1 if failed else 0


sys.exit(main(sys.argv[1]))
