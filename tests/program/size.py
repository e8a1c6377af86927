"""What a compiled program needs and weighs: libc, libm, libstdc++ and libgcc; the runtime under 1020 KB (docs/decisions/051), all under 5 MB."""
import re
import pathlib
import sys

from program import ProgramTest, main, run

ALLOWED = {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libpthread.so.0"}
RUNTIME_BYTES, PROGRAM_BYTES = 1_020_000, 5_000_000


def sections(path):
    """Bytes of code and data that a program brings along."""
    text, data = run("size", path).stdout.splitlines()[1].split()[:2]
    return int(text) + int(data)


class Size(ProgramTest):
    options = ("--isa", "x86-64-v3,avx512")  # all that a program in float32 carries

    def needs_only_the_system(self, path):
        names = {line.split()[0] for line in run("ldd", path).stdout.splitlines()}
        names = {name for name in names if not re.search(r"ld-linux", name)}
        self.assertLessEqual(names, ALLOWED)

    def test_program(self):
        self.needs_only_the_system(self.program)
        self.assertLess(self.program.stat().st_size, PROGRAM_BYTES)
        print(f"program: {self.program.stat().st_size} bytes, {sections(self.program)} of code and data")

    def test_library(self):
        library = self.folder / "libgpt.so"
        self.build("--shared", "-o", library)
        self.needs_only_the_system(library)
        self.assertLess(library.stat().st_size, PROGRAM_BYTES)
        exported = {line.split()[-1] for line in run("nm", "-D", "--defined-only", library).stdout.splitlines()}
        self.assertTrue(all(name.startswith("weft_") for name in exported), exported)
        self.assertIn("weft_advance", exported)

    def test_runtime(self):
        """A program whose model is a page of C++, so that nearly all of it is the runtime."""
        share = sections(BIGRAM)
        self.assertLess(share, RUNTIME_BYTES)
        print(f"runtime: {share} bytes")


if __name__ == "__main__":
    BIGRAM = pathlib.Path(sys.argv.pop(1))
    main()
