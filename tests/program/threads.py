"""Results are the same bits on any number of threads, more than there are cores among them: trainings, and tokens whose keys, and whose products, are cut."""
import ctypes

from program import ROOT, WEFT, ProgramTest, main, run
import shared_library

THREADS = (1, 2, 3, 7, 16)
SIZES = ("--set", "position=700,model=192,head=4")


class WeftOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint64), ("threads", ctypes.c_int32), ("pin", ctypes.c_int32), ("isa", ctypes.c_char_p)]


class Threads(ProgramTest):
    def files(self, folder):
        return {path.name: path.read_bytes() for path in (self.folder / folder).iterdir()}

    def same(self, first, other, what):
        self.assertEqual(set(first), set(other))
        for name in first:
            self.assertTrue(first[name] == other[name], f"{name} is other on {what} threads")

    def test_training(self):
        for threads in THREADS:
            self.train(f"of{threads}", "--steps", "4", "--accumulate", "2", "--quiet", "--threads", threads)
            self.same(self.files("of1/step-4"), self.files(f"of{threads}/step-4"), threads)

    def test_training_with_keys_cut(self):
        """Long texts, one at a time: gradients of attention are cut along the keys, and the largest gradients are added up in several ranges."""
        long = self.folder / "long"
        self.build(*SIZES, "-o", long)
        said = run(WEFT, "kernel", ROOT / "examples/gpt/gpt.weft", "--config", "tiny", *SIZES, "--entry", "train.gradient", "--size", "batch=1,seq=600").stdout
        self.assertRegex(said, r"attention_grad +12\n")  # four heads, of three ranges
        for threads in THREADS:
            self.train(f"long{threads}", "--steps", "2", "--accumulate", "2", "--quiet", "--threads", threads, program=long, batch=2, seq=600)
            self.same(self.files("long1/step-2"), self.files(f"long{threads}/step-2"), threads)

    def test_tokens(self):
        said = run(WEFT, "kernel", ROOT / "examples/gpt/gpt.weft", "--config", "tiny", *SIZES, "--entry", "generate.advance",
                   "--size", "batch=1,known=600,new=1,capacity=700,seq=1").stdout
        self.assertRegex(said, r"attention +16\n")  # four heads, of four ranges
        library, weights = self.folder / "libgpt.so", self.folder / "weights"
        self.build(*SIZES, "--shared", "-o", library)
        run(WEFT, "init", ROOT / "examples/gpt/gpt.weft", "--config", "tiny", *SIZES, "--seed", "3", "-o", weights)
        program = shared_library.load(library)
        for name in ("weft_open", "weft_generator_open", "weft_advance"):
            getattr(program, name).restype = ctypes.c_void_p
        program.weft_error.restype = ctypes.c_char_p
        found = {}
        for threads in THREADS:
            model = ctypes.c_void_p(program.weft_open(ctypes.byref(WeftOptions(ctypes.sizeof(WeftOptions), threads, 0, None))))
            self.assertTrue(model, program.weft_error())
            self.assertEqual(program.weft_load(model, str(weights).encode()), 0, program.weft_error())
            generator = ctypes.c_void_p(program.weft_generator_open(model, None, ctypes.c_int64(700)))
            vocabulary = 256
            for count in (600, 1, 1, 5, 1):  # a prompt, tokens, few rows
                ids = (ctypes.c_int32 * count)(*((i * 31 + 5) % vocabulary for i in range(count)))
                logits = program.weft_advance(generator, ids, ctypes.c_int64(count))
                self.assertTrue(logits, program.weft_error())
                found.setdefault(threads, []).append(ctypes.string_at(logits, 4 * vocabulary))
            program.weft_generator_close(generator)
            program.weft_close(model)
            self.assertTrue(found[threads] == found[THREADS[0]], f"{threads} threads")
        self.assertEqual(len(set(found[1])), 5)


if __name__ == "__main__":
    main()
