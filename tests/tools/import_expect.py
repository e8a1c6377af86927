"""`weft import --expect`: what shapes cannot tell is told by recorded results. Usage: import_expect.py WEFT"""
import array
import math
import subprocess

from foreign import MODEL, Foreign, floats, main
import safetensors


class Expectations(Foreign):
    def test(self):
        self.expected()
        self.overflowing()

    def expected(self):
        """A layout that shapes cannot tell from the right one."""
        x = floats([3, MODEL], -4)
        safetensors.write(self.folder / "x", {"x": x})
        self.run("run", "--entry", "run", "--weights", self.folder / "first", "--inputs", self.folder / "x", "--outputs", self.folder / "y")
        y = safetensors.read(self.folder / "y")["output"]
        safetensors.write(self.folder / "recorded", {"x": x, "output": y})
        self.run("export", "--clause", "swapped", "--from", self.folder / "first", "-o", self.folder / "plain")
        self.take("swapped", self.folder / "plain", "ours", "--expect", self.folder / "recorded")
        wrong = {}
        for name, (kind, shape, values) in safetensors.read(self.folder / "plain").items():
            if name.endswith("q.weight"):
                values = array.array("f", (values[j * MODEL + i] for i in range(MODEL) for j in range(MODEL)))
            wrong[name] = (kind, shape, values)
        safetensors.write(self.folder / "wrong", wrong)
        self.take("swapped", self.folder / "wrong", "ours")
        error = self.take("swapped", self.folder / "wrong", "none", "--expect", self.folder / "recorded", code=1)
        assert "`output` is not as expected: first at [" in error, error
        assert not list(self.folder.glob("none*"))
        safetensors.write(self.folder / "other", {"z": x})
        assert "of no entry (run, positions)" in self.take("swapped", self.folder / "plain", "none", "--expect", self.folder / "other", code=1)
        self.infinities(x, y)

    def infinities(self, x, y):
        """An infinity is no scale: what it stands beside is still compared; nan is nothing to compare with."""
        plain, recorded = self.folder / "plain", self.folder / "recorded"

        def given(what, code, *words):
            error = self.take("swapped", plain, "none", "--expect", recorded, *words, code=code)
            assert what in error and not list(self.folder.glob("none*")), (what, error)

        for value, what in ((math.inf, "first at [1, 2]"), (-math.inf, "instead of -inf"), (math.nan, "holds nan at [1, 2]")):
            values = array.array("f", y[2])
            values[MODEL + 2] = value
            safetensors.write(recorded, {"x": x, "output": ("F32", y[1], values)})
            given(what, 1)
        for tolerance in ("inf", "nan", "-1", "1e-3x", "1e999"):
            given("--tolerance takes a number from 0", 2, "--tolerance", tolerance)
        given("there is no entry `nope`; there is run, positions", 1, "--entry", "nope")
        safetensors.write(recorded, {"z": x})
        given("of no entry (run)", 1, "--entry", "run")

    def overflowing(self):
        """Infinite where it was recorded so, all else as near as ever."""
        program = self.folder / "large.weft"
        program.write_text("dim batch, model\nentry run(x: [batch, model]) -> [batch, model] = up: Project[model, model](x)\n"
                           "config small with model = 2\nweights same { Project.weight: [in, out] }\n")
        safetensors.write(self.folder / "large", {"up.weight": ("F32", [2, 2], array.array("f", [3e38, 0, 0, 1]))})

        def takes(code, *output):
            recorded = {"x": ("F32", [2, 2], array.array("f", [2, 1, -2, 3])), "output": ("F32", [2, 2], array.array("f", output))}
            safetensors.write(self.folder / "recorded", recorded)
            done = subprocess.run([self.weft, "import", program, "--config", "small", "--from", self.folder / "large", "-o",
                                   self.folder / "large-ours", "--expect", self.folder / "recorded"], capture_output=True, text=True)
            assert done.returncode == code, (output, done)
            return done.stdout + done.stderr

        assert "as expected, 0.0e+00 of 3 apart" in takes(0, math.inf, 1, -math.inf, 3)
        assert "first at [0, 1], 1 instead of 1.5" in takes(1, math.inf, 1.5, -math.inf, 3)
        assert "first at [1, 0], -inf instead of inf" in takes(1, math.inf, 1, math.inf, 3)
        assert "first at [0, 0], inf instead of 7" in takes(1, 7, 1, -math.inf, 3)


main(Expectations)
