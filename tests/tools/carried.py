"""`weft build --weights`: a program that carries its weights and tokenizer generates without a checkpoint; one that is given wins;
one that was cut short says so. Usage: carried.py WEFT GPT.weft"""
import pathlib
import subprocess
import sys
import tempfile


def run(*words, code=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout if code == 0 else done.stderr


def main(weft, model):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        config = (model, "--config", "tiny")
        one, two = folder / "one.safetensors", folder / "two.safetensors"
        run(weft, "init", *config, "--seed", 1, "-o", one)
        run(weft, "init", *config, "--seed", 2, "-o", two)
        program, bare = folder / "program", folder / "bare"
        run(weft, "build", *config, "-o", bare)
        run(weft, "build", *config, "--weights", one, "--tokenizer", "byte", "-o", program)
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
        assert "this program carries no weights" in generate(bare, code=2)
        assert "has no tokenizer" in text(program, "--checkpoint", two, code=2)
        assert "carried in this file with a tokenizer" in run(program, "info")
        assert "carried" not in run(bare, "info")
        pages = (program.stat().st_size - one.stat().st_size) / bare.stat().st_size
        assert pages < 1.2, "the weights are there once"

        run(weft, "build", *config, "--weights", one, "-o", program)  # over the old one
        assert generate(program) == first
        assert "this program has no tokenizer" in text(program, code=2)
        whole = program.read_bytes()
        for cut in (1, 40, len(whole) - bare.stat().st_size):
            program.write_bytes(whole[:-cut])
            error = run(program, "generate", "--ids", code=1)
            assert "is cut short" in error and str(program) in error, (cut, error)
        program.write_bytes(whole + b"more")
        assert "is cut short or was changed" in run(program, "info", code=1)

        kept = program.read_bytes()
        one.write_bytes(one.read_bytes()[:-4])
        assert "one.safetensors" in run(weft, "build", *config, "--weights", one, "-o", program, code=1)
        assert program.read_bytes() == kept and not list(folder.glob("*.empty"))
        run(weft, "build", *config, "--weights", two, "--shared", "-o", folder / "lib.so", code=2)
        run(weft, "build", *config, "--tokenizer", "byte", "-o", program, code=2)
    print("ok")


main(*sys.argv[1:])
