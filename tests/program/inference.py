"""`weft build --inference`: programs without training, which carry weights as their products read them, give the bits of those that
carry all; what they cannot do they say."""
import ctypes
import json
import os
import random
import unittest

from program import ROOT, TEXT, WEFT, ProgramTest, build, half, run

import shared_library

GPT = (ROOT / "examples/gpt/gpt.weft", "--config", "tiny")
STORAGES = ((), ("--precision", "bf16"), ("--weights-as", "int8,head=int8"), ("--weights-as", "int4", "--precision", "bf16"))


def carried(program):
    """Parameters that a program has packed alone, and the bytes of what it packed of them."""
    facts = json.loads(run(program, "info", "--json").stdout)
    packed = [each for each in facts["packed"] if each.get("carried")]
    return {each["name"] for each in facts["parameters"] if each.get("packed_alone")}, sum(each["bytes"][0][0] for each in packed)


class Inference(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.built = {}  # by their options
        cls.weights, cls.others = cls.folder / "weights", cls.folder / "others"
        for seed, file in ((3, cls.weights), (4, cls.others)):
            run(WEFT, "init", *GPT, "--seed", seed, "-o", file)
        (cls.folder / "text").write_text(TEXT.read_text()[:3000])
        cls.data = f"text:{cls.folder / 'text'}"

    def both(self, name, *options):
        if options not in self.built:
            whole, packed = self.built[options] = self.folder / f"{name}.whole", self.folder / f"{name}.packed"
            given = (*GPT, "--weights", self.weights, "--tokenizer", "byte", *options)
            build(*given, "-o", whole)
            build(*given, "--inference", "-o", packed)
        return self.built[options]

    def said(self, program, *more, **environment):
        def of(*words):
            return run(program, *words, *more, env={**os.environ, **environment}).stdout

        logits = self.folder / "logits"
        of("run", "--entry", "logits", "--input", f"tokens=[{list(range(40))}]", "--outputs", logits)
        return logits.read_bytes(), of("generate", "--ids", "--prompt", "7,8,9", "--max-tokens", "24", "--quiet")

    def test_bits_are_those_of_a_whole_program(self):
        seed = int(os.environ.get("WEFT_SEED", random.randrange(2 ** 31)))
        print(f"WEFT_SEED={seed}")
        for storage in half(STORAGES, random.Random(seed)):
            with self.subTest(storage=storage):
                whole, packed = self.both(f"bits{len(self.built)}", *storage)
                self.assertEqual(self.said(whole), self.said(packed))
                evaluated = ("eval", "--data", self.data, "--json", "--batch", "3")
                self.assertEqual(run(whole, *evaluated).stdout, run(packed, *evaluated).stdout)
                names, _ = carried(packed)
                self.assertEqual({name.rsplit(".", 2)[1] for name in names}, {"q", "k", "v", "out", "up", "down"})
                self.assertEqual(carried(whole)[0], set())

    def test_every_set_reads_what_was_packed(self):
        sets = ("--isa", "x86-64-v3,avx512,avx512-bf16", "--precision", "bf16", "--weights-as", "int8")
        whole, packed = self.both("sets", *sets)
        for isa in ("x86-64-v3", "avx512", "avx512-bf16"):
            if run(whole, "info", "--isa", isa, expect=None).returncode == 0:
                self.assertEqual(self.said(whole, WEFT_ISA=isa), self.said(packed, WEFT_ISA=isa), isa)

    def test_it_is_as_small_as_what_it_carries(self):
        sizes = ("--set", "model=512,layer=8", "--weights-as", "int8")
        given = (*GPT[:1], "--config", "tiny", *sizes)
        weights = self.folder / "large"
        run(WEFT, "init", *given[:-2], "--seed", "1", "-o", weights)
        whole, packed = self.folder / "large.whole", self.folder / "large.packed"
        build(*given, "--weights", weights, "-o", whole)
        build(*given, "--weights", weights, "--inference", "-o", packed)
        _, bytes_ = carried(packed)
        matrices = 8 * 12 * 512 * 512
        self.assertLess(bytes_, 1.07 * matrices)  # 8.5 bits each
        self.assertLess(packed.stat().st_size, whole.stat().st_size - 2.9 * matrices)
        info = run(packed, "info").stdout
        self.assertIn(f" ({matrices} of them packed as products read them, {bytes_ * 1e-6:.1f} MB)", info)
        self.assertIn("\nevaluate: train on data of kind text\n", info)

        def resident(program):
            program = os.posix_spawn(program, [program, "generate", "--ids", "--prompt", "1", "--max-tokens", "4", "--quiet"], os.environ,
                                     file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
            _, status, used = os.wait4(program, 0)
            self.assertEqual(status, 0)
            return used.ru_maxrss * 1024

        if not shared_library.preloaded():
            self.assertLess(resident(packed), resident(whole) - 2.9 * matrices)

    def test_other_weights_take_their_place(self):
        whole, packed = self.both("others", "--weights-as", "int8,head=int8")
        given = ("generate", "--ids", "--prompt", "7,8,9", "--max-tokens", "24", "--quiet", "--checkpoint")
        own = run(packed, *given[:-1]).stdout
        for weights in (self.weights, self.others):
            self.assertEqual(run(whole, *given, weights).stdout, run(packed, *given, weights).stdout)
        self.assertEqual(run(packed, *given, self.weights).stdout, own)
        self.assertNotEqual(run(packed, *given, self.others).stdout, own)

    def test_a_table_lies_beside_what_is_packed_of_it(self):
        """The head is the table that ids gather from: a program carries both, and follows the table when that is written to."""
        whole, packed = self.both("tied", "--weights-as", "int8,head=int8")
        facts = json.loads(run(packed, "info", "--json").stdout)
        table = next(i for i, each in enumerate(facts["parameters"]) if each["name"] == "table")
        self.assertEqual([each.get("carried") for each in facts["packed"] if each["of"] == table], [True])
        self.assertIn("; 16384 are there as they are too)", run(packed, "info").stdout)
        self.assertEqual(self.said(whole), self.said(packed))

    def test_without_weights_it_only_leaves_training_out(self):
        program = self.folder / "bare"
        build(*GPT, "--inference", "-o", program)
        said = run(program, "generate", "--prompt", "a", expect=2).stderr
        self.assertIn("--checkpoint is missing: this program carries no weights", said)
        given = ("eval", "--data", self.data, "--json", "--tokenizer", "byte", "--checkpoint", self.weights)
        self.assertEqual(run(program, *given).stdout, run(self.program, *given).stdout)
        self.assertLess(program.stat().st_size, self.program.stat().st_size)

    def test_what_it_cannot_do_is_said(self):
        _, packed = self.both("says")
        self.assertNotIn("\n  train ", run(packed, "--help").stdout)
        said = run(packed, "train", "--data", self.data, "--out", self.folder / "run", expect=1).stderr
        self.assertIn("this program cannot be trained: it was built with --inference", said)
        said = run(packed, "bench", "--entry", "train", "--set", "batch=1,seq=4", expect=1).stderr
        self.assertIn("no entry `train`; this program has ", said)
        said = run(packed, "run", "--entry", "loss", "--input", "tokens=[[1,2]]", "--input", "next=[[2,3]]", "--gradients", self.folder / "g",
                   expect=1).stderr
        self.assertIn("no gradient of `loss`: this program was built with --inference, which leaves gradients out; build it without", said)
        for entry, why in (("train", "the training `train`"), ("train.update", "the training `train`"), ("loss.gradient", "gradients")):
            said = run(WEFT, "show", *GPT, "--inference", "--at", "model", "--entry", entry, expect=2).stderr
            self.assertIn(f"--inference leaves {why} out, so there is no `{entry}`", said)
        said = build(*GPT, "--inference", "--weights", self.weights, "--target", "cuda-emulated", "--precision", "bf16", "-o", self.folder / "gpu")
        self.assertIn("weights are carried as float32: as products read them they are carried by programs of the target cpu alone", said.stdout)
        for option in (("--gradients-of", "logits"), ("--recompute-budget", "1GiB,batch=1,seq=8")):
            said = run(WEFT, "build", *GPT, "--inference", *option, "-o", self.folder / "none", expect=2).stderr
            self.assertIn(f"--inference leaves gradients out, and {option[0]} is about them", said)
        cut = self.folder / "cut"
        cut.write_bytes(packed.read_bytes()[:-100])
        cut.chmod(0o755)
        self.assertIn("is cut short or was changed", run(cut, "info", expect=1).stderr)

    def test_a_library_keeps_its_promises(self):  # abi E29
        path = self.folder / "libpacked.so"
        build(*GPT, "--weights", self.weights, "--weights-as", "int8,head=int8", "--inference", "--shared", "-o", path)
        library = shared_library.load(path, os.RTLD_NOW | os.RTLD_LOCAL)
        for name in ("weft_open", "weft_generator_open", "weft_trainer_open"):
            getattr(library, name).restype = ctypes.c_void_p
        library.weft_error.restype = ctypes.c_char_p
        library.weft_advance.restype = ctypes.POINTER(ctypes.c_float)
        model = ctypes.c_void_p(library.weft_open(None))

        class Tensor(ctypes.Structure):
            _fields_ = [("size", ctypes.c_size_t), ("data", ctypes.c_void_p), ("more", ctypes.c_char * 120)]

        def parameter(name):
            return library.weft_parameter(model, name, ctypes.byref(Tensor(size=40))), library.weft_error().decode()

        def logits():
            generator = ctypes.c_void_p(library.weft_generator_open(model, None, ctypes.c_int64(8)))
            values = library.weft_advance(generator, (ctypes.c_int32 * 3)(5, 6, 7), ctypes.c_int64(3))
            self.assertTrue(values, library.weft_error())
            kept = bytes(ctypes.string_at(values, 4 * 256))
            library.weft_generator_close(generator)
            return kept

        first = logits()
        refused = "this program carries `layer.attn.q.weight` packed as its products read it, and nothing else of it"
        status, said = parameter(b"layer.attn.q.weight")
        self.assertNotEqual(status, 0)
        self.assertIn(refused, said)
        self.assertEqual(parameter(b"table")[0], 0)
        self.assertNotEqual(library.weft_save(model, os.fsencode(self.folder / "saved")), 0)
        self.assertFalse((self.folder / "saved").exists())
        self.assertFalse(library.weft_trainer_open(model, None, ctypes.c_int64(1), ctypes.c_uint64(1)))
        self.assertIn("this model cannot be trained: it was built with --inference", library.weft_error().decode())
        tensor = Tensor(size=40)
        self.assertEqual(library.weft_parameter(model, b"table", ctypes.byref(tensor)), 0)
        table = ctypes.cast(tensor.data, ctypes.POINTER(ctypes.c_float))
        for factor in (2.0, 0.5):
            for i in range(256 * 64):
                table[i] *= factor
            self.assertEqual(library.weft_parameters_changed(model), 0)
            self.assertEqual(logits() == first, factor == 0.5)
        self.assertEqual(library.weft_load(model, os.fsencode(self.others)), 0)
        self.assertNotEqual(logits(), first)
        self.assertEqual(parameter(b"layer.attn.q.weight")[0], 0)
        self.assertEqual(library.weft_load(model, os.fsencode(self.weights)), 0)
        self.assertEqual(logits(), first)
        self.assertEqual(library.weft_save(model, os.fsencode(self.folder / "saved")), 0)
        self.assertEqual((self.folder / "saved").read_bytes(), self.weights.read_bytes())
        library.weft_close(model)


if __name__ == "__main__":
    unittest.main(verbosity=2)
