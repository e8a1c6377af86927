"""How a decoding keeps what it has computed: as fewer bits the logits are near those of float32, the bytes are as said, and what cannot be is said."""
import ctypes
import pathlib

from program import ROOT, WEFT, ProgramTest, build, compile_c, main, run
import shared_library

GPT = ROOT / "examples/gpt/gpt.weft"
ROWS = ("--config", "tiny", "--set", "head=2,position=300")  # keys and values of 32 numbers
WINDOWS = """dim batch, seq <= position, position = 32, vocab = 16
block Sums(tokens: vocab[batch, seq]) -> [batch, seq, vocab] {
  param table: [vocab] = normal(1)
  cumsum[seq](table * where(index(vocab) == tokens, 1.0, 0))
}
entry logits(tokens: vocab[batch, seq]) -> [batch, seq, vocab] = Sums(tokens)
"""


def translated(path, weights):
    """The logits of six steps behind a source of 40 tokens, of which the last are padding."""
    program = shared_library.load(path)
    for name in ("weft_open", "weft_generator_open"):
        getattr(program, name).restype = ctypes.c_void_p
    program.weft_advance.restype = ctypes.POINTER(ctypes.c_float)
    program.weft_generator_vocabulary.restype = ctypes.c_int64
    program.weft_error.restype = ctypes.c_char_p

    def done(status):
        if status:
            raise AssertionError(program.weft_error())

    model = ctypes.c_void_p(program.weft_open(None))
    done(program.weft_load(model, str(weights).encode()))
    generator = ctypes.c_void_p(program.weft_generator_open(model, None, ctypes.c_int64(16)))
    tokens, valid = (ctypes.c_int32 * 40)(*(i * 7 % 190 for i in range(40))), (ctypes.c_int32 * 1)(33)
    done(program.weft_generator_input(generator, b"source", tokens, (ctypes.c_int64 * 2)(1, 40), 2))
    done(program.weft_generator_input(generator, b"valid", valid, (ctypes.c_int64 * 1)(1), 1))
    count, all = program.weft_generator_vocabulary(generator), []
    for step in range(6):
        logits = program.weft_advance(generator, (ctypes.c_int32 * 1)(1 + step * 11), ctypes.c_int64(1))
        if not logits:
            raise AssertionError(program.weft_error())
        all += logits[:count]
    program.weft_generator_close(generator)
    program.weft_close(model)
    return all


class Caches(ProgramTest):
    def test_logits_are_near(self):
        compare, weights = self.folder / "compare", self.folder / "weights"
        run(WEFT, "init", GPT, *ROWS, "--seed", "3", "-o", weights)
        far = {}
        for kept in ("float32", "bf16", "int8"):
            library = self.folder / "libgpt.so"
            build(GPT, *ROWS, "--inference", "--shared", "--caches-as", kept, "-o", library)
            compile_c(pathlib.Path(__file__).with_name("decode.c"), library, "-lm", "-Wl,-rpath,$ORIGIN", "-o", compare)
            far[kept] = float(run(compare, weights, 200, 0.1).stdout)
        print(f"200 tokens: logits at most {far} apart")
        self.assertLess(far["float32"], 1e-4)
        for kept in ("bf16", "int8"):
            self.assertTrue(1e-4 < far[kept] < 0.05, far)

    def test_what_is_computed_once(self):
        """Keys and values of a source, which all steps read: of four caches all are rounded."""
        source, weights = ROOT / "examples/translation/translation.weft", self.folder / "weights"
        run(WEFT, "init", source, "--config", "full", "--seed", "4", "-o", weights)
        found = {}
        for kept in ("float32", "int8"):
            library = self.folder / f"libtranslation-{kept}.so"
            said = build(source, "--config", "full", "--inference", "--shared", "--caches-as", kept, "-o", library).stdout
            self.assertEqual("(4 of 4 as int8)" in said, kept == "int8", said)
            found[kept] = translated(library, weights)
        apart = max(abs(x - y) for x, y in zip(found["float32"], found["int8"], strict=True))
        largest = max(map(abs, found["float32"]))
        print(f"translation: logits at most {apart:.1e} apart, of {largest:.1e}")
        self.assertTrue(1e-5 < apart / largest < 0.03, apart)

    def test_bytes(self):
        """Of a position: keys and values of two layers, 64 numbers each."""
        program = self.folder / "gpt"
        for kept, bytes in (("float32", 1024), ("bf16", 512), ("int8", 272)):
            said = build(GPT, *ROWS, "--inference", "--caches-as", kept, "-o", program).stdout
            line = f"generate: caches take {bytes} B a position, 1.0 KB as float32 (2 of 2 as {kept})\n"
            self.assertEqual(line in said, kept != "float32", said)
            said = run(program, "info", "--set", "batch=100,capacity=300,known=50,new=1").stdout
            self.assertIn(f"{bytes * 3e4 / 1e6:.1f} MB  caches", said)

    def test_a_config_says_it(self):
        source = self.folder / "own.weft"
        source.write_text(GPT.read_text() + "config kept = tiny with head = 2, caches_as = int8\n")
        self.assertIn("2 of 2 as int8", build(source, "--config", "kept", "--inference", "-o", self.folder / "own").stdout)
        self.assertIn("2 of 2 as bf16", build(source, "--config", "kept", "--caches-as", "bf16", "-o", self.folder / "own").stdout)
        source.write_text(GPT.read_text() + "config kept = tiny with caches_as = int4\n")
        refused = run(WEFT, "check", source, "--config", "kept", expect=1).stderr
        self.assertIn("`caches_as` is `float32`, `bf16` or `int8`", refused)

    def test_refusals(self):
        out = ("-o", self.folder / "refused")
        def refused(*options, expect=2):
            return build(*options, *out, expect=expect).stderr
        self.assertIn("--caches-as: caches are kept as `float32`, `bf16` or `int8`, not as `int4`", refused(GPT, *ROWS, "--caches-as", "int4"))
        said = refused(GPT, *ROWS, "--caches-as", "int8", "--target", "c")
        self.assertIn("kernels of the target `c` keep caches as the precision says, as `float32`, not as `int8`; those that can: `cpu`", said)
        said = refused(GPT, "--config", "tiny", "--caches-as", "int8", expect=1)  # rows of 16
        self.assertIn("--caches-as: no cache is kept as `int8`: keys and values of attention are, of whole groups of 32 numbers", said)
        why = run(WEFT, "explain", GPT, "--config", "tiny", "--caches-as", "int8").stdout
        self.assertIn("stays as it is: it has rows", why)
        source = self.folder / "none.weft"
        source.write_text(WINDOWS)
        self.assertIn("--caches-as: the program has no `decode`, so it keeps no caches", refused(source, "--caches-as", "int8"))
        source.write_text(WINDOWS + "entry generate = decode[seq](logits, start = 0, max = 8)\n")
        for kept in ("bf16", "int8"):  # of a running total
            self.assertIn(f"--caches-as: no cache is kept as `{kept}`", refused(source, "--caches-as", kept, expect=1))
        said = refused(GPT, *ROWS, "--caches-as", "int8", "--without", "weft-choose-storage", expect=1)
        self.assertIn("no cache is kept as `int8`", said)
        run(WEFT, "run", GPT, *ROWS, "--caches-as", "int8", "--entry", "logits", "--initialize", "1", "--input", "tokens=[[1,2]]")


if __name__ == "__main__":
    main()
