"""`weft build --weights`: a program that carries its weights and tokenizer generates and evaluates without a checkpoint; one that is
given wins; one that was cut short says so. So does a library. Usage: carried.py WEFT GPT.weft"""
import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "record"))
import shared_library  # noqa: E402


def run(*words, code=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout if code == 0 else done.stderr


class Library:
    """A library, which knows its file however it was named when it was loaded."""

    def __init__(self, path):
        here = os.getcwd()
        os.chdir(path.parent)
        self.calls = shared_library.load("./" + path.name, os.RTLD_NOW | os.RTLD_LOCAL)
        os.chdir(here)
        for name in ("weft_open", "weft_tokenizer_carried", "weft_source_tokenizer_carried"):
            getattr(self.calls, name).restype = ctypes.c_void_p
        self.calls.weft_error.restype = ctypes.c_char_p
        self.model = ctypes.c_void_p(self.calls.weft_open(None))

    def error(self):
        return self.calls.weft_error().decode()


def library(weft, config, weights, folder):
    """weft_open finds the weights, and weft_load puts others in their place without touching the file."""
    path, saved = folder / "libone.so", folder / "saved"
    run(weft, "build", "--isa", "native", *config, "--weights", weights, "--tokenizer", "byte", "--shared", "-o", path)
    whole = path.read_bytes()
    opened = Library(path)
    assert opened.calls.weft_save(opened.model, os.fsencode(saved)) == 0, opened.error()
    assert saved.read_bytes() == weights.read_bytes()
    tokenizer = ctypes.c_void_p(opened.calls.weft_tokenizer_carried(opened.model))
    ids = (ctypes.c_int32 * 8)()
    assert opened.calls.weft_encode(tokenizer, b"To be", ctypes.c_size_t(5), ids, ctypes.c_int64(8)) == 5 and ids[0] == ord("T")
    opened.calls.weft_initialize(opened.model, ctypes.c_uint64(9))
    assert path.read_bytes() == whole
    opened.calls.weft_tokenizer_close(tokenizer)
    opened.calls.weft_close(opened.model)
    bare, cut = folder / "libtwo.so", folder / "libcut.so"
    run(weft, "build", "--isa", "native", *config, "--weights", weights, "--shared", "-o", bare)
    opened = Library(bare)
    assert not opened.calls.weft_tokenizer_carried(opened.model) and "carries no tokenizer: build it" in opened.error()
    assert not opened.calls.weft_source_tokenizer_carried(opened.model) and "carries no tokenizer of sources" in opened.error()
    opened.calls.weft_close(opened.model)
    cut.write_bytes(whole[:-40])
    opened = Library(cut)
    assert not opened.model and f"{cut}: is cut short" in opened.error(), opened.error()
    for made in (path, bare, cut, saved):
        made.unlink()


def main(weft, model):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        config = (model, "--config", "tiny")
        one, two = folder / "one.safetensors", folder / "two.safetensors"
        run(weft, "init", *config, "--seed", 1, "-o", one)
        run(weft, "init", *config, "--seed", 2, "-o", two)
        program, bare = folder / "program", folder / "bare"
        run(weft, "build", "--isa", "native", *config, "-o", bare)
        run(weft, "build", "--isa", "native", *config, "--weights", one, "--tokenizer", "byte", "-o", program)
        assert sorted(path.name for path in folder.iterdir()) == ["bare", "one.safetensors", "program", "two.safetensors"]
        assert program.stat().st_mode & 0o111

        def generate(which, *words, code=0):
            return run(which, "generate", "--prompt", "12 200 7", "--ids", "--max-tokens", 20, "--quiet", *words, code=code)

        def text(which, *words, code=0):
            return run(which, "generate", "--prompt", "To be", "--max-tokens", 20, "--quiet", *words, code=code)

        first, second = generate(bare, "--checkpoint", one), generate(bare, "--checkpoint", two)
        assert first != second
        assert generate(program) == first
        assert generate(program, "--checkpoint", two) == second
        assert text(program) == text(bare, "--checkpoint", one, "--tokenizer", "byte")
        (folder / "text").write_text("To be, or not to be: that is the question.\n" * 8)

        def evaluate(which, *words, code=0):
            return run(which, "eval", "--data", f"text:{folder / 'text'}", "--seq", 16, *words, code=code)

        assert evaluate(program) == evaluate(bare, "--checkpoint", one, "--tokenizer", "byte")
        assert evaluate(program, "--checkpoint", two, "--tokenizer", "byte") != evaluate(program)
        assert "the tokenizer of the training is needed" in evaluate(program, "--checkpoint", two, code=2)
        assert "this program carries no weights" in evaluate(bare, code=2)
        (folder / "text").unlink()
        assert "this program carries no weights" in generate(bare, code=2)
        assert "has no tokenizer" in text(program, "--checkpoint", two, code=2)
        assert "carried in this file with a tokenizer" in run(program, "info")
        assert "carried" not in run(bare, "info")
        pages = (program.stat().st_size - one.stat().st_size) / bare.stat().st_size
        assert pages < 1.2, "the weights are there once"

        run(weft, "build", "--isa", "native", *config, "--weights", one, "-o", program)  # over the old one
        assert generate(program) == first
        assert "this program has no tokenizer" in text(program, code=2)
        whole = program.read_bytes()
        for cut in (1, 40, len(whole) - bare.stat().st_size):
            program.write_bytes(whole[:-cut])
            error = run(program, "generate", "--ids", code=1)
            assert "is cut short" in error and str(program) in error, (cut, error)
        program.write_bytes(whole + b"more")
        assert "is cut short or was changed" in run(program, "info", code=1)

        # one new file: what lies beside it stays, a link is followed, a program is as open as what it replaces
        (folder / "linked").mkdir()
        beside, real = folder / "linked/program.empty", folder / "linked/real"
        beside.write_text("mine")
        real.write_text("old")
        real.chmod(0o600)
        link = folder / "linked/program"
        link.symlink_to("real")
        run(weft, "build", "--isa", "native", *config, "--weights", one, "-o", link)
        assert beside.read_text() == "mine" and link.is_symlink() and real.stat().st_mode & 0o777 == 0o700
        assert generate(link) == first and sorted(each.name for each in (folder / "linked").iterdir()) == ["program", "program.empty", "real"]

        # a name that says something else than what is built
        for words, said in ((("-o", folder / "libgpt.so"), "libgpt.so`: that is the name of a library; add `--shared`"),
                            (("-o", folder / "libgpt.so.1"), "add `--shared`"),
                            (("--shared", "-o", folder / "libgpt.a"), "`--shared` makes a shared library; name it `" + str(folder / "libgpt.so")),
                            (("-o", folder / "gpt.o"), "makes programs, and with `--shared` shared libraries"),
                            (("-o", folder / "libgpt.a"), "makes programs, and with `--shared` shared libraries")):
            assert said in run(weft, "build", "--isa", "native", *config, *words, code=2), words
        assert not list(folder.glob("libgpt*"))

        kept = program.read_bytes()
        one.write_bytes(one.read_bytes()[:-4])
        assert "one.safetensors" in run(weft, "build", "--isa", "native", *config, "--weights", one, "-o", program, code=1)
        assert program.read_bytes() == kept and not list(folder.glob("*.empty"))
        library(weft, config, two, folder)
        run(weft, "build", "--isa", "native", *config, "--tokenizer", "byte", "-o", program, code=2)

        merges = folder / "merges.txt"
        merges.write_text("t h\n")
        run(weft, "init", *config, "--seed", 1, "-o", one)
        error = run(weft, "build", "--isa", "native", *config, "--weights", one, "--tokenizer", f"merges:{merges}", "-o", folder / "none", code=1)
        assert "the tokenizer (bpe) has 258 ids, but the model's vocab is 256" in error, error
        assert not list(folder.glob("none*"))
    print("ok")


main(*sys.argv[1:])
