"""A trained GPT whose weights are rounded by what multiplies them loses less than by rounding to the nearest, on text that neither saw; most parameters
gain by it, which they would not if moments belonged to other rows than those they are used for. Usage: calibrate.py WEFT"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = [ROOT / "examples/gpt/gpt.weft", "--config", "tiny"]


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def main(weft):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text = (ROOT / "docs/language.md").read_bytes()
        for part, of in {"learned": text[: len(text) * 3 // 4], "unseen": text[len(text) * 3 // 4 :]}.items():
            (folder / part).write_bytes(of)
        run(weft, "build", "--isa", "native", *MODEL, "-o", folder / "gpt")
        run(folder / "gpt", "train", "--data", f"text:{folder}/learned", "--tokenizer", "byte", "--steps", 400, "--seed", 1, "--quiet", "--out", folder / "out")

        def lost(*options):
            said = run(weft, "build", "--isa", "native", *MODEL, "--weights", folder / "out/step-400", "--weights-as", "int4", *options, "--measure", f"text:{folder}/unseen", "-o", folder / "four")
            print(said)
            kept = re.search(r"(\d) of (\d) rounded parameters are", said)
            return float(re.search(r"\(([+-][\d.]+) %\)", said)[1]), kept and (int(kept[1]), int(kept[2]))

        nearest, _ = lost()
        calibrated, (kept, of) = lost("--calibrate", f"text:{folder}/learned")
        assert of == 6 and kept >= 4, f"{kept} of {of}"
        assert calibrated < 0.8 * nearest, f"{calibrated} % and to the nearest {nearest} %"


main(*sys.argv[1:])
