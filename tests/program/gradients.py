"""Gradients of entries: `weft run`, the interpreter and built programs give the same ones, of every parameter, or say why not."""
import array
import pathlib
import re
import sys

from program import ROOT, WEFT, ProgramTest, build, main, run
import safetensors

SOURCE = """
dim batch, model = 3, out = 2, layer = 2

block Net(x: [batch, model]) -> [batch, out] {
  repeat[layer] {
    silent = side: Linear[model, model](x)
    x = tanh(main: Linear[model, model](x)) + 0 * silent
  }
  last: Linear[model, out](x)
}
entry forward(x: [batch, model]) -> [batch, out] = net: Net(x)
entry loss(x: [batch, model], y: [batch, out]) -> float = mean[(batch, out)]((net: Net(x) - y) ^ 2)
entry later(x: [batch, model]) -> (rows: [batch], whole: float) {
  z = net: Net(x)
  rows = sum[out](z)
  whole = sum[batch](rows)
}
entry vectors(x: [batch, model]) -> (a: [batch], b: [batch]) {
  a = sum[model](x)
  b = sum[model](2 * x)
}
entry positions(x: [batch, model]) -> int[batch] = argmax[model](x)
entry named(x: [batch, model]) -> (x: [batch, model], total: float) {
  x = 2 * x
  total = sum[(batch, model)](x)
}
entry train = minimize(loss, sgd(rate = 0.1), data = tensors(x, y))
"""
X, Y = "x=[[1, 2, 3], [4, 5, 6.5]]", "y=[[1, 2], [4, 5]]"
PARAMETERS = {f"net.{path}.{part}" for path in ("layer.0.main", "layer.1.main", "layer.0.side", "layer.1.side", "last")
              for part in ("weight", "bias")}


class Gradients(ProgramTest):
    source = SOURCE

    def ways(self, entry, program=None):
        """The commands that run an entry: compiled for the occasion, interpreted, built before."""
        given = ["--entry", entry, "--initialize", "1", "--input", X] + (["--input", Y] if entry in ("loss", "train.gradient") else [])
        source = self.folder / "model.weft"
        return [[WEFT, "run", source, *given], [WEFT, "run", source, "--interpret", *given], [program or self.program, "run", *given]]

    def files(self, way, *names):
        for name in names:
            way = [*way, f"--{name}", self.folder / f"{name}.st"]
        run(*way)
        return [safetensors.read(self.folder / f"{name}.st") for name in names]

    def close(self, found, expected):
        self.assertEqual(set(found), set(expected))
        for name, (_, shape, values) in expected.items():
            self.assertEqual(found[name][1], shape, name)
            for a, b in zip(found[name][2], values):
                self.assertAlmostEqual(a, b, delta=1e-4 * max(1, abs(b)), msg=name)

    def same(self, entry, program=None):
        ways = self.ways(entry, program)
        outputs, gradients = self.files(ways[1], "outputs", "gradients")
        for way in (ways[0], ways[2]):
            for found, expected in zip(self.files(way, "outputs", "gradients"), (outputs, gradients)):
                self.close(found, expected)
        return gradients

    def refused(self, entry, *texts):
        for way in self.ways(entry):
            done = run(*way, "--gradients", self.folder / "none.st", expect=1)
            for text in (f"no gradient of `{entry}`", *texts):
                self.assertIn(text, done.stderr)
            self.assertFalse((self.folder / "none.st").exists())

    def test_every_parameter_that_is_read(self):
        gradients = self.same("loss")
        self.assertEqual(set(gradients), PARAMETERS | {"x", "y"})
        for name, (_, _, values) in gradients.items():
            self.assertEqual(any(values), ".side." not in name, name)

    def test_a_number_that_is_not_the_first_result(self):
        self.assertEqual(set(self.same("later")), PARAMETERS | {"x"})

    def test_a_sum_is_asked_for_when_building(self):
        done = run(*self.ways("forward")[2], "--gradients", self.folder / "g.st", expect=1)
        self.assertIn("gives no single number (`output: float[batch, out]`)", done.stderr)
        self.assertIn("add `--gradients-of forward` to `weft build`", done.stderr)
        program = self.folder / "with"
        build(self.folder / "model.weft", "-o", program, "--gradients-of", "forward")
        self.assertEqual(set(self.same("forward", program)), PARAMETERS | {"x"})
        done = build(self.folder / "model.weft", "-o", program, "--gradients-of", "forward,other", expect=1)
        self.assertIn("there is no entry `other`; there is `forward`, `loss`, `later`, `vectors`, `positions`, `named`\n", done.stderr)
        done = build(self.folder / "model.weft", "-o", program, "--gradients-of", "vectors", expect=1)
        self.assertIn("no gradient of `vectors`", done.stderr)

    def test_what_has_none(self):
        self.refused("vectors", "several float results, none of which is a single number: `a: float[batch]`, `b: float[batch]`")
        self.refused("positions", "none of its results is a float: `output: int[batch]`")

    def test_the_gradient_of_a_training(self):
        ways = self.ways("train.gradient")
        for way in ways:
            (outputs,) = self.files(way, "outputs")
            self.assertEqual(set(outputs), PARAMETERS | {"output"})
            outputs, gradients = self.files(way, "outputs", "gradients")
            self.assertEqual((set(outputs), set(gradients)), ({"output"}, PARAMETERS))

    def test_one_name_twice(self):
        for way in self.ways("named.gradient"):
            done = run(*way, "--outputs", self.folder / "twice.st", expect=2)
            self.assertIn("a result and a gradient are both called `x`; with --gradients FILE they are apart", done.stderr)
            self.files(way, "outputs", "gradients")
        build(self.folder / "model.weft", "--shared", "-o", self.folder / "libmodel.so")
        said = run(sys.executable, pathlib.Path(__file__).with_name("library.py"), "./libmodel.so", "named.gradient", "x=[[1, 2, 3]]",
                   cwd=self.folder).stdout
        self.assertIn("error 3: entry named.gradient has two outputs `x`, of which one is a gradient", said)

    def test_training_by_what_the_loss_does_not_depend_on(self):
        numbers = [0.1 * i for i in range(24)]
        safetensors.write(self.folder / "data.safetensors", {"x": ("F32", [2, 4, 3], array.array("f", numbers)),
                                                             "y": ("F32", [2, 4, 2], array.array("f", numbers[:16]))})
        run(self.program, "train", "--data", f"tensors:{self.folder}/data.safetensors", "--steps", "2", "--batch", "4", "--seed", "1",
            "--out", self.folder / "trained", "--quiet")
        self.assertLessEqual(PARAMETERS, set(safetensors.read(self.folder / "trained/step-2/parameters.safetensors")))

    def test_batches_without_numbers(self):
        numbers = [0.1 * i for i in range(24)]
        numbers[12] = float("nan")  # of step 2
        data = self.folder / "nan.safetensors"
        safetensors.write(data, {"x": ("F32", [2, 4, 3], array.array("f", numbers)), "y": ("F32", [2, 4, 2], array.array("f", numbers[:8] * 2))})
        done = run(self.program, "train", "--data", f"tensors:{data}", "--steps", "2", "--batch", "4", "--seed", "1", "--out", self.folder / "stopped",
                   "--quiet", expect=1)
        self.assertIn("the loss of step 2 is no number: `x` of its batch holds NaN; mend the data", done.stderr)


ACTIVATIONS = re.findall(r"^fn (\w+)\(x: \[\.\.\]", (ROOT / "frontend/library/activations.weft").read_text(), re.M)


class Bends(ProgramTest):
    """Where a function of the library bends, its gradient lies between the slopes of both sides."""

    source = "dim n\n" + "".join(f"entry {name}_of(x: [n]) -> (y: [n], all: float) {{\n  y = {name}(x)\n  all = sum[n](y)\n}}\n" for name in ACTIVATIONS)

    def test_every_activation(self):
        step, bends = 0.01, (-3, 0, 3)
        self.assertIn("elu", ACTIVATIONS)
        points = [bend + side * step for bend in bends for side in (-1, 0, 1)]
        files = [self.folder / name for name in ("values.st", "gradients.st")]
        for name in ACTIVATIONS:
            for way in ([WEFT, "run", self.folder / "model.weft", "--interpret"], [self.program, "run"]):
                run(*way, "--entry", f"{name}_of", "--input", f"x={points}", "--outputs", files[0], "--gradients", files[1])
                y, slopes = safetensors.read(files[0])["y"][2], safetensors.read(files[1])["x"][2]
                for i, bend in enumerate(bends):
                    before, at, behind = y[3 * i:3 * i + 3]
                    sides = sorted(((at - before) / step, (behind - at) / step))
                    self.assertTrue(sides[0] - 0.02 <= slopes[3 * i + 1] <= sides[1] + 0.02, f"{name} at {bend}: {slopes[3 * i + 1]}, sides {sides}")


if __name__ == "__main__":
    main()
