"""256 greedy tokens through the derived caches equal recomputation token by token; a model that looks ahead is refused."""
import ctypes
import pathlib

from program import ROOT, WEFT, ProgramTest, build, compile_c, main, run
import shared_library


class Decode(ProgramTest):
    def test_caches_equal_recomputation(self):
        library, compare, weights = (self.folder / name for name in ("libgpt.so", "compare", "weights"))
        options = ["--set", "position=300"]
        self.build(*options, "--shared", "-o", library)
        run(WEFT, "init", ROOT / "examples/gpt/gpt.weft", "--config", "tiny", *options, "--seed", "3", "-o", weights)
        compile_c(pathlib.Path(__file__).with_name("decode.c"), library, "-lm", "-Wl,-rpath,$ORIGIN", "-o", compare)
        worst = float(run(compare, weights, 256).stdout)
        print(f"256 tokens: logits at most {worst:.1e} apart")
        self.assertLess(worst, 1e-4)

    def test_no_sequence_is_longer_than_a_proof_counts_on(self):
        source, library = self.folder / "endless.weft", self.folder / "libendless.so"
        source.write_text("dim vocab = 3, seq\n"
                          "entry logits(tokens: vocab[seq]) -> [seq, vocab] = cumsum[seq](where(index(vocab) == tokens, 1.0, 0))\n"
                          "entry generate = decode[seq](logits, start = 0, max = 8)\n")
        build(source, "--shared", "-o", library)
        program = shared_library.load(library)
        program.weft_open.restype = program.weft_generator_open.restype = ctypes.c_void_p
        program.weft_error.restype = ctypes.c_char_p
        model = ctypes.c_void_p(program.weft_open(None))
        self.assertTrue(model, program.weft_error())
        self.assertIsNone(program.weft_generator_open(model, None, ctypes.c_int64(2 ** 28 + 1)))
        self.assertIn("a capacity of 268435457 positions: at most 268435456", program.weft_error().decode())
        # No cache grows here, so no size of one says that there is no room left.
        program.weft_generator_open.restype = program.weft_advance.restype = ctypes.c_void_p
        generator = ctypes.c_void_p(program.weft_generator_open(model, None, ctypes.c_int64(4)))
        ids = (ctypes.c_int32 * 4)(0, 1, 2, 1)
        self.assertTrue(program.weft_advance(generator, ids, ctypes.c_int64(4)), program.weft_error())
        self.assertIsNone(program.weft_advance(generator, ids, ctypes.c_int64(1)))
        self.assertIn("a capacity of 4 positions: 4 are known, and 1 more are given", program.weft_error().decode())

    def test_looking_ahead_is_refused(self):
        source = (ROOT / "examples/gpt/gpt.weft").read_text()
        ahead = self.folder / "ahead.weft"
        ahead.write_text(source.replace("index(key) <= index(seq)", "index(key) <= index(seq) + 1"))
        self.assertNotEqual(ahead.read_text(), source)
        refused = build(ahead, "--config", "tiny", "-o", self.folder / "ahead", expect=1)
        self.assertIn("E0510", refused.stderr)
        line = next(i for i, text in enumerate(ahead.read_text().splitlines(), 1) if "attend" in text)
        self.assertIn(f"ahead.weft:{line}:", refused.stderr)


if __name__ == "__main__":
    main()
