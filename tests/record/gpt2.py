"""A GPT-2 of Hugging Face (WEFT_DATA, else shared/data beside the repository), from its checkpoint through a `weights` clause to
the logits of a compiled program. Usage: gpt2.py WEFT. Exits with 77 where the data is absent."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import safetensors

HERE = pathlib.Path(__file__).resolve().parent
DATA = pathlib.Path(os.environ.get("WEFT_DATA", HERE.parents[1].parent / "shared" / "data")) / "gpt2-tiny"
PROGRAM = """use gpt2
config tiny with vocab = 1000, position = 512, model = 32, head = 4, layer = 5
weights tiny {
  "transformer.h.{layer}" = layer, "transformer.wte.weight" = wte, "transformer.wpe.weight" = wpe
  "transformer.ln_f" = ln_f
  ignore "lm_head.weight"  # the table again
}
"""


def main(weft):
    if not DATA.is_dir():
        print(f"skipped: there is no {DATA}")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(HERE.parents[1] / "examples" / "gpt" / "gpt2.weft", folder)
        (folder / "tiny.weft").write_text(PROGRAM)
        recorded = safetensors.read(DATA / "logits.safetensors")
        kind, shape, ids = recorded["input_ids"]
        safetensors.write(folder / "inputs", {"tokens": (kind, [1, *shape], ids)})

        def command(*words):
            subprocess.run([weft, words[0], folder / "tiny.weft", "--config", "tiny", *words[1:]], check=True)

        command("init", "--from", DATA / "tiny_gpt2.f32.safetensors", "--clause", "tiny", "-o", folder / "weights")
        command("run", "--entry", "logits", "--weights", folder / "weights", "--inputs", folder / "inputs",
                "--outputs", folder / "outputs")
        most, largest = safetensors.farthest(safetensors.read(folder / "outputs")["output"], recorded["logits_f32"])
    print(f"GPT-2 (tiny), compiled: {most:.1e} of {largest:.1e}")
    return 0 if most <= 1e-5 * largest else 1


sys.exit(main(sys.argv[1]))
