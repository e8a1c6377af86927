"""What the tests of compiled programs share: building one, running it, a real text to train on."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEFT = pathlib.Path(os.environ.get("WEFT", ROOT / "build/bin/weft"))
TINY = os.environ.get("WEFT_TINY")  # what the build made of examples/gpt, config tiny
INCLUDE = WEFT.parent.parent / "include"
TEXT = pathlib.Path("/usr/share/common-licenses/GPL-3")
SKIPPED = 77  # CTest's SKIP_RETURN_CODE
sys.path.append(str(ROOT / "tests/record"))  # safetensors.py: reads and writes files of tensors


def run(*arguments, expect=0, **more):
    """Runs a command to its end; a test fails where the exit code is another (None: it may be any)."""
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, **more)
    if expect is not None and done.returncode != expect:
        raise AssertionError(f"{' '.join(map(str, arguments))}: exit code {done.returncode}, expected {expect}\n{done.stderr}")
    return done


def build(*arguments, **more):
    """What a test builds it runs here: without code for other machines that is done in half the time. Where the sets themselves are what is
    tested (generating.py, tests/tools/sets.test), and in what the pages show, programs carry all."""
    chosen = () if {"--isa", "c", "cuda-emulated"} & set(arguments) else ("--isa", "native")  # of the CPU's
    return run(WEFT, "build", *arguments, *chosen, **more)


def half(of, draw):
    """Half of what is tried, for each of it is a program to build; with WEFT_ALL=1 all."""
    return of if os.environ.get("WEFT_ALL") else draw.sample(of, len(of) // 2)


def compile_c(source, *arguments):
    """With what `cc` is to a user, unless the build needs a compiler of its own (sanitizers)."""
    flags = os.environ.get("CFLAGS", "").split()
    run(os.environ.get("CC", "cc"), *flags, source, "-I", INCLUDE, *arguments)


def newest_step(out):
    """The newest checkpoint in a training's folder, or None."""
    steps = [each for each in out.glob("step-*") if each.name.removeprefix("step-").isdigit()]
    return max(steps, key=lambda each: int(each.name.removeprefix("step-")), default=None)


class ProgramTest(unittest.TestCase):
    """Has examples/gpt, config tiny, or `source`, built once for all tests of a file."""

    source = None
    options = ()  # of every program of the example

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="weft-program-")
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.program = cls.folder / "gpt"
        if cls.source is None:
            if TINY and not cls.options:
                shutil.copy(TINY, cls.program)
            else:
                cls.build("-o", cls.program)
            return
        cls.program = cls.folder / "model"
        (cls.folder / "model.weft").write_text(cls.source)
        build(cls.folder / "model.weft", "-o", cls.program)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def build(cls, *options):
        build(ROOT / "examples/gpt/gpt.weft", "--config", "tiny", *cls.options, *options)

    def train(self, out, *options, expect=0, program=None, batch=4, seq=32):
        return run(program or self.program, "train", "--data", f"text:{TEXT}", "--out", self.folder / out, "--batch", batch,
                   "--seq", seq, "--seed", "5", "--tokenizer", "char", *options, expect=expect)


def main(missing=None):
    """Runs the tests of a file, or skips it, saying what is missing on this machine."""
    if not TEXT.exists():
        missing = f"{TEXT} is absent: no text to train on"
    if missing:
        print(f"skipped: {missing}")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
