"""What the code of a program calls: the runtime, and of the C library only what copies and fills memory. Its kernels compute themselves."""
import re

from program import WEFT, ProgramTest, main, run

FUNCTIONS = "exp(-p) + log(p + 1) + sqrt(p) + rsqrt(p + 1) + sin(p) + cos(p) + tanh(p) + erf(p) + (p + 1) ^ (0.3 * p) + p % 0.7"
MEMORY = {"memcpy", "memmove", "memset"}


class Calls(ProgramTest):
    # `table` is computed in doubles: it depends on no data.
    source = f"""dim seq, d
fn all(p: [..]) -> [..] = {FUNCTIONS}
entry both(x: [seq, d]) -> (rows: [seq, d], table: [seq]) {{
  rows  = all(x)
  table = all(0.37 * index(seq))
}}
"""

    def show(self, *options):
        return run(WEFT, "show", self.folder / "model.weft", *options).stdout

    def test_nothing_of_libm(self):
        self.assertIn("kernel.fused table", self.show("--at", "kernel"))
        for isa in ("x86-64-v3", "avx512"):
            called = set()
            # A line "; name" begins each object.
            for text in re.split("^; .*$", self.show("--at", "asm", "--isa", isa), flags=re.MULTILINE):
                run("as", "-o", self.folder / "code.o", input=text)
                called |= {line.split()[-1] for line in run("nm", "-u", self.folder / "code.o").stdout.splitlines()}
            self.assertIn("weft_launch", called)
            self.assertEqual({name for name in called if not name.startswith("weft_")} - MEMORY, set(), isa)


if __name__ == "__main__":
    main()
