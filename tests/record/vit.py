"""A trained vision transformer on MNIST (WEFT_DATA, else shared/data beside the repository), from the checkpoint of others through
a `weights` clause into compiled programs: logits, the class of each of 10,000 images, gradients. Usage: vit.py WEFT. Exits with 77
where the data is absent."""
import array
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import safetensors

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("WEFT_DATA") or ROOT.parent / "shared/data")
PROGRAM = ROOT / "examples/vit/mnist.weft"
TRAINED = DATA / "vit-mnist/vit_mnist_10class.f32.safetensors"
CORRECT, LOSS = 9721, 0.0871301567906089  # of the record's header


class Vit:
    def __init__(self, weft, folder):
        self.weft, self.folder = weft, pathlib.Path(folder)

    def command(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, words[:6]))}: {done.stderr}")
        return done.stdout

    def converted(self, tensors, name):
        """The file that `weft import` makes of tensors with the checkpoint's names."""
        safetensors.write(self.folder / "theirs", tensors)
        self.command(self.weft, "import", PROGRAM, "--config", "trained", "--from", self.folder / "theirs", "--clause", "trained",
                     "-o", self.folder / name)
        return self.folder / name / "parameters.safetensors"

    def run(self, entry, inputs, *more):
        safetensors.write(self.folder / "inputs", inputs)
        self.command(self.weft, "run", PROGRAM, "--config", "trained", "--entry", entry, "--weights", self.folder / "weights",
                     "--inputs", self.folder / "inputs", "--outputs", self.folder / "outputs", *more)
        return safetensors.read(self.folder / "outputs")


def normalised(pixels):
    values = [(byte / 255 - 0.1307) / 0.3081 for byte in range(256)]
    return "F32", [len(pixels) // 784, 28, 28], array.array("f", (values[byte] for byte in pixels))


def within(what, far, largest, bound):
    print(f"vit-mnist {what}: {far:.1e} of {largest:.1e}, bound {bound * largest:.1e}")
    return far <= bound * largest


def main(weft):
    if not TRAINED.exists():
        print(f"skipped: there is no {TRAINED}")
        return 77
    with tempfile.TemporaryDirectory() as name:
        vit = Vit(weft, name)
        vit.converted(safetensors.read(TRAINED), "weights")
        recorded = safetensors.read(DATA / "vit-mnist/ref/t10k.safetensors")
        pixels = gzip.open(DATA / "images/mnist/t10k-images-idx3-ubyte.gz").read()[16:]
        outputs = vit.run("logits", {"image": normalised(pixels)})["output"]

        shape, logits = outputs[1], outputs[2]
        good = shape == [10000, 10]
        first = "F32", [32, 10], logits[:320]
        good &= within("logits", *safetensors.farthest(first, recorded["logits_0_31"]), 1e-5)
        rows = [logits[10 * i : 10 * i + 10] for i in range(10000)]
        classes = [row.index(max(row)) for row in rows]
        correct = sum(found == right for found, right in zip(classes, recorded["labels_all"][2]))
        same = sum(found == predicted for found, predicted in zip(classes, recorded["pred_all"][2]))
        print(f"vit-mnist classes: {correct} of 10000 right, {same} as recorded")
        good &= correct == CORRECT and same == 10000

        # the same through the program's own reader of MNIST
        vit.command(weft, "build", "--isa", "native", PROGRAM, "--config", "trained", "-o", vit.folder / "vit")
        measured = json.loads(vit.command(vit.folder / "vit", "eval", "--checkpoint", vit.folder / "weights", "--data",
                                          f"images:{DATA / 'images/mnist'}", "--mean", "0.1307", "--std", "0.3081", "--batch", "50", "--json"))
        print(f"vit-mnist eval: {measured}")
        good &= measured["rows"] == 10000 and round(10000 * measured["accuracy"]) == CORRECT
        good &= within("mean loss", abs(measured["loss"] - LOSS), LOSS, 1e-5)

        reference = safetensors.read(DATA / "vit-mnist/ref/grad_8images.safetensors")
        loss = reference.pop("loss_f64")
        labels = "I32", [8], array.array("i", recorded["labels_0_31"][2][:8])
        inputs = {"image": normalised(pixels[: 8 * 784]), "label": labels}
        found = vit.run("loss", inputs, "--gradients", vit.folder / "gradients")["loss"]
        good &= within("loss", safetensors.farthest(found, loss)[0], max(map(abs, logits[:80])), 1e-7)  # a difference of logits
        gradients = safetensors.read(vit.folder / "gradients")
        expected = safetensors.read(vit.converted(reference, "expected"))
        apart = {path: safetensors.farthest(gradients[path], gradient) for path, gradient in expected.items()}
        worst = max(apart, key=lambda path: apart[path][0] / apart[path][1])
        good &= within(f"d {worst}, the worst of {len(apart)} gradients", *apart[worst], 1e-4)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
