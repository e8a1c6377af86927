"""Training steps through weft.h that diverge change nothing; a program without memory says so."""
import array
import json
import pathlib
import resource
import subprocess
import unittest

from program import ProgramTest, build, compile_c, main, run
import safetensors
import shared_library

# The gradient of `root` is NaN at 0, where the loss is a number. Decay and means would change what has no gradient.
OVERFLOW = """
dim batch, width = 4
block Weighted(x: [batch, width]) -> float {
  param weight: [width] = 0.5
  param root: float = 1
  sum[(batch, width)](x * weight) + where(root > 0, log(root), 0)
}
entry loss(x: [batch, width]) -> float = Weighted(x)
entry train = minimize(loss, adamw(rate = 0.1, decay = 0.5){clip}, data = tensors(x))
"""


NAMED = """
dim b
block P(y: [b]) -> [b] {{
  param {0}: float = 3
  param {1}: float = 2
  param {2}: float = 1
  y * {0} * {1} * {2}
}}
entry out(x: [b]) -> (loss: float) {{
  loss = mean[b](P(x) ^ 2)
}}
entry train = minimize(out, sgd(rate = warmup_linear(peak = 0.001, warmup = 2)), clip = 1, data = tensors(x))
"""


# Each parameter has `two` sums, those of a layer `two` for each layer.
LOOPED = """
dim b, d = 2, two = 2, layer = 3
block summing(value: [..], gradient: [..], step: int, steps: int, rate: float = 0.1) -> [..] {
  y = gradient
  repeat[two] {
    state sums: [..] = 0
    sums = sums + y
    y = y + sums
  }
  value - rate * y
}
block Scale(x: [b, d]) -> [b, d] {
  param weight: [d] = 1
  x * weight
}
block All(x: [b, d]) -> float {
  param last: [d] = 2
  y = x * last
  repeat[layer] { y = y + Scale(x) }
  sum[(b, d)](y)
}
entry loss(x: [b, d]) -> float = All(x)
entry train = minimize(loss, summing(), data = tensors(x))
"""


class Steps(ProgramTest):
    def steps(self, source):
        (self.folder / "steps.weft").write_text(source)
        build(self.folder / "steps.weft", "--shared", "-o", self.folder / "libsteps.so")
        compile_c(pathlib.Path(__file__).with_name("steps.c"), self.folder / "libsteps.so", "-Wl,-rpath,$ORIGIN",
                  "-o", self.folder / "steps")
        run(self.folder / "steps", self.folder / "kept")
        build(self.folder / "steps.weft", "-o", self.folder / "trains")
        done = run(self.folder / "trains", "train", "--resume", "--data", "tensors:none", "--out", self.folder / "kept", expect=1)
        self.assertIn("saved by weft_trainer_save", done.stderr)
        self.assertIn("--init", done.stderr)

    def test_a_gradient_too_long_for_a_float(self):  # abi E20
        for clip in ("", ", clip = 1", ", clip_value = 1"):
            self.steps(OVERFLOW.replace("{clip}", clip))

    def test_parameters_called_like_numbers_of_a_step(self):
        safetensors.write(self.folder / "rows", {"x": ("F32", [4, 2], array.array("f", [1.0] * 8))})
        losses = []
        for names in (("step", "steps", "loss"), ("low", "high", "wide")):
            source = self.folder / f"{names[0]}.weft"
            source.write_text(NAMED.format(*names))
            build(source, "-o", self.folder / names[0])
            run(self.folder / names[0], "train", "--data", f"tensors:{self.folder / 'rows'}", "--steps", "4", "--out",
                self.folder / f"out-{names[0]}", "--quiet")
            lines = (self.folder / f"out-{names[0]}/log.jsonl").read_text().splitlines()
            losses.append([json.loads(line)["loss"] for line in lines])
        self.assertEqual(len(losses[0]), 4)
        self.assertEqual(losses[0], losses[1])
        self.assertLess(losses[0][3], losses[0][0])

    def test_a_state_in_a_loop_of_an_optimizer(self):
        safetensors.write(self.folder / "rows", {"x": ("F32", [3, 4, 2], array.array("f", [0.25, 0.5] * 12))})
        (self.folder / "looped.weft").write_text(LOOPED)
        build(self.folder / "looped.weft", "-o", self.folder / "looped")
        run(self.folder / "looped", "train", "--data", f"tensors:{self.folder / 'rows'}", "--steps", "3", "--out", self.folder / "out", "--quiet")
        got = safetensors.read(self.folder / "out/step-3/parameters.safetensors")
        expected = []
        for gradient in (1.0, 2.0):  # of four rows
            moved, sums = 0, [0, 0]
            for _ in range(3):
                y = gradient
                for i in range(2):
                    sums[i] += y
                    y += sums[i]
                moved -= 0.1 * y
            expected.append(moved)
        for name, (_, shape, values) in got.items():
            for i, value in enumerate(values):
                self.assertAlmostEqual(value, expected[i % 2] + (2 if name == "last" else 1), delta=1e-5, msg=name)
        self.assertEqual([shape for _, shape, _ in got.values()], [[2]] * 4)

    @unittest.skipIf(shared_library.preloaded(), "a sanitizer's own memory is beyond the limit")
    def test_a_program_without_memory_says_so(self):
        """With ever less of it there is a message and an exit code, never a signal."""
        self.train("run", "--steps", "1", "--quiet")

        def limited(megabytes):
            limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
            return subprocess.run([self.program, "generate", "--checkpoint", self.folder / "run", "--prompt", "The", "--max-tokens", "4"],
                                  capture_output=True, text=True, preexec_fn=limit)
        codes = {}
        for megabytes in (*range(10, 60, 2), *range(60, 200, 20)):
            done = limited(megabytes)
            if "cannot allocate memory" in done.stderr or "error while loading" in done.stderr:
                continue  # of the loader, before there is a program
            codes[done.returncode] = codes.get(done.returncode, 0) + 1
            self.assertGreaterEqual(done.returncode, 0, f"{megabytes} MB: {done.stderr}")
            if done.returncode != 0:
                self.assertNotEqual(done.stderr, "")
        print(codes)


if __name__ == "__main__":
    main()
