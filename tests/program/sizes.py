"""Sizes that come with the data and do not fit: every run is refused before anything is read, in one sentence, the same in a
program, a library, `weft run` and the interpreter; and what fits is right in all of them."""
import array
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

from program import WEFT, build, run
import safetensors

# Program, entry, input, and what is said (of a list: the numbers that come out).
CASES = [
    ("dim batch, seq, model\nentry cls(x: [batch, seq, model]) -> [batch, model] = x[seq = 0]\n"
     "entry second(x: [batch, seq, model]) -> [batch, model] = x[seq = 1] - x[seq = 0]",
     [("second", ["x=[[[1,2]],[[30,40]]]"], "second: x[seq = 1] (model.weft:3) needs `seq` of at least 2, but it is 1; seq = 1 comes from"),
      ("second", ["x=[[[1,2],[4,8]]]"], [3, 6]),
      ("cls", ["x=[[[1,2]],[[30,40]]]"], [1, 2, 30, 40])]),  # asks nothing that `second` asks
    ("dim batch, seq\nentry third(x: [batch, seq]) -> [batch] = x[seq = 3]\nentry far(x: [batch, seq]) -> [batch] = x[seq = 100000000]",
     [("third", ["x=[[1,2]]"], "third: x[seq = 3] (model.weft:2) needs `seq` of at least 4, but it is 2"),
      ("third", ["x=[[1,2,3,4]]"], [4]),
      ("far", ["x=[[1,2]]"], "far: x[seq = 100000000] (model.weft:3) needs `seq` of at least 100000001, but it is 2")]),
    ("dim batch, model, k = 5\nentry run(x: [batch, model]) -> [batch, k] = x[model = top[k, model](x)]",
     [("run", ["x=[[1,2,3]]"], "run: top[k, model] (model.weft:2) takes 5 positions, but `model` has 3"),
      ("run", ["x=[[1,2,3,4,5]]"], [5, 4, 3, 2, 1])]),
    ("dim batch, seq, win = 3, out = seq - win + 1\n"
     "entry ma(x: [batch, seq]) -> [batch, out] = mean[win](x[seq = index(out) + index(win)])",
     [("ma", ["x=[[1,2]]"], "ma: `out` = seq - 2 (model.weft:1) is 0, but every size is at least 1"),
      ("ma", ["x=[[1]]"], "ma: `out` = seq - 2 (model.weft:1) is -1, but every size is at least 1"),
      ("ma", ["x=[[1,2,3,7]]"], [2, 4])]),
    ("dim batch, seq, rest = seq - 3, a = 3, parts = a | rest\n"
     "entry run(x: [batch, seq]) -> [batch, rest] = x[seq = index(rest) + 3]",
     [("run", ["x=[[1,2]]"], "run: `rest` = seq - 3 (model.weft:1) is -1, but every size is at least 1"),
      ("run", ["x=[[1,2,3,4]]"], [4])]),
    ("dim batch, width, kw = 5, stride = 2, out = (width - kw) / stride + 1\n"
     "entry run(x: [batch, width]) -> [batch, out] = sum[kw](x[width = index(out) * size(stride) + index(kw)])",
     [("run", ["x=[[1,2,3]]"], "(model.weft:1) is 0, but every size is at least 1"),
      ("run", ["x=[[1,2,3,4]]"], "(model.weft:1) is not whole: "),
      ("run", ["x=[[1,2,3,4,5,6,7]]"], [15, 25])]),
    ("dim seq, wide = 2 * seq, double = 2 * seq, short = seq\n"
     "entry run(x: [seq, wide]) -> [double, short] = x[(seq, wide) as (double, short)]",
     [("run", ["x=[[1,2]]"], [1, 2]), ("run", ["x=[[1,2,3,4],[5,6,7,8]]"], [1, 2, 3, 4, 5, 6, 7, 8])]),
    ("dim batch, width, out = width - 2\nentry run(x: [batch, width]) -> [batch, out] = x[width = index(out) + 2]",
     [("run", ["x=[[1]]"], "run: `out` = width - 2 (model.weft:1) is -1, but every size is at least 1"),
      ("run", ["x=[[1,2]]"], "run: `out` = width - 2 (model.weft:1) is 0, but every size is at least 1"),
      ("run", ["x=[[1,2,3]]"], [3])]),
    ("dim batch, seq, vocab = 3, model = 2\n"
     "entry first(t: vocab[batch, seq], table: [vocab, model]) -> [batch, model] = exp(table[vocab = t])[seq = 1]",
     [("first", ["t=[[0]]", "table=[[0,0],[0,0],[0,0]]"], "[seq = 1] (model.weft:2) needs `seq` of at least 2, but it is 1"),
      ("first", ["t=[[0,1]]", "table=[[0,0],[0,0],[0,0]]"], [1, 1])]),
    ("dim n, m\nentry run(v: [n], w: [m]) -> [n] = v[n = floor(index(n) * 65536 * size(m) / (65536 * size(m)))]",
     [("run", ["v=[1,2,3]", "w=[0,0]"], [1, 2, 3]),
      ("run", ["v=[1,2]", f"w={[0] * 40000}"], "a position along `n` (model.weft:2) is computed by way of ")]),
    ("dim b, s = 1\nentry run(x: [b, s]) -> float {\n  y = x - x\n  mean[(b)](sum[s](y[b = 2]) + min[s](y))\n}",
     [("run", ["x=[[1]]"], "run: y[b = 2] (model.weft:4) needs `b` of at least 3, but it is 1"), ("run", ["x=[[1],[2],[3]]"], [0])]),
    ("dim s\nentry run(x: [s], keep: bool[s]) -> float = where(keep, x, 0)[s = 1]",
     [("run", ["x=[2]", "keep=[true]"], "[s = 1] (model.weft:2) needs `s` of at least 2, but it is 1"),
      ("run", ["x=[2,3]", "keep=[true,true]"], [3])]),
    ("dim batch, model, k = 4\nentry run(x: [batch, model]) -> int[batch, k] = top[k, model](x)",
     [("run", ["x=[[1,2,3]]"], "run: top[k, model] (model.weft:2) takes 4 positions, but `model` has 3"),
      ("run", ["x=[[1,2,3,4]]"], [3, 2, 1, 0])]),
    ("dim seq, wide = 2 * seq, double = 2 * seq, short = seq\n"
     "entry run(x: [seq, wide]) -> [double, short] = (x * 2 + 1)[(seq, wide) as (double, short)]",  # of a computed value
     [("run", ["x=[[1,2]]"], [3, 5])]),
    ("dim s, m = 1, m2 = 1\nentry run(spot: s, pos: [m]) -> [m2] = pos[m as m2]",  # nothing brings `s`
     [("run", ["spot=0", "pos=[3]"], "the size of s is not known: ")]),
    ("dim s, t = 2 * s, m = 1, m2 = 1\n"  # nor what `t` follows from
     "entry run(spot: t, pos: [m]) -> [m2] = pos[m as m2]\nentry all(spot: t[m], pos: [m]) -> [m2] = pos[m as m2] + sum[m](1.0 * spot)",
     [("run", ["spot=0", "pos=[3]"], "the size of s is not known: "), ("all", ["spot=[1]", "pos=[3]"], "the size of s is not known: ")]),
    ("dim s, t = s - 2\nentry run(x: [s], spot: t[s]) -> [s] = x + spot",  # positions of what has no size
     [("run", ["x=[1,2]", "spot=[0,0]"], "run: `t` = s - 2 (model.weft:1) is 0, but every size is at least 1"),
      ("run", ["x=[1,2,3]", "spot=[0,0,0]"], [1, 2, 3])]),
    ("dim n = 2, m, k\nentry run(x: [n], y: [m], z: [k]) -> [n, k] = x[n = min(min(size(n), index(n)), index(k) + 2)] + 0 * sum[m](y) + 0 * sum[k](z)",
     [("run", ["x=[3,4]", "y=[0]", "z=[0,0,0]"], [3, 3, 3, 4, 4, 4])]),
    ("dim n, k\nentry run(x: [k], y: [n]) -> [n] = x[k = max(min(index(n), 1), 1)] + 0 * y",  # of two limits the position that is meant
     [("run", ["x=[1,2,3,4]", "y=[0,0,0,0,0]"], [2, 2, 2, 2, 2]),
      ("run", ["x=[1]", "y=[0,0]"], "run: a position along `k` (model.weft:2) needs 2 positions, but there are 1")]),
    ("dim n\nentry run(x: [n]) -> int = size(n) * 123456789 - 1 + floor(0 * sum[n](x))\n"  # every digit of a whole number
     "entry all(x: [n]) -> int[n] = index(n) * 123456789 - 294967296",
     [("run", ["x=[1,2,3]"], [370370366]), ("all", ["x=[1,2]"], [-294967296, -171510507])]),
    ("dim n, m, out = n / (m / 2 + 1)\nentry run(x: [n], y: [m]) -> [out] = x[n = index(out)] + sum[m](y)",
     [("run", ["x=[1,2,3,4,5,6]", "y=[0,0,0,0]"], [1, 2]),
      ("run", ["x=[1,2,3,4]", "y=[0,0,0,0]"], "run: `out` = "), ("run", ["x=[1,2,3,4]", "y=[0,0,0]"], "run: `out` = ")]),
    # What one entry asks, or cannot even have a size of, is nothing to another.
    ("dim s, n, tri = 3, two = 2, out = (s - tri) / two + 1\n"
     "entry pooled(x: [s]) -> [out] = mean[tri](x[s = index(out) * size(two) + index(tri)])\nentry other(x: [n]) -> [n] = x + 1",
     [("other", ["x=[1,2]"], [2, 3]), ("pooled", ["x=[1,2,3,4,5]"], [2, 4]), ("pooled", ["x=[1,2,3,4]"], "is not whole: ")]),
    ("dim c, b <= c, a <= b\nentry run(x: [a], y: [c]) -> [a] = x + y[c = index(a)]",  # nobody sees `b`
     [("run", ["x=[1,2]", "y=[1]"], "run: `a` is at most `b` (model.weft:1), but 2 is more than 1"),
      ("run", ["x=[1,2]", "y=[1,1,9]"], [2, 3])]),
]
REFUSED = [  # when it is built, or checked
    ("dim n, a <= 1\nentry run(x: [n], y: [a]) -> [n] = x[n = index(n) + size(a)] + sum[a](y)", "E0310"),
    ("dim n = 65536, m = 65536\nentry run(x: [n], y: [m]) -> [n] = x[n = floor(index(n) * size(m) / size(m))] + sum[m](y)", "E0310"),
    ("dim seq <= 2\nentry run(x: [seq]) -> float = x[seq = 2]", "E0"),
    ("dim one = 1\nblock Net(x: float) -> float {\n  repeat[one] { param w: [one] = 1 }\n  x\n}\nentry run(x: float) -> float = Net(x)", "E0610"),
    *((f"dim one = 1, n = 2\nblock Inner[d](a: float) -> float {{\n  repeat[{along}] {{ {kind} q: [one] = 0 }}\n  a\n}}\n"  # of two loops
       f"block Net(x: float) -> float {{\n  repeat[n] {{ y = Inner[n](x) }}\n  x\n}}\nentry run(x: float) -> float = net: Net(x)", "E0610")
      for kind in ("param", "state") for along in ("n", "d")),
    ("dim n, width\nentry run(x: [n, width]) -> [n] = x[width = 2]\nconfig narrow with width = 2", "E0609"),
]
# Each asks for three positions of `seq` (or `memory`), also of what is derived of it.
DERIVED = """dim batch, seq, memory, layer = 2, vocab = 3, time
block Net(x: [batch, seq]) -> [batch] {
  param gain: float = 2
  state seen: float = 0
  seen = seen + 1
  repeat[layer] { x = x + (step: Step(x)) }
  gain * third(x)
}
block Step(x: [batch, seq]) -> [batch, seq] {
  param weight: float = 0.5
  tanh(weight * x)
}
fn third(x: [.., seq]) -> [..] = x[seq = 2]
entry result(x: [batch, seq]) -> [batch] = net: Net(x)
entry loss(x: [batch, seq], y: [batch]) -> float = mean[batch]((net: Net(x) - y) ^ 2)
entry train = minimize(loss, sgd(rate = 0.1), data = tensors(x, y))
entry logits(tokens: vocab[time], known: [memory]) -> [time, vocab] =
  where(index(vocab) == tokens, 1, 0) + known[memory = 2]
entry generate = decode[time](logits, start = 0, max = 4)
"""


def numbers(text):
    """What a printed result holds, whatever its shape: behind its name, or behind the line that says its shape."""
    lines = text.strip().split("\n", 1)
    shown = lines[1] if len(lines) > 1 else lines[0].split()[-1]
    return [float(word) for word in shown.replace("[", " ").replace("]", " ").replace(",", " ").split()]


class Sizes(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="weft-sizes-")
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def program(self, source, *options):
        (self.folder / "model.weft").write_text(source + "\n")
        run(WEFT, "check", "model.weft", cwd=self.folder)
        build("model.weft", "-o", "model", *options, cwd=self.folder)
        build("model.weft", "--shared", "-o", "libmodel.so", *options, cwd=self.folder)

    def library(self, *arguments):
        return run(sys.executable, pathlib.Path(__file__).with_name("library.py"), "./libmodel.so", *arguments, cwd=self.folder).stdout

    def test_every_case(self):
        for source, runs in CASES:
            self.program(source)
            for entry, inputs, expected in runs:
                given = [word for each in inputs for word in ("--input", each)]
                commands = {"program": ["./model", "run"], "interpreter": [WEFT, "run", "model.weft", "--interpret"]}
                with self.subTest(source=source.splitlines()[-1], input=inputs[0][:60], by="library"):
                    said = self.library(entry, *inputs)
                    if isinstance(expected, str):
                        self.assertTrue(said.startswith("error 4: "), said)  # WEFT_ERROR_SIZE
                        self.assertIn(expected.split("; seq = ")[0], said)
                    else:
                        self.assertEqual([float(word) for word in said.split()], expected)
                for name, command in commands.items():
                    with self.subTest(source=source.splitlines()[-1], input=inputs[0][:60], by=name):
                        done = subprocess.run([str(a) for a in [*command, "--entry", entry, *given]], capture_output=True,
                                              text=True, cwd=self.folder)
                        if isinstance(expected, str):
                            self.assertEqual(done.returncode, 1, done.stderr)
                            self.assertIn(expected, done.stderr)
                        else:
                            self.assertEqual(done.returncode, 0, done.stderr)
                            self.assertEqual(numbers(done.stdout), expected)

    def test_what_no_size_makes_right(self):
        for source, code in REFUSED:
            (self.folder / "model.weft").write_text(source + "\n")
            config = ["--config", "narrow"] if "config narrow" in source else []
            for command in (["check", "model.weft"], ["build", "model.weft", *config, "-o", "model"]):
                with self.subTest(source=source, by=command[0]):
                    done = subprocess.run([str(WEFT), *command], capture_output=True, text=True, cwd=self.folder)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn(f"error[{code}", done.stderr)

    def test_what_no_memory_holds(self):
        """720 GB, and 2^66 elements, of which 64 bits hold none."""
        if "-fsanitize" in os.environ.get("CFLAGS", ""):
            self.skipTest("a sanitizer needs more room than the limit leaves")
        for size in (300000, 2 ** 22):
            (self.folder / "model.weft").write_text(f"dim a = {size}, b = {size}, c = {1 if size < 2 ** 20 else size}, n\n"
                                                    "entry run(x: [n]) -> [a, b, c, n] = x * index(a) * index(b) * index(c)\n")
            for more in ([], ["--interpret"]):
                with self.subTest(size=size, more=more):
                    done = subprocess.run([str(WEFT), "run", "model.weft", "--input", "x=[1]", "--entry", "run", *more], capture_output=True,
                                          text=True, cwd=self.folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 ** 35,) * 2))
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertRegex(done.stderr, "not enough memory|does not give|too large for any machine")

    def test_what_is_derived_asks_the_same(self):
        self.program(DERIVED, "--gradients-of", "loss")
        short, long, y = "x=[[1,2]]", "x=[[1,2,3]]", "y=[1]"
        said = "[seq = 2] (model.weft:13) needs `seq` of at least 3, but it is 2"
        for entry in ("result", "loss.gradient"):
            more = [word for each in ([y] if entry != "result" else []) for word in ("--input", each)]
            for command in (["./model", "run"], [WEFT, "run", "model.weft", "--interpret"], [WEFT, "run", "model.weft"]):
                with self.subTest(entry=entry, command=command[-1]):
                    command = [*map(str, command), "--entry", entry, "--initialize", "1", *more]
                    done = subprocess.run([*command, "--input", short], capture_output=True, text=True, cwd=self.folder)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn(said, done.stderr)
                    run(*command, "--input", long, cwd=self.folder)
        for entry, inputs in (("result", []), ("loss.gradient", [y]), ("train", [y])):
            with self.subTest(entry=entry, by="library"):
                self.assertIn(said, self.library(entry, short, *inputs))
                self.assertNotIn("error", self.library(entry, long, *inputs))
        for width, code in ((2, 1), (3, 0)):
            safetensors.write(self.folder / "data.safetensors", {"x": ("F32", [4, 2, width], array.array("f", [0.5] * 8 * width)),
                                                                 "y": ("F32", [4, 2], array.array("f", [1] * 8))})
            done = subprocess.run(["./model", "train", "--data", "tensors:data.safetensors", "--out", f"out{width}", "--steps", "2",
                                   "--quiet"], capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(done.returncode, code, done.stderr)
            if code:
                self.assertIn(said, done.stderr)
        said = "known[memory = 2] (model.weft:18) needs `memory` of at least 3, but it is 2"
        self.assertIn(said, self.library("--generate", "known=[1,2]", "ids=[0,1]", "capacity=4"))
        self.assertEqual(self.library("--generate", "known=[1,2,3]", "ids=[0,1]", "capacity=4").split(), ["3", "4", "3"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
