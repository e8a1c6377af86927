"""Sizes that come with the data and do not fit: every run is refused before anything is read, in one sentence, the same in a
program, `weft run` and the interpreter; and what fits is right in all of them."""
import pathlib
import subprocess
import tempfile
import unittest

from program import WEFT, run

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
    ("dim c, b <= c, a <= b\nentry run(x: [a], y: [c]) -> [a] = x + y[c = index(a)]",  # nobody sees `b`
     [("run", ["x=[1,2]", "y=[1]"], "run: `a` is at most `b` (model.weft:1), but 2 is more than 1"),
      ("run", ["x=[1,2]", "y=[1,1,9]"], [2, 3])]),
]
REFUSED = [  # when it is built, or checked
    ("dim n, a <= 1\nentry run(x: [n], y: [a]) -> [n] = x[n = index(n) + size(a)] + sum[a](y)", "E0310"),
    ("dim n = 65536, m = 65536\nentry run(x: [n], y: [m]) -> [n] = x[n = floor(index(n) * size(m) / size(m))] + sum[m](y)", "E0310"),
    ("dim seq <= 2\nentry run(x: [seq]) -> float = x[seq = 2]", "E0"),
]


def numbers(text):
    """What a printed result holds, whatever its shape: behind the line that says its shape."""
    return [float(word) for word in text.split("\n", 1)[-1].replace("[", " ").replace("]", " ").replace(",", " ").split()]


class Sizes(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="weft-sizes-")
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def program(self, source):
        (self.folder / "model.weft").write_text(source + "\n")
        run(WEFT, "build", "model.weft", "-o", "model", cwd=self.folder)

    def test_every_case(self):
        for source, runs in CASES:
            self.program(source)
            for entry, inputs, expected in runs:
                given = [word for each in inputs for word in ("--input", each)]
                commands = {"program": ["./model", "run"], "interpreter": [WEFT, "run", "model.weft", "--interpret"]}
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
            with self.subTest(source=source):
                (self.folder / "model.weft").write_text(source + "\n")
                done = subprocess.run([str(WEFT), "build", "model.weft", "-o", "model"], capture_output=True, text=True, cwd=self.folder)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(f"error[{code}", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
