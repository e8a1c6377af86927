"""Recorded attention, rotary positions and AdamW (WEFT_DATA, else shared/data beside the repository) against `weft run` and a
program that trains. Usage: record.py WEFT interpreted|compiled. Exits with 77 where the data is absent."""
import os
import pathlib
import subprocess
import sys
import tempfile

import safetensors

HERE = pathlib.Path(__file__).resolve().parent
DATA = pathlib.Path(os.environ.get("WEFT_DATA") or HERE.parents[1].parent / "shared/data")
GRADIENTS = [("single", "sdpa-seed42"), ("heads", "sdpa"), ("heads", "sdpa-wide"), ("mask2d", "sdpa-mask2d"),
             ("mask3d", "sdpa-mask3d"), ("mask4d", "sdpa-mask4d"), ("finite", "sdpa-maskedrow-finite"),
             ("infinite", "sdpa-maskedrow-inf")]


class Record:
    def __init__(self, weft, mode, folder):
        self.weft, self.compiled, self.folder = weft, mode == "compiled", pathlib.Path(folder)
        self.compared, self.failed = 0, []

    def command(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
        if done.returncode:
            self.failed.append(f"{' '.join(map(str, words[1:5]))}: {done.stderr[:400]}")
        return done.returncode == 0

    def run(self, program, entry, inputs, gradients=False):
        """Results and gradients of an entry, or nothing if it does not run."""
        files = {name: self.folder / f"{name}.safetensors" for name in ("inputs", "outputs", "gradients")}
        safetensors.write(files["inputs"], inputs)
        words = [self.weft, "run", HERE / f"{program}.weft", "--entry", entry, "--inputs", files["inputs"], "--outputs", files["outputs"]]
        words += ["--gradients", files["gradients"]] if gradients else []
        words += [] if self.compiled else ["--interpret"]
        if not self.command(*words):
            return None, None
        return safetensors.read(files["outputs"]), safetensors.read(files["gradients"]) if gradients else None

    def compare(self, name, found, expected, absolute=0.0, relative=0.0):
        most, largest = safetensors.farthest(found, expected)
        bound = absolute + relative * largest
        self.compared += 1
        print(f"{name:40} {most:.1e} of {largest:.1e}, bound {bound:.1e}")
        if not most <= bound:
            self.failed.append(f"{name}: {most:.1e} is above {bound:.1e}")

    def numerics(self):
        """The files state their own absolute tolerances, 1e-6; float32 adds its own rounding to values above 1."""
        for program, names in [("attention", {"q": "q", "k": "k", "v": "v", "mask": "mask_true_is_attend"}),
                               ("rope", {"x": "x", "positions": "positions"})]:
            entry = "sdpa" if program == "attention" else program
            recorded = safetensors.read(DATA / "numerics" / f"{entry}.safetensors")
            outputs, _ = self.run(program, entry, {argument: recorded[tensor] for argument, tensor in names.items()})
            if outputs:
                self.compare(f"numerics/{entry}", outputs["output"], recorded["expected"], absolute=1e-6,
                             relative=1e-6 if self.compiled else 0)

    def seeds(self):
        """Recorded in float64 and rounded to float32: that rounding, or what float32 arithmetic may add to it."""
        value, slope = (1e-5, 1e-4) if self.compiled else (2e-7, 2e-7)
        for entry, file in GRADIENTS:
            recorded = safetensors.read(DATA / "seeds" / f"000-{file}.safetensors")
            inputs = {name[3:]: tensor for name, tensor in recorded.items() if name.startswith("in.")}
            outputs, gradients = self.run("attention", entry, inputs, gradients=True)
            if not outputs:
                continue
            self.compare(f"000-{file} loss", outputs["output"], recorded["loss"], relative=value)
            for name in "qkv":
                self.compare(f"000-{file} d{name}", gradients[name], recorded[f"grad.in.{name}"], relative=slope)

    def adamw(self):
        """A thousand steps, each on its own row; others compare at 1e-4."""
        recorded = safetensors.read(DATA / "numerics" / "adamw.safetensors")
        kind, (steps, columns), rows = recorded["x"]
        safetensors.write(self.folder / "rows.safetensors", {"x": (kind, [steps, 1, columns], rows)})
        safetensors.write(self.folder / "first.safetensors", {"w": recorded["w0"]})
        if not self.command(self.weft, "build", "--isa", "native", HERE / "adamw.weft", "-o", self.folder / "adamw"):
            return
        for upto in (1, 2, 10, 100, 500, steps):
            out = self.folder / f"run{upto}"
            if not self.command(self.folder / "adamw", "train", "--data", f"tensors:{self.folder}/rows.safetensors", "--init",
                                self.folder / "first.safetensors", "--steps", upto, "--checkpoint-every", steps, "--out", out, "--quiet"):
                return
            weights = [path for path in out.rglob("parameters.safetensors")]
            expected = recorded["pytorch_final" if upto == steps else f"pytorch_step{upto}"]
            self.compare(f"numerics/adamw, step {upto}", safetensors.read(weights[0])["w"], expected, absolute=1e-4)


def main(weft, mode):
    if not (DATA / "numerics").is_dir():
        print(f"skipped: there is no {DATA}/numerics; WEFT_DATA names the folder with recorded tensors")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        record = Record(weft, mode, folder)
        record.numerics()
        record.seeds()
        if record.compiled:
            record.adamw()
    print(f"{record.compared} comparisons with the record, {len(record.failed)} failures")
    print("\n".join(record.failed))
    return 1 if record.failed or not record.compared else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
